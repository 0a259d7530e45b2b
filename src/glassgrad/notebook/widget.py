"""A Value of any class in, its live picture out.

The widget reads the object once into a `Graph`, and sends the front end structure and numbers
apart, so that a pressed button costs only the numbers. It is the only place that keeps the user's
object, for the sake of the buttons, and `close` lets go of it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import traitlets
from ipywidgets import CallbackDispatcher

from glassgrad.engine.memory import pause_gc
from glassgrad.graphs.collect import collect
from glassgrad.graphs.folding import picture
from glassgrad.graphs.model import Graph
from glassgrad.graphs.names import callers_names, lookup
from glassgrad.graphs.read import read
from glassgrad.notebook import wire
from glassgrad.notebook.by_hand import ByHand
from glassgrad.notebook.cards import FOLDING, cards_of
from glassgrad.notebook.changes import COLUMNS, travelling
from glassgrad.notebook.code import Code
from glassgrad.notebook.commands import MODES, Desk, understood
from glassgrad.notebook.front_end import front_end
from glassgrad.notebook.keeping import hold, is_alike, with_names_of
from glassgrad.notebook.ledger import sources
from glassgrad.notebook.pace import INTERVAL, PacedWidget
from glassgrad.notebook.page import page_of
from glassgrad.notebook.session import WIDGETS
from glassgrad.notebook.still import still_pictures
from glassgrad.notebook.traits import Choice, Decimal, Flag, Names, Text, Whole, listed
from glassgrad.notebook.watch import Watch, number
from glassgrad.render.files import DIRECTED, save, target

WATCHED = 5_000
"""Larger graphs than this are not read again after every cell: that takes a tenth of a second."""

REMEMBERED = 1_000
"""So many numbers of the root are kept for its course."""

GONE = "This Value is gone: its variable was deleted or used again. Run the cell again."


DIRECTIONS = ("LR", "TB")
THEMES = ("auto", "light", "dark")
FOLDS = (None, True, False)


class GraphWidget(PacedWidget):
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
        Traits: ``height`` (pixels, 0 = automatic), ``mode`` (``""``, ``"by hand"``, ``"order"``,
        ``"paths"``, ``"nudge"``, ``"predict"`` or ``"blame"``), ``precision`` (significant
        digits), ``rankdir`` (``"LR"`` or ``"TB"``), ``theme`` (``"auto"``, ``"light"`` or
        ``"dark"``), ``fold`` (True, False, or None for large graphs only), ``opened`` (names of
        groups), ``step``, ``selected``, ``playing``, ``speed``, ``layout``.

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

    _esm = front_end("index.js")
    _css = front_end("theme.css")

    graph = traitlets.Dict(help="Structure: nodes, edges, rules and code.").tag(sync=True)
    numbers = traitlets.Dict(help="Data, gradients and slopes; travels in the five below.")
    sent_data: traitlets.List[Any] = traitlets.List(help="Data, last sent whole.").tag(sync=True)
    sent_grad: traitlets.List[Any] = traitlets.List(help="The same of gradients.").tag(sync=True)
    sent_slope: traitlets.List[Any] = traitlets.List(help="The same of slopes.").tag(sync=True)
    changes = traitlets.Dict(help="What differs from these since.").tag(sync=True)
    notes = traitlets.Dict(help="What is unusual, and where.").tag(sync=True)
    history: traitlets.List[Any] = traitlets.List(help="The root's course.").tag(sync=True)
    step = Whole(-1, min=-1, help="a position on the tape from 0, or -1 for none").tag(sync=True)
    selected = Whole(-1, min=-1, help="the id of a value, or -1 for none").tag(sync=True)
    playing = Flag(False, help="True or False").tag(sync=True)
    speed = Decimal(1.0, min=0.1, max=10.0, help="a number from 0.1 to 10").tag(sync=True)
    mode = Choice(MODES, "", help=listed(MODES)).tag(sync=True)
    progress = traitlets.Dict(help="Where each mode stands, by name.").tag(sync=True)
    nudged = traitlets.Dict(help="What other numbers at some leaves lead to.").tag(sync=True)
    attempts: traitlets.List[Any] = traitlets.List(help="Answers of the quiz.").tag(sync=True)
    fold = Choice(FOLDS, None, help=listed(FOLDS)).tag(sync=True)
    opened = Names(help="a list of names of groups").tag(sync=True)
    rankdir = Choice(DIRECTIONS, "LR", help=listed(DIRECTIONS)).tag(sync=True)
    precision = Whole(4, min=1, max=17, help="a whole number of digits from 1 to 17").tag(sync=True)
    theme = Choice(THEMES, "auto", help=listed(THEMES)).tag(sync=True)
    height = Whole(0, min=0, help="a number of pixels, or 0 for automatic").tag(sync=True)
    error = Text("", help="a sentence, or an empty string").tag(sync=True)

    PACED = frozenset({"graph", "changes", "notes", "history", *map("sent_{}".format, COLUMNS)})

    def __init__(
        self,
        root: object,
        graph: Graph | None = None,
        code: Code | None = None,
        *,
        weak: bool = False,
        **options: Any,
    ) -> None:
        self._selecting = CallbackDispatcher()
        self._root = hold(root, weak)
        self._code = code
        self._hand = ByHand()
        self._read = graph or read(root, lookup(callers_names())).graph
        self._pictures: tuple[object, str, dict[str, str]] | None = None
        self._watch: Watch | None = None
        self._course: list[float | str | None] = []
        wishes = {name: options[name] for name in FOLDING if name in options}
        self._folding = cards_of(self._read, code, **wishes)
        super().__init__(**self._encoded(), **options)
        self.on_msg(self._on_message)
        WIDGETS.add(self)

    def refresh(self, root: object = None) -> None:
        """Read the object again, or another one in its place, and show what changed.

        A picture of the same structure stays where it is and gets the new numbers; they are sent at
        most thirty times a second, the last ones always. Each call adds the root's number to
        `history`, if that changed or another root was given.

        Parameters
        ----------
        root : object, optional
            A Value to show from now on, such as the loss of the next training step.

        Raises
        ------
        TypeError
            If the new root has no graph.

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
        >>> widget.refresh(a * 4)
        >>> widget.numbers["data"], widget.history
        ([3.0, 4.0, 12.0], [9.0, 12.0])
        >>> widget.close()
        """
        before = self._read.root.data
        now = self._root() if root is None else root
        if now is None:
            self.error = GONE
            return
        if root is not None or not self.history or number(now) != before:
            self._course.append(wire.encoded(number(now)))
        self.show_root(now, lookup(callers_names()))

    def refresh_if_changed(self, names: Mapping[str, object]) -> None:
        """Do the same if a number is another one than is shown; called after every cell.

        Graphs of more than 5,000 values are left as they are until `refresh`.

        Parameters
        ----------
        names : mapping of str to object
            The user's variables.
        """
        root = self._root()
        watched = len(self._read) <= WATCHED
        if root is not None and watched and self._watched(root).differs(self._read):
            self.show_root(root, lookup(names))
            self._hand.forget()
            if "by hand" in self.progress:
                self.progress = {**self.progress, "by hand": []}
        self.flush()

    def watched(self) -> list[object]:
        """Return the objects behind the picture that are looked at after every cell."""
        root = self._root()
        return [] if root is None or len(self._read) > WATCHED else self._watched(root).objects()

    def _watched(self, root: object) -> Watch:
        self._watch = self._watch or Watch(root)
        return self._watch

    def follow(self, root: object) -> None:
        """Note the number of a new root, and show it if a picture is due; see `gg.live`.

        Parameters
        ----------
        root : object
            A Value.
        """
        self._course.append(wire.encoded(number(root)))
        if self._pace.is_due():
            begun = time.monotonic()
            self.show_root(root, lookup(callers_names()))
            self.flush()
            self._pace.mark(max(INTERVAL, 2 * (time.monotonic() - begun)))

    def settle(self, root: object = None) -> None:
        """Show a root as it is now, at once.

        Parameters
        ----------
        root : object, optional
            A Value; by default the one that is shown.
        """
        now = self._root() if root is None else root
        if now is not None:
            self.show_root(now, lookup(callers_names()))
            self.flush()

    def on_select(self, callback: Callable[[object], object], remove: bool = False) -> None:
        """Have a function called with the user's object whenever another value is selected.

        Parameters
        ----------
        callback : callable
            Gets what `selected_value` is.
        remove : bool, optional
            Whether to stop calling it.

        Examples
        --------
        >>> import glassgrad as gg
        >>> a = gg.Value(3.0)
        >>> widget = gg.show(a * a)
        >>> widget.on_select(print)
        >>> widget.selected = 0
        Value(data=3.0, grad=0.0)
        >>> widget.close()
        """
        self._selecting.register_callback(callback, remove=remove)

    @property
    def root(self) -> object:
        """The user's object that is shown; None when it is gone."""
        return self._root()

    @property
    def selected_value(self) -> object:
        """The user's object that is selected; None while there is none, and for a group."""
        root = self._root()
        if root is None or self.selected < 0 or self._is_folded(self.selected):
            return None
        with pause_gc():
            objects = collect(root).objects
        return objects[self.selected] if self.selected < len(objects) else None

    def close(self) -> None:
        """Take the widget out of the page and let go of the user's object."""
        WIDGETS.discard(self)
        self._root, self._watch = hold(None, False), None
        self._hand.forget()
        self._selecting.callbacks = []
        super().close()

    def show_root(self, root: object, name_of: Callable[[object], str] = lambda _: "") -> None:
        """Show another root, or the same as it is now, in place.

        Parameters
        ----------
        root : object
            A Value.
        name_of : callable, optional
            Tells the variable that an object is bound to; asked where the structure is a new one.
        """
        now = read(root, name_of).graph
        if is_alike(self._read, now):
            now = with_names_of(self._read, now)
        else:
            self._code = None  # it was about other values
            self._folding = cards_of(now, None, self.fold, self.opened, self.mode)
        if root is not self._root():
            self._root, self._watch = hold(root, False), None
            self._hand.forget()
        self._read = now
        with self.hold_sync():  # an equal part is not sent again
            self._draw()
            if self._course:
                self.history = [*self.history, *self._course][-REMEMBERED:]
                self._course = []

    def _encoded(self) -> dict[str, Any]:
        cells = sources(self._read, self._root())
        return wire.encode(self._read, code=self._code, cells=cells, folding=self._folding)

    def _draw(self) -> None:
        parts = self._encoded()
        with self.hold_sync():
            self.graph = parts["graph"]
            self.numbers = parts["numbers"]

    def _is_folded(self, node: int) -> bool:
        folding = self._folding
        return folding is not None and node < len(self._read) and not folding.is_single(node)

    @traitlets.observe(*FOLDING)
    def _fold_again(self, _change: object) -> None:
        wishes = (self.fold, self.opened, self.mode)
        was, self._folding = self._folding, cards_of(self._read, self._code, *wishes)
        if was or self._folding:
            self._draw()

    @traitlets.observe("numbers")
    def _send_changes(self, _change: object) -> None:
        sent = {name: getattr(self, f"sent_{name}") for name in COLUMNS}
        with self.hold_sync():
            for name, value in travelling(self.numbers, sent).items():
                self.set_trait(name, value)  # an equal one is not sent again

    @traitlets.observe("selected")
    def _tell_selected(self, _change: object) -> None:
        self._selecting(self.selected_value)

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
            self.show_root(root)
            if self.mode == "by hand":
                self.progress = {**self.progress, self.mode: self._hand.moves}
            else:
                self._hand.forget()

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the live view, with a picture and a text for where nothing can be live."""
        bundle = super()._repr_mimebundle_(**options)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle or {}, {})
        return {**data, **self.still()}, metadata

    def save(self, path: str | PathLike[str]) -> Path:
        """Write the picture into a file.

        Parameters
        ----------
        path : str or path
            The file; its ending says what is written. ``.html`` is the live picture as it is now,
            on a page that works without a kernel and without a network.

        Returns
        -------
        Path
            The file, whole; one that was there before is replaced.

        Raises
        ------
        ValueError
            When the ending stands for no format.
        OSError
            When the file cannot be written there.
        RuntimeError
            When the format needs a program that is not installed; ``.html`` needs none.

        Examples
        --------
        >>> import glassgrad as gg
        >>> from tempfile import TemporaryDirectory
        >>> widget = gg.show(gg.Value(2.0))
        >>> with TemporaryDirectory() as folder:
        ...     widget.save(f"{folder}/picture.html").name
        'picture.html'
        >>> widget.close()
        """
        made = {"html": lambda: page_of(self, self._read), "json": self._json}
        drawn = self._folded() if target(path)[1] in DIRECTED else None
        return save(drawn or self._read, path, rankdir=self.rankdir, made=made)

    def _folded(self) -> Graph | None:
        return picture(self._folding, self._read) if self._folding else None

    def _json(self) -> str:
        return json.dumps({"graph": self.graph, "numbers": self.numbers}, allow_nan=False)

    def still(self) -> dict[str, str]:
        """Return the still pictures of what was read last; they are drawn when first asked for."""
        read, folding = self._read, self._folding
        if self._pictures is None or self._pictures[:2] != ((read, folding), self.rankdir):
            pictures = still_pictures(read, self.rankdir, self._folded())
            self._pictures = ((read, folding), self.rankdir, pictures)
        return self._pictures[2]
