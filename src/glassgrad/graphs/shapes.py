"""What repeats in a graph: values of equal shape, whatever their numbers are.

In flows a region, with keys for the values that belong together already; out flow keys for the
others. Two values have one shape when the same operations on operands of equal shape made them:
the hundred losses of a hundred samples, or the sixteen neurons of a layer.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from glassgrad.graphs.region import Keys, Region

SHORT = 2
"""A row of fewer equal operations, each on the result of the one before, is no chain."""


@dataclass(slots=True)
class _Stack:
    """The values of one shape."""

    units: int
    """How many there are, a chain counted once."""

    reduces: int = 0
    """How many times, in what was joined, several became one."""


@dataclass(slots=True)
class _Joined:
    """Which shapes were joined into which."""

    into: dict[Hashable, Hashable] = field(default_factory=dict)

    def find(self, shape: Hashable) -> Hashable:
        way = []
        while shape in self.into:
            way.append(shape)
            shape = self.into[shape]
        self.into |= dict.fromkeys(way, shape)  # so that no way is walked twice
        return shape


def by_shape(region: Region, named: Sequence[Hashable]) -> Keys:
    """Return the keys, and for each value without one the number of its shape.

    A chain (each value's only use is in the next, by the same operation, as the sums of a loop
    are) is one unit. Shapes whose every unit is used once, and that by one other shape, are joined
    with it: products, their sum and its activation are one stack of neurons. No stack reduces many
    to few more than once, so that layers stay apart.

    Parameters
    ----------
    region : Region
        The values.
    named : sequence of hashable
        Per value: its key, or None.

    Examples
    --------
    >>> import glassgrad as gg
    >>> from glassgrad.graphs.region import Links, Region, parts
    >>> w = gg.Value(2.0)
    >>> graph = gg.graph(sum((w * x).tanh() for x in [gg.Value(1.0), gg.Value(2.0)]))
    >>> region = Region(Links(graph), range(len(graph) - 1))
    >>> [[graph.node_columns.op[at] for at in part] for part in parts(by_shape(region, [None] * 9))]
    [['', '+'], [''], ['', ''], ['*', 'tanh', '*', 'tanh']]
    """
    last, length = _chains(region, named)
    shapes = _shapes(region, named, last, length)
    stacks: dict[Hashable, _Stack] = {}
    for at, shape in enumerate(shapes):
        if last[at] == at:
            stacks.setdefault(shape, _Stack(0)).units += 1
    joined = _joined(region, named, last, shapes, stacks)
    keys: Keys = [joined.find(shape) for shape in shapes]
    for at, key in enumerate(named):
        if key is not None:
            keys[at] = key
    return _with_constants(region, named, keys)


def _chains(region: Region, named: Sequence[Hashable]) -> tuple[list[int], list[int]]:
    """Return for each value the end of its chain (itself where there is none) and its length."""
    op = region.links.graph.node_columns.op
    nodes = region.nodes
    before = [-1] * len(region)
    last = list(range(len(region)))
    length = [1] * len(region)
    for at, operands in enumerate(region.operands):
        if named[at] is not None:
            continue
        for one in operands:
            alike = named[one] is None and op[nodes[one]] == op[nodes[at]]
            if alike and region.consumers[one] == [at] and not region.leaving[one]:
                before[at] = one
                length[at] = length[one] + 1
                break
    for at in reversed(range(len(region))):
        if before[at] >= 0 and length[last[at]] >= SHORT:
            last[before[at]] = last[at]
    return last, length


def _shapes(
    region: Region, named: Sequence[Hashable], last: Sequence[int], length: Sequence[int]
) -> list[int]:
    """Return the number of each value's shape; the values of a chain have that of its end."""
    columns, edges = region.links.graph.node_columns, region.links.graph.edge_columns
    nodes = region.nodes
    position = {node: at for at, node in enumerate(nodes)}
    numbers: dict[Hashable, int] = {}
    shapes = [0] * len(region)
    taken: dict[int, list[Hashable]] = {}  # by the end of a chain: what its values were made of

    for at, node in enumerate(nodes):
        if named[at] is not None:
            shape: Hashable = ("named", named[at])
        else:
            own: list[Hashable] = []
            first: dict[int, int] = {}
            ordered = True
            for edge in region.edges[at]:
                source = edges.source[edge]
                inside = position.get(source)
                again = first.setdefault(source, len(first))
                if inside is not None and last[inside] == last[at] != inside:
                    continue  # the chain itself
                ordered &= edges.operand[edge] is not None
                own.append((-1 if inside is None else shapes[inside], again, edges.count[edge]))
            if not ordered:
                own.sort(key=repr)
            if last[at] != at or length[at] >= SHORT:
                taken.setdefault(last[at], []).append(tuple(own))
            if last[at] != at:
                continue
            made = tuple(taken.pop(at)) if at in taken else tuple(own)
            shape = (columns.op[node], columns.kind[node], made, length[at])
        shapes[at] = numbers.setdefault(shape, len(numbers))
    for at in range(len(region)):
        shapes[at] = shapes[last[at]]
    _part_leaves(region, named, shapes, numbers)
    return shapes


def _part_leaves(
    region: Region, named: Sequence[Hashable], shapes: list[int], numbers: dict[Hashable, int]
) -> None:
    """Tell leaves apart by what uses them, at which place and how often."""
    graph = region.links.graph
    position = {node: at for at, node in enumerate(region.nodes)}
    used: dict[int, set[tuple[Hashable, int | None]]] = {}
    for at, edges in enumerate(region.edges):
        for edge in edges:
            source = position.get(graph.edge_columns.source[edge])
            if source is not None and not region.edges[source]:
                place = (shapes[at], graph.edge_columns.operand[edge])
                used.setdefault(source, set()).add(place)
    for at, places in used.items():
        if named[at] is None:
            uses = region.links.uses[region.nodes[at]]
            kind = graph.node_columns.kind[region.nodes[at]]
            leaf = ("leaf", kind, frozenset(places), uses, region.leaving[at])
            shapes[at] = numbers.setdefault(leaf, len(numbers))


def _joined(
    region: Region,
    named: Sequence[Hashable],
    last: Sequence[int],
    shapes: Sequence[int],
    stacks: dict[Hashable, _Stack],
) -> _Joined:
    """Join shapes along uses that are single: first where many become one, then one by one."""
    only: dict[int, int | None] = {}  # by shape: the one shape that uses it, each unit once
    for at, shape in enumerate(shapes):
        if last[at] != at or named[at] is not None or not region.edges[at]:
            continue
        uses = region.consumers[at]
        single = len(uses) == 1 and not region.leaving[at] and named[uses[0]] is None
        user = shapes[uses[0]] if single else None
        only[shape] = user if only.get(shape, user) == user else None
    joined = _Joined()
    pairs = [(shape, user) for shape, user in only.items() if user is not None]
    for reducing in (True, False):
        for shape, user in pairs:
            one, other = joined.find(shape), joined.find(user)
            reduces = stacks[shape].units > stacks[user].units
            total = stacks[one].reduces + stacks[other].reduces + reduces
            if reduces == reducing and one != other and stacks[user].units > 1 and total <= 1:
                joined.into[one] = other
                stacks[other].reduces = total
    return joined


def _with_constants(region: Region, named: Sequence[Hashable], keys: Keys) -> Keys:
    """Put numbers of the formula to the values that alone use them."""
    kind = region.links.graph.node_columns.kind
    for at, consumers in enumerate(region.consumers):
        users = {keys[one] for one in consumers}
        constant = kind[region.nodes[at]] == "constant" and not region.leaving[at]
        if constant and len(users) == 1 and named[at] is None and named[consumers[0]] is None:
            keys[at] = users.pop()
    return keys
