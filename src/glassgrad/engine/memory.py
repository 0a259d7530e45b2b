"""Building large graphs without the cyclic garbage collector.

A graph holds no cycle: its values are freed by reference counts as soon as nothing uses them.
The cyclic collector cannot know that, and each time enough new values exist it looks through them
for cycles that are not there.  `pause_gc` turns it off for a while.

Without that, the collector looks through *everything* each time the heap has grown by a quarter,
so a graph of a million values is traversed five times over while it is built.  `postpone_gc`,
which is on from the moment `Value` is imported, makes such full collections rarer, and only while
nearly everything new is a Value: one that is due waits until the heap is four times as large.  So
what cycles of other objects keep alive may wait that long too, and no longer.  Collections of
the youngest objects, and ``gc.collect()``, are what they always were.
"""

from __future__ import annotations

import atexit
import gc
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import chain, repeat
from operator import is_
from typing import Any

_NEVER = 2**30
"""Added to a threshold, which is then out of reach and can be told apart."""

_GROWTH = 3  # new objects for each that was there when a full collection was due
_OTHERS = 0.1  # how many new objects for each new Value may be anything else


@contextmanager
def pause_gc() -> Iterator[None]:
    """Pause Python's cyclic garbage collector inside a ``with`` block, or in a decorated function.

    Memory that no cycle holds is freed as always.  Blocks may be nested; at the end of each one
    the collector is on or off as it was before, also when an exception leaves the block.

    Put one training step into it, not a whole program: cycles made elsewhere wait until the end.

    Examples
    --------
    >>> import gc
    >>> from glassgrad.engine.value import Value
    >>> with pause_gc():
    ...     loss = sum(Value(x) ** 2 for x in range(100))
    ...     loss.backward()
    >>> loss.data, gc.isenabled()
    (328350.0, True)
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        (gc.enable if was_enabled else gc.disable)()


class _Postponement:
    """Hears of every collection, and decides what may follow the next.

    CPython counts collections of each generation and turns to the next older one when there were
    more than the second and third number of ``gc.get_threshold()`` say.  Once a full collection is
    due, `_NEVER` is added to both for as long as Values are made; so what is new is not looked
    through a second time before it is anyway.  Nothing else is touched: no collection is cut
    short, nothing is frozen.

    Parameters
    ----------
    kind : type
        The class whose instances cannot be part of a cycle; a subclass may have attributes that
        make one.
    """

    def __init__(self, kind: type) -> None:
        self._kind = kind
        self._left: int | None = None  # how often it may still say "not yet"; None after a full one

    def __call__(self, phase: str, info: Mapping[str, int]) -> None:
        """Be told by `gc` that a collection starts or stops."""
        if info["generation"] == 2:
            self._left = None
        elif phase == "start":
            with suppress(RecursionError):  # somebody's recursion may be at its end
                self._decide(info["generation"])

    def _decide(self, generation: int) -> None:
        """Set the thresholds for what may follow a collection of this generation."""
        young, middle, full = gc.get_threshold()
        usual_middle, usual_full = middle % _NEVER, full % _NEVER
        _, youngest, passed = gc.get_count()
        if generation == 0 and (youngest + 1) % (usual_middle + 1):
            return  # nothing older than this follows next
        is_due = passed + generation > usual_full
        waits = is_due and self._only_values() and self._may_wait(young * (usual_middle + 1))
        extra = _NEVER if waits else 0
        if usual_full + extra != full or usual_middle + extra != middle:
            gc.set_threshold(young, usual_middle + extra, usual_full + extra)

    def _only_values(self) -> bool:
        """Tell whether nearly all young objects are Values, or tuples such as some of them hold."""
        types = list(map(type, chain.from_iterable(_objects(0))))
        values, tuples = (sum(map(is_, types, repeat(kind))) for kind in (self._kind, tuple))
        others = len(types) - values - tuples
        return values > 0 and tuples <= 2 * values and others <= _OTHERS * values

    def _may_wait(self, new: int) -> bool:
        """Tell whether the heap may grow by `new` objects before the next full collection.

        It is measured once after each full one, since that takes time in proportion to it.
        """
        if self._left is None:
            self._left = _GROWTH * sum(map(len, _objects(2))) // max(1, new)
        self._left -= 1
        return self._left >= 0

    def stop(self) -> None:
        """Hear of nothing more, and leave the thresholds as they were found."""
        if self in gc.callbacks:
            gc.callbacks.remove(self)
            young, middle, full = gc.get_threshold()
            gc.set_threshold(young, middle % _NEVER, full % _NEVER)


def _objects(generation: int) -> Iterator[list[object]]:
    """Return the list of a generation's objects when asked for it, in an iterator of that one.

    Some objects are half made: their parts must not be looked at.  And a tuple cannot be finished
    while anybody else holds it, which another thread may try between two instructions of Python.
    So use the iterator up inside one call of built-in functions.
    """
    return map(gc.get_objects, (generation,))


_installed: list[_Postponement] = []


def postpone_gc(enabled: bool = True) -> None:
    """Say whether full garbage collections wait while Values are made; they do, unless told not to.

    While nearly all new objects are Values, a full collection that is due waits until the heap is
    four times as large, which makes large graphs cheap.  Meanwhile the second and third number of
    ``gc.get_threshold()`` are 2**30 larger than you set them.  ``gc.collect()`` collects everything
    at once, as ever.  ``backward(create_graph=True)`` switches this off, because a gradient that is
    a Value refers to the value that holds it: such graphs do need the collector.

    It has no effect outside CPython 3.11 to 3.13, whose collector works as described; later ones
    work in small steps.

    Parameters
    ----------
    enabled : bool, optional
        Whether full collections wait.

    Examples
    --------
    >>> postpone_gc(False)
    >>> postpone_gc()
    """
    for postponement in _installed:
        postponement.stop()
    if enabled and _is_generational():
        gc.callbacks.extend(_installed)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hear of no collection inside a ``with`` block, so that somebody's code runs alone in it.

    Where lines are counted, ours would count as well; where a recursion is at its limit, there is
    no room for another call.

    Examples
    --------
    >>> import gc
    >>> postpone_gc()
    >>> there = list(gc.callbacks)
    >>> with undisturbed():
    ...     inside = len(gc.callbacks)
    >>> inside < len(there), gc.callbacks == there
    (True, True)
    """
    listening = [postponement for postponement in _installed if postponement in gc.callbacks]
    for postponement in listening:
        postponement.stop()
    try:
        yield
    finally:
        gc.callbacks.extend(listening)


def install(kind: type[Any]) -> None:
    """Let full collections wait while instances of `kind` are made, until Python exits."""
    _installed.append(_Postponement(kind))
    postpone_gc()
    atexit.register(postpone_gc, False)  # before modules are taken apart


def _is_generational() -> bool:
    """Whether this interpreter runs full collections as the third threshold says."""
    has_lock = getattr(sys, "_is_gil_enabled", lambda: True)()
    is_known = sys.implementation.name == "cpython" and sys.version_info < (3, 14)
    return is_known and has_lock
