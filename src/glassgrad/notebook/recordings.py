"""What a cell, a block or a function computed, kept: its graph, its lines, and ways to show them.

One `Recording` is what ``%%autograd --as r`` binds, what ``with gg.record() as r`` gives, and what
a function under ``@gg.traced`` has of its last call. It knows no notebook; `show` asks for one.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glassgrad.graphs.model import Graph, Node
from glassgrad.graphs.numbers import counted
from glassgrad.notebook.code import Code
from glassgrad.notebook.listing import listing
from glassgrad.recording.lines import Lined

if TYPE_CHECKING:
    from glassgrad.notebook.widget import GraphWidget


@dataclass(frozen=True)
class Line:
    """One line of recorded code.

    Parameters
    ----------
    number : int
        Its number, as in a traceback.
    text : str
        What stands there.
    runs : tuple of tuple of Node
        What it made, one tuple per time that it ran; only what the result was computed from.
    """

    number: int
    text: str
    runs: tuple[tuple[Node, ...], ...]

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Everything that it made."""
        return tuple({node.id: node for run in self.runs for node in run}.values())


@dataclass
class Recording:
    """What was computed, line by line.

    Attributes
    ----------
    graph : Graph or None
        The graph behind the result; None where there was no result, and `message` says why.
    root : object
        The result.
    code : Code or None
        The source beside it.
    message : str
        Why there is no graph, or ``""``.
    error : str
        What the user's own backward raised, or ``""``.

    Examples
    --------
    >>> import glassgrad as gg
    >>> with gg.record() as r:
    ...     a, b = gg.Value(2.0), gg.Value(-3.0)
    ...     c = a * b + a
    >>> r
    <Recording of c: 4 values>
    >>> r.graph.root.grad, a.grad
    (1.0, -2.0)
    """

    graph: Graph | None = None
    root: object = None
    code: Code | None = None
    message: str = "Nothing has been recorded yet."
    error: str = ""

    @property
    def lines(self) -> Sequence[Line]:
        """The lines of the code, each with the values that it made."""
        if self.graph is None or self.code is None:
            return ()
        nodes, runs = self.graph.nodes, self.code.runs or {}
        return tuple(
            Line(
                self.code.first + at,
                text,
                tuple(tuple(nodes[id] for id in run) for run in runs.get(self.code.first + at, ())),
            )
            for at, text in enumerate(self.code.lines)
        )

    def show(self, **options: Any) -> GraphWidget:
        """Return the live picture with the code beside it.

        Parameters
        ----------
        **options
            Those of ``gg.show``.

        Raises
        ------
        ValueError
            If there is nothing to show; the sentence says why.
        """
        from glassgrad.notebook.show import checked
        from glassgrad.notebook.widget import GraphWidget

        if self.graph is None:
            raise ValueError(self.message)
        return GraphWidget(self.root, self.graph, self.code, error=self.error, **checked(options))

    def save(self, path: str | PathLike[str]) -> Path:
        """Write the picture, with the code beside it, into a file: see `GraphWidget.save`.

        Raises
        ------
        ValueError
            If there is nothing to show, or the ending of the name stands for no format.
        """
        widget = self.show()
        try:
            return widget.save(path)
        finally:
            widget.close()

    def to_text(self) -> str:
        """Return the code with values, gradients and rules in columns; without code, the tree.

        Examples
        --------
        >>> Recording().to_text()
        'Nothing has been recorded yet.'
        """
        if self.graph is None:
            return self.message
        table = listing(self.graph, self.code) if self.code else self.graph.to_text()
        return f"{table}\n{self.error}".rstrip()

    def __repr__(self) -> str:
        if self.graph is None:
            return f"<Recording: {self.message}>"
        return f"<Recording of {self.graph.root.label}: {counted(len(self.graph), 'value')}>"


def code_of(
    lines: Sequence[str],
    first: int,
    made: Lined,
    failed: Callable[[str], int | None] = lambda _filename: None,
    filename: str = "",
) -> Code:
    """Return source and runs together, with the functions of other cells that were called.

    Parameters
    ----------
    lines : sequence of str
        The source.
    first : int
        The number of the first of its lines; runs of lines elsewhere are left out.
    made : Lined
        What the lines made.
    failed : callable, optional
        Tells which line of a file failed.
    filename : str, optional
        The file of the source.
    """
    called = [
        Code(
            dedented(function.lines),
            function.first,
            _inside(failed(function.filename), function.first, len(function.lines)),
            runs,
            title=function.title,
        )
        for function, runs in made.called.items()
    ]
    kept = {line: runs for line, runs in made.runs.items() if _inside(line, first, len(lines))}
    return Code(lines, first, failed(filename), kept, called=called)


def dedented(lines: Sequence[str]) -> list[str]:
    """Return lines without the white space that all of them begin with.

    Examples
    --------
    >>> dedented(["    if a:", "", "        b"])
    ['if a:', '', '    b']
    """
    return textwrap.dedent("\n".join(lines)).split("\n")


def _inside(line: int | None, first: int, count: int) -> int | None:
    return line if line is not None and first <= line < first + count else None
