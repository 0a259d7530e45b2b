"""Adapters: how each family of Value classes keeps what a graph needs.

In flows an object of a class nobody has seen before; out flows a `Record` of it.  Libraries are
recognised by the module of their class, so that looking at an object imports nothing that is not
there already; classes written by learners are studied, see `glassgrad.graphs.adapters.study`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "glassgrad.adapters"
"""The entry-point group in which packages announce adapters for their own classes."""


class Names(NamedTuple):
    """What one class calls the attributes that a rule may read and write."""

    data: str = "data"
    grad: str = "grad"
    operands: str = "_prev"
    rule: str = "_backward"


LECTURE = Names()
"""The names that everybody starts with."""


class Record(NamedTuple):
    """One value, as an adapter found it; nothing of the object was changed to find out."""

    op: str = ""
    """The operation as the class spells it, ``""`` where it does not tell."""

    label: str = ""
    """The object's own label, ``""`` where it has none."""

    data: object = None
    """What stands where the number should be."""

    grad: object = None
    """What stands where the gradient should be; None where there is nothing."""

    operands: tuple[object, ...] = ()
    """What it was computed from; a plain number stands for itself."""

    ordered: bool = True
    """Whether `operands` is their order, repeats included, and not just their set."""

    primitive: str | None = None
    """The row of the engine's table, if the class vouches for it."""

    symbol: str = ""
    """What a picture shows for the operation, if the class knows."""

    slopes: tuple[float | None, ...] | None = None
    """The local slopes, aligned with `operands`, if the class keeps them."""

    rule: Callable[[], object] | None = None
    """What to run to measure the slopes where they are not kept; reads and writes gradients."""

    names: Names = LECTURE
    """What the class calls the attributes that the rule may touch."""

    start: float = 0.0
    """What gradients hold before any backward."""

    remarks: tuple[tuple[str, str], ...] = ()
    """What is unusual about it: kinds of `glassgrad.graphs.findings.Finding`, and details."""

    now: float | None = None
    """What the value would be if it was computed again, if the class can tell."""

    scope: str = ""
    """Where in a network it belongs, such as ``layer 1.neuron 3``."""

    parameter: bool = False
    """Whether it is a leaf that training changes."""


class Adapter(Protocol):
    """What a family of classes has to tell."""

    def reads(self, value: object) -> bool:
        """Whether `value` belongs to this family; asked for objects of the registered module."""
        ...

    def record(self, value: object) -> Record:
        """Describe one value, without changing it."""
        ...


_BY_MODULE: dict[str, str | Adapter] = {
    "glassgrad.engine.value": "glassgrad.graphs.adapters.native",
    "glassgrad.graphs.adapters.sketch": "glassgrad.graphs.adapters.sketch",
    "torch": "glassgrad.graphs.adapters.torch",
    "autograd": "glassgrad.graphs.adapters.autograd",
}
"""Where a class, or one it is derived from, was defined → its adapter, or the adapter's module."""


KNOWN_AS: dict[type, Callable[[Any], object]] = {}
"""For classes of which graphs keep only a part: from a variable's object to that part.

A tensor in somebody's variable is known by its ``grad_fn``, which is all that its results keep.
"""


def known_as(item: object) -> object:
    """Return what an object is known by in a graph: nearly always itself."""
    part = KNOWN_AS.get(type(item))
    return item if part is None else part(item)


def register_adapter(module: str, adapter: Adapter) -> None:
    """Teach ``gg.graph`` to read the classes of a module or a package.

    Parameters
    ----------
    module : str
        The dotted name of the module that defines the class, or of a package around it; the
        longest name that fits an object's class is asked first.
    adapter : Adapter
        An object with ``reads(value) -> bool`` and ``record(value) -> Record``.

    Examples
    --------
    >>> class Doubled:
    ...     __module__ = "doubling"
    ...     def __init__(self, inner, number):
    ...         self.inner, self.number = inner, number
    >>> class DoubledAdapter:
    ...     def reads(self, value):
    ...         return isinstance(value, Doubled)
    ...     def record(self, value):
    ...         return Record("double", "", value.number, operands=(value.inner,), slopes=(2.0,))
    >>> register_adapter("doubling", DoubledAdapter())
    >>> find(Doubled(3.0, 6.0)).record(Doubled(3.0, 6.0)).op
    'double'
    """
    _BY_MODULE[module] = adapter


def find(value: object) -> Adapter | None:
    """Return the adapter that reads `value`, or None.

    Examples
    --------
    >>> from glassgrad.engine.value import Value
    >>> find(Value(2.0)).record(Value(2.0)).data
    2.0
    >>> find("a string") is None
    True
    """
    kind = type(value)
    for base in kind.__mro__:
        adapter = _registered(base.__module__)
        if adapter is not None and _reads(adapter, value):
            return adapter
    from glassgrad.graphs.adapters.study import dialect_of

    return dialect_of(value)


def is_registered(kind: type) -> bool:
    """Whether an adapter was registered for the module, or the package, that defines a class.

    Examples
    --------
    >>> from glassgrad.engine.value import Value
    >>> is_registered(Value), is_registered(dict)
    (True, False)
    """
    return _registered(kind.__module__) is not None


def _registered(module: object) -> Adapter | None:
    """Return the adapter of a module, or of the package around it."""
    if module == "builtins" or not isinstance(module, str):
        return None
    while module:
        found = _BY_MODULE.get(module) or _announced(module)
        if found is not None:
            return _load(found) if isinstance(found, str) else found
        module = module.rpartition(".")[0]
    return None


def _announced(module: str) -> Adapter | None:
    """Return the adapter that an installed package announces for `module`."""
    point = _announcements().get(module)
    if point is None:
        return None
    adapter = cast(Adapter, point.load())
    register_adapter(module, adapter)
    return adapter


@cache
def _announcements() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # costs more than all of this package

    return {point.name: point for point in entry_points(group=GROUP)}


@cache
def _load(module: str) -> Adapter:
    return cast(Adapter, import_module(module).ADAPTER)


def _reads(adapter: Adapter, value: object) -> bool:
    try:
        return adapter.reads(value)
    except Exception:  # whatever an attribute of somebody's object raises: it is no Value
        return False
