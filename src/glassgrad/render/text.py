"""A graph as a tree of lines: for terminals, for ``print``, for where no picture is shown.

In flows a graph; out flows text.  The root stands at the top and operands hang below it; a value
that is used in several places is written out once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from glassgrad.graphs.fold import Part, nearest
from glassgrad.graphs.model import Graph
from glassgrad.graphs.names import expression
from glassgrad.graphs.numbers import NOT_RUN, counted, plain
from glassgrad.graphs.order import consumer_edges
from glassgrad.render.lines import one_line

LIMIT = 200
"""So many values are written at most, those nearest the root."""

DEEPEST = 12
"""So many levels are written below the root; deeper branches leave the page on the right."""

_GAP = "    "
_NUMERALS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


class _Line(NamedTuple):
    """One line of the tree."""

    branch: str
    node: int
    again: bool  # the value was written out above
    hidden: int  # so many of its operands are not written


def to_text(graph: Graph, *, limit: int = LIMIT) -> str:
    """Return a graph as a tree of lines, with values and gradients.

    Parameters
    ----------
    graph : Graph
        The graph.
    limit : int, optional
        How many values to write, those nearest the root; a sentence says what is missing.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a, b = gg.Value(2.0), gg.Value(-3.0)
    >>> c = a * b + a
    >>> c.backward()
    >>> print(to_text(gg.graph(c)))
    c = a * b + a      data -4    grad  1
    ├─ + ─ a * b       data -6    grad  1
    │      ├─ * ─ a    data  2    grad -2    (two uses)
    │      └─ * ─ b    data -3    grad  2
    └─ + ─ a           (shown above)
    """
    part = nearest(graph, limit)
    lines = list(_tree(part))
    sentences = [*graph.messages, *(note for node in part.nodes for note in graph.notes(node))]
    if part.notice:
        sentences.append(part.notice)
    elif any(line.hidden for line in lines):
        sentences.append(
            f"{counted(len(graph), 'value')}; showing {DEEPEST} levels below the root."
        )
    return "\n".join(
        [*_aligned(graph, lines), *(one_line(sentence, 400) for sentence in sentences)]
    )


def heading(graph: Graph) -> str:
    """Return the root's name and how it was computed, on one line.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a, b = gg.Value(2.0), gg.Value(-3.0)
    >>> c = a * b
    >>> heading(gg.graph(c))
    'c = a * b'
    """
    return _name(graph, graph.root.id)


def _tree(part: Part) -> Iterator[_Line]:
    """Walk from the root down, operand by operand, with a stack of its own."""
    graph = part.graph
    sources, kept, written = graph.edge_columns.source, set(part.edges), set[int]()
    stack = [(graph.root.id, "", "", 0)]
    while stack:
        node, branch, trunk, depth = stack.pop()
        every = graph.operand_edges(node)
        below = [edge for edge in every if edge in kept] if depth < DEEPEST else []
        again = node in written
        yield _Line(branch, node, again, len(every) - len(below))
        if again:
            continue
        written.add(node)
        op = one_line(graph.node_columns.op[node]) or graph.node_columns.symbol[node]
        for edge in reversed(below):
            last = edge == below[-1]
            here = f"{trunk}{'└─' if last else '├─'} {op} ─ "
            under = f"{trunk}{'  ' if last else '│ '} {' ' * len(op)}   "
            stack.append((sources[edge], here, under, depth + 1))


# -- lines ----------------------------------------------------------------------------------------


def _aligned(graph: Graph, lines: Sequence[_Line]) -> Iterator[str]:
    """Write the lines with data, gradients and remarks below each other."""
    columns = graph.node_columns
    written = [line.node for line in lines if not line.again]
    data = _column([plain(columns.data[node]) for node in written])
    grad = _column([_gradient(columns.grad[node], graph) for node in written])
    numbers = {
        node: f"data {number}{_GAP}grad {gradient}"
        for node, number, gradient in zip(written, data, grad, strict=True)
    }
    uses = [_uses(graph, edges) for edges in consumer_edges(graph)]
    heads = [line.branch + _name(graph, line.node) for line in lines]
    width = max(map(len, heads))
    for line, head in zip(lines, heads, strict=True):
        said = "(shown above)"
        if not line.again:
            remarks = "  ".join(_remarks(graph, line, uses[line.node]))
            said = f"{numbers[line.node]}{_GAP}{remarks}"
        yield f"{head.ljust(width)}{_GAP}{said}".rstrip()


def _column(numbers: Sequence[str]) -> list[str]:
    """Make numbers equally wide, with the signs in a place of their own."""
    signed = any(number.startswith("-") for number in numbers)
    shifted = [f" {n}" if signed and not n.startswith("-") else n for n in numbers]
    width = max(map(len, shifted))
    return [number.ljust(width) for number in shifted]


def _gradient(grad: float | None, graph: Graph) -> str:
    return NOT_RUN if grad is None or (grad == graph.start and not graph.ran) else plain(grad)


def _name(graph: Graph, node: int) -> str:
    """Return the name of a value; the root shows how it was computed as well."""
    columns, name = graph.node_columns, graph.node_columns.label[node]
    if node == graph.root.id:
        source = columns.source[node]
        text = source.text if source and source.text else _expression(graph, node)
        if text and text != name:
            name = text if text.startswith(f"{name} =") else f"{name} = {text}"
    return one_line(name)


def _expression(graph: Graph, node: int) -> str:
    """Write a value as an expression over its operands, where they all have names."""
    columns, edges = graph.node_columns, graph.operand_edges(node)
    operands = [graph.edge_columns.source[edge] for edge in edges]
    # a label that is the operation's symbol stands for the lack of a name
    names = ["" if columns.label[o] == columns.symbol[o] else columns.label[o] for o in operands]
    return expression(columns.primitive[node] or "", columns.op[node], names)


def _uses(graph: Graph, edges: Sequence[int]) -> int:
    return sum(graph.edge_columns.count[edge] for edge in edges)


def _remarks(graph: Graph, line: _Line, uses: int) -> Iterator[str]:
    source = graph.node_columns.source[line.node]
    if source and source.line is not None:
        yield f"line {source.line}"
    if uses > 1:
        yield f"({_NUMERALS.get(uses, f'{uses:,}')} uses)"
    if line.hidden:
        yield f"({counted(line.hidden, 'operand')} not shown)"
