"""What a value would be for other operands, by the code that made it.

In flow a value whose operation no table has, and other numbers for its operands; out flow its
number and its slopes.  A rule tells which method made it and with what: so the method is called
again, on stand-ins that hold these numbers.  Whether that is the same computation is not assumed:
for the numbers that are there it has to give the value and the slopes that are there.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import isnan
from types import FunctionType
from typing import NamedTuple

from glassgrad.checks.guard import run
from glassgrad.graphs import adapters
from glassgrad.graphs.adapters import Record
from glassgrad.graphs.adapters.closures import contents, made_by, parameters_of
from glassgrad.graphs.probe import Probe
from glassgrad.graphs.scalar import scalar
from glassgrad.graphs.standins import NotApartError, StandIns, put
from glassgrad.graphs.surroundings import Surroundings

_STEPS = 20_000  # lines that one operation may take


class Remade(NamedTuple):
    """A value computed again."""

    data: float
    """Its number."""

    slopes: tuple[float | None, ...]
    """One for each operand, over all its uses."""


def remade(
    value: object, record: Record, operands: Sequence[object], numbers: Sequence[float]
) -> Remade | None:
    """Compute a value again for other numbers; nothing of the user's is changed.

    Parameters
    ----------
    value : object
        A result.
    record : Record
        What its adapter says of it.
    operands : sequence of object
        What it was computed from, each once.
    numbers : sequence of float
        What they would be.

    Returns
    -------
    Remade or None
        None where nobody can tell how the value was made, or its code fails.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> class Value(SimpleNamespace):
    ...     def cube(self):
    ...         def rule():
    ...             self.grad += 3 * self.data**2 * out.grad
    ...         out = Value(data=self.data**3, grad=0.0, _prev=(self,), _op="cube", _backward=rule)
    ...         return out
    >>> x = Value(data=2.0, grad=0.0, _prev=(), _op="", _backward=None)
    >>> y = x.cube()
    >>> remade(y, adapters.find(y).record(y), [x], [5.0]), x.data
    (Remade(data=125.0, slopes=(75.0,)), 2.0)
    """
    made = _call(value, record)
    if made is None:
        return None
    maker, arguments = made
    given = {*map(id, arguments.values())}
    if not all(id(operand) in given for operand in operands):
        return None  # a function of something else, inside which this was computed too
    try:
        others = StandIns(value, operands, record.names)
    except NotApartError:
        return None
    for other, number in zip(others.operands, numbers, strict=True):
        put(other, record.names.data, number)
    again = partial(others.bound(maker), **others.bound(arguments))
    with Surroundings([maker], {type(value)}).as_before():
        out = run(again, _STEPS).result
    adapter = adapters.find(out)
    if adapter is None:
        return None
    found = adapter.record(out)
    data, odd = scalar(found.data)
    if odd and isnan(data):
        return None
    return Remade(data, Probe().measure(out, found, others.operands, numbers).slopes)


def _call(value: object, record: Record) -> tuple[FunctionType, dict[str, object]] | None:
    """Return what was called to make a value, and with what."""
    rule = record.rule
    if isinstance(rule, FunctionType) and rule.__closure__:
        maker = made_by(rule, type(value))
        if maker is None:
            return None
        taken = dict(zip(rule.__code__.co_freevars, contents(rule.__closure__), strict=True))
        return maker, {name: taken[name] for name in parameters_of(maker) if name in taken}
    method = getattr(type(value), record.op, None) if record.op.isidentifier() else None
    if isinstance(method, FunctionType) and record.ordered:
        return method, dict(zip(parameters_of(method), record.operands, strict=False))
    return None
