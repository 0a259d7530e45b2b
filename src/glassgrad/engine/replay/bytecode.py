"""From a Schedule or a Recording to flat arrays that an interpreter in machine code can walk over.

A wide graph is compiled from its groups; a long thin one straight from its instructions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from glassgrad.engine.ops import Primitive
from glassgrad.engine.replay.recording import Cells, Floats, Recording
from glassgrad.engine.replay.schedule import Elementwise, Products, Schedule

INSTRUCTIONS, PRODUCTS = 0, 1


@dataclass(frozen=True, order=True)
class Opcode:
    """A primitive by name, and for each operand whether it receives a gradient."""

    name: str
    receives: tuple[bool, ...]


@dataclass(frozen=True, eq=False)
class Bytecode:
    """A graph for an interpreter.

    Parameters
    ----------
    opcodes : tuple of Opcode
        What `code` means.
    steps : array of int, shape (steps, 9)
        Rows of what to do, the cells that it fills (from, to), whether the root depends on it, and
        then either (INSTRUCTIONS) the position of the first instruction, or (PRODUCTS) where the
        cells of x and of y begin in `factors`, rows, columns, terms.
    code : array of int
        For each instruction the position of its opcode.
    operands : array of int, shape (instructions, 3)
        The cells of its operands; 0 where there is none.
    factors : array of int
        The cells of the factors of all products.
    numbers : array of float
        What the first cells, those of the leaves, hold.
    size : int
        The number of cells.
    results : array of int
        The cells of the root and of the outputs.
    """

    opcodes: tuple[Opcode, ...]
    steps: Cells
    code: Cells
    operands: Cells
    factors: Cells
    numbers: Floats
    size: int
    results: Cells


def from_recording(recording: Recording) -> Bytecode:
    """Compile the instructions one by one, as they were recorded.

    Examples
    --------
    >>> from glassgrad.engine.replay.recording import record
    >>> from glassgrad.engine.value import Value
    >>> a = Value(2.0)
    >>> from_recording(record(a * 3, [a])).opcodes
    (Opcode(name='mul', receives=(True, False)),)
    """
    leaves, operands = recording.leaves, recording.operands
    fixed = (operands >= recording.given) & (operands < leaves)
    key = recording.operation * 8 + fixed @ [1, 2, 4]
    kinds, code = np.unique(key, return_inverse=True)
    opcodes = tuple(
        _opcode(recording.primitives[kind >> 3], [not kind >> bit & 1 for bit in range(3)])
        for kind in kinds.tolist()
    )
    steps = [[INSTRUCTIONS, leaves, recording.size, 1, 0, 0, 0, 0, 0]]
    return Bytecode(
        opcodes=opcodes,
        steps=np.array(steps, np.intp),
        code=code.astype(np.intp),
        operands=np.maximum(operands, 0),
        factors=np.zeros(0, np.intp),
        numbers=recording.numbers,
        size=recording.size,
        results=np.array([recording.root, *recording.outputs], np.intp),
    )


def from_schedule(schedule: Schedule) -> Bytecode:
    """Compile group by group.

    Examples
    --------
    >>> from glassgrad.engine.replay.recording import record
    >>> from glassgrad.engine.replay.schedule import plan, schedule
    >>> from glassgrad.engine.value import Value
    >>> a, b = Value(2.0), Value(3.0)
    >>> from_schedule(schedule(plan(record((a * b + 1).tanh(), [a, b])))).steps[:, 0].tolist()
    [1, 0]
    """
    positions: dict[Opcode, int] = {}
    steps: list[list[int]] = []
    code, operands, factors = [_NOTHING], [_NOTHING.reshape(0, 3)], [_NOTHING]
    instructions = products = 0
    for group in schedule.groups:
        step = [INSTRUCTIONS, group.start, group.stop, int(group.sweep)]
        count = group.stop - group.start
        if isinstance(group, Elementwise):
            opcode = _opcode(group.primitive, [x.numbers is None for x in group.operands])
            code.append(np.full(count, positions.setdefault(opcode, len(positions))))
            cells = np.zeros((count, 3), np.intp)
            cells[:, : len(group.operands)] = np.stack([x.cells for x in group.operands], axis=1)
            operands.append(cells)
            steps.append([*step, instructions, 0, 0, 0, 0])
            instructions += count
        else:
            assert isinstance(group, Products)
            x, y = group.x.cells.ravel(), group.y.cells.ravel()
            _, rows, columns = group.shape
            step[0] = PRODUCTS
            terms = group.x.cells.shape[2]
            steps.append([*step, products, products + x.size, rows, columns, terms])
            factors += [x, y]
            products += x.size + y.size
    return Bytecode(
        opcodes=tuple(positions),
        steps=np.array(steps, np.intp).reshape(-1, 9),
        code=np.concatenate(code),
        operands=np.concatenate(operands),
        factors=np.concatenate(factors),
        numbers=schedule.numbers,
        size=schedule.size,
        results=np.array([schedule.root, *schedule.outputs], np.intp),
    )


_NOTHING = np.zeros(0, np.intp)


def _opcode(primitive: Primitive, receives: list[bool]) -> Opcode:
    return Opcode(primitive.name, tuple(receives[: primitive.arity]))
