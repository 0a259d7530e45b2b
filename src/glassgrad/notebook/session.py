"""All pictures of the session, brought up to date after every cell.

In flow the widgets as they are made; out flow changed numbers, in place. Nothing is kept alive
here, and nothing that goes wrong here reaches the user's cell.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from glassgrad.engine.value import Value
from glassgrad.notebook.ledger import LEDGER, Cell
from glassgrad.notebook.values import sentence

if TYPE_CHECKING:
    from glassgrad.notebook.shell import Shell
    from glassgrad.notebook.widget import GraphWidget

WIDGETS: weakref.WeakSet[GraphWidget] = weakref.WeakSet()
"""Every widget that has not been closed."""


class AfterCell:
    """What a shell calls after each cell.

    Parameters
    ----------
    ip : Shell
        The shell it is registered with.
    """

    EVENT = "post_run_cell"

    def __init__(self, ip: Shell) -> None:
        self._ip = ip

    def __call__(self, result: object = None) -> None:
        """Note whose gradients the cell changed, and show it."""
        number = getattr(result, "execution_count", None)
        cell = Cell(f"In[{number}]", number) if number else None
        variables = list(self._ip.user_ns.values())
        if cell is not None:
            LEDGER.note((v for v in variables if isinstance(v, Value)), cell, changed=True)
        for widget in list(WIDGETS):
            try:
                if cell is not None:
                    LEDGER.note(widget.watched(), cell, changed=True)
                widget.refresh_if_changed(self._ip.user_ns)
            except Exception as error:
                widget.error = sentence("Reading this graph again", error)

    @classmethod
    def register(cls, ip: Shell) -> None:
        """Have a shell call this after each cell."""
        ip.events.register(cls.EVENT, cls(ip))

    @classmethod
    def unregister(cls, ip: Shell) -> None:
        """Have a shell forget it."""
        for callback in list(ip.events.callbacks[cls.EVENT]):
            if isinstance(callback, cls):
                ip.events.unregister(cls.EVENT, callback)
