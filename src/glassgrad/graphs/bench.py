"""A test bench for plain rules: the same code, over and over, with other numbers.

In flows a rule that only computes with ``data`` and ``grad``; out flow what it leaves in the
operands' gradients.  Two stand-ins and one function serve all values whose rule has this code:
for each only the numbers are put in.  That is what makes measuring 60,000 rules as fast as
running them; a rule that does more than arithmetic goes through `glassgrad.graphs.standins`.
"""

from __future__ import annotations

import builtins
import dis
from collections.abc import Sequence
from functools import lru_cache
from numbers import Number
from types import CellType, CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import Any

from glassgrad.graphs.adapters import Names

_ARITHMETIC = frozenset({"abs", "bool", "divmod", "float", "int", "max", "min", "pow", "round"})
PLAIN = (Number, str, type(None))
"""What a rule may have taken along besides values."""
_MODULES = frozenset({"cmath", "math", "numpy", "operator", "scipy", "jax", "torch"})
_BANNED = ("JUMP_BACKWARD", "STORE_GLOBAL", "STORE_DEREF", "DELETE", "IMPORT", "YIELD", "RAISE")

RESULT, CONSTANT = -1, -2
"""What a cell holds, where it is not the position of an operand."""


class Bench:
    """One code, with stand-ins in the cells where values were.

    Parameters
    ----------
    rule : function
        A rule with this code.
    places : sequence of int
        For each cell of its closure: the position of an operand, `RESULT` or `CONSTANT`.
    count : int
        How many operands there are.
    names : Names
        What the class calls the number and the gradient.

    Examples
    --------
    >>> def square(a, out):
    ...     def rule():
    ...         a.grad += 2 * a.data * out.grad
    ...     return rule
    >>> rule = square(SimpleNamespace(data=3.0, grad=0.0), SimpleNamespace(data=9.0, grad=0.0))
    >>> bench = Bench(rule, [0, RESULT], 1, Names())
    >>> bench.run([None, None], 9.0, [5.0], 0.0, 1.0)
    [10.0]
    """

    def __init__(self, rule: FunctionType, places: Sequence[int], count: int, names: Names) -> None:
        self.places = places
        self._result = SimpleNamespace()
        self.operands = [SimpleNamespace() for _ in range(count)]
        self._inside = [vars(other) for other in self.operands]
        self._outcome = vars(self._result)
        self._names = names
        self._cells = tuple(
            CellType(
                self._result if place == RESULT else self.operands[place] if place >= 0 else None
            )
            for place in places
        )
        self._constants = [cell for cell, place in enumerate(places) if place == CONSTANT]
        self._rule = FunctionType(rule.__code__, rule.__globals__, "rule", None, self._cells)

    def run(
        self,
        taken: Sequence[Any],
        data: object,
        operands: Sequence[object],
        held: float,
        gradient: float,
    ) -> list[Any]:
        """Run the code, and return what it left in the operands' gradients.

        Parameters
        ----------
        taken : sequence of object
            What the rule's own cells hold.
        data : object
            The number of the result.
        operands : sequence of object
            Those of the operands.
        held : float
            What the operands' gradients hold before.
        gradient : float
            The result's gradient.
        """
        number, grad = self._names.data, self._names.grad
        for inside, item in zip(self._inside, operands, strict=True):
            inside[number] = item
            inside[grad] = held
        self._outcome[number] = data
        self._outcome[grad] = gradient
        for cell in self._constants:
            self._cells[cell].cell_contents = taken[cell]
        self._rule()
        return [inside[grad] for inside in self._inside]


def is_plain(rule: FunctionType, names: Names) -> bool:
    """Whether a rule only computes: with numbers, gradients, arithmetic and modules such as math.

    Examples
    --------
    >>> import math
    >>> def rules(a):
    ...     def plain():
    ...         a.grad += math.exp(a.data)
    ...     def other():
    ...         a.grad += a.helper()
    ...     return plain, other
    >>> [is_plain(rule, Names()) for rule in rules(None)]
    [True, False]
    """
    code = rule.__code__
    if not _stays_inside(code):
        return False
    world = rule.__globals__
    unknown = [name for name in code.co_names if name not in (names.data, names.grad)]
    if "random" in unknown:  # whose numbers would be others afterwards
        return False
    modules = [world[name] for name in unknown if type(world.get(name)) is ModuleType]
    return all(
        _computes(world[name], name)
        if name in world
        else name in _ARITHMETIC or any(hasattr(module, name) for module in modules)
        for name in unknown
    )


@lru_cache(maxsize=1024)  # a notebook defines hundreds of rules, and reads them all the time
def _stays_inside(code: CodeType) -> bool:
    """Whether code takes no arguments, comes to an end, and changes nothing but attributes."""
    if code.co_argcount or code.co_kwonlyargcount or code.co_flags & 0x2A0:  # generators, await
        return False
    if any(isinstance(item, CodeType) for item in code.co_consts):
        return False
    return not any(step.opname.startswith(_BANNED) for step in dis.get_instructions(code))


def _computes(item: object, name: str) -> bool:
    """Whether a global is a module of mathematics, a function of one, or arithmetic by name."""
    if type(item) is ModuleType:
        return item.__name__.partition(".")[0] in _MODULES
    if type(item).__name__ == "ufunc":
        return True
    own = getattr(item, "__module__", "")
    return own == "math" or (name in _ARITHMETIC and item is getattr(builtins, name))


def are_plain(taken: Sequence[object], places: Sequence[int]) -> bool:
    """Whether what a rule took along, besides values, are plain numbers and words."""
    return all(
        place != CONSTANT or issubclass(type(item), PLAIN)
        for item, place in zip(taken, places, strict=True)
    )
