"""What completes the lines of the magics: their options, and what may follow them.

In flows the line up to the cursor; out flow the words that fit there. IPython asks; where the
answer is ours, no name of Python is mixed in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from IPython.core.completer import SimpleCompletion, context_matcher

from glassgrad.notebook.options import OPTIONS

MAGICS = ("%%autograd", "%autograd")


def words_for(
    before: str, is_value: Callable[[object], bool], variables: Mapping[str, object]
) -> list[str] | None:
    """Return the words that fit behind some text, or None where Python's own names do.

    Parameters
    ----------
    before : str
        The line up to the cursor.
    is_value : callable
        Tells whether an object is a Value.
    variables : mapping
        The user's variables.

    Examples
    --------
    >>> words_for("%%autograd --ro", bool, {}), words_for("%autograd a", bool, {})
    (['--root'], None)
    """
    magic, *given = before.split()
    word = "" if before[-1].isspace() else given.pop() if given else magic
    if word == magic:
        return None
    last = given[-1] if given else ""
    row = OPTIONS.get(last)
    if last == "--root":
        words = [name for name, value in list(variables.items()) if is_value(value)]
        return [name for name in words if name.startswith(word) and not name.startswith("_")]
    if row is not None and row.choices:
        return [choice for choice in row.choices if choice.startswith(word)]
    if row is not None and row.value and not row.optional:
        return []
    if magic == "%autograd" and not word.startswith("-"):
        return None  # an expression
    return [option for option in OPTIONS if option.startswith(word) and option not in given]


def completer(is_value: Callable[[object], bool], variables: Mapping[str, object]) -> Any:
    """Return what IPython asks for completions.

    Parameters
    ----------
    is_value : callable
        Tells whether an object is a Value.
    variables : mapping
        The user's variables.
    """

    def matcher(context: Any) -> dict[str, Any]:
        before: str = context.text_until_cursor
        is_ours = before.lstrip().startswith(MAGICS) and before.split(maxsplit=1)[0] in MAGICS
        is_cell = before.startswith("%%")
        if not is_ours or (is_cell and context.cursor_line > 0):
            return {"completions": [], "suppress": False}
        words = words_for(before.lstrip(), is_value, variables)
        if words is None:
            return {"completions": [], "suppress": False}
        return {
            "completions": [SimpleCompletion(text=word, type="option") for word in words],
            "matched_fragment": "" if before[-1].isspace() else before.rsplit(maxsplit=1)[-1],
            "ordered": True,
            "suppress": True,
        }

    decorate: Any = context_matcher(identifier="glassgrad.completer")
    return decorate(matcher)
