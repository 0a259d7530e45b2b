"""The functions of rules for NumPy arrays, with the edges of `glassgrad.engine.real`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.float64]


def sign(x: Array) -> Array:
    """Return 1, 0 or -1; 0 at nan, as PyTorch does."""
    return np.greater(x, 0.0) * 1.0 - np.less(x, 0.0) * 1.0


def sigmoid(x: Array) -> Array:
    """Return ``1 / (1 + exp(-x))`` without overflow on either side.

    Examples
    --------
    >>> sigmoid(np.array([-1000.0, 0.0, 1000.0])).tolist()
    [0.0, 0.5, 1.0]
    """
    small = np.exp(-np.abs(x))
    return np.where(np.greater_equal(x, 0.0), 1.0, small) / (1.0 + small)


_each_erf = np.frompyfunc(math.erf, 1, 1)


def erf(x: Array) -> Array:
    """Return the error function; NumPy has none, so Python's is called for each element."""
    return np.asarray(_each_erf(x), np.float64)


NAMESPACE: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        "where": np.where,
        "pow": np.power,
        "sign": sign,
        "sigmoid": sigmoid,
        "erf": erf,
        "asin": np.arcsin,
        "acos": np.arccos,
        "atan": np.arctan,
        "atan2": np.arctan2,
        "asinh": np.arcsinh,
        "acosh": np.arccosh,
        "atanh": np.arctanh,
        **{
            name: getattr(np, name)
            for name in (
                "abs", "maximum", "minimum", "exp", "expm1", "log", "log1p", "log2", "log10",
                "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh", "hypot",
            )
        },
    }
)  # fmt: skip
"""What the array code of a rule may call."""
