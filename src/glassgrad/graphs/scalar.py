"""Whatever stands where a number should stand, as a number.

In flows an attribute of somebody's object: a float, a NumPy scalar, another Value, nothing at all;
out flow a float and, where it was not simply one, the rest of a sentence that says so.
"""

from __future__ import annotations

from collections.abc import Sized
from math import inf, nan
from numbers import Real
from typing import cast


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
    if type(item) is float:
        return item, ""
    inner, depth = item, 0
    seen: set[int] = set()
    while not isinstance(inner, Real | complex) and id(inner) not in seen and _holds_one(inner):
        seen.add(id(inner))
        inner, depth = inner.data, depth + 1  # type: ignore[attr-defined]
    number = _real(inner)
    if number is None:
        return nan, _what(inner)
    if depth:
        return number, f" is itself a {type(item).__name__}, where a Value holds a plain number."
    return number, ""


def _holds_one(item: object) -> bool:
    """Whether something holds its number in ``data``, as a Value does and an array does not."""
    return hasattr(item, "data") and not hasattr(item, "__array__")


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
