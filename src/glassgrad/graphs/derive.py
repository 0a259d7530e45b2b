"""A graph from its snapshot: what follows from the facts, found when somebody asks for it.

In flows a `Snapshot`, which holds no reference to anybody's values; out flows the `Graph` that
would have been read from them at that moment.  The order is found on integers, and the usual value
by whole columns, as in any large graph.  Where a value has to be looked at alone there is a *twin*
of it: an object with the same two numbers, and with the same code as its rule.  Because a snapshot
is only taken of rules that are arithmetic on numbers, a twin's rule does what the value's did.

Importing this file imports NumPy.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from threading import RLock
from types import CellType, FunctionType
from typing import overload

import numpy as np

from glassgrad.graphs.adapters import Names, Record
from glassgrad.graphs.adapters.native import pause_gc
from glassgrad.graphs.alike import Alike, Columns
from glassgrad.graphs.assemble import assemble
from glassgrad.graphs.bench import CONSTANT, RESULT
from glassgrad.graphs.collect import Collected, Walk
from glassgrad.graphs.model import Graph
from glassgrad.graphs.names import Lookup
from glassgrad.graphs.rows import Rows as Made
from glassgrad.graphs.snapshot import Ids, Mask, Rules, Snapshot


class Derivation:
    """What a graph that nobody has looked at yet holds: its snapshot, and the way to the rest.

    Parameters
    ----------
    snapshot : Snapshot
        The facts.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._lock = RLock()
        self._graph: Graph | None = None

    def __len__(self) -> int:
        return len(self._snapshot)

    def derived(self) -> Graph:
        """Return the graph; it is derived once, whoever asks first."""
        with self._lock:
            if self._graph is None:
                with pause_gc():
                    self._graph = derive(self._snapshot)
            return self._graph


def derive(snapshot: Snapshot) -> Graph:
    """Return the graph that a snapshot was taken of."""
    row_of = _Rows(snapshot.owns)
    first, second = np.full(len(snapshot), -1), np.full(len(snapshot), -1)
    for rules in snapshot.rules:
        first[rules.rows], second[rules.rows] = map(row_of, (rules.operands[0], rules.operands[-1]))
    order = np.array(_ordered(first.tolist(), second.tolist()))
    ids = np.empty(len(order), np.intp)
    ids[order] = np.arange(len(order))
    results = first >= 0
    cyclic = (np.maximum(ids[first], ids[second]) >= ids)[results].any()
    if cyclic:  # then there is no such order, and the general walk says where it ends
        order = ids = np.arange(len(order))
    twins = _Twins(snapshot, order)
    groups = [
        _group(twins, rules, ids, [ids[column[rules.rows]] for column in (first, second)])
        for rules in snapshot.rules
    ]
    records = _columns(snapshot, order, results, groups, twins)
    named = row_of.named(snapshot.called)
    names = _Known({int(ids[row]): name for row, name in named.items()}, twins)
    if cyclic:
        collected = _TwinWalk(records, twins).collected(twins[0])
    else:
        operands = Made(records.operands, range(len(order)))
        collected = Collected(twins, records, set(), operands, [])
    return assemble(collected, names)


class _Rows:
    """Tells which row of a snapshot has an identity."""

    def __init__(self, owns: Ids) -> None:
        self._order = np.argsort(owns)
        self._sorted = owns[self._order]

    def __call__(self, identities: Ids) -> Ids:
        found: Ids = self._order[np.searchsorted(self._sorted, identities)]
        return found

    def named(self, called: Mapping[int, str]) -> dict[int, str]:
        """Return the names of rows."""
        if not called:
            return {}
        identities = np.array([*called])
        places = np.minimum(np.searchsorted(self._sorted, identities), len(self._sorted) - 1)
        here = self._sorted[places] == identities
        rows = self._order[places[here]].tolist()
        return dict(zip(rows, compress(called.values(), here), strict=True))


def _ordered(first: Sequence[int], second: Sequence[int]) -> list[int]:
    """Return rows depth first, the first operand before the second, each after its operands.

    Where operands form a cycle the order is none.

    Examples
    --------
    >>> _ordered([1, -1, 3, -1], [2, -1, 1, -1])
    [1, 3, 2, 0]
    """
    order: list[int] = []
    met = bytearray(len(first))
    waiting: list[int] = []
    put, take, done = waiting.append, waiting.pop, order.append
    row = 0
    while True:  # row was not met before
        met[row] = 1
        x, y = first[row], second[row]
        if x < 0:
            done(row)
        elif not met[x]:
            put(~row)
            if not met[y]:
                put(y)
            row = x
            continue
        elif not met[y]:
            put(~row)
            row = y
            continue
        else:
            done(row)
        while waiting:
            row = take()
            if row < 0:  # its operands are done
                done(~row)
            elif not met[row]:
                break
        else:
            return order


def _columns(
    snapshot: Snapshot,
    order: Ids,
    results: Mask,
    groups: Sequence[Alike],
    twins: _Twins,
) -> Columns:
    rows = order.tolist()
    label = snapshot.label.whole() or [""] * len(rows)
    columns = {
        "op": [*map(snapshot.op.whole().__getitem__, rows)],
        "data": twins.data,
        "grad": twins.grad,
        "label": [*map(label.__getitem__, rows)],
    }
    return Columns(
        columns, bytearray(results[order].tobytes()), twins,
        groups=groups, odd={}, names=snapshot.names, start=snapshot.start,
    )  # fmt: skip


def _group(twins: _Twins, rules: Rules, ids: Ids, operands: Sequence[Ids]) -> Alike:
    """Return the values of one code, in the order of their ids."""
    own = ids[rules.rows]
    order = np.argsort(own)
    columns = tuple(_integers(column[order]) for column in operands[: len(rules.operands)])
    places = order.tolist()
    constants = {cell: [*map(items.__getitem__, places)] for cell, items in rules.constants.items()}
    found = _integers(own[order])
    return Alike(found, columns, _TwinRules(rules, twins, found, columns, constants))


def _integers(column: Ids) -> Sequence[int]:
    """Return a column of which the items are Python's integers, and which NumPy reads at once."""
    found = array("q")
    found.frombytes(column.astype(np.int64).tobytes())
    return found


# -- twins ----------------------------------------------------------------------------------------


class _Twin:
    """An object with the numbers of a value; its attributes have the names that its class uses."""


class _Twins(Sequence[object]):
    """Twins of the values of a snapshot in some order, each made when it is asked for."""

    def __init__(self, snapshot: Snapshot, order: Ids) -> None:
        rows = order.tolist()
        self.data = [*map(snapshot.data.whole().__getitem__, rows)]
        self.grad = [*map(snapshot.grad.whole().__getitem__, rows)]
        self._names: Names = snapshot.names
        self._made: dict[int, _Twin] = {}
        self._ids: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self.data)

    @overload
    def __getitem__(self, index: int) -> object: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[object]: ...
    def __getitem__(self, index: int | slice) -> object:
        if isinstance(index, slice):
            return [self[id] for id in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        twin = self._made.get(place)
        if twin is None:
            twin = self._made[place] = _Twin()
            vars(twin).update(
                {self._names.data: self.data[place], self._names.grad: self.grad[place]}
            )
            self._ids[id(twin)] = place
        return twin

    def place(self, twin: object) -> int:
        """Return where a twin stands."""
        return self._ids[id(twin)]


@dataclass(frozen=True, slots=True)
class _TwinRules(Sequence[FunctionType]):
    """The rules of values of one code, bound to their twins; each made when it is asked for."""

    rules: Rules
    """The code, its globals, and what each of its cells holds."""

    twins: Sequence[object]
    """The twins."""

    ids: Sequence[int]
    """Which values have these rules."""

    operands: Sequence[Sequence[int]]
    """The ids of the operands."""

    constants: Mapping[int, Sequence[object]]
    """By cell: the numbers and words that they took along."""

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, index: int) -> FunctionType: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[FunctionType]: ...
    def __getitem__(self, index: int | slice) -> FunctionType | Sequence[FunctionType]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        code, world, places = self.rules.code, self.rules.world, self.rules.places
        cells = (self._content(cell, place, index) for cell, place in enumerate(places))
        return FunctionType(code, world, "rule", None, tuple(map(CellType, cells)))

    def _content(self, cell: int, place: int, index: int) -> object:
        if place == CONSTANT:
            return self.constants[cell][index]
        return self.twins[(self.ids if place == RESULT else self.operands[place])[index]]

    def inside(self, cell: int) -> Sequence[object]:
        """Return what a cell that holds no value holds in each of them."""
        return self.constants[cell]

    def chosen(self, which: Sequence[object]) -> _TwinRules:
        """Return those of them for which something holds."""
        return _TwinRules(
            self.rules,
            self.twins,
            [*compress(self.ids, which)],
            [[*compress(column, which)] for column in self.operands],
            {cell: [*compress(items, which)] for cell, items in self.constants.items()},
        )


class _Known(Lookup):
    """Tells the names that values had."""

    def __init__(self, names: Mapping[int, str], twins: _Twins) -> None:
        super().__init__({})
        self._names_by_id = names
        self.by_identity = {id(twins[place]): name for place, name in names.items()}

    def all(self, items: Sequence[object]) -> list[str]:
        """Return the name of each of many values."""
        if not isinstance(items, _Twins):
            return super().all(items)
        names = [""] * len(items)
        for place, name in self._names_by_id.items():
            names[place] = name
        return names


class _TwinWalk(Walk):
    """Walks over twins."""

    def __init__(self, records: Columns, twins: _Twins) -> None:
        super().__init__()
        self._known, self._twins = records, twins

    def describe(self, item: object) -> Record:
        """Describe a twin."""
        return self._known[self._twins.place(item)]
