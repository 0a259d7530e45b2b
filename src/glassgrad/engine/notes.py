"""Notes on a Value: where it left the graph, or decided which way the program went.

``float(h)`` gives a plain number that no longer remembers what it was computed from, and
``if h > 0`` makes the graph one of several.  Both are common answers to "why is this gradient 0?",
so the place is noted when it happens, with the line of the user's code.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from glassgrad.engine.value import Value

_MOST = 16  # different places per Value; a loop at one place is one note


class Note(NamedTuple):
    """What happened to a Value, and where.

    Parameters
    ----------
    what : str
        ``"float"``, ``"int"`` or ``"bool"`` where it became a plain number or a condition;
        ``"compared"`` where it was compared.
    filename : str
        The file, or the notebook's name for the cell.
    line : int
        The line in it, from 1.
    """

    what: str
    filename: str
    line: int


def write(value: Value, what: str, depth: int = 2) -> None:
    """Note `what` on `value`, at the line that called the operator."""
    frame = sys._getframe(depth)
    notes: dict[Note, None] = value._more(make=True).setdefault("notes", {})
    if len(notes) < _MOST:
        notes[Note(what, frame.f_code.co_filename, frame.f_lineno)] = None


def notes(value: Value) -> tuple[Note, ...]:
    """Return the notes on `value`, the oldest first.

    Examples
    --------
    >>> from glassgrad.engine.value import Value
    >>> h = Value(0.5)
    >>> _ = float(h) * 2
    >>> [note.what for note in notes(h)]
    ['float']
    """
    return tuple(value._more().get("notes", ()))
