"""Folded pictures: nothing is lost, nothing is wrong, nothing makes a cycle."""

import random
from dataclasses import replace
from itertools import pairwise
from math import isclose, isnan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from learner import value_class

import glassgrad as gg
from glassgrad.engine.scope import enter, shared
from glassgrad.graphs.folding import BOUND, Folding, flows, picture, values_of
from glassgrad.graphs.groups import FEW, MOST, Group, divide, whole
from glassgrad.graphs.model import Source
from glassgrad.graphs.read import read
from glassgrad.graphs.region import Links, Region, in_order, without_cycles

UNARY = ("tanh", "sin", "relu")


def program(seed, size, scopes, lines):
    """Return the graph of a random program of the given size, after backward, in random places."""
    draw = random.Random(seed)
    values = [gg.Value(draw.uniform(-1, 1)) for _ in range(5)]
    for _ in range(size):
        near = values[-8:] if draw.random() < 0.7 else values
        one, other = draw.choice(near), draw.choice(values)
        kind = draw.random()
        if kind < 0.4:
            values.append(one + other)
        elif kind < 0.7:
            values.append(one * (other if draw.random() < 0.6 else 0.5))
        else:
            values.append(getattr(one, draw.choice(UNARY))())
    root = gg.sum(values[-10:])
    root.backward()
    graph = gg.graph(root)
    names = [f"part {draw.randrange(4)}.piece {draw.randrange(3)}" for _ in range(scopes)]
    columns = replace(
        graph.node_columns,
        scope=tuple(draw.choice(names) if names else "" for _ in range(len(graph))),
        source=tuple(
            Source(draw.randrange(1, lines), None) if lines > 1 else None for _ in range(len(graph))
        ),
    )
    return replace(graph, node_columns=columns)


PROGRAMS = st.builds(
    program,
    seed=st.integers(0, 10**6),
    size=st.integers(1, 400),
    scopes=st.sampled_from([0, 0, 1, 6]),
    lines=st.sampled_from([1, 1, 5, 30]),
)


def opened_at_random(graph, seed, times=4):
    """Return a folding in which some groups are open, also within each other."""
    draw, folding = random.Random(seed), Folding(graph)
    for _ in range(times):
        closed = [card.name for card in folding.cards if isinstance(card, Group)]
        if not closed:
            break
        names = [group.name for group in folding.opened]
        folding = Folding(graph, [*names, draw.choice(closed)])
    return folding


@settings(deadline=None)
@given(graph=PROGRAMS, seed=st.integers(0, 1000))
def test_every_value_and_every_edge_is_in_one_place_and_no_path_comes_back(graph, seed):
    folding = opened_at_random(graph, seed)
    shown = sorted(node for card in folding.cards for node in values_of(card))
    assert shown == list(range(len(graph)))
    assert len(set(folding.ids)) == len(folding.cards)
    assert folding.cards[-1] == graph.root.id
    # the cards stand in an order in which every edge leads on: no path leaves one and comes back
    assert all(line.source < line.target for line in folding.lines)
    columns = graph.edge_columns
    between = sorted(edge for line in folding.lines for edge in line.edges)
    assert between == [
        edge
        for edge, (source, target) in enumerate(zip(columns.source, columns.target, strict=True))
        if folding.card_of[source] != folding.card_of[target]
    ]


@settings(deadline=None)
@given(graph=PROGRAMS, seed=st.integers(0, 1000))
def test_what_arrives_at_a_card_adds_up_to_its_gradient(graph, seed):
    folding = opened_at_random(graph, seed)
    cards, sums = picture(folding, graph), flows(folding, graph)
    arrived = [0.0] * len(folding.cards)
    for at, edge in enumerate(cards.edges):
        flow = sums.get(at, edge.flow)
        if folding.is_one(edge.source):
            arrived[edge.source] += flow
        else:
            assert flow is None
    for card, node in enumerate(cards.nodes):
        assert (node.grad is None, isnan(node.data)) == (not folding.is_one(card),) * 2
        if folding.is_one(card) and card < len(cards) - 1:
            assert isclose(arrived[card], node.grad, rel_tol=1e-9, abs_tol=1e-9)
            assert node.data == graph.nodes[folding.outputs[card][0]].data


@settings(deadline=None)
@given(graph=PROGRAMS)
def test_a_group_opens_to_at_least_two_and_not_too_many(graph):
    assert len(Folding(graph).cards) <= MOST + 1
    links, waiting = Links(graph), [whole(len(graph))]
    while waiting:
        group = waiting.pop()
        inside = divide(links, group)
        nodes = [node for part in inside for node in values_of(part)]
        assert sorted(nodes) == list(group.nodes)
        assert len(inside) >= min(2, len(group.nodes))
        assert len(inside) <= max(FEW, MOST)
        waiting += [part for part in inside if isinstance(part, Group)]


def test_no_more_cards_than_can_be_drawn():
    graph = program(1, 30_000, 0, 1)
    folding = Folding(graph)
    while len(folding.opened) < 60:
        names = [group.name for group in folding.opened]
        closed = [card.name for card in folding.cards if isinstance(card, Group)]
        folding = Folding(graph, [*names, *closed])
        if len(folding.opened) == len(names):
            break
    assert MOST < len(folding.cards) <= BOUND
    assert folding.notice.startswith(f"No more than {BOUND} cards: close a group, and ")


def test_keys_that_make_a_cycle_are_split_where_the_path_comes_back():
    h = gg.Value(0.5)
    for _ in range(3):
        h = (h * 2).tanh()
    graph = gg.graph(h)
    region = Region(Links(graph), range(len(graph)))
    keys = [op or "leaf" for op in graph.node_columns.op]
    with pytest.raises(ValueError, match="cycle"):
        in_order(region, keys)
    parted = in_order(region, without_cycles(region, keys))
    assert [[keys[at] for at in part] for part in parted] == [["leaf"] * 4] + [["*"], ["tanh"]] * 3


# -- networks --------------------------------------------------------------------------------------


def loss_of(model, value, samples=20):
    """Return the loss of the lecture's network: a margin for each sample, and decay."""
    draw = random.Random(3)
    rows = [[value(draw.uniform(-1, 1)) for _ in range(2)] for _ in range(samples)]
    scores = [model(row) for row in rows]
    margins = [(1 + (-1) ** at * score).relu() for at, score in enumerate(scores)]
    loss = sum(margins) * (1 / samples) + 1e-4 * sum(p * p for p in model.parameters())
    loss.backward()
    return loss


@pytest.fixture(scope="module")
def network():
    return gg.graph(loss_of(gg.nn.MLP(2, [4, 4, 1], seed=1), gg.Value), {})


def told(graph, *opened):
    folding = Folding(graph, opened)
    return [
        (card.label, card.says) if isinstance(card, Group) else graph.node_columns.label[card]
        for card in folding.cards
    ]


def test_a_network_folds_to_its_layers(network):
    cards = told(network)
    assert cards[:5] == [
        ("inputs", "40, used 4 times"),
        ("layer 1", "4 neurons × 20"),
        ("layer 2", "4 neurons × 20"),
        ("layer 3", "1 neuron × 20"),
        ("ReLU(+(×))", "20 times"),
    ]
    assert ("Σ", "20 in a row") in cards


def test_a_group_opens_in_the_place_where_it_stood(network):
    closed, opened = told(network), told(network, "layer 2")
    at = closed.index(("layer 2", "4 neurons × 20"))
    neurons = [(f"neuron {number}", "20 times") for number in range(1, 5)]
    assert opened == [*closed[:at], *neurons, *closed[at + 1 :]]


def test_a_stack_opens_to_one_and_the_stack_of_the_others(network):
    stack = "layer 1/neuron 1/ReLU(Σ(×))"
    inside = told(network, "layer 1", "layer 1/neuron 1", stack)
    assert ("ReLU(Σ(×))", "18 times") in inside
    assert inside.count("ReLU") == 2


def test_names_that_are_none_are_left_out(network):
    assert told(network, "layer 9", "") == told(network)


class Network:
    """The lecture's network over a learner's class, which knows of no layers."""

    def __init__(self, value, sizes, draw):
        self.layers = [
            [
                ([value(draw.uniform(-1, 1)) for _ in range(inputs)], value(0.0))
                for _ in range(outputs)
            ]
            for inputs, outputs in pairwise(sizes)
        ]

    def __call__(self, x):
        for layer in self.layers:
            x = [sum((w * v for w, v in zip(ws, x, strict=True)), b).relu() for ws, b in layer]
        return x[0]

    def parameters(self):
        return [one for layer in self.layers for ws, b in layer for one in (*ws, b)]


def test_a_network_of_a_learner_folds_by_repetition():
    value = value_class(set)
    graph = gg.graph(loss_of(Network(value, [2, 4, 4, 1], random.Random(1)), value), {})
    says = [card[1] for card in told(graph) if isinstance(card, tuple)]
    assert says.count("80 times") == 2  # the neurons of two layers, for 20 samples
    assert len(says) < 25


def test_a_group_that_is_one_stack_opens_to_one_of_it_and_the_others():
    x, w = gg.Value(0.5), gg.Value(2.0)
    losses = [(x * w).tanh() for _ in range(200)]
    total = gg.sum([loss.exp() for loss in losses])
    made = {id(one) for loss in losses for one in (loss, *loss._prev) if one not in (x, w)}
    graph = read(total, source_of=lambda one: Source(4, None) if id(one) in made else None).graph
    assert told(graph)[2] == ("line 4", "400 values")
    assert ("tanh(0.5 * 2)", "194 times") in told(graph, "line 4")


def test_a_scope_that_is_left_and_entered_again_is_several_groups():
    h, place = gg.Value(0.1), shared("cell")
    for _ in range(10):
        h = h + gg.Value(0.2)
        for _ in range(20):
            enter(h, place)
            h = h.sin()
    cards = told(gg.graph(h, {}))
    assert [card[0] for card in cards if isinstance(card, tuple)] == ["inputs", *["cell"] * 10]
    assert cards.count("sin") == 10


def test_a_long_chain_folds_and_opens_all_the_way():
    value = gg.Value(1.0)
    for _ in range(20_000):
        value = value.tanh()
    graph, names = gg.graph(value, {}), []
    assert told(graph) == ["1", ("tanh", "19,999 in a row"), "tanh"]
    while True:
        folding = Folding(graph, names)
        group = next((card for card in folding.cards if isinstance(card, Group)), None)
        assert group is not None
        names.append(group.name)
        if len(group.nodes) <= FEW:
            break
    assert 2 <= len(names) <= 6


def test_two_long_rows_without_chains_are_one_stack():
    ends = []
    for _ in range(2):
        value = gg.Value(0.1)
        for _ in range(5_000):
            value = value * 0.5 + 1.0
        ends.append(value)
    assert ("+(×(+(…)))", "2 times") in told(gg.graph(ends[0] * ends[1], {}))


def test_what_a_rule_does_wrong_is_told_on_the_card_that_holds_it():
    value = value_class(list, assigning=True)
    x = value(0.5)
    total = x
    for _ in range(400):
        total = total + (x * 2.0).tanh()
    total.backward()
    graph = gg.graph(total, {})
    cards = picture(Folding(graph), graph)
    said = [
        " ".join(cards.notes(at)) for at, node in enumerate(cards.nodes) if node.kind == "group"
    ]
    assert any("replaces the gradient" in words and "in here" in words for words in said)


def test_small_numbers_of_values_fold_too():
    a = gg.Value(1.0)
    for root in (a, a * 2, a * 2 + a, (a * 2 + a).tanh()):
        graph = gg.graph(root, {})
        assert len(Folding(graph).cards) == len(graph)
