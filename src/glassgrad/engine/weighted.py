"""A weighted sum as one node, until somebody looks.

A neuron with 16 inputs makes 32 Values, and a training step of the lecture's network 64,000 of
them, of which nobody ever looks at one.  So `weighted_sum` makes a single node that holds all
operands and slopes, in about a quarter of the time and of the memory, and `unfold` turns it into
the very chain of products and sums that the operators would have made, at the moment when a
picture, ``_prev`` or a copy asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from glassgrad.engine.methods import Form, form, leaf, register
from glassgrad.engine.ops import PRIMITIVES
from glassgrad.engine.scope import enter, place_of

if TYPE_CHECKING:
    from glassgrad.engine.value import Value

FOLDED = register(Form(PRIMITIVES["add"], "folded"))
"""The form of a node that stands for a whole weighted sum: its last operation is an addition."""


def weighted_sum(weights: Sequence[Value], inputs: Sequence[Value], start: Value) -> Value:
    """Return ``start + w1 * x1 + w2 * x2 + ...``, added from left to right.

    Parameters
    ----------
    weights, inputs : sequence of Value
        The factors, of the same length.
    start : Value
        What the products are added to: a neuron's bias.

    Raises
    ------
    ValueError
        When the lengths differ.

    Examples
    --------
    >>> from glassgrad.engine.value import Value
    >>> w, x, b = [Value(-3.0), Value(1.0)], [Value(2.0), Value(0.5)], Value(7.0)
    >>> n = weighted_sum(w, x, b)
    >>> n.backward()
    >>> n.data, w[0].grad, x[0].grad, b.grad
    (1.5, 2.0, -3.0, 1.0)
    """
    out = start.data
    operands, slopes = [start], [1.0]
    for weight, value in zip(weights, inputs, strict=True):
        w, x = weight.data, value.data
        out += w * x
        operands += weight, value
        slopes += x, w
    node: Value = leaf(type(start), out)
    node._form = FOLDED
    node._a, node._slope_b = tuple(operands), tuple(slopes)
    return node


def unfold(node: Value) -> None:
    """Make a folded node the last sum of a chain of products and sums, in place.

    The values in between get the data of the forward pass and, since each has one use with slope
    1, the gradient that the node itself has received; and they belong where the node does.
    """
    start, *factors = node._a
    place = place_of(node)
    total = start
    last = len(factors) - 2
    for position in range(0, len(factors), 2):
        weight, value = factors[position : position + 2]
        x, w = node._slope_b[position + 1 : position + 3]
        product = leaf(type(node), w * x)
        _compute(product, "mul", (weight, value), (x, w))
        whole = node if position == last else leaf(type(node), total.data + w * x)
        _compute(whole, "add", (total, product), (1.0, 1.0))
        for made in (product, whole):
            enter(made, place)
        product.grad = whole.grad = node.grad
        total = whole


def _compute(
    node: Value, name: str, operands: tuple[Value, Value], slopes: tuple[float, float]
) -> None:
    node._form = form(name, "vv")
    node._a, node._b = operands
    node._slope_a, node._slope_b = slopes
