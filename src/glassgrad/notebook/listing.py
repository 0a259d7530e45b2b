"""The code of a cell with what each line made, as text in columns: the gutter of a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from glassgrad.engine.ops import PRIMITIVES
from glassgrad.graphs.fold import nearest
from glassgrad.graphs.model import Graph
from glassgrad.graphs.numbers import NOT_RUN, plain
from glassgrad.notebook.code import Code
from glassgrad.render.lines import one_line

WIDEST = 44
"""So many characters of a line are shown before it is cut."""

MOST_VALUES = 6
"""So many values are listed below a line, as beside the picture; the last one always is."""

LIMIT = 1000
"""So many values are listed at most: those nearest the root."""

_GAP = "   "


_TITLES = {2: "data", 3: "grad"}


class _Row(NamedTuple):
    """One row of the listing: the cells of its columns."""

    code: str
    name: str = ""
    data: str = ""
    grad: str = ""
    measured: str = ""
    rule: str = ""


def listing(graph: Graph, code: Code) -> str:
    """Return the lines of a cell with values, gradients and rules beside them.

    Parameters
    ----------
    graph : Graph
        What the cell computed.
    code : Code
        Its lines and what they made. Of a line that ran several times the newest run is shown.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a, b = gg.Value(2.0), gg.Value(-3.0)
    >>> c = a * b
    >>> c.backward()
    >>> code = Code(["a, b = 2, -3", "c = a * b"], runs={1: [[0, 1]], 2: [[2]]})
    >>> print(listing(gg.graph(c), code))
    1  a, b = 2, -3   a   data  2   grad -3
                      b   data -3   grad  2
    2  c = a * b      c   data -6   grad  1   dc/da = b, dc/db = a
    """
    drawn = set(nearest(graph, LIMIT).nodes)
    rows = list(_rows(graph, code, drawn))
    columns = [
        _aligned([row[place] for row in rows], _TITLES.get(place, ""))
        for place in range(len(_Row._fields))
    ]
    texts = [_GAP.join(filter(None, cells)).rstrip() for cells in zip(*columns, strict=True)]
    sentences = [one_line(sentence, 400) for sentence in graph.messages]
    return "\n".join([*texts, *sentences])


def _rows(graph: Graph, code: Code, drawn: set[int]) -> Iterator[_Row]:
    blocks = [code, *code.called]
    width = max(len(str(block.first + len(block.lines) - 1)) for block in blocks)
    marked = any(block.failed is not None for block in blocks)
    for block in blocks:
        if block.title:
            yield _Row(f"{block.title}:")
        for at, text in enumerate(block.lines):
            line = block.first + at
            runs = (block.runs or {}).get(line, [[]])
            sign = "" if not marked else "✗ " if line == block.failed else "  "
            head = f"{sign}{line:>{width}}  {_source(text)}".rstrip()
            if len(runs) > 1:
                head += f"  ({len(runs)} of {len(runs)})"
            here = [
                node
                for node in (runs[-1] if runs else ())
                if node in drawn and graph.node_columns.kind[node] != "constant"
            ]
            yield from _values(graph, code, head, here)


def _source(text: str) -> str:
    """Return a line of code as it stands, but for what cannot be seen, cut short."""
    seen = "".join(c if c.isprintable() else "�" for c in text.expandtabs(4).rstrip())
    return seen if len(seen) <= WIDEST else f"{seen[: WIDEST - 1]}…"


def _values(graph: Graph, code: Code, head: str, here: Sequence[int]) -> Iterator[_Row]:
    if not here:
        yield _Row(head)
    more = len(here) - MOST_VALUES
    shown = here if more <= 0 else [*here[: MOST_VALUES - 1], here[-1]]
    for place, node in enumerate(shown):
        if more > 0 and place == MOST_VALUES - 1:
            yield _Row("", f"… and {more} more")
        yield _value(graph, code, node)._replace(code="" if place else head)


def _value(graph: Graph, code: Code, node: int) -> _Row:
    columns = graph.node_columns
    grad = columns.grad[node]
    is_known = grad is not None and (graph.ran or grad != graph.start)
    gradient = plain(grad) if grad is not None and is_known else NOT_RUN
    measured = ""
    if code.h is not None and code.slopes and node in code.slopes:
        slope = code.slopes[node]
        measured = f"measured {plain(slope)} (h = {plain(code.h)})"
        if grad is not None and is_known:
            measured += f", error {plain(slope - grad)}"
    return _Row(
        "",
        one_line(columns.label[node], WIDEST),
        plain(columns.data[node]),
        gradient,
        measured,
        ", ".join(rules(graph, node)),
    )


def rules(graph: Graph, node: int) -> list[str]:
    """Return the slope of a value against each of its operands, in symbols where they are known.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a = gg.Value(2.0)
    >>> b = a.tanh()
    >>> rules(gg.graph(b, {"a": a, "b": b}), 1)
    ['db/da = 1 - b²']
    """
    name = graph.node_columns.primitive[node]
    row = PRIMITIVES[name] if name is not None else None
    edges = [graph.edges[edge] for edge in graph.operand_edges(node)]
    uses = sum(edge.count for edge in edges)
    known = row is not None and not row.variadic and uses == row.arity == len(edges)
    label = graph.node_columns.label
    said = []
    for edge in edges:
        if graph.node_columns.kind[edge.source] == "constant":
            continue
        right = "unknown" if edge.slope is None else plain(edge.slope)
        if row is not None and known and edge.operand is not None:
            names = [label[e.source] for e in sorted(edges, key=lambda e: e.operand or 0)]
            filling = dict(zip(row.variables, map(_atom, names), strict=True))
            right = row.partial(edge.operand).text.format(**filling, out=_atom(label[node]))
        of, by = _atom(label[node]), _atom(label[edge.source])
        said.append(f"d{of}/d{by} = {right.replace('−', '-')}")
    different = list(dict.fromkeys(said))
    each = " for each use" if len(different) < len(said) else ""
    return [f"{one_line(text, 60)}{each}" for text in different]


def _atom(name: str) -> str:
    return name if name.replace(".", "").replace("_", "").isalnum() else f"({name})"


def _aligned(cells: Sequence[str], title: str) -> list[str]:
    """Make the cells of a column equally wide; numbers keep a place for their signs."""
    if title and any(cell.startswith("-") for cell in cells):
        cells = [f" {cell}" if cell and not cell.startswith("-") else cell for cell in cells]
    cells = [f"{title} {cell}" if title and cell else cell for cell in cells]
    width = max(map(len, cells), default=0)
    return [cell.ljust(width) for cell in cells]
