"""How the reader calls Dray's commands: as `dray` where the package is installed, else by Bazel."""

import os
import shlex
import shutil
import sys

from dray import places


def program(name: str) -> str:
    """As in "dray evaluate" or "bazel run //:evaluate --", to be followed by flags."""
    return f"dray {name}" if places.is_wheel() else f"bazel run //:{name} --"


def tool(name: str) -> str | None:
    """A program of the Python environment, such as tensorboard: by its name on the PATH, else beside this Python; None: it is not installed."""
    if shutil.which(name):
        return name
    beside = os.path.join(os.path.dirname(sys.executable), name)
    return shlex.quote(beside) if os.access(beside, os.X_OK) else None
