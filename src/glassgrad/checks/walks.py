"""Drivers: the slips that people make in ``backward()``, as schedules.

In flow the graph of a small program and what somebody's ``backward()`` left in its leaves; out
flows the slip.  A driver is a *schedule*: the order in which it runs the values' rules.  Each slip
is the schedule it leads to; the one that gives the learner's numbers on every program is the one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from glassgrad.graphs.adapters.held import held
from glassgrad.graphs.collect import Collected
from glassgrad.graphs.model import Graph
from glassgrad.graphs.recognise import agree

_MOST = 5_000  # rules in a schedule; what goes on for longer explains nothing

_Children = Callable[[int], Sequence[int]]
_Schedule = Callable[[int, _Children], Iterator[int]]


def _post_order(node: int, children: _Children, seen: set[int] | None) -> Iterator[int]:
    if seen is not None:
        if node in seen:
            return
        seen.add(node)
    for child in children(node):
        yield from _post_order(child, children, seen)
    yield node


def _pre_order(node: int, children: _Children, seen: set[int] | None) -> Iterator[int]:
    if seen is not None:
        if node in seen:
            return
        seen.add(node)
    yield node
    for child in children(node):
        yield from _pre_order(child, children, seen)


def _levels(root: int, children: _Children, seen: set[int] | None) -> Iterator[int]:
    waiting = [root]
    while waiting:
        node = waiting.pop(0)
        if seen is not None:
            if node in seen:
                continue
            seen.add(node)
        yield node
        waiting += children(node)


def _stacked(root: int, children: _Children) -> Iterator[int]:
    waiting, seen = [root], {root}
    while waiting:
        node = waiting.pop()
        yield node
        for child in children(node):
            if child not in seen:
                seen.add(child)
                waiting.append(child)


def _appended_outside(node: int, children: _Children, seen: set[int]) -> Iterator[int]:
    """Append once per visit, though the operands are visited once."""
    if node not in seen:
        seen.add(node)
        for child in children(node):
            yield from _appended_outside(child, children, seen)
    yield node


def _appended_inside(node: int, children: _Children, seen: set[int]) -> Iterator[int]:
    """Append inside the loop over the operands: once per operand, and too early."""
    if node in seen:
        return
    seen.add(node)
    for child in children(node):
        yield from _appended_inside(child, children, seen)
        yield node


def _backwards(order: Iterator[int]) -> Iterator[int]:
    return reversed(list(islice(order, _MOST + 1)))


STOPS = (
    "{driver} stops after the result's own rule",
    "Walk on: sort the whole graph, and call the `_backward` of every value.",
)
"""It leaves the numbers that going through the inputs first leaves; only the source tells."""

INPUTS_FIRST = (
    "{driver} runs in the wrong order: inputs first",
    "The rules are right, their order is not: walk over `reversed(...)` of the sorted list.",
)

LISTED_EARLY = (
    "{driver} runs in the wrong order",
    "A value is listed before its operands; append it after the loop over them.",
)
"""On a tree it leaves the numbers that going through the inputs first leaves."""

_SLIPS: tuple[tuple[_Schedule, str, str], ...] = (
    (
        lambda root, below: iter(()),
        "{driver} runs no rule",
        "Call the `_backward` of every value in the sorted order.",
    ),
    (
        lambda root, below: _post_order(root, below, set()),
        *INPUTS_FIRST,
    ),
    (
        lambda root, below: _backwards(_post_order(root, below, None)),
        "{driver} runs the rule of a shared value more than once",
        "Nothing stops it from visiting a value again: keep a visited set, and append and loop "
        "only inside `if v not in visited`.",
    ),
    (
        lambda root, below: _backwards(_appended_outside(root, below, set())),
        "{driver} runs the rule of a shared value more than once",
        "The append stands one indent too far left: it belongs inside `if v not in visited`.",
    ),
    (
        lambda root, below: _backwards(_appended_inside(root, below, set())),
        "{driver} runs a rule once per operand",
        "The append stands one indent too far right: it belongs after the loop over the operands.",
    ),
    (
        lambda root, below: _pre_order(root, below, None),
        "{driver} passes a gradient on before it is whole",
        "It goes from a value straight on to its operands, so a shared value runs once per path: "
        "sort the graph first, then call each rule once.",
    ),
    (
        lambda root, below: _pre_order(root, below, set()),
        "{driver} passes a gradient on before it is whole",
        "A value is listed before its operands; append it after the loop over them, then reverse.",
    ),
    (
        lambda root, below: _backwards(_pre_order(root, below, set())),
        *LISTED_EARLY,
    ),
    (
        lambda root, below: _levels(root, below, set()),
        "{driver} passes a gradient on before it is whole",
        "It goes level by level, and a value may be used on two levels: sort depth first instead.",
    ),
    (
        lambda root, below: _levels(root, below, None),
        "{driver} runs the rule of a shared value more than once",
        "It goes level by level and visits a value once per path: sort depth first, with a "
        "visited set.",
    ),
    (
        _stacked,
        "{driver} passes a gradient on before it is whole",
        "It takes values from a stack as they come: sort depth first, operands before results.",
    ),
)  # fmt: skip
"""Schedules, what is wrong with each, and what to do."""


class Walk(NamedTuple):
    """One program, and what somebody's driver left in its leaves."""

    graph: Graph
    """Its graph, with slopes."""

    below: Sequence[Sequence[int]]
    """The operands of each value, in the order in which a driver meets them."""

    leaves: Sequence[int]
    """The ids of its leaves."""

    gradients: Sequence[float]
    """What the driver left in them."""


def met(
    collected: Collected, graph: Graph, leaves: Sequence[int], gradients: Sequence[float]
) -> Walk | None:
    """Describe a graph as its own driver meets it, or None where that cannot be told.

    A set hands its members out in an order of its own, and each of them once, whatever the
    program says; a slip then leaves other numbers from one graph to the next.

    Examples
    --------
    >>> import glassgrad as gg
    >>> from glassgrad.graphs.collect import collect
    >>> class Number:
    ...     def __init__(self, data, children=(), slopes=()):
    ...         self.data, self.grad = data, 0.0
    ...         self._children, self._local_grads = children, slopes
    >>> a, b = Number(2.0), Number(3.0)
    >>> c = Number(5.0, (b, a), (1.0, 1.0))
    >>> met(collect(c), gg.graph(c), [1, 0], [0.0, 0.0]).below
    [[], [], [0, 1]]
    """
    places = {id(item): place for place, item in enumerate(collected.objects)}
    below = [_kept(collected, place, places) for place in range(len(collected.objects))]
    known = [order for order in below if order is not None]
    if len(known) < len(below) or None in graph.edge_columns.slope:
        return None
    return Walk(graph, known, leaves, gradients)


def _kept(collected: Collected, place: int, places: dict[int, int]) -> list[int] | None:
    """Return the operands of one value as its container hands them out."""
    value, record = collected.objects[place], collected.records[place]
    values = {operand for operand in collected.operands[place] if operand is not None}
    values -= collected.constants
    kept = held(value).get(record.names.operands)
    members = kept if isinstance(kept, tuple | list | set | frozenset) else ()
    order = [places[id(item)] for item in members if id(item) in places]
    return order if set(order) == values else None


def guesses(graph: Graph, leaves: Sequence[int], gradients: Sequence[float]) -> list[Walk]:
    """Describe a graph as a driver may meet it, one way after the other.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a = gg.Value(2.0)
    >>> [walk.below[1] for walk in guesses(gg.graph(a + a), [0], [2.0])]
    [[0, 0], [0], [0, 0], [0]]
    """
    sources, counts = graph.edge_columns.source, graph.edge_columns.count
    edges = map(graph.operand_edges, range(len(graph)))
    below = [[sources[edge] for edge in here for _ in range(counts[edge])] for here in edges]
    return [Walk(graph, list(map(turn, below)), leaves, gradients) for turn in _TURNS]


_TURNS: tuple[Callable[[list[int]], list[int]], ...] = (
    lambda operands: operands,
    lambda operands: list(dict.fromkeys(operands)),
    lambda operands: operands[::-1],
    lambda operands: list(dict.fromkeys(operands[::-1])),
)
"""In which order a class may keep its operands."""


def explain(walks: Sequence[Walk]) -> tuple[str, str] | None:
    """Return what is wrong with a driver and what to do, or None where no slip explains it.

    Parameters
    ----------
    walks : sequence of Walk
        Programs, and what the driver left.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a = gg.Value(1.0)
    >>> b = a + a
    >>> graph = gg.graph(b + b)
    >>> explain([Walk(graph, [[], [0, 0], [1, 1]], [0], [8.0])])[0]
    '{driver} runs the rule of a shared value more than once'
    """
    return next(
        (
            (what, slip)
            for schedule, what, slip in _SLIPS
            if all(_same(walk, schedule) for walk in walks)
        ),
        None,
    )


def _same(walk: Walk, schedule: _Schedule) -> bool:
    order = list(islice(schedule(walk.graph.root.id, walk.below.__getitem__), _MOST + 1))
    if len(order) > _MOST:
        return False
    grads = run(walk.graph, order)
    pairs = zip(walk.leaves, walk.gradients, strict=True)
    return all(agree(grads[id], gradient) for id, gradient in pairs)


def run(graph: Graph, order: Sequence[int]) -> list[float]:
    """Return every gradient after running the rules of `graph` in some order.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a = gg.Value(3.0)
    >>> run(gg.graph(a * a), [1, 0])
    [6.0, 1.0]
    """
    sources, slopes = graph.edge_columns.source, graph.edge_columns.slope
    grads = [0.0] * len(graph)
    grads[-1] = 1.0
    for node in order:
        for edge in graph.operand_edges(node):
            slope = slopes[edge]
            grads[sources[edge]] += grads[node] * (float("nan") if slope is None else slope)
    return grads
