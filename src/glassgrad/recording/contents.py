"""Some objects in, the Values that they hold out: the weights of a model, the items of a list.

Nothing of the user's runs: objects are followed as the garbage collector follows them.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable
from types import (
    BuiltinFunctionType,
    CodeType,
    FrameType,
    FunctionType,
    MethodType,
    ModuleType,
)
from weakref import ProxyTypes, ReferenceType

MOST = 50_000
"""So many objects are looked at."""

_NUMBERS = (str, bytes, int, float, complex, bool, type(None))
_CLOSED = (
    type,
    ModuleType,
    FunctionType,
    MethodType,
    BuiltinFunctionType,
    CodeType,
    FrameType,
)
_SHELLS = ("IPython", "ipykernel", "traitlets")
"""What a shell is made of: from it everything can be reached, and nothing of it holds a model."""

_LEFT: tuple[type, ...] = (*_NUMBERS, *_CLOSED, ReferenceType, *ProxyTypes)


def contents(objects: Iterable[object], is_value: Callable[[object], bool]) -> list[object]:
    """Return the Values among some objects and in them, but not what those were computed from.

    Parameters
    ----------
    objects : iterable
        Anything.
    is_value : callable
        Tells whether an object is a Value.

    Examples
    --------
    >>> from fractions import Fraction
    >>> held = {"w": [Fraction(1, 2), "b"], "n": (2,)}
    >>> contents([held], lambda item: isinstance(item, Fraction))
    [Fraction(1, 2)]
    """
    waiting = list(objects)
    seen: set[int] = set()
    found: list[object] = []
    while waiting and len(seen) < MOST:
        item = waiting.pop()
        # by type: isinstance asks the object for its class, and a dead proxy raises
        if id(item) in seen or issubclass(type(item), _LEFT):
            continue
        seen.add(id(item))
        if is_value(item):
            found.append(item)
        elif not str(type(item).__module__).startswith(_SHELLS):
            waiting.extend(gc.get_referents(item))
    return found
