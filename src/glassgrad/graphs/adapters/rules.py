"""Local rules of every form, as functions without arguments.

In flows a rule that wants the gradient and returns shares, as a Function object's ``backward(g)``
does; out flows one that reads the value's gradient and adds to those of the operands, as the
lecture's ``_backward()`` does.  The probe and the checks know only that form.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import Parameter, signature
from typing import Any

_VALUES = frozenset({"self", "node", "v", "value", "out", "result", "n"})
_POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


def wanted(function: Callable[..., object]) -> str | None:
    """Return the name of the one argument that a rule insists on, ``""`` where it wants none.

    Returns
    -------
    str or None
        None where it wants more than one, so that nobody knows how to call it.

    Examples
    --------
    >>> wanted(lambda: 0), wanted(lambda grad, scale=1: 0), wanted(lambda a, b: 0)
    ('', 'grad', None)
    """
    try:
        parameters = signature(function).parameters.values()
    except (TypeError, ValueError):
        return ""
    names = [p.name for p in parameters if p.kind in _POSITIONAL and p.default is p.empty]
    return None if len(names) > 1 else "".join(names)


def given(
    function: Callable[[Any], Any],
    argument: str,
    value: object,
    operands: Sequence[object],
    grad: str,
) -> Callable[[], None]:
    """Make a rule without arguments of one that is given the gradient, or the value itself.

    Parameters
    ----------
    function : callable
        The rule; it returns the operands' shares, or adds them itself and returns None.
    argument : str
        What it calls its argument: ``"self"`` or ``"node"`` for the value, else its gradient.
    value : object
        The result.
    operands : sequence of object
        What the shares belong to, in order.
    grad : str
        What the class calls gradients.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> a, b = SimpleNamespace(grad=1.0), SimpleNamespace(grad=2.0)
    >>> given(lambda g: 3.0 * g, "g", b, [a], "grad")()
    >>> a.grad
    7.0
    """

    def rule() -> None:
        shares = function(value if argument in _VALUES else getattr(value, grad))
        if shares is not None:
            several = isinstance(shares, tuple | list)
            for operand, share in zip(operands, shares if several else (shares,), strict=False):
                if share is not None and hasattr(operand, grad):
                    setattr(operand, grad, (getattr(operand, grad) or 0.0) + share)

    return rule


def each(
    functions: Sequence[Callable[[Any], Any]], value: object, operands: Sequence[object], grad: str
) -> Callable[[], None]:
    """Make a rule of one function per operand, each from the gradient to that operand's share.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> a, b = SimpleNamespace(grad=0.0), SimpleNamespace(grad=2.0)
    >>> each([lambda g: 3.0 * g, lambda g: g], b, [a, a], "grad")()
    >>> a.grad
    8.0
    """

    def shares(gradient: object) -> tuple[object, ...]:
        return tuple(function(gradient) for function in functions)

    return given(shares, "gradient", value, operands, grad)
