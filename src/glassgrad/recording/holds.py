"""An object in, a way to reach it later out, which keeps it alive only if it must."""

from __future__ import annotations

import weakref
from collections.abc import Callable

from glassgrad.graphs.adapters import is_registered
from glassgrad.recording.sites import Hold


def holder_of(reads: Callable[[object], bool], value: object) -> Callable[[object], Hold] | None:
    """Return what holds values of a class, weakly where the class allows it.

    Parameters
    ----------
    reads : callable
        Tells whether an object is a Value.
    value : object
        One object of the class.

    Returns
    -------
    callable or None
        None for what is no Value.

    Examples
    --------
    >>> class Number:
    ...     pass
    >>> value = Number()
    >>> hold = holder_of(lambda value: True, value)(value)
    >>> hold() is value
    True
    """
    try:
        if not reads(value):
            return None
    except Exception:  # a half-written class may raise anything, and its cell is not ours to break
        return None
    try:
        weakref.ref(value)
    except TypeError:  # __slots__ without __weakref__
        return _strong
    return weakref.ref


def asks_each(kind: type) -> bool:
    """Whether each object of a class has to be asked: a tensor is a Value if it has one element.

    Examples
    --------
    >>> from glassgrad import Value
    >>> asks_each(dict), asks_each(Value)
    (False, False)
    """
    return is_registered(kind) and not kind.__module__.startswith("glassgrad.")


def _strong(value: object) -> Hold:
    return lambda: value
