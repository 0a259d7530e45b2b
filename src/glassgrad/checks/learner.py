"""How one class spells what every Value has: its number, its gradient, its ``backward()``.

In flows a class nobody has seen before; out flows a `Learner` that makes its objects, reads them
and runs its driver.  Attributes are found by what they hold, never by guessing one name.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from math import nan
from numbers import Number
from types import FunctionType
from typing import Any

from glassgrad.checks.guard import Ran, run, said
from glassgrad.graphs import adapters
from glassgrad.graphs.collect import Collected, collect
from glassgrad.graphs.drive import DRIVERS
from glassgrad.graphs.scalar import scalar

_SAMPLE = 2.718281  # no class starts an attribute with it
_FIRST_GRADIENT = 1.0
_OPERANDS = ("child", "prev", "parent", "operand", "input")  # what is a container of them


class UnusableError(Exception):
    """The class cannot be checked at all; the sentence says why."""


class Learner:
    """One class, and how to use it.

    Parameters
    ----------
    cls : type
        The class.
    driver : callable, optional
        The function that runs backward from a root, where the class has no method for it.

    Raises
    ------
    UnusableError
        When no object can be made, or no attribute holds its number.

    Examples
    --------
    >>> from glassgrad.engine.value import Value
    >>> learner = Learner(Value)
    >>> learner.data_name, learner.grad_name, learner.driver_name
    ('data', 'grad', 'backward')
    """

    def __init__(self, cls: type, driver: Callable[[Any], object] | None = None) -> None:
        self.cls, self.name = cls, cls.__name__
        self._more = tuple(_required(cls))
        made = run(lambda: self.make(_SAMPLE))
        if made.error is not None:
            raise UnusableError(
                f"{self.name}({_SAMPLE}) raises {said(made.error)}, so nothing can be computed"
            )
        leaf = made.result
        self.data_name = next(_names_holding(leaf, _SAMPLE), "")
        if not self.data_name:
            raise UnusableError(
                f"{self.name}({_SAMPLE}) keeps its number in no attribute, as in `self.data = data`"
            )
        self.grad_name = _gradient_name(leaf)
        self.first_grad = self.grad(leaf) if self.grad_name else 0.0
        self.seeds = False  # whether the root is given its gradient before the driver runs
        self.driver_name, self._driver = self._find_driver(leaf, driver)

    def make(self, number: float) -> Any:
        """Return a leaf."""
        return self.cls(number, *self._more)

    def owns(self, value: object) -> bool:
        """Whether something is an object of the class, or of one that it is built upon."""
        return isinstance(value, self.cls) or type(value) in self.cls.__mro__[:-1]

    def data(self, value: object) -> float:
        """Return its number; nan where that is none."""
        return scalar(getattr(value, self.data_name, None))[0]

    def grad(self, value: object) -> float:
        """Return its gradient; nan where that is no number."""
        return scalar(getattr(value, self.grad_name, None))[0]

    def drive(self, root: object) -> object:
        """Run the class's own backward from `root`."""
        if self._driver is None:
            raise UnusableError(f"{self.name} has no backward()")
        if self.seeds:
            setattr(root, self.grad_name, _FIRST_GRADIENT)
        return self._driver(root)

    @property
    def drives(self) -> bool:
        """Whether there is a driver."""
        return self._driver is not None

    @property
    def code(self) -> FunctionType | None:
        """The function that runs backward, where it is written in Python."""
        found: Any = getattr(self.cls, self.driver_name, None) or self._driver
        found = inspect.unwrap(found) if callable(found) else found
        found = getattr(found, "__func__", found)
        return found if isinstance(found, FunctionType) else None

    def _find_driver(
        self, leaf: object, given: Callable[[Any], object] | None
    ) -> tuple[str, Callable[[Any], object] | None]:
        if given is not None:
            return getattr(given, "__name__", "backward"), given
        own = set(getattr(leaf, "__dict__", ()))  # an object's own `backward` is its local rule
        for name in (*DRIVERS, *_similar(self.cls)):
            method = getattr(self.cls, name, None)
            if callable(method) and name not in own:
                needs = len(_positional(method)) > 1
                first = (_FIRST_GRADIENT,) if needs else ()
                return name, _calling(name, *first)
        return "backward", None

    # -- our own walk ---------------------------------------------------------------------------

    def walk(self, root: object) -> bool:
        """Run the local rules in the right order, once each, as a correct driver would.

        Returns
        -------
        bool
            False where the graph cannot be read, or an operation keeps no rule of its own.
        """
        if adapters.find(root) is None:
            return False
        collected = collect(root)
        known = (
            r.rule or (r.slopes and None not in r.slopes) for r in collected.records if r.operands
        )
        if not all(known):
            return False
        for item in collected.objects:
            if hasattr(item, self.grad_name):
                setattr(item, self.grad_name, 0.0)
        setattr(root, self.grad_name, _FIRST_GRADIENT)
        for id in reversed(range(len(collected.objects))):
            self._apply(collected, id)
        return True

    def _apply(self, collected: Collected, id: int) -> None:
        record, value = collected.records[id], collected.objects[id]
        if record.slopes is not None:
            for operand, slope in zip(record.operands, record.slopes, strict=True):
                if slope is not None and hasattr(operand, self.grad_name):
                    total = self.grad(operand) + slope * self.grad(value)
                    setattr(operand, self.grad_name, total)
        elif record.rule is not None and record.operands:
            record.rule()


def _calling(name: str, *arguments: object) -> Callable[[Any], object]:
    return lambda root: getattr(root, name)(*arguments)


class Trial:
    """One program, run in somebody's class: its number, its gradients, or what it raised.

    Parameters
    ----------
    learner : Learner
        The class.
    program : callable
        A function of Values.
    at : sequence of float
        The numbers of its arguments.
    names : sequence of str, optional
        What its arguments are called.
    walk : bool, optional
        Whether to walk ourselves rather than with the class's own driver.
    steps : int, optional
        The budget of each half.
    """

    def __init__(
        self,
        learner: Learner,
        program: Callable[..., object],
        at: Sequence[float],
        names: Sequence[str] = ("x", "y"),
        *,
        walk: bool = False,
        steps: int = 200_000,
    ) -> None:
        self.learner = learner
        self.at, self.names = tuple(at), tuple(names)
        self.leaves = [learner.make(number) for number in at]
        self.forward: Ran = run(lambda: program(*self.leaves), steps)
        self.root = self.forward.result
        self.made = self.forward.error is None and learner.owns(self.root)
        self.data = learner.data(self.root) if self.made else _number(self.root)
        self.backward: Ran | None = None
        self.walked = True
        self.grads: tuple[float, ...] = ()
        if self.made and learner.grad_name:
            drive: Callable[[object], object] = learner.walk if walk else learner.drive
            self.backward = run(lambda: drive(self.root), steps)
            self.walked = not walk or self.backward.result is True
            self.grads = tuple(learner.grad(leaf) for leaf in self.leaves)

    @property
    def error(self) -> BaseException | None:
        """What either half raised."""
        return self.forward.error or (self.backward.error if self.backward else None)

    @property
    def called(self) -> frozenset[str]:
        """The names of the functions that ran."""
        both = self.forward.called | (self.backward.called if self.backward else frozenset())
        return frozenset(code.co_name for code in both)


def _number(item: object) -> float:
    return scalar(item)[0] if isinstance(item, Number) else nan


def _required(cls: type) -> Iterator[object]:
    """Return what else a constructor insists on: no operands, and empty words."""
    try:
        parameters = list(inspect.signature(cls).parameters.values())[1:]
    except (TypeError, ValueError):
        return
    for parameter in parameters:
        if parameter.default is parameter.empty and parameter.kind <= 1:
            name = parameter.name.lower()
            yield () if any(word in name for word in _OPERANDS) else ""


def _positional(function: Any) -> list[str]:
    """Return the names of the parameters that a call must give, the object itself included."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [p.name for p in parameters if p.default is p.empty and p.kind <= 1]


def attribute_names(value: object) -> list[str]:
    """Return the names of what an object holds: its dictionary, its slots, then its properties.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> attribute_names(SimpleNamespace(data=1.0))
    ['data']
    """
    names = list(getattr(value, "__dict__", ()))
    for base in type(value).__mro__:
        slots = base.__dict__.get("__slots__", ())
        names += [slots] if isinstance(slots, str) else list(slots)
        names += [name for name, item in vars(base).items() if isinstance(item, property)]
    return [name for name in dict.fromkeys(names) if not name.startswith("__")]


def _attributes(value: object) -> Iterator[tuple[str, object]]:
    for name in sorted(attribute_names(value), key=lambda name: name.startswith("_")):
        try:
            yield name, getattr(value, name)
        except Exception:  # a property may do as it likes
            continue


def _names_holding(value: object, number: float) -> Iterator[str]:
    for name, item in _attributes(value):
        if isinstance(item, Number) and scalar(item)[0] == number:
            yield name


def _gradient_name(value: object) -> str:
    """Return the attribute that holds a gradient: a number, or nothing yet, by a telling name."""
    for name, item in _attributes(value):
        telling = "grad" in name.lower() or "deriv" in name.lower()
        if telling and (item is None or isinstance(item, Number)):
            return name
    return ""


def _similar(cls: type) -> list[str]:
    names = [name for name in dir(cls) if not name.startswith("__")]
    return [name for name in names if "backw" in name.lower() or "backprop" in name.lower()]
