"""`Value`: a scalar that remembers how it was computed.

Arithmetic on Values builds the graph as a side effect; ``backward()`` walks it.  The operators
and functions come from the table, through `Operators`; this file holds what a Value is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, cast

from glassgrad.engine import backward as sweep
from glassgrad.engine import copying, weighted
from glassgrad.engine.memory import install, postpone_gc
from glassgrad.engine.methods import HAND, Form, at, constant, form
from glassgrad.engine.notes import write as write_note
from glassgrad.engine.operators import Operators
from glassgrad.engine.refusals import checked_operands, real_number
from glassgrad.engine.scope import Shared


class Value(Operators):
    """A number, the operation that made it, and the gradient of a later result.

    Parameters
    ----------
    data : float
        The number; anything that is a real number is stored as a float.
    _children : iterable of Value, optional
        The operands, for an operation of your own; assign its rule to ``_backward``.
    _op : str, optional
        What that operation is called.
    label : str, optional
        A name for pictures.  Rarely needed: variable names are found by themselves.

    Raises
    ------
    TypeError
        When `data` is not a real number.

    Examples
    --------
    >>> a, b = Value(2.0), Value(-3.0)
    >>> c = a * b + a
    >>> c
    Value(data=-4.0, grad=0.0)
    >>> c.backward()
    >>> a.grad, b.grad
    (-2.0, 2.0)
    """

    # An inner node: its form (primitive and places), one or two operands, the local slopes of
    # the forward pass.  A leaf has no _a.  A node of more operands has their tuple in _a, None as
    # _slope_a and their slopes in _slope_b; an operation of the user's own looks the same, but
    # has no slopes.  _pending counts during a sweep and is 0 otherwise.
    # What few nodes have (a label, a rule of the user's own) is in _extra: a __dict__ on every
    # node would cost 24 bytes and a sixth of the time it takes to make one.
    __slots__ = (
        "__weakref__",
        "_a",
        "_b",
        "_extra",
        "_form",
        "_pending",
        "_slope_a",
        "_slope_b",
        "data",
        "grad",
    )

    data: float
    grad: float
    _extra: dict[str, Any]
    _form: Form
    _a: Any
    _b: Any
    _slope_a: Any
    _slope_b: Any
    _pending: int

    __array_priority__ = 1000.0  # for NumPy: our reflected operators come first

    def __init__(
        self, data: float, _children: Iterable[Value] = (), _op: str = "", label: str = ""
    ) -> None:
        self.data = data if type(data) is float else real_number(data)
        self.grad = 0.0
        self._a = self._b = None
        self._slope_a = self._slope_b = None
        self._pending = 0
        self._form = HAND
        if label:
            self.label = label
        if _op:
            self._op = _op
        if type(_children) is tuple and not _children:  # a leaf
            return
        children = checked_operands(_children)
        if children:
            self._a = children
            sweep.Extremes.meet()  # its rule cannot be seen

    def __repr__(self) -> str:
        return f"Value(data={self.data}, grad={self.grad})"

    def __format__(self, spec: str) -> str:
        """Write the number as `spec` says: ``f"{loss:.3f}"``; without one, as `repr` does."""
        return format(self.data, spec) if spec else repr(self)

    # -- how it was computed -------------------------------------------------------------------

    @property
    def label(self) -> str:
        """The name given by the user, ``""`` where there is none."""
        label: str = self._more().get("label", "")
        return label

    @label.setter
    def label(self, label: str) -> None:
        self._more(make=True)["label"] = label

    @property
    def _op(self) -> str:
        """The operation in micrograd's spelling: ``"+"``, ``"**3"``, ``"ReLU"``; ``""`` for a leaf.

        It can be assigned, which changes what is shown and nothing else.
        """
        given: str | None = self._more().get("_op")
        if given is not None:
            return given
        if self._form is HAND:
            return ""
        primitive = self._form.primitive
        if primitive.name == "pow" and self._form.places == "vc":
            return f"**{self._slope_b!r}".removesuffix(".0")
        return primitive.op

    @_op.setter
    def _op(self, op: str) -> None:
        self._more(make=True)["_op"] = op

    @property
    def _prev(self) -> tuple[Value, ...]:
        """The operands in order, repeats kept; plain numbers become Values here, once."""
        places = "" if self._form is HAND else self._form.places
        if "c" in places:
            self._give_number_a_node(places)
        return self._unfolded()._operands()

    def _give_number_a_node(self, places: str) -> None:
        primitive = self._form.primitive
        number, operand = constant(type(self), self._slope_b), self._a
        x, y = (operand, number) if places == "vc" else (number, operand)
        _, slope_x, slope_y = at(primitive, x.data, y.data)
        self._form = form(primitive.name, "vv")
        if places == "vc":
            self._b, self._slope_b = number, slope_y
        else:
            self._b, self._slope_b = operand, self._slope_a
            self._a, self._slope_a = number, slope_x
        if primitive.name == "pow" and places == "vc":
            self._op = f"**{number.data!r}".removesuffix(".0")

    def _unfolded(self) -> Value:
        """Return self, with a weighted sum turned into the chain that it stands for."""
        if self._form is weighted.FOLDED:
            weighted.unfold(self)
        return self

    def _operands(self) -> tuple[Value, ...]:
        """Return the operands that are Values."""
        if self._a is None:
            return ()
        if self._slope_a is None:
            operands: tuple[Value, ...] = self._a
            return operands
        return (self._a,) if self._b is None else (self._a, self._b)

    def _more(self, make: bool = False) -> dict[str, Any]:
        """Return what only few nodes have; an empty stand-in where this one has nothing."""
        try:
            extra = self._extra
        except AttributeError:  # the operators leave the slot empty
            extra = {}
            if make:
                self._extra = extra
            return extra
        if make and type(extra) is Shared:
            extra = self._extra = dict(extra)
        return extra

    # -- gradients ----------------------------------------------------------------------------

    @property
    def _backward(self) -> Callable[[], None]:
        """The local rule: called by hand, it adds each operand's share to its ``grad``.

        Assigning a function makes it this node's rule, which ``backward()`` then calls.
        """
        return self._more().get("_backward") or self._apply_rule

    @_backward.setter
    def _backward(self, rule: Callable[[], None]) -> None:
        sweep.Extremes.meet()  # the rule cannot be seen
        if self._form is not HAND:  # from the table until now
            op, operands = self._op, self._prev
            self._a, self._b, self._slope_a, self._slope_b = operands, None, None, None
            self._form = HAND
            self._op = op
        self._more(make=True)["_backward"] = rule

    def _apply_rule(self) -> None:
        if self._slope_a is None:
            for operand, slope in zip(self._a or (), self._slope_b or (), strict=False):
                operand.grad += self.grad * slope
        else:
            self._a.grad += self.grad * self._slope_a
            if self._b is not None:
                self._b.grad += self.grad * self._slope_b

    def backward(self, create_graph: bool = False) -> None:
        """Add d(self)/d(value) to the ``grad`` of this and every earlier value.

        A second call adds the same once more, as in PyTorch.  See `glassgrad.engine.backward`.

        Parameters
        ----------
        create_graph : bool, optional
            Whether the gradients are Values that can be differentiated again.  ``pickle`` keeps
            the numbers of such gradients only.

        Examples
        --------
        >>> x = Value(3.0)
        >>> (x * x * x).backward()
        >>> x.grad
        27.0
        """
        if not create_graph:
            sweep.backward(self)
            return
        from glassgrad.engine.transforms import gradients

        postpone_gc(False)  # x.grad is computed from x: these graphs are cycles
        values = sweep.topological_order(self)
        for value, gradient in zip(values, gradients(self, values), strict=True):
            total = value.grad + gradient if value.grad else gradient
            value.grad = cast("float", total)  # a Value, where somebody asked for the graph

    def zero_grad(self) -> None:
        """Set the gradient of this and every earlier value to 0.

        Examples
        --------
        >>> x = Value(3.0)
        >>> y = x * x
        >>> y.backward()
        >>> y.zero_grad()
        >>> x.grad, y.grad
        (0.0, 0.0)
        """
        for value in sweep.reachable(self):
            value.grad = 0.0

    def forward(self) -> float:
        """Recompute this value from its leaves, in place, local slopes too; return its data.

        Use it after a leaf's ``data`` was changed.  Operations of your own keep their data.

        Examples
        --------
        >>> x = Value(3.0)
        >>> y = x * x
        >>> x.data = 4.0
        >>> y.forward()
        16.0
        """
        for value in sweep.topological_order(self):
            value._recompute()
        return self.data

    def _recompute(self) -> None:
        if self._form is HAND:
            return
        primitive, places = self._form.primitive, self._form.places
        if places == "*":
            self.data, *slopes = at(primitive, *(operand.data for operand in self._a))
            self._slope_b = tuple(slopes)
        elif places == "v":
            self.data, self._slope_a = at(primitive, self._a.data)
        elif places == "vv":
            self.data, self._slope_a, self._slope_b = at(primitive, self._a.data, self._b.data)
        elif places == "vc":
            self.data, self._slope_a, _ = at(primitive, self._a.data, self._slope_b)
        else:
            self.data, _, self._slope_a = at(primitive, self._slope_b, self._a.data)

    # -- as a number: allowed, and noted, since the graph ends there ----------------------------

    def __float__(self) -> float:
        write_note(self, "float")
        return float(self.data)

    def __int__(self) -> int:
        write_note(self, "int")
        return int(self.data)

    def __bool__(self) -> bool:
        write_note(self, "bool")
        return bool(self.data)

    def __lt__(self, other: Value | float) -> bool:
        return self.data < _compared(self, other)

    def __le__(self, other: Value | float) -> bool:
        return self.data <= _compared(self, other)

    def __gt__(self, other: Value | float) -> bool:
        return self.data > _compared(self, other)

    def __ge__(self, other: Value | float) -> bool:
        return self.data >= _compared(self, other)

    # -- copies -------------------------------------------------------------------------------

    def __copy__(self) -> Value:
        return copying.shallow(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Value:
        return copying.deep(self, memo)

    def __reduce__(self) -> tuple[Callable[..., Value], tuple[Any, ...]]:
        return copying.reduced(self)

    # -- the rest of arithmetic comes from the table ---------------------------------------------

    def __abs__(self) -> Value:
        return self.abs()

    def __pos__(self) -> Value:
        return self

    def __array_ufunc__(
        self, ufunc: Callable[..., object], method: str, *inputs: object, **options: object
    ) -> object:
        """Let NumPy's functions and operators work on Values, element by element.

        NumPy calls this (so it is there); Values travel through it as objects.
        """
        if method != "__call__" or options:
            return NotImplemented
        import numpy as np

        if ufunc.__name__ in ("maximum", "minimum"):  # for objects, NumPy would only compare
            from glassgrad.engine.functions import FUNCTIONS

            ufunc = np.frompyfunc(FUNCTIONS[ufunc.__name__], 2, 1)

        def as_objects(item: object) -> np.ndarray[Any, np.dtype[np.object_]]:
            # through a plain array, so that np.float64(2) becomes a float and not an object again
            return np.asarray(item, dtype=object if isinstance(item, Value) else None).astype("O")

        with np.errstate(all="ignore"):  # inf and nan are answers here
            result = ufunc(*map(as_objects, inputs))
        return result[()] if isinstance(result, np.ndarray) and result.ndim == 0 else result


def _compared(value: Value, other: Value | float) -> float:
    write_note(value, "compared", depth=3)
    if not isinstance(other, Value):
        return other
    write_note(other, "compared", depth=3)
    return other.data


install(Value)
