"""Reads a box of the HIPS autograd package, inside a function that is being differentiated.

Autograd keeps functions that pull gradients back, and neither values nor names.  Slopes are what
these functions return for 1; an operation is known by the code that defines its gradient; numbers
are those which the functions took along, and what follows from them.  Nothing here imports
autograd: there is no box to read before somebody has.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

from glassgrad.graphs.adapters import KNOWN_AS, Record
from glassgrad.graphs.adapters.closures import contents
from glassgrad.graphs.adapters.sketch import ADAPTER as ADAPTER_OF_STEPS
from glassgrad.graphs.adapters.sketch import Step, complete
from glassgrad.graphs.order import post_order

_FIRST, _SECOND, _RESULT = "x", "y", "ans"  # what autograd's own definitions call them
_DEEPEST = 4  # functions inside functions


class Autograd:
    """The family of `autograd.tracer.Box`."""

    def reads(self, value: object) -> bool:
        """Whether it is a box around one number."""
        tracer: Any = sys.modules.get("autograd.tracer")
        boxed = tracer is not None and isinstance(value, tracer.Box)
        return boxed and _number(value._value) is not None  # type: ignore[attr-defined]

    def record(self, value: Any) -> Record:
        """Describe a box."""
        KNOWN_AS.setdefault(type(value), lambda box: box._node)
        nodes, _ = post_order(value._node, lambda node: list(node.parents))
        names = _names()
        steps = {id(node): Step(node, names.get(_code(node.vjp), "")) for node in nodes}
        for node in nodes:
            _link(steps[id(node)], node, steps)
        inner = [steps[id(node)] for node in nodes]
        inner[-1].data = _number(value._value)
        complete(inner, lambda step: step.data)
        return ADAPTER_OF_STEPS.record(inner[-1])


ADAPTER = Autograd()


def _link(step: Step, node: Any, steps: dict[int, Step]) -> None:
    """Give a step its operands and slopes, and take the numbers out of what pulls them back."""
    step.operands = tuple(steps[id(parent)] for parent in node.parents)
    if not step.operands:
        return
    step.slopes = _slopes(node)
    for name, item in _taken(node.vjp):
        number = _number(item)
        if name == _RESULT and step.data is None:
            step.data = number
        elif name in (_FIRST, _SECOND) and len(step.operands) == 1 + (name == _SECOND):
            operand = step.operands[-1]
            operand.data = operand.data if operand.data is not None else number
        elif name == _FIRST and len(step.operands) == 2 and step.operands[0].data is None:
            step.operands[0].data = number


def _slopes(node: Any) -> tuple[float | None, ...]:
    try:
        return tuple(_number(share) for share in node.vjp(1.0))
    except Exception:  # an operation on arrays wants another shape
        return (None,) * len(node.parents)


def _taken(function: Any, depth: int = 0) -> Iterator[tuple[str, object]]:
    """Yield what a function took along, and what those functions did that it took along."""
    if isinstance(function, FunctionType) and depth < _DEEPEST:
        names = function.__code__.co_freevars
        for name, item in zip(names, contents(function.__closure__ or ()), strict=True):
            yield name, item
            yield from _taken(item, depth + 1)


def _code(vjp: object) -> CodeType | None:
    """Return the code that pulls a gradient back: the innermost function with a definition."""
    names = _names()
    for _, item in _taken(vjp):
        if isinstance(item, FunctionType) and item.__code__ in names:
            return item.__code__
    return None


def _names() -> dict[CodeType | None, str]:
    """Return what each of autograd's definitions differentiates, by its code."""
    if not _NAMES:
        core: Any = sys.modules["autograd.core"]
        for function, maker in core.primitive_vjps.items():
            for _, item in _taken(maker):
                definitions = item.values() if isinstance(item, dict) else ()
                for definition in definitions:
                    for code in _codes(definition):
                        _NAMES[code] = _word(getattr(function, "__name__", ""))
    return _NAMES


_NAMES: dict[CodeType | None, str] = {}
_WORDS = {"multiply": "mul", "subtract": "sub", "true_divide": "div", "divide": "div",
          "power": "pow", "negative": "neg"}  # fmt: skip


def _codes(definition: Any) -> Iterator[CodeType]:
    code = getattr(definition, "__code__", None)
    if isinstance(code, CodeType):
        yield from (item for item in code.co_consts if isinstance(item, CodeType))


def _word(name: str) -> str:
    return _WORDS.get(name, name)


def _number(item: Any) -> float | None:
    if isinstance(item, int | float):
        return float(item)
    if getattr(item, "size", None) != 1 or not hasattr(item, "item"):
        return None
    inside = item.item()
    return float(inside) if isinstance(inside, int | float) else None
