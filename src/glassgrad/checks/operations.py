"""The operations that a class may have, and where to try each.

In flows nothing but the engine's table; out flow `Operation`s: rows which say how it is written,
which method answers for it, and numbers at which a slip shows.  The numbers stay away from kinks,
from each other and from coincidences such as 2 + 2 = 2 * 2.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from glassgrad.engine.functions import FUNCTIONS
from glassgrad.engine.ops import PRIMITIVES
from glassgrad.graphs.numbers import plain


@dataclass(frozen=True, slots=True)
class Operation:
    """One way to compute with Values.

    Parameters
    ----------
    primitive : str
        The row of the engine's table; ``""`` for a function of the learner's own.
    method : str
        The method of the class that answers for it.
    text : str
        How it is written, with ``{x}`` and ``{y}`` for the Values.
    apply : callable
        Computes it in the learner's class, from Values.
    places : tuple of (float or None)
        The operands of the row: None for a Value, else the number that is written there.
    points : tuple of tuple of float
        Where to try it, one number per Value.
    required : bool, optional
        Whether a class without it is not complete.
    loose : bool, optional
        Whether the row is one of several definitions: then only slopes are checked, and against
        what the learner's own function does.
    """

    primitive: str
    method: str
    text: str
    apply: Callable[..., Any]
    places: tuple[float | None, ...]
    points: tuple[tuple[float, ...], ...]
    required: bool = False
    loose: bool = False

    @property
    def arity(self) -> int:
        """How many Values it takes."""
        return self.places.count(None)

    def written(self, *names: str) -> str:
        """Return it as an expression over names.

        Examples
        --------
        >>> OPERATORS[0].written("a", "b")
        'a + b'
        """
        return self.text.format(**dict(zip(("x", "y"), names, strict=False)))

    def operands(self, point: Sequence[float]) -> tuple[float, ...]:
        """Return the operands of the row at a point."""
        values = iter(point)
        return tuple(next(values) if place is None else place for place in self.places)

    def reference(self, *values: Any) -> Any:
        """Compute it with the engine's own function, from Values of ours."""
        return FUNCTIONS[self.primitive](*self.operands(values))


_PAIRS = ((2.0, -3.0), (-1.5, 0.7), (0.6, 2.5))
_POSITIVE_PAIRS = ((2.0, 3.0), (1.7, -0.6), (0.6, 2.5))
_SINGLE = ((2.0,), (-1.5,), (0.7,))
_POSITIVE = ((2.0,), (1.5,), (0.7,))
_GENTLE = ((0.5,), (-1.2,), (0.8,))
_INSIDE = ((0.5,), (-0.3,), (0.7,))
_OUTSIDE = ((1.5,), (2.5,), (1.2,))

_SIGNS: tuple[tuple[str, str, str, Callable[..., Any]], ...] = (
    ("add", "+", "add", operator.add),
    ("mul", "*", "mul", operator.mul),
    ("sub", "-", "sub", operator.sub),
    ("div", "/", "truediv", operator.truediv),
    ("pow", "**", "pow", operator.pow),
)
_RIGHT = {"add": (3.0,), "mul": (3.0,), "sub": (3.0,), "div": (4.0,), "pow": (2, 3, -1, 0.5)}
_LEFT = {"add": (5.0,), "mul": (5.0,), "sub": (5.0,), "div": (6.0,), "pow": (2.0,)}
_REQUIRED = frozenset({"__add__", "__mul__", "__sub__", "__radd__", "__rmul__"})


def _operators() -> Iterator[Operation]:
    """Values on both sides, a number on the right, a number on the left."""
    for name, sign, dunder, apply in _SIGNS:
        if name == "sub":  # what is often built from these comes after them
            yield Operation("neg", "__neg__", "-{x}", operator.neg, (None,), _SINGLE, required=True)
            yield Operation("abs", "__abs__", "abs({x})", operator.abs, (None,), _SINGLE)
        method, reflected = f"__{dunder}__", f"__r{dunder}__"
        pairs = _POSITIVE_PAIRS if name in ("div", "pow") else _PAIRS
        points = _POSITIVE if name in ("div", "pow") else _SINGLE
        required = method in _REQUIRED
        yield Operation(name, method, f"{{x}} {sign} {{y}}", apply, (None, None), pairs, required)
        for number in _RIGHT[name]:
            yield Operation(
                name, method, f"{{x}} {sign} {plain(number)}", _with_right(apply, number),
                (None, float(number)), points, required,
            )  # fmt: skip
        for number in _LEFT[name]:
            yield Operation(
                name, reflected, f"{plain(number)} {sign} {{x}}", _with_left(apply, number),
                (number, None), points, reflected in _REQUIRED,
            )  # fmt: skip


def _with_right(apply: Callable[..., Any], number: float) -> Callable[..., Any]:
    return lambda x: apply(x, number)


def _with_left(apply: Callable[..., Any], number: float) -> Callable[..., Any]:
    return lambda x: apply(number, x)


OPERATORS: tuple[Operation, ...] = tuple(_operators())
"""Everything that is written with a sign."""

_POINTS: Mapping[str, tuple[tuple[float, ...], ...]] = {
    **dict.fromkeys(("log", "log1p", "log2", "log10", "sqrt"), _POSITIVE),
    **dict.fromkeys(("asin", "acos", "atanh"), _INSIDE),
    **dict.fromkeys(("acosh",), _OUTSIDE),
}
_ALIASES = {
    "ln": "log", "arctan": "atan", "arcsin": "asin", "arccos": "acos", "power": "pow",
    "sigma": "sigmoid", "logistic": "sigmoid", "absolute": "abs", "negative": "neg",
    "square_root": "sqrt", "leakyrelu": "leaky_relu", "lrelu": "leaky_relu", "swish": "silu",
    "expo": "exp", "exponential": "exp", "max": "maximum", "min": "minimum", "divide": "div",
    "multiply": "mul", "subtract": "sub",
}  # fmt: skip
_LOOSE = frozenset({"leaky_relu", "elu", "gelu", "softplus", "silu", "pow"})
_SKIPPED = frozenset({"sum", "clamp"})  # of any number of operands


def functions(cls: type, takes: Callable[[str], int]) -> Iterator[Operation]:
    """Return the functions of the table that a class has as methods.

    Parameters
    ----------
    cls : type
        The class.
    takes : callable
        Tells how many arguments a method insists on, the object itself not counted.

    Examples
    --------
    >>> from glassgrad.engine.value import Value
    >>> "tanh" in [row.method for row in functions(Value, lambda name: 0)]
    True
    """
    for name in dir(cls):
        row = PRIMITIVES.get(_ALIASES.get(name.lower(), name.lower()))
        if row is None or row.name in _SKIPPED or not callable(getattr(cls, name)):
            continue
        if takes(name) == row.arity - 1:
            yield _function(row.name, name, row.arity)


def _function(primitive: str, method: str, arity: int) -> Operation:
    pairs = _POSITIVE_PAIRS if primitive in ("pow", "div") else _PAIRS
    return Operation(
        primitive,
        method,
        f"{{x}}.{method}({'' if arity == 1 else '{y}'})",
        lambda x, *more: getattr(x, method)(*more),
        (None,) * arity,
        pairs if arity == 2 else _POINTS.get(primitive, _GENTLE),
        loose=primitive in _LOOSE,
    )


def own_function(method: str) -> Operation:
    """Return a function that the table does not know.

    Examples
    --------
    >>> own_function("cube").written("a")
    'a.cube()'
    """
    return Operation(
        "",
        method,
        f"{{x}}.{method}()",
        lambda x: getattr(x, method)(),
        (None,),
        _GENTLE,
        loose=True,
    )
