"""A graph as DOT: cards for values, discs for operations.

In flows a graph; out flows a `graphviz.Digraph`, in the widget's visual language as far as DOT
knows it.  Labels are the user's text: they are escaped for the HTML-like labels of DOT, where a
backslash must be doubled as well, so that nothing in them is taken for markup.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from math import isnan, log10

from glassgrad.graphs.fold import Part, nearest
from glassgrad.graphs.model import Graph
from glassgrad.graphs.numbers import NOT_RUN, typeset
from glassgrad.render.haste import effort
from glassgrad.render.lines import one_line
from glassgrad.render.picture import Picture
from glassgrad.render.text import to_text

LIMIT = 1000
"""So many values are drawn at most; dot takes a second for these and minutes for ten times more."""

DIRECTIONS = ("LR", "TB")

# The light palette of the widget.  Cards are white with dark text, so that they are read on a dark
# page as well; lines between them have 3:1 against white and against black.
_INK, _MUTE, _LINE, _PANEL, _CARD = "#1c2430", "#687385", "#8a94a3", "#f6f7f9", "#ffffff"
_ACCENT, _POSITIVE, _NEGATIVE, _WRONG = "#5b5bd6", "#b4540a", "#1f6fc5", "#d92d20"

_PAGE = {"bgcolor": "transparent", "nodesep": "0.25", "ranksep": "0.35"}
_VALUE = {
    "shape": "box",
    "style": "rounded,filled",
    "fillcolor": _CARD,
    "color": _LINE,
    "fontname": "Helvetica",
    "fontsize": "12",
    "fontcolor": _INK,
    "margin": "0.08,0.04",
}
_DISC = {
    "shape": "circle",
    "style": "filled",
    "fillcolor": _PANEL,
    "color": _LINE,
    "fontname": "Helvetica",
    "fontcolor": _INK,
    "margin": "0.03",
    "width": "0.35",
}
_GROUNDS = {"constant": {"fillcolor": _PANEL}, "group": {"peripheries": "2"}}
_THICKEST = 4.0  # the width of the largest flow, in points; the smallest is 1


_NONE: Mapping[int, str] = {}


def to_dot(
    graph: Graph, *, rankdir: str = "LR", limit: int = LIMIT, wrong: Mapping[int, str] = _NONE
) -> Picture:
    """Return a graph as a `graphviz.Digraph`.

    Parameters
    ----------
    graph : Graph
        The graph.
    rankdir : {"LR", "TB"}, optional
        From left to right, or from top to bottom.
    limit : int, optional
        How many values to draw, those nearest the root; the picture says what is missing.
    wrong : mapping of int to str, optional
        Edges (by index) that a check found wrong, and what to write beside them: they are red, as
        those are that reading the graph found wrong.

    Raises
    ------
    ValueError
        When `rankdir` is neither.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a = gg.Value(2.0, label="P(x|y) {0} <b>")
    >>> "P(x|y) {0} &lt;b&gt;" in to_dot(gg.graph(a)).source
    True
    """
    check_direction(rankdir)
    part = nearest(graph, limit)
    picture = Picture(graph_attr={"rankdir": rankdir, **_PAGE, **effort(part)}, node_attr=_VALUE)
    picture.text = to_text(graph)
    if part.notice:
        picture.attr("graph", label=_html(part.notice), fontname="Helvetica", fontcolor=_MUTE)
    for node in part.nodes:
        _draw_value(picture, graph, node)
    _draw_edges(picture, part, {**graph.wrong_edges(), **wrong})
    return picture


def check_direction(rankdir: str) -> None:
    """Raise a `ValueError` for what is no direction."""
    if rankdir not in DIRECTIONS:
        raise ValueError(f"rankdir is 'LR' or 'TB'; got {rankdir!r}.")


def _draw_value(picture: Picture, graph: Graph, node: int) -> None:
    columns, root = graph.node_columns, graph.root.id
    emphasis = {"color": _ACCENT, "penwidth": "2"} if node == root else {}
    ground = _GROUNDS.get(columns.kind[node], {})
    picture.node(_name(node), _card(graph, node), **emphasis, **ground)
    if columns.kind[node] == "result":
        picture.node(_disc(node), f"<{_text(columns.symbol[node])}>", **_DISC)
        picture.edge(_disc(node), _name(node), color=_LINE, arrowhead="none", weight="10")


def _name(node: int) -> str:
    return f"value{node}"


def _disc(node: int) -> str:
    return f"op{node}"


def _card(graph: Graph, node: int) -> str:
    """Return the label of a value: its name, its number and its gradient; leaves have a bar."""
    columns = graph.node_columns
    bar = f'<td rowspan="2" width="4" bgcolor="{_ACCENT}"></td>'
    title = f'<td align="left" colspan="4"><b>{_roomy(columns.label[node] or " ")}</b></td>'
    if columns.kind[node] == "group" and isnan(columns.data[node]):
        return f'<<table border="0" cellborder="0" cellspacing="0"><tr>{title}</tr></table>>'
    data = _cell(_small("data&#160;")) + _cell(_roomy(typeset(columns.data[node])))
    grad = _cell(_small("grad&#160;")) + _cell(_gradient(columns.grad[node], graph))
    first = f"{bar if columns.kind[node] in ('leaf', 'parameter') else ''}{title}"
    table = f"<tr>{first}</tr><tr>{data}{grad}</tr>"
    return f'<<table border="0" cellborder="0" cellspacing="0" cellpadding="2">{table}</table>>'


def _cell(content: str) -> str:
    return f'<td align="left">{content}</td>'


def _roomy(text: str) -> str:
    """Return text with room behind it: a page may draw it in a wider font than dot measured."""
    return _text(text) + "&#160;" * (1 + len(text) // 3)


def _small(word: str) -> str:
    return f'<font color="{_MUTE}" point-size="10">{word}</font>'


def _gradient(grad: float | None, graph: Graph) -> str:
    if grad is None or (grad == graph.start and not graph.ran):
        return _small(_roomy(NOT_RUN))
    return f'<font color="{_sign_colour(grad)}">{_roomy(typeset(grad))}</font>'


def _sign_colour(number: float) -> str:
    if number == 0 or isnan(number):
        return _MUTE
    return _POSITIVE if number > 0 else _NEGATIVE


def _draw_edges(picture: Picture, part: Part, wrong: Mapping[int, str]) -> None:
    """Draw operands into the discs of their results; a flow has its sign's colour and its size."""
    edges = [part.graph.edges[edge] for edge in part.edges]
    largest = max((_size(edge.flow) for edge in edges), default=0.0)
    for index, edge in zip(part.edges, edges, strict=True):
        flowing = {}
        if edge.flow:
            share = _size(edge.flow) / largest if largest else 0.0
            width = 1 + (_THICKEST - 1) * share
            flowing = {"color": _sign_colour(edge.flow), "penwidth": f"{width:.2f}"}
        uses = {"label": f"{edge.count:,} uses", "fontsize": "10"} if edge.count > 1 else {}
        look = {"color": _LINE, "arrowsize": "0.6", **flowing, **uses}
        if index in wrong:
            red = {"color": _WRONG, "fontcolor": _WRONG, "fontname": "Helvetica", "fontsize": "10"}
            look |= {"penwidth": "2.5", "label": _html(wrong[index].replace("-", "−")), **red}
            look["style"] = "dashed"  # never by colour alone
        end = _disc if part.graph.node_columns.kind[edge.target] == "result" else _name
        picture.edge(_name(edge.source), end(edge.target), **look)


def _size(flow: float | None) -> float:
    """Return how wide a flow is, on a scale that lets small ones be seen beside large ones."""
    if not flow or isnan(flow):
        return 0.0
    return log10(1 + min(abs(flow), 1e12))


def _text(text: str) -> str:
    """Escape the user's text for an HTML-like label; dot reads backslashes even there."""
    return escape(one_line(text)).replace("\\", "\\\\")


def _html(text: str) -> str:
    return f"<{_text(text)}>"
