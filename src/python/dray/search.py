"""Runs a search over workflows from Python, by the command `search` in its own process.

Example:

    import dray.client

    found = dray.client.search("cage2_workflow", workflows=40, run_dir="runs/search")
    print(found["text"])
    if found["verdict"] == "matters":
        print(" > ".join(found["best"]), found["better_by"])
"""

import json
import pathlib
import re
from collections.abc import Iterable, Mapping
from typing import Any

from dray import engine_command
from dray.arguments import command_words, text, whole_number
from dray.error import Error
from dray.places import PathLike


def search(
    config: PathLike,
    set: Mapping[str, Any] | None = None,
    workflows: int | None = None,
    parallel: int | None = None,
    run_dir: PathLike | None = None,
    runner: str = "local",
    arguments: Iterable[str] = (),
) -> dict[str, Any]:
    """Searches to the end, which may take hours, and returns what was found. `config`, `set` and the others mean what the
    flags of the same names mean to `search`; `arguments` are more of them, as in ["--seed", "7"] or ["--resume"]. With the
    runner "local" no Ray is needed. Without `run_dir` the folder is runs/<environment>-<date>-<time>.

    The dictionary is the folder's search.json and the folder; returns are in units of reward, None means that there is no value:
      verdict    "matters", "not seen", "too few trainings", or None for a search that was interrupted; `text` in words
      p          how often pure chance would look like that much
      trainings  how many count
      best, median               orders as lists of names; the best of those that were trained
      better_by, better_by_ci95  the best order's return minus the median order's, and half its 95 % interval
      visible_difference         when none is seen: the smallest difference that probably would have been
      order_share, order_sd, seed_sd   how much of the variance between trainings comes from the order; standard deviations
      orders     a dictionary for every order: what was measured, and what the model believes
      trials     a dictionary for every training, with the prediction for its order beforehand
      run_dir    the folder, with report.md and its pictures
    """
    words = ["--config", text(config, "config"), "--runner", text(runner, "runner")]
    for flag, value in (("--workflows", workflows), ("--parallel", parallel)):
        if value is not None:
            words += [flag, str(whole_number(value, flag))]
    if run_dir is not None:
        words += ["--run-dir", text(run_dir, "run_dir")]
    words += command_words(set, arguments)
    report = re.search(r"^Report: (.*)/report\.md$", engine_command.run("search", words), re.MULTILINE)
    if report is None:
        raise Error(f"the search wrote no report; its arguments were: {' '.join(words)}")
    found = json.loads((pathlib.Path(report[1]) / "search.json").read_text())
    return {**found, "run_dir": report[1]}
