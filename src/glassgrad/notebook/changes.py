"""Only what changed: the numbers of a picture, as columns and what differs from them since.

In flow the numbers as the wire has them; out flow the traits that carry them. A column travels
whole when much of it is new, and stays as it is otherwise: then ``changes`` says which of its
entries are others now. The traits are complete at any time, so that a view that opens later, a
saved notebook and a page that missed a message show the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

COLUMNS = ("data", "grad", "slope")

FEW = 4
"""Of a column with at least so many entries for each one that is new, only the new ones travel."""


def travelling(numbers: Mapping[str, Any], sent: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Return the traits that say these numbers.

    Parameters
    ----------
    numbers : mapping
        What `glassgrad.notebook.wire` encodes: ``ran``, ``notes`` and the columns.
    sent : mapping of str to sequence
        Each column as it was last sent whole.

    Returns
    -------
    dict
        ``notes`` and ``changes``, and ``sent_data``, ``sent_grad``, ``sent_slope`` for those that
        travel whole.

    Examples
    --------
    >>> sent = {"data": [1.0, 2.0, 3.0, 4.0], "grad": [None] * 4, "slope": [5.0]}
    >>> now = {"ran": True, "notes": {}, "data": [1.0, 2.0, 9.0, 4.0], "grad": [0.0] * 4,
    ...        "slope": [5.0]}
    >>> for name, value in travelling(now, sent).items():
    ...     print(name, value)
    notes {}
    sent_grad [0.0, 0.0, 0.0, 0.0]
    changes {'ran': True, 'data': {'at': [2], 'to': [9.0]}}
    """
    traits: dict[str, Any] = {"notes": numbers["notes"]}
    changes: dict[str, Any] = {"ran": numbers["ran"]}
    for name in COLUMNS:
        before, now = sent[name], numbers[name]
        # what is not finite is a string here, so nan is no news
        new = [at for at, entry in enumerate(now) if at >= len(before) or entry != before[at]]
        if len(before) != len(now) or FEW * len(new) > len(now):
            traits[f"sent_{name}"] = now
        elif new:
            changes[name] = {"at": new, "to": [now[at] for at in new]}
    return {**traits, "changes": changes}
