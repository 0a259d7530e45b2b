"""Other numbers at some leaves: what they would lead to, and writing them for good.

In flow a graph, the user's root and the numbers, by id; out flows the graph as it would be,
computed from the table's rules, or by the user's own code on stand-ins, without touching any
object; or one sentence that says why not.
Only `write` changes the user's values, and it leaves them as they were when anything goes wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import permutations
from math import isfinite
from typing import Any, NamedTuple

from glassgrad.engine.methods import at
from glassgrad.engine.ops import PRIMITIVES
from glassgrad.engine.value import Value
from glassgrad.graphs.collect import Collected, collect
from glassgrad.graphs.model import Graph
from glassgrad.graphs.recognise import agree, exponent
from glassgrad.graphs.scalar import scalar
from glassgrad.graphs.steps import steps
from glassgrad.notebook import values
from glassgrad.notebook.remake import remade

UNKNOWN_RULE = (
    "The rule of {name} is not known here, so nobody can say what {name} would be: "
    "change the number in your code and run the cell again."
)
NO_LEAF = "Value number {node} is no input of this graph that could be changed."
NO_NUMBER = "{name} can only be changed to a finite number, not to {got}."
REMEMBERS = (
    "The rules of {kind} remember the numbers from when {name} was computed, so backward() would "
    "be wrong now: change the number in your code and run the cell again."
)


def leaves(graph: Graph, data: Mapping[Any, Any]) -> dict[int, float] | str:
    """Return the numbers by id, or one sentence that says what is wrong with them.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a = gg.Value(3.0)
    >>> leaves(gg.graph(a * a), {"0": 4})
    {0: 4.0}
    >>> leaves(gg.graph(a * a), {"1": 4})
    'Value number 1 is no input of this graph that could be changed.'
    """
    found: dict[int, float] = {}
    for key, number in data.items():
        node = int(key) if str(key).isdecimal() else -1
        if node not in range(len(graph)) or graph.node_columns.kind[node] in ("result", "constant"):
            return NO_LEAF.format(node=key)
        if isinstance(number, bool) or not isinstance(number, int | float) or not isfinite(number):
            return NO_NUMBER.format(name=graph.node_columns.label[node], got=number)
        found[node] = float(number)
    return found


def what_if(graph: Graph, data: Mapping[int, float], root: object = None) -> Graph | str:
    """Return the graph with other numbers at some leaves, or one sentence.

    Parameters
    ----------
    graph : Graph
        The graph as it is.
    data : mapping of int to float
        The numbers, by the ids of the leaves.
    root : object, optional
        What the graph was read from.  Where an operation is in no table, its own code is called
        again, on stand-ins.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a = gg.Value(3.0)
    >>> b = a * a
    >>> b.backward()
    >>> graph = what_if(gg.graph(b), {0: 4.0})
    >>> graph.root.data, graph.nodes[0].grad, a.data
    (16.0, 8.0, 3.0)
    """
    columns, edges = graph.node_columns, graph.edge_columns
    numbers, slopes = list(columns.data), list(edges.slope)
    touched = set(data)
    own = _OwnCode(graph, root)
    for leaf, number in data.items():
        numbers[leaf] = number
    for node in range(len(graph)):
        uses = graph.operand_edges(node)
        if touched.isdisjoint(edges.source[edge] for edge in uses):
            continue
        touched.add(node)
        applied = _applied(graph, node, numbers) or own.applied(node, numbers)
        if applied is None:
            return UNKNOWN_RULE.format(name=columns.label[node])
        numbers[node] = applied.out
        for edge in uses:
            slopes[edge] = applied.slopes[edge]
    changed = replace(
        graph,
        node_columns=replace(columns, data=tuple(numbers)),
        edge_columns=replace(edges, slope=tuple(slopes)),
    )
    if not graph.ran:
        return changed
    gradients = {step.node: step.gradient for step in steps(changed).backward}
    grad = tuple(gradients[node] for node in range(len(graph)))
    return replace(changed, node_columns=replace(changed.node_columns, grad=grad))


def write(root: object, graph: Graph, data: Mapping[int, float]) -> str:
    """Write numbers into the user's leaves and compute everything again; return a sentence or "".

    Gradients are computed again where backward had run.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a = gg.Value(3.0)
    >>> b = a * a
    >>> b.backward()
    >>> write(b, gg.graph(b), {0: 4.0}), b.data, a.grad
    ('', 16.0, 8.0)
    """
    wanted = what_if(graph, data, root)
    if isinstance(wanted, str):
        return wanted
    found = collect(root)
    kept = _kept(found)
    try:
        said = _written(root, found, graph, wanted, data)
    except Exception as error:
        said = values.sentence("Computing the values again", error)
    if said:
        for item, place, content in kept:
            setattr(item, place, content)
        if isinstance(root, Value):
            root.forward()  # the slopes that go with them
    return said


def _written(
    root: object, found: Collected, graph: Graph, wanted: Graph, data: Mapping[int, float]
) -> str:
    before, after = graph.node_columns.data, wanted.node_columns.data
    is_ours = isinstance(root, Value)
    for node, number in enumerate(after):
        # our own values compute themselves; of another class every number is written
        if node in data or (not is_ours and number != before[node]):
            setattr(found.objects[node], found.records[node].names.data, number)
    if is_ours:
        root.forward()  # type: ignore[attr-defined]
    if not graph.ran:
        return ""
    said = values.clear(root) or values.drive(root)
    if said or is_ours:
        return said
    for node, grad in enumerate(wanted.node_columns.grad):
        if node not in found.constants and grad is not None:
            record = found.records[node]
            got, _ = scalar(getattr(found.objects[node], record.names.grad, None))
            if not agree(got, grad):
                name = graph.node_columns.label[_consumer(graph, node)]
                return REMEMBERS.format(kind=type(root).__name__, name=name)
    return ""


def _consumer(graph: Graph, node: int) -> int:
    """Return the value whose rule was the last to send something to a node."""
    edges = graph.edge_columns
    return next((to for at, to in zip(edges.source, edges.target, strict=True) if at == node), node)


def _kept(found: Collected) -> list[tuple[object, str, object]]:
    """Return every number and gradient with its place."""
    return [
        (item, place, getattr(item, place))
        for node, (item, record) in enumerate(zip(found.objects, found.records, strict=True))
        if node not in found.constants
        for place in (record.names.data, record.names.grad)
        if hasattr(item, place)
    ]


# -- one rule --------------------------------------------------------------------------------------


class _Applied(NamedTuple):
    """A rule at some numbers."""

    out: float
    slopes: Mapping[int, float | None]
    """By edge, over all its uses."""


class _OwnCode:
    """Applies the operations that no table has, by the code that made the values."""

    def __init__(self, graph: Graph, root: object) -> None:
        self._graph = graph
        self._root = root

    @cached_property
    def _found(self) -> Collected | None:
        found = collect(self._root) if self._root is not None else None
        return found if found and len(found.objects) == len(self._graph) else None

    def applied(self, node: int, numbers: Sequence[float]) -> _Applied | None:
        """Apply the operation of a value to other numbers; None where that cannot be done.

        What its code makes of the numbers that are there has to be what is there.
        """
        columns, edges = self._graph.node_columns, self._graph.edge_columns
        uses = self._graph.operand_edges(node)
        now = self._at(node, uses, columns.data)
        if now is None or not agree(now.out, columns.data[node]):
            return None
        if not _agree((slope, edges.slope[edge]) for edge, slope in now.slopes.items()):
            return None
        return self._at(node, uses, numbers)

    def _at(self, node: int, uses: Sequence[int], numbers: Sequence[float]) -> _Applied | None:
        sources = [self._graph.edge_columns.source[edge] for edge in uses]
        if self._found is None or len(set(sources)) < len(sources):
            return None  # a class that tells its uses apart is known by its slopes
        objects, records = self._found.objects, self._found.records
        operands = [objects[source] for source in sources]
        again = remade(objects[node], records[node], operands, [numbers[x] for x in sources])
        return again and _Applied(again.data, dict(zip(uses, again.slopes, strict=True)))


def _applied(graph: Graph, node: int, numbers: Sequence[float]) -> _Applied | None:
    """Apply the rule of a value to other numbers; None where it is not known."""
    name = graph.node_columns.primitive[node]
    if name is None:
        return None
    edges = graph.edge_columns
    uses = [edge for edge in graph.operand_edges(node) for _ in range(edges.count[edge])]
    order = _order(graph, node, name, uses)
    return None if order is None else _at(graph, node, name, order, numbers)


def _order(graph: Graph, node: int, name: str, uses: Sequence[int]) -> Sequence[int] | None:
    """Return the edges in operand order; the numbers tell it where the class does not."""
    if all(graph.edge_columns.operand[edge] is not None for edge in uses):
        return uses
    columns, slopes = graph.node_columns, graph.edge_columns.slope
    for order in permutations(uses) if len(uses) <= 3 else (tuple(uses),):
        tried = _at(graph, node, name, order, columns.data)
        if (
            tried is not None
            and agree(tried.out, columns.data[node])
            and _agree((tried.slopes[edge], slopes[edge]) for edge in uses)
        ):
            return order
    return None


def _agree(pairs: Iterable[tuple[float | None, float | None]]) -> bool:
    return all(x is None or y is None or agree(x, y) for x, y in pairs)


def _at(
    graph: Graph, node: int, name: str, order: Sequence[int], numbers: Sequence[float]
) -> _Applied | None:
    row = PRIMITIVES[name]
    operands = [numbers[graph.edge_columns.source[edge]] for edge in order]
    if not row.variadic and len(operands) != row.arity:
        power = exponent(graph.node_columns.op[node])
        if power is None or len(operands) != 1:
            return None
        operands.append(power)  # of a class that keeps the exponent to itself
    out, *each = at(row, *operands)
    slopes = dict.fromkeys(order, 0.0)
    for edge, slope in zip(order, each, strict=False):
        slopes[edge] += slope
    return _Applied(out, slopes)
