"""The extension: what ``%load_ext glassgrad`` adds to a shell, and ``%unload_ext`` takes away.

Three things: the ``%%autograd`` magic, a picture for a `Value` at the end of a cell, and after each
cell a look at the pictures that are there. Nothing else of the shell is touched, and nothing at all
before the user asks for it.
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
    """Add the magics, their completion, and the picture to a shell; a second time changes nothing.

    Parameters
    ----------
    ip : Shell
        The user's shell.
    """
    from glassgrad.notebook.completion import completer
    from glassgrad.notebook.magic import AutogradMagics
    from glassgrad.notebook.session import AfterCell
    from glassgrad.notebook.twins import is_readable
    from glassgrad.notebook.waiting import Waiting

    if AutogradMagics.__name__ in ip.magics_manager.registry:
        return
    formatter = ValueFormatter(ip)
    ip.display_formatter.mimebundle_formatter.for_type(Value, formatter)
    magics = AutogradMagics(ip, formatter)
    ip.register_magics(magics)
    AfterCell.register(ip)

    def is_ours() -> bool:
        return getattr(ip.find_cell_magic("autograd"), "__self__", None) is magics

    ip.input_transformers_cleanup.append(Waiting(ip, is_ours))
    if ip.Completer is not None:
        ip.Completer.custom_matchers.append(completer(is_readable, ip.user_ns))


def unload(ip: Shell) -> None:
    """Remove everything that `load` added.

    Parameters
    ----------
    ip : Shell
        The user's shell.
    """
    from glassgrad.notebook.magic import AutogradMagics
    from glassgrad.notebook.session import AfterCell
    from glassgrad.notebook.waiting import Waiting

    AfterCell.unregister(ip)
    ours = ip.magics_manager.registry.pop(AutogradMagics.__name__, None)
    for kind, names in AutogradMagics.magics.items():
        registered = ip.magics_manager.magics[kind]
        for name in names:
            if getattr(registered.get(name), "__self__", None) is ours:
                registered.pop(name, None)
    printers = ip.display_formatter.mimebundle_formatter
    if isinstance(printers.type_printers.get(Value), ValueFormatter):
        printers.pop(Value)
    ip.input_transformers_cleanup[:] = [
        item for item in ip.input_transformers_cleanup if not isinstance(item, Waiting)
    ]
    if ip.Completer is not None:
        ip.Completer.custom_matchers[:] = [
            matcher
            for matcher in ip.Completer.custom_matchers
            if getattr(matcher, "__module__", "") != "glassgrad.notebook.completion"
        ]
