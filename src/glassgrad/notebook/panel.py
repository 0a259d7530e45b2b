"""What a cell computed in, its graph with names and lines out, and the text to display with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from glassgrad.graphs.model import Graph
from glassgrad.graphs.names import lookup
from glassgrad.graphs.read import read
from glassgrad.recording import Recorder
from glassgrad.recording.lines import Lined, lined


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


def draw(
    recorder: Recorder,
    root: object,
    variables: Mapping[str, object],
    title: str = "",
    *,
    complete: bool = True,
) -> Lined:
    """Read the graph of a cell's root, with the names and the lines that the cell gave it.

    Parameters
    ----------
    recorder : Recorder
        What the cell computed.
    root : object
        A Value.
    variables : mapping
        The user's variables after the cell.
    title : str, optional
        What the root is called, where that is an expression.
    complete : bool, optional
        Whether each line was listened to.
    """
    name_of = namer(recorder, root, variables, title)
    return lined(read(root, name_of, recorder.traces(variables)).graph, complete=complete)


def namer(
    recorder: Recorder, root: object, variables: Mapping[str, object], title: str = ""
) -> Callable[[object], str]:
    """Return what tells the name that a cell gave to a value; it takes what `draw` takes."""
    named_now = lookup(variables)

    def name_of(value: object) -> str:
        if title and value is root:
            return title
        earlier, origin = recorder.met(value), recorder.origin(value)
        if earlier is not None:
            return earlier.name
        given = origin.names if origin is not None else ()
        own = next((name for name in given if not name.startswith("_")), "")
        return own or named_now(value) or (recorder.name_within(value) if origin is None else "")

    return name_of


def with_messages(graph: Graph, *messages: str) -> Graph:
    """Return a graph that says some sentences more."""
    said = tuple(filter(None, messages))
    return replace(graph, messages=(*graph.messages, *said)) if said else graph
