"""Cells of every form, for the test that runs each of them twice: bare, and under the magic."""

from .failing_cells import FAILING

_CELLS = {
    "print": "print('out')\nimport sys\nprint('err', file=sys.stderr)",
    "value": "a, b = Value(2.0), Value(-3.0)\nc = a * b + a",
    "last expression": "a = 3\na * 2",
    "semicolon": "a = 3\na * 2;",
    "semicolon and comment": "a = 3\na * 2;  # quiet",
    "none": "a = 3\nNone",
    "assignments": "a = b = 1; c: int = 2; [d, *e] = 1, 2, 3; (f := 4); c += a",
    "loops": "t = 0\nfor i in range(3):\n    t += i\nelse:\n    t *= 2\nwhile t > 1: t -= 1\nt",
    "comprehensions": "[x * y for x in range(2) for y in (1, 2) if x], {k: -k for k in (1, 2)}",
    "generator": "def g():\n    yield from (1, 2)\nsum(g()) + sum(x for x in g())",
    "decorator and class": "import functools\n@functools.cache\ndef f(x):\n    return x\n"
    "class A:\n    y = f(2)\n    def m(self):\n        return self.y\nA().m()",
    "super and lambda": "class A:\n    def m(self, f): return f(2)\nclass B(A):\n"
    "    def m(self, f): return super().m(lambda v: f(v) * 10)\nB().m(lambda v: v + 1)",
    "metaclass that looks": "class M(type):\n    def __new__(m, n, b, d, **k):\n"
    "        d['own'] = sorted(x for x in d if not x.startswith('__'))\n"
    "        return super().__new__(m, n, b, d)\nclass A(metaclass=M):\n    z = len('abc')\n"
    "    def f(self): return self.z + 1\nA.own, A().f()",
    "functions of themselves": "Y = lambda f: (lambda x: x(x))(lambda y: f(lambda v: y(y)(v)))\n"
    "Y(lambda s: lambda n: 1 if n < 2 else n * s(n - 1))(6)",
    "error in a lambda over lines": "def apply(f, x):\n    return f(x)\napply(lambda v:\n"
    "        v / 0,\n      1)",
    "class body": "from enum import Enum, auto\nclass E(Enum):\n    A = auto()\n    B = auto()\n"
    "class C:\n    'doc'\n    __slots__ = ('x',)\n    n: int = abs(-2)\n    n += 1\n"
    "    __p = n * 2\n    q, *r = [v for v in range(3)]\n    names = sorted(locals())\n"
    "    class D:\n        if (w := len('ab')) > 1: w = -w\n"
    "C.__doc__, C.n, C._C__p, C.r, C.names, C.D.w, E.B, list(C.__annotations__)",
    "match": "match {'a': 1}:\n    case {'a': x} if x + 0:\n        r = -x\nr",
    "with and try": "import io\nwith io.StringIO() as s:\n    s.write('x')\ntry:\n    1 / 0\n"
    "except ZeroDivisionError:\n    r = 'caught'\nfinally:\n    q = 1\nr",
    "f-string": "x = 2\nf'{x * 3:>{x + 2}} {x!r}'",
    "docstring": "'''about'''\nx = 1",
    "annotations": "from __future__ import annotations\ndef f(x: nowhere): pass\nf.__annotations__",
    "global and del": "def f():\n    global z\n    z = 1\nf()\nw = 2\ndel w\nz",
    "unicode and tabs": "π = 3\nif π:\n\tπ = π * \\\n\t\t2\n'ü', π",
    "display": "display('one')\ndisplay({'text/plain': 'two'}, raw=True)\n'three'",
    "shell": "!echo hi\nx = !echo there\nx",
    "magic inside": "%env GLASSGRAD_TEST=1\nimport os\nos.environ.pop('GLASSGRAD_TEST')",
    "indented": "    x = 1\n    x + 1",
    "only a comment": "# nothing",
    "underscore": "1 + 1\n_ = 5\n_ + 1",
    # assignments of every form
    "starred": "first, *rest = range(4)\n(*most, last) = 'abc'\n[p, [q]] = 1, [2]\nrest, most, q",
    "walrus": "if (n := len('abc')) > 2 and (m := n * 2):\n    pass\n[k := 1, k + 1], n, m",
    "augmented": "a = [1]; b = a; b += [2]; c = 2; c **= 3; c //= 3; c <<= 2; c ^= 1\na, c",
    "annotated": "x: int\ny: 'list[int]' = [1]\n(z): float = 2.0\nsorted(__annotations__)",
    "attribute": "class A: pass\nv = A(); v.x = 1; v.x += 2; v.y = w = v.x\nv.x, v.y, w",
    "subscript": "d = {}; d['a'], d['b'] = 1, [1, 2]; d['b'][0] += 5; d['b'][1:] = (7, 8)\nd",
    "chained": "a = b = c = []\na.append(1)\nb is c, c",
    "swap": "a, b = 1, 2\na, b = b, a\na, b",
    # loops and blocks
    "for else": "for i in range(3):\n    if i == 5: break\nelse:\n    r = 'all'\nr, i",
    "for break": """
for i in range(9):
    if i % 2: continue
    if i > 3: break
else:
    r = 1
i""",
    "while else": "n = 3\nwhile n:\n    n -= 1\nelse:\n    n = 'done'\nn",
    "nested loops": """
t = []
for i in range(2):
    for j in range(2):
        t.append((i, j))
t""",
    "loop target": """
d = {}
for d['k'] in (1, 2): pass
for (a, *b), c in [((1, 2), 3)]: pass
d, b, c""",
    "try finally": """
log = []
try:
    try:
        1 / 0
    finally:
        log.append('f')
except ZeroDivisionError as e:
    log.append(str(e))
else:
    log.append('no')
log, 'e' in dir()""",
    "try star": """
try:
    raise ExceptionGroup('g', [ValueError(1), KeyError(2)])
except* ValueError as e:
    a = e.exceptions
except* KeyError as e:
    b = len(e.exceptions)
b""",
    "with several": """
from contextlib import nullcontext as n
with n(1) as a, n([2, 3]) as (b, c):
    d = a + b
with (n(5) as e, n()): pass
d, c, e""",
    "with that swallows": """
from contextlib import suppress
with suppress(KeyError):
    {}['x']
'on'""",
    "match many": """
def f(v):
    match v:
        case 0 | 1: return 'small'
        case [x, *_]: return x
        case {'k': k, **rest}: return k, rest
        case str() as s if s: return s
        case _: return None
[f(v) for v in (1, [2, 3], {'k': 1, 'l': 2}, 'q', 3.5)]""",
    "assert passes": "assert True, 'never'\nassert 1 < 2 < 3\n'fine'",
    "pass": "if False: pass\nelse: ...\n...",
    # functions and classes
    "lambda": """
f = lambda x, *a, k=2: x * k + len(a)
sorted([3, 1], key=lambda v: v), f(1, 2, k=3)""",
    "closure": """
def outer():
    n = 0
    def inner():
        nonlocal n
        n += 1
        return n
    return inner
g = outer()
g(), g()""",
    "a function's own code": """
def f(x):
    '''doc'''
    y = x * 2
    return y + 1
c = f.__code__
r = f(1), f.__doc__, c.co_varnames, c.co_name, c.co_firstlineno > 0
del c
r""",
    "signature": """
import inspect
def f(a, /, b: int = 2, *c, d=3, **e) -> str: return str(a)
inspect.signature(f), f.__defaults__, inspect.getsource(f)""",
    "recursion": "def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)\nfib(10)",
    "too much recursion": """
def f(n): return f(n + 1) + 1
try:
    f(0)
except RecursionError as e:
    r = type(e).__name__
r""",
    "generator protocol": """
def g():
    got = yield 1
    try:
        yield got * 2
    finally:
        print('closed')
i = g()
r = next(i), i.send(4)
i.close()
r""",
    "generator expression": "squares = (x * x for x in range(4))\nnext(squares)\nlist(squares)",
    "yield from": """
def a():
    r = yield from b()
    yield r
def b():
    yield 1
    return 2
list(a())""",
    "descriptors": """
class A:
    @property
    def p(self): return 3
    @staticmethod
    def s(x): return x + 1
    @classmethod
    def c(cls): return cls.__name__
A().p, A.s(1), A.c()""",
    "super and private": """
class A:
    def f(self): return 1
class B(A):
    def f(self): return super().f() + 1
    def __private(self): return 5
    def g(self): return self.__private()
B().f(), B().g()""",
    "dataclass": """
from dataclasses import dataclass
@dataclass
class P:
    x: int
    y: float = 2.0
    def total(self): return self.x + self.y
P(1), P(1).total()""",
    "enum": """
from enum import Enum
class C(Enum):
    A = 1
    B = 2
    def f(self): return self.value * 2
list(C), C.B.f()""",
    "metaclass": """
class M(type):
    def __new__(m, n, b, d, **k): return super().__new__(m, n, b, d)
class A(metaclass=M, flag=1):
    x = [i for i in range(3)]
A.x, type(A).__name__""",
    "slots": """
class S:
    __slots__ = ('a',)
    def set(self, v):
        self.a = v + 1
s = S()
s.set(2)
s.a""",
    "decorator of ones own": """
def twice(f):
    def g(*a): return f(*a) * 2
    return g
@twice
def h(x): return x + 1
h(3)""",
    "pickle": "import pickle\ndef f(x): return x + 1\npickle.loads(pickle.dumps(f)) is f",
    # waiting
    "await": """
import asyncio
async def f(x):
    await asyncio.sleep(0)
    return x + 1
r = await f(1)
await f(r)""",
    "await and semicolon": "import asyncio\nawait asyncio.sleep(0, 'quiet');",
    "async for and with": """
class A:
    async def __aenter__(self): return 5
    async def __aexit__(self, *e): print('out')
async def g():
    for i in range(3): yield i
async with A() as a:
    pass
t = 0
async for i in g():
    t += i
else:
    t *= 10
[i async for i in g()], t, a""",
    "await gathers": """
import asyncio
async def f(x):
    await asyncio.sleep(0)
    print(x)
    return x
await asyncio.gather(*(f(i) for i in range(3)))""",
    "await fails": """
import asyncio
async def f():
    await asyncio.sleep(0)
    return 1 / 0
x = 1
await f()
y = 2""",
    "syntax error and await": "import asyncio\nawait asyncio.sleep(0)\nx = (",
    "running loop": """
import asyncio
async def f(): return 3
t = asyncio.ensure_future(f())
r = await t
del t
r""",
    # what IPython adds
    "line magic": "%pwd\nx = %who_ls str\nlen(x)",
    "timeit": "x = 2\nq = %timeit -n1 -r1 -q -o x * 2\ntype(q).__name__",
    "system": "files = !printf 'a\\nb'\n!printf '%s' {len(files)}\nfiles",
    "help": "x = 3\nx?",
    "percent": "n = 7\nn %3\nn % 4, '%d' % n",
    "capture": """
from IPython.utils.capture import capture_output as c
with c() as o:
    print('in')
o.stdout""",
    "html": "from IPython.display import HTML\ndisplay(HTML('<b>x</b>'))\nHTML('<i>y</i>')",
    "display handle": "h = display('one', display_id='glassgrad-twin')\nh.update('two')\nNone",
    "clear output": """
from IPython.display import clear_output
print('x')
clear_output()
print('y')""",
    "repr raises": """
class R:
    def __repr__(self): raise ValueError('no repr')
r = str(R)
r[:6]""",
    "display hook": "import sys\ntype(sys.displayhook).__name__, sys.ps1",
    "out": "41 + 1\nlen(Out) >= 0, 'In' in globals()",
    "underscores": "_ is None, __ is None",
    # how it is written
    "trailing comment": "x = 1  # one\nx + 1  # two; not quiet",
    "semicolons": "a = 1; b = 2; a + b",
    "string with semicolon": "x = 'a;'\nx",
    "continuation": "x = 1 + \\\n    2 + \\\n    3\ny = [\n  1,\n\n  2,\n]\nx, y",
    "tabs": "if 1:\n\tx = 1\n\tif x:\n\t\ty = 2\ny",
    "unicode": "naïve = 'é'\nΔ = {naïve: 'ü'}\nprint('日本', Δ)\nΔ[naïve] * 2",
    "raw and bytes": "r'\\n', b'\\x00', '\\N{BULLET}', rb'\\d', '''a\nb'''",
    "docstring alone": "'''only this'''",
    "conversions": "x = 1.5\nf'{x!r} {x=} {x:>8.2f}' f'{[f\"{i}\" for i in range(2)]}'",
    "dunder names": "__name__, __doc__ is None or isinstance(__doc__, str)",
    "del and rebind": """
x = 1
del x
try:
    x
except NameError as e:
    r = str(e)
x = 2
r, x""",
    "global": """
def f():
    global made_here
    made_here = 1
    made_here += 1
f()
made_here""",
    "star import": "from math import *\nfloor(pi)",
    "import as": """
import os.path as p, json
from collections import OrderedDict as O
p.sep, O(a=1)""",
    "list that tells when it is asked": """
class Told(list):
    def __iter__(self):
        print('asked')
        return super().__iter__()
class Kept(dict):
    def values(self):
        print('asked for values')
        return super().values()
def size(f):
    return getattr(f, '__code__', 0)
told = Told([1, 2])
kept = Kept(a=1)
size(told), size(kept)
print([*told], kept)
kept
told""",
    "exec and eval": "exec('q = 1\\nr = q + 1')\neval('q + r'), locals() is globals()",
}

CELLS = {name: cell.lstrip("\n") for name, cell in (_CELLS | FAILING).items()}
"""By name; `IPython` drops the empty lines at the top of a cell, and so do we."""

PREPARED = {
    "transformer of somebody else": (
        """
import ast
class _Doubles(ast.NodeTransformer):
    def visit_Constant(self, node):
        return ast.copy_location(ast.Constant(42), node) if node.value == 21 else node
get_ipython().ast_transformers.append(_Doubles())""",
        "x = 21\nx, get_ipython().ast_transformers.clear()",
    ),
    "input transformer of somebody else": (
        """
def _shout(lines): return [line.replace('SHOUT', 'print') for line in lines]
get_ipython().input_transformers_cleanup.append(_shout)""",
        "SHOUT('hi')\nx = 1\nget_ipython().input_transformers_cleanup.remove(_shout)",
    ),
    "autoreload": (
        """
import sys, pathlib, tempfile
_folder = pathlib.Path(tempfile.mkdtemp())
(_folder / 'twin_module.py').write_text('def f(): return 1')
sys.path.insert(0, str(_folder)); sys.modules.pop('twin_module', None)
sys.dont_write_bytecode = True
%load_ext autoreload
%autoreload 2
import twin_module as _module
(_folder / 'twin_module.py').write_text('def f(): return 2 + 2  # longer')""",
        "r = _module.f()\n%autoreload 0\nr",
    ),
    "interactivity all": (
        "get_ipython().ast_node_interactivity = 'all'",
        "1\nx = 2\nx + 1\nget_ipython().ast_node_interactivity = 'last_expr'",
    ),
    "a hook that prints": (
        """
def _hook(*_): print('ran')
get_ipython().events.register('post_execute', _hook)""",
        "x = 1\nget_ipython().events.unregister('post_execute', _hook)",
    ),
    "an exception handler": (
        """
def _handle(ip, kind, error, tb, tb_offset=None): print('handled', kind.__name__, error)
get_ipython().set_custom_exc((ValueError,), _handle)""",
        "x = 1\nraise ValueError('v')",
    ),
    "a variable of the session": ("seed = [1, 2]", "seed.append(3)\nseed"),
}
"""What has to be there first, and the cell."""

CALLED = {
    "value": ("def f(x):\n    y = x * x\n    return y + 1", "f(f(Value(2.0)))"),
    "numbers": ("def f(x, *a, k=2, **o):\n    x += k\n    return x, a, o", "f(1, 3, z=4), f(2)"),
    "error": ("def f(x):\n    h = x * 2\n    return h.nothing", "f(3)"),
    "error in a method": (
        "class A:\n    def __call__(self, x):\n        return (x +\n            self.missing)",
        "a = A()\na(1)",
    ),
    "error in a lambda": ("f = lambda x: 1 / x\ng = [lambda: f(0)]", "g[0]()"),
    "generator": ("def g(n):\n    for i in range(n):\n        yield i * i", "it = g(4)\nlist(it)"),
    "await": (
        "import asyncio\nasync def f(x):\n    await asyncio.sleep(0)\n    return x * 2",
        "await asyncio.gather(f(1), f(2))",
    ),
    "closure": (
        "def make(k):\n    def f(x):\n        nonlocal k\n        k += x * 2\n        return k\n"
        "    return f\nf = make(1)",
        "f(1), f(2), make(3)(4)",
    ),
    "class in a closure": (
        "def make(n):\n    class C:\n        def m(self):\n            class D(C):\n"
        "                k = n * 2\n                def d(self): return n\n            return D\n"
        "    return C",
        "D = make(3)().m()\nD, D.__qualname__, D.d.__qualname__, D().d(), D.k, D.__mro__",
    ),
    "super and private": (
        "class A:\n    def f(self): return self.__g() + 1\n    def __g(self): return 2\n"
        "class B(A):\n    __k = 5\n    def f(self): return super().f() * self.__k",
        "B().f(), B.f.__qualname__",
    ),
    "static, class and property": (
        "class A:\n    k = 3\n    @staticmethod\n    def s(x): return x + 1\n    @classmethod\n"
        "    def c(cls): return cls.k * 2\n    @property\n    def p(self): return -self.k",
        "A.s(1), A.c(), A().p",
    ),
    "cached": (
        "import functools\n@functools.cache\ndef f(x):\n    print('once')\n    return x * 2",
        "f(2), f(2), f.cache_info()",
    ),
    "dataclass": (
        "from dataclasses import dataclass\n@dataclass(slots=True)\nclass P:\n    x: int = 1\n"
        "    def double(self): return self.x * 2",
        "p = P(4)\np, p.double(), P.double.__code__.co_name",
    ),
    "warning": (
        "import warnings\ndef f():\n    x = 1 + len('a')\n    warnings.warn('mind')\n    return x",
        "f()",
    ),
    "inspection": (
        "import inspect\ndef f(x):\n    'About.'\n    return len(x) * 2",
        "inspect.getsource(f), f.__doc__, f.__code__.co_varnames, f.__code__.co_firstlineno > 0",
    ),
    "defined again": ("def f(): return 1 + len('a')", "def f(): return 5 + len('b')\nf()"),
    "recursion": ("def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)", "fib(12)"),
    "too much recursion": (
        "def f(n):\n    return f(n + 1)",
        "try:\n    f(0)\nexcept RecursionError as e:\n    print(type(e))",
    ),
    "pickle": ("import pickle\ndef f(x): return x + 1", "pickle.loads(pickle.dumps(f)) is f"),
    "equal code": (
        "import copy\ndef f(x): return abs(x) + 1\ng = copy.copy(f)",
        "f is g, f.__code__ == g.__code__, f.__code__ is f.__code__",
    ),
    "functions in functions": (
        "def make(k):\n    class A:\n        def m(self, x=k): return abs(x) + k\n"
        "    def f(x):\n        g = lambda y: y * k\n        return g(x) + A().m()\n    return f\n"
        "f = make(2)",
        "f(3), make(4)(1), f.__qualname__, f.__code__ is make(1).__code__, f.__code__.co_qualname",
    ),
    "lambdas in calls": (
        "import functools\ndef key(f, *a): return f(*a)\n",
        "key(lambda v, *, k=2: v * k, 3), sorted('ba', key=lambda c: ord(c) * -1), "
        "functools.reduce(lambda p, q: p * q, [1, 2, 3]), (lambda f: f(f))(lambda f: id(f) > 0)",
    ),
    "error in a closure": (
        "def make():\n    def f(x):\n        return 1 / x\n    return f",
        "make()(0)",
    ),
    "error in a lambda of a call": ("x = 0", "list(map(lambda v: v / x, [1]))"),
    "decorator in a function": (
        "import functools\ndef f(x):\n    @functools.cache\n    def g(y):\n        return y * 2\n"
        "    return g(x) + g(x), g.cache_info()",
        "f(2)",
    ),
    "default": ("def f(x, y=[1, 2], *, z=abs(-3)): return x + sum(y) + z", "f(1), f.__defaults__"),
}
"""What a first cell defines, and a second one calls."""
