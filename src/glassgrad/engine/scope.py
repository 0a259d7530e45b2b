"""Where in a network a value belongs, at no cost to values that belong nowhere.

In flow a scope, such as ``layer 1.neuron 3``; out flows what the values of that scope share: one
mapping in the slot that few values use. A value that gets something of its own, a label or a rule,
gets a copy of the mapping first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from glassgrad.engine.value import Value

_SCOPE, _PARAMETER, _NUMBER = "scope", "parameter", "number"


class Shared(dict[str, Any]):
    """A mapping that several values share, and that nobody changes."""


def shared(scope: str) -> Shared:
    """Return what all values of a scope share.

    Examples
    --------
    >>> shared("layer 1.neuron 3")
    {'scope': 'layer 1.neuron 3'}
    """
    return Shared({_SCOPE: scope} if scope else {})


def joined(outer: Shared | None, inner: Shared) -> Shared:
    """Return a place within another.

    Examples
    --------
    >>> joined(shared("encoder"), shared("layer 1"))
    {'scope': 'encoder.layer 1'}
    """
    if not outer:
        return inner
    return shared(f"{outer[_SCOPE]}.{inner[_SCOPE]}") if inner else outer


def enter(value: Value, place: Shared) -> None:
    """Put a value that has nothing of its own into a scope.

    Examples
    --------
    >>> from glassgrad.engine.value import Value
    >>> place, a = shared("line"), Value(2.0)
    >>> b = a * a
    >>> enter(b, place)
    >>> scope_of(b), scope_of(a)
    ('line', '')
    """
    if place and not hasattr(value, "_extra"):
        value._extra = place


def declare(value: Value, scope: str) -> None:
    """Say that a leaf is a parameter, and of what.

    Examples
    --------
    >>> from glassgrad.engine.value import Value
    >>> w = Value(2.0, label="line.w")
    >>> declare(w, "line")
    >>> scope_of(w), is_parameter(w)
    ('line', True)
    """
    own = value._more(make=True)
    own[_PARAMETER] = True
    if scope:
        own[_SCOPE] = scope


def stand_for_number(value: Value) -> None:
    """Say that a new leaf stands for a plain number that the user wrote.

    Examples
    --------
    >>> from glassgrad.engine.value import Value
    >>> doubled = Value(3.0) * 2
    >>> [is_plain_number(operand) for operand in doubled._prev]
    [False, True]
    """
    value._extra = _NUMBERS


def is_plain_number(value: Value) -> bool:
    """Whether a leaf stands for a plain number; one that was given a label is a value."""
    extra = value._more() if hasattr(value, "_extra") else {}
    return _NUMBER in extra and not extra.get("label")


_NUMBERS = Shared({_NUMBER: True})


def place_of(value: Value) -> Shared:
    """Return what the values of the same scope share.

    Examples
    --------
    >>> from glassgrad.engine.value import Value
    >>> place, a = shared("line"), Value(2.0)
    >>> enter(a, place)
    >>> place_of(a) is place
    True
    """
    extra = value._more()
    return extra if isinstance(extra, Shared) else shared(extra.get(_SCOPE, ""))


def scope_of(value: Value) -> str:
    """Return the scope of a value, ``""`` for none."""
    scope: str = value._more().get(_SCOPE, "")
    return scope


def is_parameter(value: Value) -> bool:
    """Whether a value is a parameter of a network, which training changes."""
    return _PARAMETER in value._more()
