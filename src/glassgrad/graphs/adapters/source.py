"""What the code of a class tells before any of it runs.

In flows a class; out flow a number and a name.  A method that walks the graph is never taken for
a local rule, since a local rule is run to be measured and a walk may not come back.
"""

from __future__ import annotations

import dis
import inspect
from collections.abc import Iterator
from numbers import Real
from types import CodeType, FunctionType

_TELLING = ("back", "grad", "prop", "chain", "deriv")
_NEVER = ("zero", "reset", "clear", "check", "step")
_FIRST = ("_backward", "_backprop", "backward_step", "backward")


def gradients_start(cls: type, grad: str) -> float:
    """Return what ``__init__`` puts into the gradient: 0, and 1 in some classes.

    Examples
    --------
    >>> class Value:
    ...     def __init__(self, data):
    ...         self.data, self.slope = data, None
    ...         self.grad = 1.0
    >>> gradients_start(Value, "grad"), gradients_start(Value, "slope")
    (1.0, 0.0)
    """
    init = getattr(cls, "__init__", None)
    if not isinstance(init, FunctionType) or not grad:
        return 0.0
    parameters = inspect.signature(init).parameters
    for item in _stored(init.__code__, grad):
        start = parameters[item].default if isinstance(item, str) and item in parameters else item
        if isinstance(start, Real) and not isinstance(start, bool):
            return float(start)
    return 0.0


def _stored(code: CodeType, attribute: str) -> Iterator[object]:
    """Yield what is put into an attribute of ``self`` as it stands: constants, and names."""
    steps = list(dis.get_instructions(code))
    for place, step in enumerate(steps):
        if step.opname == "STORE_ATTR" and step.argval == attribute and place > 1:
            load = steps[place - 2]
            if load.opname.startswith(("LOAD_CONST", "LOAD_SMALL_INT", "LOAD_FAST")):
                yield load.argval[0] if isinstance(load.argval, tuple) else load.argval
            elif steps[place - 1].opname.startswith("LOAD_FAST"):  # two loads in one step
                both = steps[place - 1].argval
                yield both[0] if isinstance(both, tuple) else None


def local_rule(cls: type, grad: str) -> str:
    """Return the method of a class that is the local rule of one value, or ``""``.

    Such a method takes the value alone, writes gradients, and calls neither itself nor another
    method that propagates: what does so walks the graph.

    Examples
    --------
    >>> class Value:
    ...     def send(self):
    ...         for kid in self.kids:
    ...             kid.grad += self.grad
    ...     def backward(self):
    ...         for kid in self.kids:
    ...             kid.backward()
    ...     def push_gradient(self):
    ...         if self.op == "+":
    ...             self.kids[0].grad += self.grad
    >>> local_rule(Value, "grad")
    'push_gradient'
    """
    if not grad:
        return ""
    methods = {
        name: item.__code__
        for base in reversed(cls.__mro__)
        for name, item in vars(base).items()
        if isinstance(item, FunctionType) and not name.startswith("__")
    }
    local = [
        name
        for name, code in methods.items()
        if any(word in name.lower() for word in _TELLING)
        and not any(word in name.lower() for word in _NEVER)
        and _is_local(code, grad, methods)
    ]
    return next((name for name in _FIRST if name in local), local[0] if local else "")


def _is_local(code: CodeType, grad: str, methods: dict[str, CodeType]) -> bool:
    mentioned = set(code.co_names)
    return (
        code.co_argcount == 1
        and grad in mentioned
        and not mentioned & methods.keys()
        and not any(name.startswith("_backw") or name == "backward" for name in mentioned)
        and not any(True for _ in _functions(code))
        and not any(isinstance(item, Real) for item in _stored(code, grad))  # that begins a walk
    )


def _functions(code: CodeType) -> Iterator[CodeType]:
    """Yield functions defined inside: the helper of a walk; comprehensions do not count."""
    for item in code.co_consts:
        if isinstance(item, CodeType) and not item.co_name.startswith("<"):
            yield item
