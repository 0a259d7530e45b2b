"""Gradients that a library computed and did not keep: PyTorch keeps those of leaves only.

In flows a graph whose leaves have gradients and whose results have none; out flows the same graph
with what its slopes send to each result, if that is what arrived at the leaves.
"""

from __future__ import annotations

from dataclasses import replace

from glassgrad.graphs.model import Graph
from glassgrad.graphs.recognise import agree
from glassgrad.graphs.tape import gradients

SAID = "Gradients are kept for leaves only; the others follow from the slopes."


def filled(graph: Graph) -> Graph:
    """Return a graph with the gradients that were not kept; itself where they cannot be known.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a = gg.Value(3.0)
    >>> graph = gg.graph(a * a)
    >>> filled(graph) is graph
    True
    """
    columns = graph.node_columns
    if columns.grad[-1] is not None and columns.kind[-1] == "result":
        return graph  # nearly always; the rest looks at every value
    kept = {node: grad for node, grad in enumerate(columns.grad) if grad is not None}
    if not any(kept.values()) or any(columns.kind[node] == "result" for node in kept):
        return graph
    sent = gradients(graph)
    for node, grad in kept.items():
        share = sent[node]
        if share is None or not agree(grad, share):
            return graph
    grads = tuple(kept.get(node, share) for node, share in enumerate(sent))
    return replace(graph, node_columns=replace(columns, grad=grads), messages=(SAID,))
