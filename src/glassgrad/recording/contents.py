"""Some objects in, the Values that they hold out: the weights of a model, the items of a list.

Nothing of the user's runs: objects are followed as the garbage collector follows them. But of
modules, classes and functions only the user's own are followed, and of a function only what it
closes over and its defaults: from there everything could be reached.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from types import (
    BuiltinFunctionType,
    CodeType,
    FrameType,
    FunctionType,
    MethodType,
    ModuleType,
)
from typing import cast
from weakref import ProxyTypes, ReferenceType

from glassgrad.recording.handed import is_users
from glassgrad.recording.holds import asks_each

MOST = 50_000
"""So many objects are looked at."""

_NUMBERS = (str, bytes, int, float, complex, bool, type(None))
_CLOSED = (BuiltinFunctionType, CodeType, FrameType)
_CODE = (FunctionType, MethodType, ModuleType, type)
_SHELLS = ("IPython", "ipykernel", "traitlets")
"""What a shell is made of: from it everything can be reached, and nothing of it holds a model."""

_LEFT: tuple[type, ...] = (*_NUMBERS, *_CLOSED, ReferenceType, *ProxyTypes)
_variables_of: Callable[[type], dict[str, object]] = type.__dict__["__dict__"].__get__


def contents(objects: Iterable[object], is_value: Callable[[object], bool]) -> list[object]:
    """Return the Values among some objects and in them, but not what those were computed from.

    Parameters
    ----------
    objects : iterable
        Anything.
    is_value : callable
        Tells whether an object is a Value. Asked once per class, but for tensors.

    Examples
    --------
    >>> from fractions import Fraction
    >>> held = {"w": [Fraction(1, 2), "b"], "n": (2,)}
    >>> contents([held], lambda item: isinstance(item, Fraction))
    [Fraction(1, 2)]
    """
    found: dict[int, object] = {}
    for row in rows(objects, is_value):
        found.update(zip(map(id, row), row, strict=True))
    return list(found.values())


def rows(objects: Iterable[object], is_value: Callable[[object], bool]) -> Iterator[list[object]]:
    """Give what `contents` returns in lists of one class each; a value may come more than once.

    A list of thousands of Values is one row, and costs as good as nothing.
    """
    fates: dict[int, bool | None] = {}  # by class: True for Values, None for what is left
    each: set[int] = set()  # classes of which every object has to be asked
    waiting = [list(objects)]
    seen: set[int] = set()
    left = MOST
    while waiting and left > 0:
        row = waiting.pop()
        del row[left:]
        left -= len(row)
        # by type: isinstance asks the object for its class, and a dead proxy raises
        kinds = set(map(id, map(type, row)))
        if not kinds <= fates.keys():
            for item in row:
                kind = id(type(item))
                if kind not in fates:
                    fates[kind] = _fate(item, is_value)
                    if asks_each(type(item)):
                        each.add(kind)
        if len(kinds) == 1 and not kinds & each and fates[next(iter(kinds))]:
            yield row
            continue
        for item in row:
            kind = id(type(item))
            fate = _fate(item, is_value) if kind in each else fates[kind]
            if fate:
                yield [item]
            elif fate is False and id(item) not in seen:
                seen.add(id(item))
                waiting.append(_inside(item))


def _fate(item: object, is_value: Callable[[object], bool]) -> bool | None:
    kind = type(item)
    if issubclass(kind, _LEFT) or str(kind.__module__).startswith(_SHELLS):
        return None
    return not issubclass(kind, _CODE) and is_value(item)


def _inside(item: object) -> list[object]:
    """Return what an object refers to, as far as it is followed."""
    kind: type = type(item)
    if issubclass(kind, MethodType):
        return [cast(MethodType, item).__self__]
    if issubclass(kind, FunctionType):
        function = cast(FunctionType, item)
        held: list[object] = [*(function.__closure__ or ())]
        held += [function.__defaults__, function.__kwdefaults__]
        return held if is_users(function.__module__) else []
    if issubclass(kind, ModuleType):
        variables: dict[str, object] = object.__getattribute__(item, "__dict__")
        return list(variables.values()) if is_users(variables.get("__name__")) else []
    if issubclass(kind, type):
        variables = _variables_of(cast(type, item))
        return list(variables.values()) if is_users(variables.get("__module__")) else []
    return gc.get_referents(item)
