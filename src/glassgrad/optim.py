"""Optimisers: from gradients to better parameters, with PyTorch's formulas.

An optimiser is one rule that moves a number by its gradient.  The rule is plain arithmetic, so
that the same lines serve a list of Values (`Optimizer.step`) and whole NumPy arrays
(`Optimizer.move`).  The learning rate is a number, or a function from the number of steps already
taken to one; `constant`, `linear`, `cosine` and `stepped` make such functions.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, TypeAlias

from glassgrad.engine.reading import operands
from glassgrad.engine.value import Value

Schedule: TypeAlias = Callable[[int], float]

Number: TypeAlias = Any  # a float, or a NumPy array of them


class Optimizer(ABC):
    """What optimisers share; a subclass writes `rule`.

    Parameters
    ----------
    parameters : iterable of Value
        What to move; each is moved once per step, however often it is listed.
    lr : float or callable
        The learning rate, 0 or more; or a function that gives it for the number of steps taken.

    Raises
    ------
    TypeError, ValueError
        When there is nothing to move, or something that cannot be moved.

    Examples
    --------
    >>> class SignDescent(Optimizer):
    ...     def rule(self, data, grad, state, lr):
    ...         return data - lr * ((grad > 0) - (grad < 0)), state
    >>> x = Value(3.0)
    >>> optimizer = SignDescent([x], lr=0.5)
    >>> (x * x).backward()
    >>> optimizer.step()
    >>> x.data
    2.5
    """

    def __init__(self, parameters: Iterable[Value], lr: float | Schedule) -> None:
        self.parameters = _checked_parameters(type(self).__name__, parameters)
        self.lr = lr
        self.steps = 0
        self._states: list[tuple[Any, ...]] = []
        _check("a learning rate of 0 or more", self, self.rate() >= 0, self.rate())

    @abstractmethod
    def rule(
        self, data: Number, grad: Number, state: tuple[Number, ...], lr: float
    ) -> tuple[Number, tuple[Number, ...]]:
        """Return a parameter's next data, and what to remember about it until the next step.

        `state` is empty at the first step, and ``self.steps`` is 1 then.
        """

    def rate(self) -> float:
        """Return the learning rate of the next step."""
        return self.lr(self.steps) if callable(self.lr) else self.lr

    def step(self) -> None:
        """Move every parameter once, by the gradient it holds."""
        data = [parameter.data for parameter in self.parameters]
        grads = [parameter.grad for parameter in self.parameters]
        for parameter, moved in zip(self.parameters, self.move(data, grads), strict=True):
            parameter.data = moved

    def move(self, data: Sequence[Number], grads: Sequence[Number]) -> list[Number]:
        """Return numbers, or arrays of numbers, moved once by their gradients.

        This is `step` for parameters that are not kept in Values: `data` is left as it is, what
        the optimiser remembers goes by position in `data`.

        Examples
        --------
        >>> import numpy as np
        >>> optimizer = SGD([Value(0.0)], lr=0.5)
        >>> optimizer.move([np.array([1.0, 2.0])], [np.array([2.0, 4.0])])
        [array([0., 0.])]
        """
        lr = self.rate()
        self.steps += 1
        states = self._states or [()] * len(data)
        moved = [
            self.rule(x, grad, state, lr)
            for x, grad, state in zip(data, grads, states, strict=True)
        ]
        self._states = [state for _, state in moved]
        return [x for x, _ in moved]

    def zero_grad(self) -> None:
        """Set the gradient of every parameter to 0."""
        for parameter in self.parameters:
            parameter.grad = 0.0


class SGD(Optimizer):
    """Gradient descent, with momentum if wanted.

    Parameters
    ----------
    parameters : iterable of Value
        What to move.
    lr : float or callable
        The learning rate, or a schedule of it.
    momentum : float
        How much of the last step's velocity is kept, from 0 to 1.
    weight_decay : float
        How strongly parameters are pulled towards 0: this times the parameter is added to its
        gradient.

    Notes
    -----
    The formulas are those of ``torch.optim.SGD`` (without dampening).

    Examples
    --------
    >>> x = Value(3.0)
    >>> optimizer = SGD([x], lr=0.1, momentum=0.9)
    >>> for _ in range(100):
    ...     optimizer.zero_grad()
    ...     (x * x).backward()
    ...     optimizer.step()
    >>> abs(x.data) < 0.05
    True
    """

    def __init__(
        self,
        parameters: Iterable[Value],
        lr: float | Schedule,
        momentum: float = 0.0,
        weight_decay: float = 0.0,
    ) -> None:
        super().__init__(parameters, lr)
        _check("a momentum of 0 or more", self, momentum >= 0, momentum)
        _check("a weight decay of 0 or more", self, weight_decay >= 0, weight_decay)
        self.momentum = momentum
        self.weight_decay = weight_decay

    def rule(
        self, data: Number, grad: Number, state: tuple[Number, ...], lr: float
    ) -> tuple[Number, tuple[Number, ...]]:
        """Step against the velocity, which without momentum is the gradient."""
        if self.weight_decay:
            grad = grad + self.weight_decay * data
        if not self.momentum:
            return data - lr * grad, ()
        velocity = self.momentum * state[0] + grad if state else grad
        return data - lr * velocity, (velocity,)


class Adam(Optimizer):
    """Steps of about the learning rate in each parameter, whatever the size of its gradients.

    Parameters
    ----------
    parameters : iterable of Value
        What to move.
    lr : float or callable
        The learning rate, or a schedule of it.
    betas : tuple of float
        How much of the mean gradient and of the mean squared gradient is kept at each step, from
        0 to below 1.
    eps : float
        Added to the root of the mean square, so that nothing is divided by 0; above 0.
    weight_decay : float
        As in `SGD`.

    Notes
    -----
    The formulas are those of ``torch.optim.Adam``, after Kingma and Ba, `Adam: A Method for
    Stochastic Optimization <https://arxiv.org/abs/1412.6980>`_, algorithm 1.

    Examples
    --------
    >>> x = Value(3.0)
    >>> optimizer = Adam([x], lr=0.1)
    >>> (1000 * x).backward()
    >>> optimizer.step()
    >>> round(x.data, 6)
    2.9
    """

    def __init__(
        self,
        parameters: Iterable[Value],
        lr: float | Schedule = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
    ) -> None:
        super().__init__(parameters, lr)
        for beta in betas:
            _check("betas from 0 to below 1", self, 0 <= beta < 1, beta)
        _check("an eps above 0", self, eps > 0, eps)
        _check("a weight decay of 0 or more", self, weight_decay >= 0, weight_decay)
        self.betas = betas
        self.eps = eps
        self.weight_decay = weight_decay

    def rule(
        self, data: Number, grad: Number, state: tuple[Number, ...], lr: float
    ) -> tuple[Number, tuple[Number, ...]]:
        """Step against the mean gradient, divided by the root of the mean squared gradient."""
        keep_mean, keep_square = self.betas
        if self.weight_decay:
            grad = grad + self.weight_decay * data
        mean, square = state or (0.0, 0.0)
        mean = keep_mean * mean + (1 - keep_mean) * grad
        square = keep_square * square + (1 - keep_square) * grad * grad
        # both means began at 0; these take that out again
        unbiased_mean = mean / (1 - keep_mean**self.steps)
        unbiased_square = square / (1 - keep_square**self.steps)
        return data - lr * unbiased_mean / (unbiased_square**0.5 + self.eps), (mean, square)


def constant(lr: float) -> Schedule:
    """Return the schedule that always gives `lr`.

    Examples
    --------
    >>> constant(0.1)(50)
    0.1
    """
    return partial(_constant, lr)


def linear(start: float, end: float, steps: int) -> Schedule:
    """Return a schedule that falls evenly from `start` to `end` in `steps` steps, then stays.

    Examples
    --------
    >>> [linear(1.0, 0.0, steps=4)(step) for step in (0, 1, 2, 4, 9)]
    [1.0, 0.75, 0.5, 0.0, 0.0]
    """
    _check_steps("linear", steps)
    return partial(_linear, start, end, steps)


def cosine(start: float, end: float, steps: int) -> Schedule:
    """Return a schedule that falls as half a cosine wave: gently, then fast, then gently.

    Examples
    --------
    >>> [round(cosine(1.0, 0.0, steps=4)(step), 4) for step in (0, 1, 2, 4, 9)]
    [1.0, 0.8536, 0.5, 0.0, 0.0]
    """
    _check_steps("cosine", steps)
    return partial(_cosine, start, end, steps)


def stepped(start: float, factor: float, every: int) -> Schedule:
    """Return a schedule that is multiplied by `factor` after each `every` steps.

    Examples
    --------
    >>> [stepped(1.0, factor=0.5, every=10)(step) for step in (0, 9, 10, 25)]
    [1.0, 1.0, 0.5, 0.25]
    """
    _check_steps("stepped", every)
    return partial(_stepped, start, factor, every)


# -- the schedules themselves: functions of this module can be pickled with their optimiser -------


def _constant(lr: float, step: int) -> float:
    return lr


def _linear(start: float, end: float, steps: int, step: int) -> float:
    return start + (end - start) * min(step / steps, 1.0)


def _cosine(start: float, end: float, steps: int, step: int) -> float:
    return end + (start - end) * (1 + math.cos(math.pi * min(step / steps, 1.0))) / 2


def _stepped(start: float, factor: float, every: int, step: int) -> float:
    return start * factor ** (step // every)


def _check_steps(schedule: str, steps: int) -> None:
    if steps < 1:
        raise ValueError(f"{schedule} needs a number of steps of at least 1; got {steps}.")


def _check(need: str, optimizer: Optimizer, holds: bool, got: float) -> None:
    if not holds:
        raise ValueError(f"{type(optimizer).__name__} needs {need}; got {got}.")


def _checked_parameters(owner: str, parameters: object) -> list[Value]:
    if not isinstance(parameters, Iterable):
        raise TypeError(
            f"{owner} needs a list of Values; got {parameters!r}. "
            "Write model.parameters() for those of a model."
        )
    checked: list[Value] = list(dict.fromkeys(parameters))
    for parameter in checked:
        if not isinstance(parameter, Value):
            raise TypeError(
                f"{owner} moves Values; got {parameter!r}. Write Value({parameter!r}) "
                "where the model is made, so that it gets a gradient."
            )
        if operands(parameter):
            raise ValueError(
                f"{owner} moves leaves; got {parameter!r}, which is computed from other values. "
                "Give it those instead."
            )
    if not checked:
        raise ValueError(f"{owner} got no parameters, so there is nothing to train.")
    return checked
