"""From a Recording to a `Schedule`: the same numbers in a few groups of array operations.

What does not wait for each other runs together: all tanh of one level are one call.  A sum of
products becomes one dot product, and dot products that share their rows become one matrix
product, so that the 65,000 instructions of a training step are about ten groups.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from glassgrad.engine.ops import Primitive
from glassgrad.engine.replay.blocks import blocks
from glassgrad.engine.replay.recording import Cells, Floats, Recording
from glassgrad.engine.replay.sums import Bits, Sums, find_sums


@dataclass(frozen=True, eq=False)
class Operand:
    """Where a group reads.

    Parameters
    ----------
    cells : array of int
        The cells, in the shape in which they are read.
    numbers : array of float or None
        What is in them, if that never changes.
    """

    cells: Cells
    numbers: Floats | None


@dataclass(frozen=True, eq=False)
class Elementwise:
    """One primitive on many operands; the results fill the cells from `start` to `stop`."""

    primitive: Primitive
    operands: tuple[Operand, ...]
    start: int
    stop: int
    sweep: bool


@dataclass(frozen=True, eq=False)
class Products:
    """A stack of matrix products ``x @ y.T``; the results fill the cells from `start` to `stop`.

    `x` has the shape (stack, rows, terms) and `y` (stack, columns, terms).  A single sum of
    products has one row and one column.
    """

    x: Operand
    y: Operand
    start: int
    stop: int
    sweep: bool

    @property
    def shape(self) -> tuple[int, int, int]:
        """The shape of the result: stack, rows, columns."""
        stack, rows, _ = self.x.cells.shape
        return stack, rows, self.y.cells.shape[1]


Group: TypeAlias = Elementwise | Products
"""`sweep` says whether the root depends on the group, so that gradients pass through it."""


@dataclass(frozen=True, eq=False)
class Schedule:
    """The groups of a graph in the order in which they run.

    Parameters
    ----------
    inputs, parameters : int
        How many of the first cells are inputs, and how many after those are parameters.
    numbers : array of float
        What the leaves hold: inputs and parameters as recorded, then the fixed numbers.
    size : int
        The number of cells.
    groups : tuple of Group
        Each reads only cells of leaves and of earlier groups.
    root : int
        The cell of the result that is differentiated.
    outputs : tuple of int
        The cells of the other results that are asked for.
    """

    inputs: int
    parameters: int
    numbers: Floats
    size: int
    groups: tuple[Group, ...]
    root: int
    outputs: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Plan:
    """Which instructions run together; still cheap to make for a graph that is long and thin.

    Parameters
    ----------
    recording : Recording
        What was recorded.
    sums : Sums
        The sums of products in it.
    cells : array of int
        The cells that groups fill, in the order in which they run.
    starts : array of int
        Where in `cells` each group begins.
    sweep : array of bool
        For each of `cells`, whether the root depends on it.
    """

    recording: Recording
    sums: Sums
    cells: Cells
    starts: Cells
    sweep: Bits

    @property
    def groups(self) -> int:
        """How many groups there are at least: products may need several."""
        return len(self.starts)


def plan(recording: Recording) -> Plan:
    """Sort the instructions of a recording into groups: by level, then by primitive.

    Examples
    --------
    >>> from glassgrad.engine.replay.recording import record
    >>> from glassgrad.engine.value import Value
    >>> x = [Value(float(k)) for k in range(100)]
    >>> plan(record(sum(v.tanh() for v in x), x)).groups
    2
    """
    sums = find_sums(recording)
    leaves = recording.leaves
    cells = np.flatnonzero(~sums.absorbed[leaves : recording.size]) + leaves
    instructions = cells - leaves
    level = _levels(recording, sums.absorbed)[cells]
    sweep = _below(recording)[cells]
    operands = recording.operands[instructions]
    fixed = (operands >= recording.given) & (operands < leaves)
    kind = recording.operation[instructions] * 8 + fixed @ [1, 2, 4]
    kind[sums.ends[cells]] = -sums.count[cells[sums.ends[cells]]]  # as many terms, one group
    order = np.lexsort((kind, sweep, level))
    keys = np.stack([level, sweep, kind])[:, order]
    is_start = np.ones(len(cells), bool)
    is_start[1:] = (keys[:, 1:] != keys[:, :-1]).any(axis=0)
    return Plan(recording, sums, cells[order], np.flatnonzero(is_start), sweep[order])


def schedule(plan: Plan) -> Schedule:
    """Turn a plan into groups.

    Examples
    --------
    >>> from glassgrad.engine.replay.recording import record
    >>> from glassgrad.engine.value import Value
    >>> w, x = [Value(1.0), Value(2.0)], [Value(3.0), Value(4.0)]
    >>> root = (w[0] * x[0] + w[1] * x[1] + 5).tanh()
    >>> [type(group).__name__ for group in schedule(plan(record(root, w + x))).groups]
    ['Products', 'Elementwise']
    """
    return _Scheduler(plan).schedule()


class _Scheduler:
    """Hands out the cells of a Schedule, group by group.

    `new` maps the cells of the Recording, and after them the cell `one`, to those of the Schedule.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.recording = recording = plan.recording
        self.one = recording.size
        self.new = np.full(recording.size + 1, -1, np.intp)
        self.new[: recording.leaves] = np.arange(recording.leaves)
        self.new[self.one] = recording.leaves
        self.numbers = np.append(recording.numbers, 1.0)
        self.size = recording.leaves + 1
        self.groups: list[Group] = []

    def schedule(self) -> Schedule:
        plan, recording = self.plan, self.recording
        stops = [*plan.starts[1:], len(plan.cells)][: plan.groups]
        for start, stop in zip(plan.starts, stops, strict=True):
            cells, sweep = plan.cells[start:stop], bool(plan.sweep[start])
            if plan.sums.ends[cells[0]]:
                self._products(cells, sweep)
            else:
                self._elementwise(cells, sweep)
        return Schedule(
            inputs=recording.inputs,
            parameters=recording.parameters,
            numbers=self.numbers,
            size=self.size,
            groups=tuple(self.groups),
            root=int(self.new[recording.root]),
            outputs=tuple(self.new[list(recording.outputs)].tolist()),
        )

    def _elementwise(self, cells: Cells, sweep: bool) -> None:
        recording = self.recording
        instructions = cells - recording.leaves
        primitive = recording.primitives[recording.operation[instructions[0]]]
        found = self.new[recording.operands[instructions, : primitive.arity].T]
        # in the order of the first operand that has cells, which then often is a plain slice
        order = np.argsort(found[np.argmax(~self._fixed(found[:, 0]))], kind="stable")
        operands = tuple(self._operand(row[order]) for row in found)
        self.groups.append(Elementwise(primitive, operands, *self._place(cells[order]), sweep))

    def _products(self, cells: Cells, sweep: bool) -> None:
        x, y = self.plan.sums.terms(cells)
        x, y = self.new[x], self.new[y]
        for stack in blocks(x, y):
            operands = self._operand(x[stack[:, :, 0]]), self._operand(y[stack[:, 0, :]])
            self.groups.append(Products(*operands, *self._place(cells[stack.ravel()]), sweep))

    def _place(self, cells: Cells) -> tuple[int, int]:
        start, self.size = self.size, self.size + len(cells)
        self.new[cells] = np.arange(start, self.size)
        return start, self.size

    def _fixed(self, cells: Cells) -> Bits:
        """Say which (new) cells are numbers that never change."""
        fixed: Bits = (cells >= self.recording.given) & (cells < len(self.numbers))
        return fixed

    def _operand(self, cells: Cells) -> Operand:
        return Operand(cells, self.numbers[cells] if self._fixed(cells).all() else None)


def _levels(recording: Recording, absorbed: Bits) -> Cells:
    """Return for each cell how many groups, at least, run before its number is there."""
    leaves = recording.leaves
    steps = (~absorbed[leaves : recording.size]).tolist()
    level = [0] * (recording.size + 1)  # the last one stands for a missing operand, -1
    for cell, (step, (x, y, z)) in enumerate(
        zip(steps, recording.operands.tolist(), strict=True), leaves
    ):
        level[cell] = max(level[x], level[y], level[z]) + step
    return np.array(level[:-1], np.intp)


def _below(recording: Recording) -> Bits:
    """Return for each cell whether the root depends on it."""
    below = [not recording.outputs] * (recording.size + 1)
    below[recording.root] = True
    if recording.outputs:
        rows = recording.operands.tolist()
        for row, cell in zip(reversed(rows), reversed(range(recording.size)), strict=False):
            if below[cell]:
                for operand in row:
                    below[operand] = True
    return np.array(below[:-1], bool)
