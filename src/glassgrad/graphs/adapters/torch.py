"""Reads a PyTorch tensor of one element: the graph of its ``grad_fn``.

PyTorch keeps functions and not values.  The tensors that a function saved for its backward give
many numbers, the rest follow from those; slopes are what the functions themselves return for a
gradient of 1.  Nothing here imports torch: there is no tensor to read before somebody has.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from glassgrad.graphs.adapters import KNOWN_AS, LECTURE, Record
from glassgrad.graphs.adapters.sketch import ADAPTER as ADAPTER_OF_STEPS
from glassgrad.graphs.adapters.sketch import Step, complete
from glassgrad.graphs.order import post_order

_SAVED = (("self", "input", "tensor1"), ("other", "exponent", "tensor2"))
"""Under which names functions save their first and their second operand."""

_LEFT_ALONE = LECTURE._replace(grad="")
"""PyTorch warns whoever asks for a gradient that it does not keep."""


class Torch:
    """The family of `torch.Tensor`."""

    def reads(self, value: object) -> bool:
        """Whether it is a tensor of one element."""
        torch: Any = sys.modules["torch"]
        return isinstance(value, torch.Tensor) and value.numel() == 1 and not value.is_complex()

    def record(self, value: Any) -> Record:
        """Describe a tensor."""
        KNOWN_AS.setdefault(type(value), _key)
        if value.grad_fn is None:
            number = _number(value)
            data = value.detach() if number is None else number
            return Record(data=data, grad=_number(value.grad))
        drawn = _drawn_up(value)._replace(data=_number(value))
        if value.retains_grad:
            return drawn._replace(grad=_number(value.grad))
        return drawn._replace(names=_LEFT_ALONE)


ADAPTER = Torch()


def _key(tensor: Any) -> object:
    """Return what a tensor is known by: its function, since that is all that others keep of it."""
    return tensor if tensor.grad_fn is None else tensor.grad_fn


def _drawn_up(tensor: Any) -> Record:
    """Return the record of a result, with everything below it drawn up as steps."""
    functions, _ = post_order(tensor.grad_fn, _below)
    steps = {id(f): Step(f, _op(f)) for f in functions if _leaf(f) is None}
    for function in functions:
        step = steps.get(id(function))
        if step is not None:
            _link(step, function, steps)
    inner = [steps[id(function)] for function in functions if id(function) in steps]
    inner[-1].data = _number(tensor)
    complete(inner, _known)
    return ADAPTER_OF_STEPS.record(inner[-1])


def _below(function: Any) -> list[Any]:
    return [other for other, _ in function.next_functions if other is not None]


def _leaf(function: Any) -> Any:
    return getattr(function, "variable", None)


def _link(step: Step, function: Any, steps: dict[int, Step]) -> None:
    """Give a step its operands, its slopes, and the numbers that its function saved."""
    saved, step.freed = list(_saved(function)), _freed(function)
    if step.data is None:
        step.data = _saved_as(function, "result")
    operands: list[Any] = []
    slopes: list[float | None] = []
    for place, ((other, _), slope) in enumerate(
        zip(function.next_functions, _slopes(function), strict=True)
    ):
        number = saved[place] if place < len(saved) else None
        if other is None:  # no gradient goes there: a plain number, if it was saved
            if number is not None:
                operands.append(number)
                slopes.append(None)
            continue
        operand = steps.get(id(other))
        if operand is not None and operand.data is None:
            operand.data = number
        operands.append(_leaf(other) if operand is None else operand)
        slopes.append(slope)
    if len(function.next_functions) == 1 and len(saved) > 1 and saved[1] is not None:
        operands.append(saved[1])  # an exponent
        slopes.append(None)
    step.operands, step.slopes = tuple(operands), tuple(slopes)


def _slopes(function: Any) -> list[float | None]:
    """Ask a function what it sends back for a gradient of 1; it changes nothing by answering."""
    torch: Any = sys.modules["torch"]
    unknown: list[float | None] = [None] * len(function.next_functions)
    try:
        shape = function._input_metadata[0].shape
        with torch.no_grad():
            sent = function(torch.ones(tuple(shape))) if torch.Size(shape).numel() == 1 else unknown
    except Exception:  # what it saved was freed by an earlier backward, or it wants more
        return unknown
    each = sent if isinstance(sent, tuple | list) else (sent,)
    return [_number(item) for item in each] if len(each) == len(unknown) else unknown


def _saved(function: Any) -> Iterator[float | None]:
    for names in _SAVED:
        found = [_saved_as(function, name) for name in names]
        yield next((number for number in found if number is not None), None)


def _freed(function: Any) -> bool:
    """Whether an earlier backward has freed what a function saved."""
    try:
        for name in dir(function):
            if name.startswith("_saved_"):
                getattr(function, name)
    except RuntimeError:
        return True
    return False


def _saved_as(function: Any, name: str) -> float | None:
    try:
        return _number(getattr(function, f"_saved_{name}", None))
    except RuntimeError:  # freed by an earlier backward
        return None


def _number(item: Any) -> float | None:
    """Return a number, or a tensor of one element, as a float."""
    if isinstance(item, int | float):
        return float(item)
    if item is None or not hasattr(item, "numel") or item.numel() != 1 or item.is_complex():
        return None
    return float(item.detach())


def _known(operand: Any) -> float | None:
    return operand.data if isinstance(operand, Step) else _number(operand)


def _op(function: Any) -> str:
    """Return what a function does: ``"mul"`` for ``MulBackward0``."""
    name: str = function.name().rpartition("::")[2]
    return name.rstrip("0123456789").removesuffix("Backward").lower()
