"""One panel per cell: a cell that is run again replaces the picture that it showed before."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from glassgrad.notebook.ledger import Cell
from glassgrad.notebook.widget import GraphWidget

if TYPE_CHECKING:
    from glassgrad.notebook.shell import Shell


@dataclass
class Panels:
    """The widgets that are shown, by cell; whoever shows them keeps them, this does not."""

    _shown: weakref.WeakValueDictionary[str, GraphWidget] = field(
        default_factory=weakref.WeakValueDictionary
    )

    def replace(self, cell: Cell, widget: GraphWidget) -> None:
        """Show a widget for a cell, and close the one from before."""
        before = self._shown.pop(cell.key, None)
        if before is not None:
            before.close()
        self._shown[cell.key] = widget


def cell_of(ip: Shell, text: str, number: int) -> Cell:
    """Return the running cell: by its id where the front end tells, else by its text.

    Parameters
    ----------
    ip : Shell
        The user's shell.
    text : str
        The text of the cell.
    number : int
        n in ``In[n]``.
    """
    ask: Callable[[], Any] = getattr(ip, "get_parent", dict)  # a kernel's shell has it
    parent = ask()
    metadata = parent.get("metadata", {}) if isinstance(parent, dict) else {}
    return Cell(str(metadata.get("cellId") or text), number)
