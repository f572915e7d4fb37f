"""How the reader calls Dray's commands: as `dray` where the package is installed, else by Bazel."""

import pathlib

_PROGRAMS = pathlib.Path(__file__).resolve().parents[1] / "bin"


def program(name):
    """As in "dray evaluate" or "bazel run //:evaluate --", to be followed by flags."""
    return f"dray {name}" if _PROGRAMS.is_dir() else f"bazel run //:{name} --"
