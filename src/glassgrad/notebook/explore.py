"""A function with a control for each of its parameters, beside the graph that it computes.

In flow a function and the ranges of its parameters; out flows a container of ipywidgets. A moved
control calls the function again with new Values; a number that was kept in the picture moves its
control. What the function raises becomes one sentence above the picture.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from math import floor, log10
from typing import Any

import ipywidgets

from glassgrad.engine.value import Value
from glassgrad.graphs.names import callers_names, lookup
from glassgrad.graphs.read import adapter_of, read
from glassgrad.notebook.values import drive, sentence
from glassgrad.notebook.widget import GraphWidget

STEPS = 50
"""So many steps a slider has at least, where no step is given."""

FINER = 4
"""So often a slider's step is divided by ten, to reach a number between two of its steps."""

NO_RANGE = "explore() needs a range for {name}: explore({function}, {name}=(-5, 5))."
NO_PARAMETER = "{function}() has no parameter {name}: it takes {known}."
NO_CONTROL = (
    "{name} needs (low, high) or (low, high, step) for a slider, a number for a field, True or "
    "False for a box, a list for a menu, or a widget of your own; got {got!r}."
)


def explore(f: Callable[..., object], /, **ranges: object) -> Explorer:
    """Put controls for the parameters of a function beside the graph that it computes.

    Parameters
    ----------
    f : callable
        A function of Values that returns one. It is called with a new `Value`, of the parameter's
        name, for each slider and field, and with what is chosen for each box and menu; then
        ``backward()`` runs.
    **ranges
        By the name of the parameter: ``(low, high)`` or ``(low, high, step)`` for a slider, a
        number for a field, True or False for a box, a list or a dict of choices for a menu, or a
        widget of your own with a ``value``. A parameter that is not named keeps its default.

    Returns
    -------
    Explorer
        A container to display, with `widget`, `controls` and `result`.

    Raises
    ------
    TypeError
        When a parameter has no range, a range no parameter, or a range makes no control.

    Examples
    --------
    >>> import glassgrad as gg
    >>> def f(a, b):
    ...     return a * b + a
    >>> explorer = gg.explore(f, a=(-5, 5), b=-3.0)
    >>> explorer.controls["a"].value = 2.0
    >>> explorer.result
    Value(data=-4.0, grad=1.0)
    >>> explorer.widget.graph["nodes"]["label"], explorer.widget.numbers["grad"]
    (['a', 'b', 'a * b', 'f'], [-2.0, 2.0, 1.0, 1.0])
    """
    _check_names(f, ranges)
    return Explorer(f, {name: _control(name, given) for name, given in ranges.items()})


class Explorer(ipywidgets.HBox):  # type: ignore[misc]  # ipywidgets comes without types
    """Controls beside a graph; made by `gg.explore`.

    Parameters
    ----------
    f : callable
        The function.
    controls : mapping of str to widget
        What sets each parameter.

    Attributes
    ----------
    widget : GraphWidget
        The picture.
    controls : dict
        The controls, by the name of their parameter.
    result : object
        What the function returned last; None when it raised.
    """

    def __init__(self, f: Callable[..., object], controls: Mapping[str, Any]) -> None:
        self._f = f
        self._name = getattr(f, "__name__", type(f).__name__)
        self.controls = dict(controls)
        self._leaves: dict[str, Value] = {}
        self._moving = False
        self.result: object = None
        error = self._compute()
        root = Value(float("nan"), label="no result") if self.result is None else self.result
        self.widget = GraphWidget(root, read(root, self._name_of()).graph, error=error)
        self.widget.layout.flex = "1 1 24rem"
        self.widget.layout.min_width = "0"
        for control in self.controls.values():
            control.observe(self._recompute, "value")
        self.widget.observe(self._follow, "numbers")
        panel = ipywidgets.VBox(list(self.controls.values()))
        super().__init__([panel, self.widget], layout=ipywidgets.Layout(flex_flow="row wrap"))

    def _compute(self) -> str:
        """Call the function with the numbers of the controls; return a sentence or ``""``."""
        self._leaves, self.result = {}, None
        given: dict[str, object] = {}
        for name, control in self.controls.items():
            given[name] = control.value
            if _is_number(control):
                given[name] = self._leaves[name] = Value(float(control.value), label=name)
        try:
            result = self._f(**given)
            adapter_of(result)
        except Exception as error:
            return sentence(f"{self._name}()", error)
        self.result = result
        return drive(result)

    def _recompute(self, _change: object = None) -> None:
        if self._moving:
            return
        error = self._compute()
        if self.result is not None:
            self.widget.show_root(self.result, self._name_of())
        self.widget.error = error

    def _follow(self, _change: object) -> None:
        """Move the controls to what was written into the leaves: kept after a nudge."""
        moved = {
            name: leaf.data
            for name, leaf in self._leaves.items()
            if leaf.data != self.controls[name].value
        }
        if not moved:
            return
        self._moving = True
        try:
            for name, number in moved.items():
                _move(self.controls[name], number)
        finally:
            self._moving = False
        self._recompute()

    def _name_of(self) -> Callable[[object], str]:
        """Return a function that knows the result by the function's name."""
        known = {self._name: self.result} if self._name.isidentifier() else {}
        return lookup({**callers_names(), **known})

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """Return the live view, with a picture and a text for where nothing can be live."""
        data: dict[str, Any] = super()._repr_mimebundle_(**options)
        return {**data, **self.widget.still()}


def _check_names(f: Callable[..., object], ranges: Mapping[str, object]) -> None:
    function = getattr(f, "__name__", type(f).__name__)
    parameters = inspect.signature(f).parameters
    taken = {
        name: parameter
        for name, parameter in parameters.items()
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    }
    takes_any = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())
    for name in ranges:
        if name not in taken and not takes_any:
            known = ", ".join(taken) or "none"
            raise TypeError(NO_PARAMETER.format(function=function, name=name, known=known))
    for name, parameter in taken.items():
        if name not in ranges and parameter.default is parameter.empty:
            raise TypeError(NO_RANGE.format(function=function, name=name))


def _control(name: str, given: object) -> Any:
    """Make the control of one parameter."""
    label = {"description": name}
    if isinstance(given, ipywidgets.DOMWidget) and hasattr(given, "value"):
        return given
    if isinstance(given, bool):
        return ipywidgets.Checkbox(given, **label)
    if isinstance(given, int | float):
        return ipywidgets.FloatText(float(given), **label)
    if isinstance(given, tuple) and _is_range(given):
        low, high = float(given[0]), float(given[1])
        step = float(given[2]) if len(given) == 3 else _round_step((high - low) / STEPS)
        middle = low + step * round((high - low) / 2 / step)
        return ipywidgets.FloatSlider(middle, min=low, max=high, step=step, **label)
    if isinstance(given, list | dict) and given:
        return ipywidgets.Dropdown(options=given, **label)
    raise TypeError(NO_CONTROL.format(name=name, got=given))


def _move(control: Any, number: float) -> None:
    """Set a control to a number, also to one that is outside its range."""
    if hasattr(control, "min"):
        control.min = min(control.min, number)
        control.max = max(control.max, number)
        # a page takes a number between two steps to the next step, and sends that back
        for _ in range(FINER):
            steps = (number - control.min) / control.step
            if abs(steps - round(steps)) < 1e-6:
                break
            control.step /= 10
    control.value = number


def _round_step(most: float) -> float:
    """Return 1, 2 or 5 times a power of ten, the largest that is not above `most`.

    Examples
    --------
    >>> [_round_step(most) for most in (0.12, 0.2, 0.75, 9)]
    [0.1, 0.2, 0.5, 5.0]
    """
    unit = float(f"1e{floor(log10(most))}")
    return max(times * unit for times in (1, 2, 5) if times * unit <= most * (1 + 1e-9))


def _is_range(given: tuple[object, ...]) -> bool:
    numbers = [item for item in given if isinstance(item, int | float)]
    if len(numbers) != len(given) or len(given) not in (2, 3):
        return False
    return numbers[0] < numbers[1] and all(step > 0 for step in numbers[2:])


def _is_number(control: Any) -> bool:
    """Whether a control sets a number that can vary, which becomes a Value."""
    if isinstance(control, ipywidgets.Dropdown | ipywidgets.Checkbox):
        return False
    return isinstance(control.value, int | float) and not isinstance(control.value, bool)
