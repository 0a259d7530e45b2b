"""Where a group reads when there is no table: from the results of some earlier groups.

JAX and PyTorch do not overwrite arrays.  There every group's results are an array of their own, a
piece, and a group joins only those pieces that it reads.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from glassgrad.engine.replay.recording import Cells
from glassgrad.engine.replay.schedule import Schedule


@dataclass(frozen=True, eq=False)
class Source:
    """What to join, and what to take from it.

    Parameters
    ----------
    pieces : tuple of int
        The pieces: 0 are the inputs, 1 the parameters, 2 the fixed numbers, then come the groups.
    positions : array of int
        Positions in the joined pieces, in the shape in which they are read.
    """

    pieces: tuple[int, ...]
    positions: Cells

    @property
    def whole(self) -> slice | None:
        """The positions as a slice, if they are one and stand in one row."""
        flat = self.positions.ravel()
        first = int(flat[0])
        if np.array_equal(self.positions, np.arange(first, first + len(flat))):
            return slice(first, first + len(flat))
        return None


class Pieces:
    """The pieces of a Schedule.

    Examples
    --------
    >>> from glassgrad.engine.replay.recording import record
    >>> from glassgrad.engine.replay.schedule import plan, schedule
    >>> from glassgrad.engine.value import Value
    >>> a = Value(2.0)
    >>> pieces = Pieces(schedule(plan(record(a.tanh() * a.exp(), [a]))))
    >>> pieces.source(np.array([2, 3])).pieces, pieces.source(np.array([0, 3])).pieces
    ((3, 4), (0, 4))
    """

    def __init__(self, schedule: Schedule) -> None:
        given = schedule.inputs + schedule.parameters
        starts = [0, schedule.inputs, given, *[group.start for group in schedule.groups]]
        self._starts = np.array(starts, np.intp)
        self._lengths = np.diff([*starts, schedule.size])

    def source(self, cells: Cells) -> Source:
        """Return where to read `cells`."""
        piece = np.searchsorted(self._starts, cells, side="right") - 1
        used = np.unique(piece)
        first = np.zeros(len(self._starts), np.intp)  # where each piece begins when joined
        first[used] = np.cumsum(self._lengths[used]) - self._lengths[used]
        return Source(tuple(used.tolist()), cells - self._starts[piece] + first[piece])
