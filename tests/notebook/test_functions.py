"""Functions of earlier recorded cells: their own lines are shown, and they stay what they were."""

import gc
import inspect
import marshal
import weakref

import pytest

from glassgrad.recording import Recorder

DEFINING = """%%autograd --no-backward
import functools
class Neuron:
    def __init__(self, w):
        self.w = Value(w)
    def __call__(self, x):
        act = self.w * x
        return act.tanh()
    @property
    def cost(self):
        return self.w ** 2
    def __twice(self, x):
        return x * 2
    def twice(self, x):
        return self.__twice(x)
class Wide(Neuron):
    def __call__(self, x):
        h = super().__call__(x)
        return h + 1
def deco(f):
    @functools.wraps(f)
    def wrapper(*args):
        return f(*args)
    return wrapper
@deco
def square(x):
    y = x * x
    return y
shift = lambda v: v + 3
"""


def called(ran):
    return {block["title"]: ran.named(block) for block in ran.code["called"]}


def test_lines_of_a_function_of_an_earlier_cell_stand_below_those_of_the_cell(run):
    run("%%autograd\ndef layer(h, w):\n    n = h * w\n    return n.tanh()")
    ran = run("%%autograd\nw = Value(0.5)\ny = Value(2.0)\nfor _ in range(2):\n    y = layer(y, w)")
    (block,) = ran.code["called"]
    assert (block["title"], block["first"], block["failed"]) == ("layer, cell 2", 2, None)
    assert block["lines"] == ["def layer(h, w):", "    n = h * w", "    return n.tanh()"]
    assert ran.named(block) == {3: [["n"], ["n"]], 4: [["y"], ["y"]]}
    # and the line that calls it owns what it made
    assert ran.named(ran.code)[5] == [["n", "y"], ["n", "y"]]
    assert set(ran.graph["nodes"]["line"]) == {2, 3, 5}


@pytest.mark.parametrize(
    ("call", "title", "lines"),
    [
        ("y = square(a)", "square, cell 2", {27: [["y"]]}),
        ("y = shift(a)", "lambda, cell 2", {29: [["y"]]}),
        ("n = Neuron(2.0)\ny = n(a)", "Neuron.__call__, cell 2", {7: [["act"]], 8: [["y"]]}),
        ("n = Neuron(2.0)\ny = n.cost", "Neuron.cost, cell 2", {11: [["y"]]}),
        ("n = Neuron(2.0)\ny = n.twice(a)", "Neuron.__twice, cell 2", {13: [["y"]]}),
        ("n = Neuron(2.0)\ny = n.twice(a)", "Neuron.twice, cell 2", {15: [["y"]]}),
        ("n = Wide(2.0)\ny = n(a)", "Wide.__call__, cell 2", {18: [["h"]], 19: [["y"]]}),
        ("y = sum(map(shift, [a, a]))", "lambda, cell 2", {29: [["a + 3"], ["a + 3"]]}),
    ],
)
def test_methods_lambdas_and_decorated_functions_show_their_lines_too(run, call, title, lines):
    run(DEFINING)
    ran = run(f"%%autograd\na = Value(2.0)\n{call}")
    shown = called(ran)[title]
    assert {
        line: [[name for name in made if name != "3"] for made in runs]
        for line, runs in shown.items()
    } == lines


def test_a_function_that_calls_another_shows_what_it_was_given(run):
    run(
        "%%autograd\ndef inner(x):\n    return x * x\ndef outer(x):\n    h = inner(x)\n    return h"
    )
    ran = run("%%autograd\ny = outer(Value(2.0))")
    assert called(ran) == {"inner, cell 2": {3: [["y"]]}, "outer, cell 2": {5: [["y"]]}}


def test_a_lambda_of_the_same_cell_shows_its_runs(run):
    ran = run("%%autograd\nf = lambda x: x * 2\ny = Value(1.0)\nfor _ in range(2):\n    y = f(y)")
    assert ran.named(ran.code)[2] == [["y"], ["y"]]
    assert "called" not in ran.code


def test_only_functions_that_made_something_are_shown_and_none_of_cells_without_the_magic(run):
    run("def bare(x):\n    return x * 2")
    run("%%autograd\ndef heard(x):\n    return x * 2\ndef other(x):\n    return x * 3")
    ran = run("%%autograd\na = Value(2.0)\ny = bare(heard(a))")
    assert list(called(ran)) == ["heard, cell 3"]


def test_operators_of_a_value_class_belong_to_the_line_that_computes(run):
    run(
        "%%autograd\nclass Mine(Value):\n    def __add__(self, other):\n"
        "        return super().__add__(other)\n    def double(self):\n        return self * 2"
    )
    ran = run("%%autograd\na = Mine(2.0)\ny = a.double() + a")
    assert list(called(ran)) == ["Mine.double, cell 2"]
    assert ran.places["y"][0] == 3


def test_a_function_that_is_defined_again_shows_its_new_lines(run):
    run("%%autograd\ndef f(x):\n    return x * 2")
    run("%%autograd\n\ndef f(x):\n    return x * 3")
    ran = run("%%autograd\ny = f(Value(2.0))")
    assert list(called(ran)) == ["f, cell 3"]
    assert ran.code["called"][0]["lines"] == ["def f(x):", "    return x * 3"]


def test_what_ran_backward_in_a_function_of_another_cell_is_said_with_its_cell(run):
    run("%%autograd\ndef go(v):\n    v.backward()")
    ran = run("%%autograd\nb = Value(2.0) * 3\ngo(b)")
    assert ran.graph["messages"] == [
        "This cell ran v.backward() (line 3 of cell 2), so backward() was not run again."
    ]


def test_the_line_of_the_function_that_failed_is_marked(run):
    run("%%autograd\ndef f(x):\n    h = x * 2\n    if h.data > 5:\n        h.nothing\n    return h")
    ran = run("%%autograd\na = Value(2.0)\nb = f(a)\nc = f(b)")
    (block,) = ran.code["called"]
    assert (ran.code["failed"], block["failed"]) == (4, 5)
    assert "----> 5     h.nothing" in ran.stdout
    assert "glassgrad/notebook" not in ran.stdout


def test_the_text_shows_them_below_the_cell(run):
    run("%%autograd\ndef layer(h):\n    return h.tanh()")
    (text,) = run("%%autograd --text\ny = layer(Value(0.0))").texts
    assert text.splitlines()[2:] == [
        "layer, cell 2:",
        "2  def layer(h):",
        "3      return h.tanh()     y            data 0   grad 1   dy/d(Value(0.0)) = 1 - y²",
    ]


FUNCTIONS = ("square.__wrapped__", "shift", "Neuron.__call__", "Neuron.cost.fget", "deco")


def test_functions_are_what_they_were_before_and_after_every_cell(run, ip):
    bare = DEFINING.split("\n", 1)[1]
    run("# above\n" + bare)
    plain = [eval(name, ip.user_ns).__code__ for name in FUNCTIONS]
    run(DEFINING)
    first = [eval(name, ip.user_ns).__code__ for name in FUNCTIONS]
    assert [code.co_code for code in first] == [code.co_code for code in plain]
    assert [list(code.co_positions()) for code in first] == [
        list(code.co_positions()) for code in plain
    ]
    run("%%autograd\na = Value(2.0)\ny = shift(square(a)) + Neuron(1.0)(a) + Neuron(1.0).cost")
    again = [eval(name, ip.user_ns).__code__ for name in FUNCTIONS]
    assert all(one is other for one, other in zip(first, again, strict=True))
    assert all(marshal.dumps(code) for code in again)


def test_a_function_can_be_inspected_and_pickled_by_value_while_a_later_cell_runs(run, ip):
    run("%%autograd\nimport inspect, pickle\ndef f(x, *, k=1):\n    return x * k")
    ran = run(
        "%%autograd\ny = f(Value(2.0))\n"
        "seen = inspect.getsource(f), str(inspect.signature(f)), f.__code__.co_varnames\n"
        "consts = pickle.loads(pickle.dumps(f.__code__.co_consts))"
    )
    assert ran.result.success
    seen = inspect.getsource(ip.user_ns["f"]), "(x, *, k=1)", ("x", "k")
    assert ip.user_ns["seen"] == seen
    assert seen[0] == "def f(x, *, k=1):\n    return x * k\n"


def test_what_a_decorator_may_compile_is_left_alone(run, ip):
    cell = (
        "%%autograd\nclass Compiled:\n    def __init__(self, f):\n        self.code = f.__code__\n"
        "        self.f = f\n    def __call__(self, x):\n        self.called = self.f.__code__\n"
        "        return self.f(x)\n"
        "@Compiled\ndef f(x):\n    return x * 2\ny = f(Value(2.0))"
    )
    assert run(cell).result.success
    f = ip.user_ns["f"]
    assert f.code is f.called is f.f.__code__


def test_a_function_whose_code_the_user_exchanges_keeps_what_it_was_given(run, ip):
    run("%%autograd\ndef f(x):\n    return x * 2\ndef g(x):\n    return x * 3")
    run("%%autograd\nf.__code__ = g.__code__.replace()\ny = f(Value(1.0))\ny.data")
    assert run("f(Value(1.0)).data").result.result == 3.0


def test_nothing_keeps_a_function_or_what_it_computed(run, ip):
    run("%%autograd\ndef f(x):\n    h = x * 2\n    return h * h")
    run("%%autograd\ny = f(Value(2.0))\ny;")
    gone = [weakref.ref(ip.user_ns["f"]), weakref.ref(ip.user_ns["y"])]
    run("del f, y\nNone")
    run("%reset -f out")
    ip.last_execution_result = None
    gc.collect()
    assert [reference() for reference in gone] == [None, None]


def test_no_recorder_outlives_its_cell(run, ip):
    def recorders():
        gc.collect()
        return sum(type(item) is Recorder for item in gc.get_objects())

    before = recorders()
    for _ in range(3):
        run(DEFINING + "y = deco(lambda x: x * 2)\n")
        run("%%autograd --no-backward\nz = shift(Value(1.0)) + Neuron(2.0)(Value(3.0))")
    assert recorders() <= before + 1


def test_a_cell_within_a_cell_leaves_the_functions_to_the_outer_one(run, ip):
    run("%%autograd\ndef f(x):\n    return x * 2")
    ran = run(
        "%%autograd --text\nget_ipython().run_cell_magic('autograd', '--text', 'z = f(Value(1.0))')"
        "\ny = f(Value(3.0))\ny;"
    )
    assert ran.result.success
    assert "f, cell 2:" in ran.texts[-1]
    assert all(type(item).__module__ == "builtins" for item in ip.user_ns["f"].__code__.co_consts)


READERS = {
    "compiler": "import numba\nfast = numba.njit(g)\nseen = fast(3.0)",
    "compiler in a function": (
        "import numba\ndef make():\n    return numba.njit(g)\nseen = make()(3.0)"
    ),
    "compiler of an argument": (
        "from numba import njit\ndef speed(f):\n    return njit(f)\nseen = speed(g)(3.0)"
    ),
    "compiler with options": "import numba\nseen = numba.njit(fastmath=True)(g)(3.0)",
    "compiler beside the definition": (
        "if True:\n    from numba import njit\n    def h(x):\n        return x * x\n"
        "    seen = njit(h)(3.0)"
    ),
    "traced by jax": "import jax\nseen = float(jax.jit(g)(3.0))",
    "cached": "import functools\ncached = functools.lru_cache(g)\nseen = cached(3.0), cached(3.0)",
    "source": "import inspect\nseen = inspect.getsource(g)",
    "dis": "import dis\nseen = [i.opname for i in dis.get_instructions(g)]",
    "dis of a method": ("import dis\nseen = [i.opname for i in dis.get_instructions(Box.area)]"),
    "code": "seen = g.__code__.co_consts, g.__code__.co_code",
    "code by its name": "seen = getattr(g, '__code__').co_consts",
    "code in a loop": "seen = []\nfor f in (g, Box.area):\n    seen.append(f.__code__.co_consts)",
    "code in a function of the user's": (
        "def size(f):\n    return f.__code__.co_stacksize\n"
        "seen = size(g), [size(f) for f in (g, Box.area)]"
    ),
    "cloned": (
        "import types\ndef clone(f):\n    return types.FunctionType(f.__code__, globals())\n"
        "seen = clone(g).__code__ is g.__code__, clone(g).__code__.co_names"
    ),
    "dis in a loop": (
        "import dis\nseen = [[i.opname for i in dis.get_instructions(f)] for f in (g, Box.area)]"
    ),
    "pickled with what it calls": (
        "import marshal, types\ndef outer(x):\n    return g(x)\n"
        "seen = marshal.loads(marshal.dumps(outer.__globals__['g'].__code__)) == g.__code__"
    ),
}


@pytest.mark.parametrize("cell", READERS.values(), ids=READERS)
def test_who_reads_a_function_reads_what_was_written(sees_the_same, cell):
    defining = (
        "def g(x):\n    y = x * x\n    return y\n"
        "class Box:\n    def area(self):\n        return self.a * self.b\n"
    )
    sees_the_same(defining, cell)


def test_a_compiler_that_compiles_in_a_later_cell_sees_what_was_written(run, ip):
    run("%%autograd --no-backward\nimport numba\ndef g(x):\n    return x * x\nfast = numba.njit(g)")
    ran = run("%%autograd --no-backward\nseen = fast(3.0)\na = Value(2.0)\ny = g(a)")
    assert ran.result.success, ran.stdout
    assert ip.user_ns["seen"] == 9.0


def test_who_only_calls_a_function_has_its_lines_heard(run):
    run("%%autograd --no-backward\nimport functools\ndef g(x):\n    return x * x")
    ran = run(
        "%%autograd\ndef twice(f, x):\n    return f(f(x))\ncached = functools.lru_cache(g)\n"
        "y = twice(cached, Value(2.0)) + functools.reduce(lambda a, f: f(a), [g], Value(3.0))"
    )
    assert len(called(ran)["g, cell 2"][4]) == 3


def test_what_is_handed_over_is_asked_nothing(run):
    run(
        "import weakref\nclass Lazy:\n    @property\n    def __class__(self):\n"
        "        raise RuntimeError('loaded')\nclass Thing:\n    pass\n"
        "thing, lazy = Thing(), Lazy()\ndead = weakref.proxy(thing)\ndel thing"
    )
    run("%%autograd --no-backward\ndef g(x):\n    return x * x")
    ran = run(
        "%%autograd\nseen = [id(dead), id(lazy), (lambda *_: 1)(dead, lazy)]\ny = g(Value(2.0))"
    )
    assert ran.result.success, ran.stdout
    assert list(called(ran)) == ["g, cell 3"]
