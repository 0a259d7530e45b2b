"""Runs a Recording instruction by instruction: for small graphs and for long thin ones.

Where each operation waits for the one before, a group would hold one operation, and a call of
NumPy costs ten times what Python needs for one number.  The same loop also runs batches: then a
cell holds a column, one number for each row of the batch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from glassgrad.engine import real
from glassgrad.engine.ops import Primitive
from glassgrad.engine.replay.numpy_functions import NAMESPACE
from glassgrad.engine.replay.recording import Recording
from glassgrad.engine.replay.rules import Rules

Step: TypeAlias = Callable[[Any, Any, Any], tuple[Any, tuple[Any, ...]]]
"""From the operands to the result, and the slopes of those operands that receive a gradient."""


class Tape:
    """A Recording as a list of functions to call.

    Parameters
    ----------
    recording : Recording
        What to run.
    columns : bool
        Whether a cell holds one number for each row of a batch, or just one number.
    gradients : bool
        Whether `run` is to return gradients.

    Examples
    --------
    >>> from glassgrad.engine.replay.recording import record
    >>> from glassgrad.engine.value import Value
    >>> a, b = Value(2.0), Value(-3.0)
    >>> tape = Tape(record(a * b + a, [a, b]), columns=False, gradients=True)
    >>> tape.run([5.0, 1.0])
    ([10.0], [2.0, 5.0])
    """

    def __init__(self, recording: Recording, columns: bool, gradients: bool) -> None:
        self._recording = recording
        self._gradients = gradients
        # NumPy's own numbers divide by 0 as its columns do; Python's are faster with each other
        numbers = recording.numbers[recording.given :]
        self._numbers = list(numbers) if columns else numbers.tolist()
        make = _column_step if columns else _number_step
        steps: dict[tuple[int, tuple[int, ...]], Step] = {}
        self._steps: list[tuple[Step, int, int, int, list[int]]] = []
        for operation, operands in zip(
            recording.operation.tolist(), recording.operands.tolist(), strict=True
        ):
            receiving: tuple[int, ...] = ()  # positions of the operands that receive a gradient
            if gradients:
                receiving = tuple(
                    position
                    for position, cell in enumerate(operands)
                    if 0 <= cell < recording.given or cell >= recording.leaves
                )
            key = operation, receiving
            if key not in steps:
                steps[key] = make(recording.primitives[operation], receiving)
            receivers = [operands[position] for position in receiving]
            self._steps.append((steps[key], *operands, receivers))

    def run(self, given: list[Any]) -> tuple[list[Any], list[Any]]:
        """Run the tape once.

        Parameters
        ----------
        given : list
            What the inputs and the parameters hold.

        Returns
        -------
        results : list
            What the root and the outputs hold.
        gradients : list
            The gradient of each that was given; empty if none are asked for.
        """
        recording = self._recording
        cells = [*given, *self._numbers]
        slopes: list[tuple[Any, ...]] = []
        for step, x, y, z, _ in self._steps:
            # a missing operand has the cell -1: that reads something, and no rule looks at it
            out, slope = step(cells[x], cells[y], cells[z])
            cells.append(out)
            slopes.append(slope)
        results = [cells[cell] for cell in (recording.root, *recording.outputs)]
        return results, self._sweep(slopes) if self._gradients else []

    def _sweep(self, slopes: list[tuple[Any, ...]]) -> list[Any]:
        recording = self._recording
        grads: list[Any] = [None] * recording.size  # None: the root does not depend on it
        grads[recording.root] = 1.0
        cell = recording.size
        for (*_, receivers), slope in zip(reversed(self._steps), reversed(slopes), strict=True):
            cell -= 1
            grad = grads[cell]
            if grad is None:
                continue
            for receiver, partial in zip(receivers, slope, strict=True):
                earlier = grads[receiver]
                contribution = grad * partial
                grads[receiver] = contribution if earlier is None else earlier + contribution
        return [0.0 if grad is None else grad for grad in grads[: recording.given]]


_NUMBER_STEP = """
def step(x, y, z):
    try:
        out = {forward}
        return out, ({slopes})
    except (ArithmeticError, ValueError):  # outside the domain or the range of a float
        return total(x, y, z)
"""


def _number_step(primitive: Primitive, receiving: tuple[int, ...]) -> Step:
    """Make a step for plain numbers, from the same source that the methods of Value run."""
    partials = [primitive.partials[position] for position in receiving]

    def total(*operands: float) -> tuple[float, tuple[float, ...]]:
        variables = dict(zip(primitive.variables, operands, strict=False))
        out = primitive.forward.evaluate(**variables)
        return out, tuple(partial.evaluate(out=out, **variables) for partial in partials)

    source = _NUMBER_STEP.format(
        forward=primitive.forward.code,
        slopes="".join(f"{partial.code}, " for partial in partials),
    )
    made: dict[str, Any] = {}
    exec(source, {**real.FAST, "total": total}, made)
    step: Step = made["step"]
    return step


_RULES = Rules(NAMESPACE)


def _column_step(primitive: Primitive, receiving: tuple[int, ...]) -> Step:
    """Make a step for columns of numbers."""
    arity, forward = primitive.arity, _RULES.forward(primitive)
    slopes = [_RULES.slope(primitive, position) for position in receiving]

    def step(*operands: Any) -> tuple[Any, tuple[Any, ...]]:
        read = operands[:arity]
        out = forward(*read)
        return out, tuple(slope(*read, out) for slope in slopes)

    return step
