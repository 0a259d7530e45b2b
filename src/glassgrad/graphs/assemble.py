"""What was collected becomes a `Graph`: numbers, names, edges and sentences.

In flow the collected objects and what is known of their names; out flows plain data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from glassgrad.graphs.collect import Collected
from glassgrad.graphs.model import EdgeColumns, Graph, Kind, NodeColumns, Source
from glassgrad.graphs.names import LONGEST, expression
from glassgrad.graphs.numbers import plain
from glassgrad.graphs.operations import Operation, operations
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
    numbers = [scalar(record.data) for record in collected.records]
    data = [number for number, _ in numbers]
    made = operations(collected, data)
    sources = [source_of(item) for item in collected.objects]
    labels = _labels(collected, made, data, sources, name_of)
    notes = (
        f"{label}.data{odd}"
        if odd
        else f"{label}{operation.trouble}"
        if operation.trouble
        else None
        for label, (_, odd), operation in zip(labels, numbers, made, strict=True)
    )
    nodes = NodeColumns(
        op=tuple(record.op for record in collected.records),
        symbol=tuple(operation.symbol for operation in made),
        label=tuple(labels),
        data=tuple(data),
        grad=tuple(_gradients(collected, made)),
        kind=tuple(_kinds(collected)),
        primitive=tuple(operation.primitive for operation in made),
        source=tuple(sources),
        note=tuple(notes),
    )
    messages = (*_cycles(collected, labels), *_mixed_classes(collected, labels, name_of))
    return Graph(nodes, _edges(made), messages)


def _gradients(collected: Collected, made: Sequence[Operation]) -> list[float | None]:
    """Return the gradients as they were found; a plain number's is what its one use sends it."""
    grads = [_gradient(record.grad) for record in collected.records]
    if collected.constants:
        for operation, grad in zip(made, list(grads), strict=True):
            for use in operation.uses:
                if use.operand in collected.constants:
                    grads[use.operand] = _sent(use.slope, grad)
    return grads


def _gradient(item: object) -> float | None:
    return None if item is None else scalar(item)[0]


def _sent(slope: float | None, grad: float | None) -> float | None:
    if not grad:  # 0 or None: nothing was sent, whatever the slope
        return grad
    return None if slope is None else slope * grad


def _kinds(collected: Collected) -> Iterator[Kind]:
    for id, record in enumerate(collected.records):
        if record.operands:
            yield "result"
        else:
            yield "constant" if id in collected.constants else "leaf"


def _edges(made: Sequence[Operation]) -> EdgeColumns:
    edges = [(target, use) for target, operation in enumerate(made) for use in operation.uses]
    return EdgeColumns(
        source=tuple(use.operand for _, use in edges),
        target=tuple(target for target, _ in edges),
        operand=tuple(use.position for _, use in edges),
        count=tuple(use.times for _, use in edges),
        slope=tuple(use.slope for _, use in edges),
    )


# -- names ----------------------------------------------------------------------------------------


def _labels(
    collected: Collected,
    made: Sequence[Operation],
    data: Sequence[float],
    sources: Sequence[Source | None],
    name_of: Callable[[object], str],
) -> list[str]:
    names: list[str] = []  # "" where there is none, so that no expression is made of symbols
    for id, (item, record) in enumerate(zip(collected.objects, collected.records, strict=True)):
        name = record.label
        if not name and id not in collected.constants:
            name = name_of(item) or _text(sources[id])
        if not name and not record.operands:
            name = plain(data[id])
        names.append(name or _written(record.op, made[id], names))
    return [name or operation.symbol for name, operation in zip(names, made, strict=True)]


def _text(source: Source | None) -> str:
    """Return the source text where it can serve as a name."""
    text = source.text if source else None
    return text if text and len(text) <= LONGEST else ""


def _written(op: str, operation: Operation, names: Sequence[str]) -> str:
    """Return an operation as an expression over the names of its operands, or ``""``."""
    operands = [names[use.operand] for use in operation.uses for _ in range(use.times)]
    return expression(operation.written, op, operands)


# -- sentences about the whole --------------------------------------------------------------------


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
