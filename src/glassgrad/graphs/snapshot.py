"""What has to be known of a large graph at once; the rest follows from it later.

In flow the columns that a walk took along (see `glassgrad.graphs.sweep`); out flows a `Snapshot`:
numbers, words and code, and no reference to anybody's values.  The slopes, the order, the edges,
the names and the findings follow from these alone, whatever becomes of the values; see
`glassgrad.graphs.derive`.  That is so only where a rule is arithmetic on numbers that nobody can
change: a snapshot is taken of nothing else.

Who is whose operand is kept as identities, which are numbers.  Importing this file imports NumPy.
"""

from __future__ import annotations

import cmath
import dis
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from operator import attrgetter
from types import CodeType, FunctionType, NoneType
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from glassgrad.graphs.adapters import Names
from glassgrad.graphs.adapters.closures import cells_of, contents
from glassgrad.graphs.adapters.dialect import is_operand, text
from glassgrad.graphs.adapters.held import held
from glassgrad.graphs.bench import CONSTANT, RESULT, is_plain
from glassgrad.graphs.standins import copied
from glassgrad.graphs.sweep import Sweep

Ids: TypeAlias = npt.NDArray[np.intp]
Mask: TypeAlias = npt.NDArray[np.bool_]

_T = TypeVar("_T")

_UNCHANGING: frozenset[type] = frozenset({float, int, bool, complex, str, NoneType})
_LIBRARIES = frozenset(map(id, (cmath, math, np)))  # whose attributes stay what they are
_NOTHING = id(None)
_MOST = 256  # codes of rules; a class has a dozen
_ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD", "STORE_ATTR")
_IDENTITY_IS_ADDRESS = sys.implementation.name == "cpython"


class Pieces(list[list[_T]]):
    """A column in pieces, as they came; to put them together would take time at once."""

    def whole(self) -> list[_T]:
        """Return the column."""
        return [*chain.from_iterable(self)]


class Rules(NamedTuple):
    """Results whose rules have one code, and keep as many different operands."""

    code: CodeType
    """The code."""

    world: dict[str, Any]
    """The globals that it mentions."""

    places: tuple[int, ...]
    """What each cell holds: the position of an operand, `RESULT` or `CONSTANT`."""

    rows: Ids
    """Which values these are, by their positions in the snapshot."""

    operands: tuple[Ids, ...]
    """The identities of their first operands, and of their second ones if they have two."""

    constants: Mapping[int, list[Any]]
    """By cell: the numbers and words that the rules took along."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A large graph as it was at one moment, value by value in no particular order."""

    owns: Ids
    """The identity of each value; the root is the first."""

    data: Pieces[Any]
    """What stood where each number should be."""

    grad: Pieces[Any]
    """What stood where each gradient should be."""

    op: Pieces[str]
    """What each called its operation."""

    label: Pieces[str]
    """What each called itself; nothing where the class has no such thing."""

    rules: list[Rules]
    """Those that were computed from others."""

    called: Mapping[int, str]
    """The variables that there were, by the identities of what they stood for."""

    names: Names
    """What the class calls the number and the gradient."""

    start: float
    """What gradients of the class hold before any backward."""

    def __len__(self) -> int:
        return len(self.owns)


def snapshot(sweep: Sweep, called: Mapping[int, str]) -> Snapshot | None:
    """Take a snapshot, if all that is to be known of a graph follows from one.

    Parameters
    ----------
    sweep : Sweep
        A walk over the graph that has begun.
    called : mapping of int to str
        The variables that there are, by the identities of what they stand for.

    Returns
    -------
    Snapshot or None
        None where more than numbers and words may be needed.
    """
    try:
        return _Taken(sweep).snapshot(called)
    except Exception:  # _UnusualError, and whatever looking at somebody's object may raise
        return None


class _UnusualError(Exception):
    """Something that only the values themselves can tell."""


class _Taken:
    """Takes along what a walk meets, and checks it column by column."""

    def __init__(self, sweep: Sweep) -> None:
        self._spelling, self._names = sweep.dialect.spelling, sweep.dialect.names
        self._kind: type = object
        self._values, self._inside = Pieces[Any](), Pieces[Any]()
        self._data, self._grad = Pieces[Any](), Pieces[Any]()
        self._op, self._label = Pieces[str](), Pieces[str]()
        columns: list[list[Ids]] = []
        own_label = attrgetter(self._spelling.label) if self._spelling.label else None
        for values, data, grad, op, first, second, code, inside in sweep.pieces:
            self._kind = type(values[0])
            self._see_to_numbers(data)
            self._see_to_numbers(grad)
            self._values.append(values)
            self._data.append(data)
            self._grad.append(grad)
            self._op.append(_words(op))
            self._inside.append(inside)
            if own_label is not None:
                self._label.append(_words([*map(own_label, values)]))
            columns.append([*map(identities, (values, first, second, code, inside))])
        self._owns, self._first, self._second, self._codes, self._held = map(
            np.concatenate, zip(*columns, strict=True)
        )
        self._turned = type(getattr(self._values[0][0], self._names.operands)) is set

    def snapshot(self, called: Mapping[int, str]) -> Snapshot:
        """Return the snapshot, or raise."""
        self._see_to_the_class()
        return Snapshot(
            self._owns, self._data, self._grad, self._op, self._label, [*self._rules()], called,
            self._names, self._spelling.start,
        )  # fmt: skip

    @cached_property
    def _whole(self) -> tuple[list[str], list[Any]]:
        """The operations, and what cells hold: nearly always not needed."""
        return self._op.whole(), self._inside.whole()

    def _see_to_the_class(self) -> None:
        """Raise unless its objects are what they hold, and can be copied."""
        s, root = self._spelling, self._values[0][0]
        if not {s.data, s.grad, s.op} <= held(root).keys():
            raise _UnusualError  # a property
        if self._kind.__name__ in {kind.__name__ for kind in _UNCHANGING}:
            raise _UnusualError  # then a number would be taken for a value of an older class
        copied(root)

    def _see_to_numbers(self, column: Sequence[object]) -> None:
        """Raise unless nobody can change what stands in place of numbers."""
        for kind in set[type](map(type, column)) - _UNCHANGING:
            is_number = issubclass(kind, np.number | np.bool_) and kind.__module__ == "numpy"
            if not is_number or kind.__name__ == self._kind.__name__:
                raise _UnusualError

    # -- rules ------------------------------------------------------------------------------------

    def _rules(self) -> Iterator[Rules]:
        """Yield the results, code by code."""
        results = np.flatnonzero(self._first != _NOTHING)
        leaves = len(self._first) - len(results)
        nameless = sum(op.count("") for op in self._op)
        if nameless != leaves and not all(map(self._whole[0].__getitem__, results.tolist())):
            raise _UnusualError  # the rule would have to be asked
        codes, left = self._codes, np.ones(len(results), np.bool_)
        widths = np.zeros(len(results), np.intp)
        found: list[Mask] = []
        while left.any():
            first = int(left.argmax())
            same = codes == codes[first]
            if len(found) >= _MOST:
                raise _UnusualError
            found.append(same)
            rule = getattr(self._value(results[first]), self._names.rule)
            widths[same] = len(rule.__closure__)
            left &= ~same
        cells = np.cumsum(widths) - widths
        for same in found:
            yield from self._of_one_code(results[same], cells[same])

    def _value(self, row: np.intp) -> Any:
        piece, place = divmod(int(row), len(self._values[0]))  # all are as long, but the last
        return self._values[piece][place]

    def _of_one_code(self, rows: Ids, cells: Ids) -> Iterator[Rules]:
        """Check those whose rules have one code; those that use an operand twice come apart."""
        sample = self._value(rows[0])
        rule = getattr(sample, self._names.rule)
        layout = self._layout(rule, sample)
        own = layout.index(RESULT)
        if not np.array_equal(self._held[cells + own], self._owns[rows]):
            raise _UnusualError
        below = [cell for cell, place in enumerate(layout) if place >= 0]
        below.sort(key=layout.__getitem__)
        x, y = (self._held[cells + cell] for cell in (below[0], below[-1]))
        a, b = self._first[rows], self._second[rows]
        alone = b == _NOTHING
        b = np.where(alone, a, b)
        usual = (x == a) & (y == b)
        if self._turned:
            usual |= (x == b) & (y == a)
        twice = (x == y) & (len(below) == 2)
        if not usual.all() or (alone[~twice] != (len(below) == 1)).any():
            raise _UnusualError
        if twice.any() and not {*below} <= {*cells_of(rule, self._kind).operands}:
            raise _UnusualError  # then it is not known that there are two uses
        code, world = rule.__code__, _world(rule)
        if twice.any():
            once = tuple(min(place, 0) for place in layout)  # an operand that is used twice
            parts: list[tuple[Any, tuple[int, ...]]] = [(twice, once), (~twice, layout)]
        else:
            parts = [(slice(None), layout)]  # which copies nothing
        for chosen, places in parts:
            some = rows[chosen]
            if len(some):
                constants = self._constants(rule, layout, cells[chosen], some)
                operands = (x[chosen], y[chosen])[: len(below)]
                yield Rules(code, world, places, some, operands, constants)

    def _layout(self, rule: FunctionType, value: object) -> tuple[int, ...]:
        """Return what each cell of a rule holds; raise unless the rule only computes."""
        taken, cells = contents(rule.__closure__ or ()), cells_of(rule, self._kind)
        (own,) = (cell for cell, item in enumerate(taken) if item is value)
        values = [cell for cell, item in enumerate(taken) if type(item) is self._kind]
        known = [cell for cell in cells.operands if cell in values and cell != own]
        others = [cell for cell in cells.rest if cell in values and cell != own]
        below = [*known, *others]  # as `Dialect.record` has it: the others come last
        if len(below) not in (1, 2) or len(others) > 1:
            raise _UnusualError
        places = [CONSTANT] * len(taken)
        places[own] = RESULT
        for place, cell in enumerate(below):
            places[cell] = place
        if not is_plain(rule, self._names) or not _only_computes(rule, self._names, places):
            raise _UnusualError
        return tuple(places)

    def _constants(
        self, rule: FunctionType, layout: Sequence[int], cells: Ids, rows: Ids
    ) -> dict[int, list[Any]]:
        """Return what rules took along besides values; raise where that is no number or word."""
        known = cells_of(rule, self._kind)
        found: dict[int, list[Any]] = {}
        for cell, place in enumerate(layout):
            if place == CONSTANT:
                op, inside = self._whole
                found[cell] = items = [inside[at] for at in (cells + cell).tolist()]
                self._see_to_numbers(items)
                if cell in known.operands:
                    wrapped = cell == known.wrapped
                    pairs = set(zip(items, map(op.__getitem__, rows.tolist()), strict=True))
                    if any(is_operand(item, word, wrapped) for item, word in pairs):
                        raise _UnusualError
        return found


def _words(column: list[Any]) -> list[str]:
    """Return what a class calls things as text."""
    return column if {*map(type, column)} == {str} else [*map(text, column)]


def _only_computes(rule: FunctionType, names: Names, places: Sequence[int]) -> bool:
    """Whether a plain rule asks values for numbers and gradients, and does nothing else with them.

    Then it does the same with any object that has these, also where it raises.
    """
    code, world = rule.__code__, _world(rule)
    own = (names.data, names.grad)
    values = {
        name for name, place in zip(code.co_freevars, places, strict=True) if place != CONSTANT
    }
    steps = _steps(code)
    for before, step, after in zip(steps, steps[1:], steps[2:], strict=False):
        owner = world.get(before.argval) if before.opname == "LOAD_GLOBAL" else None
        if step.opname in _ATTRIBUTES and step.argval not in own and id(owner) not in _LIBRARIES:
            return False
        if before.opname == "LOAD_DEREF" and before.argval in values:
            asked = after if step.opname == "COPY" else step  # x.grad += ... has x twice
            if asked.opname not in _ATTRIBUTES or asked.argval not in own:
                return False
    return True


def _world(rule: FunctionType) -> dict[str, Any]:
    """Return the globals that the code of a rule asks for; others may be anybody's values."""
    names = {step.argval for step in _steps(rule.__code__) if step.opname == "LOAD_GLOBAL"}
    return {name: rule.__globals__[name] for name in names & rule.__globals__.keys()}


@lru_cache(maxsize=_MOST)  # taking code apart takes longer than a hundred values do
def _steps(code: CodeType) -> tuple[dis.Instruction, ...]:
    return tuple(dis.get_instructions(code))


def identities(items: Sequence[object]) -> Ids:
    """Return the identity of each of many objects.

    Examples
    --------
    >>> items = [object(), object()]
    >>> identities(items).tolist() == [id(item) for item in items]
    True
    """
    if _IDENTITY_IS_ADDRESS:  # then an array of objects consists of them
        return np.frombuffer(np.fromiter(items, object, len(items)), np.intp).copy()
    return np.fromiter(map(id, items), np.intp, len(items))
