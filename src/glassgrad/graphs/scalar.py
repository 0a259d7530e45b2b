"""Whatever stands where a number should stand, as a number.

In flows an attribute of somebody's object: a float, a NumPy scalar, another Value, nothing at all;
out flow a float and, where it was not simply one, the rest of a sentence that says so.
"""

from __future__ import annotations

from collections.abc import Sized
from math import inf, nan
from numbers import Real
from typing import cast

from glassgrad.graphs.adapters import find

_EXACT = 2**53  # below it a float holds every whole number


def scalar(item: object) -> tuple[float, str]:
    """Return `item` as a float, and what is unusual about it.

    Parameters
    ----------
    item : object
        Anything.

    Returns
    -------
    number : float
        nan where `item` is no real number.
    trouble : str
        ``""``, or the rest of a sentence that begins with the name of the place.

    Examples
    --------
    >>> scalar(3)
    (3.0, '')
    >>> scalar(1 + 2j)
    (nan, ' is the complex number (1+2j), where a Value holds a real one.')
    """
    if isinstance(item, float):  # nearly always, and much faster to see
        return float(item), ""
    if type(item) is int and -_EXACT < item < _EXACT:
        return float(item), ""
    inner, depth = item, 0
    seen: set[int] = set()
    while id(inner) not in seen:
        seen.add(id(inner))
        adapter = None if isinstance(inner, Real | complex) else find(inner)
        if adapter is None:
            break
        inner, depth = adapter.record(inner).data, depth + 1
    number = _real(inner)
    if number is None:
        return nan, _what(inner)
    if depth:
        return number, f" is itself a {type(item).__name__}, where a Value holds a plain number."
    return number, ""


def _real(item: object) -> float | None:
    """Return a real number, or an array of one, as a float."""
    if not isinstance(item, Real) and getattr(item, "size", None) != 1:
        return None
    try:
        return float(item.item() if hasattr(item, "item") else cast(float, item))
    except OverflowError:  # an int beyond the floats
        return inf if cast(int, item) > 0 else -inf
    except (TypeError, ValueError):  # a complex or a string, inside an array
        return None


def _what(item: object) -> str:
    if item is None:
        return " is None, where a Value holds a number."
    if isinstance(item, complex):
        return f" is the complex number {item}, where a Value holds a real one."
    if hasattr(item, "__array__") and isinstance(item, Sized):
        return " is an array, where a Value holds one number."
    return f" is a {type(item).__name__}, where a Value holds a number."
