"""The extension: what ``%load_ext glassgrad`` adds to a shell, and ``%unload_ext`` takes away.

Two things: the ``%%autograd`` magic, and a picture for a `Value` at the end of a cell. Nothing else
of the shell is touched, and nothing at all before the user asks for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from glassgrad.engine.value import Value
from glassgrad.graphs.names import lookup
from glassgrad.graphs.read import read

if TYPE_CHECKING:
    from glassgrad.notebook.shell import Shell

Bundle = tuple[dict[str, Any], dict[str, Any]]


class ValueFormatter:
    """Makes the output of a cell that ends with a Value.

    Parameters
    ----------
    ip : Shell
        The shell it is registered with.
    """

    def __init__(self, ip: Shell) -> None:
        self._ip = ip
        self._shown: tuple[int, int] | None = None

    def __call__(self, value: Value) -> Bundle | None:
        """Return the widget's formats, or None where the text of the value is enough."""
        if self._shown == (id(value), self._ip.execution_count):
            self._shown = None
            return None
        if not has_front_end(self._ip):
            return None
        from glassgrad.notebook.widget import GraphWidget

        graph = read(value, lookup(self._ip.user_ns)).graph
        return GraphWidget(value, graph, weak=True)._repr_mimebundle_()

    def already_shown(self, value: object) -> None:
        """Note that the running cell has a picture of a value: its output is text, this once.

        Parameters
        ----------
        value : object
            The value that the cell is about to return; only its identity is kept.
        """
        self._shown = (id(value), self._ip.execution_count)


def has_front_end(ip: Shell) -> bool:
    """Tell whether a shell shows more than text: a notebook does, a terminal does not."""
    return "text/html" in ip.display_formatter.active_types


def load(ip: Shell) -> None:
    """Add the magic and the picture to a shell; a second time changes nothing.

    Parameters
    ----------
    ip : Shell
        The user's shell.
    """
    from glassgrad.notebook.magic import AutogradMagics

    if AutogradMagics.__name__ in ip.magics_manager.registry:
        return
    formatter = ValueFormatter(ip)
    ip.display_formatter.mimebundle_formatter.for_type(Value, formatter)
    ip.register_magics(AutogradMagics(ip, formatter))


def unload(ip: Shell) -> None:
    """Remove everything that `load` added.

    Parameters
    ----------
    ip : Shell
        The user's shell.
    """
    from glassgrad.notebook.magic import AutogradMagics

    ours = ip.magics_manager.registry.pop(AutogradMagics.__name__, None)
    for kind, names in AutogradMagics.magics.items():
        registered = ip.magics_manager.magics[kind]
        for name in names:
            if getattr(registered.get(name), "__self__", None) is ours:
                registered.pop(name, None)
    printers = ip.display_formatter.mimebundle_formatter
    if isinstance(printers.type_printers.get(Value), ValueFormatter):
        printers.pop(Value)
