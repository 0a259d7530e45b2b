"""Gradients that a graph does not account for: what an earlier ``backward()`` left behind.

In flows a graph after backward; out flows one sentence, if the leaves hold more than this graph
sends them while everything above them holds exactly that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite

from glassgrad.graphs.model import Graph
from glassgrad.graphs.numbers import counted, plain
from glassgrad.graphs.recognise import agree
from glassgrad.graphs.tape import gradients

_LARGEST = 10_000  # values; in larger graphs a sum of so many terms proves nothing


_NOWHERE: Mapping[int, int] = {}


def surplus(graph: Graph) -> dict[int, float]:
    """Return by how much leaves hold more than this graph sends them.

    Examples
    --------
    >>> import glassgrad as gg
    >>> w = gg.Value(1.0)
    >>> for factor in (2.0, 3.0):
    ...     y = w * factor
    ...     y.backward()
    >>> surplus(gg.graph(y))
    {0: 2.0}
    """
    grads, kinds = graph.node_columns.grad, graph.node_columns.kind
    if graph.start or len(graph) > _LARGEST or not graph.ran:
        return {}
    found: dict[int, float] = {}
    for node, (grad, share) in enumerate(zip(grads, gradients(graph), strict=True)):
        if kinds[node] in ("constant", "result") or grad is None or share is None:
            continue
        if isfinite(grad) and isfinite(share) and not agree(grad, share):
            found[node] = grad - share
    return found


def left_over(graph: Graph, cells: Mapping[int, int] = _NOWHERE) -> Iterator[str]:
    """Say which leaf holds more than its share, and how much of it comes from here.

    Parameters
    ----------
    graph : Graph
        The graph.
    cells : mapping of int to int, optional
        By node: the number of the cell that left the rest, where that is known.

    Examples
    --------
    >>> import glassgrad as gg
    >>> w = gg.Value(1.0)
    >>> for _ in range(3):
    ...     y = w * 2.0
    ...     y.backward()
    >>> print(*left_over(gg.graph(y)))
    w.grad is 6, and this graph accounts for 2 of it: the rest was there before. Zero the \
gradients before backward() to see this run alone.
    """
    columns = graph.node_columns
    if graph.start or len(graph) > _LARGEST or columns.grad[-1] != 1:
        return
    sent = gradients(graph)
    more: list[int] = []
    for node, (grad, share) in enumerate(zip(columns.grad, sent, strict=True)):
        if columns.kind[node] == "constant":
            continue
        if grad is None or share is None or not isfinite(grad) or not isfinite(share):
            return
        if not agree(grad, share):
            if columns.kind[node] == "result":
                return  # then it is no matter of leaves: backward ran in part, or is wrong
            more.append(node)
    if more and not any(finding.kind == "replaces" for finding in graph.findings):
        first, others = more[0], len(more) - 1
        also = f" (and {counted(others, 'value')} like it)" if others else ""
        rest = f"is from cell {cells[first]}" if first in cells else "was there before"
        yield (
            f"{columns.label[first]}.grad is {plain(columns.grad[first] or 0.0)}, and this graph "
            f"accounts for {plain(sent[first] or 0.0)} of it{also}: the rest {rest}. "
            "Zero the gradients before backward() to see this run alone."
        )
