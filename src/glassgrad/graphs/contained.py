"""What Python's own containers, counters and generators of random numbers hold, to be put back.

In flows an object; out flows what gives it back what it holds now.  Methods are called on the
built-in classes, so that nothing runs of a class derived from them, and members are compared by
identity: their own ``==`` is somebody's code.
"""

from __future__ import annotations

import random
import sys
from ast import literal_eval
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from functools import cached_property, partial
from itertools import count
from operator import is_
from types import BuiltinMethodType, MethodType, ModuleType
from typing import Any

from glassgrad.graphs.adapters.held import namespace

LARGEST = 1_000  # members of a container that are all looked at

_CONTAINERS: tuple[Any, ...] = (list, OrderedDict, dict, set, deque, bytearray)


def keeps(item: object) -> bool:
    """Whether an object of Python's own, or of NumPy's, holds something that can be put back.

    Examples
    --------
    >>> keeps([]), keeps(deque()), keeps(random.Random(0)), keeps(())
    (True, True, True, False)
    """
    return _kind(item) is not None or _is_random(item) or bool(_numpy(item))


def members(item: Any) -> Iterable[Any]:
    """Return what an object leads to: members of a container, whose method it is, what it wraps.

    Examples
    --------
    >>> list(members({"seen": [1]})), list(members(random.shuffle)) == [random.seed.__self__]
    ([[1]], True)
    """
    kind = _kind(item, (*_CONTAINERS[:-1], tuple, frozenset))
    if kind is not None:
        if kind.__len__(item) > LARGEST:
            return ()
        return [*(kind.values if issubclass(kind, dict) else kind.__iter__)(item)]
    if issubclass(type(item), MethodType | BuiltinMethodType):
        owner = item.__self__
        return () if issubclass(type(owner), ModuleType) else (owner,)
    if item is random:
        return (random.seed.__self__,)  # type: ignore[attr-defined]
    if type(item) is ModuleType and item.__name__ in ("numpy", "numpy.random"):
        loaded = sys.modules.get("numpy.random.mtrand")
        return (loaded._rand,) if loaded is not None else ()
    return _wrapped(item)


def _wrapped(item: Any) -> Iterable[Any]:
    """Return the functions that a partial, a property or a decorated function calls."""
    if issubclass(type(item), partial):
        return (item.func, *item.args, *item.keywords.values())
    if issubclass(type(item), property):
        return (item.fget, item.fset, item.fdel)
    if issubclass(type(item), cached_property):
        return (item.func,)
    inside = namespace(item)
    return (inside["__wrapped__"],) if "__wrapped__" in inside else ()


def put_back(item: Any) -> Callable[[], object] | None:
    """Return what gives an object back what it holds; of a large one, what was added is removed.

    Examples
    --------
    >>> seen = deque([1, 2], maxlen=2)
    >>> back = put_back(seen)
    >>> seen.append(3)
    >>> back()
    >>> seen
    deque([1, 2], maxlen=2)
    """
    if _is_random(item):
        return partial(random.Random.setstate, item, random.Random.getstate(item))
    kind = _kind(item)
    if kind is None:
        return _numpy(item)
    if size(item) > LARGEST:
        if kind is set:
            return None
        cut = kind.popitem if issubclass(kind, dict) else kind.pop
        return partial(_shorten, kind, cut, item, size(item))
    if issubclass(kind, dict):
        return partial(_refill, kind, item, [*kind.items(item)])
    return partial(_fill, kind, item, [*kind.__iter__(item)])


def size(item: object) -> int:
    """Return how many members a container has; 0 for what is none."""
    kind = _kind(item)
    return 0 if kind is None else int(kind.__len__(item))


def again(counter: count[Any]) -> count[Any]:
    """Return a counter that goes on where another one stands, which does not move.

    Examples
    --------
    >>> ids = count(3)
    >>> next(again(ids)), next(ids)
    (3, 3)
    """
    try:
        where = literal_eval(repr(counter).removeprefix("count"))
    except (ValueError, SyntaxError):  # it counts fractions, or from nan
        return counter
    return count(*where) if isinstance(where, tuple) else count(where)


def _fill(kind: Any, item: Any, before: list[Any]) -> None:
    if size(item) == len(before) and all(map(is_, kind.__iter__(item), before)):
        return
    kind.clear(item)
    (kind.update if kind is set else kind.extend)(item, before)


def _refill(kind: Any, item: Any, before: list[tuple[Any, Any]]) -> None:
    now = [*kind.items(item)]
    if len(now) == len(before) and all(
        k is key and v is value for (k, v), (key, value) in zip(now, before, strict=True)
    ):
        return
    kind.clear(item)
    for key, value in before:
        kind.__setitem__(item, key, value)


def _shorten(kind: Any, cut: Callable[[Any], object], item: Any, length: int) -> None:
    while kind.__len__(item) > length:
        cut(item)


def _kind(item: object, kinds: tuple[Any, ...] = _CONTAINERS) -> Any:
    """Return the built-in class that an object's class is, or is derived from; None for none."""
    return next((kind for kind in kinds if issubclass(type(item), kind)), None)


def _is_random(item: object) -> bool:
    return issubclass(type(item), random.Random) and not issubclass(type(item), random.SystemRandom)


def _numpy(item: Any) -> Callable[[], object] | None:
    """Return what puts back a small array, or a generator of random numbers, of NumPy's."""
    numpy = sys.modules.get("numpy")
    if numpy is None or not type(item).__module__.startswith("numpy"):
        return None
    if type(item) is numpy.ndarray and item.size <= LARGEST and item.flags.writeable:
        return partial(item.__setitem__, ..., item.copy())
    if issubclass(type(item), numpy.random.RandomState):
        return partial(item.set_state, item.get_state())
    if issubclass(type(item), numpy.random.Generator):
        return partial(setattr, item.bit_generator, "state", item.bit_generator.state)
    return None
