"""The built files of the front end, as a widget is given them."""

from __future__ import annotations

import os
from pathlib import Path

STATIC = Path(__file__).parent.parent / "static"


def front_end(name: str) -> str | Path:
    """Return a file of the front end: its text, or for a developer its path, to be watched.

    A path on the class would keep every widget alive for good.
    """
    path = STATIC / name
    if os.environ.get("ANYWIDGET_HMR") == "1":
        return path
    if not path.exists():
        raise FileNotFoundError(
            f"glassgrad's front end ({name}) is not built; in a checkout, run: npm run build"
        )
    return path.read_text(encoding="utf-8")
