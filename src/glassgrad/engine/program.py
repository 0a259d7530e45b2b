"""`compile`: a graph recorded once and replayed for other numbers, forward and backward.

In goes a Value; out comes a `Program`, which knows the graph but no longer needs its Values.  It
exists for training loops and for whole batches, where building the same graph again and again
costs more than the arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from glassgrad.engine.memory import pause_gc
from glassgrad.engine.replay.machines import machine
from glassgrad.engine.replay.numpy_functions import Array
from glassgrad.engine.replay.recording import record
from glassgrad.engine.value import Value


@dataclass(slots=True, eq=False)
class Parameters:
    """The numbers that a `Program` keeps and trains, as arrays.

    Parameters
    ----------
    data : array of float
        One number for each parameter, in the order in which they were given.
    grad : array of float
        The gradients of the last ``backward()``.
    """

    data: Array
    grad: Array


class Optimizer(Protocol):
    """What a `Program` asks of an optimiser; those of ``glassgrad.optim`` have it."""

    def move(self, data: Sequence[Array], grads: Sequence[Array]) -> Sequence[Array]:
        """Return arrays moved once by their gradients."""


class Program:
    """A recorded graph; `compile` makes it.

    Parameters
    ----------
    root : Value
        What is differentiated.
    inputs, parameters, outputs, fast
        As for `compile`.

    Attributes
    ----------
    parameters : Parameters
        What the parameters hold; assign to ``parameters.data`` to change it.

    Notes
    -----
    ``pickle`` and ``copy.deepcopy`` keep what the parameters hold, and copy the Values that
    `write_back` fills along with the program: copied together with its model, a program belongs
    to the copy of the model.  Machine code is made anew, where numba is installed.

    Examples
    --------
    >>> import copy
    >>> w = Value(2.0)
    >>> program = compile(w * w, parameters=[w])
    >>> twin, twin_w = copy.deepcopy((program, w))
    >>> twin.parameters.data[0] = 5.0
    >>> twin.write_back()
    >>> w.data, twin_w.data, program(), twin()
    (2.0, 5.0, 4.0, 25.0)
    """

    def __init__(
        self,
        root: Value,
        inputs: Sequence[Value] | None,
        parameters: Sequence[Value],
        outputs: Sequence[Value] | None,
        fast: bool | None,
    ) -> None:
        with pause_gc():  # which would look through the graph for cycles, and finds none
            self._recording = recording = record(root, inputs, parameters, outputs or ())
            self._machine = machine(recording, fast)
        self._fast = fast
        self._inputs = recording.inputs
        self._values = tuple(parameters)
        self._has_outputs = outputs is not None
        data = recording.numbers[recording.inputs : recording.given].copy()
        self.parameters = Parameters(data, np.zeros_like(data))

    def __getstate__(self) -> dict[str, Any]:
        """Return what pickle and copy keep: all but the machine, which is made anew."""
        state = dict(vars(self))
        del state["_machine"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        with pause_gc():
            self._machine = machine(self._recording, self._fast)

    def __repr__(self) -> str:
        return (
            f"<Program of {len(self._recording.operation)} operations, run {self._machine.says}: "
            f"{self._inputs} inputs, {len(self._values)} parameters>"
        )

    def __call__(self, values: npt.ArrayLike = ()) -> float | Array:
        """Return what the root holds when the inputs hold `values`.

        Parameters
        ----------
        values : array_like, shape (..., inputs)
            One number for each input; the axes before the last are a batch.

        Returns
        -------
        float or array
            A float for one row, an array of the shape of the batch otherwise.  With ``outputs``
            an array whose last axis are these.

        Examples
        --------
        >>> x = Value(3.0)
        >>> square = compile(x * x, inputs=[x])
        >>> square([5.0]), square([[1.0], [2.0]])
        (25.0, array([1., 4.]))
        """
        given = self._given(values)
        results, _ = self._run(given, gradients=False)
        return results[..., 1:] if self._has_outputs else _plain(results[..., 0])

    def value_and_grad(self, values: npt.ArrayLike = ()) -> tuple[float | Array, Array]:
        """Return what the root holds, and its slope against each input.

        Parameters
        ----------
        values : array_like, shape (..., inputs)
            As for a call.

        Returns
        -------
        value : float or array
            The root's numbers, one for each row.
        gradient : array
            Of the shape of `values`: each row's own gradient.

        Examples
        --------
        >>> a, b = Value(2.0), Value(-3.0)
        >>> program = compile(a * b + a, inputs=[a, b])
        >>> program.value_and_grad([2.0, -3.0])
        (-4.0, array([-2.,  2.]))
        """
        given = self._given(values)
        results, grads = self._run(given, gradients=True)
        return _plain(results[..., 0]), grads[..., : self._inputs]

    def backward(self, values: npt.ArrayLike = ()) -> float | Array:
        """Put the gradients of the parameters into ``parameters.grad``; return the root's numbers.

        The gradients of the rows of a batch are added up, as those of a sum of losses are.
        What was in ``parameters.grad`` is replaced.

        Examples
        --------
        >>> w, x = Value(2.0), Value(3.0)
        >>> program = compile((w * x - 1) ** 2, inputs=[x], parameters=[w])
        >>> program.backward([[3.0], [1.0]])
        array([25.,  1.])
        >>> program.parameters.grad
        array([32.])
        """
        given = self._given(values)
        results, grads = self._run(given, gradients=True)
        rows = grads[..., self._inputs :].reshape(-1, len(self._values))
        self.parameters.grad = rows.sum(axis=0)
        return _plain(results[..., 0])

    def step(self, optimizer: Optimizer, values: npt.ArrayLike = ()) -> float | Array:
        """Train once: `backward`, then let `optimizer` move the parameters.

        Returns
        -------
        float or array
            The root's numbers before the step.

        Examples
        --------
        >>> from glassgrad.optim import SGD
        >>> w = Value(5.0)
        >>> program, optimizer = compile((w - 3) ** 2, parameters=[w]), SGD([w], lr=0.25)
        >>> [program.step(optimizer) for _ in range(3)]
        [4.0, 1.0, 0.25]
        >>> program.write_back()
        >>> w
        Value(data=3.25, grad=1.0)
        """
        results = self.backward(values)
        parameters = self.parameters
        (parameters.data,) = optimizer.move([parameters.data], [parameters.grad])
        return results

    def write_back(self) -> None:
        """Put the numbers and gradients of the parameters into the Values they came from."""
        data, grads = self.parameters.data.tolist(), self.parameters.grad.tolist()
        for value, number, grad in zip(self._values, data, grads, strict=True):
            value.data, value.grad = number, grad

    def _given(self, values: npt.ArrayLike) -> Array:
        """Return inputs and parameters as they lie in the first cells."""
        inputs = np.asarray(values, np.float64)
        if inputs.ndim == 0 or inputs.shape[-1] != self._inputs:
            raise ValueError(
                f"The program has {self._inputs} inputs; got values of the shape {inputs.shape}. "
                "Give one number for each input, or an array whose last axis holds these."
            )
        data = self.parameters.data
        if inputs.ndim > 1:  # the same parameters for each row
            data = np.broadcast_to(data, (*inputs.shape[:-1], len(data)))
        return np.concatenate([inputs, data], axis=-1)

    def _run(self, given: Array, gradients: bool) -> tuple[Array, Array]:
        batch = given.shape[:-1]
        if len(batch) > 1:
            given = given.reshape(-1, given.shape[-1])
        with np.errstate(all="ignore"):  # inf and nan are answers here
            results, grads = self._machine.run(given, gradients)
        return results.reshape(*batch, results.shape[-1]), grads.reshape(*batch, grads.shape[-1])


def _plain(numbers: Array) -> float | Array:
    return numbers if numbers.ndim else float(numbers)


def compile(
    root: Value,
    inputs: Sequence[Value] | None = None,
    outputs: Sequence[Value] | None = None,
    *,
    parameters: Sequence[Value] = (),
    fast: bool | None = None,
) -> Program:
    """Record the graph of `root` once, to run it for other numbers without building it again.

    Parameters
    ----------
    root : Value
        The result, which gradients are those of.
    inputs : sequence of Value, optional
        The Values whose numbers come with each call, in this order.  If neither these nor
        `parameters` are given: every leaf, in the order in which the computation meets them.
    outputs : sequence of Value, optional
        What a call returns instead of the root's number.
    parameters : sequence of Value
        The Values that the program keeps and trains; see `Program.step`.
    fast : bool, optional
        Whether to run as machine code, which needs ``pip install 'glassgrad[fast]'`` and two
        seconds to prepare.  Default: for graphs of 10,000 operations, where that is installed.

    Returns
    -------
    Program
        A call returns the root's number, `Program.value_and_grad` its gradient too.

    Raises
    ------
    ModuleNotFoundError
        When `fast` is true and numba is not installed.
    TypeError
        When something given is no Value.
    ValueError
        When a value was computed by a rule of your own, which cannot be replayed.

    Warns
    -----
    UserWarning
        When a Value in the graph was compared or used as a condition: the program keeps to the
        way that was taken then.

    Notes
    -----
    Leaves that are neither input nor parameter keep the numbers that they hold now.  Sums are
    added up in another order than that of the Values: results agree to about 1e-12 of the largest
    number that is added up.

    Examples
    --------
    >>> a, b = Value(2.0), Value(-3.0)
    >>> program = compile(a * b + a)
    >>> program([5.0, 1.0])
    10.0
    >>> value, gradient = program.value_and_grad([[5.0, 1.0], [0.0, 2.0]])
    >>> value.tolist(), gradient.tolist()
    ([10.0, 0.0], [[2.0, 5.0], [3.0, 0.0]])
    """
    return Program(root, inputs, parameters, outputs, fast)
