"""Cells that warn, or end with an exception, in every way that Python and IPython know."""

FAILING = {
    "error": "x = 1\nmissing + x",
    "error in a function": "def f(x):\n    return x / 0\n\ny = f(1)\nz = 2",
    "error on a long line": "x = (1 +\n     len(3))",
    "error in a library": "import json\njson.loads('{')",
    "chained errors": "try:\n    1 / 0\nexcept Exception as e:\n    raise KeyError(1) from e",
    "error in a lambda": "f = lambda x: 1 / x\nf(0)",
    "error of ours": "x = Value('2')",
    "syntax error": "x = 1\ny = x *",
    "syntax error later": "x = 1\nprint('a')\nif x\n    y = 1",
    "indentation error": "x = 1\n  y = 2",
    "return outside": "x = 1\nreturn x",
    "syntax error at run time": "x = 1\nexec('1 +')",
    "import of nothing": "import nowhere_at_all",
    "interrupt": "x = 1\nraise KeyboardInterrupt",
    "exit": "import sys\nx = 1\nsys.exit(3)",
    "exception group": "raise ExceptionGroup('two', [ValueError(1), KeyError(2)])",
    "assertion": "x = 1\nassert x == 2, 'no'",
    "own exception": "class E(Exception):\n    def __str__(self):\n        return 'mine'\nraise E",
    "unknown magic": "x = 1\n%nothing_of_this_name",
    # warnings and errors
    "warning": "import warnings\nx = 1\nwarnings.warn('careful')\nx",
    "warning in a function": """
import warnings
def f():
    warnings.warn('deep', UserWarning, stacklevel=2)

f()
'after'""",
    "deprecation": """
import warnings
def old():
    warnings.warn('old', DeprecationWarning, stacklevel=2)
old()""",
    "syntax warning": "x = 1\nx is 1",
    "formatted traceback": """
import traceback
def f(): raise ValueError('inner')
try:
    f()
except ValueError:
    _lines = traceback.format_exc().splitlines()
len(_lines), _lines[-1]""",
    "line numbers": """
import sys
def at(): return sys._getframe(1).f_lineno
a = at()

b = at() - a
del a
b""",
    "signal": "import os, signal, time\nx = 1\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(60)",
    "interrupt in a function": "def f():\n    raise KeyboardInterrupt('mine')\nx = 1\nf()\nx = 2",
    "exit with a text": "import sys\nprint('bye')\nsys.exit('reason')",
    "error in a class": "class A:\n    x = 1\n    y = x / 0",
    "error in a comprehension": "v = [1, 0]\n[1 / x for x in v]",
    "error in a generator": "def g():\n    yield 1\n    raise LookupError('gone')\nlist(g())",
    "error in a method": """
class A:
    def f(self, x):
        y = x + 1
        return y.nothing
A().f(1)""",
    "error in an f-string": "x = {}\nf'{x[1]}'",
    "error with a note": "e = ValueError('v')\ne.add_note('remember')\nraise e",
    "error from none": "try:\n    {}[1]\nexcept KeyError:\n    raise TypeError('plain') from None",
    "error of a few lines": "raise ValueError('one\\ntwo\\nthree')",
    "error in exec": "x = 1\nexec('y = x / 0')",
    "error in a with": """
from contextlib import contextmanager
@contextmanager
def c():
    yield
with c():
    x = 1
    x.nothing
""",
    "unbalanced": "x = [1, 2\ny = 3",
    "unterminated string": "x = 'abc\ny = 1",
    "break outside": "x = 1\nbreak",
    "await in a function": "x = 1\ndef f():\n    await x",
    "bad escape": "x = 1\n'\\N{NO SUCH NAME}'",
    "a second cell magic": "x = 1\n%%nothing_of_this_name",
}

BELOW_A_LINE = {"error in a class", "error in a comprehension"}
"""Where IPython shows rows of a nested scope as if the cell began with it; then the number of lines
above makes a difference, and the bare cell gets a comment in the magic's place."""
