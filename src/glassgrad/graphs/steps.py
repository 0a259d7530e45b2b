"""Forward and backward as a tape: one step per value, in the order in which they run.

In flows a graph; out flows the `Tape`.  It is computed from the local slopes alone, starting with
gradient 1 at the root, so it does not depend on whether backward has run or on what was left in
anybody's ``grad``.
"""

from __future__ import annotations

from dataclasses import dataclass

from glassgrad.graphs.model import Graph
from glassgrad.graphs.names import callers_names
from glassgrad.graphs.read import graph as read_graph


@dataclass(frozen=True, slots=True)
class ForwardStep:
    """One value is computed.

    Parameters
    ----------
    node : int
        Its id.
    operands : tuple of int
        The ids of what it is computed from, repeats kept.
    value : float
        The result.
    """

    node: int
    operands: tuple[int, ...]
    value: float


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one use of an operand sends back to it.

    Parameters
    ----------
    operand : int
        The id of the value that receives.
    position : int or None
        Its position among the operands, None where unknown.
    slope : float or None
        The local slope, None where unknown.
    amount : float or None
        slope × gradient of the result.
    total : float or None
        What the operand holds after this contribution.
    """

    operand: int
    position: int | None
    slope: float | None
    amount: float | None
    total: float | None


@dataclass(frozen=True, slots=True)
class BackwardStep:
    """One value passes its gradient on.

    Parameters
    ----------
    node : int
        Its id.
    gradient : float or None
        Its whole gradient; None where a slope on the way is unknown.
    contributions : tuple of Contribution
        One per edge to an operand, in operand order; none for a leaf.
    """

    node: int
    gradient: float | None
    contributions: tuple[Contribution, ...]


@dataclass(frozen=True, slots=True)
class Tape:
    """Both directions of a graph.

    Parameters
    ----------
    forward : tuple of ForwardStep
        Operands before results: ascending ids.
    backward : tuple of BackwardStep
        Results before operands: descending ids, so that a gradient is whole before it is used.
    """

    forward: tuple[ForwardStep, ...]
    backward: tuple[BackwardStep, ...]


def steps(value: object) -> Tape:
    """Return the tape of a Value, or of a `Graph` that was read before.

    Parameters
    ----------
    value : object
        Anything that ``gg.graph`` reads, or a Graph.

    Raises
    ------
    TypeError
        When `value` has no graph.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a, b = gg.Value(2.0), gg.Value(-3.0)
    >>> c = a * b + a
    >>> for step in gg.steps(c).backward:
    ...     print(step.node, step.gradient, [part.amount for part in step.contributions])
    3 1.0 [1.0, 1.0]
    2 1.0 [-3.0, 2.0]
    1 2.0 []
    0 -2.0 []
    """
    graph = value if isinstance(value, Graph) else read_graph(value, callers_names())
    return Tape(_forward(graph), _backward(graph))


def _forward(graph: Graph) -> tuple[ForwardStep, ...]:
    sources, counts = graph.edge_columns.source, graph.edge_columns.count
    return tuple(
        ForwardStep(
            node,
            tuple(sources[edge] for edge in graph.operand_edges(node) for _ in range(counts[edge])),
            value,
        )
        for node, value in enumerate(graph.node_columns.data)
    )


def _backward(graph: Graph) -> tuple[BackwardStep, ...]:
    gradients: list[float | None] = [0.0] * len(graph)
    gradients[-1] = 1.0
    return tuple(_step(graph, node, gradients) for node in reversed(range(len(graph))))


def _step(graph: Graph, node: int, gradients: list[float | None]) -> BackwardStep:
    """Pass the gradient of `node` on into `gradients`."""
    columns, gradient = graph.edge_columns, gradients[node]
    contributions = []
    for edge in graph.operand_edges(node):
        operand, slope = columns.source[edge], columns.slope[edge]
        amount = None if slope is None or gradient is None else slope * gradient
        held = gradients[operand]
        total = None if amount is None or held is None else held + amount
        gradients[operand] = total
        contributions.append(Contribution(operand, columns.operand[edge], slope, amount, total))
    return BackwardStep(node, gradient, tuple(contributions))
