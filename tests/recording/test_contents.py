"""What a model or a list holds is found without asking it anything."""

import weakref

from glassgrad.engine.value import Value
from glassgrad.recording.contents import MOST, contents


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


def test_a_shell_is_not_searched():
    from IPython.core.interactiveshell import InteractiveShell

    looked = []
    shell = InteractiveShell()
    contents([shell.run_cell, shell, {"a": 1}], lambda item: looked.append(item) or False)
    assert len(looked) == 2
