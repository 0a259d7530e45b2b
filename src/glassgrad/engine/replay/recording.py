"""From a graph of Values to a `Recording`: what was computed, as flat arrays.

In go the root and the Values whose numbers will change; out comes plain data without any Value.
Every number that takes part has a cell.  The cells of the leaves come first (the inputs, the
parameters, then the fixed numbers), the results follow in topological order.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from glassgrad.engine.backward import topological_order
from glassgrad.engine.notes import notes
from glassgrad.engine.ops import PRIMITIVES, Primitive
from glassgrad.engine.reading import operands, primitive_of
from glassgrad.engine.scope import is_plain_number
from glassgrad.engine.value import Value

Cells: TypeAlias = npt.NDArray[np.intp]
Floats: TypeAlias = npt.NDArray[np.float64]

_NONE = -(2**62)  # while writing: no operand here
_MISSING = [[_NONE] * (3 - arity) for arity in range(4)]


@dataclass(frozen=True, eq=False)
class Recording:
    """A graph as arrays; cell ``leaves + i`` holds the result of instruction ``i``.

    Parameters
    ----------
    inputs, parameters : int
        How many of the first cells are inputs, and how many after those are parameters.
    numbers : array of float
        What the leaves hold: inputs and parameters as they were, then the fixed numbers.
    primitives : tuple of Primitive
        The rows of the table that take part.
    operation : array of int
        For each instruction, the position of its primitive in `primitives`.
    operands : array of int
        For each instruction a row of the cells of its operands; -1 where it has fewer than three.
    root : int
        The cell of the result that is differentiated.
    outputs : tuple of int
        The cells of the other results that are asked for.
    """

    inputs: int
    parameters: int
    numbers: Floats
    primitives: tuple[Primitive, ...]
    operation: Cells
    operands: Cells
    root: int
    outputs: tuple[int, ...]

    @property
    def given(self) -> int:
        """How many of the first cells may change: the inputs and the parameters."""
        return self.inputs + self.parameters

    @property
    def leaves(self) -> int:
        """How many cells are not computed."""
        return len(self.numbers)

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.leaves + len(self.operation)


def leaves(root: Value) -> list[Value]:
    """Return the leaves below `root`, in the order in which the computation meets them.

    Plain numbers are not among them, also not where reading ``_prev`` has made a Value of one.

    Examples
    --------
    >>> a, b = Value(2.0), Value(-3.0)
    >>> [leaf.data for leaf in leaves(a * b + a)]
    [2.0, -3.0]
    """
    return [
        value
        for value in topological_order(root)
        if not operands(value) and not is_plain_number(value)
    ]


def record(
    root: Value,
    inputs: Sequence[Value] | None = None,
    parameters: Sequence[Value] = (),
    outputs: Sequence[Value] = (),
) -> Recording:
    """Record the graph between the given Values and the results.

    Parameters
    ----------
    root : Value
        The result that is differentiated.
    inputs, parameters : sequence of Value
        Whose numbers may change.  Below one of them nothing is recorded; every other leaf
        becomes the number that it holds now.  Without any, every leaf is an input.
    outputs : sequence of Value
        Further results.

    Raises
    ------
    TypeError
        When something is not a Value.
    ValueError
        When a Value below has a rule of the user's own, or is given twice.

    Examples
    --------
    >>> a, b = Value(2.0), Value(-3.0)
    >>> recording = record(a * b + 1, [a, b])
    >>> recording.numbers.tolist(), recording.operands.tolist()
    ([2.0, -3.0, 1.0], [[0, 1, -1], [3, 2, -1]])
    """
    for given in (inputs, parameters, outputs):
        if isinstance(given, Value):
            raise TypeError(f"{named(given)} is given alone where a list of Values is needed: [v].")
    for value in (root, *(inputs or ()), *parameters, *outputs):
        _check(value)
    if inputs is None:
        inputs = () if len(parameters) else leaves(root)
    writer = _Writer([*inputs, *parameters])
    cells = [writer.write(result) for result in (root, *outputs)]
    _warn_of_comparisons(writer.noted)
    return Recording(
        inputs=len(inputs),
        parameters=len(parameters),
        numbers=np.array(writer.numbers, np.float64),
        primitives=tuple(writer.primitives),
        operation=np.array(writer.operation, np.intp),
        operands=writer.final(writer.operands).reshape(-1, 3),
        root=int(writer.final(cells)[0]),
        outputs=tuple(writer.final(cells)[1:].tolist()),
    )


class _Writer:
    """Gives every Value a cell, operands first.

    While it writes, leaf ``k`` has the cell ``~k`` and instruction ``i`` the cell ``i``, since the
    number of leaves is known only at the end; `final` turns these into the cells of a Recording.
    """

    def __init__(self, given: Sequence[Value]) -> None:
        self.numbers = [value.data for value in given]
        self.primitives: dict[Primitive, int] = {}
        self.operation: list[int] = []
        self.operands: list[int] = []  # three for each instruction
        self.noted = [value for value in given if hasattr(value, "_extra")]
        self._given = len(given)
        self._fixed: dict[object, int] = {}
        self._cell = {id(value): ~k for k, value in enumerate(given)}
        if len(self._cell) < len(given):
            twice = next(v for k, v in enumerate(given) if self._cell[id(v)] != ~k)
            raise ValueError(f"{named(twice)} is given twice. Leave one of the two out.")

    def write(self, root: Value) -> int:
        """Write whatever `root` needs and has no cell yet; return the cell of `root`."""
        cell, fixed = self._cell, -self._given
        if id(root) in cell:
            return cell[id(root)]
        for value in topological_order(root, known=cell):
            found = operands(value)
            if hasattr(value, "_extra"):  # few have anything there; notes are among it
                self.noted.append(value)
            cells = []  # a loop: a comprehension costs a call, here a third of the time
            for operand in found:
                if isinstance(operand, float):
                    cells.append(self._number(operand))
                else:
                    cells.append(cell[id(operand)])
            primitive = primitive_of(value)
            if primitive is None:
                if found:
                    raise ValueError(_refusal(value))
                cell[id(value)] = self._number(value.data)
            elif primitive.variadic:
                cell[id(value)] = self._sum(cells)
            elif max(cells) < fixed:
                cell[id(value)] = self._number(self._evaluate(primitive, cells))
            else:
                cell[id(value)] = self._instruction(primitive, cells)
        return cell[id(root)]

    def final(self, cells: Iterable[int]) -> Cells:
        """Turn the cells used while writing into those of the Recording; -1 for `_NONE`."""
        cell = np.fromiter(cells, np.intp)
        final: Cells = np.where(cell < 0, ~cell, cell + len(self.numbers))
        final[cell == _NONE] = -1
        return final

    def _sum(self, cells: list[int]) -> int:
        """Write a sum as one addition after the other: those that take turns run as one later."""
        total = self._number(0.0)
        for k, cell in enumerate(cells):
            total = self._instruction(PRIMITIVES["add"], [total, cell]) if k else cell
        return total

    def _evaluate(self, primitive: Primitive, cells: list[int]) -> float:
        numbers = [self.numbers[~cell] for cell in cells]
        return primitive.forward.evaluate(**dict(zip(primitive.variables, numbers, strict=True)))

    def _instruction(self, primitive: Primitive, cells: list[int]) -> int:
        position = self.primitives.setdefault(primitive, len(self.primitives))
        self.operation.append(position)
        self.operands += cells
        self.operands += _MISSING[len(cells)]
        return len(self.operation) - 1

    def _number(self, number: float) -> int:
        """Return the cell of a fixed number; equal numbers share one."""
        key = number or str(number)  # 0.0 and -0.0 are equal and not the same
        cell = self._fixed.get(key)
        if cell is None:
            cell = self._fixed[key] = ~len(self.numbers)
            self.numbers.append(number)
        return cell


def _check(value: object) -> None:
    if isinstance(value, Value):
        return
    if isinstance(value, float | int):
        raise TypeError(
            f"{value!r} is a plain number and has no graph. "
            f"Wrap it before you compute: a = Value({value!r})."
        )
    raise TypeError(
        f"Only glassgrad's own Value can be replayed; got {value!r}. "
        "Compute with `from glassgrad import Value`."
    )


def _refusal(value: Value) -> str:
    return (
        f"{named(value)} was computed by a rule of your own, which is known only at the point "
        "where it ran, so it cannot be replayed. Compute it with the functions of glassgrad, "
        f"such as {_suggestion(value)}, or give it as an input."
    )


def _suggestion(value: Value) -> str:
    name = value._op if value._op in PRIMITIVES else "tanh"
    return f"x.{name}()"


def named(value: Value) -> str:
    """Return what to call `value` in a sentence: its label, or its operation and number.

    Examples
    --------
    >>> named(Value(2.0, label="a")), named(Value(2.0).sqrt())
    ('a', 'the Value sqrt with data 1.414')
    """
    operation = f" {value._op}" if value._op else ""
    return value.label or f"the Value{operation} with data {value.data:.4g}"


def _warn_of_comparisons(noted: Iterable[Value]) -> None:
    """Warn if the user's program asked a Value which way to go: a replay does not ask again."""
    places = {
        (note.filename, note.line): f"{named(value)} was {_ASKED[note.what]}"
        for value in noted
        for note in notes(value)
        if note.what in _ASKED
    }
    if places:
        (filename, line), what = next(iter(places.items()))
        others = f" (and {len(places) - 1} more like it)" if len(places) > 1 else ""
        warnings.warn(
            f"{what} in line {line} of {_file(filename)}{others}: "
            "the program keeps to the way that was taken there. "
            "Where it has to decide anew, use maximum, minimum, relu or abs.",
            stacklevel=5,
        )


def _file(filename: str) -> str:
    """Return how to speak of a file; the one that a notebook makes for a cell is nobody's."""
    return "the cell" if "ipykernel_" in filename else filename


_ASKED = {"compared": "compared with a number", "bool": "used as a condition"}
