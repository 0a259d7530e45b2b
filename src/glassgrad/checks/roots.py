"""One graph, checked value by value.

In flows a result; out flows a `Report`.  Each operation's slopes, as its own rule implements them,
are compared with the table's row or with finite differences of the operation itself; then the
class's own ``backward()`` is compared with our own walk.  Everything is put back afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import isnan
from typing import Any, NamedTuple

from glassgrad.checks import slips, walks
from glassgrad.checks.exam import Exam
from glassgrad.checks.guard import Ran, run
from glassgrad.checks.inspection import (
    Case,
    Inspection,
    agrees,
    inspect_graph,
    kind_of,
    mark_replaced,
    or_nan,
    our_gradients,
    title_of,
)
from glassgrad.checks.learner import Learner
from glassgrad.checks.replay import method_of
from glassgrad.checks.report import NOWHERE, Place, Problem, Report, Severity
from glassgrad.checks.source import Written, replaces, rule_of, sentence
from glassgrad.graphs.assemble import assemble
from glassgrad.graphs.collect import collect
from glassgrad.graphs.leftover import left_over
from glassgrad.graphs.model import Graph, Source
from glassgrad.graphs.names import callers_names, lookup
from glassgrad.graphs.numbers import counted, plain
from glassgrad.graphs.operations import NAMELESS
from glassgrad.graphs.order import consumer_edges
from glassgrad.graphs.read import adapter_of
from glassgrad.graphs.recognise import agree
from glassgrad.graphs.surroundings import untouched

_PER_VALUE = 400  # lines that a walk may take for each value and each edge


def check_root(
    root: Any,
    backward: Callable[[Any], object] | None = None,
    name_of: Callable[[object], str] | None = None,
    source_of: Callable[[object], Source | None] = lambda _: None,
) -> Report:
    """Check the graph behind a result; see `glassgrad.checks.grader.check`.

    Parameters
    ----------
    root : object
        The result.
    backward : callable, optional
        The function that runs backward from it.
    name_of : callable, optional
        Tells the name of an object; otherwise the caller's variables do.
    source_of : callable, optional
        Tells where an object was computed.

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
        name_of = lookup(callers_names()) if name_of is None else name_of
        graph = _named(assemble(collected, name_of, source_of), type(root).__name__)
        found = inspect_graph(root, collected, graph, backward)
        driven = _driven(found, root)
        mark_replaced(found, driven.grads)
        problems = [
            *_messages(found),
            *_slopes(found),
            *_replacing(found, driven.grads),
            *_driver(found, driven),
        ]
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


def _named(graph: Graph, kind: str) -> Graph:
    """Return a graph in which what nobody has named is called after its number: ``Value(3)``."""
    columns = graph.node_columns
    named = tuple(
        f"{kind}({plain(data)})" if label in ("", NAMELESS) else label
        for label, data in zip(columns.label, columns.data, strict=True)
    )
    return replace(graph, node_columns=replace(columns, label=named))


# -- problems ---------------------------------------------------------------------------------

_SEVERITIES: Mapping[str, Severity] = {
    "dropped": "fragile", "stale": "fragile", "data": "missing", "unreadable": "missing",
    "float": "style", "int": "style", "bool": "style", "compared": "style",
}  # fmt: skip
"""How bad the facts are that reading a graph finds; what is not here makes a gradient wrong."""

_SAID_HERE = frozenset({"slope", "silent", "replaces", "live", "unsaved", "apart"})
"""The facts that are no news, or that this room says in its own words."""

_SLIPS: Mapping[str, str] = {
    "forgets": "Multiply by the gradient from above, that of the result: out.grad.",
    "elsewhere": "The rule's closure still holds the originals: build the graph anew instead.",
    "stray": "Look at whose gradient the rule adds to: only operands may receive one.",
    "stale": "A leaf was changed after this was computed.",
    "dropped": "Wrap plain numbers, and keep them among the operands.",
}


def _messages(found: Inspection) -> Iterator[Problem]:
    """Pass on what reading the graph has found: cycles, two classes, rules of other objects."""
    stale = set(left_over(found.graph))  # of an earlier backward: no fault of this graph's
    for message in found.graph.messages:
        severity: Severity = "fragile" if message in stale else "wrong gradient"
        yield Problem(message.removesuffix("."), severity)
    name_of, seen = found.graph.node_columns.label.__getitem__, set[tuple[object, str]]()
    for finding in found.graph.findings:
        rule = (kind_of(found, finding.node), finding.kind)
        if finding.kind in _SAID_HERE or (finding.place and rule in seen):
            continue
        seen.add(rule)
        sentence = finding.sentence(name_of)
        if sentence:
            nested = "itself" in finding.detail  # a Value in a Value computes, in its way
            yield Problem(
                sentence.removesuffix("."),
                "style" if nested else _SEVERITIES.get(finding.kind, "wrong gradient"),
                _rule_place(found, finding.node) if finding.place else NOWHERE,
                slip=_SLIPS.get(finding.kind, ""),
            )


def _slopes(found: Inspection) -> Iterator[Problem]:
    """Say which rules are wrong; one problem for each rule and operand, however often it ran."""
    for cases in found.wrong_rules.values():
        yield _slope(found, cases)


def _slope(found: Inspection, cases: Sequence[Case]) -> Problem:
    node, operand, slot, replay, sample = cases[0]
    labels, row = found.graph.node_columns.label, replay.row
    method = method_of(found.collected.records[node].rule)
    template = slips.of_slope(row.name if row else "", slot, slot, [case.sample for case in cases])
    words = (row.op, row.name) if row else ()
    where = NOWHERE
    if found.learner is not None:
        cls, grad = found.learner.cls, found.learner.grad_name
        where = rule_of(cls, grad, method, slot, words)[0] if method else NOWHERE
    slip = sentence(template, where, f"the rule of {method or labels[node]}", name=labels[operand])
    more = f" ({counted(len(cases), 'time')} in this graph)" if len(cases) > 1 else ""
    return Problem(
        f"{labels[node]} sends a wrong gradient to {labels[operand]}{more}",
        where=where,
        trial=f"d({labels[node]})/d({labels[operand]})",
        expected=plain(sample.expected[slot]),
        got=plain(sample.got[slot]),
        slip=slip,
    )


def _replacing(found: Inspection, grads: Sequence[float | None]) -> Iterator[Problem]:
    """Say which rules overwrite; a gradient is wrong only where an operand is used elsewhere."""
    consumers, seen, ours = consumer_edges(found.graph), set[object](), our_gradients(found.graph)
    counts = found.graph.edge_columns.count
    for finding in found.graph.findings:
        kind = kind_of(found, finding.node)
        if finding.kind != "replaces" or kind in seen:
            continue
        seen.add(kind)
        same = [f for f in found.graph.findings
                if f.kind == "replaces" and kind_of(found, f.node) == kind]  # fmt: skip
        operands = {operand for other in same for operand in other.operands}
        shared = any(sum(counts[edge] for edge in consumers[o]) > 1 for o in operands)
        place = _rule_place(found, finding.node, replacing=True)
        line = f"`{place.text}`" if place.text else "The rule"
        wrong = [o for o in sorted(operands) if grads and not agrees(grads[o], ours[o])]
        names = [found.graph.node_columns.label[o] for o in wrong[:1]]
        yield Problem(
            f"{title_of(found, finding.node)} loses a contribution when its input is used twice",
            "wrong gradient" if shared else "fragile",
            place,
            trial="".join(f"{name}.grad" for name in names),
            expected="".join(plain(ours[o]) for o in wrong[:1]),
            got="".join(plain(or_nan(grads[o])) for o in wrong[:1]),
            slip=f"{line} replaces what was there. Use `+=`.",
        )


def _rule_place(found: Inspection, node: int, replacing: bool = False) -> Place:
    """Return the line of a value's rule: where it writes a gradient, or replaces one."""
    code = getattr(found.collected.records[node].rule, "__code__", None)
    if code is None:
        return NOWHERE
    written = Written(code)
    grad = found.learner.grad_name if found.learner else "grad"
    writes = [s for s in written.writes(grad) if not replacing or replaces(s, grad)]
    return written.at(writes[0]) if writes else written.head()


# -- the driver ----------------------------------------------------------------------------------


class Driven(NamedTuple):
    """What the class's own backward did."""

    ran: Ran | None
    grads: tuple[float, ...]
    """What it left, by node; empty where it did not come to an end."""


def _driven(found: Inspection, root: Any) -> Driven:
    """Run the class's own backward, within bounds, from gradients as they are at first."""
    learner, graph, items = found.learner, found.graph, found.collected.objects
    if learner is None or not learner.drives or not learner.grad_name:
        return Driven(None, ())
    for node, item in enumerate(items):
        if node not in found.collected.constants and hasattr(item, learner.grad_name):
            setattr(item, learner.grad_name, learner.first_grad)
    size = len(graph) + len(graph.edge_columns.source)
    ran = run(lambda: learner.drive(root), _PER_VALUE * (size + 10))
    return Driven(ran, () if ran.error else tuple(map(learner.grad, items)))


def _driver(found: Inspection, driven: Driven) -> Iterator[Problem]:
    """Compare what the class's own backward left with our walk over the same rules."""
    learner, graph, ran = found.learner, found.graph, driven.ran
    if learner is None or ran is None:
        return
    name, place = learner.driver_name, _head(learner)
    if ran.error is not None:
        deep = isinstance(ran.error, RecursionError)
        slip = "Keep your own stack instead of recursion."
        yield Problem(
            f"{name}() {ran.complaint}",
            "fragile" if deep else "wrong gradient",
            place,
            slip=slip if deep else Exam(learner).failure(ran, name, 1),
        )
        return
    if any(finding.kind == "replaces" for finding in graph.findings):
        return  # then no walk gives what another gives
    ours, theirs = our_gradients(graph), driven.grads
    nodes = [n for n in range(len(graph)) if n not in found.collected.constants]
    wrong = [n for n in nodes if not agree(ours[n], theirs[n]) and not isnan(ours[n])]
    if not wrong:
        found.right += 1
        return
    columns = graph.node_columns
    leaves = [n for n in nodes if columns.kind[n] != "result"]
    left = [theirs[n] for n in leaves]
    own = walks.met(found.collected, graph, leaves, left)
    ways = [own] if own else walks.guesses(graph, leaves, left)
    what, slip = next(filter(None, (walks.explain([way]) for way in ways)), None) or (
        "{driver} disagrees with the rules it runs",
        "Look at the order in which it runs them, and at how often.",
    )
    yield Problem(
        what.format(driver=f"{name}()"),
        where=place,
        trial=f"{columns.label[wrong[0]]}.grad",
        expected=plain(ours[wrong[0]]),
        got=plain(theirs[wrong[0]]),
        slip=slip,
    )


def _head(learner: Learner) -> Place:
    return Written(learner.code).head() if learner.code else NOWHERE
