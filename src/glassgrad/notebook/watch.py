"""Whether the objects behind a picture still hold the numbers that it shows.

In flow a root and the graph that was read from it; out flows yes or no. Asked after every cell, so
it looks at attributes only: reading a graph takes a hundred times as long.
"""

from __future__ import annotations

import weakref
from math import isnan

from glassgrad.engine.memory import pause_gc
from glassgrad.graphs.adapters import find
from glassgrad.graphs.collect import collect
from glassgrad.graphs.model import Graph
from glassgrad.graphs.scalar import scalar


class Watch:
    """The places of all numbers behind a root; it keeps none of the objects.

    Parameters
    ----------
    root : object
        A Value of any class.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a = gg.Value(3.0)
    >>> b = a * a
    >>> graph, watch = gg.graph(b), Watch(b)
    >>> watch.differs(graph)
    False
    >>> b.backward()
    >>> watch.differs(graph)
    True
    """

    def __init__(self, root: object) -> None:
        self._places: list[tuple[int, weakref.ref[object], str, str]] = []
        with pause_gc():
            found = collect(root)
        for id, (item, record) in enumerate(zip(found.objects, found.records, strict=True)):
            if id in found.constants:
                continue
            try:
                reference = weakref.ref(item)
            except TypeError:  # the class has __slots__ and no place for a weak reference
                continue
            self._places.append((id, reference, record.names.data, record.names.grad))

    def objects(self) -> list[object]:
        """Return the objects that are still there."""
        found = (reference() for _, reference, _, _ in self._places)
        return [item for item in found if item is not None]

    def differs(self, graph: Graph) -> bool:
        """Tell whether a value or a gradient is another one than the graph says.

        Parameters
        ----------
        graph : Graph
            What was read from the same root.
        """
        data, grad = graph.node_columns.data, graph.node_columns.grad
        for id, reference, data_name, grad_name in self._places:
            item = reference()
            if item is not None and not (
                _is(getattr(item, data_name, None), data[id])
                and (not grad_name or _is(getattr(item, grad_name, None), grad[id]))
            ):
                return True
        return False


def _is(found: object, read: float | None) -> bool:
    """Whether what stands there is what was read; nan is nan."""
    if found is read or (type(found) is float and found == read):
        return True
    if found is None or read is None:
        return False
    number, _ = scalar(found)
    return number == read or (isnan(number) and isnan(read))


def number(root: object) -> float:
    """Return the number of one value, without reading its graph; nan where it has none.

    Examples
    --------
    >>> import glassgrad as gg
    >>> number(gg.Value(2.0) * 3)
    6.0
    """
    adapter = find(root)
    return scalar(adapter.record(root).data)[0] if adapter is not None else float("nan")
