"""A graph in the language of Mermaid: for README files and wikis that draw it themselves.

In flows a graph; out flows a flowchart.  The front end copies the same text (``js/copy.ts``).  All
that is not a letter, a digit or a space becomes a numbered entity, so that text stays text.
"""

from __future__ import annotations

from math import isnan
from unicodedata import category

from glassgrad.graphs.fold import nearest
from glassgrad.graphs.model import Graph
from glassgrad.graphs.numbers import plain
from glassgrad.render.dot import LIMIT, check_direction


def to_mermaid(graph: Graph, *, rankdir: str = "LR", limit: int = LIMIT) -> str:
    """Return a graph as a flowchart of Mermaid.

    Parameters
    ----------
    graph : Graph
        The graph.
    rankdir : {"LR", "TB"}, optional
        From left to right, or from top to bottom.
    limit : int, optional
        How many values to draw, those nearest the root; a comment says what is missing.

    Raises
    ------
    ValueError
        When `rankdir` is neither.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a = gg.Value(3.0)
    >>> b = a.exp()
    >>> print(to_mermaid(gg.graph(b)), end="")
    flowchart LR
      n0["a<br/>data 3"]
      n1["eˣ → b<br/>data 20#46;0855"]
      n0 --> n1
    """
    check_direction(rankdir)
    part, columns, edges = nearest(graph, limit), graph.node_columns, graph.edge_columns
    lines = [f"%% {part.remark}"] if part.remark else []
    lines.append(f"flowchart {rankdir}")
    for node in part.nodes:
        symbol = columns.symbol[node] or columns.op[node]
        name = columns.label[node] or columns.symbol[node] or "this value"
        made = f"{_entity(symbol)} → " if symbol else ""
        data = f"<br/>data {_entity(plain(columns.data[node], 6))}"
        has_none = columns.kind[node] == "group" and isnan(columns.data[node])
        lines.append(f'  n{node}["{made}{_entity(name)}{"" if has_none else data}"]')
    for edge in part.edges:
        count = edges.count[edge]
        label = f'|"{count} times"| ' if count > 1 else ""
        lines.append(f"  n{edges.source[edge]} --> {label}n{edges.target[edge]}")
    return "\n".join([*lines, ""])


def _entity(text: str) -> str:
    return "".join(
        sign if sign == " " or category(sign)[0] in "LN" else f"#{ord(sign)};" for sign in text
    )
