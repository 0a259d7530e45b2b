"""A large graph is that of the moment in which it was read, whoever looks at it, and whenever."""

import copy
import gc
import math
import pickle
import threading
import types
import weakref
from dataclasses import replace

import numpy as np
import pytest
from dialects.spelled import SPELLED
from dialects.structures import STRUCTURES
from everything import (
    BARE,
    CHANGES,
    CLASSES,
    NUMBERS,
    STEPS,
    Right,
    each_alone,
    of_every_operation,
    program,
    told,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from slips import SLIPS

import glassgrad as gg
from glassgrad.graphs import majority as measuring
from glassgrad.graphs import sweep as sweeping
from glassgrad.graphs.adapters import find
from glassgrad.graphs.adapters.held import held
from glassgrad.graphs.lazy import underived
from glassgrad.graphs.snapshot import identities
from glassgrad.graphs.standins import put

SetValue = BARE[0]


@pytest.fixture
def large(monkeypatch):
    """Take graphs of any size for large ones."""
    monkeypatch.setattr(sweeping, "FEWEST", 1)


def is_underived(graph):
    return underived(graph) is not None


def change(values):
    """Change everything about values that a class may have."""
    for value in values:
        for name, item in held(value).items():
            if isinstance(item, set | list):
                item.clear()
            put(value, name, 77.0 if isinstance(item, float | int | np.number) else None)


def assert_lasting(values, names=()):
    """Read the graph of the last value; change everything; look; it is what it was."""
    names = dict(names)
    expected = each_alone(values[-1], names)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweeping, "FEWEST", 1)
        alone, together = gg.graph(values[-1], names), gg.graph(values[-1], names)
    was_underived = is_underived(alone)
    assert is_underived(together) == was_underived
    assert len(alone) == len(expected)
    change(values)
    values.clear()
    names.clear()
    gc.collect()
    assert told(alone) == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measuring, "_FEWEST", 1)
        patch.setattr(measuring, "_MANY", 1)
        assert told(together) == expected
    assert not is_underived(alone)
    return was_underived


def everything_of(root):
    found, waiting = {}, [root]
    while waiting:
        item = waiting.pop()
        if id(item) not in found and find(item) is not None:
            found[id(item)] = item
            waiting += find(item).record(item).operands
    found.pop(id(root))
    return [*found.values(), root]


# -- what is read stays as it was -----------------------------------------------------------------


@settings(deadline=None, max_examples=100)
@given(
    cls=st.sampled_from(CLASSES),
    numbers=st.lists(NUMBERS, min_size=1, max_size=6),
    steps=STEPS,
    changes=CHANGES,
)
def test_any_program(cls, numbers, steps, changes):
    values = program(cls, numbers, steps)
    for place, number in changes[:2]:
        values[place % len(values)].data = number
    names = {"a": values[0], "z": values[-1]}
    assert_lasting(everything_of(values[-1]), names)


@pytest.mark.parametrize("dialect", [*SPELLED, *STRUCTURES], ids=str)
def test_every_dialect(dialect):
    a, b = dialect.cls(2.0), dialect.cls(-3.0)
    c = (a * b + a) * (b + a) + a * b
    assert_lasting(everything_of(c), {"a": a, "c": c})


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.name)
def test_every_slip(slip):
    assert_lasting(everything_of(of_every_operation(slip.build())))


@pytest.mark.parametrize("cls", BARE, ids=["set", "tuple", "list"])
@pytest.mark.parametrize("number", [0.3, 2, np.float64(1.5), math.nan, math.inf, None, True])
def test_usual_classes_are_derived_later(cls, number):
    a, b = cls(0.5), cls(-2.0)
    c = abs((a * b + a).relu() - b * b + (a + a).exp()).tanh() * a**-1 + b**2
    a.data = number
    assert assert_lasting(everything_of(c), {"a": a, "b": b, "c": c})


def test_what_a_rule_raises_is_found_later():
    x = SetValue(1.0)
    y = x**-1 + SetValue(2.0) ** -1
    x.data = 0.0
    graph = each_alone(y, {"x": x, "y": y})
    assert [finding.kind for finding in graph.findings].count("raises") == 1
    assert assert_lasting(everything_of(y), {"x": x, "y": y})


def test_a_global_that_a_rule_mentions_is_that_of_the_moment(large):
    source = """
def doubled(x):
    out = Value(2 * math.sin(x.data), (x,), "double")
    def _backward(self=None):
        pass
    def rule():
        self.grad += 2 * math.cos(self.data) * out.grad
    self = x
    out._backward = rule
    return out
"""
    world = {"Value": SetValue, "math": math}
    exec(source, world)
    root = world["doubled"](world["doubled"](SetValue(0.5)))
    expected = each_alone(root, {})
    graph = gg.graph(root, {})
    assert is_underived(graph)
    world["math"] = None
    assert told(graph) == expected
    assert graph.edges[1].slope == pytest.approx(2 * math.cos(2 * math.sin(0.5)))


def test_a_cycle_whose_rules_fit(large):
    """Nothing but the order shows it: each rule knows its value and what that value keeps."""
    a = SetValue(-1.0)
    b = a.exp()
    c = b.exp()
    other = c.exp()  # whose rule is made to be that of a
    rule = other._backward
    own = rule.__code__.co_freevars.index("out")
    rule.__closure__[own].cell_contents = a
    a._prev, a._op, a._backward = {c}, "exp", rule
    graph = gg.graph(c, {"c": c})
    assert is_underived(graph)
    assert_lasting([a, b, c], {"a": a, "b": b, "c": c})
    assert "one of its own inputs" in graph.messages[0]


# -- what cannot be derived later -----------------------------------------------------------------


class Property(Right):
    """Its number is computed when somebody asks."""

    @property
    def data(self):
        return self.number

    @data.setter
    def data(self, number):
        self.number = number


def with_array():
    root = SetValue(2.0).exp()
    root.data = np.array([2.0])
    return root


def with_a_module_of_the_users_own():
    """Somebody may assign to its attributes."""
    x = SetValue(2.0)
    out = SetValue(6.0, (x,), "scaled")
    world = {"settings": types.ModuleType("settings"), "self": x, "out": out}
    world["settings"].factor = 3.0
    source = """
def made(self, out):
    def rule():
        self.grad += settings.factor * out.grad
    return rule
"""
    exec(source, world)
    out._backward = world["made"](x, out)
    return out


def with_a_value_in_arithmetic():
    """A slip on a branch that is not taken: a value stands where its number should stand."""
    x = SetValue(2.0)
    out = SetValue(2.0, (x,), "abs")

    def rule():
        if self.data > 0:
            self.grad += out.grad
        else:
            self.grad += self * out.grad

    self = x
    out._backward = rule
    return out


def with_a_helper():
    x = SetValue(2.0)
    out = SetValue(math.sin(2.0), (x,), "sin")

    def rule():
        self.grad += math.cos(self.data) * out.grad + 0 * self.exp().data

    self = x
    out._backward = rule
    return out


def with_rule_of_another():
    root = SetValue(2.0) * SetValue(3.0)
    root._backward = (SetValue(2.0) * SetValue(3.0))._backward
    return root


def with_a_number_not_kept():
    root = SetValue(2.0).exp()
    root._prev = {3.0}
    return root


@pytest.mark.parametrize(
    "root",
    [
        Property(2.0) * Property(3.0),
        with_array(),
        with_a_module_of_the_users_own(),
        with_a_value_in_arithmetic(),
        with_a_helper(),
        with_rule_of_another(),
        with_a_number_not_kept(),
        gg.Value(2.0) * 3,
    ],
    ids=[
        "property",
        "array",
        "settings",
        "arithmetic",
        "helper",
        "another's rule",
        "number",
        "our own",
    ],
)
def test_what_only_the_values_can_tell_is_told_at_once(large, root):
    graph = gg.graph(root, {})
    assert not is_underived(graph)
    assert told(graph) == each_alone(root, {})


def test_small_graphs_are_complete_at_once():
    assert not is_underived(gg.graph(SetValue(2.0) * SetValue(3.0), {}))


# -- a graph that nobody has looked at is as good as any ------------------------------------------


@pytest.fixture
def root():
    values = [SetValue(1 + place / 7) for place in range(400)]
    result = sum((value * value).relu() for value in values)
    result.grad = 1.0
    return result


@pytest.fixture
def unseen(root):
    graph = gg.graph(root, {"loss": root})
    assert is_underived(graph)
    return graph


def test_the_number_of_values_is_known_at_once(unseen):
    assert len(unseen) == 400 * 4 + 1
    assert is_underived(unseen)
    assert len(unseen.nodes) == len(unseen)


def test_it_holds_no_value():
    x = SetValue(2.0)
    root = sum((x * x for _ in range(800)), SetValue(0.0))
    dead = weakref.ref(x)
    graph = gg.graph(root, {})
    assert is_underived(graph)
    gc.collect()  # a class's own closures are cycles
    del x, root
    gc.collect()
    assert dead() is None
    assert is_underived(graph)
    assert graph.operations == 1600


def test_it_holds_no_global_that_is_called_like_an_attribute(large):
    world = {}
    source = """
def rule_of(self, out):
    def rule():
        self.grad += out.grad
    return rule
"""
    exec(source, world)
    world["grad"] = SetValue(3.0)
    dead = weakref.ref(world["grad"])
    x = SetValue(2.0)
    root = SetValue(2.0, (x,), "same")
    root._backward = world["rule_of"](x, root)
    graph = gg.graph(root, {})
    assert is_underived(graph)
    world.clear()
    del x, root
    gc.collect()
    assert dead() is None
    assert [edge.slope for edge in graph.edges] == [1.0]


@pytest.mark.parametrize(
    "again",
    [
        copy.copy,
        copy.deepcopy,
        replace,
        lambda graph: pickle.loads(pickle.dumps(graph)),
    ],
    ids=["copy", "deepcopy", "replace", "pickle"],
)
def test_copies(unseen, root, again):
    other = again(unseen)
    assert other == unseen == each_alone(root, {"loss": root})
    assert hash(other) == hash(unseen)


def test_compared_from_either_side(root):
    seen = each_alone(root, {})
    assert gg.graph(root, {}) == seen
    assert seen == gg.graph(root, {})
    assert gg.graph(root, {}) == gg.graph(root, {})
    assert hash(gg.graph(root, {})) == hash(seen)


def test_attributes_that_it_does_not_have(unseen):
    assert not hasattr(unseen, "_repr_html_")
    assert is_underived(unseen)
    with pytest.raises(AttributeError, match="'Graph' object has no attribute 'notes_'"):
        unseen.notes_  # noqa: B018
    with pytest.raises(AttributeError):
        unseen.messages = ()


def test_threads_that_look_at_the_same_time(unseen, root):
    start, seen = threading.Barrier(8), []

    def look():
        start.wait()
        seen.append((unseen.findings, unseen.edge_columns, unseen.node_columns, repr(unseen)))

    threads = [threading.Thread(target=look) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 8
    assert all(columns is seen[0][2] for _, _, columns, _ in seen)
    assert unseen == each_alone(root, {"loss": root})


def test_an_interrupted_look_can_be_repeated(unseen, root, monkeypatch):
    from glassgrad.graphs import derive

    def interrupted(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(derive, "assemble", interrupted)
        with pytest.raises(KeyboardInterrupt):
            unseen.findings  # noqa: B018
    assert unseen == each_alone(root, {"loss": root})


def test_looking_changes_nothing_of_the_garbage_collector(unseen):
    assert gc.isenabled()
    assert unseen.operations == 1200
    assert gc.isenabled()


def test_identities():
    items = [object(), None, 3, 3, "x"]
    assert identities(items).tolist() == [*map(id, items)]
