"""What was collected becomes a `Graph`: numbers, names, edges and sentences.

In flow the collected objects and what is known of their names; out flows plain data.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import compress, count, pairwise, repeat
from operator import is_not, or_

from glassgrad.graphs.adapters import Record
from glassgrad.graphs.collect import Collected
from glassgrad.graphs.model import EdgeColumns, Graph, Kind, NodeColumns, Source
from glassgrad.graphs.names import LONGEST, Lookup, expression
from glassgrad.graphs.numbers import plain
from glassgrad.graphs.operations import Operations
from glassgrad.graphs.remarks import about_numbers
from glassgrad.graphs.scalar import scalar
from glassgrad.graphs.unkept import filled

_LONGEST_CYCLE = 6  # so many values of a cycle are named


def assemble(
    collected: Collected,
    name_of: Callable[[object], str],
    source_of: Callable[[object], Source | None] | None = None,
) -> Graph:
    """Make the graph of what was collected.

    Parameters
    ----------
    collected : Collected
        Objects and records, in topological order.
    name_of : callable
        Tells the variable that an object is bound to, or ``""``.
    source_of : callable, optional
        Tells where an object was computed, or None; nothing is known of any without it.

    Examples
    --------
    >>> from glassgrad.engine.value import Value
    >>> from glassgrad.graphs.collect import collect
    >>> assemble(collect(Value(2.0) * 3), lambda _: "").nodes[1].kind
    'constant'
    """
    data = list(collected.column("data"))
    odd: list[tuple[int, str]] = []
    for id in _not_float(data):
        data[id], trouble = scalar(data[id])
        if trouble and not collected.records[id].remarks:
            odd.append((id, trouble))
    made = Operations(collected, data)
    for id, trouble in odd:
        made.find(id, "data", detail=trouble)
    grads = list(collected.column("grad"))
    for id in _not_float(grads):
        grad = grads[id]
        if type(grad) is int and not grad:  # many classes begin with 0 and not with 0.0
            grads[id] = 0.0
        elif grad is not None:
            grads[id] = scalar(grad)[0]
    edges = made.edges
    _send_to_constants(collected.constants, edges, grads)
    sources: list[Source | None] = [None] * len(collected.objects)
    if source_of is not None:
        sources = [source_of(item) for item in collected.objects]
    labels = _labels(collected, made, data, sources, name_of)
    nodes = NodeColumns(
        op=tuple(collected.column("op")),
        symbol=tuple(made.symbol),
        label=tuple(labels),
        data=tuple(data),
        grad=tuple(grads),
        kind=tuple(_kinds(collected)),
        primitive=tuple(made.primitive),
        source=tuple(sources),
        scope=tuple(collected.column("scope")),
    )
    findings = tuple(sorted(made.findings, key=lambda finding: finding.node))
    graph = filled(Graph(nodes, edges, (), findings, _start(collected.records)))
    messages = (*graph.messages, *_messages(collected, graph, name_of))
    return replace(graph, messages=messages)


def _not_float(items: Sequence[object]) -> list[int]:
    """Return where something else than a number as it should be stands: nearly nowhere."""
    return [*compress(count(), map(is_not, map(type, items), repeat(float)))]


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


def _kinds(collected: Collected) -> list[Kind]:
    kinds: list[Kind] = ["result" if made else "leaf" for made in collected.results]
    for id in compress(count(), collected.column("parameter")):
        if kinds[id] == "leaf":
            kinds[id] = "parameter"
    for id in collected.constants:
        if kinds[id] == "leaf":
            kinds[id] = "constant"
    return kinds


# -- names ----------------------------------------------------------------------------------------


def _labels(
    collected: Collected,
    made: Operations,
    data: Sequence[float],
    sources: Sequence[Source | None],
    name_of: Callable[[object], str],
) -> list[str]:
    names = list(collected.column("label"))
    found = _names(collected.objects, name_of)
    for id in compress(count(), map(or_, map(bool, found), map(bool, sources))):
        if not names[id] and id not in collected.constants:
            names[id] = found[id] or _text(sources[id])
    # "" where there is none, so that no expression is made of symbols
    source, op = made.edges.source, collected.column("op")
    ends = pairwise(made.first)
    for id, (name, is_result, (begin, end)) in enumerate(
        zip(names, collected.results, ends, strict=True)
    ):
        if name:
            continue
        if not is_result:
            names[id] = plain(data[id])
        # in a large graph nearly nothing has a name
        elif begin < end and names[source[begin]] and names[source[end - 1]]:
            names[id] = _written(id, op[id], made, names)
    return [name or symbol for name, symbol in zip(names, made.symbol, strict=True)]


def _names(objects: Sequence[object], name_of: Callable[[object], str]) -> Sequence[str]:
    return name_of.all(objects) if isinstance(name_of, Lookup) else [*map(name_of, objects)]


def _text(source: Source | None) -> str:
    """Return the source text where it can serve as a name."""
    text = source.text if source else None
    return text if text and len(text) <= LONGEST else ""


def _written(id: int, op: str, made: Operations, names: Sequence[str]) -> str:
    """Return an operation as an expression over the names of its operands, or ``""``."""
    return expression(made.written[id], op, [names[operand] for operand in made.operands(id)])


# -- sentences about the whole --------------------------------------------------------------------


def _messages(
    collected: Collected, graph: Graph, name_of: Callable[[object], str]
) -> Iterator[str]:
    labels = graph.node_columns.label
    yield from _cycles(collected, labels)
    yield from _mixed_classes(collected, labels, name_of)
    yield from about_numbers(graph)


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
    met = collected.kinds | {*map(type, collected.column("data"))}
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
