"""A Plan as a module for PyTorch.

Each rule is a ``torch.autograd.Function`` of the table's expressions, so that PyTorch sees the
slopes that the table has, also at the edges of a domain.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, TypeAlias

import numpy as np

from glassgrad.engine import real
from glassgrad.engine.ops import Primitive
from glassgrad.engine.replay.machines import Machine, machine
from glassgrad.engine.replay.pieces import Pieces, Source
from glassgrad.engine.replay.recording import Floats, Recording
from glassgrad.engine.replay.rules import Function, Rules
from glassgrad.engine.replay.schedule import Elementwise, Operand, Plan, Products, schedule

torch: Any = import_module("torch")

Tensor: TypeAlias = Any

MOST_GROUPS = 256
"""More than these are run by NumPy or numba: PyTorch needs 20 µs to call a group and its slope."""


def _of_tensors(name: str) -> Function:
    """Return PyTorch's function; numbers alone, as in ``sqrt(2)``, go to Python's."""
    theirs, plain = getattr(torch, name), real.FUNCTIONS[name]

    def function(*operands: Tensor) -> Tensor:
        some = next((x for x in operands if isinstance(x, torch.Tensor)), None)
        if some is None:
            return plain(*operands)
        return theirs(*[torch.as_tensor(x, dtype=some.dtype) for x in operands])

    return function


def _where(condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
    if not isinstance(x, torch.Tensor) and not isinstance(y, torch.Tensor):
        x = torch.tensor(x, dtype=torch.float64)  # PyTorch would round both to float32
    return torch.where(condition, x, y)


def _sign(x: Tensor) -> Tensor:
    return _where(x > 0, 1.0, _where(x < 0, -1.0, 0.0))


RULES = Rules(
    {name: _of_tensors(name) for name in real.FUNCTIONS if hasattr(torch, name)}
    | {"where": _where, "sign": _sign}
)


def module(plan: Plan) -> Tensor:
    """Return the graph as a ``torch.nn.Module``."""
    return (_Loop if plan.groups > MOST_GROUPS else _Groups)(plan)


class _Graph(torch.nn.Module):  # type: ignore[misc]
    """What both modules share: the shapes, and `weight`, the parameters."""

    def __init__(self, recording: Recording) -> None:
        super().__init__()
        self.inputs = recording.inputs
        weight = torch.tensor(recording.numbers[recording.inputs : recording.given])
        self.weight = torch.nn.Parameter(weight) if len(weight) else None

    def forward(self, values: Tensor) -> Tensor:
        """Return the root's numbers for the inputs on the last axis of `values`."""
        if values.ndim == 0 or values.shape[-1] != self.inputs:
            raise ValueError(
                f"The module has {self.inputs} inputs; got a tensor of the shape "
                f"{tuple(values.shape)}. Its last axis holds one number for each."
            )
        weight = values.new_zeros(0) if self.weight is None else self.weight
        return self.run(values, weight)

    def run(self, values: Tensor, weight: Tensor) -> Tensor:
        """Return the root's numbers for inputs and parameters."""
        raise NotImplementedError


# -- a wide graph: its groups, one after the other ------------------------------------------------


class _Groups(_Graph):
    def __init__(self, plan: Plan) -> None:
        super().__init__(plan.recording)
        groups = schedule(plan)
        where = Pieces(groups)
        fixed = torch.tensor(groups.numbers[plan.recording.given :])
        self.register_buffer("numbers", fixed, persistent=False)
        self.groups = torch.nn.ModuleList(
            _Elementwise(group, where)
            if isinstance(group, Elementwise)
            else _Products(group, where)
            for group in groups.groups
        )
        self.root = _Cells(where.source(np.array(groups.root)))

    def run(self, values: Tensor, weight: Tensor) -> Tensor:
        # what does not depend on the inputs has no batch axes: one weight for all rows
        pieces = [values, weight, self.numbers.to(values.dtype)]
        for group in self.groups:
            pieces.append(group(pieces))
        return self.root(pieces).expand(values.shape[:-1])


class _Cells(torch.nn.Module):  # type: ignore[misc]
    """Reads cells from the pieces."""

    def __init__(self, source: Source) -> None:
        super().__init__()
        self.pieces, self.whole = source.pieces, source.whole
        self.register_buffer("positions", torch.tensor(source.positions), persistent=False)

    def forward(self, pieces: list[Tensor]) -> Tensor:
        joined = [pieces[piece] for piece in self.pieces]
        batch = max((piece.shape[:-1] for piece in joined), key=len)
        tensor = torch.cat([piece.expand(*batch, -1) for piece in joined], dim=-1)
        return tensor[..., self.positions if self.whole is None else self.whole]


class _Numbers(torch.nn.Module):  # type: ignore[misc]
    """Gives numbers that never change."""

    def __init__(self, numbers: Floats) -> None:
        super().__init__()
        self.register_buffer("numbers", torch.tensor(numbers), persistent=False)

    def forward(self, pieces: list[Tensor]) -> Tensor:
        return self.numbers.to(pieces[0].dtype)


def _operand(operand: Operand, where: Pieces) -> Tensor:
    if operand.numbers is None:
        return _Cells(where.source(operand.cells))
    return _Numbers(operand.numbers)


class _Elementwise(torch.nn.Module):  # type: ignore[misc]
    def __init__(self, group: Elementwise, where: Pieces) -> None:
        super().__init__()
        self.primitive = group.primitive
        self.operands = torch.nn.ModuleList(_operand(x, where) for x in group.operands)

    def forward(self, pieces: list[Tensor]) -> Tensor:
        return _Rule.apply(self.primitive, *[operand(pieces) for operand in self.operands])


class _Products(torch.nn.Module):  # type: ignore[misc]
    def __init__(self, group: Products, where: Pieces) -> None:
        super().__init__()
        self.x, self.y = _operand(group.x, where), _operand(group.y, where)

    def forward(self, pieces: list[Tensor]) -> Tensor:
        product = self.x(pieces) @ self.y(pieces).transpose(-1, -2)
        return product.flatten(-3)


class _Rule(torch.autograd.Function):  # type: ignore[misc]
    generate_vmap_rule = True

    @staticmethod
    def forward(primitive: Primitive, *operands: Tensor) -> Tensor:
        return RULES.forward(primitive)(*operands)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
        ctx.primitive, *operands = inputs
        ctx.save_for_backward(*operands, output)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        return None, *[
            grad * RULES.slope(ctx.primitive, position)(*ctx.saved_tensors) if needed else None
            for position, needed in enumerate(ctx.needs_input_grad[1:])
        ]


# -- a long thin graph: as a Program runs it ------------------------------------------------------


class _Loop(_Graph):
    def __init__(self, plan: Plan) -> None:
        super().__init__(plan.recording)
        self.machine = machine(plan.recording)

    def run(self, values: Tensor, weight: Tensor) -> Tensor:
        weight = weight.expand(*values.shape[:-1], -1)
        return _Replay.apply(self.machine, torch.cat([values, weight], dim=-1))


class _Replay(torch.autograd.Function):  # type: ignore[misc]
    @staticmethod
    def forward(ctx: Any, machine: Machine, given: Tensor) -> Tensor:
        rows = given.detach().to("cpu", torch.float64).reshape(-1, given.shape[-1]).numpy()
        with np.errstate(all="ignore"):
            results, grads = machine.run(rows, gradients=True)
        ctx.save_for_backward(torch.from_numpy(grads).to(given).reshape(given.shape))
        return torch.from_numpy(results[:, 0]).to(given).reshape(given.shape[:-1])

    @staticmethod
    @torch.autograd.function.once_differentiable  # type: ignore[untyped-decorator]
    def backward(ctx: Any, grad: Tensor) -> tuple[None, Tensor]:
        (slopes,) = ctx.saved_tensors
        return None, grad[..., None] * slopes
