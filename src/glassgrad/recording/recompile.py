"""A function in, the same function with a recorder listening to its body out.

Its source is looked up, rewritten as a cell's is, and compiled with the names and the line numbers
it had; what it closes over stays the cells that it had. Where there is no source, or where it is
not the function's own, nobody listens and the function runs as it is.
"""

from __future__ import annotations
import __future__

import ast
import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from operator import or_
from types import CodeType, FunctionType
from typing import Any, TypeAlias

from glassgrad.recording.instrument import Instrumenter, connect
from glassgrad.recording.sites import Site
from glassgrad.recording.syntax import functions_in, is_deep

Function: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda"

_FUTURE = functools.reduce(
    or_, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
)
"""The flags of code that ``from __future__ import ...`` sets."""

_LOCALS = "<locals>"


@dataclass(frozen=True)
class Recompiled:
    """A function whose body can be listened to.

    Parameters
    ----------
    code : code
        With the placeholder of a recorder.
    closure : tuple
        The cells that it closes over.
    sites : list of Site
        The places that it mentions.
    lines : list of str
        Its source, as it stands in its file.
    first : int
        The number of the first of these lines.
    functions : dict
        The functions that it defines, by the index of their sites.
    """

    code: CodeType
    closure: tuple[Any, ...]
    sites: list[Site]
    lines: list[str]
    first: int
    functions: dict[int, Function]

    @property
    def source(self) -> str:
        """The source with empty lines above, so that line numbers fit."""
        return "\n" * (self.first - 1) + "\n".join(self.lines)

    def function(self, original: FunctionType, recorder: object) -> Callable[..., Any]:
        """Return a function that does what the original does, and tells the recorder."""
        made = FunctionType(
            connect(self.code, recorder),
            original.__globals__,
            original.__name__,
            original.__defaults__,
            self.closure,
        )
        made.__kwdefaults__ = original.__kwdefaults__
        return made


def recompile(function: object) -> Recompiled | None:
    """Return what is needed to listen to a function, or None where that cannot be.

    Parameters
    ----------
    function : object
        Whatever was decorated.

    Examples
    --------
    >>> recompile(len) is None
    True
    """
    if not isinstance(function, FunctionType):
        return None
    try:
        lines, first = inspect.getsourcelines(function.__code__)
        node = _definition("".join(lines), first)
    except (OSError, TypeError, SyntaxError):
        return None
    if node is None or node.name != function.__name__ or is_deep(node):
        return None
    instrumenter = Instrumenter()
    code = _compiled(instrumenter.body(node), function.__code__)
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    if code is None or not set(code.co_freevars) <= set(cells):
        return None
    closure = tuple(cells[name] for name in code.co_freevars)
    texts = [line.rstrip("\n") for line in lines]
    return Recompiled(code, closure, instrumenter.sites, texts, first, instrumenter.functions)


def listening(node: Function, plain: CodeType) -> tuple[CodeType | None, Instrumenter]:
    """Return code of a function that listens to itself, and the instrumenter that knows its places.

    Parameters
    ----------
    node : ast.FunctionDef, ast.AsyncFunctionDef or ast.Lambda
        The function, as it stands in a cell. It is changed in place.
    plain : code
        The code that it has.

    Returns
    -------
    code : code or None
        None where nothing is to be heard. The functions that it defines have the code that they
        have in `plain`, the very objects.
    instrumenter : Instrumenter
        Its sites, and the functions that it defines.

    Examples
    --------
    >>> square = lambda x: x * x
    >>> tree = ast.parse("lambda x: x * x", mode="eval").body
    >>> code, told = listening(tree, square.__code__)
    >>> code.co_qualname, [(site.column, site.how) for site in told.sites]
    ('<lambda>', [(10, 'within')])
    """
    if isinstance(node, ast.Lambda):
        result = ast.copy_location(ast.Return(node.body), node.body)
        named = ast.FunctionDef("<lambda>", node.args, [result], [])
        node = ast.copy_location(named, node)
    instrumenter = Instrumenter()
    heard = instrumenter.inner(node)
    return (_compiled(heard, plain) if instrumenter.sites else None), instrumenter


def _compiled(node: ast.FunctionDef | ast.AsyncFunctionDef, plain: CodeType) -> CodeType | None:
    """Compile a function as it was compiled where it stands."""
    tree = _around(node, plain)
    flags = plain.co_flags & _FUTURE
    code = _find(compile(tree, plain.co_filename, "exec", flags, dont_inherit=True), node.name)
    return code and _at_home(code, plain)


def _at_home(code: CodeType, plain: CodeType) -> CodeType:
    """Return code with the qualified name of a plain one, and with the code of what it defines."""
    own = {inner: inner for inner in functions_in(plain)}
    around = code.co_qualname

    def moved(item: CodeType) -> CodeType:
        name = old = item.co_qualname
        if name.startswith(around):
            name = plain.co_qualname + name.removeprefix(around)
        consts = tuple(moved(c) if isinstance(c, CodeType) else c for c in item.co_consts)
        if not item.co_flags & inspect.CO_OPTIMIZED:  # the body of a class says what it is called
            consts = tuple(name if c == old else c for c in consts)
        item = item.replace(co_qualname=name, co_consts=consts)
        return own.get(item, item)

    return moved(code)


def _definition(source: str, first: int) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """Parse a function where it stands: indented, with the line numbers of its file."""
    indented = source[:1].isspace()
    tree = ast.parse(f"if 1:\n{source}" if indented else source)
    statement = tree.body[0]
    if indented and isinstance(statement, ast.If):
        statement = statement.body[0]
    ast.increment_lineno(tree, first - (2 if indented else 1))
    return statement if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) else None


def _around(function: ast.FunctionDef | ast.AsyncFunctionDef, plain: CodeType) -> ast.Module:
    """Return a module in which the function closes over the names that it closed over.

    And in a class of the name that it has, for the sake of ``self.__private``.
    """
    function.args.defaults = [ast.Constant(None) for _ in function.args.defaults]
    function.args.kw_defaults = [d and ast.Constant(None) for d in function.args.kw_defaults]
    function.returns = None
    for argument in ast.walk(function.args):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    body: list[ast.stmt] = [function]
    owner = _class_of(plain.co_qualname)
    if owner:
        body = [ast.ClassDef(owner, [], [], body, [])]
    if plain.co_freevars:
        tree = ast.parse(f"def around({', '.join(plain.co_freevars)}): pass")
        around = tree.body[0]
        assert isinstance(around, ast.FunctionDef)
        around.name, around.body = "<around>", body
        body = [around]
    return ast.fix_missing_locations(ast.Module(body, []))


def _class_of(qualified: str) -> str:
    """Return the innermost class around a function, or ``""``.

    Examples
    --------
    >>> [_class_of(name) for name in ("f", "A.f", "f.<locals>.A.g", "A.f.<locals>.g")]
    ['', 'A', 'A', 'A']
    """
    parts = qualified.split(".")
    following = pairwise(parts)
    classes = [part for part, inner in following if _LOCALS not in (part, inner)]
    return classes[-1] if classes else ""


def _find(code: CodeType, name: str) -> CodeType | None:
    found = (inner for inner in functions_in(code) if inner.co_name == name)
    return next((inner for inner in found if inner.co_flags & inspect.CO_OPTIMIZED), None)
