"""Rules of one code, run once for all values that have it: on columns of numbers.

In flow the numbers of many values; out flow the slopes that their rule gives each of them.  A rule
that neither branches nor calls anything is a formula, and the user's own code computes it as well
for a whole column as for one number.  `Column` sees to it that each number in it comes to the same
as alone, to the last bit; where Python would complain about one of them, the column does.

Importing this file imports NumPy; that is worth it for a large graph only.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from operator import is_not
from types import CodeType
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast

import numpy as np
import numpy.typing as npt

from glassgrad.graphs.adapters.native import for_arrays
from glassgrad.graphs.alike import Alike
from glassgrad.graphs.bench import PLAIN, Bench
from glassgrad.graphs.model import EdgeColumns
from glassgrad.graphs.recognise import ABSOLUTE, RELATIVE, Spelled

Floats: TypeAlias = npt.NDArray[np.float64]
Ids: TypeAlias = npt.NDArray[np.intp]
Mask: TypeAlias = npt.NDArray[np.bool_]
_T = TypeVar("_T")

_WHOLE = 1024  # whole numbers up to it are the same as floats in any product of a few of them
_STEPS = (
    "BINARY_OP", "CACHE", "COMPARE_OP", "COPY", "EXTENDED_ARG", "LOAD_ATTR", "LOAD_CONST",
    "LOAD_DEREF", "LOAD_FAST", "LOAD_SMALL_INT", "NOP", "POP_TOP", "RESUME", "RETURN", "STORE_ATTR",
    "STORE_FAST", "SWAP", "UNARY_NEGATIVE",
)  # fmt: skip
_SIGNS = frozenset({"+", "-", "*", "/", "**", "+=", "-=", "*=", "/=", "**="})


def _operator(function: Callable[[Any, Any], Floats]) -> Callable[[Column, object], Column]:
    def operate(own: Column, other: object) -> Column:
        return Column(function(own.numbers, _number(other)))

    return operate


def _reflected(function: Callable[[Any, Any], Floats]) -> Callable[[Column, object], Column]:
    def operate(own: Column, other: object) -> Column:
        return Column(function(_number(other), own.numbers))

    return operate


def _compared(function: Callable[[Any, Any], Any]) -> Callable[[Column, object], Any]:
    def operate(own: Column, other: object) -> Any:
        return Column(function(own.numbers, _number(other)) * 1.0)  # True + True is 2, not True

    return operate


def _powers(base: Any, exponent: Any) -> Floats:
    """Return powers as Python computes them: NumPy's may differ in the last bit."""
    bases, exponents = np.broadcast_arrays(base, exponent)
    pairs = zip(bases.tolist(), exponents.tolist(), strict=True)
    return np.array([x**y for x, y in pairs], np.float64)  # which refuses complex numbers


def _number(item: object) -> Any:
    if isinstance(item, Column):
        return item.numbers
    if isinstance(item, float | int):
        return item
    raise TypeError


class Column:
    """One number of each of many values; in a formula it behaves as each of them would alone.

    It has no operators that change it in place, so that ``+=`` makes a new one, as for a number.

    Examples
    --------
    >>> x = Column(np.array([2.0, -3.0]))
    >>> ((x > 0) + (x > -5)).numbers, (x**2).numbers
    (array([2., 1.]), array([4., 9.]))
    """

    __slots__ = ("numbers",)
    __array_ufunc__ = None  # a NumPy number beside it leaves the operation to it

    def __init__(self, numbers: Floats) -> None:
        self.numbers = numbers

    def __neg__(self) -> Column:
        return Column(-self.numbers)

    __add__, __radd__ = _operator(np.add), _reflected(np.add)
    __sub__, __rsub__ = _operator(np.subtract), _reflected(np.subtract)
    __mul__, __rmul__ = _operator(np.multiply), _reflected(np.multiply)
    __truediv__, __rtruediv__ = _operator(np.divide), _reflected(np.divide)
    __pow__, __rpow__ = _operator(_powers), _reflected(_powers)
    __lt__, __le__ = _compared(np.less), _compared(np.less_equal)
    __gt__, __ge__ = _compared(np.greater), _compared(np.greater_equal)
    __eq__, __ne__ = _compared(np.equal), _compared(np.not_equal)


def is_formula(code: CodeType) -> bool:
    """Whether code computes with ``+ - * / **`` and comparisons only, and never branches.

    Examples
    --------
    >>> is_formula((lambda x, y: (x.data > 0) * y.grad).__code__)
    True
    >>> is_formula((lambda x: abs(x)).__code__), is_formula((lambda x: 1 if x else 0).__code__)
    (False, False)
    """
    return all(
        step.opname.startswith(_STEPS) and (step.opname != "BINARY_OP" or step.argrepr in _SIGNS)
        for step in dis.get_instructions(code)
    )


class Known(NamedTuple):
    """Values about which there is nothing to say, one column for each thing that is known."""

    row: Spelled
    """The row of the table that all of them agree with."""

    ids: Ids
    """Which they are."""

    operands: list[Ids]
    """The ids of their first operands, of their second ones."""

    slopes: list[Floats]
    """The slopes of these."""


class Table:
    """The numbers of a graph.

    Parameters
    ----------
    raw : sequence of object
        What stands where the number of each value should be.
    data : sequence of float
        The numbers.
    """

    def __init__(self, raw: Sequence[object], data: Sequence[float]) -> None:
        self._numbers = np.array(data, np.float64)
        self._able = np.isfinite(self._numbers)
        converted = np.fromiter(map(is_not, raw, data), np.bool_, len(raw))  # what is no float
        for id in np.flatnonzero(converted).tolist():
            self._able[id] &= _is_able(raw[id])

    def known(
        self, bench: Bench, row: Spelled, group: Alike, taken: Sequence[Sequence[object]]
    ) -> Known | None:
        """Measure the rules of values that share their code; return those that agree with a row.

        Parameters
        ----------
        bench : Bench
            Runs the code.
        row : Spelled
            The row that their numbers and slopes are compared with.
        group : Alike
            The values; either none of them uses one operand twice, or all of them do.
        taken : sequence of sequence
            What each cell of their rules holds, nothing where that is a value.

        Returns
        -------
        Known or None
            None where the code cannot compute with columns.
        """
        ids, below = np.array(group.ids), [np.array(column) for column in group.operands]
        able = np.logical_and.reduce([self._able[column] for column in (ids, *below)])
        ids, below = ids[able], [column[able] for column in below]
        out, numbers = self._numbers[ids], [self._numbers[column] for column in below]
        own = numbers[: len(bench.operands)]  # the user's code meets a repeated operand once
        try:
            with np.errstate(all="raise", under="ignore"):
                cells = [_constant(items, able) if items else None for items in taken]
                left = bench.run(cells, Column(out), [*map(Column, own)], 0.0, 1.0)
            slopes = [np.broadcast_to(_number(item), out.shape) * 1.0 for item in left]
            with np.errstate(all="ignore"):
                agreed = _agrees(row, out, numbers, slopes)
        except Exception:  # what no column can do, or what Python raises for one of its numbers
            return None
        if not agreed.any():
            return None
        slopes = [slope[agreed] for slope in slopes]
        if len(own) < len(numbers):  # nobody can measure two uses apart
            pairs = zip(*[number[agreed].tolist() for number in numbers], strict=True)
            due = [row.slopes(row.value(pair), pair) for pair in pairs]
            slopes = [np.array(slope) for slope in zip(*due, strict=True)]
        return Known(row, ids[agreed], [ids[agreed] for ids in below], slopes)


def _is_able(item: object) -> bool:
    return type(item) is float or (type(item) is int and -_WHOLE <= item <= _WHOLE)


def _constant(items: Sequence[Any], able: Mask) -> Any:
    """Return what a cell holds in each of many rules: one thing, or a column."""
    first = items[0] if items else None
    if isinstance(first, PLAIN) and all(item is first for item in items):
        return first
    if not all(map(_is_able, items)):
        raise TypeError
    return Column(np.array(items, np.float64)[able])


def _agrees(row: Spelled, out: Floats, numbers: list[Floats], slopes: list[Floats]) -> Mask:
    """Return where numbers and slopes agree with a row."""
    power = () if row.power is None else (row.power,)
    forward, partials = for_arrays(row.row)
    now = forward(*numbers, *power)
    due = [partial(*numbers, *power, now) for partial in partials[: len(numbers)]]
    expected = due if len(slopes) == len(due) else [sum(due)]
    pairs = [(now, out), *zip(slopes, expected, strict=True)]
    return cast(Mask, np.logical_and.reduce([_agree(*pair) for pair in pairs]))


def _agree(first: Any, second: Any) -> Mask:
    """Do for columns what `glassgrad.graphs.recognise.agree` does; what is not finite differs."""
    size = np.maximum(np.abs(first), np.abs(second))
    near = np.abs(first - second) <= np.maximum(RELATIVE * size, ABSOLUTE)
    return cast(Mask, near & np.isfinite(first) & np.isfinite(second))


def spread(column: list[_T], items: Iterable[tuple[Ids, _T]]) -> list[_T]:
    """Return a column with one item put in at many places, and another at others.

    Examples
    --------
    >>> spread(["", "", ""], [(np.array([0, 2]), "x"), (np.array([1]), "y")])
    ['x', 'y', 'x']
    """
    whole = np.fromiter(column, object, len(column))
    for ids, item in items:
        whole[ids] = item
    return cast("list[_T]", whole.tolist())


def joined(
    few: EdgeColumns, counts: Sequence[int], many: Sequence[Known]
) -> tuple[EdgeColumns, list[int]]:
    """Put the edges of the many among those of the few.

    Parameters
    ----------
    few : EdgeColumns
        Edges, by target.
    counts : sequence of int
        How many of these lead to each value.
    many : sequence of Known
        Values to which none of them leads.

    Returns
    -------
    edges : EdgeColumns
        All edges.
    first : list of int
        Where those of each value begin.
    """
    numbers = np.fromiter(counts, np.intp, len(counts))
    for known in many:
        numbers[known.ids] = len(known.operands)
    first = np.concatenate(([0], np.cumsum(numbers)))
    size = int(first[-1])
    source, operand, slope = np.empty(size, np.intp), np.zeros(size, np.int8), np.zeros(size)
    left = np.ones(size, np.bool_)
    for known in many:
        begin = first[known.ids]
        for position, (below, slopes) in enumerate(zip(known.operands, known.slopes, strict=True)):
            at = begin + position
            source[at], operand[at], slope[at], left[at] = below, position, slopes, False
    target = np.repeat(np.arange(len(numbers)), numbers)
    columns: list[Sequence[Any]] = [
        source.tolist(), target.tolist(), operand.tolist(), (1,) * size, slope.tolist()
    ]  # fmt: skip
    places = np.flatnonzero(left).tolist()
    if places:
        columns = [
            _filled(column, places, getattr(few, field.name))
            for column, field in zip(columns, fields(few), strict=True)
        ]
    return EdgeColumns(*map(tuple, columns)), first.tolist()


def _filled(column: Sequence[Any], places: Sequence[int], items: Sequence[Any]) -> list[Any]:
    whole = [*column]
    for place, item in zip(places, items, strict=True):
        whole[place] = item
    return whole
