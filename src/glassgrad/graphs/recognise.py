"""Which primitive somebody else's operation is.

In flow the name of an operation and its numbers; out flows the row of the engine's table, if there
is one of that name *and* the numbers agree with it.  The name alone is never trusted: ``"/"`` over
``(a, b**-1)`` is common.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import isclose, isnan
from typing import NamedTuple

from glassgrad.graphs.adapters.native import PRIMITIVES, Primitive, fast

RELATIVE, ABSOLUTE = 1e-6, 1e-9
"""By so much numbers may differ that are the same but for rounding."""

_POWER = re.compile(r"(?:\*\*|\^)\s*\(?\s*(-?[\d.]+(?:e-?\d+)?)\s*\)?", re.IGNORECASE)
_ENDING = re.compile(r"_?(?:backward|back|function|fn|op|node)\d*$")  # MulBackward0, AddFn
_OTHER_SPELLINGS = {
    ("^", 2): "pow", ("-", 1): "neg", ("×", 2): "mul", ("÷", 2): "div", ("−", 2): "sub",
    ("negative", 1): "neg", ("multiply", 2): "mul", ("subtract", 2): "sub", ("plus", 2): "add",
    ("minus", 2): "sub", ("times", 2): "mul", ("divide", 2): "div", ("truediv", 2): "div",
    ("power", 2): "pow", ("ln", 1): "log", ("max", 2): "maximum", ("min", 2): "minimum",
}  # fmt: skip


def _spellings() -> dict[tuple[str, int], Primitive]:
    """Return every row under what classes call it, in small letters, and its arity."""
    rows = {
        (spelling.casefold(), row.arity): row
        for row in PRIMITIVES.values()
        for spelling in (row.name, row.op)
    }
    return rows | {spelling: PRIMITIVES[name] for spelling, name in _OTHER_SPELLINGS.items()}


_ROWS: Mapping[tuple[str, int], Primitive] = _spellings()


class Recognised(NamedTuple):
    """What an operation turned out to be."""

    primitive: str
    """The row that its number agrees with."""

    symbol: str
    """What a picture shows for it."""

    slopes: tuple[float, ...]
    """What the row says the slope of each operand is."""


class Spelled(NamedTuple):
    """A row under one of its spellings, ready to be compared with numbers."""

    row: Primitive
    symbol: str
    power: float | None
    """The exponent that the spelling holds."""

    def value(self, operands: Sequence[float]) -> float:
        """Return the result at `operands`."""
        numbers = operands if self.power is None else (*operands, self.power)
        try:
            return float(fast(self.row)[0](*numbers))
        except (ArithmeticError, ValueError):
            return self.row.forward.evaluate(**self._at(numbers))

    def slopes(self, out: float, operands: Sequence[float]) -> tuple[float, ...]:
        """Return the slope against each operand; `out` is the result."""
        numbers = operands if self.power is None else (*operands, self.power)
        try:
            return fast(self.row)[1](out, *numbers)[: len(operands)]
        except (ArithmeticError, ValueError):
            partials = self.row.partials[: len(operands)]
            return tuple(partial.evaluate(out=out, **self._at(numbers)) for partial in partials)

    def kinked(self, operands: Sequence[float]) -> bool:
        """Whether the slope jumps here, so that any slope in between is as good."""
        numbers = operands if self.power is None else (*operands, self.power)
        kink = self.row.kink
        return kink is not None and bool(kink.evaluate(**self._at(numbers)))

    def _at(self, numbers: Sequence[float]) -> dict[str, float]:
        return dict(zip(self.row.variables, numbers, strict=True))


def exponent(op: str) -> float | None:
    """Return the exponent that an operation's name holds.

    Examples
    --------
    >>> exponent("**3"), exponent("** (-0.5)"), exponent("**")
    (3.0, -0.5, None)
    """
    found = _POWER.fullmatch(op.strip())
    try:
        return float(found[1]) if found else None
    except ValueError:  # a number such as 1.2.3
        return None


@lru_cache(maxsize=1024)
def spelled(op: str, arity: int) -> Spelled | None:
    """Return the row that `op` names, for so many operands; its numbers are not looked at.

    Examples
    --------
    >>> spelled("**3", 1).value([2.0]), spelled("no-op", 1) is None
    (8.0, True)
    """
    power = exponent(op) if arity == 1 else None
    name = "**" if power is not None else op.strip().casefold()
    operands = arity if power is None else 2
    row = _ROWS.get((name, operands)) or _ROWS.get((_ENDING.sub("", name), operands))
    if row is None or row.variadic:
        return None
    return Spelled(row, row.symbol if power is None else power_symbol(power), power)


def recognise(op: str, operands: Sequence[float], data: float) -> Recognised | None:
    """Return the row whose name is `op` and whose value at `operands` is `data`.

    Examples
    --------
    >>> recognise("**3", [2.0], 8.0)
    Recognised(primitive='pow', symbol='x³', slopes=(12.0,))
    >>> recognise("/", [6.0, 0.25], 1.5) is None
    True
    """
    found = spelled(op, len(operands))
    if found is None:
        return None
    out = found.value(operands)
    if out != data and not agree(out, data):
        return None
    return Recognised(found.row.name, found.symbol, found.slopes(out, operands))


_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def power_symbol(power: float) -> str:
    """Return how a picture writes x to a constant power.

    Examples
    --------
    >>> power_symbol(-1.0), power_symbol(0.5)
    ('x⁻¹', 'x^0.5')
    """
    return f"x{int(power)}".translate(_RAISED) if power.is_integer() else f"x^{power:g}"


def agree(first: float, second: float) -> bool:
    """Whether two numbers are the same but for rounding; nan agrees with nan.

    The tolerance leaves room for tanh written as ``(e**2x - 1) / (e**2x + 1)`` and for float32.
    """
    if isnan(first) or isnan(second):
        return isnan(first) and isnan(second)
    return isclose(first, second, rel_tol=RELATIVE, abs_tol=ABSOLUTE)
