"""The table's rules for whole arrays, in the functions of any array library.

A library supplies a namespace with the names of `glassgrad.engine.real.FUNCTIONS`; a row's
expressions are compiled in it, so that no rule is written a second time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from glassgrad.engine.expression import Expression
from glassgrad.engine.ops import Primitive

Function: TypeAlias = Callable[..., Any]


class Rules:
    """Forward functions and slopes of primitives, over arrays.

    Parameters
    ----------
    namespace : mapping
        ``where`` and the functions that rules use, for the arrays of one library.

    Examples
    --------
    >>> from glassgrad.engine.ops import PRIMITIVES
    >>> from glassgrad.engine.replay.numpy_functions import NAMESPACE
    >>> import numpy as np
    >>> rules = Rules(NAMESPACE)
    >>> rules.forward(PRIMITIVES["relu"])(np.array([-1.0, 2.0])).tolist()
    [0.0, 2.0]
    >>> rules.slope(PRIMITIVES["mul"], 0)(3.0, 4.0, 12.0)
    4.0
    """

    def __init__(self, namespace: Mapping[str, Function]) -> None:
        self._namespace = dict(namespace)
        self._compiled: dict[tuple[str, int], Function] = {}

    def forward(self, primitive: Primitive) -> Function:
        """Return the function of the operands that gives the result."""
        return self._function(primitive, -1, primitive.forward, primitive.variables)

    def slope(self, primitive: Primitive, position: int) -> Function:
        """Return the function of the operands and the result that gives one local slope."""
        partial = primitive.partials[position]
        return self._function(primitive, position, partial, (*primitive.variables, "out"))

    def _function(
        self, primitive: Primitive, position: int, rule: Expression, variables: tuple[str, ...]
    ) -> Function:
        key = (primitive.name, position)
        if key not in self._compiled:
            source = f"lambda {', '.join(variables)}: {rule.array_code}"
            self._compiled[key] = eval(source, self._namespace)
        return self._compiled[key]
