"""Whatever Python's own objects hold is there again after a rule was measured."""

import contextlib
import functools
import random
from collections import Counter, OrderedDict, UserDict, defaultdict, deque
from itertools import count
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from learner import value_class

import glassgrad as gg
from glassgrad.graphs.contained import again

WITH_SETTER = """
things = []
class Item:
    n = property(None, lambda self, n: things.append(n))
item = Item()
"""
WITH_CACHE = """
things = []
class Item:
    @functools.cached_property
    def n(self):
        things.append(1)
"""
WITH_METACLASS = """
things = []
class Meta(type):
    def __call__(cls):
        things.append(1)
class Item(metaclass=Meta):
    pass
"""
WITH_DECORATOR = """
things = []
@contextlib.contextmanager
def told():
    things.append(1)
    yield
"""
WITH_KINDS = """
things = []
@functools.singledispatch
def told(x):
    things.append(x)
"""

THINGS = {
    "a counter": ("things = count(3)", "next(things)"),
    "a counter of a class": ("class things:\n    ids = count()", "next(things.ids)"),
    "a counter of an object": (
        "things = SimpleNamespace(ids=count(5, 2), n=0)",
        "things.n = next(things.ids)",
    ),
    "a deque": ("things = deque([1, 2], maxlen=2)", "things.append(things[-1] + 1)"),
    "a defaultdict": ("things = defaultdict(list)", "things['+'].append(1)"),
    "a Counter": ("things = Counter('ab')", "things['a'] += 1"),
    "an OrderedDict": ("things = OrderedDict(a=1, b=2)", "things.move_to_end(next(iter(things)))"),
    "a dict that moves a key": (
        "things = dict(a=1, b=2)",
        "k = [*things][0]; things[k] = things.pop(k)",
    ),
    "a list in a dict": ("things = dict(tape=[])", "things['tape'].append(1)"),
    "a list in a list in a tuple": ("things = ([[0]],)", "things[0][0][0] += 1"),
    "a list of a class derived from it": ("things = Loud([1])", "list.append(things, 1)"),
    "bytes": ("things = bytearray(2)", "things[0] += 1"),
    "an array": ("things = np.zeros(2)", "things[0] += 1"),
    "random numbers": ("random.seed(1)\nthings = random", "random.random()"),
    "random numbers by name": ("things = random\nrand = random.random", "rand()"),
    "random numbers by a method": ("things = random\nshuffle = random.shuffle", "shuffle([1, 2])"),
    "random numbers of one's own": ("things = random.Random(1)", "things.random()"),
    "random numbers of NumPy": ("things = np.random", "np.random.rand()"),
    "random numbers of NumPy's module": ("things = np.random", "things.random()"),
    "a generator of NumPy": ("things = np.random.default_rng(0)", "things.random()"),
    "a dict of collections": ("things = UserDict(n=0)", "things['n'] += 1"),
    "a list behind a partial": ("things = []\nadd = partial(things.append, 1)", "add()"),
    "a list behind a setter": (WITH_SETTER, "item.n = 1"),
    "a list behind a cached property": (WITH_CACHE, "Item().n"),
    "a list of a metaclass": (WITH_METACLASS, "Item()"),
    "a list of a decorated function": (WITH_DECORATOR, "told().__enter__()"),
    "a list of a function of many kinds": (WITH_KINDS, "told(1)"),
    "an attribute of a module": ("things = settings", "settings.calls += 1"),
    "a list of a module": ("things = settings", "settings.seen.append(1)"),
}

PLACES = {
    "rule": ("pass", "{use}\n        x.grad += 2 * x.data * y.grad"),
    "class": ("{use}", "x.grad += Value(2.0).data * x.data * y.grad"),
}

WORLD = """
{setup}
class Value(Base):
    def __init__(self, *args):
        super().__init__(*args)
        {init}
x = Value(3.0)
y = Value(9.0, (x,), "square")
def maker(x, y):
    def rule():
        {rule}
    return rule
y._backward = maker(x, y)
"""


class Loud(list):
    def clear(self):
        raise RuntimeError("nobody asked me to")

    append = extend = __iter__ = __len__ = copy = clear


def state(things):
    """Return what tells whether something changed."""
    if things is random:
        return random.getstate()
    if things is np.random:
        return str(np.random.get_state())
    if isinstance(things, random.Random):
        return things.getstate()
    if isinstance(things, np.random.Generator):
        return str(things.bit_generator.state)
    if isinstance(things, type | ModuleType | SimpleNamespace):
        return repr(dict(vars(things)))
    return list.__repr__(things) if type(things) is Loud else repr(things)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("thing", THINGS)
def test_what_something_holds_is_there_again(thing, place):
    setup, use = THINGS[thing]
    init, rule = (text.format(use=use) for text in PLACES[place])
    settings = ModuleType("settings")
    settings.calls, settings.seen = 0, []
    world = {
        "Base": value_class(tuple), "__name__": "__main__", "Loud": Loud,
        "SimpleNamespace": SimpleNamespace, "settings": settings, "random": random, "np": np,
        "count": count, "deque": deque, "defaultdict": defaultdict, "Counter": Counter,
        "OrderedDict": OrderedDict, "functools": functools, "partial": functools.partial,
        "contextlib": contextlib, "UserDict": UserDict,
    }  # fmt: skip
    exec(WORLD.format(setup=setup, init=init, rule=rule), world)
    things, before = world["things"], state(world["things"])
    graph = gg.graph(world["y"], world)
    assert [edge.slope for edge in graph.edges] == [6.0]
    assert state(things) == before
    gg.check(world["y"])
    assert state(things) == before
    assert world["things"] is things
    world["x"].grad, world["y"].grad = 0.0, 1.0
    world["y"]._backward()  # and it still does what it did
    assert state(things) != before


def test_random_numbers_of_the_system_have_no_state():
    x, y = value_class(tuple)(3.0), value_class(tuple)(9.0)
    source = random.SystemRandom()
    y._prev = (x,)

    def rule():
        source.random()
        x.grad += 6.0 * y.grad

    y._backward = rule
    assert [edge.slope for edge in gg.graph(y).edges] == [6.0]


@pytest.mark.parametrize("counter", [count(), count(-3), count(2, 5), count(1.5), count(2j, 1)])
def test_a_counter_goes_on_where_another_stands(counter):
    other = again(counter)
    assert other is not counter
    assert [next(other), next(other)] == [next(counter), next(counter)]


def test_a_large_list_is_as_long_as_before():
    seen = list(range(100_000))
    x, y = value_class(tuple)(3.0), value_class(tuple)(9.0)
    y._prev = (x,)

    def rule():
        seen.append(1)
        x.grad += 6.0 * y.grad

    y._backward = rule
    gg.graph(y)
    assert len(seen) == 100_000


@pytest.mark.parametrize("name", ["__class__", "__dict__", "__getattribute__"])
def test_what_a_rule_mentions_is_not_asked_anything(name):
    """A proxy outside of its context, say, raises whenever it is asked what it stands for."""

    def ask(*_):
        raise RuntimeError("outside of its context")

    kind = type("Proxy", (), {name: ask if name == "__getattribute__" else property(ask)})
    proxy, x, y = kind(), value_class(tuple)(3.0), value_class(tuple)(9.0)
    y._prev = (x,)

    def rule():
        mentioned = proxy  # noqa: F841
        x.grad += 6.0 * y.grad

    y._backward = rule
    graph = gg.graph(y)
    assert [edge.slope for edge in graph.edges] == [6.0]
    assert not graph.findings
    gg.check(y)


def test_a_cached_function_is_called_as_it_is():
    x, y = value_class(tuple)(3.0), value_class(tuple)(9.0)
    y._prev = (x,)

    @functools.lru_cache
    def twice(number: float) -> float:
        return 2.0 * number

    def rule():
        x.grad += twice(3.0) * y.grad

    y._backward = rule
    graph = gg.graph(y)
    assert [edge.slope for edge in graph.edges] == [6.0]
    assert not graph.findings
