"""Looking changes nothing: every attribute of every object is what it was, whatever rules do."""

import json
import threading

import numpy as np
import pytest
from dialects.spelled import SPELLED
from dialects.structures import STRUCTURES
from hypothesis import given, settings
from hypothesis import strategies as st
from learner import value_class

import glassgrad as gg
from glassgrad.graphs import adapters
from glassgrad.graphs.adapters.held import held
from glassgrad.graphs.collect import collect
from glassgrad.graphs.probe import adds, measure
from glassgrad.notebook.wire import encode

DIALECTS = st.sampled_from([*SPELLED, *STRUCTURES])
NUMBERS = st.sampled_from([2.0, -3.0, 0.5, 0.0, 3, np.float64(1.5), np.float32(0.5), np.int64(2)])
STEPS = st.lists(
    st.tuples(st.sampled_from("+*"), st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=8
)


def everything(roots):
    """Return what every object that can be reached holds: identity by identity, part by part."""
    seen, waiting, found = {}, list(roots), {}
    while waiting:
        item = waiting.pop()
        if id(item) in seen or isinstance(item, type) or callable(item):
            continue
        seen[id(item)] = item
        if isinstance(item, list | tuple | set | frozenset):
            found[id(item)] = [id(part) for part in item]
            waiting += item
        else:
            inside = held(item)
            found[id(item)] = {name: id(part) for name, part in inside.items()}
            waiting += inside.values()
    return found, seen  # what was seen is held, so that identities stay their own


def look(root):
    """Do everything that only looks."""
    graph = gg.graph(root, {})
    str(graph), graph.to_dot(), gg.steps(graph)
    json.dumps(encode(graph), allow_nan=False)
    collected = collect(root)
    for record, item, below in zip(
        collected.records, collected.objects, collected.operands, strict=True
    ):
        operands = [collected.objects[o] for o in dict.fromkeys(below) if o is not None]
        values = [o for o in operands if adapters.find(o) is not None]
        if record.rule is not None:
            measure(item, values, record.rule, record.names)
            adds(item, values, record.rule, record.names)
    return graph


def program(cls, numbers, steps):
    values = [cls(number) for number in numbers]
    for sign, left, right in steps:
        x, y = values[left % len(values)], values[right % len(values)]
        values.append(x + y if sign == "+" else x * y)
    return values


@settings(deadline=None, max_examples=200)
@given(dialect=DIALECTS, numbers=st.lists(NUMBERS, min_size=1, max_size=3), steps=STEPS)
def test_every_attribute_is_as_before(dialect, numbers, steps):
    values = program(dialect.cls, numbers, steps)
    before, _ = everything(values)
    look(values[-1])
    after, _ = everything(values)
    assert after == before


@settings(deadline=None)
@given(numbers=st.lists(NUMBERS, min_size=1, max_size=3), steps=STEPS)
def test_every_attribute_is_as_before_when_rules_raise(numbers, steps):
    values = program(value_class(set, raising=True), numbers, steps)
    before, _ = everything(values)
    look(values[-1])
    assert everything(values)[0] == before


def test_widget_changes_nothing():
    cls = value_class(tuple)
    a = cls(2.0)
    c = a * 3 + a
    before, _ = everything([c])
    gg.show(c).close()
    assert everything([c])[0] == before


@pytest.mark.parametrize("dialect", [*SPELLED, *STRUCTURES], ids=str)
def test_another_thread_never_sees_a_change(dialect):
    """While one thread looks, another reads every gradient: it is always the one it was."""
    if dialect.grad is None:
        names = ("data",)
    else:
        names = tuple(name for name in held(dialect.cls(1.0)) if "grad" in name)
    values = program(dialect.cls, [2.0, -3.0], [("*", 0, 1), ("+", 2, 0), ("*", 3, 2)])
    expected = [[held(value).get(name) for name in names] for value in values]
    begun, done, seen = threading.Event(), threading.Event(), []

    def watch():
        while not done.is_set():
            now = [[held(value).get(name) for name in names] for value in values]
            if any(
                x is not y
                for row, old in zip(now, expected, strict=True)
                for x, y in zip(row, old, strict=True)
            ):
                seen.append(now)
            begun.set()

    watcher = threading.Thread(target=watch)
    watcher.start()
    begun.wait()
    for _ in range(20):
        look(values[-1])
    done.set()
    watcher.join()
    assert seen == []


def test_globals_that_a_rule_writes_stay():
    """In a notebook rules are often functions of the cell, and what they use is global."""
    source = """
count = 0
x, y = Value(3.0), Value(9.0, (), "square")
y._prev = (x,)
def rule():
    global count
    count += 1
    print("running")
    x.grad += 2 * x.data * y.grad
y._backward = rule
"""
    world = {"Value": value_class(tuple)}
    exec(source, world)
    graph = gg.graph(world["y"], world)
    assert graph.edges[0].slope == 6.0
    assert (world["count"], world["x"].grad) == (0, 0.0)
