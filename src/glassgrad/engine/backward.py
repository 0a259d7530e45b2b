"""The reverse sweep: from a root, every value below it receives its gradient.

The order is found by counting.  A value may pass its gradient on once everything that uses it has
contributed, so the first pass counts the uses and the second passes gradients on as the counts
run out.  Both follow the first operand in a loop and keep the second on a list of their own:
nothing recurses, and a chain of a million operations is as safe as one of ten.
"""

from __future__ import annotations

import math
from collections.abc import Container
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from glassgrad.engine.value import Value


class Extremes:
    """Whether anything in this process might make a slope inf or nan.

    An edge whose slope is 0 (a dead relu) need not be walked: it adds 0 to everything below.
    That is worth a third of the time of a training step, and it is wrong when a slope below is
    infinite, since 0 × inf is nan.  So the operators say here when they meet an inf or a nan, or
    a rule that they cannot see, and from then on every edge is walked.  Sums and products do not
    look: what is infinite there arrives at another operation, or at the root.
    """

    met = False

    @classmethod
    def meet(cls) -> None:
        """Walk every edge from now on."""
        cls.met = True


class _GradientOverflowError(Exception):
    """A gradient became infinite on the way, where no slope is: 0 × inf must be nan here too."""


_EVERY_EDGE = math.nan  # no slope equals it


def backward(root: Value) -> None:
    """Add d(root)/d(value) to the ``grad`` of every value that `root` was computed from.

    Each rule runs once.  Gradients from earlier calls are set aside for the length of the sweep
    and added back afterwards, so that a second call adds exactly the same again.  When a rule of
    the user's own raises, every gradient is left as it was.

    Parameters
    ----------
    root : Value
        Where to start; its own gradient grows by 1.

    Examples
    --------
    >>> from glassgrad.engine.value import Value
    >>> a, b = Value(2.0), Value(-3.0)
    >>> c = a * b + a
    >>> backward(c)
    >>> a.grad, b.grad
    (-2.0, 2.0)
    >>> backward(c)
    >>> a.grad, b.grad
    (-4.0, 4.0)
    """
    try:
        is_finite = not Extremes.met and math.isfinite(root.data)
        _sweep(root, skip=0.0 if is_finite else _EVERY_EDGE)
    except _GradientOverflowError:
        _sweep(root, skip=_EVERY_EDGE)


def _sweep(root: Value, skip: float) -> None:
    """Run both passes, not walking edges whose slope is `skip`."""
    earlier: list[tuple[Value, float]] = []
    try:
        if root.grad:
            earlier.append((root, root.grad))
        _count_uses(root, earlier, skip)
        root.grad = 1.0
        _pass_on(root, skip)
    except BaseException:
        for value in reachable(root):
            value.grad = 0.0
            value._pending = 0
        raise
    finally:
        for value, grad in earlier:
            value.grad += grad


def _count_uses(root: Value, earlier: list[tuple[Value, float]], skip: float) -> None:
    """Count in ``_pending`` how often each inner value is used; move non-zero grads away."""
    stack = [root] if root._a is not None else []  # only inner values are ever on it
    while stack:
        value = stack.pop()
        while True:
            slope = value._slope_a
            if slope is None:
                _count_many(value, earlier, stack)
                break
            operand = value._b
            if operand is not None and value._slope_b != skip:
                if operand.grad:
                    _set_aside(operand, earlier)
                if operand._a is not None:
                    uses = operand._pending
                    operand._pending = uses + 1
                    if not uses:
                        stack.append(operand)
            if slope == skip:
                break
            operand = value._a
            if operand.grad:
                _set_aside(operand, earlier)
            if operand._a is None:
                break
            uses = operand._pending
            operand._pending = uses + 1
            if uses:
                break
            value = operand


def _count_many(value: Value, earlier: list[tuple[Value, float]], stack: list[Value]) -> None:
    """Do the same for a value with many operands, or of an operation of the user's own."""
    for operand in value._a:
        if operand.grad:
            _set_aside(operand, earlier)
        if operand._a is not None:
            uses = operand._pending
            operand._pending = uses + 1
            if not uses:
                stack.append(operand)


def _set_aside(value: Value, earlier: list[tuple[Value, float]]) -> None:
    earlier.append((value, value.grad))
    value.grad = 0.0


def _pass_on(root: Value, skip: float) -> None:
    """Hand each value's gradient to its operands, once all of it has arrived."""
    stack = [root] if root._a is not None else []  # only inner values are ever on it
    while stack:
        value = stack.pop()
        while True:
            grad = value.grad
            slope = value._slope_a
            if slope is None:
                _pass_on_many(value, stack)
                break
            operand = value._b
            if operand is not None and value._slope_b != skip:
                operand.grad += grad * value._slope_b
                if operand._a is not None:
                    uses = operand._pending - 1
                    operand._pending = uses
                    if not uses:
                        stack.append(operand)
            if slope == skip:
                if grad - grad:  # not 0, so inf or nan
                    raise _GradientOverflowError
                break
            operand = value._a
            operand.grad += grad * slope
            if operand._a is None:
                break
            uses = operand._pending - 1
            operand._pending = uses
            if uses:
                break
            value = operand


def _pass_on_many(value: Value, stack: list[Value]) -> None:
    """Do the same for a value with many operands, or of an operation of the user's own."""
    if value._slope_b is None:
        value._backward()
    else:
        grad = value.grad
        for operand, slope in zip(value._a, value._slope_b, strict=True):
            operand.grad += grad * slope
    for operand in value._a:
        if operand._a is not None:
            uses = operand._pending - 1
            operand._pending = uses
            if not uses:
                stack.append(operand)


def reachable(root: Value) -> list[Value]:
    """Return `root` and every Value below it, each once, in no particular order.

    Plain-number operands are not among them.

    Examples
    --------
    >>> from glassgrad.engine.value import Value
    >>> a = Value(2.0)
    >>> len(reachable(a * a + 1))
    3
    """
    found = [root]
    seen = {id(root)}
    for value in found:  # grows while it is walked
        for operand in value._operands():
            if id(operand) not in seen:
                seen.add(id(operand))
                found.append(operand)
    return found


def topological_order(root: Value, known: Container[int] = ()) -> list[Value]:
    """Return every Value below `root` so that each comes after its operands; `root` is last.

    Values whose ``id`` is among `known` are left out, and so is what only they are made of.

    Examples
    --------
    >>> from glassgrad.engine.value import Value
    >>> a, b = Value(2.0), Value(-3.0)
    >>> [value.data for value in topological_order(a * b + a)]
    [2.0, -3.0, -6.0, -4.0]
    """
    order: list[Value] = []
    seen = {id(root)}
    stack = [(root, iter(root._unfolded()._operands()))]
    while stack:
        value, operands = stack[-1]
        for operand in operands:
            place = id(operand)
            if place not in seen and place not in known:
                seen.add(place)
                stack.append((operand, iter(operand._unfolded()._operands())))
                break
        else:
            stack.pop()
            order.append(value)
    return order
