"""Which cell left which gradients, so that a re-run is told from somebody else's left-overs.

In flow the values of a picture after its cell; out flows, for a gradient that is found later, the
cell that left it. Values are known weakly: nothing here keeps a graph alive.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from glassgrad.notebook.values import gradient

MOST = 20_000
"""Of larger graphs no note is taken: their gradients count as left by somebody else."""


class Cell(NamedTuple):
    """A cell of the notebook."""

    key: str
    """The front end's name for it, or its text where it has none; a re-run has the same."""

    number: int
    """n in ``In[n]``."""


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

    _left: dict[int, tuple[weakref.ref[object], object, Cell]] = field(default_factory=dict)

    def note(self, values: Iterable[object], cell: Cell) -> None:
        """Take note of what a cell left in these values."""
        self._left = {key: known for key, known in self._left.items() if known[0]() is not None}
        listed = list(values)
        for value in listed if len(listed) <= MOST else ():
            try:
                self._left[id(value)] = (weakref.ref(value), gradient(value), cell)
            except TypeError:  # a plain number, or a class without weak references
                continue

    def left_by(self, value: object) -> Cell | None:
        """Return the cell that left the gradient which a value holds now, if that is known."""
        known = self._left.get(id(value))
        is_same = known is not None and known[0]() is value and known[1] == gradient(value)
        return known[2] if known is not None and is_same else None
