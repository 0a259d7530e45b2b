"""The graph of the first trial that went wrong, with its wrong edges.

In flows an exam after grading; out flow a `Graph` and, for each wrong edge, its two numbers.
"""

from __future__ import annotations

from collections.abc import Mapping

from glassgrad.checks.exam import Exam
from glassgrad.checks.inspection import inspect_graph, mark_replaced
from glassgrad.graphs import adapters
from glassgrad.graphs.assemble import assemble
from glassgrad.graphs.collect import collect
from glassgrad.graphs.model import Graph
from glassgrad.graphs.names import lookup


def picture(exam: Exam) -> tuple[Graph | None, Mapping[int, str]]:
    """Return the graph of the first trial that failed, and its wrong edges.

    Examples
    --------
    >>> from glassgrad.checks.learner import Learner
    >>> from glassgrad.engine.value import Value
    >>> picture(Exam(Learner(Value)))
    (None, {})
    """
    trial = exam.failed
    if trial is None or adapters.find(trial.root) is None:
        return None, {}
    collected = collect(trial.root)
    names = dict(zip(trial.names, trial.leaves, strict=False))
    graph = assemble(collected, lookup(names), lambda _: None)
    found = inspect_graph(trial.root, collected, graph)
    mark_replaced(found, graph.node_columns.grad)
    return graph, found.wrong
