"""Builds the front end before a wheel or an sdist is packed.

An sdist already carries the bundle, so installing from it needs no Node.  A checkout builds it
whenever a source under ``js/`` is newer.
"""

import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUNDLE = Path("src/glassgrad/static/index.js")


class FrontEndBuildHook(BuildHookInterface[Any]):
    """Runs ``npm ci`` and ``npm run build`` where the bundle is missing or stale."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Leave an up-to-date bundle at ``BUNDLE`` or say what is missing."""
        root = Path(self.root)
        bundle = root / BUNDLE
        if bundle.exists() and not self._is_stale(root, bundle):
            return
        npm = shutil.which("npm")
        if npm is None:
            raise RuntimeError(
                "glassgrad's front end is built with Node 20 or newer and npm was not found; "
                "install Node, or install a released wheel, which needs none."
            )
        if self._lacks_tools(root):
            subprocess.run([npm, "ci", "--ignore-scripts"], cwd=root, check=True)
        subprocess.run([npm, "run", "build"], cwd=root, check=True)

    @staticmethod
    def _lacks_tools(root: Path) -> bool:
        wanted, installed = root / "package-lock.json", root / "node_modules/.package-lock.json"
        return not installed.exists() or installed.stat().st_mtime < wanted.stat().st_mtime

    @staticmethod
    def _is_stale(root: Path, bundle: Path) -> bool:
        names = ["package.json", "package-lock.json", "scripts/build.mjs"]
        sources = [*(root / "js").rglob("*.*"), *(root / name for name in names)]
        built = bundle.stat().st_mtime
        return any(source.exists() and source.stat().st_mtime > built for source in sources)
