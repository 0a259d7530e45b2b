"""The part of a graph that fits into a picture.

In flows a graph of any size; out flows a `Part` of it: which nodes and edges to draw, and what is
missing at each.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from glassgrad.graphs.model import Graph
from glassgrad.graphs.numbers import counted


@dataclass(frozen=True, slots=True)
class Part:
    """Some of the nodes of a graph, under the ids they have in the whole.

    Parameters
    ----------
    graph : Graph
        The whole.
    nodes : tuple of int
        The ids of the part's nodes, ascending; the root is among them.
    edges : tuple of int
        The indices of the edges between them, ascending.
    hidden : tuple of int
        For each of `nodes`, how many of the edges to its operands are missing.
    """

    graph: Graph
    nodes: tuple[int, ...]
    edges: tuple[int, ...]
    hidden: tuple[int, ...]

    @property
    def notice(self) -> str | None:
        """One sentence where this is not the whole graph."""
        if len(self.nodes) == len(self.graph):
            return None
        return (
            f"{counted(len(self.graph), 'value')}; "
            f"showing the {len(self.nodes):,} nearest {self.graph.root.label}."
        )

    @property
    def remark(self) -> str | None:
        """The same without a name, for a comment in a text to take elsewhere."""
        if self.notice is None:
            return None
        total = counted(len(self.graph), "value")
        return f"{total}; these are the {len(self.nodes):,} nearest the last."


def nearest(graph: Graph, limit: int) -> Part:
    """Return the `limit` values that are the fewest operations away from the root.

    Parameters
    ----------
    graph : Graph
        The whole.
    limit : int
        How many values to keep, 1 or more.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a = gg.Value(2.0)
    >>> b = (a + a).tanh().exp()
    >>> part = nearest(gg.graph(b), 2)
    >>> part.nodes, part.hidden
    ((2, 3), (1, 0))
    >>> part.notice
    '4 values; showing the 2 nearest b.'
    """
    nodes = range(len(graph)) if len(graph) <= limit else sorted(_nearest(graph, limit))
    kept = set(nodes)
    sources = graph.edge_columns.source
    edges, hidden = [], []
    for node in nodes:
        below = graph.operand_edges(node)
        shown = [edge for edge in below if sources[edge] in kept]
        edges += shown
        hidden.append(len(below) - len(shown))
    return Part(graph, tuple(nodes), tuple(edges), tuple(hidden))


def _nearest(graph: Graph, limit: int) -> set[int]:
    """Walk from the root in all directions at once, until there are enough."""
    root = len(graph) - 1
    found, waiting = {root}, deque([root])
    while waiting:
        for edge in graph.operand_edges(waiting.popleft()):
            source = graph.edge_columns.source[edge]
            if source not in found:
                if len(found) >= limit:
                    return found
                found.add(source)
                waiting.append(source)
    return found
