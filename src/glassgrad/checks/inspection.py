"""Every operation of one graph, measured again where reading it did not recognise it.

In flows what was collected, and its graph; out flows an `Inspection`: which edges are wrong, which
rules, and what nobody could tell.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from glassgrad.checks import walks
from glassgrad.checks.learner import Learner, UnusableError
from glassgrad.checks.replay import Replay, Replays, method_of
from glassgrad.checks.slips import Sample
from glassgrad.graphs.collect import Collected
from glassgrad.graphs.model import Graph
from glassgrad.graphs.numbers import plain
from glassgrad.graphs.operations import NAMELESS
from glassgrad.graphs.recognise import agree

NO_NAME = "an operation without a name"


class Case(NamedTuple):
    """One wrong slope: of a value against an operand."""

    node: int
    operand: int
    slot: int
    replay: Replay
    sample: Sample


@dataclass
class Inspection:
    """A graph, the objects behind it, and what was found so far."""

    collected: Collected
    graph: Graph
    learner: Learner | None
    wrong: dict[int, str] = field(default_factory=dict)
    """The edges (by index) that are wrong, and both numbers."""

    wrong_rules: dict[tuple[object, int], list[Case]] = field(default_factory=dict)
    """By rule and operand: where it gave a wrong slope."""

    unknown: set[str] = field(default_factory=set)
    right: int = 0


def inspect_graph(
    root: Any,
    collected: Collected,
    graph: Graph,
    backward: Callable[[Any], object] | None = None,
) -> Inspection:
    """Measure every operation of a graph, and mark the edges whose slope is wrong.

    What reading the graph has recognised agrees with the table in number and slopes, and is right;
    everything else is run again.
    """
    try:
        learner = Learner(type(root), backward)
    except UnusableError:
        learner = None
    found = Inspection(collected, graph, learner)
    data = list(graph.node_columns.data)
    replays = Replays(collected, data, learner.make if learner else type(root))
    for node, record in enumerate(collected.records):
        if not record.operands:
            continue
        if graph.node_columns.primitive[node] is not None:
            found.right += 1
        elif (replay := replays.of(node)) is not None:
            _compare(found, node, replay, data)
        else:
            found.unknown.add(title_of(found, node))
    return found


def mark_replaced(found: Inspection, grads: Sequence[float | None]) -> None:
    """Mark the edges along which a gradient is overwritten, with what the driver left there."""
    columns, ours = found.graph.edge_columns, our_gradients(found.graph)
    for finding in found.graph.findings:
        if finding.kind == "replaces":
            for edge in found.graph.operand_edges(finding.node):
                source = columns.source[edge]
                if source in finding.operands:
                    got = grads[source] if grads else None
                    wrong = got is not None and not agree(got, ours[source])
                    numbers = f"{plain(got or 0.0)}, not {plain(ours[source])}"
                    found.wrong.setdefault(edge, numbers if wrong and got else finding.mark)


def our_gradients(graph: Graph) -> list[float]:
    """Return the gradients that the rules give in the right order, added up."""
    return walks.run(graph, range(len(graph) - 1, -1, -1))


def _compare(found: Inspection, node: int, replay: Replay, data: Sequence[float]) -> None:
    """Compare the slopes that a rule gives with those that the operation has."""
    columns, edges = found.graph.edge_columns, found.graph.operand_edges(node)
    got: dict[int, float | None] = {}
    for edge in edges:
        source, slope = columns.source[edge], columns.slope[edge]
        held = got.get(source, 0.0)
        got[source] = None if slope is None or held is None else held + slope
    own = [o for o in dict.fromkeys(replay.operands) if o not in found.collected.constants]
    slopes = [replay.slope(data, operand) for operand in own]
    sample = Sample(
        (*(data[o] for o in replay.operands), *replay.constants),
        data[node],
        tuple(slope.value for slope in slopes),
        tuple(or_nan(got.get(operand)) for operand in own),
    )
    for slot, (operand, right) in enumerate(zip(own, slopes, strict=True)):
        measured = got.get(operand)
        if measured is None:
            continue
        if right.accepts(measured):
            found.right += 1
            continue
        case = Case(node, operand, slot, replay, sample)
        found.wrong_rules.setdefault((kind_of(found, node), slot), []).append(case)
        for edge in edges:
            if columns.source[edge] == operand:
                found.wrong[edge] = f"{plain(measured)}, not {plain(right.value)}"


def agrees(first: float | None, second: float) -> bool:
    """Whether a number is known and the same but for rounding."""
    return first is not None and agree(first, second)


def or_nan(number: float | None) -> float:
    """Return a number, nan where none is known."""
    return float("nan") if number is None else number


def kind_of(found: Inspection, node: int) -> object:
    """Return what tells one rule from another: its code, or the operation's name."""
    record = found.collected.records[node]
    return getattr(record.rule, "__code__", None) or record.op


def title_of(found: Inspection, node: int) -> str:
    """Return what to call an operation: its method, its own word for it, or what it made."""
    columns, method = found.graph.node_columns, method_of(found.collected.records[node].rule)
    if hasattr(type(found.collected.objects[node]), method):
        return method
    op, label = columns.op[node], columns.label[node]
    if op not in ("", NAMELESS):
        return op
    return f"{label} ({NO_NAME})"
