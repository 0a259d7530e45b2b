"""Looking changes nothing around the objects either: globals, counters, lists, classes."""

import pytest
from learner import value_class

import glassgrad as gg

RULES = {
    "calls a rule that is global": """
once = y._backward
def rule():
    once()
    calls.append(1)
""",
    "calls a global through a container": """
rules = {"y": [y._backward]}
def rule():
    rules["y"][0]()
""",
    "counts in a global": """
def rule():
    global count
    count += 1
    x.grad += 2 * x.data * y.grad
""",
    "lets a helper count": """
def tell():
    global count
    count += 1
    calls.append("y")
def rule():
    tell()
    x.grad += 2 * x.data * y.grad
""",
    "lets a helper count in its closure": """
def counter():
    n = 0
    def tell():
        nonlocal n
        n += 1
        return n
    return tell
tell = counter()
def rule():
    tell()
    x.grad += 2 * x.data * y.grad
def look():
    return tell.__closure__[0].cell_contents
""",
    "counts in an object": """
def rule():
    stats.calls += 1
    stats.seen.append(1)
    x.grad += 2 * x.data * y.grad
""",
    "counts in itself": """
def rule():
    rule.calls += 1
    x.grad += 2 * x.data * y.grad
rule.calls = 0
""",
    "counts in its defaults": """
def rule(times=[]):
    times.append(1)
    x.grad += 2 * x.data * y.grad
def look():
    return len(rule.__defaults__[0])
""",
    "counts in its class": """
def rule():
    Value.calls += 1
    x.grad += 2 * x.data * y.grad
""",
    "counts in a class beside": """
class Stats:
    calls = 0
    seen = []
def rule():
    Stats.calls += 1
    Stats.seen.append(1)
    x.grad += 2 * x.data * y.grad
""",
    "makes values, and its class keeps a tape": """
def rule():
    x.grad += (Value(2.0) * x).data * y.grad
""",
    "recurses": """
def add(times):
    if times:
        x.grad += x.data * y.grad
        calls.append(times)
        add(times - 1)
def rule():
    add(2)
""",
}

WORLD = """
count, calls, tape = 0, [], []
class Stats:
    def __init__(self):
        self.calls, self.seen = 0, []
stats = Stats()
class Value(Base):
    calls = 0
    tape = []
    def __init__(self, *args):
        super().__init__(*args)
        global made
        made += 1
        Value.calls += 1
        self.tape.append(made)
        tape.append(self)
made = 0
look = lambda: 0
x = Value(3.0)
y = Value(9.0, (x,), "square")
y.grad = 1.0
def first():
    x.grad += 2 * x.data * y.grad
y._backward = first
"""


def seen(world):
    """Return everything that the rules might change."""
    value, stats = world["Value"], vars(world["Stats"])
    return (
        *(world[name] for name in ("count", "made")),
        *(list(world[name]) for name in ("calls", "tape")),
        *(
            value.calls,
            list(value.tape),
            getattr(stats, "calls", 0),
            list(getattr(stats, "seen", [])),
        ),
        *(world["stats"].calls, list(world["stats"].seen), getattr(world["rule"], "calls", 0)),
        *(world["x"].grad, world["y"].grad, world["look"]()),
    )


@pytest.mark.parametrize("rule", RULES)
def test_what_is_around_a_rule_stays(rule):
    world = {"Base": value_class(tuple), "__name__": "__main__"}
    exec(WORLD + RULES[rule] + "\ny._backward = rule", world)
    before = seen(world)
    graph = gg.graph(world["y"], world)
    assert [edge.slope for edge in graph.edges] == [6.0]
    assert {finding.kind for finding in graph.findings} <= {"live"}
    assert seen(world) == before
    gg.check(world["y"])
    gg.gradcheck(world["y"])
    gg.check(world["Value"])
    assert seen(world) == before
    world["rule"]()  # and it still does what it did
    assert seen(world) != before
