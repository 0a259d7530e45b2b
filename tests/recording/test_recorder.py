"""The recorder knows values by identity, and keeps none of them alive."""

import gc
import sys
import threading
import weakref

import pytest

from glassgrad.engine.value import Value
from glassgrad.recording import Recorder, Site
from glassgrad.recording.ear import LONGEST
from glassgrad.recording.recorder import PRUNE_AT
from glassgrad.recording.sites import cut


@pytest.fixture
def recorder():
    sites = [Site(1, 0, 1, 5), Site(1, 0, 1, 5, "v", "bound"), Site(1, 0, 1, 5, "", "seen")]
    return Recorder("a * b", sites, lambda value: hasattr(value, "data"))


def test_values_are_not_kept_alive(recorder):
    value = recorder.heard(0, Value(1.0))
    recorder.named(1, value)
    gone = weakref.ref(value)
    del value
    gc.collect()
    assert gone() is None
    assert recorder.latest() == {}


def test_a_new_object_at_an_old_address_is_not_taken_for_it(recorder):
    addresses = set()
    for _ in range(100):
        value = Value(1.0)
        if id(value) in addresses:
            assert recorder.origin(value) is None
        addresses.add(id(recorder.heard(0, value)))
    assert len(addresses) < 100


def test_memory_of_a_long_loop_stays_small(recorder):
    for _ in range(3 * PRUNE_AT):
        recorder.heard(0, Value(1.0))
    assert len(recorder._heard) <= PRUNE_AT + 1


def test_a_class_without_weak_references_is_held_until_the_end(recorder):
    class Slotted:
        __slots__ = ("data",)

        def __init__(self):
            self.data = 1.0

    def alive():
        gc.collect()
        return sum(type(item) is Slotted for item in gc.get_objects())  # a proxy may be dead

    recorder.heard(0, Slotted())
    assert alive() == 1
    recorder.close()
    assert alive() == 0


def test_a_closed_recorder_passes_values_through(recorder):
    value = Value(1.0)
    recorder.close()
    assert recorder.heard(0, value) is recorder.heard(2, value) is recorder.named(1, value) is value
    assert recorder.origin(value) is None
    assert not recorder.is_value(value)


def test_a_class_is_asked_once():
    asked = []
    recorder = Recorder("", [Site(1, 0, 1, 0)], lambda value: asked.append(value) or False)
    for number in (1, 2, 3):
        recorder.heard(0, number)
    assert asked == [1]


def test_no_object_of_the_users_can_break_the_recording(recorder):
    class Unhashable(type):
        __hash__ = None

    class Odd(metaclass=Unhashable):
        pass

    class Raising:
        @property
        def data(self):
            raise RuntimeError("not yet")

        def __eq__(self, other):
            raise RuntimeError("not comparable")

        __hash__ = None

    for value in (Odd(), Raising()):
        assert recorder.heard(0, value) is value
        assert recorder.origin(value) is None


def test_names_that_appeared_unheard_are_caught_up_with(recorder):
    old, new = Value(1.0), Value(2.0)
    recorder.catch_up({"a": id(old)}, {"a": old, "b": new, "_": new, "n": 3}, 7)
    assert recorder.latest() == {"b": new}
    assert (recorder.origin(new).line, recorder.origin(new).text) == (7, None)


def test_columns_are_characters_and_text_is_one_line():
    lines = ["s = 'é' + x * (", "    ü", "  )"]
    assert cut(lines, Site(1, 11, 3, 3)) == (10, "x * ( ü )")
    assert cut(lines, Site(9, 0, 9, 4)) == (0, "")


def test_what_was_there_before_is_told_apart():
    recorder = Recorder("", [], lambda value: isinstance(value, Value))
    old = Value(1.0)
    old.grad = 3.0
    identities = recorder.meet({"a": old, "b": old, "_": Value(2.0), "n": 3}, lambda v: v.grad)
    assert identities["a"] == id(old)
    assert recorder.met(old) == ("a", 3.0)
    assert recorder.met(Value(1.0)) is None


def test_threads_are_heard_beside_each_other(recorder):
    a, failed = Value(1.0), []

    def work(site):
        try:
            for _ in range(20_000):
                last = recorder.heard(site, a * 2.0)
                recorder.named(site, 3.0)
            assert recorder.origin(last).line == 1
        except Exception as error:
            failed.append(error)

    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work, args=(0,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(usual)
    assert failed == []


def test_code_that_runs_waits_for_no_other_thread(recorder):
    begun, over = threading.Event(), threading.Event()

    def answer(_value):
        begun.set()
        assert over.wait(60)
        return True

    recorder.heard(0, Value(1.0))
    recorder.met = answer  # asked while what was heard is sorted
    thread = threading.Thread(target=recorder.understand)
    thread.start()
    assert begun.wait(60)
    a = Value(2.0)
    for _ in range(LONGEST):
        recorder.heard(0, a)
    assert len(recorder.log) == 2 * LONGEST
    over.set()
    thread.join()
    assert recorder.origin(a).line == 1
    assert recorder.log == []
