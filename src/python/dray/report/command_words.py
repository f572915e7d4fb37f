"""How to call Dray's commands: by `dray` where the package is installed, else by Bazel."""

import os
import shlex
import shutil
import sys

from dray import places


def program(name: str) -> str:
    """Returns how to call a command: "dray evaluate" or "bazel run //:evaluate --"."""
    return f"dray {name}" if places.is_wheel() else f"bazel run //:{name} --"


def tool(name: str) -> str | None:
    """Returns how to call a program of the Python environment, such as tensorboard: by name if it is on the PATH, else
    by path; None if it is not installed.
    """
    if shutil.which(name):
        return name
    beside = os.path.join(os.path.dirname(sys.executable), name)
    return shlex.quote(beside) if os.access(beside, os.X_OK) else None
