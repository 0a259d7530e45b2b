"""Where in the user's source: the line of a rule, of a ``return``, of a driver's loop.

In flow functions of the user's; out flow `Place`s.  The lines come from ``linecache``, which knows
files, notebook cells and whatever else was compiled with its text at hand.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from types import CodeType, FunctionType, MethodType
from typing import TypeAlias

from glassgrad.checks.report import NOWHERE, Place

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_LONGEST = 88  # characters of a quoted line


class Written:
    """One function of the user's, and its syntax tree where the source is at hand.

    Parameters
    ----------
    function : function or code

    Examples
    --------
    >>> written = Written(lookup)
    >>> written.head().text.startswith("def lookup(")
    True
    """

    def __init__(self, function: FunctionType | MethodType | CodeType) -> None:
        self.code = function if isinstance(function, CodeType) else function.__code__
        self.file = self.code.co_filename
        self.tree = _find(self.file, self.code)

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of its arguments: ``("self", "other")``."""
        return self.code.co_varnames[: self.code.co_argcount]

    def at(self, node: ast.AST | None) -> Place:
        """Return the place of a statement in it."""
        if node is None:
            return self.head()
        line: int = node.lineno  # type: ignore[attr-defined]
        segment = ast.get_source_segment(_text(self.file), node) or ""
        text = " ".join(segment.split())
        return Place(
            line, text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…", here(self.file)
        )

    @staticmethod
    def line(file: str, number: int) -> Place:
        """Return a line of a file as a place."""
        return Place(number, linecache.getline(file, number).strip(), here(file))

    def head(self) -> Place:
        """Return the place of its first line."""
        line = self.tree.lineno if self.tree else self.code.co_firstlineno
        text = linecache.getline(self.file, line).strip()
        return Place(line, text, here(self.file)) if text else NOWHERE

    def result(self) -> Place:
        """Return the place where it makes its result: the last ``return``, or the head."""
        returns = [
            node for node in _statements(self.tree) if isinstance(node, ast.Return) and node.value
        ]
        return self.at(returns[-1] if returns else None)

    def rules(self) -> list[_Function]:
        """Return the functions that are defined inside it: local rules."""
        return [
            node
            for node in (ast.walk(self.tree) if self.tree else ())
            if isinstance(node, _Function) and node is not self.tree
        ]

    def writes(self, attribute: str) -> list[ast.Assign | ast.AugAssign]:
        """Return the statements, rules included, that write an attribute such as ``grad``."""
        return [
            node
            for node in (ast.walk(self.tree) if self.tree else ())
            if isinstance(node, ast.Assign | ast.AugAssign) and owner(node, attribute)
        ]

    def loops(self) -> list[ast.stmt]:
        """Return its loops in their order, inner functions included."""
        loops = [
            node
            for node in (ast.walk(self.tree) if self.tree else ())
            if isinstance(node, ast.For | ast.While)
        ]
        return sorted(loops, key=lambda node: node.lineno)

    def turns(self) -> bool:
        """Whether it turns a list round: with ``reversed``, ``reverse`` or ``[::-1]``."""
        return any(map(_turns, ast.walk(self.tree) if self.tree else ()))


def _turns(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        return name in ("reversed", "reverse")
    return isinstance(node, ast.Slice) and ast.unparse(node) == "::-1"


def owner(node: ast.Assign | ast.AugAssign, attribute: str) -> str:
    """Return whose attribute a statement writes: ``"self"`` for ``self.grad += 1``, else ``""``.

    Examples
    --------
    >>> owner(ast.parse("other.grad = 2").body[0], "grad")
    'other'
    """
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    for target in targets:
        if isinstance(target, ast.Attribute) and target.attr == attribute:
            return ast.unparse(target.value)
    return ""


def replaces(node: ast.AST, attribute: str) -> bool:
    """Whether a statement assigns an attribute without adding to what it held.

    Examples
    --------
    >>> plain, careful = ast.parse("a.grad = 2; a.grad = a.grad + 2").body
    >>> replaces(plain, "grad"), replaces(careful, "grad")
    (True, False)
    """
    if not isinstance(node, ast.Assign):
        return False
    target = f"{owner(node, attribute)}.{attribute}"
    return target not in {
        ast.unparse(part) for part in ast.walk(node.value) if isinstance(part, ast.Attribute)
    }


def lookup(cls: type, name: str) -> Written | None:
    """Return a method of a class as it is written, or None where it is not Python.

    Examples
    --------
    >>> from glassgrad.checks.report import Report
    >>> lookup(Report, "to_dot").parameters
    ('self',)
    """
    function = inspect.unwrap(getattr(cls, name, None))  # type: ignore[arg-type]
    function = getattr(function, "__func__", function)
    return Written(function) if isinstance(function, FunctionType) else None


def rule_of(
    cls: type, attribute: str, method: str, slot: int, words: Sequence[str]
) -> tuple[Place, bool]:
    """Return where the rule of a method serves one operand, and whether it replaces what was there.

    Parameters
    ----------
    cls : type
        The class.
    attribute : str
        Where it keeps gradients.
    method : str
        The method that makes the value, and defines its rule.
    slot : int
        Which operand: 0 for ``self``, 1 for ``other``.
    words : sequence of str
        What the operation may be called, where all rules stand in one place.

    Examples
    --------
    >>> from glassgrad.checks.report import Report
    >>> rule_of(Report, "grad", "to_dot", 0, [])[0].text
    'return to_dot(self.graph, wrong=self.marks)'
    """
    written = lookup(cls, method)
    if written is None:
        return NOWHERE, False
    writes = written.writes(attribute)
    if not writes:
        return branch(cls, words, attribute) or written.result(), False
    param = written.parameters[slot] if slot < len(written.parameters) else ""
    own = [node for node in writes if owner(node, attribute) == param]
    # a statement for each operand, in their order, is the other usual way
    node = (own or writes[slot : slot + 1] or writes)[0]
    return written.at(node), replaces(node, attribute)


def branch(cls: type, ops: Sequence[str], attribute: str) -> Place | None:
    """Return where a class that keeps all rules in one ``if`` has those of an operation."""
    for name in vars(cls):
        written = lookup(cls, name)
        for node in ast.walk(written.tree) if written and written.tree else ():
            if written and isinstance(node, ast.If) and _mentions(node.test, ops):
                for inner in (part for statement in node.body for part in ast.walk(statement)):
                    if isinstance(inner, ast.Assign | ast.AugAssign) and owner(inner, attribute):
                        return written.at(inner)
    return None


def _mentions(test: ast.AST, words: Sequence[str]) -> bool:
    return any(
        isinstance(node, ast.Constant) and node.value in words and node.value
        for node in ast.walk(test)
    )


def here(file: str) -> str:
    """Return what a person calls a file: ``"cell 4"``, or its name.

    Examples
    --------
    >>> here("somewhere/engine.py")
    'engine.py'
    """
    text = _text(file)
    cells = getattr(sys.modules.get("__main__"), "In", None)
    if text.strip() and isinstance(cells, list):
        for number in range(len(cells) - 1, 0, -1):
            if isinstance(cells[number], str) and text.strip() in cells[number]:
                return f"cell {number}"
    return Path(file).name


def _statements(tree: _Function | None) -> Iterator[ast.AST]:
    """Walk a function without the functions inside it."""
    waiting: list[ast.AST] = list(ast.iter_child_nodes(tree)) if tree else []
    while waiting:
        node = waiting.pop(0)
        yield node
        if not isinstance(node, _Function):
            waiting[:0] = ast.iter_child_nodes(node)


def _text(file: str) -> str:
    return "".join(linecache.getlines(file))


def _find(file: str, code: CodeType) -> _Function | None:
    """Return the node of the tree that a code object was compiled from."""
    tree = _parsed(_text(file))
    for node in ast.walk(tree) if tree else ():
        if not isinstance(node, _Function):
            continue
        decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
        first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
        if first == code.co_firstlineno and getattr(node, "name", "<lambda>") == code.co_name:
            return node
    return None


@lru_cache(maxsize=8)
def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text) if text else None
    except SyntaxError:  # a cell with magics
        return None


def sentence(template: str, place: Place, fallback: str, **words: str) -> str:
    """Fill in a slip's sentence; ``{line}`` is the learner's own line where it is known.

    Examples
    --------
    >>> sentence("{line} has the wrong sign.", Place(3, "self.grad -= out.grad"), "The rule")
    '`self.grad -= out.grad` has the wrong sign.'
    """
    line = f"`{place.text}`" if place.text else fallback
    filled = template
    for name, word in {"line": line, **words}.items():
        filled = filled.replace(f"{{{name}}}", word)
    return filled[:1].upper() + filled[1:] if filled else ""
