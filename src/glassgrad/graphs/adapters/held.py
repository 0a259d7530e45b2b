"""What an object holds, found without running any of its code.

In flows somebody's object; out flow its attributes as they are stored: in its dictionary and in
its slots.  Properties and ``__getattr__`` are not asked, since they may raise, compute or lie.
"""

from __future__ import annotations

from types import MemberDescriptorType
from weakref import WeakKeyDictionary

ABSENT = object()
"""What stands for an attribute that is not there."""

_SLOTS: WeakKeyDictionary[type, tuple[MemberDescriptorType, ...]] = WeakKeyDictionary()


def slots_of(cls: type) -> tuple[MemberDescriptorType, ...]:
    """Return what stores the slots of a class, its bases' first; looked for once per class."""
    found = _SLOTS.get(cls)
    if found is None:
        found = _SLOTS[cls] = tuple(
            item
            for base in reversed(cls.__mro__)
            for item in vars(base).values()
            if isinstance(item, MemberDescriptorType) and not item.__name__.startswith("__")
        )
    return found


def namespace(item: object) -> dict[str, object]:
    """Return the dictionary of an object itself, not a copy; an empty one where it has none."""
    try:
        found = object.__getattribute__(item, "__dict__")
    except Exception:  # it has none, or its class has a property of this name
        return {}
    return found if isinstance(found, dict) else {}


def held(item: object) -> dict[str, object]:
    """Return the attributes of an object, in the order in which they were first set.

    Examples
    --------
    >>> class Point:
    ...     __slots__ = ("x", "y")
    >>> point = Point()
    >>> point.x = 1.0
    >>> held(point)
    {'x': 1.0}
    """
    found = {}
    for slot in slots_of(type(item)):
        inside = stored(slot, item)
        if inside is not ABSENT:
            found[slot.__name__] = inside
    return found | namespace(item)


def stored(slot: MemberDescriptorType, item: object) -> object:
    """Return what a slot holds, or `ABSENT`."""
    try:
        inside: object = slot.__get__(item)
    except AttributeError:
        return ABSENT
    return inside
