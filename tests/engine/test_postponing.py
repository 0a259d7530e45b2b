"""Full collections wait while Values are made, no longer than they may, and for nothing else.

Each test runs in a process of its own: how often the collector runs depends on the whole heap.
"""

import subprocess
import sys
import textwrap

import pytest

PROLOGUE = """
import gc, weakref
from glassgrad import Value, postpone_gc
gc.set_threshold(700, 10, 10)  # versions of Python begin with others
gc.collect()
full = []
gc.callbacks.insert(0, lambda phase, info: full.append(info) if info["generation"] == 2 else None)

class Cycle:
    def __init__(self):
        self.me = self

def chain(length):
    x = Value(1.0)
    for _ in range(length):
        x = x * 1.0001 + 0.001
    return x
"""


def said(program: str) -> list[str]:
    """Run a program after the prologue; return the words that it prints."""
    source = PROLOGUE + textwrap.dedent(program)
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, check=True
    )
    assert not done.stderr
    return done.stdout.split()


def test_building_a_graph_runs_few_full_collections():
    program = "{}; graph = chain(300_000); print(len(full) // 2)"
    (waiting,), (as_ever,) = (
        said(program.format("pass")),
        said(program.format("postpone_gc(False)")),
    )
    assert int(as_ever) >= 3 * int(waiting) > 0


def test_objects_that_are_being_made_are_let_be():
    program = """
        graph = [tuple(chain(1) for _ in range(60)) for _ in range(10_000)]
        print(gc.get_threshold()[2] > 2**30, {len(made) for made in graph})
    """
    assert said(program) == ["True", "{60}"]


def test_other_threads_can_go_on_making_objects():
    program = """
        import threading
        done, problems = [], []

        def work():
            try:
                while not done:
                    tuple(i for i in range(500))  # refuses to grow while another holds it
            except SystemError as problem:
                problems.append(problem)

        threads = [threading.Thread(target=work) for _ in range(2)]
        for thread in threads:
            thread.start()
        chain(300_000)
        done.append(True)
        for thread in threads:
            thread.join()
        print(len(problems))
    """
    assert said(program) == ["0"]


def test_gc_collect_is_a_real_collection_meanwhile():
    program = """
        graph = chain(100_000)
        dead = weakref.ref(Cycle())
        waiting = gc.get_threshold()[2] > 2**30
        gc.collect()
        print(waiting, dead() is None)
    """
    assert said(program) == ["True", "True"]


def test_a_full_collection_comes_when_the_heap_has_grown_fourfold():
    program = """
        cycle = Cycle()
        dead = weakref.ref(cycle)
        gc.collect()  # now it is an old object, and only a full collection finds it
        del cycle
        graph = chain(45_000)  # eleven middle collections: a full one is due, and waits
        before = len(gc.get_objects())
        while dead() is not None:
            graph = graph + 1
        print(len(gc.get_objects()) / before)
    """
    (growth,) = said(program)
    assert 3 < float(growth) < 5


@pytest.mark.parametrize(
    "others",
    [
        pytest.param("graph = [[i] for i in range(300_000)]", id="lists"),
        pytest.param("graph = [Cycle() for i in range(300_000)]", id="cycles"),
        pytest.param(
            """
class Own(Value):
    pass
graph = Own(1.0)
for _ in range(300_000):
    graph = graph + 1
""",
            id="a subclass, whose attributes may be anything",
        ),
        pytest.param(
            """
graph = Value(1.0)
for _ in range(60_000):
    graph = Value(1.0, (graph,), "own")
    def rule(out=graph): pass
    graph._backward = rule
""",
            id="rules of one's own",
        ),
        pytest.param(
            "(Value(2.0) ** 3).backward(create_graph=True); graph = chain(150_000)",
            id="gradients that are Values",
        ),
    ],
)
def test_nothing_waits_for_other_objects(others):
    assert said(f"usual = gc.get_threshold()\n{others}\nprint(gc.get_threshold() == usual)") == [
        "True"
    ]


def test_the_users_threshold_comes_back():
    program = """
        gc.set_threshold(500, 5, 7)
        graph = chain(30_000)
        saved = gc.get_threshold()
        del graph
        gc.set_threshold(*saved)  # as a block of somebody's own would
        lists = [[i] for i in range(20_000)]
        print(saved[2] > 2**30, *gc.get_threshold())
    """
    assert said(program) == ["True", "500", "5", "7"]


def test_the_switch_leaves_nothing_behind():
    program = """
        others = len(gc.callbacks)
        graph = chain(100_000)
        postpone_gc(False)
        off = len(gc.callbacks), *gc.get_threshold()
        postpone_gc(), postpone_gc()
        print(others, *off, len(gc.callbacks))
    """
    assert said(program) == ["2", "1", "700", "10", "10", "2"]
