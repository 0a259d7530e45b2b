"""Which way the data flowed between values that hold each other.

In flow a value and what one of its attributes holds; out flows how much speaks for these being
its operands: its own rule mentions them, its number follows from theirs, and it is a result at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from types import FunctionType

from glassgrad.graphs.adapters.closures import contents
from glassgrad.graphs.adapters.held import held
from glassgrad.graphs.recognise import recognise

_IN_RULE, _IN_NUMBERS, _IS_RESULT = 4, 2, 1
_MOST = 4


def score(value: object, operands: Sequence[object], names: tuple[str, str, str]) -> int:
    """Return how much speaks for `operands` being what `value` was computed from.

    Parameters
    ----------
    value : object
        The result, or so one thinks.
    operands : sequence of object
        What one of its attributes holds.
    names : tuple of str
        What its class calls the number, the operation and the rule; ``""`` for what it lacks.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> x, y = SimpleNamespace(data=2.0), SimpleNamespace(data=3.0)
    >>> z = SimpleNamespace(data=6.0, op="*")
    >>> score(z, [x, y], ("data", "op", "")), score(x, [z], ("data", "op", ""))
    (3, -1)
    """
    if not operands:
        return 0
    data, op, rule = names
    inside = held(value)
    said = inside.get(op) if op else None
    total = _by_rule(inside.get(rule), value, operands) if rule else 0
    if op:
        total += _IS_RESULT if said else -_IS_RESULT
    if isinstance(said, str) and len(operands) <= _MOST:
        numbers = [held(operand).get(data) for operand in operands]
        total += _IN_NUMBERS * _follows(said, inside.get(data), numbers)
    return total


def _by_rule(rule: object, value: object, operands: Sequence[object]) -> int:
    if not isinstance(rule, FunctionType) or not rule.__closure__:
        return 0
    taken = [item for item in contents(rule.__closure__) if item is not value]
    known = {id(item) for item in taken}
    if all(id(operand) in known for operand in operands):
        return _IN_RULE
    others = any(type(item) is type(value) for item in taken)
    return -_IN_RULE if others else 0


def _follows(op: str, result: object, operands: Sequence[object]) -> bool:
    numbers = [item for item in operands if isinstance(item, Real)]
    if not isinstance(result, Real) or len(numbers) != len(operands):
        return False
    try:
        floats, out = [float(number) for number in numbers], float(result)
    except OverflowError:  # an integer beyond the floats tells nothing
        return False
    return any(recognise(op, order, out) for order in (floats, floats[::-1]))
