"""What a model or a list holds is found without asking it anything."""

import textwrap
import weakref

from glassgrad.engine.value import Value
from glassgrad.recording.contents import MOST, contents, rows


def is_value(item):
    return type(item) is Value


def test_values_are_found_at_any_depth_and_once():
    class Slotted:
        __slots__ = ("w",)

    class Model:
        pass

    a, b, c = Value(1.0), Value(2.0), Value(3.0)
    slotted, model = Slotted(), Model()
    slotted.w, model.parts = (a, {"b": b}), [slotted]
    model.own, model.itself = c, model
    found = contents([model, [a]], is_value)
    assert sorted(value.data for value in found) == [1.0, 2.0, 3.0]


def test_no_object_is_asked_anything():
    class Lazy:
        @property
        def __class__(self):
            raise RuntimeError("loaded")

        def __getattr__(self, name):
            raise RuntimeError("loaded")

    class Thing:
        pass

    thing = Thing()
    dead = weakref.proxy(thing)
    del thing
    a = Value(1.0)
    assert contents([[Lazy(), dead, a]], is_value) == [a]


def test_the_search_ends():
    a = Value(1.0)
    assert contents([[a], [[] for _ in range(2 * MOST)]], is_value) in ([], [a])
    assert len(contents([[Value(1.0) for _ in range(2 * MOST)]], is_value)) < MOST


def test_a_shell_is_not_searched():
    from IPython.core.interactiveshell import InteractiveShell

    looked = []
    shell = InteractiveShell()
    contents([shell.run_cell, shell, {"a": 1}], lambda item: looked.append(item) or False)
    assert looked == [{"a": 1}]


def test_what_functions_close_over_and_classes_hold_is_found():
    a, b, c, d = (Value(number) for number in (1.0, 2.0, 3.0, 4.0))
    space = {"a": a, "b": b, "c": c, "d": d, "__name__": "__main__"}
    program = """
    def make(w):
        return lambda x, k=b: x * w * k
    class Model:
        weight = c
        def call(self, x, *, bias=d):
            return x
    f = make(a)
    """
    exec(textwrap.dedent(program), space)
    found = contents([space["f"], space["Model"]().call, space["Model"]], is_value)
    assert sorted(value.data for value in found) == [1.0, 2.0, 3.0, 4.0]
    assert contents([textwrap.dedent], is_value) == []


def test_many_values_of_a_list_are_one_row():
    values = [Value(1.0) for _ in range(100)]
    found = list(rows([values, [None, values[0]]], is_value))
    assert [len(row) for row in found] == [1, 100]


def test_objects_of_a_class_that_is_not_always_a_value_are_asked_each(monkeypatch):
    monkeypatch.setattr("glassgrad.recording.contents.asks_each", lambda kind: kind is Value)
    one, other = Value(1.0), Value(-1.0)
    assert contents([[other, one], [one]], lambda item: is_value(item) and item.data > 0) == [one]
