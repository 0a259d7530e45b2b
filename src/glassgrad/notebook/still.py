"""A graph in, its still pictures out: for GitHub, print, terminals and notebooks not yet trusted.

They travel with every output, so drawing them must not be what a cell waits for.
"""

from __future__ import annotations

from contextlib import suppress

from glassgrad.graphs.fold import nearest
from glassgrad.graphs.model import Graph
from glassgrad.render import render
from glassgrad.render.dot import LIMIT
from glassgrad.render.haste import LONGEST, length_of_edges

FEW = 60
"""So many values, those nearest the root, are drawn of a graph with longer edges than that."""


def still_pictures(
    graph: Graph, rankdir: str = "LR", folded: Graph | None = None
) -> dict[str, str]:
    """Return a graph in the formats of a notebook that need no front end.

    Parameters
    ----------
    graph : Graph
        Any graph.
    rankdir : {"LR", "TB"}, optional
        The direction of the picture.
    folded : Graph, optional
        What to draw in place of all values; the text is of the graph itself.

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
    drawn = folded or graph
    options = {} if length_of_edges(nearest(drawn, LIMIT)) <= LONGEST else {"limit": FEW}
    with suppress(Exception):  # no Graphviz, or one that fails: the text is there
        pictures["image/svg+xml"] = render(drawn, "svg", rankdir=rankdir, **options)
    return pictures
