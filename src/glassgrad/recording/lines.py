"""A graph of which some values have a line in, the same graph with lines for what they called out.

Only expressions of the cell itself are recorded. A value that was computed inside a function has
no place of its own there; it belongs to the line that called the function, which is the line of
the value it went into.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from glassgrad.graphs.model import Graph, Source


def belong_to_their_callers(graph: Graph, is_old: Callable[[int], bool]) -> Graph:
    """Give each value without a source the line of the first value it was used for.

    Parameters
    ----------
    graph : Graph
        Its recorded nodes have a source.
    is_old : callable
        Tells of the id of a node whether the value was there before the cell ran; then it, and
        what it was computed from, belongs to no line of this cell.

    Returns
    -------
    Graph
        The same graph with more sources. Leaves gain none: who knows where they were made. Plain
        numbers do, as they stand in the expression.

    Examples
    --------
    >>> import glassgrad as gg
    >>> from glassgrad.graphs.read import read
    >>> a = gg.Value(2.0)
    >>> c = (a + 1) * a
    >>> graph = read(c, source_of=lambda v: Source(4, "f(a)") if v is c else None).graph
    >>> [node.source and node.source.line for node in
    ...  belong_to_their_callers(graph, lambda id: False).nodes]
    [None, 4, 4, 4]
    """
    nodes, edges = graph.node_columns, graph.edge_columns
    sources = list(nodes.source)
    callers: list[int | None] = [None] * len(sources)
    old = [False] * len(sources)
    edge = len(edges.source) - 1
    for id in reversed(range(len(sources))):
        old[id] = old[id] or is_old(id)
        source = sources[id]
        belongs = not old[id] and nodes.kind[id] in ("result", "constant")
        if source is None and belongs and callers[id] is not None:
            source = sources[id] = Source(callers[id], None)
        while edge >= 0 and edges.target[edge] == id:
            operand = edges.source[edge]
            old[operand] = old[operand] or old[id]
            callers[operand] = source.line if source is not None else None
            edge -= 1
    return replace(graph, node_columns=replace(nodes, source=tuple(sources)))
