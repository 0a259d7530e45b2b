"""A Value of any class in, its live picture out.

The widget reads the object once into a `Graph`, and sends the front end structure and numbers
apart, so that a pressed button costs only the numbers. It is the only place that keeps the user's
object, for the sake of the buttons, and `close` lets go of it.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from glassgrad.graphs.model import Graph
from glassgrad.graphs.names import callers_names, lookup
from glassgrad.graphs.read import read
from glassgrad.notebook import wire
from glassgrad.notebook.by_hand import ByHand
from glassgrad.notebook.code import Code
from glassgrad.notebook.commands import MODES, Desk, understood
from glassgrad.notebook.still import still_pictures

STATIC = Path(__file__).parent.parent / "static"

GONE = "This Value is gone: its variable was deleted or used again. Run the cell again."


def _front_end(name: str) -> str | Path:
    """Return a file of the front end: its text, or for a developer its path, to be watched.

    A path on the class would keep every widget alive for good.
    """
    path = STATIC / name
    if os.environ.get("ANYWIDGET_HMR") == "1":
        return path
    if not path.exists():
        raise FileNotFoundError(
            f"glassgrad's front end ({name}) is not built; in a checkout, run: npm run build"
        )
    return path.read_text(encoding="utf-8")


class GraphWidget(anywidget.AnyWidget):
    """The live picture of a computation.

    Parameters
    ----------
    root : object
        A Value: ours, or of any class that ``gg.graph`` reads.
    graph : Graph, optional
        What was read from it already.
    code : Code, optional
        The cell to show beside the picture.
    weak : bool
        Whether somebody else keeps the root, and the widget need not.
    **options
        Traits: ``height`` (pixels, 0 = automatic), ``mode`` (``""``, ``"by hand"``, ``"order"`` or
        ``"paths"``), ``precision`` (significant digits), ``rankdir`` (``"LR"`` or ``"TB"``),
        ``theme`` (``"auto"``, ``"light"`` or ``"dark"``), ``step``, ``selected``, ``playing``,
        ``speed``, ``layout``.

    Raises
    ------
    TypeError
        If the root has no graph.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a = gg.Value(3.0)
    >>> widget = gg.show(a * a, rankdir="TB")
    >>> widget.graph["total"], widget.rankdir
    (2, 'TB')
    >>> widget.close()
    """

    _esm = _front_end("index.js")
    _css = _front_end("theme.css")

    graph = traitlets.Dict(help="Structure: nodes, edges, rules and code.").tag(sync=True)
    numbers = traitlets.Dict(help="Data, gradients and slopes.").tag(sync=True)
    step = traitlets.Int(-1, min=-1, help="Position on the tape; -1 is none.").tag(sync=True)
    selected = traitlets.Int(-1, min=-1, help="Id of the selected node; -1 is none.").tag(sync=True)
    playing = traitlets.Bool(False, help="Whether the stepper is playing.").tag(sync=True)
    speed = traitlets.Float(1.0, min=0.1, max=10.0, help="Of playing; 1 is usual.").tag(sync=True)
    mode = traitlets.Enum(MODES, "", help="What is done with the picture.").tag(sync=True)
    progress = traitlets.Dict(help="Where each mode stands, by name.").tag(sync=True)
    nudged = traitlets.Dict(help="What other numbers at some leaves lead to.").tag(sync=True)
    attempts: traitlets.List[Any] = traitlets.List(help="Answers of the quiz.").tag(sync=True)
    rankdir = traitlets.Enum(("LR", "TB"), "LR", help="Direction of the graph.").tag(sync=True)
    precision = traitlets.Int(4, min=1, max=17, help="Significant digits.").tag(sync=True)
    theme = traitlets.Enum(("auto", "light", "dark"), "auto", help="Colours.").tag(sync=True)
    height = traitlets.Int(0, min=0, help="Height in pixels; 0 is automatic.").tag(sync=True)
    error = traitlets.Unicode("", help="A sentence to show, or nothing.").tag(sync=True)

    def __init__(
        self,
        root: object,
        graph: Graph | None = None,
        code: Code | None = None,
        *,
        weak: bool = False,
        **options: Any,
    ) -> None:
        self._root = _hold(root, weak)
        self._code = code
        self._hand = ByHand()
        self._read = graph or read(root, lookup(callers_names())).graph
        self._pictures: tuple[Graph, str, dict[str, str]] | None = None
        super().__init__(**wire.encode(self._read, code=code), **options)
        self.on_msg(self._on_message)

    def refresh(self) -> None:
        """Read the object again and show what changed.

        Examples
        --------
        >>> import glassgrad as gg
        >>> a = gg.Value(3.0)
        >>> b = a * a
        >>> widget = gg.show(b)
        >>> b.backward()
        >>> widget.refresh()
        >>> widget.numbers["grad"]
        [6.0, 1.0]
        >>> widget.close()
        """
        root = self._root()
        if root is None:
            self.error = GONE
            return
        self._read = _with_names_of(self._read, read(root).graph)
        parts = wire.encode(self._read, code=self._code)
        with self.hold_sync():  # an equal part is not sent again
            self.graph = parts["graph"]
            self.numbers = parts["numbers"]

    def close(self) -> None:
        """Take the widget out of the page and let go of the user's object."""
        self._root = _hold(None, False)
        self._hand.forget()
        super().close()

    @traitlets.observe("progress")
    def _tell_attempts(self, _change: object) -> None:
        quiz = self.progress.get("predict")
        if isinstance(quiz, dict):
            self.attempts = list(quiz.get("attempts", []))

    @traitlets.observe("mode")
    def _begin_anew(self, _change: object) -> None:
        self._hand.forget()

    def _on_message(self, _widget: object, content: object, _buffers: object) -> None:
        found = understood(content)
        root = self._root()
        if isinstance(found, str) or root is None:
            self.error = found if isinstance(found, str) else GONE
            return
        command, fields = found
        desk = Desk(root, self._read, self._hand)
        with self.hold_sync():
            self.error = command.run(desk, **fields)
            for name, value in desk.traits.items():
                self.set_trait(name, value)
            if not command.reads:
                return
            self.refresh()
            if self.mode == "by hand":
                self.progress = {**self.progress, self.mode: self._hand.moves}
            else:
                self._hand.forget()

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the live view, with a picture and a text for where nothing can be live."""
        bundle = super()._repr_mimebundle_(**options)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle or {}, {})
        return {**data, **self._static()}, metadata

    def _static(self) -> dict[str, str]:
        """Return the still pictures of what was read last; they are drawn when first asked for."""
        if self._pictures is None or self._pictures[:2] != (self._read, self.rankdir):
            pictures = still_pictures(self._read, self.rankdir)
            self._pictures = (self._read, self.rankdir, pictures)
        return self._pictures[2]


def show(obj: object, **options: Any) -> GraphWidget:
    """Draw the computation behind a Value.

    Parameters
    ----------
    obj : object
        A Value: ours, or of a class somebody wrote.
    **options
        ``height`` (pixels, 0 = automatic), ``mode`` (``""``, ``"by hand"``, ``"order"`` or
        ``"paths"``), ``precision`` (significant digits, 1 to 17), ``rankdir`` (``"LR"`` or
        ``"TB"``), ``theme`` (``"auto"``, ``"light"`` or ``"dark"``).

    Returns
    -------
    GraphWidget
        A widget: display it, lay it out, observe it, link it.

    Raises
    ------
    TypeError
        If `obj` has no graph, or an option is unknown.

    Examples
    --------
    >>> import glassgrad as gg
    >>> gg.show(None)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    TypeError: None has no graph: ...
    >>> gg.show(gg.Value(3.0), colour="red")
    Traceback (most recent call last):
    ...
    TypeError: show() has no option colour. It knows height, mode, precision, rankdir, theme.
    """
    return GraphWidget(obj, **checked(options))


OPTIONS = frozenset({"height", "mode", "precision", "rankdir", "theme"})
"""The options of `show`."""


def checked(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of `show`, or say which one it does not know.

    Raises
    ------
    TypeError
        With one sentence.
    """
    unknown = [name for name in options if name not in OPTIONS]
    if unknown:
        raise TypeError(
            f"show() has no option {unknown[0]}. It knows {', '.join(sorted(OPTIONS))}."
        )
    return options


def _hold(value: object, weak: bool) -> Callable[[], object]:
    """Return a function that gives the value back, as long as it is there."""
    if weak:
        try:
            return weakref.ref(value)
        except TypeError:  # the class has __slots__ and no place for a weak reference
            pass
    return lambda: value


def _with_names_of(earlier: Graph, now: Graph) -> Graph:
    """Return the new graph with the names, places and messages of the earlier one.

    They were found when the variables were at hand, and fit as long as the structure is the same.
    """
    before, after = earlier.node_columns, now.node_columns
    same = (before.op, earlier.edge_columns.source, earlier.edge_columns.target) == (
        after.op,
        now.edge_columns.source,
        now.edge_columns.target,
    )
    if not same:
        return now
    columns = replace(after, label=before.label, source=before.source)
    return replace(now, node_columns=columns, messages=earlier.messages)
