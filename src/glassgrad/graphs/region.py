"""Some of the values of a graph, how they are linked, and how to divide them without a cycle.

In flow a graph and the ids of values; out flow a `Region`, in which values have positions from 0,
and divisions of it: one key per value, such that no path leaves the values of a key and comes back.
Contracting each of them to one card gives a picture without a cycle.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from heapq import heapify, heappop, heappush
from itertools import accumulate, pairwise

from glassgrad.graphs.model import Graph

Keys = list[Hashable]
"""One key per value of a region; equal keys stand on one card."""


class Links:
    """Where the operand edges of each value begin, and how often it is used: found once per graph.

    Parameters
    ----------
    graph : Graph
        Any graph.
    """

    __slots__ = ("graph", "starts", "uses")

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.uses = [0] * len(graph)
        counts = [0] * (len(graph) + 1)
        for source, target in zip(
            graph.edge_columns.source, graph.edge_columns.target, strict=True
        ):
            self.uses[source] += 1
            counts[target + 1] += 1
        self.starts = list(accumulate(counts))

    def operand_edges(self, node: int) -> range:
        """Return what `Graph.operand_edges` does, without searching."""
        return range(self.starts[node], self.starts[node + 1])


class Region:
    """Values of a graph under positions of their own, in topological order.

    Parameters
    ----------
    links : Links
        The whole graph.
    nodes : sequence of int
        The ids of the values, ascending.
    """

    __slots__ = ("consumers", "edges", "leaving", "links", "nodes", "operands")

    def __init__(self, links: Links, nodes: Sequence[int]) -> None:
        self.links = links
        self.nodes = nodes
        position = {node: at for at, node in enumerate(nodes)}
        source = links.graph.edge_columns.source
        self.edges = [links.operand_edges(node) for node in nodes]
        """Per value: its operand edges, also those from outside."""
        self.operands = [
            [position[source[edge]] for edge in edges if source[edge] in position]
            for edges in self.edges
        ]
        """Per value: the positions of its operands, as far as they are inside."""
        self.consumers: list[list[int]] = [[] for _ in nodes]
        for at, operands in enumerate(self.operands):
            for operand in operands:
                self.consumers[operand].append(at)
        self.leaving = [
            links.uses[node] > len(inside)
            for node, inside in zip(nodes, self.consumers, strict=True)
        ]
        """Per value: whether something outside uses it."""

    def __len__(self) -> int:
        return len(self.nodes)


def parts(keys: Sequence[Hashable]) -> list[list[int]]:
    """Return the positions of each key, in the order in which the keys first occur.

    Examples
    --------
    >>> parts("abac")
    [[0, 2], [1], [3]]
    """
    found: dict[Hashable, list[int]] = {}
    for at, key in enumerate(keys):
        found.setdefault(key, []).append(at)
    return list(found.values())


def without_cycles(region: Region, keys: Keys) -> Keys:
    """Return the keys, with those split that would make a cycle.

    A value's level counts how often the way to it changes its key, at most. Along an edge levels
    never fall, and they rise where the key changes: so keys with their levels make no cycle. Only
    the keys on a cycle, or between two, need theirs: a cycle that remained would lie within them.

    Parameters
    ----------
    region : Region
        The values.
    keys : list of hashable
        One per value.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a = gg.Value(2.0)
    >>> graph = gg.graph(((a * 2).tanh() * 3).exp())
    >>> region = Region(Links(graph), range(len(graph)))
    >>> [label for label in graph.node_columns.op]
    ['', '', '*', 'tanh', '', '*', 'exp']
    >>> without_cycles(region, ["a", "2", "times", "tanh", "3", "times", "exp"])
    ['a', '2', ('times', 1), ('tanh', 2), '3', ('times', 3), 'exp']
    """
    knotted = _knotted(region, keys)
    if not knotted:
        return keys
    levels = _levels(region, keys)
    return [
        (key, level) if key in knotted else key for key, level in zip(keys, levels, strict=True)
    ]


def _levels(region: Region, keys: Keys) -> list[int]:
    levels: list[int] = []
    for at, operands in enumerate(region.operands):
        key = keys[at]
        levels.append(max((levels[one] + (keys[one] != key) for one in operands), default=0))
    for at, consumers in enumerate(region.consumers):
        # what nothing comes before may stand as late as its first use, beside it
        if consumers and not region.operands[at]:
            key = keys[at]
            levels[at] = min(levels[one] - (keys[one] != key) for one in consumers)
    return levels


def _knotted(region: Region, keys: Keys) -> set[Hashable]:
    """Return the keys that lie on a cycle or between cycles."""
    before: dict[Hashable, set[Hashable]] = {key: set() for key in keys}
    after: dict[Hashable, set[Hashable]] = {key: set() for key in keys}
    for at, operands in enumerate(region.operands):
        key = keys[at]
        for one in operands:
            if keys[one] != key:
                before[key].add(keys[one])
                after[keys[one]].add(key)
    left = set(before)
    for behind, ahead in ((before, after), (after, before)):
        waiting = {key: len(behind[key] & left) for key in left}
        free = [key for key, count in waiting.items() if count == 0]
        while free:
            key = free.pop()
            left.discard(key)
            for other in ahead[key]:
                if other in left:
                    waiting[other] -= 1
                    if waiting[other] == 0:
                        free.append(other)
    return left


def in_order(region: Region, keys: Keys) -> list[list[int]]:
    """Return the positions of each key, in a topological order of the keys without cycles.

    Of keys that may stand anywhere, the one with the earliest value comes first.

    Raises
    ------
    ValueError
        When the keys make a cycle.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a, b = gg.Value(2.0), gg.Value(3.0)
    >>> graph = gg.graph(a.tanh() * b.tanh())
    >>> in_order(Region(Links(graph), range(5)), ["leaf", "tanh", "leaf", "tanh", "root"])
    [[0, 2], [1, 3], [4]]
    """
    members = parts(keys)
    cell = [0] * len(region)
    for number, positions in enumerate(members):
        for at in positions:
            cell[at] = number
    edges = {
        (cell[one], cell[at])
        for at, operands in enumerate(region.operands)
        for one in operands
        if cell[one] != cell[at]
    }
    after: list[list[int]] = [[] for _ in members]
    waiting = [0] * len(members)
    for source, target in edges:
        after[source].append(target)
        waiting[target] += 1
    free = [(members[number][0], number) for number, count in enumerate(waiting) if count == 0]
    heapify(free)
    ordered = []
    while free:
        _, number = heappop(free)
        ordered.append(members[number])
        for target in after[number]:
            waiting[target] -= 1
            if waiting[target] == 0:
                heappush(free, (members[target][0], target))
    if len(ordered) < len(members):
        raise ValueError("These groups make a cycle.")
    return ordered


def bundled(ordered: list[list[int]], most: int) -> list[list[int]]:
    """Return at most so many parts: runs of neighbours, each about as large.

    Neighbours in a topological order make no cycle, whatever they are.

    Examples
    --------
    >>> bundled([[0], [1], [2, 5], [3], [4]], 3)
    [[0, 1], [2, 5], [3, 4]]
    """
    if len(ordered) <= most:
        return ordered
    total = sum(map(len, ordered))
    ends = accumulate(map(len, ordered))
    shares = [min(most - 1, (end - 1) * most // total) for end in ends]
    starts = [at for at, (one, other) in enumerate(pairwise([-1, *shares])) if one != other]
    return [
        sorted(position for part in ordered[start:end] for position in part)
        for start, end in pairwise([*starts, len(ordered)])
    ]
