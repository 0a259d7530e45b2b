"""The reverse sweep: from a root, every value below it receives its gradient.

The order is found by counting.  A value may pass its gradient on once everything that uses it has
contributed, so the first pass counts the uses and the second passes gradients on as the counts
run out.  Both follow the first operand in a loop and keep the others on a list of their own:
nothing recurses, and a chain of a million operations is as safe as one of ten.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from glassgrad.engine.value import Value


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
    earlier: list[tuple[Value, float]] = []
    try:
        _count_uses(root, earlier)
        root.grad = 1.0
        _pass_on(root)
    except BaseException:
        for value in reachable(root):
            value.grad = 0.0
            value._pending = 0
        raise
    finally:
        for value, grad in earlier:
            value.grad += grad


def _count_uses(root: Value, earlier: list[tuple[Value, float]]) -> None:
    """Count in ``_pending`` how often each inner value is used; move non-zero grads away."""
    if root.grad:
        earlier.append((root, root.grad))
        root.grad = 0.0
    stack = [root]
    while stack:
        value = stack.pop()
        while value._a is not None:
            if value._slope_a is None:
                operands = value._a
                for operand in operands:
                    if operand.grad:
                        earlier.append((operand, operand.grad))
                        operand.grad = 0.0
                    operand._pending += 1
                    if operand._pending == 1:
                        stack.append(operand)
                break
            operand = value._b
            if operand is not None:
                if operand.grad:
                    earlier.append((operand, operand.grad))
                    operand.grad = 0.0
                if operand._a is not None:
                    uses = operand._pending
                    operand._pending = uses + 1
                    if not uses:
                        stack.append(operand)
            operand = value._a
            if operand.grad:
                earlier.append((operand, operand.grad))
                operand.grad = 0.0
            if operand._a is None:
                break
            uses = operand._pending
            operand._pending = uses + 1
            if uses:
                break
            value = operand


def _pass_on(root: Value) -> None:
    """Hand each value's gradient to its operands, once all of it has arrived."""
    stack = [root]
    while stack:
        value = stack.pop()
        while value._a is not None:
            grad = value.grad
            slope = value._slope_a
            if slope is None:
                value._backward()
                for operand in value._a:
                    operand._pending -= 1
                    if not operand._pending:
                        stack.append(operand)
                break
            operand = value._b
            if operand is not None:
                operand.grad += grad * value._slope_b
                if operand._a is not None:
                    uses = operand._pending - 1
                    operand._pending = uses
                    if not uses:
                        stack.append(operand)
            operand = value._a
            operand.grad += grad * slope
            if operand._a is None:
                break
            uses = operand._pending - 1
            operand._pending = uses
            if uses:
                break
            value = operand


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


def topological_order(root: Value) -> list[Value]:
    """Return every Value below `root` so that each comes after its operands; `root` is last.

    Examples
    --------
    >>> from glassgrad.engine.value import Value
    >>> a, b = Value(2.0), Value(-3.0)
    >>> [value.data for value in topological_order(a * b + a)]
    [2.0, -3.0, -6.0, -4.0]
    """
    order: list[Value] = []
    seen = {id(root)}
    stack = [(root, iter(root._operands()))]
    while stack:
        value, operands = stack[-1]
        for operand in operands:
            if id(operand) not in seen:
                seen.add(id(operand))
                stack.append((operand, iter(operand._operands())))
                break
        else:
            stack.pop()
            order.append(value)
    return order
