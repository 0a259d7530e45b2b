"""A graph in, the sentences out that its numbers ask for: they hold until the numbers change."""

from __future__ import annotations

from collections.abc import Iterator

from glassgrad.graphs.leftover import left_over
from glassgrad.graphs.model import Graph
from glassgrad.graphs.numbers import apart, counted


def about_numbers(graph: Graph) -> Iterator[str]:
    """Say what is freed, stale or left over in a graph.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a = gg.Value(2.0)
    >>> b = a * 3
    >>> a.data = 5.0
    >>> [sentence.split(":")[0] for sentence in about_numbers(gg.graph(b))]
    ['b belongs to older numbers']
    """
    yield from _freed(graph)
    yield from _stale(graph)
    yield from left_over(graph)


def _freed(graph: Graph) -> Iterator[str]:
    """Say that a library threw away the numbers that slopes are computed from."""
    freed = sum(finding.kind == "freed" for finding in graph.findings)
    if freed:
        yield (
            f"backward() freed what was saved for {counted(freed, 'operation')}, so their slopes "
            "are unknown: look at the graph before it, or call backward(retain_graph=True)."
        )


def _stale(graph: Graph) -> Iterator[str]:
    """Say that numbers were changed after they had been used, and where that shows first."""
    stale = [finding for finding in graph.findings if finding.kind == "stale"]
    if stale:
        first, name_of = stale[0], graph.node_columns.label.__getitem__
        where = name_of(first.node)
        got, expected = apart(first.got, first.expected)
        what = f"{where} no longer follows from its operands"
        numbers = f"{got}, where they give {expected} now"
        if len(stale) > 1:
            more = counted(len(stale) - 1, "more value")
            what = f"{where} and {more} no longer follow from their operands"
            numbers = f"{where} is {numbers}"
        yield (
            f"{name_of(graph.root.id)} belongs to older numbers: {what} ({numbers}). "
            "Compute it again."
        )
