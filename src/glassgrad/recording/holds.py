"""An object in, a way to reach it later out, which keeps it alive only if it must."""

from __future__ import annotations

import weakref
from collections.abc import Callable

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


def _strong(value: object) -> Hold:
    return lambda: value
