"""What a cell computed in, its picture with the cell's code beside it out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from glassgrad.graphs.model import Graph, Source
from glassgrad.graphs.names import lookup
from glassgrad.graphs.read import read
from glassgrad.notebook.cell import FIRST_LINE, Outcome
from glassgrad.notebook.tracebacks import failing_line
from glassgrad.notebook.wire import Code
from glassgrad.recording import Recorder
from glassgrad.recording.lines import belong_to_their_callers


@dataclass(frozen=True)
class Text:
    """Something to display that is only text.

    Parameters
    ----------
    text : str
        One sentence, or several lines.

    Examples
    --------
    >>> Text("This cell made no Value.")
    This cell made no Value.
    """

    text: str

    def __repr__(self) -> str:
        return self.text


def draw(recorder: Recorder, root: object, variables: Mapping[str, object]) -> Graph:
    """Read the graph of a cell's root, with the names and the lines that the cell gave it.

    Parameters
    ----------
    recorder : Recorder
        What the cell computed.
    root : object
        A Value.
    variables : mapping
        The user's variables after the cell.
    """
    named_now = lookup(variables)

    def name_of(value: object) -> str:
        earlier, origin = recorder.met(value), recorder.origin(value)
        if earlier is not None:
            return earlier.name
        given = origin.names if origin is not None else ()
        return next((name for name in given if not name.startswith("_")), "") or named_now(value)

    def source_of(value: object) -> Source | None:
        origin = recorder.origin(value)
        if origin is None or recorder.met(value) is not None:
            return None
        return Source(origin.line, origin.text)

    def is_old(id: int) -> bool:
        value = reading.value(id)
        return value is not None and recorder.met(value) is not None

    reading = read(root, name_of, source_of)
    return belong_to_their_callers(reading.graph, is_old)


def code(outcome: Outcome, body: str) -> Code:
    """Return the cell's text as the user sees it, with the line that failed.

    Parameters
    ----------
    outcome : Outcome
        What came of the cell.
    body : str
        The cell without the line of the magic.
    """
    failed = None
    if outcome.error is not None:
        failed = failing_line(outcome.error, outcome.filename)
    return Code(body.rstrip().split("\n"), FIRST_LINE, failed)


def with_message(graph: Graph, message: str) -> Graph:
    """Return a graph that says one sentence more."""
    return replace(graph, messages=(*graph.messages, message)) if message else graph


def as_text(graph: Graph, error: str) -> Text:
    """Return what a terminal shows in place of the widget."""
    return Text(f"{graph.to_text()}\n{error}".rstrip())
