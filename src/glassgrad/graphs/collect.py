"""Every object behind a root, in topological order, as its adapter describes it.

In flows the root; out flow objects, their `Record`s and their operands as ids.  Objects are known
by identity while they are held here, so that a class may define ``==`` and ``hash`` as it likes.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real

from glassgrad.graphs import adapters
from glassgrad.graphs.adapters import Adapter, Record
from glassgrad.graphs.order import post_order


@dataclass(frozen=True, slots=True)
class Collected:
    """What stands behind a root; every list is indexed by id, in topological order."""

    objects: list[object]
    """The objects; a plain number stands for itself."""

    records: list[Record]
    """What the adapters said."""

    constants: set[int]
    """The ids of plain numbers."""

    operands: list[tuple[int | None, ...]]
    """The ids of each one's operands, aligned with its record's; None where one closes a cycle."""

    cycles: list[tuple[int, ...]]
    """For each such None, the ids from a value over its operands back to itself."""


def collect(root: object) -> Collected:
    """Collect everything that `root` was computed from.

    Examples
    --------
    >>> from glassgrad.engine.value import Value
    >>> a = Value(2.0)
    >>> collected = collect(a * 3 + a)
    >>> collected.objects[1], collected.operands
    (3.0, [(), (), (0, 1), (2, 0)])
    """
    walk = _Walk()
    keys, cycles = post_order(walk.key(root), walk.operands)
    ids = {key: id for id, key in enumerate(keys)}
    return Collected(
        objects=[walk.objects[key] for key in keys],
        records=[walk.records[key] for key in keys],
        constants={ids[key] for key in walk.constants},
        operands=[
            # an operand that comes after its own result closes a cycle
            tuple(below if below < id else None for below in map(ids.__getitem__, walk.links[key]))
            for id, key in enumerate(keys)
        ],
        cycles=[tuple(ids[key] for key in cycle) for cycle in cycles],
    )


class _Walk:
    """Meets objects, and gives each a key: its identity, or a fresh one for a plain number."""

    def __init__(self) -> None:
        self.objects: dict[int, object] = {}
        self.records: dict[int, Record] = {}
        self.constants: set[int] = set()
        self.links: dict[int, list[int]] = {}
        # asked once for each class: that is a third of the time that reading takes
        self._adapters: dict[type, Adapter | None] = {}
        self._plain: dict[type, bool] = {}

    def key(self, item: object) -> int:
        """Return the key of an object, and hold the object so that the key stays its own."""
        key, kind = id(item), type(item)
        if kind not in self._plain:
            self._plain[kind] = isinstance(item, Real)
        if self._plain[kind]:  # each use of a number is a node of its own; identities are positive
            key = -1 - len(self.constants)
            self.constants.add(key)
        self.objects[key] = item
        return key

    def operands(self, key: int) -> list[int]:
        """Describe an object, and return the keys of its operands."""
        item = self.objects[key]
        adapter = None if key in self.constants else self._adapter(item)
        # what no adapter reads stands for itself; `scalar` will say what it is
        record = adapter.record(item) if adapter else Record("", "", item, None, ())
        self.records[key] = record
        self.links[key] = [self.key(operand) for operand in record.operands]
        return self.links[key]

    def _adapter(self, item: object) -> Adapter | None:
        kind = type(item)
        if kind not in self._adapters:
            self._adapters[kind] = adapters.find(item)
        return self._adapters[kind]
