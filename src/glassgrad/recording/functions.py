"""The functions of recorded cells: what stands in which cell, and who knows them.

Listened to are functions, methods and lambdas, also those that functions define. What a decorator
made of a function is called by us only if it is known to call it: a compiler would read the code
instead. For the same reason a function that is handed to somebody else is left alone from then on,
see `glassgrad.recording.handed`.

Of a Value class, the methods that make a Value themselves are left alone: the line that computes
``a * b`` is the line that matters, not the one inside ``__mul__``, which would stand there again
for each operation. Methods that are made of other operations are functions like any other.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import CodeType, FunctionType
from weakref import ref

from glassgrad.recording.recompile import Function, listening
from glassgrad.recording.sites import Script, Spot

MOST = 4096
"""So many functions of one definition are known: closures that are kept could be any number."""


class Definition:
    """A function as it stands in a cell.

    Parameters
    ----------
    node : ast.FunctionDef, ast.AsyncFunctionDef or ast.Lambda
        Its tree, which was compiled already and may be changed now.
    script : Script
        The cell.
    block : Definition, optional
        The outermost function around it, with whose lines its own are shown.

    Attributes
    ----------
    name : str
        What it is called, with its class: ``"Neuron.__call__"``.
    first, last : int
        Its lines, decorators included.
    filename : str
        What its cell is called in tracebacks.
    spots : list of Spot
        The places that its listening code mentions.
    scope : Scope
        The functions that it defines.
    """

    def __init__(self, node: Function, script: Script, block: Definition | None = None) -> None:
        self.script = script
        self.block = self if block is None else block
        self.name = "lambda"
        starts = [node.lineno, *(mark.lineno for mark in getattr(node, "decorator_list", ()))]
        self.first, self.last = min(starts), node.end_lineno or node.lineno
        self.filename = ""
        self.spots: list[Spot] = []
        self.scope = Scope({}, script, self.block)
        self._node: Function | None = node
        self._code: CodeType | None = None

    def code(self, plain: CodeType) -> CodeType | None:
        """Return code that listens, with a placeholder; None where there is none that fits."""
        node, self._node = self._node, None
        if node is not None:
            if not isinstance(node, ast.Lambda):
                self.name = plain.co_qualname
            self.filename = plain.co_filename
            self._code, told = listening(node, plain)
            self.spots = [Spot(self.block, site) for site in told.sites]
            self.scope = Scope(told.functions, self.script, self.block)
        fits = self._code is not None and self._code.co_freevars == plain.co_freevars
        return self._code if fits else None

    @property
    def title(self) -> str:
        """What stands above its lines: ``"layer, cell 3"``."""
        return f"{self.name}, cell {self.script.number}" if self.script.number else self.name

    @property
    def lines(self) -> list[str]:
        """Its lines, as they are written."""
        return list(self.script.lines[self.first - 1 : self.last])


class Scope:
    """What is defined in a cell, or in a function.

    Parameters
    ----------
    nodes : mapping of int to ast.AST
        The functions by the place of their definition; it may still grow.
    script : Script
        The cell.
    block : Definition, optional
        The outermost function around it.

    Attributes
    ----------
    trusted : dict of int to bool
        By the place of a call that is handed functions, whether it is known to only call them.
    born : dict of int to list
        By the place of a definition that is not over, the new functions and their places.
    owner : tuple, optional
        The code of the function that it is, and the variables that this sees.
    """

    def __init__(
        self, nodes: Mapping[int, Function], script: Script, block: Definition | None = None
    ) -> None:
        self._nodes = nodes
        self.script = script
        self._block = block
        self._definitions: dict[int, Definition] = {}
        self.trusted: dict[int, bool] = {}
        self.born: dict[int, list[tuple[FunctionType, int]]] = {}
        self.owner: tuple[CodeType, Mapping[str, object]] | None = None

    def defines(self, site: int) -> bool:
        """Whether a function stands at a place."""
        return site in self._nodes

    def definition(self, site: int) -> Definition:
        """Return the function that stands at a place."""
        known = self._definitions.get(site)
        if known is None:
            known = Definition(self._nodes[site], self.script, self._block)
            self._definitions[site] = known
        return known


@dataclass(slots=True)
class Group:
    """The functions that there are of one definition.

    Parameters
    ----------
    definition : Definition
        Where they stand.
    plain : code
        The code that is their own.
    """

    definition: Definition
    plain: CodeType
    references: list[ref[FunctionType]] = field(default_factory=list)
    _full: int = 64

    def add(self, function: FunctionType) -> bool:
        """Remember a function weakly; tell whether there was room."""
        if len(self.references) >= self._full:
            self.references = [known for known in self.references if known() is not None]
            self._full = min(max(64, 2 * len(self.references)), MOST)
            if len(self.references) >= self._full:
                return False
        self.references.append(ref(function))
        return True

    def alive(self) -> list[FunctionType]:
        """Return the functions."""
        return [function for known in self.references if (function := known()) is not None]


class Functions:
    """The functions that recorded cells have defined, as long as they are there.

    Examples
    --------
    >>> Functions().groups()
    []
    """

    def __init__(self) -> None:
        self._groups: dict[int, Group] = {}  # by the identity of their code

    def __len__(self) -> int:
        return len(self._groups)

    def group(self, plain: CodeType, definition: Definition) -> Group:
        """Return the functions of a definition, to be added to."""
        return self._groups.setdefault(id(plain), Group(definition, plain))

    def forget(self, function: FunctionType, plain: CodeType) -> bool:
        """Leave a function alone from now on; tell whether it was known."""
        group = self._groups.get(id(plain))
        if group is None or function not in group.alive():
            return False
        group.references = [known for known in group.references if known() is not function]
        return True

    def groups(self) -> list[Group]:
        """Return the functions that there are."""
        self._groups = {key: group for key, group in self._groups.items() if group.alive()}
        return list(self._groups.values())
