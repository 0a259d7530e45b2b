"""Small programs that tell one wrong walk from another.

In flows nothing; out flow programs of sums and products, the smallest ones known to catch each slip
of `glassgrad.checks.walks`, and their right gradients.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from glassgrad.checks.exam import numbers
from glassgrad.engine.value import Value

DOUBLINGS = 30

STEPS = 60_000
"""So many lines may one of these programs take, forward or backward."""


class Program(NamedTuple):
    """A program of sums and products."""

    text: str
    run: Callable[..., Any]
    names: tuple[str, ...]
    at: tuple[float, ...]
    tree: bool = False
    """Whether nothing in it is used twice, so that no rule can overwrite anything."""


def _doubled(x: Any, times: int) -> Any:
    for _ in range(times):
        x = x + x
    return x


def _shared(a: Any, b: Any) -> Any:
    c, d = a + b, a * b
    return (c + d) + c * d


def _twice(x: Any, k: Any) -> Any:
    y = x * k
    return (y + x) * y


def _shallow_and_deep(x: Any, k: Any) -> Any:
    y = x * k
    return y * (y * x + k)


def _shared_in_shared(x: Any, k: Any) -> Any:
    b = x * k
    c = b + x
    return c * b * c


PROGRAMS: tuple[Program, ...] = (
    Program("a * b", lambda a, b: a * b, ("a", "b"), (2.0, -3.0), tree=True),
    Program(
        "(a * b + c) * f", lambda a, b, c, f: (a * b + c) * f, ("a", "b", "c", "f"),
        (2.0, -3.0, 10.0, -2.0), tree=True,
    ),
    Program("a * b + a", lambda a, b: a * b + a, ("a", "b"), (2.0, -3.0)),
    Program("y = x * k; (y + x) * y", _twice, ("x", "k"), (3.0, 2.0)),
    Program("c = a + b; d = a * b; (c + d) + c * d", _shared, ("a", "b"), (2.0, 3.0)),
    Program("b = a + a; c = b + b", lambda a: _doubled(a, 2), ("a",), (1.0,)),
    Program("5 times x = x + x", lambda x: _doubled(x, 5), ("x",), (1.5,)),
    Program("y = x * k; y * (y * x + k)", _shallow_and_deep, ("x", "k"), (1.5, -0.7)),
    Program("b = x * k; c = b + x; c * b * c", _shared_in_shared, ("x", "k"), (1.5, -0.7)),
)  # fmt: skip
"""From trees to graphs in which inner values are shared."""


EQUAL = Program("a * b + b * c", lambda a, b, c: a * b + b * c, ("a", "b", "c"), (2.0, 2.0, 2.0))
"""Three different values that hold the same number."""


def reference(program: Program) -> tuple[float, ...]:
    """Return the gradients of a program, computed with our own Value.

    Examples
    --------
    >>> reference(PROGRAMS[2])
    (-2.0, 2.0)
    """
    leaves = [Value(number) for number in program.at]
    program.run(*leaves).backward()
    return tuple(leaf.grad for leaf in leaves)


def tried(program: Program) -> str:
    """Write a program and where it was tried.

    Examples
    --------
    >>> tried(PROGRAMS[2])
    'a * b + a at a = 2, b = -3'
    """
    return f"{program.text} at {numbers(program.names, program.at)}"
