"""Real functions that answer everywhere, as IEEE 754 and PyTorch do.

Python's ``math`` raises where a function leaves its domain or the range of a float; a learner's
graph must go on and show the ``inf`` or ``nan`` instead.  `FUNCTIONS` is the namespace in which
rules are evaluated; the fast source of a rule calls ``math`` itself and comes here when it raises.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

_INF = math.inf
_NAN = math.nan


def div(x: float, y: float) -> float:
    """Return ``x / y``; a zero divisor gives a signed infinity, or nan for 0 / 0.

    Examples
    --------
    >>> div(-1.0, 0.0), div(0.0, 0.0)
    (-inf, nan)
    """
    if y != 0:
        return x / y
    if x == 0 or math.isnan(x):
        return _NAN
    return math.copysign(_INF, x) * math.copysign(1.0, y)


def power(x: float, y: float) -> float:
    """Return ``x ** y`` as a real number: nan where Python would turn complex.

    Examples
    --------
    >>> power(-8.0, 1 / 3), power(0.0, -1.0), power(0.0, 0.0), power(1e200, 2.0)
    (nan, inf, 1.0, inf)
    """
    try:
        return math.pow(x, y)
    except ValueError:
        if x != 0:
            return _NAN
        return math.copysign(_INF, x) if _is_odd(y) else _INF
    except OverflowError:
        return -_INF if x < 0 and _is_odd(y) else _INF


def _is_odd(y: float) -> bool:
    return y % 2 == 1


def maximum(x: float, y: float) -> float:
    """Return the larger of two numbers; nan when either is nan."""
    return x if x > y or math.isnan(x) else y


def minimum(x: float, y: float) -> float:
    """Return the smaller of two numbers; nan when either is nan."""
    return x if x < y or math.isnan(x) else y


def sign(x: float) -> float:
    """Return 1, 0 or -1; 0 at nan, as PyTorch does."""
    return 1.0 if x > 0 else -1.0 if x < 0 else 0.0


def sigmoid(x: float) -> float:
    """Return ``1 / (1 + exp(-x))`` without overflow on either side.

    Examples
    --------
    >>> sigmoid(-1000.0), sigmoid(0.0), sigmoid(1000.0)
    (0.0, 0.5, 1.0)
    """
    if x >= 0:
        return 1.0 / (1.0 + math.exp(-x))
    small = math.exp(x)
    return small / (1.0 + small)


def total(numbers: Sequence[float]) -> float:
    """Return the sum, rounded once; as plain addition has it where infinities meet.

    Examples
    --------
    >>> total([0.1] * 10), total([float("inf"), float("-inf")])
    (1.0, nan)
    """
    try:
        return math.fsum(numbers)
    except (ValueError, OverflowError):
        return sum(numbers)


def _total(
    function: Callable[[float], float],
    edges: Callable[[float], float] = lambda x: _NAN,
    overflow: Callable[[float], float] = lambda x: _INF,
) -> Callable[[float], float]:
    """Complete a function of ``math``: `edges` outside its domain, `overflow` past its range."""

    def total(x: float) -> float:
        try:
            return function(x)
        except ValueError:
            return edges(x)
        except OverflowError:
            return overflow(x)

    return total


def _signed_infinity(x: float) -> float:
    return math.copysign(_INF, x)


def _where(condition: float, then: float, otherwise: float) -> float:
    return then if condition else otherwise


FUNCTIONS: Mapping[str, Callable[..., float]] = MappingProxyType(
    {
        "add": lambda x, y: x + y,
        "sub": lambda x, y: x - y,
        "mul": lambda x, y: x * y,
        "div": div,
        "pow": power,
        "neg": lambda x: -x,
        "gt": lambda x, y: float(x > y),
        "ge": lambda x, y: float(x >= y),
        "lt": lambda x, y: float(x < y),
        "le": lambda x, y: float(x <= y),
        "eq": lambda x, y: float(x == y),
        "and": lambda x, y: float(bool(x) and bool(y)),
        "where": _where,
        "abs": math.fabs,
        "sign": sign,
        "maximum": maximum,
        "minimum": minimum,
        "sigmoid": sigmoid,
        "exp": _total(math.exp),
        "expm1": _total(math.expm1),
        "log": _total(math.log, lambda x: -_INF if x == 0 else _NAN),
        "log1p": _total(math.log1p, lambda x: -_INF if x == -1 else _NAN),
        "log2": _total(math.log2, lambda x: -_INF if x == 0 else _NAN),
        "log10": _total(math.log10, lambda x: -_INF if x == 0 else _NAN),
        "sqrt": _total(math.sqrt),
        "sin": _total(math.sin),
        "cos": _total(math.cos),
        "tan": _total(math.tan),
        "asin": _total(math.asin),
        "acos": _total(math.acos),
        "atan": math.atan,
        "atan2": math.atan2,
        "sinh": _total(math.sinh, overflow=_signed_infinity),
        "cosh": _total(math.cosh),
        "tanh": math.tanh,
        "asinh": math.asinh,
        "acosh": _total(math.acosh),
        "atanh": _total(math.atanh, lambda x: _signed_infinity(x) if abs(x) == 1 else _NAN),
        "erf": math.erf,
        "hypot": math.hypot,
        "sum": total,
    }
)
"""Every function that a rule may use, by the name it has on the wire."""

FAST: Mapping[str, Callable[..., float]] = MappingProxyType(
    {name: getattr(math, name, function) for name, function in FUNCTIONS.items()}
    | {"abs": math.fabs}
)
"""The namespace of the fast source: ``math`` where it has the function, else the total one."""
