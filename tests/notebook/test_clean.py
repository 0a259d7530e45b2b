"""Nothing of ours is left behind: no name, no code, no reference."""

import gc
import weakref

from ipywidgets.widgets.widget import Widget


def test_nothing_of_ours_is_left_in_the_users_namespace(run, ip):
    before = set(ip.user_ns)
    run("%%autograd\na = Value(2.0)\nb = a * a\nnames = dir()")
    new = {name for name in set(ip.user_ns) - before if not name.startswith("_")}
    assert new == {"a", "b", "names"}
    assert not any("glassgrad" in name for name in ip.user_ns["names"])


def test_nothing_keeps_the_users_graph(run, ip):
    run("%%autograd\na = Value(2.0)\nb = a * a\nb")
    gone = weakref.ref(ip.user_ns["b"])
    run("%reset -f")
    ip.last_execution_result = None
    gc.collect()
    assert gone() is None


def test_a_thousand_graphs_leave_nothing_behind(run, ip):
    run("a = Value(2.0)\nkept = []")
    for _ in range(3):
        run("%%autograd\nb = a * a\nc = b.tanh()\nc;")
    gone = [weakref.ref(ip.user_ns[name]) for name in "bc"]
    run("del b, c\nNone")
    run("%reset -f out")
    ip.last_execution_result = None
    Widget.close_all()
    gc.collect()
    assert [reference() for reference in gone] == [None, None]


def test_no_function_of_the_cell_stays_changed(run, ip):
    cell = (
        "def f(x):\n    y = x * 2\n    return y + 1\n"
        "class Layer:\n    def __call__(self, x):\n        return x * 3\n"
        "v = Layer()(f(Value(1.0)))"
    )
    run(cell)
    plain = [ip.user_ns["f"].__code__, ip.user_ns["Layer"].__call__.__code__]
    run(f"%%autograd\n{cell}")
    magic = [ip.user_ns["f"].__code__, ip.user_ns["Layer"].__call__.__code__]
    assert [code.co_consts for code in magic] == [code.co_consts for code in plain]
    assert [code.co_code for code in magic] == [code.co_code for code in plain]


def test_a_function_can_be_pickled_by_value_while_its_cell_runs(run):
    import marshal

    ran = run(
        "%%autograd\nimport pickle\ndef f(x):\n    return x * 2\n"
        "consts = pickle.loads(pickle.dumps(f.__code__.co_consts))\nv = f(Value(3.0))"
    )
    assert ran.result.success
    assert marshal.dumps(run("f.__code__").result.result)


def test_generators_of_the_learner_that_outlive_a_cell_are_left_alone(run):
    run(
        "%%autograd\ndef g(x):\n    while True:\n        yield x * 2\n"
        "i = g(Value(2.0))\nv = next(i)"
    )
    assert run("next(i).data").result.result == 4.0


def test_a_generator_that_outlives_its_cell_still_works(run, ip):
    run("%%autograd\na = Value(2.0)\nlater = (a * i for i in range(3))\nb = a * 1")
    assert run("[v.data for v in later]").result.result == [0.0, 2.0, 4.0]
