"""Every object behind a root, in topological order, as its adapter describes it.

In flows the root; out flow objects, their `Record`s and their operands as ids.  Objects are known
by identity while they are held here, so that a class may define ``==`` and ``hash`` as it likes;
the walk keeps its own stack, so that no depth is too deep.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from operator import attrgetter
from typing import Any

from glassgrad.graphs import adapters
from glassgrad.graphs.adapters import Adapter, Record
from glassgrad.graphs.adapters.dialect import Dialect
from glassgrad.graphs.alike import Columns, alike
from glassgrad.graphs.rows import Rows

_OPEN = -1  # what stands for the id of a value whose operands are being walked


@dataclass(frozen=True, slots=True)
class Collected:
    """What stands behind a root; every list is indexed by id, in topological order."""

    objects: Sequence[object]
    """The objects; a plain number stands for itself."""

    records: Sequence[Record]
    """What the adapters said."""

    constants: set[int]
    """The ids of plain numbers."""

    operands: Sequence[tuple[int | None, ...]]
    """The ids of each one's operands, aligned with its record's; None where one closes a cycle."""

    cycles: list[tuple[int, ...]]
    """For each such None, the ids from a value over its operands back to itself."""

    def column(self, name: str) -> list[Any]:
        """Return what the records say about one thing, in the order of the ids."""
        if isinstance(self.records, Columns):
            return self.records.column(name)
        return [*map(attrgetter(name), self.records)]

    @property
    def kinds(self) -> set[type]:
        """The classes of the objects."""
        alike = isinstance(self.records, Columns)
        return {type(self.objects[-1])} if alike else {*map(type, self.objects)}

    @property
    def results(self) -> Sequence[int]:
        """For each value, whether it was computed from others."""
        if isinstance(self.records, Columns):
            return self.records.results
        return [bool(record.operands) for record in self.records]


def collect(root: object) -> Collected:
    """Collect everything that `root` was computed from.

    The order is that of a depth-first walk which visits operands in order and lists a value when
    it leaves it.  Where an operand leads back into its own result there is no such order: that
    link is reported and not followed.

    Examples
    --------
    >>> from glassgrad.engine.value import Value
    >>> a = Value(2.0)
    >>> collected = collect(a * 3 + a)
    >>> collected.objects[1], collected.operands
    (3.0, [(), (), (0, 1), (2, 0)])
    """
    found = alike(root)
    if found is None:
        return Walk().collected(root)
    operands = Rows(found.operands, range(len(found.objects)))
    return Collected(found.objects, found.records, set(), operands, [])


class Walk:
    """Meets objects, describes each once, and gives it an id when it leaves it."""

    def __init__(self) -> None:
        self.objects: list[object] = []
        self.records: list[Record] = []
        self.operands: list[tuple[int | None, ...]] = []
        self.constants: set[int] = set()
        self.places: dict[int, int] = {}
        self.adapters: dict[type, Adapter | None] = {}
        self.plain: set[type] = set()

    def collected(self, root: object) -> Collected:
        """Return everything behind a root."""
        places, describe = self.places, self.describe
        record = describe(root)
        places[id(root)] = _OPEN
        below: list[int | None] = []
        stack = [(root, record, iter(record.operands), below)]
        cycles: list[list[object]] = []
        while stack:
            item, record, remaining, below = stack[-1]
            for operand in remaining:
                place = places.get(id(operand))
                if place is None:
                    described = describe(operand)
                    if described.operands:
                        places[id(operand)] = _OPEN
                        stack.append((operand, described, iter(described.operands), []))
                        break
                    place = self._finish(operand, described, ())
                elif place == _OPEN:
                    cycles.append(_way_back(operand, [above[0] for above in stack]))
                    below.append(None)
                    continue
                below.append(place)
            else:
                stack.pop()
                place = self._finish(item, record, tuple(below))
                if stack:
                    stack[-1][3].append(place)
        ways = [tuple(places[id(item)] for item in cycle) for cycle in cycles]
        return Collected(self.objects, self.records, self.constants, self.operands, ways)

    def describe(self, item: object) -> Record:
        """Describe an object; what no adapter reads stands for itself."""
        kind = type(item)
        if kind not in self.adapters and not self._met(kind, item):
            return self._recorded(adapters.find(item), item)
        return self._recorded(self.adapters[kind], item)

    def _met(self, kind: type, item: object) -> bool:
        """Find the adapter of a class, once: that was a third of the time that reading takes."""
        if issubclass(kind, Real):
            self.plain.add(kind)
            self.adapters[kind] = None
            return True
        adapter = adapters.find(item)
        if isinstance(adapter, Dialect) and not adapter.is_complete:  # others may tell more
            return False
        self.adapters[kind] = adapter
        return True

    def _recorded(self, adapter: Adapter | None, item: object) -> Record:
        if adapter is None:
            return Record(data=item)
        try:
            return adapter.record(item)
        except Exception as error:  # whatever looking at somebody's object may raise
            return Record(remarks=(("unreadable", f"{type(error).__name__}: {error}"),))

    def _finish(self, item: object, record: Record, below: tuple[int | None, ...]) -> int:
        place = len(self.objects)
        self.objects.append(item)
        self.records.append(record)
        self.operands.append(below)
        if type(item) in self.plain:
            self.constants.add(place)  # each use of a number is a value of its own
        else:
            self.places[id(item)] = place
        return place


def _way_back(start: object, path: list[object]) -> list[object]:
    first = next(place for place, item in enumerate(path) if item is start)
    return [*path[first:], start]
