"""A graph as an SVG picture: what GitHub, nbconvert and a printed page show.

In flows a graph; out flows the text of an SVG file, laid out by the program that
`glassgrad.render.picture` finds.
"""

from __future__ import annotations

from glassgrad.graphs.model import Graph
from glassgrad.render.dot import LIMIT, to_dot


def to_svg(graph: Graph, *, rankdir: str = "LR", limit: int = LIMIT) -> str:
    """Return a graph as the text of an SVG file.

    Parameters
    ----------
    graph : Graph
        The graph.
    rankdir : {"LR", "TB"}, optional
        From left to right, or from top to bottom.
    limit : int, optional
        How many values to draw, those nearest the root.

    Raises
    ------
    RuntimeError
        When neither Graphviz nor the ``static`` extra is installed.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a = gg.Value(2.0)
    >>> svg = to_svg(gg.graph(a * a))
    >>> svg.lstrip().startswith("<?xml"), svg.count("<title>")
    (True, 6)
    """
    picture: str = to_dot(graph, rankdir=rankdir, limit=limit).pipe(format="svg", encoding="utf-8")
    return picture
