"""A graph of which some values have a moment in, the same graph with lines for all of them out.

A value that was computed in a library's function has no place of its own in the cell; it belongs
to the line that called the function, which is the line of the value it went into. Of a leaf
`glassgrad.recording.makers` knows which call made it, as long as something holds it; else the line
that used it first must have made it. And a line that ran several times, in a loop or in a function,
made its values in runs: those are told apart, so that one iteration can be looked at.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from glassgrad.graphs.model import Graph, Source
from glassgrad.recording.sites import Site, Trace

if TYPE_CHECKING:
    from glassgrad.recording.functions import Definition

Runs: TypeAlias = "list[list[int]]"
"""The ids of the values that a line made, one list per time that it ran."""


class Lined(NamedTuple):
    """A graph whose values have lines."""

    graph: Graph
    runs: Mapping[int, Runs]
    """By line; a value that a function of the cell made stands at two lines."""

    called: Mapping[Definition, Mapping[int, Runs]]
    """The same for the lines of functions that stand in other cells, in the order of the cells."""


class _Mark(NamedTuple):
    """One value at one line."""

    order: int
    node: int
    place: tuple[int, int, int]  # where the expression begins and ends
    inner: int = -1  # when a function that the line called made it


def lined(graph: Graph, *, complete: bool = True) -> Lined:
    """Give each value without a line the line of the first value it was used for.

    Parameters
    ----------
    graph : Graph
        The sources of its values are traces, or None.
    complete : bool, optional
        Whether each line was listened to. Otherwise a leaf may come from any of them, and gets
        none.

    Returns
    -------
    Lined
        The same graph with more sources. A value that was there before the cell ran, and what it
        was computed from, belongs to no line of this cell.

    Examples
    --------
    >>> import glassgrad as gg
    >>> from glassgrad.graphs.read import read
    >>> a = gg.Value(2.0)
    >>> c, here = (a + 1) * a, Trace(4, "f(a)", Site(4, 4, 4, 8), 0)
    >>> graph = read(c, source_of=lambda v: here if v is c else None).graph
    >>> graph, runs, _ = lined(graph)
    >>> [node.source and node.source.line for node in graph.nodes], runs
    ([4, 4, 4, 4], {4: [[0, 1, 2, 3]]})
    """
    nodes, edges = graph.node_columns, graph.edge_columns
    traces = [source if isinstance(source, Trace) else None for source in nodes.source]
    sources = [_plain(trace) for trace in traces]
    callers: list[int | None] = [None] * len(sources)
    old = [trace is not None and trace.old for trace in traces]
    belongs: dict[int, int] = {}
    edge = len(edges.source) - 1
    for id in reversed(range(len(sources))):
        source, caller = sources[id], callers[id]
        new = not old[id] and (complete or nodes.kind[id] in ("result", "constant"))
        if (source is None or source.line is None) and new and caller is not None:
            belongs[id] = belongs.get(caller, caller)
            line = (sources[caller] or _NOWHERE).line
            source = sources[id] = Source(line, source.text if source else None)
        while edge >= 0 and edges.target[edge] == id:
            operand = edges.source[edge]
            old[operand] = old[operand] or old[id]
            has_line = source is not None and source.line is not None
            callers[operand] = id if has_line else None
            edge -= 1
    runs = _runs(traces, belongs)
    called = sorted(filter(None, runs), key=lambda item: (item.script.number, item.first))
    return Lined(
        replace(graph, node_columns=replace(nodes, source=tuple(sources))),
        runs.get(None, {}),
        {definition: runs[definition] for definition in called},
    )


_NOWHERE = Source(None, None)


def _plain(trace: Trace | None) -> Source | None:
    if trace is None or (trace.line is None and trace.text is None):
        return None
    return Source(trace.line, trace.text)


def _runs(
    traces: Sequence[Trace | None], belongs: Mapping[int, int]
) -> dict[Definition | None, dict[int, Runs]]:
    """Return the runs of each line: those of the cell under None, of functions under theirs."""
    marks: dict[tuple[Definition | None, int], list[_Mark]] = {}
    for node, trace in enumerate(traces):
        if trace is None or trace.old:
            continue
        if trace.line is not None and trace.site is not None and not _has_finer(trace):
            inner = trace.within[0].order if trace.within else -1
            mark = _mark(trace.order, node, trace.site)._replace(inner=inner)
            marks.setdefault((None, trace.line), []).append(mark)
        for definition, site, order in trace.within:
            marks.setdefault((definition, site.line), []).append(_mark(order, node, site))
    followers: dict[int, list[int]] = {}
    for node, head in sorted(belongs.items()):
        followers.setdefault(head, []).append(node)
    runs: dict[Definition | None, dict[int, Runs]] = {}
    for definition, line in sorted(marks, key=lambda place: place[1]):
        own = -1 if definition else line
        found = _split(marks[definition, line], followers, traces, own)
        runs.setdefault(definition, {})[line] = found
    return runs


def _has_finer(trace: Trace) -> bool:
    """Whether a function that is written in the line which calls it tells the place itself."""
    return any(inner.definition is None and inner.site.line == trace.line for inner in trace.within)


def _mark(order: int, node: int, site: Site) -> _Mark:
    return _Mark(order, node, (site.column, site.end_line, site.end_column))


def _split(
    marks: Iterable[_Mark],
    followers: dict[int, list[int]],
    traces: Sequence[Trace | None],
    line: int,
) -> Runs:
    """Begin a new run whenever an expression is computed again that the run has already.

    What a line computed only once, while another part of it ran several times (the sum over a
    comprehension), belongs to each of its runs; but what a function made for a lambda that stands
    in the line belongs to the run of the lambda.
    """
    ordered = sorted(marks)
    seen: dict[tuple[int, int, int], int] = {}
    runs: list[list[_Mark]] = [[]]
    for mark in ordered:
        if seen.get(mark.place, mark.order) != mark.order:
            runs.append([])
            seen = {}
        seen[mark.place] = mark.order
        runs[-1].append(mark)
    often = Counter(place for place, _ in {(mark.place, mark.order) for mark in ordered})
    once: list[_Mark] = []
    if len(runs) > 1:
        runs = [[mark for mark in run if often[mark.place] > 1] for run in runs]
        ends = [run[-1].order for run in runs]
        for mark in (mark for mark in ordered if often[mark.place] == 1):
            at = bisect(ends, mark.inner)
            is_inner = -1 < mark.inner < mark.order and at < len(ends)
            (runs[at] if is_inner else once).append(mark)
    return [
        sorted(_with_followers({mark.node for mark in [*run, *once]}, followers, traces, line))
        for run in runs
    ]


def _with_followers(
    nodes: set[int],
    followers: dict[int, list[int]],
    traces: Sequence[Trace | None],
    line: int,
) -> set[int]:
    """Add the values that were computed in functions on behalf of these."""
    at_line = (node for node in nodes if (trace := traces[node]) is None or trace.line == line)
    return nodes.union(*(followers.get(node, ()) for node in at_line))
