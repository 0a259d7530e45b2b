"""A class's own ``backward()``, run because the user asked for it, and what it did.

In flows a root; out flows how the run ended.  The driver is the user's code and runs on the user's
objects, but within a budget of lines: a walk without a visited set takes 2**n steps, and one over
a cycle never returns.  Afterwards its gradients are compared with our own walk over the same local
slopes, so that a node it did not reach, or reached twice, is named.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import isfinite

from glassgrad.graphs import adapters
from glassgrad.graphs.adapters.dialect import Dialect
from glassgrad.graphs.adapters.held import held
from glassgrad.graphs.limits import EndlessError, limited
from glassgrad.graphs.model import Graph
from glassgrad.graphs.numbers import counted, plain
from glassgrad.graphs.read import read
from glassgrad.graphs.recognise import agree
from glassgrad.graphs.tape import gradients

DRIVERS = (
    "backward",
    "backprop",
    "backwards",
    "backward_all",
    "backpropagate",
    "backpropagation",
    "backwardpropagation",
)
"""What learners call the method that walks the whole graph, the usual name first."""

LEAST, PER_VALUE = 200_000, 400
"""So many lines a driver may take, and so many more for each value of the graph."""


@dataclass(frozen=True, slots=True)
class Driven:
    """How a run of somebody's driver ended.

    Parameters
    ----------
    name : str
        The driver, ``""`` where the class has none.
    error : BaseException or None
        What it raised; an `EndlessError` where it was stopped.
    remark : str
        ``""``, or one sentence: where it was stopped, or where its gradients are not ours.
    """

    name: str
    error: BaseException | None = None
    remark: str = ""


def driver_of(root: object) -> tuple[str, Callable[[], object]] | None:
    """Return the method of a class that runs the whole backward pass, ready to be called.

    A function that the object itself holds under such a name is its local rule.

    Examples
    --------
    >>> from glassgrad.engine.value import Value
    >>> driver_of(Value(2.0))[0]
    'backward'
    >>> driver_of("text") is None
    True
    """
    own, kind = held(root), type(root)
    adapter = adapters.find(root)
    if adapter is None:
        return None
    spelling = getattr(adapter, "spelling", None)
    local = spelling.rule if spelling is not None and spelling.form == "method" else ""
    similar = sorted(name for name in dir(kind) if "backw" in name or "backprop" in name)
    for name in (*DRIVERS, *similar):
        method = getattr(kind, name, None)
        if callable(method) and name not in own and name not in (local, "_backward"):
            return name, _ready(getattr(root, name))
    return None


def drive(root: object, name_of: Callable[[object], str] = lambda _: "") -> Driven:
    """Run the driver of a class from `root`.

    Parameters
    ----------
    root : object
        A Value of any class.
    name_of : callable, optional
        Tells the variable that an object is bound to, for sentences.

    Returns
    -------
    Driven
        Never raises what the driver raised, except for ``KeyboardInterrupt``.

    Examples
    --------
    >>> from glassgrad.engine.value import Value
    >>> drive(Value(2.0))
    Driven(name='backward', error=None, remark='')
    """
    found = driver_of(root)
    if found is None:
        return Driven("")
    name, run = found
    if not isinstance(adapters.find(root), Dialect) and not _is_redefined(root, name):
        return Driven(name, _raised(run))  # ours, and those of libraries, walk each edge once
    before = read(root, name_of).graph
    steps = LEAST + PER_VALUE * (len(before) + len(before.edges))
    try:
        with limited(steps):
            run()
    except EndlessError as error:
        return Driven(name, error, _endless(name, steps, before))
    except Exception as error:
        return Driven(name, error)
    return Driven(name, None, _disagreement(name, before, read(root, name_of).graph))


def _raised(run: Callable[[], object]) -> Exception | None:
    try:
        run()
    except Exception as error:
        return error
    return None


def _is_redefined(root: object, name: str) -> bool:
    """Whether a class derived from ours, or from a library's, has a driver of its own."""
    owner = next(base for base in type(root).__mro__ if name in vars(base))
    return not adapters.is_registered(owner)


def _ready(driver: Callable[..., object]) -> Callable[[], object]:
    """Return a driver with what it needs: a gradient, and to keep what the picture is read from."""
    try:
        parameters = inspect.signature(driver).parameters
    except (TypeError, ValueError):
        return driver
    if any(p.default is p.empty and p.kind <= p.POSITIONAL_OR_KEYWORD for p in parameters.values()):
        return partial(driver, 1.0)
    return partial(driver, retain_graph=True) if "retain_graph" in parameters else driver


def _endless(name: str, steps: int, graph: Graph) -> str:
    cycle = " The graph has a cycle." if any("own inputs" in m for m in graph.messages) else ""
    return (
        f"{name}() was stopped after {steps:,} lines, for {counted(len(graph), 'value')}: it "
        f"visits values again and again.{cycle} Keep a visited set. "
        "Gradients may be half done; zero them."
    )


def _disagreement(name: str, before: Graph, after: Graph) -> str:
    """Compare what a driver did with our own walk, where it began with nothing."""
    grads = before.node_columns.grad
    fresh = all(grad in (None, before.start) for grad in grads)
    if not fresh or before.start or len(before) != len(after):
        return ""
    if before.wrong_edges():  # then a rule is to blame, and the picture says which
        return ""
    pairs = list(zip(gradients(before), after.node_columns.grad, strict=True))
    label, kind = after.node_columns.label, after.node_columns.kind
    wrong = [
        node
        for node, (ours, theirs) in enumerate(pairs)
        if ours is not None
        and isfinite(ours)
        and kind[node] != "constant"
        and not agree(ours, theirs or 0.0)
    ]
    if not wrong:
        return ""
    missed = [node for node in wrong if not pairs[node][1]]
    node = (missed or wrong)[-1]  # the one nearest the root: there it began
    ours, theirs = pairs[node]
    what = label[node] if label[node].isidentifier() else f"({label[node]})"
    if missed:
        return f"{name}() did not reach {what}: its gradient is {plain(ours or 0.0)}, not 0."
    return (
        f"{name}() left {what}.grad at {plain(theirs or 0.0)}, and its rules, run once each "
        f"in order, give {plain(ours or 0.0)}: look at the order and at the visited set."
    )
