"""A definition's syntax tree in, the same definition of which a recorder is told out.

A recorder, or what stands in its place, hears of each function that is defined, of what decorators
made of it, and of each function that is an argument: whoever is handed one may read its code, so it
is told what is called as well. The bodies of functions stay as they are.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, TypeAlias, TypeVar

from glassgrad.recording.sites import How, Site
from glassgrad.recording.syntax import is_arithmetic, is_operation, span

PLACEHOLDER = "\0the glassgrad recorder\0"
"""The constant that `connect` exchanges; no text that somebody types holds a zero character."""

Defined: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

_Node = TypeVar("_Node", bound=ast.AST)
_LOCATION = ("lineno", "col_offset", "end_lineno", "end_col_offset")


class Definitions(ast.NodeTransformer):
    """Rewrites definitions, and the arguments that are functions.

    Attributes
    ----------
    sites : list of Site
        The places that the rewritten code refers to by their index.
    functions : dict
        The functions and lambdas that it defines, by the index of their sites.
    """

    def __init__(self) -> None:
        self.sites: list[Site] = []
        self.functions: dict[int, Defined | ast.Lambda] = {}
        self._within = False
        self._in_class = False
        self._local: frozenset[str] = frozenset()

    def visit_FunctionDef(self, node: Defined) -> ast.stmt | list[ast.stmt]:
        """Listen to the defaults of a function, and note that it is there, if it is no rule."""
        if self._in_class or (self._within and "backw" in node.name):
            return node
        told = self._defined(node)
        self._define(node, told)
        return [node, told]

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt | list[ast.stmt]:
        """Note the methods of a class; of a Value class not those that make a Value themselves."""
        if self._in_class:
            return node
        told = self._defined(node)
        self._define_methods(node, told)
        return [node, told]

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        """Note a lambda on its way."""
        if self._in_class:
            return node
        call = self._tell("lambda_", node, how="told")
        self.functions[len(self.sites) - 1] = node
        return call

    def _define_methods(self, owner: ast.ClassDef, told: ast.Expr) -> None:
        for item in owner.body:
            if isinstance(item, ast.ClassDef):
                self._define_methods(item, told)
            elif isinstance(item, Defined) and not (
                is_arithmetic(owner) and is_operation(item, owner.name)
            ):
                self._define(item, told)

    def _define(self, node: Defined, told: ast.Expr) -> None:
        """Give a function one more decorator, the first to be called: the recorder."""
        head = located(node, ast.Name(node.name, ast.Load()))
        call = self._tell("defining", head, node.name, "told")
        assert isinstance(told.value, ast.Call)
        call.args[1] = told.value.args[0]
        node.decorator_list.append(call)
        self.functions[len(self.sites) - 1] = node
        node.args.defaults = [self.visit(default) for default in node.args.defaults]
        node.args.kw_defaults = [d and self.visit(d) for d in node.args.kw_defaults]

    def _defined(self, node: Defined | ast.ClassDef) -> ast.Expr:
        """Return a statement that tells what has become of a function or a class."""
        name = located(node, ast.Name(node.name, ast.Load()))
        return located(node, ast.Expr(self._tell("defined", name, how="told")))

    # Functions that are handed over

    def _is_function(self, node: ast.expr) -> bool:
        is_local = isinstance(node, ast.Name) and node.id in self._local
        return not self._in_class and (is_local or isinstance(node, ast.Lambda))

    def _callee(self, node: ast.Call) -> int:
        """Have a call tell what it is that is called; return the number of the place."""
        node.func = self._tell("callee", node.func, how="told")
        return len(self.sites) - 1

    def _argument(self, node: ast.expr, call: int) -> ast.expr:
        """Tell of a function that is an argument, and to which call."""
        if not self._is_function(node):
            argument: ast.expr = self.visit(node)
            return argument
        told = self._tell("argument", node, how="told")
        told.args.append(located(node, ast.Constant(call)))
        if isinstance(node, ast.Lambda):
            self.functions[len(self.sites) - 1] = node
        return told

    def _tell(self, method: str, node: ast.expr, name: str = "", how: How = "made") -> ast.Call:
        """Return a call that hands a value to the recorder, and gives it back."""
        place = span(node)
        self.sites.append(Site(*place, name, how))
        at: dict[str, Any] = dict(zip(_LOCATION, place, strict=True))
        function = ast.Attribute(ast.Constant(PLACEHOLDER, **at), method, ast.Load(), **at)
        return ast.Call(function, [ast.Constant(len(self.sites) - 1, **at), node], [], **at)


def functions_of(function: Defined) -> Iterator[str]:
    """Return the names that stand for functions which a function defines."""
    for node in ast.walk(function):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda()):
                yield name


def located(place: ast.AST, node: _Node) -> _Node:
    """Return a node with the location of another."""
    return ast.copy_location(node, place)
