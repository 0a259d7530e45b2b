"""A statement in, the functions out that it hands to something that may read their code.

A compiler such as ``numba.njit``, ``dis`` and what pickles by value look at a function's code, at
once or when it is first called. They have to see what was written, so whoever is not known to only
call a function gets it as it is. Nothing of the user's runs here: attributes are looked up, not
asked for, and what cannot be found counts as unknown.
"""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import sys
from collections.abc import Container, Iterable, Iterator, Mapping
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    MethodDescriptorType,
    MethodType,
    ModuleType,
)
from typing import NamedTuple, TypeGuard, TypeVar

from glassgrad.recording.syntax import functions_in

READERS = frozenset(
    {"cloudpickle", "dask", "dill", "dis", "inspect", "jax", "joblib", "line_profiler", "marshal"}
    | {"multiprocess", "numba", "pickletools", "ray", "taichi", "tensorflow", "torch", "triton"}
)
"""Packages whose functions read code, also when they are called from within a function."""

CODE = "__code__"
"""The attribute that holds a function's code: whoever asks for it reads."""

CALLERS = frozenset(
    {"IPython", "autograd", "glassgrad", "ipywidgets", "matplotlib", "micrograd", "more_itertools"}
    | {"numpy", "scipy", "toolz", "tqdm", "traitlets"}
)
"""Packages that are known to only call what they are handed, as the standard library is.

Some of them count or name a function's arguments; those are the same in code that listens.
"""

_T = TypeVar("_T")

_STANDARD = sys.stdlib_module_names - {"__main__"}
_FOREIGN = ("site-packages", "dist-packages")
_UNKNOWN = object()


class Given(NamedTuple):
    """What a statement gives to something that may read code."""

    functions: set[FunctionType]
    defined: set[tuple[str, int]]
    """The name and the first line of functions that it defines itself."""

    unseen: bool
    """Whether a reader is handed something of which nobody can tell what it is."""


def handed(statement: ast.stmt, variables: Mapping[str, object]) -> Given:
    r"""Return the functions that a statement gives to something that may read their code.

    Parameters
    ----------
    statement : ast.stmt
        It runs next.
    variables : mapping
        The variables that it sees.

    Examples
    --------
    >>> space = {"__name__": "__main__"}
    >>> exec("import dis\ndef f(x): return x", space)
    >>> [
    ...     [function.__name__ for function in handed(ast.parse(text).body[0], space).functions]
    ...     for text in ("dis.dis(f)", "list(map(f, [1]))", "f.__code__")
    ... ]
    [['f'], [], ['f']]
    """
    given: set[FunctionType] = set()
    unseen = False
    nodes = list(ast.walk(statement))
    defined = {node.name: _key(node) for node in nodes if _is_definition(node)}
    own = {_key(node) for node in nodes if _is_compiled(node, variables)} if defined else set()
    bound = frozenset(_bound(statement))
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr == CODE:
            given.update(_functions(_resolve(node.value, variables)))
            unseen = unseen or _may_hide(node.value, bound)
        if not isinstance(node, ast.Call):
            continue
        callee = _resolve(node.func, variables)
        arguments = [*_leaves([*node.args, *(keyword.value for keyword in node.keywords)])]
        items = [_resolve(argument, variables) for argument in arguments]
        # as in map(numba.njit, [f]), and getattr(f, "__code__")
        passes = any(map(_is_reader, items)) or any(map(_is_code, arguments))
        if only_calls(callee) and not passes:
            continue
        given.update(function for called in _functions(callee) for function in _named(called))
        given.update(function for item in items for function in _functions(item))
        own |= {
            defined[argument.id]
            for argument in arguments
            if isinstance(argument, ast.Name) and argument.id in defined
        }
        if any(_may_hide(argument, bound) for argument in arguments):
            first = _resolve(_called(node.func), variables)
            unseen = unseen or passes or _is_reader(first)
    return Given(_with_named(given), own, unseen)


def _is_definition(node: ast.AST) -> TypeGuard[ast.FunctionDef | ast.AsyncFunctionDef]:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def _is_compiled(
    node: ast.AST, variables: Mapping[str, object]
) -> TypeGuard[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Whether a function has a decorator that may read its code."""
    for mark in node.decorator_list if _is_definition(node) else ():
        decorator = _resolve(_called(mark), variables)
        if decorator is not _UNKNOWN and not only_calls(decorator):
            return True
    return False


def _key(node: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[str, int]:
    return node.name, min([node.lineno, *(mark.lineno for mark in node.decorator_list)])


def _called(node: ast.expr) -> ast.expr:
    """Return what is called first: ``numba.jit`` of ``numba.jit(parallel=True)(f)``."""
    while isinstance(node, ast.Call):
        node = node.func
    return node


def _is_reader(thing: object) -> bool:
    """Whether something that can be called is known to read code."""
    thing = innermost(thing)
    if not issubclass(type(thing), (FunctionType, BuiltinFunctionType, type)):
        return False
    return _package(thing) in READERS or any(map(_reads, _functions(thing)))


def _leaves(nodes: Iterable[ast.expr]) -> Iterator[ast.expr]:
    """Return expressions, and in the place of lists and tuples what stands in them."""
    for node in nodes:
        if isinstance(node, ast.List | ast.Tuple):
            yield from _leaves(node.elts)
        else:
            yield from _leaves([node.value]) if isinstance(node, ast.Starred) else [node]


def _bound(statement: ast.AST) -> Iterator[str]:
    """Return the names that a statement binds itself: they stand for something else before it."""
    waiting = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        if not (_is_definition(node) or isinstance(node, ast.Lambda)):  # what runs later
            waiting.extend(ast.iter_child_nodes(node))


def _is_code(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == CODE


def _may_hide(node: ast.expr, bound: Container[str]) -> bool:
    """Whether an expression may give a function that nobody can look up beforehand."""
    if isinstance(node, ast.Name):
        return node.id in bound
    return isinstance(node, ast.Call | ast.Subscript | ast.Lambda | ast.IfExp | ast.BoolOp)


def only_calls(thing: object) -> bool:
    """Whether something is known to call what it is handed, and to do nothing else with it.

    Examples
    --------
    >>> import dis
    >>> only_calls(map), only_calls([].append), only_calls(dis.dis), only_calls(dis)
    (True, True, False, False)
    """
    thing = innermost(thing)
    package = _package(thing)
    if thing is _UNKNOWN or package in READERS:
        return False
    if package in CALLERS or package in _STANDARD:
        return True
    return not _is_foreign(package) and not any(map(_reads, _functions(thing)))


@functools.cache
def _is_foreign(package: str) -> bool:
    """Whether a package is installed, and not the user's own, as what runs first always is."""
    if package == "__main__":  # started with ``-m``, its file is that of an installed package
        return False
    file = getattr(sys.modules.get(package), "__file__", None) or ""
    return any(folder in file for folder in _FOREIGN)


def is_users(package: object) -> bool:
    """Whether a package or module is the user's own: neither installed, nor of Python, nor ours.

    Parameters
    ----------
    package : object
        Its name, or what stands where a name should.
    """
    if not _is(package, str):
        return False
    first = package.partition(".")[0]
    return first not in CALLERS and first not in _STANDARD and not _is_foreign(first)


def _is_users(thing: object) -> TypeGuard[FunctionType]:
    return _is(thing, FunctionType) and is_users(_package(thing))


def _is(thing: object, kind: type[_T]) -> TypeGuard[_T]:
    """As isinstance, which asks an object for its class where that may be anything."""
    return issubclass(type(thing), kind)


def innermost(thing: object) -> object:
    """Return the function behind a method or a partial call of it."""
    while True:
        if _is(thing, MethodType):
            thing = thing.__func__
        elif _is(thing, functools.partial):
            thing = thing.func
        else:
            return thing


def _package(thing: object) -> str:
    """Return the first part of the name of the module that something comes from."""
    if _is(thing, ModuleType):
        return thing.__name__.partition(".")[0]
    if _is(thing, BuiltinFunctionType) and thing.__self__ is not None:
        bound: object = thing.__self__
        return _package(bound if _is(bound, ModuleType) or _is(bound, type) else type(bound))
    if _is(thing, MethodDescriptorType):
        thing = thing.__objclass__
    has_own = _is(thing, type) or _is(thing, FunctionType) or _is(thing, BuiltinFunctionType)
    name = getattr(thing if has_own else type(thing), "__module__", None)
    return name.partition(".")[0] if isinstance(name, str) else ""


def _resolve(node: ast.expr, variables: Mapping[str, object]) -> object:
    """Return what ``a`` or ``a.b.c`` stands for."""
    if isinstance(node, ast.Name):
        return variables.get(node.id, vars(builtins).get(node.id, _UNKNOWN))
    if not isinstance(node, ast.Attribute):
        return _UNKNOWN
    owner = _resolve(node.value, variables)
    if owner is _UNKNOWN:
        return _UNKNOWN
    if _is(owner, ModuleType):
        return vars(owner).get(node.attr, _UNKNOWN)
    found: object = inspect.getattr_static(owner, node.attr, _UNKNOWN)
    return found if _is(found, property) else _plain(found)


def _functions(thing: object) -> Iterator[FunctionType]:
    """Return the functions of something that was handed over: its own, or those of its class."""
    thing = innermost(thing)
    if _is(thing, FunctionType):
        yield from filter(_is_users, [thing])
    elif _is(thing, list):
        yield from filter(_is_users, list.__iter__(thing))  # its own way to iterate is not asked
    elif _is(thing, tuple):
        yield from filter(_is_users, tuple.__iter__(thing))
    else:
        kind = thing if _is(thing, type) else type(thing)
        for owner in kind.__mro__:
            yield from filter(_is_users, map(_plain, vars(owner).values()))


def _plain(item: object) -> object:
    """Return the function behind what a class holds."""
    if _is(item, staticmethod) or _is(item, classmethod):
        function: object = item.__func__
        return function
    return item.fget if _is(item, property) else item


def _names(code: CodeType) -> set[str]:
    """Return the names that some code and what it defines mention."""
    return {name for inner in (code, *functions_in(code)) for name in inner.co_names}


def _named(function: FunctionType) -> Iterator[FunctionType]:
    """Return the functions that a function mentions by their global names."""
    yield from filter(_is_users, map(function.__globals__.get, _names(function.__code__)))


def _with_named(functions: Iterable[FunctionType]) -> set[FunctionType]:
    """Return functions with those that they mention, at any depth: a pickle takes them along."""
    found: set[FunctionType] = set()
    waiting = list(functions)
    while waiting:
        function = waiting.pop()
        if function not in found:
            found.add(function)
            waiting.extend(_named(function))
    return found


def _reads(function: FunctionType) -> bool:
    return reads(function.__code__, function.__globals__)


def reads(code: CodeType, variables: Mapping[str, object]) -> bool:
    """Whether some code, or a function that it calls by its name, mentions a reader of code.

    Examples
    --------
    >>> import inspect
    >>> reads((lambda f: inspect.signature(f)).__code__, {}), reads((lambda f: f(1)).__code__, {})
    (True, False)
    """
    waiting = [(code, variables)]
    seen = set()
    while waiting:
        code, variables = waiting.pop()
        if id(code) in seen:
            continue
        seen.add(id(code))
        for name in _names(code):
            item = variables.get(name)
            if name in READERS or name == CODE or (item is not None and _package(item) in READERS):
                return True
            if _is_users(item):
                waiting.append((item.__code__, item.__globals__))
    return False
