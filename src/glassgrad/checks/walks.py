"""Drivers: the slips that people make in ``backward()``, as schedules.

In flow the graph of a small program and what somebody's ``backward()`` left in its leaves; out
flows the slip.  A driver is a *schedule*: the order in which it runs the values' rules.  Each slip
is the schedule it leads to; the one that gives the learner's numbers on every program is the one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeAlias

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
        "{driver} runs in the wrong order",
        "A value is listed before its operands; append it after the loop over them.",
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


_Walk: TypeAlias = tuple[Graph, Sequence[int], Sequence[float]]


def explain(
    walks: Sequence[tuple[Graph, Sequence[int], Sequence[float]]],
) -> tuple[str, str] | None:
    """Return what is wrong with a driver and what to do, or None where no slip explains it.

    Parameters
    ----------
    walks : sequence of (graph, ids, gradients)
        Programs, and what the driver left in the values with these ids.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a = gg.Value(1.0)
    >>> b = a + a
    >>> graph = gg.graph(b + b)
    >>> explain([(graph, [0], [8.0])])[0]
    '{driver} runs the rule of a shared value more than once'
    """
    return next(
        (
            (what, slip)
            for turn in _ORDERS.values()
            for schedule, what, slip in _SLIPS
            if all(_same(walk, schedule, turn) for walk in walks)
        ),
        None,
    )


_ORDERS: Mapping[str, Callable[[list[int]], list[int]]] = {
    "as written": lambda operands: operands,
    "each once": lambda operands: list(dict.fromkeys(operands)),
    "turned": lambda operands: operands[::-1],
    "turned, each once": lambda operands: list(dict.fromkeys(operands[::-1])),
}
"""In which order a class may keep its operands."""


def _same(
    walk: _Walk,
    schedule: _Schedule,
    turn: Callable[[list[int]], list[int]],
) -> bool:
    graph, ids, gradients = walk
    sources, counts = graph.edge_columns.source, graph.edge_columns.count

    def children(node: int) -> Sequence[int]:
        edges = graph.operand_edges(node)
        return turn([sources[edge] for edge in edges for _ in range(counts[edge])])

    order = list(islice(schedule(graph.root.id, children), _MOST + 1))
    if len(order) > _MOST:
        return False
    grads = run(graph, order)
    return all(agree(grads[id], gradient) for id, gradient in zip(ids, gradients, strict=True))


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
