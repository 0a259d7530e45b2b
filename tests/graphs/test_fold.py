"""The part of a graph that fits."""

import pytest

import glassgrad as gg
from glassgrad.graphs.fold import nearest


@pytest.fixture
def graph():
    x = gg.Value(0.5)
    left, right = x.tanh(), (x * x).exp()
    y = left + right
    return gg.graph(y)


def test_whole_graph_when_it_fits(graph):
    part = nearest(graph, len(graph))
    assert part.nodes == tuple(range(len(graph)))
    assert part.edges == tuple(range(len(graph.edges)))
    assert set(part.hidden) == {0}
    assert part.notice is None


@pytest.mark.parametrize("limit", [1, 2, 3, 4])
def test_nearest_first_and_nothing_uncounted(graph, limit):
    part = nearest(graph, limit)
    assert len(part.nodes) == limit
    assert graph.root.id in part.nodes
    below = sum(len(graph.operand_edges(node)) for node in part.nodes)
    assert len(part.edges) + sum(part.hidden) == below
    assert part.notice == f"5 values; showing the {limit} nearest y."


def test_direct_operands_come_before_theirs(graph):
    labels = graph.node_columns.label
    assert {labels[node] for node in nearest(graph, 3).nodes} == {"y", "left", "right"}
