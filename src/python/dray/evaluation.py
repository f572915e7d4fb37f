"""Evaluates a trained policy from Python, by the command `evaluate` in its own process."""

import json
import os
from typing import Any

from dray import engine_command
from dray.arguments import text
from dray.places import PathLike


def evaluate(path: PathLike, **given: Any) -> dict[str, Any]:
    """Plays a run's newest policy, or that of a checkpoint file, and returns the result (docs/evaluating.md).

    Keyword arguments are the flags of `evaluate`: episodes=100, baselines="all", render="pictures".
    """
    which = "--run-dir" if os.path.isdir(path) else "--checkpoint"
    words = [which, text(path, "path"), *engine_command.flags(given), "--json"]
    found: dict[str, Any] = json.loads(engine_command.run("evaluate", words).splitlines()[-1])
    return found
