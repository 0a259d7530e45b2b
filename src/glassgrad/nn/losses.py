"""Losses: from a model's outputs and the right answers to the one Value that training lowers.

Each is the mean over the examples; a single output stands for a list of one.  The cross entropies
take raw scores (logits), because the exponential and the logarithm cancel only on paper: here they
stay exact where the textbook's ``-log(softmax(x))`` overflows or rounds to 0.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any, SupportsIndex, TypeAlias

from glassgrad.engine.value import Value

Outputs: TypeAlias = Iterable[Value] | Value
Targets: TypeAlias = Iterable[Value | float] | Value | float


def mse(outputs: Outputs, targets: Targets) -> Value:
    """Return the mean squared error, the mean of ``(output - target)**2``.

    Parameters
    ----------
    outputs : iterable of Value, or Value
        What the model answered.
    targets : iterable of float or Value, or one of them
        What it should have answered, one for each output.

    Examples
    --------
    >>> mse([Value(1.0), Value(3.0)], [1.0, 1.0]).data
    2.0
    """
    return _mean([(output - target) ** 2 for output, target in _pairs("mse", outputs, targets)])


def hinge(outputs: Outputs, targets: Targets) -> Value:
    """Return the mean of ``relu(1 - target * output)``: no loss once an answer is clearly right.

    Parameters
    ----------
    outputs : iterable of Value, or Value
        Scores; the sign is the answer.
    targets : iterable of float, or float
        1 or -1 for each output.

    Examples
    --------
    >>> hinge([Value(2.0), Value(0.25)], [1, 1]).data
    0.375
    """
    pairs = _pairs("hinge", outputs, targets)
    for _, target in pairs:
        if _data(target) not in (-1, 1):
            raise ValueError(
                f"hinge needs targets of 1 and -1; got {_data(target)}. "
                "Write 2 * target - 1 to turn 1 and 0 into them."
            )
    return _mean([(1 - target * output).relu() for output, target in pairs])


def binary_cross_entropy(outputs: Outputs, targets: Targets) -> Value:
    """Return the mean of ``-log(p)``, where p is the probability given to what really happened.

    The probability of a yes is ``sigmoid(output)``, so that ``-log(p)`` is ``softplus(-output)``
    for a yes and ``softplus(output)`` for a no.

    Parameters
    ----------
    outputs : iterable of Value, or Value
        Scores (logits), before any sigmoid.
    targets : iterable of float or Value, or one of them
        1 for yes, 0 for no, or the probability of a yes, for each output.

    Examples
    --------
    >>> score = Value(-1000.0)
    >>> loss = binary_cross_entropy(score, 1)
    >>> loss.backward()
    >>> loss.data, score.grad
    (1000.0, -1.0)
    """
    pairs = _pairs("binary_cross_entropy", outputs, targets)
    for _, target in pairs:
        if not 0 <= _data(target) <= 1:
            raise ValueError(
                f"binary_cross_entropy needs targets from 0 to 1; got {_data(target)}. "
                "Write 1 for yes and 0 for no."
            )
    return _mean([_binary_surprise(output, target) for output, target in pairs])


def _binary_surprise(score: Value, target: Value | float) -> Value:
    if isinstance(target, Value) or target not in (0, 1):
        return target * (-score).softplus() + (1 - target) * score.softplus()
    return (-score if target else score).softplus()


def cross_entropy(
    outputs: Iterable[Iterable[Value]] | Iterable[Value],
    targets: Iterable[SupportsIndex] | SupportsIndex,
) -> Value:
    """Return the mean of ``-log(p)``, where p is the probability given to the right class.

    The probabilities are ``softmax(scores)``.  With the largest score pulled out,

        -log(p) = largest - right + log(1 + sum of exp(other - largest)),

    no exponent is positive, nothing overflows, and ``log1p`` keeps the small loss of a sure and
    right answer.  Which one of several equally large scores is pulled out makes no difference.

    Parameters
    ----------
    outputs : iterable of iterables of Value
        For each example one score (logit) per class; for one example, its scores.
    targets : iterable of int, or int
        The number of the right class of each example, counted from 0.

    Examples
    --------
    >>> scores = [Value(1000.0), Value(-1000.0), Value(1000.0)]
    >>> loss = cross_entropy(scores, 0)
    >>> loss.backward()
    >>> f"{loss.data:.4f}", [score.grad for score in scores]
    ('0.6931', [-0.5, 0.0, 0.5])
    """
    rows: Sequence[Any] = list(outputs)
    if not isinstance(targets, Iterable):
        rows, targets = [rows], [targets]
    classes = list(targets)
    _check_lengths("cross_entropy", rows, classes)
    return _mean([_surprise(list(row), right) for row, right in zip(rows, classes, strict=True)])


def _surprise(scores: list[Value], right: SupportsIndex) -> Value:
    right = _checked_class(scores, right)
    largest = max(range(len(scores)), key=lambda i: scores[i].data)
    others = [(score - scores[largest]).exp() for i, score in enumerate(scores) if i != largest]
    rest = reduce(operator.add, others).log1p()
    return rest if right == largest else scores[largest] - scores[right] + rest


def _checked_class(scores: list[Value], right: SupportsIndex) -> int:
    _check_values("cross_entropy", scores)
    if len(scores) < 2:
        raise ValueError(
            f"cross_entropy needs a score for each of at least 2 classes; got {len(scores)}. "
            "For yes or no from one score use binary_cross_entropy."
        )
    try:
        index = operator.index(right)
    except TypeError:
        raise TypeError(
            f"cross_entropy needs the number of the right class, a whole number; got {right!r}."
        ) from None
    if not 0 <= index < len(scores):
        raise ValueError(
            f"cross_entropy got class {index} and {len(scores)} scores; "
            f"classes are counted from 0 to {len(scores) - 1}."
        )
    return index


def _pairs(loss: str, outputs: Outputs, targets: Targets) -> list[tuple[Value, Value | float]]:
    given, wanted = _listed(outputs), _listed(targets)
    _check_lengths(loss, given, wanted)
    _check_values(loss, given)
    return list(zip(given, wanted, strict=True))


def _listed(one_or_more: Any) -> list[Any]:
    return list(one_or_more) if isinstance(one_or_more, Iterable) else [one_or_more]


def _check_lengths(loss: str, outputs: Sequence[object], targets: Sequence[object]) -> None:
    if not outputs or len(outputs) != len(targets):
        raise ValueError(
            f"{loss} got {len(outputs)} outputs and {len(targets)} targets; "
            "give it at least one output, and a target for each."
        )


def _check_values(loss: str, outputs: Iterable[object]) -> None:
    for output in outputs:
        if not isinstance(output, Value):
            raise TypeError(
                f"{loss} needs Values as outputs; got {output!r}, "
                "which does not remember how it was computed."
            )


def _data(target: Value | float) -> float:
    return target.data if isinstance(target, Value) else target


def _mean(losses: list[Value]) -> Value:
    total = reduce(operator.add, losses)
    return total / len(losses) if len(losses) > 1 else total
