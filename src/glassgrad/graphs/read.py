"""From a Value of any class to its `Graph`.

In flows a root object; out flows a `Reading`: the graph, which is plain data, and beside it a weak
table back to the objects.  Nothing of the user's is changed, and nothing recurses: objects are
collected along their operands with a stack, and known by identity while they are held.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Number

from glassgrad.graphs import adapters
from glassgrad.graphs.adapters.held import held
from glassgrad.graphs.adapters.native import pause_gc
from glassgrad.graphs.assemble import assemble
from glassgrad.graphs.collect import collect
from glassgrad.graphs.model import Graph, Source
from glassgrad.graphs.names import Lookup, callers_names, lookup
from glassgrad.graphs.sweep import sweep


@dataclass(frozen=True, slots=True)
class Reading:
    """A graph, and the way back to the objects it was read from.

    Parameters
    ----------
    graph : Graph
        The graph.
    references : mapping
        From ids to weak references; objects whose class allows none are missing.
    """

    graph: Graph
    references: Mapping[int, weakref.ref[object]]

    def value(self, id: int) -> object | None:
        """Return the object that became node `id`, or None when it is gone or never was one."""
        reference = self.references.get(id)
        return reference() if reference is not None else None


def graph(value: object, names: Mapping[str, object] | None = None) -> Graph:
    """Read the graph behind a Value: ours, or of a class somebody wrote.

    Parameters
    ----------
    value : object
        The result whose graph is wanted.
    names : mapping of str to object, optional
        What things are called.  By default the variables where this is called from.

    Returns
    -------
    Graph
        Every value that `value` was computed from, as plain data.

    Raises
    ------
    TypeError
        When `value` has no graph: a plain number, None, a list.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a, b = gg.Value(2.0), gg.Value(-3.0)
    >>> c = a * b + a
    >>> gg.graph(c)
    <Graph of c: 4 values>
    >>> gg.graph(c, names={"loss": c}).root.label
    'loss'
    """
    adapter_of(value)
    name_of = lookup(callers_names() if names is None else names)
    with pause_gc():
        found = _glimpsed(value, name_of)
        return assemble(collect(value), name_of) if found is None else found


def _glimpsed(value: object, name_of: Lookup) -> Graph | None:
    """Return a large graph of which the facts are written down, and nothing is derived yet.

    None where the graph is small, or where more than its facts may be needed to derive the rest.
    """
    begun = sweep(value)
    if begun is None:
        return None
    from glassgrad.graphs.derive import Derivation  # imports NumPy
    from glassgrad.graphs.snapshot import snapshot

    facts = snapshot(begun, name_of.by_identity)
    return None if facts is None else Graph.of(Derivation(facts))


def read(
    value: object,
    name_of: Callable[[object], str] = lambda _: "",
    source_of: Callable[[object], Source | None] | None = None,
) -> Reading:
    """Read a graph and keep the way back to its objects.

    Parameters
    ----------
    value : object
        The root.
    name_of : callable, optional
        Tells the variable that an object is bound to, or ``""``.
    source_of : callable, optional
        Tells where in the user's code an object was computed, if that is known.

    Raises
    ------
    TypeError
        When `value` has no graph.

    Examples
    --------
    >>> from glassgrad.engine.value import Value
    >>> a = Value(2.0)
    >>> reading = read(a * a)
    >>> reading.value(0) is a
    True
    """
    adapter_of(value)
    with pause_gc():  # nothing that is made here is a cycle, and there is much of it
        collected = collect(value)
        return Reading(assemble(collected, name_of, source_of), _weakly(collected.objects))


def adapter_of(value: object) -> adapters.Adapter:
    """Return the adapter that reads a Value.

    Raises
    ------
    TypeError
        When there is none: one sentence says why, and what to do.

    Examples
    --------
    >>> try:
    ...     adapter_of(3)
    ... except TypeError as error:
    ...     print(str(error)[:37])
    3 is a plain number and has no graph.
    """
    adapter = adapters.find(value)
    if adapter is None:
        raise TypeError(_no_graph(value))
    return adapter


def _weakly(objects: Sequence[object]) -> dict[int, weakref.ref[object]]:
    references = {}
    for id, item in enumerate(objects):
        try:
            references[id] = weakref.ref(item)
        except TypeError:  # the class has __slots__ and no place for a weak reference
            continue
    return references


def _no_graph(value: object) -> str:
    """Say why something has no graph, and what to do."""
    if value is None:
        return (
            "None has no graph: the operation that should have made this Value returned nothing. "
            "Look for a method without `return out`."
        )
    kind = type(value)
    if issubclass(kind, Number):
        return (
            f"{value} is a plain number and has no graph. "
            f"Wrap the inputs before you compute: a = Value({value})."
        )
    if issubclass(kind, type):
        name = getattr(value, "__name__", "This")
        return (
            f"{name} is a class and has no graph. "
            f"Give one of its objects: the result of a computation, such as {name}(2.0)."
        )
    if issubclass(kind, list | tuple | set | dict) or hasattr(kind, "__array__"):
        return (
            f"This {kind.__name__} has no graph of its own. "
            "Give one Value, such as the sum of its items."
        )
    if "data" in held(value):
        return (
            f"This {kind.__name__} has data but does not remember its operands, so there is no "
            "graph. Keep them in _prev when an operation makes a new one."
        )
    return (
        f"This {kind.__name__} has no graph. Give a Value: an object with the number in data "
        "and the operands it was computed from in _prev."
    )
