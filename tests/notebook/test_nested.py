"""Functions in functions, lambdas in calls, methods: their own lines, and their own code."""

import gc
import sys
import types
import weakref

import pytest

FACTORY = """%%autograd --no-backward
def make(k):
    def scale(v):
        t = v * k
        return t.tanh()
    return scale
f = make(3)
"""


def called(ran):
    return {block["title"]: ran.named(block) for block in ran.code["called"]}


def test_a_function_in_a_function_shows_its_lines(run):
    ran = run(
        "%%autograd\ndef outer(x):\n    def inner(v):\n        w = v * v\n        return -w\n"
        "    return inner(x)\na = Value(2.0)\ny = outer(a)"
    )
    named = ran.named(ran.code)
    assert (named[4], named[5], named[6], named[8]) == ([["w"]], [["y"]], [["y"]], [["w", "y"]])


def test_a_closure_of_an_earlier_cell_shows_its_lines_among_those_of_its_factory(run):
    run(FACTORY)
    ran = run("%%autograd\na = Value(1.0)\ny = f(f(a))")
    (block,) = ran.code["called"]
    assert (block["title"], block["first"], len(block["lines"])) == ("make, cell 2", 2, 5)
    assert [len(runs) for runs in ran.named(block).values()] == [2, 2]
    assert ran.named(block)[5] == [["f(a)"], ["y"]]


def test_a_closure_that_a_later_cell_makes_shows_its_lines_too(run):
    run(FACTORY)
    ran = run("%%autograd\ny = make(2)(Value(1.0))")
    assert called(ran)["make, cell 2"][5] == [["y"]]


@pytest.mark.parametrize(
    ("call", "line"),
    [
        ("y = sum(map(lambda v: v * v, [a, b]), Value(0.0))", [["a * a"], ["b * b"]]),
        ("y = functools.reduce(lambda p, q: p * q, [a, b, b])", [["a * b"], ["y"]]),
        ("y = twice(lambda v: v.tanh(), a)", [["twice.h"], ["y"]]),
        ("y = (lambda v: v * v)(b)", [["y"]]),
        ("y = Box(lambda v: v * v).apply(b)", [["y"]]),
        ("y = list(pool.map(lambda v: v * v, [b]))[0]", [["y"]]),
        ("y = np.vectorize(lambda v: v * v, otypes=[object])([b])[0]", [["y"]]),
        ("y = defaultdict(factory=lambda: b)['k'] * (lambda v: v + v)(b)", [["b + b"]]),
    ],
)
def test_a_lambda_in_a_call_shows_its_runs(run, call, line):
    run(
        "import functools\nimport numpy as np\n"
        "from concurrent.futures import ThreadPoolExecutor\npool = ThreadPoolExecutor(1)\n"
        "from collections import defaultdict as dictionary\n"
        "def defaultdict(factory): return dictionary(factory)\n"
        "def twice(f, x): return f(f(x))\n"
        "class Box:\n    def __init__(self, f): self.f = f\n"
        "    def apply(self, x): return self.f(x)"
    )
    ran = run(f"%%autograd\na, b = Value(2.0), Value(3.0)\n{call}")
    run("pool.shutdown()")
    runs = ran.named(ran.code)[3]
    assert len(runs) == len(line)
    assert [made[-1] for made in runs][-1] in (line[-1][-1], "y")


def test_what_a_lambda_calls_belongs_to_the_run_of_the_lambda(run):
    run("%%autograd --no-backward\ndef score(x):\n    z = x * 2\n    return z.tanh()")
    ran = run(
        "%%autograd\nvalues = [Value(1.0), Value(2.0)]\n"
        "loss = sum(map(lambda v: score(v) * v, values), Value(0.0))"
    )
    first, second = ran.named(ran.code)[3]
    assert [names.count("z") for names in (first, second)] == [1, 1]
    assert first[-1] == second[-1] == "loss"


def test_a_lambda_that_is_kept_is_a_block_of_its_own_in_a_later_cell(run):
    run(
        "%%autograd --no-backward\nclass Box:\n    def __init__(self, f): self.f = f\n"
        "    def __call__(self, x): return self.f(x)\nbox = Box(lambda v: v.tanh())"
    )
    ran = run("%%autograd\ny = box(Value(1.0))")
    assert called(ran) == {"Box.__call__, cell 2": {4: [["y"]]}, "lambda, cell 2": {5: [["y"]]}}


def test_a_decorators_own_function_shows_its_lines(run):
    run(
        "%%autograd --no-backward\nimport functools\ndef double(f):\n    @functools.wraps(f)\n"
        "    def wrapper(x):\n        return f(x) * 2\n    return wrapper\n"
        "@double\ndef g(x):\n    return x * x"
    )
    ran = run("%%autograd\ny = g(Value(3.0))")
    shown = called(ran)
    assert shown["double, cell 2"][6][0][-1] == "y"
    assert list(shown["g, cell 2"]) == [10]


def test_classes_in_classes_and_in_functions_show_their_methods(run):
    run(
        "%%autograd --no-backward\nclass Outer:\n    class Inner:\n        def act(self, x):\n"
        "            return x.tanh()\ndef make():\n    class Local:\n        def act(self, x):\n"
        "            return x.exp()\n    return Local()\nlocal = make()"
    )
    ran = run("%%autograd\na = Value(1.0)\ny = Outer.Inner().act(a) + local.act(a)")
    assert [list(lines) for lines in called(ran).values()] == [[5], [9]]
    assert list(called(ran)) == ["Outer.Inner.act, cell 2", "make, cell 2"]


MINE = """%%autograd --no-backward
class Mine(Value):
    def __add__(self, other):
        return super().__add__(other)
    def triple(self):
        out = Mine(3 * self.data, (self,), "triple")
        def _backward():
            self.grad += 3 * out.grad
        out._backward = _backward
        return out
    def square(self):
        s = self * self
        return s
    @property
    def sigmoid(self):
        return Value(1.0) / ((-self).exp() + 1)
"""


def test_of_a_value_class_only_what_is_made_of_other_operations_shows_its_lines(run):
    run(MINE)
    ran = run("%%autograd\na = Mine(2.0)\ny = a.square() + a.triple() + a.sigmoid")
    assert list(called(ran)) == ["Mine.square, cell 2", "Mine.sigmoid, cell 2"]
    assert [list(lines) for lines in called(ran).values()] == [[12], [16]]
    assert {line for line, _ in ran.places.values()} <= {2, 3}


def test_a_rule_of_a_value_class_is_no_function_that_listens(run, ip):
    run(MINE)
    run("%%autograd\na = Mine(2.0)\nb = a.triple()\nplain = b._backward.__code__.co_consts\nb;")
    assert not any(type(item).__module__.startswith("glassgrad") for item in ip.user_ns["plain"])


def test_functions_in_functions_are_what_they_were_once_the_cell_is_over(run, ip):
    cell = (
        "class A:\n    def m(self):\n        def inner(x):\n"
        "            return (lambda v: v * v)(x)\n        return inner\n"
        "def outer(k):\n    global there\n    def there(x):\n"
        "        return [x * i for i in range(k)]\n    return there\n"
        "f, g = A().m(), outer(2)\nh = list(map(lambda v: v + v, [1]))\nf(2), g(3)"
    )
    run(cell)
    bare = [(ip.user_ns[name].__code__, ip.user_ns[name].__qualname__) for name in "fg"]
    run(f"%%autograd --no-backward\n{cell}")
    for again in ("f(Value(1.0))\ng(Value(1.0))", "f, g = A().m(), outer(2)\nf(2), g(3)"):
        run(f"%%autograd --no-backward\n{again}")
        magic = [(ip.user_ns[name].__code__, ip.user_ns[name].__qualname__) for name in "fg"]
        assert [name for _, name in magic] == [name for _, name in bare]
        assert [code.co_code for code, _ in magic] == [code.co_code for code, _ in bare]
        assert [code.co_qualname for code, _ in magic] == [code.co_qualname for code, _ in bare]
        assert magic[0][0] in ip.user_ns["A"].m.__code__.co_consts
        assert any(magic[1][0] is item for item in ip.user_ns["outer"].__code__.co_consts)


def test_nothing_keeps_a_closure_or_what_it_closes_over(run, ip):
    run(FACTORY + "g = make(Value(2.0))\nlast = g(Value(1.0))")
    gone = [weakref.ref(ip.user_ns[name]) for name in ("f", "g", "last")]
    run("del f, g, last\nNone")
    run("%reset -f out")
    ip.last_execution_result = None
    gc.collect()
    assert [reference() for reference in gone] == [None] * 3


def test_more_closures_than_anybody_reads_are_left_alone(run, ip):
    from glassgrad.recording import functions

    run(FACTORY)
    ran = run(
        f"%%autograd\nmany = [make(i) for i in range({functions.MOST + 10})]\ny = f(Value(1.0))"
    )
    assert called(ran)["make, cell 2"][5] == [["y"]]
    assert run("many[-1](Value(1.0)).data").result.success


@pytest.fixture
def peeking():
    """An installed package that nobody knows, and that keeps the code of what it is handed."""
    module = types.ModuleType("peeking")
    module.__file__ = "/usr/lib/python3/site-packages/peeking.py"
    exec("def peek(f):\n    return f.__code__", vars(module))
    sys.modules["peeking"] = module
    yield
    del sys.modules["peeking"]


READERS = {
    "compiler of a lambda": "import numba\nseen = numba.njit(lambda x: x * x)(3.0)",
    "compiler of a closure": "import numba\nseen = numba.njit(make())(3.0)",
    "compiler of an item": "import numba\nfs = [g]\nseen = numba.njit(fs[0])(3.0)",
    "compiler in a function": (
        "import numba\ndef outer(x):\n    def inner(v):\n        return v * v\n"
        "    fast = numba.njit(inner)\n    return fast(x)\nseen = outer(3.0)"
    ),
    "compiler as a decorator in a function": (
        "from numba import njit\ndef outer(x):\n    @njit\n    def inner(v):\n"
        "        return v * v\n    return inner(x)\nseen = outer(3.0)"
    ),
    "compiler that is handed over itself": (
        "import numba\nsquare, closure = map(numba.njit, [g, make()])\n"
        "seen = square(3.0), closure(2.0), (lambda tool, f: tool(f)(2.0))(numba.njit, g)"
    ),
    "compiled method": (
        "import numba\nclass A:\n    @staticmethod\n    @numba.njit(fastmath=True)\n"
        "    def f(x):\n        return x * x\nclass B:\n    def f(self, x):\n        return x\n"
        "seen = A.f(3.0), B().f(2)"
    ),
    "compiled and cached": (
        "import functools\nfrom numba import njit\n@functools.cache\n@njit\ndef f(x):\n"
        "    return x * x\nseen = f(3.0)"
    ),
    "compiled by the user's decorator": (
        "from numba import njit\ndef fast(f):\n    g = njit(f)\n    def wrapper(x):\n"
        "        return g(x)\n    return wrapper\n@fast\ndef f(x):\n    return x * x\nseen = f(3.0)"
    ),
    "compiled method in a function": (
        "def make():\n    from numba import njit\n    class A:\n        @staticmethod\n"
        "        @njit\n        def f(x):\n            return x * x\n    return A\n"
        "seen = make().f(3.0)"
    ),
    "traced by jax": "import jax\nseen = float(jax.jit(lambda v: v * v)(3.0))",
    "dis of a closure": "import dis\nseen = [i.opname for i in dis.get_instructions(make())]",
    "code of a closure": "seen = make().__code__.co_consts, make().__code__.co_code",
    "unknown package": "import peeking\nseen = peeking.peek(lambda v: v * v).co_code",
    "unknown package in a function": (
        "import peeking\ndef outer():\n    def inner(v):\n        return v * v\n"
        "    f = lambda v: v * v\n"
        "    return [peeking.peek(inner).co_code, peeking.peek(f).co_code]\nseen = outer()"
    ),
    "unknown package that is handed a lambda in a function": (
        "import peeking\ndef outer():\n    return peeking.peek(f=lambda v: v * v).co_code\n"
        "seen = outer()"
    ),
}


@pytest.mark.usefixtures("peeking")
@pytest.mark.parametrize("cell", READERS.values(), ids=READERS)
def test_who_reads_a_function_without_a_name_reads_what_was_written(sees_the_same, cell):
    defining = (
        "def g(x):\n    return x * x\n"
        "def make():\n    def h(x):\n        return x * x\n    return h"
    )
    sees_the_same(defining, cell)


def test_numbers_that_a_reader_is_handed_hide_no_function(run):
    run("%%autograd --no-backward\nimport jax\ndef f(x):\n    return x * x")
    ran = run("%%autograd\na = Value(2.0)\nb = a * float(jax.numpy.abs(-f(a).data)) + f(a)")
    assert list(called(ran)) == ["f, cell 2"]
