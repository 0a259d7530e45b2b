"""One graph, checked value by value.

In flows a result; out flows a `Report`.  Each operation's slopes, as its own rule implements them,
are compared with the table's row or with finite differences of the operation itself; then the
class's own ``backward()`` is compared with our own walk.  Everything is put back afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from glassgrad.checks import slips, walks
from glassgrad.checks.bench import Bench
from glassgrad.checks.guard import run
from glassgrad.checks.learner import Learner, UnusableError
from glassgrad.checks.replay import Replay, Replays, as_operation, method_of
from glassgrad.checks.report import NOWHERE, Place, Problem, Report
from glassgrad.checks.slips import Sample
from glassgrad.checks.source import Written, replaces
from glassgrad.graphs.adapters.native import PRIMITIVES
from glassgrad.graphs.assemble import assemble
from glassgrad.graphs.collect import Collected, collect
from glassgrad.graphs.model import Graph
from glassgrad.graphs.names import callers_names, lookup
from glassgrad.graphs.numbers import counted, plain
from glassgrad.graphs.order import consumer_edges
from glassgrad.graphs.probe import adds, untouched
from glassgrad.graphs.read import adapter_of
from glassgrad.graphs.recognise import agree
from glassgrad.graphs.scalar import scalar

_PER_VALUE = 400  # lines that a walk may take for each value and each edge
_LONGEST = 8  # so many problems of one kind are listed


@dataclass
class Inspection:
    """A graph, the objects behind it, and what was found so far."""

    collected: Collected
    graph: Graph
    learner: Learner | None
    wrong: dict[int, str] = field(default_factory=dict)
    """The edges (by index) that are wrong, and both numbers."""

    kinds: dict[object, list[tuple[int, int, Sample, int]]] = field(default_factory=dict)
    """By rule: value, operand, what was measured, and the operand's place."""

    unknown: set[str] = field(default_factory=set)
    right: int = 0


def check_root(root: Any, backward: Callable[[Any], object] | None = None) -> Report:
    """Check the graph behind a result; see `glassgrad.checks.grader.check`.

    Raises
    ------
    TypeError
        When `root` has no graph.

    Examples
    --------
    >>> from glassgrad.engine.value import Value
    >>> a = Value(2.0)
    >>> check_root(a * a + a).passed
    True
    """
    adapter_of(root)
    collected = collect(root)
    objects = [o for n, o in enumerate(collected.objects) if n not in collected.constants]
    with untouched(objects):
        found = inspect_graph(root, collected, backward)
        problems = [*_messages(found), *_slopes(found), *replacing(found), *_driver(found, root)]
    title = found.graph.root.label
    subject = f"{title} (a graph of {counted(len(found.graph), 'value')})"
    return Report(
        subject,
        tuple(problems),
        found.right,
        found.graph,
        found.wrong,
        tuple(sorted(found.unknown)),
    )


def inspect_graph(
    root: Any, collected: Collected, backward: Callable[[Any], object] | None = None
) -> Inspection:
    """Measure every operation of a graph, and mark the edges whose slope is wrong."""
    try:
        learner = Learner(type(root), backward)
    except UnusableError:
        learner = None
    graph = assemble(collected, lookup(callers_names()), lambda _: None)
    found = Inspection(collected, graph, learner)
    make = learner.make if learner else type(root)
    data = [scalar(record.data)[0] for record in collected.records]
    replays = Replays(collected, data, make)
    for node, record in enumerate(collected.records):
        if record.operands:
            replay = replays.of(node)
            if replay is None:
                found.unknown.add(_title(found, node))
            else:
                _compare(found, node, replay, data)
    return found


def _compare(found: Inspection, node: int, replay: Replay, data: Sequence[float]) -> None:
    """Compare the slopes that a rule gives with those that the operation has."""
    graph, edges = found.graph, found.graph.operand_edges(node)
    columns = graph.edge_columns
    got: dict[int, float | None] = {}
    for edge in edges:
        source, slope = columns.source[edge], columns.slope[edge]
        held = got.get(source, 0.0)
        got[source] = None if slope is None or held is None else held + slope
    unique = list(dict.fromkeys(replay.operands))
    slopes = {operand: replay.slope(data, operand) for operand in unique}
    numbers = (*(data[o] for o in replay.operands), *replay.constants)
    own = [o for o in unique if o not in found.collected.constants]
    measured = tuple(_or_nan(got.get(o)) for o in own)
    sample = Sample(numbers, data[node], tuple(slopes[o].value for o in own), measured)
    for place, operand in enumerate(own):
        slope = got.get(operand)
        if slope is None:
            continue
        if slopes[operand].accepts(slope):
            found.right += 1
            continue
        key = _kind(found, node)
        found.kinds.setdefault(key, []).append((node, operand, sample, place))
        for edge in edges:
            if columns.source[edge] == operand:
                right = slopes[operand].value / columns.count[edge]
                found.wrong[edge] = f"{plain(slope)}, not {plain(right)}"


def _or_nan(number: float | None) -> float:
    return float("nan") if number is None else number


def _kind(found: Inspection, node: int) -> object:
    """Return what tells one rule from another: its code, or the operation's name."""
    record = found.collected.records[node]
    return getattr(record.rule, "__code__", None) or record.op


def _title(found: Inspection, node: int) -> str:
    columns, method = found.graph.node_columns, method_of(found.collected.records[node].rule)
    return method or columns.op[node] or columns.label[node]


# -- problems ------------------------------------------------------------------------------------


def _messages(found: Inspection) -> Iterator[Problem]:
    """Pass on what reading the graph has found: cycles, two classes, rules of other objects."""
    for message in found.graph.messages:
        yield Problem(message.rstrip("."))
    labels = found.graph.node_columns.label
    for node, record in enumerate(found.collected.records):
        odd = scalar(record.data)[1]
        if odd and node not in found.collected.constants:
            nested = "is itself" in odd
            yield Problem(f"{labels[node]}.data{odd}".rstrip("."), "style" if nested else "missing")


def _slopes(found: Inspection) -> Iterator[Problem]:
    """Say which rules are wrong; one problem for each rule and operand, however often it ran."""
    for cases in found.kinds.values():
        for place in sorted({case[3] for case in cases}):
            these = [case for case in cases if case[3] == place]
            yield _slope(found, these)


def _slope(found: Inspection, cases: Sequence[tuple[int, int, Sample, int]]) -> Problem:
    node, operand, sample, place = cases[0]
    record, labels = found.collected.records[node], found.graph.node_columns.label
    row = PRIMITIVES.get(_row(found, node))
    method = method_of(record.rule)
    operation = as_operation(row, method, len(sample.got))
    where, slip = NOWHERE, ""
    template = slips.of_slope(row.name if row else "", place, place, [case[2] for case in cases])
    if found.learner is not None:
        bench = Bench(found.learner)
        where, _ = bench.rule(operation, place) if method else (NOWHERE, False)
        slip = bench.say(template, where, operation, place).replace(
            "reaches x:", f"reaches {labels[operand]}:"
        )
    more = f" ({counted(len(cases), 'time')} in this graph)" if len(cases) > 1 else ""
    return Problem(
        f"{labels[node]} sends a wrong gradient to {labels[operand]}{more}",
        where=where,
        trial=f"d({labels[node]})/d({labels[operand]})",
        expected=plain(sample.expected[place]),
        got=plain(sample.got[place]),
        slip=slip,
    )


def _row(found: Inspection, node: int) -> str:
    record = found.collected.records[node]
    data = [scalar(r.data)[0] for r in found.collected.records]
    replay = Replays(found.collected, data, lambda number: number)._by_table(
        node, tuple(o for o in found.collected.operands[node] if o is not None)
    )
    return replay.row.name if replay and replay.row else record.primitive or ""


def replacing(found: Inspection) -> Iterator[Problem]:
    """Find rules that replace what their operands' gradients held."""
    collected, seen = found.collected, set()
    consumers = consumer_edges(found.graph)
    for node, record in enumerate(collected.records):
        kind = _kind(found, node)
        if record.rule is None or not record.operands or record.slopes or kind in seen:
            continue
        items = {
            o: collected.objects[o]
            for o in collected.operands[node]
            if o is not None and o not in collected.constants
        }
        if adds(collected.objects[node], list(items.values()), record.rule) is not False:
            found.right += 1
            continue
        seen.add(kind)
        yield _replaced(found, node, any(len(consumers[o]) > 1 for o in items))


def _replaced(found: Inspection, node: int, shared: bool) -> Problem:
    rule = found.collected.records[node].rule
    grad = found.learner.grad_name if found.learner else "grad"
    place = NOWHERE
    code = getattr(rule, "__code__", None)
    if code is not None:
        written = Written(code)
        assigned = [s for s in written.writes(grad) if replaces(s, grad)]
        place = written.at(assigned[0]) if assigned else written.head()
    if shared:
        for edge in found.graph.operand_edges(node):
            found.wrong.setdefault(edge, "replaces, does not add")
    line = f"`{place.text}`" if place.text else "The rule"
    return Problem(
        f"{_title(found, node)} loses a contribution when its input is used twice",
        "wrong gradient" if shared else "fragile",
        place,
        slip=f"{line} replaces what was there. Use `+=`.",
    )


# -- the driver ----------------------------------------------------------------------------------


def _driver(found: Inspection, root: Any) -> Iterator[Problem]:
    """Run the class's own backward, within bounds, and compare it with our walk."""
    learner, graph = found.learner, found.graph
    if learner is None or not learner.drives or not learner.grad_name:
        return
    items = [o for n, o in enumerate(found.collected.objects) if n not in found.collected.constants]
    for item in items:
        if hasattr(item, learner.grad_name):
            setattr(item, learner.grad_name, learner.first_grad)
    size = len(graph) + len(graph.edge_columns.source)
    ran = run(lambda: learner.drive(root), _PER_VALUE * (size + 10))
    name, place = learner.driver_name, _head(learner)
    if ran.error is not None:
        deep = isinstance(ran.error, RecursionError)
        yield Problem(
            f"{name}() {ran.complaint}",
            "fragile" if deep else "wrong gradient",
            place,
            slip="Keep your own stack instead of recursion." if deep else
            Bench(learner).failure(ran, name, 1),
        )  # fmt: skip
        return
    if any(problem in found.wrong.values() for problem in ("replaces, does not add",)):
        return  # then no walk gives what another gives
    ours = walks.run(graph, list(reversed(range(len(graph)))))
    theirs = [learner.grad(item) for item in found.collected.objects]
    nodes = [n for n in range(len(graph)) if n not in found.collected.constants]
    wrong = [n for n in nodes if not agree(ours[n], theirs[n]) and ours[n] == ours[n]]
    if not wrong:
        found.right += 1
        return
    label = graph.node_columns.label
    leaves = [n for n in nodes if graph.node_columns.kind[n] != "result"]
    what, slip = walks.explain([(graph, leaves, [theirs[n] for n in leaves])]) or (
        "{driver} disagrees with the rules it runs",
        "Look at the order in which it runs them, and at how often.",
    )
    yield Problem(
        what.format(driver=f"{name}()"),
        where=place,
        trial=f"{label[wrong[0]]}.grad",
        expected=plain(ours[wrong[0]]),
        got=plain(theirs[wrong[0]]),
        slip=slip,
    )


def _head(learner: Learner) -> Place:
    return Written(learner.code).head() if learner.code else NOWHERE
