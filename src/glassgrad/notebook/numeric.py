"""A graph in, the slope of each input as the lecture measures it out: nudge it, and look.

``(f(x + h) - f(x)) / h`` has an error of its own, which grows with ``h``, and with rounding when
``h`` is tiny. That is its point: the number stands beside the gradient, and the difference beside
both. The root is computed again from the operations of the graph; the user's objects stay as they
are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from glassgrad.checks.replay import Replays
from glassgrad.checks.rerun import Rerun
from glassgrad.graphs.collect import collect
from glassgrad.graphs.model import Graph

STEP = 0.0001
"""The step of the lecture."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The measured slopes of a graph's inputs.

    Parameters
    ----------
    h : float
        The step.
    slopes : mapping of int to float
        By the id of the input.
    sentence : str
        What could not be measured, or ``""``.
    """

    h: float
    slopes: Mapping[int, float]
    sentence: str = ""


def measure(root: object, graph: Graph, h: float = STEP) -> Measured:
    """Measure how the root answers a nudge of each of its inputs.

    Parameters
    ----------
    root : object
        A Value of any class.
    graph : Graph
        What was read from it.
    h : float, optional
        How far to nudge.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a = gg.Value(3.0)
    >>> b = a * a
    >>> measured = measure(b, gg.graph(b), 0.5)
    >>> measured.slopes[0]
    6.5
    """
    kind: Any = type(root)
    data = list(graph.node_columns.data)
    replays = Replays(collect(root), data, kind)
    again = [replays.of(node.id) if node.kind == "result" else None for node in graph.nodes]
    rerun = Rerun(again, data)
    slopes: dict[int, float] = {}
    missing: list[str] = []
    for node in graph.nodes:
        if node.kind not in ("leaf", "parameter"):
            continue
        slope = _slope(rerun, node.id, h) if _reaches(graph, again, node.id) else None
        if slope is None:
            missing.append(node.label)
        else:
            slopes[node.id] = slope
    return Measured(h, slopes, _unmeasured(missing))


def _slope(rerun: Rerun, node: int, h: float) -> float | None:
    try:
        x = rerun.data[node]
        slope = (rerun.root(node, x + h) - rerun.root(node, x)) / h
    except Exception:  # the learner's own method may raise anything when it is run again
        return None
    return slope if isfinite(slope) else None


def _reaches(graph: Graph, again: list[Any], node: int) -> bool:
    """Whether every operation between an input and the root can be run again."""
    edges = graph.edge_columns
    touched = {node}
    for source, target in zip(edges.source, edges.target, strict=True):
        if source in touched:
            if again[target] is None:
                return False
            touched.add(target)
    return True


def _unmeasured(names: list[str]) -> str:
    if not names:
        return ""
    listed = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    return (
        f"--numeric is not available for {listed}: an operation on the way to the result "
        "cannot be run again with other numbers."
    )
