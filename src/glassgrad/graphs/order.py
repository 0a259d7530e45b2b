"""Orders of a graph: operands first, and who uses what.

In flows a root and a function that tells operands; out flows the topological order, found by a
depth-first walk that keeps its own stack, so that no depth is too deep.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from glassgrad.graphs.model import Graph

_Key = TypeVar("_Key", bound=Hashable)


def post_order(
    root: _Key, operands: Callable[[_Key], Iterable[_Key]]
) -> tuple[list[_Key], list[tuple[_Key, ...]]]:
    """Return everything below `root`, operands first, and the cycles on the way.

    The order is that of a depth-first walk which visits operands in order and lists a key when it
    leaves it.  Where an operand leads back into its own result there is no such order: that link
    is reported and not followed.

    Parameters
    ----------
    root : hashable
        Where to start.
    operands : callable
        Tells the operands of a key; called once for each key.

    Returns
    -------
    keys : list
        Every key once, each after its operands; `root` is last.
    cycles : list of tuple
        For each link that was not followed, the way from a key over its operands back to itself.

    Examples
    --------
    >>> post_order("c", {"c": "da", "d": "ab", "a": "", "b": ""}.__getitem__)
    (['a', 'b', 'd', 'c'], [])
    >>> post_order("b", {"b": "a", "a": "b"}.__getitem__)
    (['a', 'b'], [('b', 'a', 'b')])
    """
    keys: list[_Key] = []
    cycles: list[tuple[_Key, ...]] = []
    finished: dict[_Key, bool] = {root: False}  # False while the walk is below the key
    stack = [(root, iter(operands(root)))]
    while stack:
        key, remaining = stack[-1]
        for operand in remaining:
            state = finished.get(operand)
            if state is None:
                finished[operand] = False
                stack.append((operand, iter(operands(operand))))
                break
            if not state:
                cycles.append(_way_back(operand, [above for above, _ in stack]))
        else:
            stack.pop()
            finished[key] = True
            keys.append(key)
    return keys, cycles


def _way_back(start: _Key, path: list[_Key]) -> tuple[_Key, ...]:
    return (*path[path.index(start) :], start)


def consumer_edges(graph: Graph) -> list[list[int]]:
    """Return, for each node, the indices of the edges along which it is used.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a = gg.Value(2.0)
    >>> consumer_edges(gg.graph(a * a))
    [[0, 1], []]
    """
    consumers: list[list[int]] = [[] for _ in range(len(graph))]
    for edge, source in enumerate(graph.edge_columns.source):
        consumers[source].append(edge)
    return consumers
