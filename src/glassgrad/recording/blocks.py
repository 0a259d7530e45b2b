"""A running ``with`` block in, its source and the lines of its names out.

Code that runs already cannot be listened to. But its source can be read, and after it each name
still stands for the value that it was given last; so each such value gets the line of the statement
that gave it the name. Where a name may have been given in one of several branches, nobody can
tell, and it gets none.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import FrameType
from typing import NamedTuple

from glassgrad.recording.recorder import Recorder
from glassgrad.recording.sites import Site
from glassgrad.recording.syntax import names_in, span

_BRANCHES = (ast.If, ast.Try, ast.Match, ast.IfExp)
_OWN_SCOPE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


class _Binding(NamedTuple):
    """A statement that gives a name to a value."""

    name: str
    site: int
    in_branch: bool


@dataclass(frozen=True)
class Block:
    """The source of a block.

    Parameters
    ----------
    lines : list of str
        Its lines.
    first : int
        The number of the first of them.
    source : str
        All of the file, for the texts of the sites.
    sites : list of Site
        Where names are given.
    bindings : list of tuple
        Which name at which site.
    """

    lines: list[str]
    first: int
    source: str
    sites: list[Site]
    bindings: list[_Binding]


def block_at(frame: FrameType) -> Block | None:
    """Return the ``with`` block that a frame is entering; None where there is no source.

    Parameters
    ----------
    frame : frame
        It stands at the head of the block.
    """
    lines = linecache.getlines(frame.f_code.co_filename, frame.f_globals)
    try:
        tree = ast.parse("".join(lines))
    except SyntaxError:
        return None
    heads = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.With) and node.lineno <= frame.f_lineno <= _head_end(node)
    ]
    if not heads:
        return None
    node = heads[-1]
    first, last = node.body[0].lineno, node.body[-1].end_lineno or node.body[-1].lineno
    sites: list[Site] = []
    bindings = [b for statement in node.body for b in _bindings(statement, sites, False)]
    texts = [line.rstrip("\n") for line in lines]
    return Block(texts[first - 1 : last], first, "\n".join(texts), sites, bindings)


def hear(
    block: Block, recorder: Recorder, variables: Mapping[str, object], before: Mapping[str, int]
) -> None:
    """Tell the recorder which line gave which value its name.

    Parameters
    ----------
    block : Block
        It has run.
    recorder : Recorder
        Made with the source and the sites of the block.
    variables : mapping
        The variables after it.
    before : mapping
        The identities of the variables before it.
    """
    last = {binding.name: at for at, binding in enumerate(block.bindings)}
    several = [binding.name for binding in block.bindings]
    for at, binding in enumerate(block.bindings):
        name = binding.name
        unclear = binding.in_branch and several.count(name) > 1
        if at != last[name] or unclear or name not in variables:
            continue
        if before.get(name) == id(variables[name]):
            continue
        recorder.bind(variables[name], block.sites[binding.site])


def _bindings(node: ast.AST, sites: list[Site], in_branch: bool) -> Iterator[_Binding]:
    """Return the names that a statement gives, in the order of the source."""
    if isinstance(node, _OWN_SCOPE):
        return
    inner = in_branch or isinstance(node, _BRANCHES)
    for child in ast.iter_child_nodes(node):
        yield from _bindings(child, sites, inner)
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            yield _bound(name, value, sites, True, in_branch)
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            yield _bound(name, value, sites, True, in_branch)
        case ast.NamedExpr(target=ast.Name(id=name), value=value):
            yield _bound(name, value, sites, True, in_branch)
        case ast.Assign(targets=targets):
            for place in (place for target in targets for place in names_in(target)):
                yield _bound(place.id, place, sites, False, in_branch)
        case ast.AugAssign(target=ast.Name(id=name)):
            yield _bound(name, node, sites, False, in_branch)


def _bound(
    name: str, place: ast.AST, sites: list[Site], is_whole: bool, in_branch: bool
) -> _Binding:
    sites.append(Site(*span(place), name, "made" if is_whole else "bound"))
    return _Binding(name, len(sites) - 1, in_branch)


def _head_end(node: ast.With) -> int:
    """Return the last line of ``with ... as ...:``."""
    return max(span(item)[2] for item in ast.walk(node.items[-1]) if isinstance(item, ast.expr))
