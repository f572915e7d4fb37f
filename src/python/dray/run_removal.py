"""Removes a run: only files that Dray wrote, and never while a training holds the folder."""

import contextlib
import fcntl
import fnmatch
import os
import pathlib
import re
from collections.abc import Iterator

from dray.error import Error

# Paths within a run's folder. Files that are written aside first may also end in .tmp.
TRAINING = (
    "metrics.jsonl",
    "weights.pt",
    "report.html",
    ".report.html.part",
    "heartbeats.txt",
    "wandb.log",
    "wandb.json",
    ".wandb.json.part",
    "events.out.tfevents.*",
    "checkpoints/*.ckpt",
    "checkpoints/.writable",
    "config.yaml",
    ".lock",
)
# Beside trials.jsonl, of a search.
SEARCH = (
    "trials.jsonl",
    "search.json",
    "search.csv",
    "orders.csv",
    "report.md",
    "orders.svg",
    "best.svg",
    "regret.svg",
)
TRIAL = re.compile(r"workflow-\d{3,}")  # a training of a search; train.log is its console
# Beside evaluation.json, here or in a folder of their own.
EVALUATION = ("evaluation.json", "evaluation.md", "days.jsonl", "episode_[0-9]*_*.svg")
LAST = ("config.yaml", ".lock")  # while it is there, the folder is that of a run


class Held(Error):
    """A run that another process holds, or whose lock cannot be tried."""


@contextlib.contextmanager
def holding(run: pathlib.Path) -> Iterator[None]:
    """Locks a run's folder, and those of a search's trainings, against trainings. Raises Held if one is running."""
    with contextlib.ExitStack() as open_files:
        # The lock of the search that it may be a training of comes first.
        for lock in (run.parent / ".lock", run / ".lock", *sorted(run.glob("workflow-*/.lock"))):
            try:
                descriptor = os.open(lock, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
                open_files.callback(os.close, descriptor)
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except FileNotFoundError:
                continue
            except BlockingIOError:
                raise Held(f"{run}: a training is running") from None
            except OSError as error:
                raise Held(f"{lock}: {error.strerror}") from None
        yield


def is_held(run: pathlib.Path) -> bool:
    """Checks whether a training holds the run."""
    try:
        with holding(run):
            return False
    except Held:
        return True


def files_below(run: pathlib.Path) -> list[pathlib.Path]:
    """Returns every file and link below a folder, without following links."""
    return [
        pathlib.Path(folder, name)
        for folder, folders, names in os.walk(run)
        for name in [*names, *(name for name in folders if os.path.islink(os.path.join(folder, name)))]
    ]


def newest_time(run: pathlib.Path) -> float:
    """Returns when a file below the folder was last written, in seconds; 0 for an empty folder."""
    newest = 0.0
    for file in files_below(run):
        with contextlib.suppress(OSError):  # it is gone
            newest = max(newest, file.lstat().st_mtime)
    return newest


def is_written_by_dray(run: pathlib.Path, file: pathlib.Path) -> bool:
    """Checks by its path, and by what is beside it, whether Dray wrote a file of a run."""
    parts = file.relative_to(run).parts
    if len(parts) > 1 and TRIAL.fullmatch(parts[0]):
        trial = run / parts[0]
        is_one = (trial / "config.yaml").exists() or (run / "trials.jsonl").exists()
        return is_one and (parts[1:] == ("train.log",) or is_written_by_dray(trial, file))
    names = [*TRAINING, *(SEARCH if (run / "trials.jsonl").exists() else ())]
    if (file.parent / "evaluation.json").exists():
        names += [*EVALUATION, *(f"*/{name}" for name in EVALUATION)]
    path = "/".join(parts).removesuffix(".tmp")
    return any(fnmatch.fnmatchcase(path, name) and path.count("/") == name.count("/") for name in names)


def remove(run: pathlib.Path) -> list[pathlib.Path]:
    """Removes what Dray wrote, and the folder if nothing else is in it. Returns the files that stay. Raises Held."""
    with holding(run):
        files = files_below(run)
        own = {file for file in files if is_written_by_dray(run, file) and file.is_file() and not file.is_symlink()}
        for file in sorted(own, key=lambda file: (file.name in LAST and file.parent == run, file)):
            file.unlink(missing_ok=True)
        for folder, _, _ in os.walk(run, topdown=False):
            with contextlib.suppress(OSError):  # something else is in it
                os.rmdir(folder)
        return sorted(file for file in files if file not in own)
