"""Which primitive somebody else's operation is.

In flow the name of an operation and its numbers; out flows the row of the engine's table, if there
is one of that name *and* the numbers agree with it.  The name alone is never trusted: ``"/"`` over
``(a, b**-1)`` is common.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import isclose, isnan
from typing import NamedTuple

from glassgrad.graphs.adapters.native import PRIMITIVES, Primitive

_POWER = re.compile(r"(?:\*\*|\^)\s*\(?\s*(-?[\d.]+(?:e-?\d+)?)\s*\)?", re.IGNORECASE)
_OTHER_SPELLINGS = {("^", 2): "pow", ("-", 1): "neg"}


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


def recognise(op: str, operands: Sequence[float], data: float) -> Recognised | None:
    """Return the row whose name is `op` and whose value at `operands` is `data`.

    Examples
    --------
    >>> recognise("**3", [2.0], 8.0)
    Recognised(primitive='pow', symbol='x³', slopes=(12.0,))
    >>> recognise("/", [6.0, 0.25], 1.5) is None
    True
    """
    power = exponent(op) if len(operands) == 1 else None
    numbers = (*operands, power) if power is not None else tuple(operands)
    name = "**" if power is not None else op.strip().casefold()
    row = _ROWS.get((name, len(numbers)))
    if row is None:
        return None
    at = dict(zip(row.variables, numbers, strict=True))
    out = row.forward.evaluate(**at)
    if not agree(out, data):
        return None
    partials = row.partials[: len(operands)]
    return Recognised(
        row.name,
        row.symbol if power is None else power_symbol(power),
        tuple(partial.evaluate(out=out, **at) for partial in partials),
    )


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
    return isclose(first, second, rel_tol=1e-6, abs_tol=1e-9)
