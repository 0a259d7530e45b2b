"""Derivatives of functions, and derivatives of derivatives.

The reverse sweep of `glassgrad.engine.backward` adds floats.  Here the same partials of the same
table are evaluated on Values instead, so that a gradient is itself a graph: it can be drawn,
and differentiated again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from glassgrad.engine.backward import topological_order
from glassgrad.engine.expression import Tree
from glassgrad.engine.functions import FUNCTIONS
from glassgrad.engine.ops import Primitive
from glassgrad.engine.reading import operands, primitive_of, slopes
from glassgrad.engine.real import FUNCTIONS as REAL
from glassgrad.engine.value import Value

Number: TypeAlias = "Value | float"


def gradients(root: Value, inputs: Sequence[Value]) -> list[Number]:
    """Return d(root)/d(input) for each input, as Values that can be differentiated again.

    Nothing is added to any ``grad``.

    Parameters
    ----------
    root : Value
        What is differentiated.
    inputs : sequence of Value
        Against what.  An input that `root` does not depend on has the gradient 0.0.

    Returns
    -------
    list of Value or float
        A float where the gradient is a plain number.

    Raises
    ------
    ValueError
        When an operation of the user's own lies between: its rule cannot be differentiated.

    Examples
    --------
    >>> x = Value(3.0)
    >>> (slope,) = gradients(x**3, [x])
    >>> slope.data
    27.0
    >>> gradients(slope, [x])[0].data
    18.0
    """
    wanted = {id(value) for value in inputs}
    order = topological_order(root)
    depends = set(wanted)
    for value in order:
        if any(id(operand) in depends for operand in operands(value)):
            depends.add(id(value))
    received: dict[int, Number] = {id(root): 1.0}
    for value in reversed(order):
        upstream = received.get(id(value))
        if upstream is None or id(value) not in depends:
            continue
        given = operands(value)
        for position, operand in enumerate(given):
            if isinstance(operand, Value) and id(operand) in depends:
                slope = _partial(_known(value), position, given, value)
                share = upstream if slope == 1.0 else slope * upstream
                earlier = received.get(id(operand))
                received[id(operand)] = share if earlier is None else earlier + share
    return [received.get(id(value), 0.0) for value in inputs]


def _known(value: Value) -> Primitive:
    primitive = primitive_of(value)
    if primitive is None:
        raise ValueError(
            f"The rule of {value.label or value._op!r} was written by hand, so it can be run but "
            "not differentiated again. Build it from Value's own operations for a second "
            "derivative."
        )
    return primitive


def _partial(primitive: Primitive, position: int, given: Sequence[Number], out: Value) -> Number:
    variables: dict[str, Number] = dict(zip("xyz", given, strict=False))
    return _on_values(primitive.partial(position).tree, {**variables, "out": out})


def _on_values(tree: Tree, variables: dict[str, Number]) -> Number:
    """Evaluate a rule on Values: conditions look at the data, the rest builds a graph."""
    if isinstance(tree, float):
        return tree
    if isinstance(tree, str):
        return variables[tree]
    name = str(tree[0])
    if name == "where":
        return _on_values(tree[2] if _on_values(tree[1], variables) else tree[3], variables)
    arguments = [_on_values(argument, variables) for argument in tree[1:]]
    if name in FUNCTIONS:
        return FUNCTIONS[name](*arguments)
    return REAL[name](*(float(argument) for argument in map(_data, arguments)))


def _data(number: Number) -> float:
    return number.data if isinstance(number, Value) else number


def grad(f: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function that gives the derivative of `f`.

    Parameters
    ----------
    f : callable
        A function of numbers or Values that returns one Value.

    Returns
    -------
    callable
        Called with the same arguments, it returns df/dx for one argument and a tuple for several;
        those given by name are handed on and not differentiated.
        Plain numbers give floats; Values give Values, so that ``grad(grad(f))`` works.

    Raises
    ------
    TypeError
        When `f` returns something that is neither a Value nor a number.

    Examples
    --------
    >>> grad(lambda x: 3 * x**2 - 4 * x + 5)(3.0)
    14.0
    >>> grad(grad(lambda x: x**3))(2.0)
    12.0
    >>> grad(lambda a, b: a * b + a)(2.0, -3.0)
    (-2.0, 2.0)
    """

    def derivative(*point: Number, **options: Any) -> Any:
        plain = not any(isinstance(x, Value) for x in point)
        inputs = [x if isinstance(x, Value) else Value(x) for x in point]
        slopes_ = gradients(_result(f(*inputs, **options)), inputs)
        answer = [_data(slope) for slope in slopes_] if plain else slopes_
        return answer[0] if len(answer) == 1 else tuple(answer)

    derivative.__name__ = f"grad of {getattr(f, '__name__', 'f')}"
    return derivative


def hessian(f: Callable[..., Any]) -> Callable[..., list[list[float]]]:
    """Return the function that gives all second derivatives of `f`.

    Parameters
    ----------
    f : callable
        A function of numbers or Values that returns one Value.

    Returns
    -------
    callable
        Called with numbers, it returns the square matrix of d²f/dxᵢdxⱼ as lists.

    Examples
    --------
    >>> hessian(lambda x, y: x**2 * y)(3.0, 2.0)
    [[4.0, 6.0], [6.0, 0.0]]
    """

    def matrix(*point: float) -> list[list[float]]:
        inputs = [Value(x) for x in point]
        rows = gradients(_result(f(*inputs)), inputs)
        return [
            [_data(entry) for entry in gradients(row, inputs)]
            if isinstance(row, Value)
            else [0.0] * len(inputs)
            for row in rows
        ]

    return matrix


def jvp(
    f: Callable[..., Any], point: Sequence[float], direction: Sequence[float]
) -> tuple[float, float]:
    """Return the value of `f` at a point and its slope in one direction: forward mode.

    One walk along the tape, whatever the number of inputs: each value's tangent is the sum over
    its operands of local slope × the operand's tangent.

    Parameters
    ----------
    f : callable
        A function of Values that returns one Value.
    point, direction : sequence of float
        Where, and which way; one number for each argument of `f`.

    Returns
    -------
    tuple of float
        The value and the directional derivative.

    Raises
    ------
    ValueError
        When `point` and `direction` differ in length, or a rule is the user's own.

    Examples
    --------
    >>> jvp(lambda a, b: a * b + a, (2.0, -3.0), (1.0, 0.0))
    (-4.0, -2.0)
    """
    if len(point) != len(direction):
        raise ValueError(
            f"jvp needs one direction for each input; got {len(point)} inputs and "
            f"{len(direction)} directions."
        )
    inputs = [Value(x) for x in point]
    root = _result(f(*inputs))
    tangent = {id(x): float(d) for x, d in zip(inputs, direction, strict=True)}
    for value in topological_order(root):
        given = operands(value)
        if given:
            _known(value)
            local = slopes(value) or ()
            tangent[id(value)] = sum(
                slope * tangent.get(id(operand), 0.0)
                for operand, slope in zip(given, local, strict=True)
                if isinstance(operand, Value) and tangent.get(id(operand), 0.0)
            )
    return root.data, float(tangent.get(id(root), 0.0))


def _result(result: object) -> Value:
    if isinstance(result, Value):
        return result
    if isinstance(result, int | float):
        return Value(result)
    raise TypeError(
        f"The function returned {result!r}; a derivative needs one Value. "
        "Return the number that you want to differentiate."
    )
