"""How the reader calls Dray's commands: as `dray` where the package is installed, else by Bazel."""

from dray import places


def program(name):
    """As in "dray evaluate" or "bazel run //:evaluate --", to be followed by flags."""
    return f"dray {name}" if places.is_wheel() else f"bazel run //:{name} --"
