"""Graphs that a library keeps without the numbers, with as many numbers as can be had.

In flow steps that an adapter has drawn up, some with their number, most without; out flow the same
with the numbers that follow from others: a sum of two known values is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import nan
from typing import Any

from glassgrad.graphs.adapters import KNOWN_AS, Record
from glassgrad.graphs.adapters.native import PRIMITIVES, Primitive, at


class Step:
    """One inner value of a library's graph.

    Parameters
    ----------
    key : object
        What the library keeps: the user's own variable is known by it.
    op : str
        The operation: the name of a row of the table where it is one.
    """

    __slots__ = ("data", "freed", "key", "op", "operands", "row", "slopes")

    def __init__(self, key: object, op: str) -> None:
        self.key, self.op = key, op
        self.data: float | None = None
        self.operands: tuple[Any, ...] = ()
        self.slopes: tuple[float | None, ...] = ()
        self.row: Primitive | None = None
        self.freed = False  # whether the library has thrown away what it had saved


class Sketched:
    """The adapter of what other adapters have drawn up."""

    def reads(self, value: object) -> bool:
        """Whether it is a step."""
        return isinstance(value, Step)

    def record(self, value: Any) -> Record:
        """Describe a step; a library's own rules need no measuring."""
        row = PRIMITIVES.get(value.op)
        return Record(
            op=row.op if row else value.op,
            data=nan if value.data is None else value.data,
            operands=value.operands,
            primitive=value.row.name if value.row else None,
            symbol=row.symbol if row else value.op or "?",
            slopes=value.slopes,
            remarks=tuple(_remarks(value, row)),
        )


def _remarks(step: Step, row: Primitive | None) -> Iterator[tuple[str, str]]:
    """Say what is missing, and why; one cause is enough."""
    if step.freed:
        if step.data is None or None in step.slopes:
            yield "freed", ""
        return
    if step.data is None:
        yield "unsaved", ""
    if row is not None and row.arity == 2 and len(step.operands) == 1:
        yield "dropped", row.symbol


ADAPTER = Sketched()
KNOWN_AS[Step] = lambda step: step.key


def complete(steps: Iterable[Step], number_of: Callable[[Any], float | None]) -> None:
    """Recognise rows, and fill in numbers that follow from those of the operands.

    Parameters
    ----------
    steps : iterable of Step
        Operands before results.
    number_of : callable
        Tells the number of an operand, None where it is unknown.

    Examples
    --------
    >>> step = Step(None, "mul")
    >>> step.operands, step.slopes = (2.0, 3.0), (3.0, 2.0)
    >>> complete([step], lambda operand: operand)
    >>> step.data, step.row.name
    (6.0, 'mul')
    """
    for step in steps:
        row = PRIMITIVES.get(step.op)
        numbers = [number_of(operand) for operand in step.operands]
        known = [number for number in numbers if number is not None]
        if row is None or row.variadic or not len(known) == len(numbers) == row.arity:
            continue
        out, *slopes = at(row, *known)
        pairs = zip(slopes, step.slopes, strict=True)
        if all(theirs is None or _near(ours, theirs) for ours, theirs in pairs):
            if step.data is None:
                step.data = out
            step.row = row if _near(out, step.data) else None


def _near(ours: float, theirs: float) -> bool:
    """Whether numbers agree as far as float32 does; 1 - out**2 loses half of its digits."""
    return ours == theirs or abs(ours - theirs) <= 1e-4 * max(abs(ours), 1e-2)
