"""Gradients that a graph does not account for: what an earlier ``backward()`` left behind.

In flows a graph after backward; out flows one sentence, if the leaves hold more than this graph
sends them while everything above them holds exactly that.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

from glassgrad.graphs.model import Graph
from glassgrad.graphs.numbers import counted, plain
from glassgrad.graphs.recognise import agree
from glassgrad.graphs.tape import gradients

_LARGEST = 10_000  # values; in larger graphs a sum of so many terms proves nothing


def left_over(graph: Graph) -> Iterator[str]:
    """Say which leaf holds more than its share, and how much of it comes from here.

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
        yield (
            f"{columns.label[first]}.grad is {plain(columns.grad[first] or 0.0)}, and this graph "
            f"accounts for {plain(sent[first] or 0.0)} of it{also}: the rest was there before. "
            "Zero the gradients before backward() to see this run alone."
        )
