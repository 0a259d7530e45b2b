"""`fit`: the training step, repeated."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from glassgrad.engine.memory import pause_gc
from glassgrad.engine.value import Value
from glassgrad.optim import Optimizer

if TYPE_CHECKING:
    from tqdm.auto import tqdm


def fit(
    loss: Callable[[], Value], optimizer: Optimizer, steps: int, *, progress: bool = False
) -> list[float]:
    """Lower a loss: compute it, run backward, move the parameters, and so on.

    Each step runs with the garbage collector paused (see `pause_gc`), and its graph is freed at
    the end of it.

    Parameters
    ----------
    loss : callable
        Computes the loss with the parameters as they are.
    optimizer : Optimizer
        Moves them.
    steps : int
        How often.
    progress : bool
        Show a progress bar; this needs tqdm.

    Returns
    -------
    list of float
        The loss before each step.

    Examples
    --------
    >>> from glassgrad.optim import SGD
    >>> x = Value(0.0)
    >>> fit(lambda: (x - 1) ** 2, SGD([x], lr=0.25), steps=3)
    [1.0, 0.25, 0.0625]
    """
    losses = []
    bar = _bar(steps) if progress else None
    for _ in bar or range(steps):
        with pause_gc():
            losses.append(_step(loss, optimizer))
        if bar:
            bar.set_postfix_str(f"loss {losses[-1]:.4g}")
    return losses


def _step(loss: Callable[[], Value], optimizer: Optimizer) -> float:
    value = loss()
    if not isinstance(value, Value):
        raise TypeError(
            f"fit needs a function that returns the loss as a Value; it returned {value!r}."
        )
    optimizer.zero_grad()
    value.backward()
    optimizer.step()
    return value.data


def _bar(steps: int) -> tqdm[int]:
    try:
        from tqdm.auto import trange
    except ImportError:
        raise ImportError("A progress bar needs tqdm: pip install tqdm.") from None
    return trange(steps)
