"""How long a layout program will be at work, and how to make it hurry.

In flows a part of a graph; out flow attributes for DOT.  Such programs put a dummy into every
layer that an edge crosses, so that a long chain on one leaf costs far more than its size tells.
"""

from __future__ import annotations

from collections.abc import Mapping

from glassgrad.graphs.fold import Part

LONGEST = 5000
"""The total length of edges, in layers, that is laid out with all care: in 0.4 s.  A chain of 200
values on one leaf has 20,000, and takes 9 s; in a hurry 2 s."""

_IN_A_HURRY = {"nslimit": "0.02", "nslimit1": "0.02", "mclimit": "0.05"}


def effort(part: Part) -> Mapping[str, str]:
    """Return the attributes that keep the layout of a part of a graph within bounds.

    Examples
    --------
    >>> import glassgrad as gg
    >>> from glassgrad.graphs.fold import nearest
    >>> effort(nearest(gg.graph(gg.Value(2.0) * 3), 10))
    {}
    """
    return _IN_A_HURRY if length_of_edges(part) > LONGEST else {}


def length_of_edges(part: Part) -> int:
    """Return how many layers all edges cross together, each value as early as it can be.

    Examples
    --------
    >>> import glassgrad as gg
    >>> from glassgrad.graphs.fold import nearest
    >>> a = gg.Value(2.0)
    >>> length_of_edges(nearest(gg.graph(a * a + a), 10))
    5
    """
    columns = part.graph.edge_columns
    edges = [(columns.source[edge], columns.target[edge]) for edge in part.edges]
    layers = dict.fromkeys(part.nodes, 0)
    for source, target in edges:
        layers[target] = max(layers[target], layers[source] + 1)
    return sum(layers[target] - layers[source] for source, target in edges)
