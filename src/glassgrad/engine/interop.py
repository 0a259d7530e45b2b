"""`to_jax` and `to_torch`: the same function for machines that one Python process cannot fill.

In goes a Value; out comes a callable over arrays of JAX or PyTorch, with the rules of the table.
What is exported are the groups of a Schedule, so that ten thousand Values are a few operations and
compile in the time that these take.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

from glassgrad.engine.memory import pause_gc
from glassgrad.engine.replay.recording import record
from glassgrad.engine.replay.schedule import plan
from glassgrad.engine.value import Value


def to_jax(
    root: Value,
    inputs: Sequence[Value] | None = None,
    *,
    parameters: Sequence[Value] = (),
) -> Callable[..., Any]:
    """Return the graph of `root` as a pure function for JAX.

    Parameters
    ----------
    root : Value
        The result.
    inputs : sequence of Value, optional
        The Values that the function takes; default: every leaf, as for `glassgrad.compile`.
    parameters : sequence of Value
        The Values that it takes as a first argument of their own.

    Returns
    -------
    callable
        ``f(values)``, or ``f(parameters, values)`` if there are parameters: the last axis of
        `values` are the inputs, the axes before it are a batch, which the result has too.
        ``jax.jit``, ``grad``, ``vmap`` and sharded arrays work on it.

    Raises
    ------
    ModuleNotFoundError
        When JAX is not installed.
    TypeError, ValueError
        When the graph cannot be replayed, as for `glassgrad.compile`.

    Notes
    -----
    Numbers have the precision of `values`; JAX knows float64 only after
    ``jax.config.update("jax_enable_x64", True)``.  A mesh with explicit axes, as ``jax.make_mesh``
    makes them, has to be set with ``jax.set_mesh``.  Where more than 256 operations wait for each
    other, the function is one compiled loop over them, and has reverse derivatives only.

    Examples
    --------
    >>> import jax
    >>> a, b = Value(2.0), Value(-3.0)
    >>> f = to_jax(a * b + a, [a, b])
    >>> float(jax.jit(f)(jax.numpy.array([5.0, 1.0])))
    10.0
    >>> jax.grad(f)(jax.numpy.array([5.0, 1.0])).tolist()
    [2.0, 5.0]
    """
    made = _library("jax", "to_jax", "in_jax")
    with pause_gc():
        function: Callable[..., Any] = made.function(plan(record(root, inputs, parameters)))
    return function


def to_torch(
    root: Value,
    inputs: Sequence[Value] | None = None,
    *,
    parameters: Sequence[Value] = (),
) -> Any:
    """Return the graph of `root` as a ``torch.nn.Module``.

    Parameters
    ----------
    root : Value
        The result.
    inputs : sequence of Value, optional
        The Values that the module is called with; default: every leaf, as for
        `glassgrad.compile`.
    parameters : sequence of Value
        The Values that become its ``weight``, a ``torch.nn.Parameter`` of one axis.

    Returns
    -------
    torch.nn.Module
        ``module(values)``: the last axis of `values` are the inputs, the axes before it are a
        batch, which the result has too.

    Raises
    ------
    ModuleNotFoundError
        When PyTorch is not installed.
    TypeError, ValueError
        When the graph cannot be replayed, as for `glassgrad.compile`.

    Notes
    -----
    Where more than 256 operations wait for each other, the module runs on the CPU as a
    `glassgrad.Program` does, and has first derivatives only.

    Examples
    --------
    >>> import torch
    >>> w, x = Value(2.0), Value(-3.0)
    >>> module = to_torch(w * x, [x], parameters=[w])
    >>> module(torch.tensor([[5.0], [1.0]])).sum().backward()
    >>> module.weight.grad.tolist()
    [6.0]
    """
    made = _library("torch", "to_torch", "in_torch")
    with pause_gc():
        return made.module(plan(record(root, inputs, parameters)))


def _library(name: str, function: str, module: str) -> ModuleType:
    try:
        return import_module(f"glassgrad.engine.replay.{module}")
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise ModuleNotFoundError(
            f"{function} needs {name}, which is not installed: pip install {name}.", name=name
        ) from None
