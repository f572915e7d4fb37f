"""Sends a run's settings and metrics to Weights & Biases.

    dray train --config cartpole --wandb my-project              starts this beside the training
    dray wandb --run-dir runs/cartpole-1 --project my-project    sends what a run has, later

Needs pip install 'dray[wandb]', and `wandb login` once. With --offline, or WANDB_MODE=offline, all is written into the run folder, and
`wandb sync` sends it. Called again, it goes on behind what was sent before: the file wandb.json in the run folder knows how far that is.
"""

import argparse
import json
import math
import os
import pathlib
import select
import shlex
import signal
import sys
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from dray.error import Error, UsageError, fail
from dray.metrics_file import Reports

POLL_S = 1.0
QUIET = {"console": "off", "silent": True}  # what train prints stays in its terminal


class Sent:
    """How much of a run was sent, recorded in its folder."""

    def __init__(self, folder: pathlib.Path, project: str) -> None:
        self.file = folder / "wandb.json"
        try:
            known = json.loads(self.file.read_text())
        except (OSError, ValueError, RecursionError):
            known = {}
        self.project, self.id, self.last_step = project, uuid.uuid4().hex[:8], -1
        sound = isinstance(known, dict) and isinstance(known.get("id"), str) and isinstance(known.get("last_step"), int)
        if sound and known.get("project") == project:
            self.id, self.last_step = known["id"], known["last_step"]

    def keep(self, step: int | None = None) -> None:
        self.last_step = self.last_step if step is None else step
        part = self.file.with_name(".wandb.json.part")
        part.write_text(json.dumps({"project": self.project, "id": self.id, "last_step": self.last_step}) + "\n")
        os.replace(part, self.file)


def finite(report: Mapping[str, Any]) -> dict[str, float]:
    return {name: value for name, value in report.items() if isinstance(value, (int, float)) and math.isfinite(value)}


def settings(folder: pathlib.Path) -> dict[str, Any]:
    import yaml  # wandb needs it, too

    try:
        return yaml.safe_load((folder / "config.yaml").read_text()) or {}
    except (OSError, yaml.YAMLError) as error:
        raise Error(f"{folder / 'config.yaml'} cannot be read ({error}): is this the folder of a run?") from None


def send(run: Any, reports: Reports, sent: Sent) -> bool:
    """Sends new reports. Returns whether the run's last one was among them."""
    ended = False
    for report in reports.new():
        step = int(report["total_steps"])
        if step > sent.last_step:  # a resumed run tells some of it again
            run.log(finite(report), step=step)
            sent.keep(step)
        ended = ended or (report.get("progress") or 0) >= 1
    return ended


def input_ends(wait_s: float) -> bool:
    """Waits up to `wait_s` seconds for the end of standard input, which comes with the end of the training."""
    ready, _, _ = select.select([sys.stdin], [], [], wait_s)
    return bool(ready) and not os.read(sys.stdin.fileno(), 4096)


def track(arguments: argparse.Namespace) -> None:
    folder = arguments.run_dir.resolve()
    reports = Reports(folder / "metrics.jsonl")
    if not reports.file.is_file():
        raise UsageError(
            f"{folder} has no metrics.jsonl: it is not the folder of a run; train prints its run folder at the end"
        )
    config = settings(folder)
    try:
        import wandb
    except ImportError as error:
        raise Error(f"{sys.executable} has no wandb ({error}): pip install 'dray[wandb]'") from None
    sent = Sent(folder, arguments.project)
    offline = arguments.offline or os.environ.get("WANDB_MODE") == "offline"
    try:
        run = wandb.init(
            project=arguments.project,
            id=sent.id,
            name=folder.name,
            resume=None if offline else "allow",
            dir=str(folder),
            config=config,
            mode="offline" if offline else None,
            settings=wandb.Settings(**QUIET),
        )
    except (wandb.Error, OSError) as error:
        line = " ".join(str(error).split())
        raise Error(f"W&B cannot be reached ({line}): log in with `wandb login`, or set WANDB_MODE=offline") from None
    sent.keep()
    try:
        ended = send(run, reports, sent)
        while arguments.follow and not ended:
            over = input_ends(POLL_S)
            ended = send(run, reports, sent) or over
    finally:
        run.finish()
    where = (
        f"written; to send it: wandb sync {shlex.quote(str(pathlib.Path(run.dir).parent))}"
        if offline
        else f"sent: {run.url}"
    )
    print(f"{sent.project}/{sent.id}, up to step {sent.last_step}, is {where}")


def parse_arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="dray wandb", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--run-dir", type=pathlib.Path, required=True, metavar="RUN", help="the run's folder")
    parser.add_argument("--project", default="dray", help="the project at W&B [dray]")
    parser.add_argument(
        "--offline", action="store_true", help="write into the run folder alone; `wandb sync` sends it later"
    )
    parser.add_argument(
        "--follow", action="store_true", help="keep sending until the run ends or standard input closes"
    )
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> None:
    arguments = parse_arguments(words)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    try:
        track(arguments)
    except Error as error:
        fail(error)
    except KeyboardInterrupt:
        sys.exit("dray: interrupted; the same command resumes")


if __name__ == "__main__":
    main()
