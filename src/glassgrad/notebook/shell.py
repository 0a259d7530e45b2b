"""What we use of IPython's shell, with types; IPython has few of its own.

Everything in this room that takes a shell takes a `Shell`. It exists so that the list of what we
rely on can be read in one place.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, Protocol


class Shell(Protocol):
    """The part of ``InteractiveShell`` that glassgrad touches."""

    user_ns: dict[str, Any]
    user_global_ns: Any
    compile: Any
    autoawait: Any
    execution_count: int
    input_transformers_cleanup: list[Any]
    Completer: Any
    ast_node_interactivity: Any
    display_formatter: Any
    events: Any
    magics_manager: Any
    showtraceback: Callable[..., None]

    def transform_cell(self, raw_cell: str) -> str:
        """Turn IPython's own syntax into Python."""
        ...

    def transform_ast(self, node: ast.Module) -> ast.Module:
        """Apply the transformers that other extensions registered."""
        ...

    def showsyntaxerror(self) -> None:
        """Print the current syntax error, without frames."""
        ...

    def showindentationerror(self) -> None:
        """Print the current indentation error, without frames."""
        ...

    def find_cell_magic(self, name: str) -> Any:
        """Return the function of a cell magic, or None."""
        ...

    def register_magics(self, *magics: Any) -> None:
        """Add magics."""
        ...
