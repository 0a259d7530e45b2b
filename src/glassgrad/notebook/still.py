"""A graph in, its still pictures out: for GitHub, print, terminals and notebooks not yet trusted.

They travel with every output, so drawing them must not be what a cell waits for.
"""

from __future__ import annotations

from contextlib import suppress

from glassgrad.graphs.model import Graph
from glassgrad.render import render

LONGEST = 5000
"""The total length of edges, in layers, up to which a graph is drawn whole. Layout programs put a
dummy into every layer that an edge crosses; measured: 0.4 s for 5,000, 9 s for 20,000."""

FEW = 60
"""So many values, those nearest the root, are drawn of a graph with longer edges than that."""


def still_pictures(graph: Graph, rankdir: str = "LR") -> dict[str, str]:
    """Return a graph in the formats of a notebook that need no front end.

    Parameters
    ----------
    graph : Graph
        Any graph.
    rankdir : {"LR", "TB"}, optional
        The direction of the picture.

    Returns
    -------
    dict
        By MIME type: always ``text/plain``, and ``image/svg+xml`` where it can be drawn.

    Examples
    --------
    >>> import glassgrad as gg
    >>> still_pictures(gg.graph(gg.Value(2.0), {}))["text/plain"]
    '2    data 2    grad not run'
    """
    pictures = {"text/plain": graph.to_text()}
    options = {} if _length_of_edges(graph) <= LONGEST else {"limit": FEW}
    with suppress(Exception):  # no Graphviz, or one that fails: the text is there
        pictures["image/svg+xml"] = render(graph, "svg", rankdir=rankdir, **options)
    return pictures


def _length_of_edges(graph: Graph) -> int:
    """Return how many layers all edges cross together, each value as early as it can be.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a = gg.Value(2.0)
    >>> _length_of_edges(gg.graph(a * a + a))
    5
    """
    edges = graph.edge_columns
    layers = [0] * len(graph)
    for source, target in zip(edges.source, edges.target, strict=True):
        layers[target] = max(layers[target], layers[source] + 1)
    return sum(
        layers[target] - layers[source]
        for source, target in zip(edges.source, edges.target, strict=True)
    )
