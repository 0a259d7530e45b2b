"""Which cell left which gradients: a re-run is told from left-overs, and those are told whose.

In flow values after a cell; out flows, for a gradient that is found later or for a part of it, the
cell that left it. Values are known weakly: nothing here keeps a graph alive.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from glassgrad.engine.memory import pause_gc
from glassgrad.graphs.collect import collect
from glassgrad.graphs.leftover import surplus
from glassgrad.graphs.model import Graph
from glassgrad.graphs.recognise import agree
from glassgrad.graphs.scalar import scalar
from glassgrad.notebook.values import gradient, holds_gradient

REMEMBERED = 8
"""So many gradients of one value are remembered, the latest."""

MOST_TRACED = 1_000
"""In larger graphs left-overs are not traced to their cells; nor are they drawn."""

MOST = 20_000
"""Of larger graphs no note is taken: their gradients count as left by somebody else."""


class Cell(NamedTuple):
    """A cell of the notebook."""

    key: str
    """The front end's name for it, or its text where it has none; a re-run has the same."""

    number: int
    """n in ``In[n]``."""


class _Entry(NamedTuple):
    grad: object
    cell: Cell


class _Known(NamedTuple):
    item: weakref.ref[object]
    entries: list[_Entry]


@dataclass
class Ledger:
    """The gradients that cells left, by the values that hold them.

    Examples
    --------
    >>> import glassgrad as gg
    >>> ledger, a = Ledger(), gg.Value(2.0)
    >>> (a * a).backward()
    >>> ledger.note([a], Cell("one", 3))
    >>> ledger.left_by(a), ledger.left_by(gg.Value(1.0))
    (Cell(key='one', number=3), None)
    """

    _left: dict[int, _Known] = field(default_factory=dict)

    def note(self, values: Iterable[object], cell: Cell, *, changed: bool = False) -> None:
        """Take note of what a cell left in these values.

        Parameters
        ----------
        values : iterable of object
            Values of any class.
        cell : Cell
            The cell that has run.
        changed : bool, optional
            Whether only those count whose gradient is another one than was noted last.
        """
        self._left = {key: known for key, known in self._left.items() if known.item() is not None}
        listed = list(values)
        for value in listed if len(listed) <= MOST else ():
            entries, held = self._entries(value), gradient(value)
            last = entries[-1].grad if entries else None
            if changed and (held == last if entries else not holds_gradient(value)):
                continue
            try:
                reference = weakref.ref(value)
            except TypeError:  # a plain number, or a class without weak references
                continue
            news = [*entries, _Entry(held, cell)][-REMEMBERED:]
            self._left[id(value)] = _Known(reference, news)

    def left_by(self, value: object) -> Cell | None:
        """Return the cell that left the gradient which a value holds now, if that is known."""
        entries = self._entries(value)
        return entries[-1].cell if entries and entries[-1].grad == gradient(value) else None

    def source_of(self, value: object, amount: float) -> Cell | None:
        """Return the last cell that left so much in a value, or added it, if that is known.

        Examples
        --------
        >>> import glassgrad as gg
        >>> ledger, a = Ledger(), gg.Value(2.0)
        >>> for number in (3, 4):
        ...     (a * number).backward()
        ...     ledger.note([a], Cell("", number))
        >>> [ledger.source_of(a, amount) for amount in (3.0, 4.0, 1.0)]
        [Cell(key='', number=3), Cell(key='', number=4), None]
        """
        entries = self._entries(value)
        grads = [scalar(entry.grad)[0] for entry in entries]
        for entry, now, before in reversed(list(zip(entries, grads, [0.0, *grads], strict=False))):
            if agree(now, amount) or agree(now - before, amount):
                return entry.cell
        return None

    def _entries(self, value: object) -> list[_Entry]:
        known = self._left.get(id(value))
        return known.entries if known is not None and known.item() is value else []


LEDGER = Ledger()
"""That of the session."""


def sources(graph: Graph, root: object) -> dict[int, int]:
    """Return, by node, the number of the cell that left what this graph does not account for.

    Parameters
    ----------
    graph : Graph
        What was read from the root.
    root : object
        A Value of any class.
    """
    more = surplus(graph)
    if not more or len(graph) > MOST_TRACED:
        return {}
    with pause_gc():
        objects = collect(root).objects
    found = {node: LEDGER.source_of(objects[node], more[node]) for node in more}
    return {node: cell.number for node, cell in found.items() if cell is not None}
