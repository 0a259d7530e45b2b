"""Runs a Schedule with NumPy: forward fills a table of numbers, backward sweeps it in reverse.

The last axis of a table are the cells, the axes before it are the batch.  Everything that can be
known beforehand (which reads are slices, which cells receive several contributions) is worked out
once, so that a step is little more than the array operations themselves.
"""

from __future__ import annotations

import numpy as np

from glassgrad.engine.expression import Expression
from glassgrad.engine.replay.numpy_functions import NAMESPACE, Array
from glassgrad.engine.replay.rules import Rules
from glassgrad.engine.replay.schedule import Elementwise, Group, Operand, Products, Schedule

_RULES = Rules(NAMESPACE)


class Arrays:
    """The groups of a Schedule as NumPy calls."""

    def __init__(self, schedule: Schedule) -> None:
        self._steps = [_step(group) for group in schedule.groups]
        self._backward = [step for step in reversed(self._steps) if step.sweep]

    def forward(self, table: Array) -> None:
        """Fill the cells of `table` from those of the leaves."""
        for step in self._steps:
            step.forward(table)

    def backward(self, table: Array, grads: Array) -> None:
        """Add to `grads` what each cell hands to its operands, starting from what is there."""
        for step in self._backward:
            step.backward(table, grads)


def _step(group: Group) -> _Elementwise | _Dots | _Matrices:
    if isinstance(group, Elementwise):
        return _Elementwise(group)
    return _Dots(group) if group.shape[1:] == (1, 1) else _Matrices(group)


class _Elementwise:
    """One primitive on many operands."""

    def __init__(self, group: Elementwise) -> None:
        primitive = group.primitive
        self.sweep = group.sweep
        self._out = (..., slice(group.start, group.stop))
        self._operands = [_Reader(operand) for operand in group.operands]
        self._rule = _RULES.forward(primitive)
        self._slopes = [
            (reader, _constant(partial), _RULES.slope(primitive, position))
            for position, (reader, partial) in enumerate(
                zip(self._operands, primitive.partials, strict=True)
            )
            if reader.receives
        ]

    def forward(self, table: Array) -> None:
        table[self._out] = self._rule(*[operand.read(table) for operand in self._operands])

    def backward(self, table: Array, grads: Array) -> None:
        out, grad = table[self._out], grads[self._out]
        read = [operand.read(table) for operand in self._operands]
        for operand, constant, slope in self._slopes:
            if constant == 1.0:
                operand.add(grads, grad)
            else:
                operand.add(grads, grad * slope(*read, out))


class _Dots:
    """Sums of products that share nothing: many dot products of one length."""

    def __init__(self, group: Products) -> None:
        self.sweep = group.sweep
        self._out = (..., slice(group.start, group.stop))
        shape = (group.shape[0], -1)
        self._x, self._y = _Reader(group.x, shape), _Reader(group.y, shape)

    def forward(self, table: Array) -> None:
        x, y = self._x.read(table), self._y.read(table)
        table[self._out] = np.einsum("...k,...k->...", x, y)

    def backward(self, table: Array, grads: Array) -> None:
        grad = grads[self._out][..., None]
        if self._x.receives:
            self._x.add(grads, grad * self._y.read(table))
        if self._y.receives:
            self._y.add(grads, grad * self._x.read(table))


class _Matrices:
    """A matrix product ``x @ y.T``, or a stack of them."""

    def __init__(self, group: Products) -> None:
        self.sweep = group.sweep
        self._out = (..., slice(group.start, group.stop))
        stack, rows, columns = group.shape
        stacked = () if stack == 1 else (stack,)  # an axis of length 1 costs time in every call
        self._shape = (*stacked, rows, columns)
        self._x = _Reader(group.x, (*stacked, rows, -1))
        self._y = _Reader(group.y, (*stacked, columns, -1))

    def forward(self, table: Array) -> None:
        product = self._x.read(table) @ self._y.read(table).swapaxes(-1, -2)
        table[self._out] = product.reshape(*table.shape[:-1], -1)

    def backward(self, table: Array, grads: Array) -> None:
        grad = grads[self._out].reshape(*table.shape[:-1], *self._shape)
        if self._x.receives:
            self._x.add(grads, grad @ self._y.read(table))
        if self._y.receives:
            self._y.add(grads, grad.swapaxes(-1, -2) @ self._x.read(table))


class _Reader:
    """Reads an operand from a table, and adds contributions to the cells it was read from."""

    def __init__(self, operand: Operand, shape: tuple[int, ...] = (-1,)) -> None:
        self.receives = operand.numbers is None
        if operand.numbers is not None:
            self._numbers = operand.numbers.reshape(shape)
            self.read = self._read_numbers
            return
        self._cells = operand.cells.reshape(shape)
        self._flat = self._cells.ravel()
        first = self._flat[0]
        if np.array_equal(self._flat, np.arange(first, first + self._flat.size)):
            self._slice = (..., slice(first, first + self._flat.size))
            self.read = self._read_slice
            self.add = self._add_to_slice
        else:
            self.read = self._read_cells
            self.add = self._add_to_cells

    def _read_numbers(self, table: Array) -> Array:
        return self._numbers

    def _read_slice(self, table: Array) -> Array:
        return table[self._slice].reshape(*table.shape[:-1], *self._cells.shape)

    def _read_cells(self, table: Array) -> Array:
        return table.take(self._cells, axis=-1)

    def _add_to_slice(self, grads: Array, contribution: Array) -> None:
        part = grads[self._slice]
        part += contribution.reshape(part.shape)

    def _add_to_cells(self, grads: Array, contribution: Array) -> None:
        # np.add.at counts every repetition of a cell; over one axis it is NumPy's fastest way
        cells = self._flat
        if grads.ndim > 1:
            cells = (np.arange(len(grads))[:, None] * grads.shape[-1] + cells).ravel()
        np.add.at(grads.ravel(), cells, contribution.ravel())


def _constant(partial: Expression) -> float | None:
    return partial.tree if isinstance(partial.tree, float) else None
