"""Runs a recording with numba, for those who installed ``glassgrad[fast]``.

An interpreter in machine code walks over the arrays of a Bytecode.  Its instructions are the
table's rules, put in as source, one branch for each opcode that the graph uses; products have
loops of their own.  So a long thin graph costs nanoseconds per operation, and a wide one no calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from importlib import import_module
from typing import Any

from glassgrad.engine import real
from glassgrad.engine.ops import PRIMITIVES
from glassgrad.engine.replay import products
from glassgrad.engine.replay.bytecode import PRODUCTS, Bytecode, Opcode
from glassgrad.engine.replay.numpy_functions import Array

_FORWARD = """
def forward(steps, code, operands, factors, table):
    for step in steps:
        if step[0] == PRODUCTS:
            forward_products(step, factors, table)
            continue
        position = step[4]
        for cell in range(step[1], step[2]):
            x = table[operands[position, 0]]
            y = table[operands[position, 1]]
            z = table[operands[position, 2]]
            opcode = code[position]
            out = 0.0
            {branches}
            table[cell] = out
            position += 1
"""

_BACKWARD = """
def backward(steps, code, operands, factors, table, grads):
    for step in steps[::-1]:
        if not step[3]:
            continue
        if step[0] == PRODUCTS:
            backward_products(step, factors, table, grads)
            continue
        position = step[4] + step[2] - step[1]
        for cell in range(step[2] - 1, step[1] - 1, -1):
            position -= 1
            at_x, at_y, at_z = operands[position]
            x, y, z, out, grad = table[at_x], table[at_y], table[at_z], table[cell], grads[cell]
            opcode = code[position]
            {branches}
"""


class Compiled:
    """A Bytecode with the two functions that run it, for one row of numbers after the other."""

    def __init__(self, bytecode: Bytecode) -> None:
        self._arrays = bytecode.steps, bytecode.code, bytecode.operands, bytecode.factors
        self._run_forward, self._run_backward = _interpreter(bytecode.opcodes)

    def forward(self, table: Array) -> None:
        """Fill the cells of `table` from those of the leaves."""
        for row in table.reshape(-1, table.shape[-1]):
            self._run_forward(*self._arrays, row)

    def backward(self, table: Array, grads: Array) -> None:
        """Add to `grads` what each cell hands to its operands, starting from what is there."""
        size = table.shape[-1]
        for row, grad in zip(table.reshape(-1, size), grads.reshape(-1, size), strict=True):
            self._run_backward(*self._arrays, row, grad)


@lru_cache(maxsize=64)
def _interpreter(opcodes: tuple[Opcode, ...]) -> tuple[Callable[..., None], Callable[..., None]]:
    """Return forward and backward for these opcodes.  numba takes a second or two for them."""
    njit = _njit()
    namespace = _namespace(njit)
    forward = _function("forward", _FORWARD, map(_forward_lines, opcodes), namespace)
    backward = _function("backward", _BACKWARD, map(_backward_lines, opcodes), namespace)
    return njit(error_model="numpy")(forward), njit(error_model="numpy")(backward)


def _njit() -> Callable[..., Any]:
    try:
        njit: Callable[..., Any] = import_module("numba").njit
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "fast=True needs numba, which is not installed: pip install 'glassgrad[fast]'.",
            name="numba",
        ) from None
    return njit


def _namespace(njit: Callable[..., Any]) -> dict[str, Any]:
    """Return what the rules may call, as machine code gives it: inf and nan, never an exception."""
    own = {
        name: njit(error_model="numpy")(real.FAST[name])
        for name in ("maximum", "minimum", "sign", "sigmoid")
    }
    # "reassoc" lets a sum run in several lanes at once; inf and nan stay what they are
    loops = njit(error_model="numpy", fastmath={"reassoc", "contract"}, cache=True)
    return {
        **real.FAST,
        **own,
        "PRODUCTS": PRODUCTS,
        "forward_products": loops(products.forward_products),
        "backward_products": loops(products.backward_products),
    }


def _forward_lines(opcode: Opcode) -> list[str]:
    return [f"out = {PRIMITIVES[opcode.name].forward.code}"]


def _backward_lines(opcode: Opcode) -> list[str]:
    primitive = PRIMITIVES[opcode.name]
    return [
        f"grads[at_{variable}] += grad * ({partial.code})"
        for variable, partial, receives in zip(
            primitive.variables, primitive.partials, opcode.receives, strict=True
        )
        if receives
    ]


def _function(
    name: str, template: str, bodies: Iterable[list[str]], namespace: dict[str, Any]
) -> Callable[..., None]:
    branches: list[str] = []
    for number, body in enumerate(bodies):
        branches.append(f"{'elif' if number else 'if'} opcode == {number}:")
        branches += [f"    {line}" for line in body]
    indented = f"\n{' ' * 12}".join(branches or ["pass"])
    made: dict[str, Any] = {}
    exec(template.format(branches=indented), namespace, made)
    function: Callable[..., None] = made[name]
    return function
