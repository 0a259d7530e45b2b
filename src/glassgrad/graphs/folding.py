"""A large graph as a picture of few cards, of which some stand for many values.

In flow a graph and the names of the groups that are open; out flows a graph of cards, that every
renderer draws as it draws any other. What it says is true of the whole: a card that stands for
values of which only one is used outside has that value's number and gradient, and its slopes are
the sums over all ways through it; a card with several such values has no number, and what flows
along an edge into it is the sum of what its values send.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from glassgrad.graphs.findings import Finding
from glassgrad.graphs.groups import Group, divide, whole
from glassgrad.graphs.model import EdgeColumns, Graph, Kind, NodeColumns
from glassgrad.graphs.numbers import counted
from glassgrad.graphs.region import Links, Region, in_order

FOLDS_FROM = 300
"""Graphs of more values fold by themselves."""

BOUND = 600
"""No group opens that would bring more cards into a picture."""


@dataclass(frozen=True, slots=True)
class Line:
    """An edge of the picture, and the edges of the graph that it stands for."""

    source: int
    target: int
    edges: tuple[int, ...]
    own: bool
    """Whether it is one edge, between two values."""


class Folding:
    """Which card each value of a graph stands on; the numbers come later, and may change.

    Parameters
    ----------
    graph : Graph
        The whole.
    opened : sequence of str
        The names of open groups. Names that are none are left out.

    Examples
    --------
    >>> import glassgrad as gg
    >>> x = gg.Value(2.0, label="x")
    >>> loss = sum((x * k).tanh() for k in range(1, 101))
    >>> folding = Folding(gg.graph(loss), [])
    >>> [card if isinstance(card, int) else card.name for card in folding.cards]
    [1, 'tanh(×)', 'Σ', 401]
    >>> [card.name for card in Folding(gg.graph(loss), ["Σ"]).opened]
    ['Σ']
    """

    def __init__(self, graph: Graph, opened: Sequence[str] = ()) -> None:
        self.graph = graph
        self.opened: list[Group] = []
        """The groups that are open, each after the one around it."""

        self.notice: str | None = None
        """One sentence where a group would have brought too many cards."""

        links = Links(graph)
        root = len(graph) - 1
        cells = divide(links, whole(len(graph))) if root > 0 else []
        wanted = set(opened)
        cells = [*self._open(links, cells, wanted, len(cells)), root]
        keys = [0] * len(graph)
        for number, cell in enumerate(cells):
            for node in values_of(cell):
                keys[node] = number
        region = Region(links, range(len(graph)))
        self.cards = [cells[keys[part[0]]] for part in in_order(region, list(keys))]
        """Groups, and the ids of single values, in a topological order; the root is last."""

        self.card_of = [0] * len(graph)
        """Per value: the index of its card."""

        for number, card in enumerate(self.cards):
            for node in values_of(card):
                self.card_of[node] = number
        self.links = links
        self.lines = self._lines()

    def _open(
        self, links: Links, cells: Iterable[Group | int], wanted: set[str], count: int
    ) -> list[Group | int]:
        found: list[Group | int] = []
        waiting = list(cells)[::-1]
        while waiting:
            cell = waiting.pop()
            inside = divide(links, cell) if isinstance(cell, Group) and cell.name in wanted else []
            if isinstance(cell, Group) and count + len(inside) > BOUND:
                self.notice = f"No more than {BOUND} cards: close a group, and {cell.label} opens."
                inside = []
            if isinstance(cell, int) or not inside:
                found.append(cell)
                continue
            self.opened.append(cell)
            count += len(inside) - 1
            waiting += inside[::-1]
        return found

    @property
    def ids(self) -> list[int]:
        """Per card: the id of its last value, which no other card has."""
        return [values_of(card)[-1] for card in self.cards]

    @cached_property
    def outputs(self) -> list[list[int]]:
        """Per card: its values that others use, or that are the root."""
        used: list[set[int]] = [set() for _ in self.cards]
        columns = self.graph.edge_columns
        for line in self.lines:
            used[line.source].update(columns.source[edge] for edge in line.edges)
        used[-1].add(len(self.graph) - 1)
        return [sorted(values) for values in used]

    def is_single(self, node: int) -> bool:
        """Whether a value has a card of its own."""
        return isinstance(self.cards[self.card_of[node]], int)

    def is_one(self, card: int) -> bool:
        """Whether only one value of a card is used by others."""
        return len(self.outputs[card]) == 1

    def says(self, card: int) -> str:
        """Return what a card without a number says instead of it; ``""`` where there is one."""
        group = self.cards[card]
        return group.says if isinstance(group, Group) and not self.is_one(card) else ""

    def _lines(self) -> list[Line]:
        """Collect the edges between each two cards, by target; those of two values stay apart."""
        columns, card_of = self.graph.edge_columns, self.card_of
        found: list[dict[tuple[int, int], list[int]]] = [{} for _ in self.cards]
        for edge, (source, target) in enumerate(zip(columns.source, columns.target, strict=True)):
            start, end = card_of[source], card_of[target]
            if start != end:
                alone = isinstance(self.cards[start], int) and isinstance(self.cards[end], int)
                found[end].setdefault((start, edge if alone else -1), []).append(edge)
        return [
            Line(start, end, tuple(edges), alone >= 0)
            for end, lines in enumerate(found)
            for (start, alone), edges in lines.items()
        ]


def folding_of(
    graph: Graph, fold: bool | None = None, opened: Sequence[str] = ()
) -> Folding | None:
    """Return the cards of a graph that is to be folded, by default a large one; None for others."""
    wanted = len(graph) > FOLDS_FROM if fold is None else fold
    return Folding(graph, opened) if wanted else None


def values_of(card: Group | int) -> tuple[int, ...]:
    """Return the ids of the values on a card."""
    return (card,) if isinstance(card, int) else card.nodes


def picture(folding: Folding, graph: Graph) -> Graph:
    """Return the graph of the cards, with the numbers of a graph of the folding's structure.

    Parameters
    ----------
    folding : Folding
        The cards.
    graph : Graph
        The numbers: `folding.graph`, or one that is like it.

    Examples
    --------
    >>> import glassgrad as gg
    >>> x = gg.Value(2.0, label="x")
    >>> loss = sum((x * k).tanh() for k in range(1, 101))
    >>> graph = gg.graph(loss)
    >>> cards = picture(Folding(graph), graph)
    >>> [(node.label, node.kind) for node in cards.nodes]
    [('x', 'leaf'), ('tanh(×) · 100 times', 'group'), ('Σ · 99 in a row', 'group'), \
('loss', 'result')]
    >>> [(edge.source, edge.target, edge.count) for edge in cards.edges]
    [(0, 1, 100), (1, 2, 99), (2, 3, 1), (1, 3, 1)]
    """
    through: dict[int, dict[int, float | None]] = {}
    slopes = [_slope(folding, graph, line, through) for line in folding.lines]
    edges = graph.edge_columns
    columns = EdgeColumns(
        source=tuple(line.source for line in folding.lines),
        target=tuple(line.target for line in folding.lines),
        operand=tuple(
            edges.operand[line.edges[0]] if len(line.edges) == 1 else None for line in folding.lines
        ),
        count=tuple(sum(edges.count[edge] for edge in line.edges) for line in folding.lines),
        slope=tuple(slopes),
    )
    return replace(
        graph,
        node_columns=_nodes(folding, graph),
        edge_columns=columns,
        findings=tuple(_findings(folding, graph)),
    )


def flows(folding: Folding, graph: Graph) -> dict[int, float | None]:
    """Return what flows along the edges of the picture that no slope tells of, by index.

    They lead from one value into a card with several outputs: the contributions of all its values
    to that one add up. None where one of them is unknown; nothing while backward has not run.
    """
    if not graph.ran:
        return {}
    edges, grad = graph.edge_columns, graph.node_columns.grad
    found: dict[int, float | None] = {}
    for at, line in enumerate(folding.lines):
        if folding.is_one(line.source) and not folding.is_one(line.target):
            total: float | None = 0.0
            for edge in line.edges:
                slope, upstream = edges.slope[edge], grad[edges.target[edge]]
                if total is None or slope is None or upstream is None:
                    total = None
                else:
                    total += slope * upstream
            found[at] = total
    return found


# -- slopes ----------------------------------------------------------------------------------------


def _slope(
    folding: Folding, graph: Graph, line: Line, through: dict[int, dict[int, float | None]]
) -> float | None:
    """Return the slope of an edge between cards of one output each; those of others have none."""
    if not (folding.is_one(line.source) and folding.is_one(line.target)):
        return None
    if isinstance(folding.cards[line.target], int):
        return _sum(graph.edge_columns.slope[edge] for edge in line.edges)
    if line.target not in through:
        through[line.target] = _through(folding, graph, line.target)
    return through[line.target].get(folding.outputs[line.source][0])


def _sum(slopes: Iterable[float | None]) -> float | None:
    total = 0.0
    for slope in slopes:
        if slope is None:
            return None
        total += slope
    return total


def _through(folding: Folding, graph: Graph, card: int) -> dict[int, float | None]:
    """Return the slope of a card's one output against each value that enters it."""
    columns, nodes = graph.edge_columns, values_of(folding.cards[card])
    sent: dict[int, float | None] = {folding.outputs[card][0]: 1.0}
    for node in reversed(nodes):
        above = sent.get(node, 0.0)
        for edge in folding.links.operand_edges(node):
            slope, source = columns.slope[edge], columns.source[edge]
            held = sent.get(source, 0.0)
            unknown = slope is None or above is None or held is None
            sent[source] = None if unknown else held + slope * above  # type: ignore[operator]
    return sent


# -- nodes -----------------------------------------------------------------------------------------


def _nodes(folding: Folding, graph: Graph) -> NodeColumns:
    columns = graph.node_columns
    merged = {line.target for line in folding.lines if not line.own}
    rows = []
    for card, group in enumerate(folding.cards):
        if isinstance(group, int):
            kind: Kind = columns.kind[group]
            # of operands that stand on a card with others, a rule cannot be told
            primitive = None if card in merged else columns.primitive[group]
            rows.append(
                (
                    columns.op[group],
                    columns.symbol[group],
                    columns.label[group],
                    columns.data[group],
                    columns.grad[group],
                    kind,
                    primitive,
                    columns.source[group],
                    columns.scope[group],
                )
            )
            continue
        one = folding.outputs[card][0] if folding.is_one(card) else -1
        data, grad = (columns.data[one], columns.grad[one]) if one >= 0 else (float("nan"), None)
        label = f"{group.label} · {group.says}"
        rows.append(("", "", label, data, grad, "group", None, None, group.scope))
    return NodeColumns(*map(tuple, zip(*rows, strict=True)))


def _findings(folding: Folding, graph: Graph) -> list[Finding]:
    """Return what is unusual by card; of a group the first thing, and how many values have some."""
    found: list[Finding] = []
    inside: dict[int, list[int]] = {}
    for finding in graph.findings:
        card = folding.card_of[finding.node]
        if isinstance(folding.cards[card], int):
            operands = tuple(dict.fromkeys(folding.card_of[one] for one in finding.operands))
            found.append(replace(finding, node=card, operands=operands))
        elif not inside.get(card) or inside[card][-1] != finding.node:
            inside.setdefault(card, []).append(finding.node)
    for card, nodes in inside.items():
        first = next(filter(None, chain.from_iterable(map(graph.notes, nodes))), "")
        if first:
            more = f" {counted(len(nodes), 'value')} in here have such a note." if nodes[1:] else ""
            found.append(Finding(card, "inside", detail=first + more))
    return sorted(found, key=lambda finding: finding.node)
