"""Gradients from local slopes alone: our own walk, whatever a class's driver did.

In flows a graph; out flows what one backward sends to each value.
"""

from __future__ import annotations

from glassgrad.graphs.model import Graph


def gradients(graph: Graph) -> list[float | None]:
    """Return the gradient of each value, None where a slope on the way is unknown.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a = gg.Value(3.0)
    >>> gradients(gg.graph(a * a))
    [6.0, 1.0]
    """
    edges = graph.edge_columns
    sent: list[float | None] = [0.0] * len(graph)
    sent[-1] = 1.0
    for edge in reversed(range(len(edges.source))):
        slope, above, held = edges.slope[edge], sent[edges.target[edge]], sent[edges.source[edge]]
        if slope is None or above is None or held is None:
            sent[edges.source[edge]] = None
        else:
            sent[edges.source[edge]] = held + slope * above
    return sent
