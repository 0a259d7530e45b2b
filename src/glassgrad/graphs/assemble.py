"""What was collected becomes a `Graph`: numbers, names, edges and sentences.

In flow the collected objects and what is known of their names; out flows plain data.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from glassgrad.graphs.adapters import Record
from glassgrad.graphs.collect import Collected
from glassgrad.graphs.leftover import left_over
from glassgrad.graphs.model import EdgeColumns, Graph, Kind, NodeColumns, Source
from glassgrad.graphs.names import LONGEST, expression
from glassgrad.graphs.numbers import apart, counted, plain
from glassgrad.graphs.operations import Operations
from glassgrad.graphs.scalar import scalar

_LONGEST_CYCLE = 6  # so many values of a cycle are named


def assemble(
    collected: Collected,
    name_of: Callable[[object], str],
    source_of: Callable[[object], Source | None],
) -> Graph:
    """Make the graph of what was collected.

    Parameters
    ----------
    collected : Collected
        Objects and records, in topological order.
    name_of : callable
        Tells the variable that an object is bound to, or ``""``.
    source_of : callable
        Tells where an object was computed, or None.

    Examples
    --------
    >>> from glassgrad.engine.value import Value
    >>> from glassgrad.graphs.collect import collect
    >>> assemble(collect(Value(2.0) * 3), lambda _: "", lambda _: None).nodes[1].kind
    'constant'
    """
    data: list[float] = []
    odd: list[tuple[int, str]] = []
    for id, record in enumerate(collected.records):
        number = record.data
        if type(number) is not float:
            number, trouble = scalar(number)
            if trouble and not record.remarks:
                odd.append((id, trouble))
        data.append(number)
    made = Operations(collected, data)
    for id, trouble in odd:
        made.find(id, "data", detail=trouble)
    grads = [_gradient(record.grad) for record in collected.records]
    edges = made.edges()
    _send_to_constants(collected.constants, edges, grads)
    sources = [source_of(item) for item in collected.objects]
    labels = _labels(collected, made, data, sources, name_of)
    nodes = NodeColumns(
        op=tuple([record.op for record in collected.records]),
        symbol=tuple(made.symbol),
        label=tuple(labels),
        data=tuple(data),
        grad=tuple(grads),
        kind=tuple(_kinds(collected)),
        primitive=tuple(made.primitive),
        source=tuple(sources),
        scope=tuple([record.scope for record in collected.records]),
    )
    findings = tuple(sorted(made.findings, key=lambda finding: finding.node))
    graph = Graph(nodes, edges, (), findings, _start(collected.records))
    return replace(graph, messages=tuple(_messages(collected, graph, name_of)))


def _gradient(item: object) -> float | None:
    return item if item is None or type(item) is float else scalar(item)[0]


def _send_to_constants(
    constants: Collection[int], edges: EdgeColumns, grads: list[float | None]
) -> None:
    """Give plain numbers, which hold no gradient, what their one use sends them."""
    if constants:
        for source, target, slope in zip(edges.source, edges.target, edges.slope, strict=True):
            if source in constants:
                grads[source] = _sent(slope, grads[target])


def _sent(slope: float | None, grad: float | None) -> float | None:
    if not grad:  # 0 or None: nothing was sent, whatever the slope
        return grad
    return None if slope is None else slope * grad


def _start(records: Sequence[Record]) -> float:
    """Return what gradients of these classes hold before any backward."""
    return records[-1].start


def _kinds(collected: Collected) -> Iterator[Kind]:
    for id, record in enumerate(collected.records):
        if record.operands:
            yield "result"
        else:
            plain: Kind = "parameter" if record.parameter else "leaf"
            yield "constant" if id in collected.constants else plain


# -- names ----------------------------------------------------------------------------------------


def _labels(
    collected: Collected,
    made: Operations,
    data: Sequence[float],
    sources: Sequence[Source | None],
    name_of: Callable[[object], str],
) -> list[str]:
    names: list[str] = []  # "" where there is none, so that no expression is made of symbols
    for id, record in enumerate(collected.records):
        name = record.label
        if not name and id not in collected.constants:
            name = name_of(collected.objects[id]) or _text(sources[id])
        if not name:
            name = _written(id, record.op, made, names) if record.operands else plain(data[id])
        names.append(name)
    return [name or symbol for name, symbol in zip(names, made.symbol, strict=True)]


def _text(source: Source | None) -> str:
    """Return the source text where it can serve as a name."""
    text = source.text if source else None
    return text if text and len(text) <= LONGEST else ""


def _written(id: int, op: str, made: Operations, names: Sequence[str]) -> str:
    """Return an operation as an expression over the names of its operands, or ``""``."""
    if made.first[id] == made.first[id + 1] or not names[made.last(id)]:
        return ""  # in a large graph nearly nothing has a name
    operands = made.operands(id)
    return expression(made.written[id], op, [names[operand] for operand in operands])


# -- sentences about the whole --------------------------------------------------------------------


def _messages(
    collected: Collected, graph: Graph, name_of: Callable[[object], str]
) -> Iterator[str]:
    labels = graph.node_columns.label
    yield from _cycles(collected, labels)
    yield from _mixed_classes(collected, labels, name_of)
    yield from _freed(graph)
    yield from _stale(graph)
    yield from left_over(graph)


def _freed(graph: Graph) -> Iterator[str]:
    """Say that a library threw away the numbers that slopes are computed from."""
    freed = sum(finding.kind == "freed" for finding in graph.findings)
    if freed:
        yield (
            f"backward() freed what was saved for {counted(freed, 'operation')}, so their slopes "
            "are unknown: look at the graph before it, or call backward(retain_graph=True)."
        )


def _stale(graph: Graph) -> Iterator[str]:
    """Say that numbers were changed after they had been used, and where that shows first."""
    stale = [finding for finding in graph.findings if finding.kind == "stale"]
    if stale:
        first, name_of = stale[0], graph.node_columns.label.__getitem__
        where = name_of(first.node)
        got, expected = apart(first.got, first.expected)
        more = f" and {counted(len(stale) - 1, 'more value')}" if len(stale) > 1 else ""
        yield (
            f"{name_of(graph.root.id)} belongs to older numbers: {where}{more} no longer follows "
            f"from its operands ({got}, where they give {expected} now). "
            "Compute it again."
        )


def _cycles(collected: Collected, labels: Sequence[str]) -> Iterator[str]:
    for cycle in collected.cycles:
        names = [labels[id] for id in cycle]
        if len(names) > _LONGEST_CYCLE:
            names = [*names[: _LONGEST_CYCLE // 2], "…", *names[-_LONGEST_CYCLE // 2 :]]
        yield (
            f"{names[0]} is one of its own inputs ({' → '.join(names)}), so no order exists: "
            "the link that closes the circle is left out. Look at where _prev is assigned."
        )


def _mixed_classes(
    collected: Collected, labels: Sequence[str], name_of: Callable[[object], str]
) -> Iterator[str]:
    """Say where two classes of one name meet: the cell that defines the class was run again."""
    root = type(collected.objects[-1])
    met = {type(item) for item in collected.objects} | {type(r.data) for r in collected.records}
    if not any(kind is not root and kind.__name__ == root.__name__ for kind in met):
        return
    for id, (item, record) in enumerate(zip(collected.objects, collected.records, strict=True)):
        for candidate, name in ((item, labels[id]), (record.data, name_of(record.data))):
            kind = type(candidate)
            if kind is not root and kind.__name__ == root.__name__:
                yield (
                    f"{labels[-1]} mixes two classes called {root.__name__}: the cell that defines "
                    f"it was run again after {name or labels[id]} was made. "
                    "Run the cells from that one down."
                )
                return
