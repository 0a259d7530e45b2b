"""Which way of running a recording is the fastest, and all of them behind one method.

A `Machine` takes what the inputs and parameters hold, for one row or for a batch, and returns what
the root and the outputs hold, with the gradients of what was given if they are asked for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cache
from importlib.util import find_spec
from typing import Protocol

import numpy as np

from glassgrad.engine.replay.arrays import Arrays
from glassgrad.engine.replay.bytecode import from_recording, from_schedule
from glassgrad.engine.replay.compiled import Compiled
from glassgrad.engine.replay.numpy_functions import Array
from glassgrad.engine.replay.recording import Recording
from glassgrad.engine.replay.schedule import Plan, plan, schedule
from glassgrad.engine.replay.tape import Tape

# Measured: a group costs about 16 µs forward and backward, an instruction of the tape 0.5 µs.
_INSTRUCTIONS_PER_GROUP = 32
# numba needs two seconds for its machine code; smaller graphs take long to win them back.
_WORTH_COMPILING = 10_000
# Numbers in the tables of one piece of a batch: they stay in the processor's cache.
_TABLE = 2**18


class Machine(ABC):
    """Runs a recording.

    Parameters
    ----------
    says : str
        How it runs, for people.
    """

    def __init__(self, says: str) -> None:
        self.says = says

    @abstractmethod
    def run(self, given: Array, gradients: bool) -> tuple[Array, Array]:
        """Run once for each row.

        Parameters
        ----------
        given : array of float, shape (given,) or (rows, given)
            What the inputs and the parameters hold.
        gradients : bool
            Whether gradients are asked for.

        Returns
        -------
        results : array of float, shape (results,) or (rows, results)
            The root and the outputs.
        gradients : array of float, of the shape of `given`
            The slopes of the root; empty if they are not asked for.
        """


def machine(recording: Recording, fast: bool | None = None) -> Machine:
    """Return the machine for a recording.

    Parameters
    ----------
    recording : Recording
        What to run.
    fast : bool or None
        Whether to use numba; None: where it is installed and the graph is large.

    Examples
    --------
    >>> from glassgrad.engine.replay.recording import record
    >>> from glassgrad.engine.value import Value
    >>> a = Value(2.0)
    >>> machine(record(a * a, [a])).says
    'one by one'
    """
    planned = plan(recording)
    count = len(recording.operation)
    is_wide = count > _INSTRUCTIONS_PER_GROUP * planned.groups
    if fast is None:
        fast = count >= _WORTH_COMPILING and find_spec("numba") is not None
    if fast:
        return machine_code(planned, is_wide)
    return in_groups(planned) if is_wide else OneByOne(recording)


class _Runner(Protocol):
    def forward(self, table: Array) -> None: ...
    def backward(self, table: Array, grads: Array) -> None: ...


class _Tabled(Machine):
    """Runs over tables whose last axis are the cells."""

    def __init__(
        self, says: str, runner: _Runner, numbers: Array, size: int, results: list[int]
    ) -> None:
        super().__init__(says)
        self._runner, self._numbers, self._size, self._results = runner, numbers, size, results

    def run(self, given: Array, gradients: bool) -> tuple[Array, Array]:
        rows = max(1, _TABLE // self._size)
        if given.ndim == 1 or len(given) <= rows:
            return self._run_piece(given, gradients)
        pieces = [
            self._run_piece(given[start : start + rows], gradients)
            for start in range(0, len(given), rows)
        ]
        return (
            np.concatenate([results for results, _ in pieces]),
            np.concatenate([grads for _, grads in pieces]),
        )

    def _run_piece(self, given: Array, gradients: bool) -> tuple[Array, Array]:
        count = given.shape[-1]
        table = np.empty((*given.shape[:-1], self._size))
        table[..., :count] = given
        table[..., count : len(self._numbers)] = self._numbers[count:]
        self._runner.forward(table)
        results = table.take(self._results, axis=-1)
        if not gradients:
            return results, results[..., :0]
        grads = np.zeros_like(table)
        grads[..., self._results[0]] = 1.0
        self._runner.backward(table, grads)
        return results, grads[..., :count]


def in_groups(planned: Plan) -> Machine:
    """Return the machine that runs groups as NumPy calls."""
    groups = schedule(planned)
    says = f"in {len(groups.groups)} groups"
    results = [groups.root, *groups.outputs]
    return _Tabled(says, Arrays(groups), groups.numbers, groups.size, results)


def machine_code(planned: Plan, is_wide: bool) -> Machine:
    """Return the machine that numba compiles, from groups if the graph is wide."""
    bytecode = from_schedule(schedule(planned)) if is_wide else from_recording(planned.recording)
    runner = Compiled(bytecode)
    results = bytecode.results.tolist()
    return _Tabled("as machine code", runner, bytecode.numbers, bytecode.size, results)


class OneByOne(Machine):
    """Runs instructions as calls: of Python for one row, of NumPy for the columns of a batch."""

    def __init__(self, recording: Recording) -> None:
        super().__init__("one by one")
        self._tape = cache(lambda columns, gradients: Tape(recording, columns, gradients))

    def run(self, given: Array, gradients: bool) -> tuple[Array, Array]:  # noqa: D102
        is_batch = given.ndim > 1
        results, grads = self._tape(is_batch, gradients).run(
            list(given.T) if is_batch else given.tolist()
        )
        if not is_batch:
            return np.array(results, np.float64), np.array(grads, np.float64)
        return _rows(results, len(given)), _rows(grads, len(given))


def _rows(columns: list[Array], rows: int) -> Array:
    """Turn columns, some of which may be a single number, into rows."""
    table = np.empty((rows, len(columns)))
    for position, column in enumerate(columns):
        table[:, position] = column
    return table
