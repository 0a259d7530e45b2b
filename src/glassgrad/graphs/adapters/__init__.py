"""Adapters: how each family of Value classes keeps what a graph needs.

In flows an object of a class nobody has seen before; out flows a `Record` of it.  A family is one
file with one ``ADAPTER``.  Libraries are recognised by the module of their class, so that looking
at an object imports nothing that is not there already; classes written by learners are recognised
by their shape.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import NamedTuple, Protocol, cast


class Record(NamedTuple):
    """One value, as an adapter found it; nothing of the object was changed to find out."""

    op: str
    """The operation as the class spells it, ``""`` where it does not tell."""

    label: str
    """The object's own label, ``""`` where it has none."""

    data: object
    """What stands where the number should be."""

    grad: object
    """What stands where the gradient should be; None where there is nothing."""

    operands: tuple[object, ...]
    """What it was computed from; a plain number stands for itself."""

    ordered: bool = True
    """Whether `operands` is their order, repeats included, and not just their set."""

    primitive: str | None = None
    """The row of the engine's table, if the class vouches for it."""

    symbol: str = ""
    """What a picture shows for the operation, if the class knows."""

    slopes: tuple[float, ...] | None = None
    """The local slopes, aligned with `operands`, if the class keeps them."""

    rule: Callable[[], object] | None = None
    """What to run to measure the slopes where they are not kept; reads and writes ``grad``."""

    trouble: str = ""
    """What is unusual about it: the rest of a sentence that begins with its name."""


class Adapter(Protocol):
    """What a family of classes has to tell."""

    def reads(self, value: object) -> bool:
        """Whether `value` belongs to this family; asked once for each class."""
        ...

    def record(self, value: object) -> Record:
        """Describe one value, without changing it."""
        ...


BY_MODULE: Mapping[str, str] = {
    "glassgrad.engine.value": "glassgrad.graphs.adapters.native",
}
"""The module in which a class, or a class it is derived from, was defined → its adapter."""

BY_SHAPE: tuple[str, ...] = ("glassgrad.graphs.adapters.classic",)
"""Adapters to ask, in this order, about all other classes."""


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
    for base in type(value).__mro__:
        if base.__module__ in BY_MODULE:
            return _adapter(BY_MODULE[base.__module__])
    return next((adapter for adapter in map(_adapter, BY_SHAPE) if _reads(adapter, value)), None)


def _reads(adapter: Adapter, value: object) -> bool:
    try:
        return adapter.reads(value)
    except Exception:  # whatever an attribute of somebody's object raises: it is no Value
        return False


def _adapter(module: str) -> Adapter:
    return cast(Adapter, import_module(module).ADAPTER)
