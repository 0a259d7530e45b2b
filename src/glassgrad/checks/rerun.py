"""A whole graph, run again from any of its values on; also with complex numbers.

In flow a graph's replays; out flows the root as a function of one value's number, and its slope.
Where every operation on the way is a row of the table, the slope comes from the complex step: the
imaginary part of f(x + ih) / h has no difference in it, and so no cancellation (W. Squire and
G. Trapp, "Using complex variables to estimate derivatives of real functions", SIAM Review 40,
1998, 110-112).
"""

from __future__ import annotations

import cmath
from collections.abc import Callable, Mapping, Sequence
from math import isfinite, nan, pi
from typing import Any

from glassgrad.checks.numeric import Slope, derivative
from glassgrad.checks.replay import Replay
from glassgrad.engine.expression import Tree

_STEP = 1e-30
_ROUNDING = 2.3e-16


class Rerun:
    """A graph that can be computed again.

    Parameters
    ----------
    replays : sequence of (Replay or None)
        How to run each value again, in topological order; None for leaves.
    data : sequence of float
        The numbers, as they are.

    Examples
    --------
    >>> square = Replay(lambda numbers: numbers[0] ** 2, (0,))
    >>> Rerun([None, square], [3.0, 9.0]).root(0, 4.0)
    16.0
    """

    def __init__(self, replays: Sequence[Replay | None], data: Sequence[float]) -> None:
        self.replays, self.data = replays, data

    def root(self, node: int, number: float) -> float:
        """Return the root when one value holds another number, everything before it unchanged."""
        data = list(self.data)
        data[node] = number
        changed = {node}
        for id in range(node + 1, len(data)):
            replay = self.replays[id]
            if replay is not None and not changed.isdisjoint(replay.operands):
                data[id] = replay.forward([data[o] for o in replay.operands])
                changed.add(id)
        return data[-1]

    def slope(self, node: int) -> tuple[Slope, str]:
        """Return d(root)/d(value), and how it was measured.

        Examples
        --------
        >>> from glassgrad.checks.replay import Replays
        >>> from glassgrad.engine.value import Value
        >>> from glassgrad.graphs.collect import collect
        >>> a = Value(3.0)
        >>> graph = Replays(collect(a * a), [3.0, 9.0], Value)
        >>> slope, how = Rerun([None, graph.of(1)], [3.0, 9.0]).slope(0)
        >>> slope.value, how
        (6.0, 'complex step')
        """
        if node == len(self.data) - 1:
            return Slope(1.0, 0.0, 1.0, 1.0), "by definition"
        exact = self._complex(node)
        if exact is not None:
            error = _ROUNDING * abs(exact) * (len(self.data) - node)
            return Slope(exact, error, exact, exact), "complex step"
        slope = derivative(lambda number: self.root(node, number), self.data[node])
        return slope, "one-sided differences" if slope.kink else "central differences"

    def _complex(self, node: int) -> float | None:
        """Return the slope from a complex step, or None where it cannot be had."""
        data: list[complex] = list(self.data)
        data[node] = complex(self.data[node], _STEP)
        changed = {node}
        for id in range(node + 1, len(data)):
            replay = self.replays[id]
            if replay is None or changed.isdisjoint(replay.operands):
                continue
            number = _evaluate(replay, data)
            if number is None:
                return None
            data[id] = number
            changed.add(id)
        slope = data[-1].imag / _STEP
        return slope if isfinite(slope) and isfinite(data[-1].real) else None


def _evaluate(replay: Replay, data: Sequence[complex]) -> complex | None:
    if replay.row is None:
        return None
    numbers = (*(data[o] for o in replay.operands), *replay.constants)
    at = dict(zip(replay.row.variables, numbers, strict=True))
    real = {name: complex(number).real for name, number in at.items()}
    out = replay.row.forward.evaluate(**real)
    kink = replay.row.kink
    if kink is not None and kink.evaluate(out=out, **real):
        return None
    try:
        result = complex(_run(replay.row.forward.tree, at))
    except (ArithmeticError, ValueError, KeyError):
        return None
    return complex(out, result.imag)  # the real part is known better


def _run(tree: Tree, numbers: Mapping[str, complex]) -> Any:
    if not isinstance(tree, tuple):
        return numbers[tree] if isinstance(tree, str) else tree
    return _COMPLEX[str(tree[0])](*(_run(part, numbers) for part in tree[1:]))


def _sign(z: complex) -> float:
    return 1.0 if complex(z).real >= 0 else -1.0


def _by_real(compare: Callable[[float, float], bool]) -> Callable[[complex, complex], bool]:
    return lambda x, y: compare(complex(x).real, complex(y).real)


def _sigmoid(z: complex) -> complex:
    if complex(z).real >= 0:
        return 1 / (1 + cmath.exp(-z))
    return cmath.exp(z) / (1 + cmath.exp(z))


_COMPLEX: Mapping[str, Callable[..., Any]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "pow": lambda x, y: x ** int(y.real) if not y.imag and y.real == int(y.real) else x**y,
    "neg": lambda x: -x,
    "abs": lambda x: _sign(x) * x,
    "sign": _sign,
    "where": lambda condition, then, otherwise: then if condition else otherwise,
    "gt": _by_real(lambda x, y: x > y),
    "ge": _by_real(lambda x, y: x >= y),
    "lt": _by_real(lambda x, y: x < y),
    "le": _by_real(lambda x, y: x <= y),
    "eq": _by_real(lambda x, y: x == y),
    "and": lambda x, y: x and y,
    "maximum": lambda x, y: x if complex(x).real > complex(y).real else y,
    "minimum": lambda x, y: x if complex(x).real < complex(y).real else y,
    "sigmoid": _sigmoid,
    "expm1": lambda x: cmath.exp(x) - 1,
    "log1p": lambda x: cmath.log(1 + x),
    "log2": lambda x: cmath.log(x) / cmath.log(2),
    "log10": lambda x: cmath.log(x) / cmath.log(10),
    "hypot": lambda x, y: cmath.sqrt(x * x + y * y),
    # erf has no complex form in Python; h is so small that one term of its series is exact
    "erf": lambda x: complex(nan, complex(x).imag * 2 / pi**0.5 * cmath.exp(-(x.real**2)).real),
    **{
        name: getattr(cmath, name)
        for name in ("exp", "log", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan")
    },
    **{name: getattr(cmath, name) for name in ("sinh", "cosh", "tanh", "asinh", "acosh", "atanh")},
}
"""The functions of the table for complex numbers; what is missing is measured by differences."""
