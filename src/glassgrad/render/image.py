"""A graph as a picture file of dots or of print: PNG and PDF.

In flows a graph; out flow the bytes of a file.  Any Graphviz draws PNG, also the small one of the
``static`` extra; PDF takes Graphviz's own program, because only that embeds the fonts.
"""

from __future__ import annotations

from typing import Any

from glassgrad.graphs.model import Graph
from glassgrad.render.dot import LIMIT, to_dot
from glassgrad.render.picture import NoProgramError, has_dot

SHARP, PLAIN = "192", "96"
"""Dots per inch: twice what screens once had, so that text is sharp on those of today, and once."""

FEW = 200
"""So many values are drawn sharp; 1,000 would be 500 million dots and take half a minute."""

NO_PDF = (
    "A PDF needs Graphviz's own program dot, and this machine has none: install Graphviz, or save "
    "as .svg or .html and let a browser print that into a PDF."
)


def to_png(graph: Graph, *, rankdir: str = "LR", limit: int = LIMIT) -> bytes:
    r"""Return a graph as the content of a PNG file.

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
    >>> to_png(gg.graph(gg.Value(2.0) * 3))[:8]
    b'\x89PNG\r\n\x1a\n'
    """
    picture = to_dot(graph, rankdir=rankdir, limit=limit)
    picture.attr("graph", dpi=SHARP if min(len(graph), limit) <= FEW else PLAIN)
    return _bytes(picture.pipe(format="png"))


def to_pdf(graph: Graph, *, rankdir: str = "LR", limit: int = LIMIT) -> bytes:
    """Return a graph as the content of a PDF file of one page; takes what `to_png` takes.

    Raises
    ------
    RuntimeError
        When Graphviz's own program is not installed, or draws no PDF.
    """
    if not has_dot():
        raise NoProgramError(NO_PDF)
    return _bytes(to_dot(graph, rankdir=rankdir, limit=limit).pipe(format="pdf"))


def _bytes(content: Any) -> bytes:
    found: bytes = content
    return found
