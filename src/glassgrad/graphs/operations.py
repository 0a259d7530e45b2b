"""What each operation of a graph is: its primitive, its symbol, the slope of each use.

In flows what was collected; out flows an `Operation` per value.  Our own Values keep their slopes.
For all others the value's own rule is run alone and measured, and the primitive is recognised only
where both the number and the slopes agree with the engine's table.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from math import isnan
from typing import NamedTuple, TypeAlias

from glassgrad.graphs.adapters import Record
from glassgrad.graphs.collect import Collected
from glassgrad.graphs.probe import adds, measure
from glassgrad.graphs.recognise import Recognised, agree, recognise

_Habits: TypeAlias = "dict[object, bool | None]"  # by the code of a rule: whether it adds
_SIGNS = {"*": "×", "-": "−", "/": "÷"}
_UNKNOWN = "?"  # the symbol of an operation that has no name


class Use(NamedTuple):
    """One edge to be."""

    operand: int
    position: int | None
    times: int
    slope: float | None


class Operation(NamedTuple):
    """How a value was computed."""

    symbol: str = ""
    """What a picture shows."""

    primitive: str | None = None
    """The row of the table, if number and slopes agree with it."""

    written: str = ""
    """The row by which it may be written as an expression: the number alone agrees."""

    uses: tuple[Use, ...] = ()
    """Its operands, in order."""

    trouble: str = ""
    """``""``, or the rest of a sentence that begins with the value's name."""


def operations(collected: Collected, data: Sequence[float]) -> list[Operation]:
    """Find out about every operation, leaves included.

    Parameters
    ----------
    collected : Collected
        The objects and what their adapters said.
    data : sequence of float
        Their numbers.

    Examples
    --------
    >>> from glassgrad.engine.value import Value
    >>> from glassgrad.graphs.collect import collect
    >>> a = Value(2.0)
    >>> operations(collect(a * 3), [2.0, 3.0, 6.0])[2].uses[0]
    Use(operand=0, position=0, times=1, slope=3.0)
    """
    habits: _Habits = {}
    with _gradients_kept(collected):
        return [
            _operation(id, collected, data, habits) if record.operands else Operation()
            for id, record in enumerate(collected.records)
        ]


@contextmanager
def _gradients_kept(collected: Collected) -> Iterator[None]:
    """Run rules without a trace, even of one that reaches further than its own operands.

    What rules print is dropped: the user did not run them.
    """
    if not any(record.rule and record.operands for record in collected.records):
        yield
        return
    try:
        with redirect_stdout(io.StringIO()):
            yield
    finally:
        for item, record in zip(collected.objects, collected.records, strict=True):
            if record.grad is not None and getattr(item, "grad", None) is not record.grad:
                item.grad = record.grad  # type: ignore[attr-defined]


def _operation(id: int, collected: Collected, data: Sequence[float], habits: _Habits) -> Operation:
    record, operands = collected.records[id], collected.operands[id]
    if record.slopes is not None:
        return _kept(record, operands, record.slopes, collected.constants)
    if None in operands:  # a cycle: nothing can be measured at a value that feeds itself
        uses = _uses(operands, record.ordered, {}, None)
        return Operation(_symbol(record.op), uses=uses, trouble=record.trouble)
    whole = [operand for operand in operands if operand is not None]
    totals, trouble = _measured(id, whole, collected, habits)
    found = recognise(record.op, [data[o] for o in whole], data[id]) if record.ordered else None
    agreed = found if found and _agrees(found, whole, totals) else None
    return Operation(
        symbol=found.symbol if found else _symbol(record.op),
        primitive=agreed.primitive if agreed else None,
        written=found.primitive if found else "",
        uses=_uses(whole, record.ordered, totals, agreed),
        trouble=record.trouble or trouble,
    )


def _symbol(op: str) -> str:
    return _SIGNS.get(op, op) or _UNKNOWN


def _kept(
    record: Record,
    operands: Sequence[int | None],
    slopes: Sequence[float],
    constants: Collection[int],
) -> Operation:
    """Describe an operation of a class that keeps its slopes and vouches for its primitive."""
    # the slope against an exponent is nan below 0, where x**y has none: that is to say unknown
    uses = tuple(
        Use(operand, position, 1, None if isnan(slope) and operand in constants else slope)
        for position, (operand, slope) in enumerate(zip(operands, slopes, strict=True))
        if operand is not None
    )
    return Operation(record.symbol, record.primitive, record.primitive or "", uses)


def _measured(
    id: int, operands: Sequence[int], collected: Collected, habits: _Habits
) -> tuple[dict[int, float | None], str]:
    """Run the rule of one value; return the slope of each operand, all its uses together."""
    items = {o: collected.objects[o] for o in operands if o not in collected.constants}
    rule, value = collected.records[id].rule, collected.objects[id]
    if rule is None:
        return dict.fromkeys(items), ""
    slopes, trouble = measure(value, list(items.values()), rule)
    # whether a rule adds or assigns is written in its code: one value speaks for all that share it
    code = getattr(rule, "__code__", id)
    if habits.get(code) is None:
        habits[code] = adds(value, list(items.values()), rule)
    if habits[code] is False:
        trouble = trouble or (
            "'s rule replaces the gradients of its operands: with `+=` in place of `=`, "
            "an operand that is used elsewhere keeps what it got there."
        )
    return dict(zip(items, slopes, strict=True)), trouble


def _agrees(found: Recognised, operands: Sequence[int], totals: Mapping[int, float | None]) -> bool:
    """Whether the measured slopes are those of the row; repeated operands have one sum."""
    expected = dict.fromkeys(operands, 0.0)
    for operand, slope in zip(operands, found.slopes, strict=True):
        expected[operand] += slope
    return all(
        slope is not None and agree(slope, expected[operand]) for operand, slope in totals.items()
    )


def _uses(
    operands: Sequence[int | None],
    ordered: bool,
    totals: Mapping[int, float | None],
    agreed: Recognised | None,
) -> tuple[Use, ...]:
    """Return one use per position where the slopes are known so finely, else one per operand."""
    positions: dict[int, list[int]] = {}
    for position, operand in enumerate(operands):
        if operand is not None:
            positions.setdefault(operand, []).append(position)
    if agreed is None:
        return tuple(
            Use(operand, places[0] if ordered else None, len(places), totals.get(operand))
            for operand, places in positions.items()
        )
    uses = []
    for operand, places in positions.items():
        alone = totals.get(operand) if len(places) == 1 else None
        for place in places:
            uses.append(Use(operand, place, 1, agreed.slopes[place] if alone is None else alone))
    return tuple(sorted(uses, key=lambda use: use.position or 0))
