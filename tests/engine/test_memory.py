"""The collector is paused where it has nothing to do, and left as it was found."""

import gc

import pytest

from glassgrad.engine.memory import pause_gc


@pytest.fixture(autouse=True)
def _collector():
    gc.enable()
    yield
    gc.enable()


def test_it_is_off_inside_and_on_afterwards():
    with pause_gc():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_blocks_may_be_nested():
    with pause_gc():
        with pause_gc():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_who_has_switched_it_off_finds_it_off():
    gc.disable()
    with pause_gc():
        gc.enable()
    assert not gc.isenabled()


def test_an_exception_leaves_it_as_it_was():
    with pytest.raises(KeyError), pause_gc():
        raise KeyError("mine")
    assert gc.isenabled()


def test_it_decorates_functions():
    @pause_gc()
    def enabled() -> bool:
        return gc.isenabled()

    assert [enabled(), enabled(), gc.isenabled()] == [False, False, True]
