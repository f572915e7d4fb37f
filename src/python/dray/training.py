"""Trains from Python without Ray, by the command `train` in its own process.

run = dray.train("cartpole", epochs=100)
run.metrics["episode/return_mean"]
policy = run.policy()
"""

import contextlib
import ctypes
import dataclasses
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from typing import Any

from dray import engine_command, env_name, places, progress_display
from dray.arguments import shown, text
from dray.batch import preset
from dray.error import Error
from dray.metrics_file import Reports
from dray.places import PathLike
from dray.policy import Policy, load_policy

Metrics = dict[str, Any]
Callback = Callable[[Metrics], object]

_REPORT = re.compile(r" *\d+%")  # how the line of a report begins
_PR_SET_PDEATHSIG = 1
_prctl = ctypes.CDLL(None).prctl


@dataclasses.dataclass(frozen=True)
class TrainedRun:
    """A run that has ended."""

    run_dir: pathlib.Path
    metrics: Metrics  # the last number of every metric (configs/METRICS.md)
    stopped: bool  # before its end, by the callback or an interruption; dray.train(resume=run_dir) continues
    output: str  # what the training printed

    def policy(self) -> Policy:
        """Loads the trained policy."""
        return load_policy(self.run_dir)


def train(
    config: PathLike | Mapping[str, Any] | None = None,
    *,
    env: str | Callable[..., Any] | None = None,
    callback: Callback | None = None,
    progress: bool = True,
    **given: Any,
) -> TrainedRun:
    """Trains to the end and returns the run.

    `config` is a preset ("cartpole"), a YAML file, a run folder whose settings to use, or a dictionary like such a
    file: {"include": "cartpole", "ppo": {"gamma": 0.98}}. Further keyword arguments are the flags of `train`:
    epochs=10, duration="1m", num_envs=16, run_dir="runs/first", resume="runs/first", set={"ppo.gamma": 0.98}.

    `env` is an environment of your own: a function that returns a gymnasium.Env, or its name as --env takes it
    ("gym:Hopper-v5", "my_module:make_env"). Without `config`, the settings are those of the preset own_env.

    `callback` is called with the metrics of every report (run.log_interval). If it returns False, or if it or the user
    raises KeyboardInterrupt, the training finishes its epoch, writes a checkpoint and ends; a second KeyboardInterrupt
    stops it immediately. Any other exception ends the training like the first one, and is raised.
    """
    with contextlib.ExitStack() as cleanup:
        words = _config_words(config, cleanup)
        given = {"runner": "local", **given}
        if env is not None:
            given |= _env_flags(env, given)
        if given.get("dry_run"):
            raise Error("dry_run: works only with the command train")
        if given.get("resume") is None:
            given["run_dir"] = folder = _run_dir(config or _env_name(env), given.get("run_dir"))
        else:
            given["resume"] = folder = pathlib.Path(text(given["resume"], "resume")).absolute()
        display = progress_display.here() if progress else progress_display.Silent()
        child = _Child([*words, *engine_command.flags(given)], folder, callback, display)
        cleanup.callback(child.close)
        return child.run()


class _Child:
    """The training's process."""

    def __init__(
        self, words: list[str], folder: pathlib.Path, callback: Callback | None, display: progress_display.Silent
    ) -> None:
        self._folder, self._callback, self._display = folder, callback, display
        self._reports = Reports(folder / "metrics.jsonl")
        self._before = self._reports.file.read_bytes() if self._reports.file.is_file() else b""
        self._began = False
        self._metrics: Metrics = {}
        self._lines: list[str] = []
        self._stopping = False
        self._problem: Exception | None = None  # raised by the callback
        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            [places.program("train"), *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=places.environment(),
            start_new_session=True,  # Ctrl-C reaches this process alone, which then stops the training once
            preexec_fn=lambda: _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM),
        )

    def close(self) -> None:
        """Ends the process if it still runs."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        assert self._process.stdout
        self._process.stdout.close()
        self._errors.close()

    def run(self) -> TrainedRun:
        """Follows the training to its end."""
        self._display.show(0, "starting")
        try:
            while not self._ended():
                pass
            code = self._process.wait()
        finally:
            self._display.close()
        if self._problem is not None:
            raise self._problem
        if code not in (0, -signal.SIGINT, 128 + signal.SIGINT):
            self._errors.seek(0)
            raise engine_command.failure("train", code, self._errors.read().decode(errors="replace"))
        return TrainedRun(self._folder, self._metrics, code != 0, "".join(self._lines))

    def _ended(self) -> bool:
        """Handles the next line that the training prints; returns whether there was none."""
        assert self._process.stdout
        try:
            line = self._process.stdout.readline().decode(errors="replace")
            if line:
                self._handle(line)
            return not line
        except KeyboardInterrupt:
            if self._stopping:
                raise
            self._stop()
            return False

    def _handle(self, line: str) -> None:
        self._lines.append(line)
        if not self._began:
            if line.startswith("="):  # the header: what a resumed run repeats is no longer in the file
                self._began = True
                self._reports.skip(self._before)
            return
        for report in self._reports.new():
            self._metrics.update(report)
            self._call_back(report)
        if _REPORT.match(line):
            self._display.show(self._metrics.get("progress", 0), line.strip())

    def _call_back(self, report: Metrics) -> None:
        if self._callback is None or self._stopping:
            return
        try:
            if self._callback(report) is False:
                self._stop()
        except Exception as problem:
            self._problem = problem
            self._stop()

    def _stop(self) -> None:
        self._stopping = True
        self._process.send_signal(signal.SIGINT)


def _config_words(config: PathLike | Mapping[str, Any] | None, cleanup: contextlib.ExitStack) -> list[str]:
    """Returns the flags for `config`. Those of a dictionary name a file that `cleanup` removes."""
    if config is None:
        return []
    if not isinstance(config, Mapping):
        return ["--config", str(preset(config))]
    include = config.get("include", [])
    files = [str(preset(name)) for name in (include if isinstance(include, list) else [include])]
    file = pathlib.Path(cleanup.enter_context(tempfile.TemporaryDirectory())) / "config.yaml"
    file.write_text(json.dumps({"include": files} if files else {}))
    settings = {key: value for key, value in config.items() if key != "include"}
    return ["--config", str(file), *_set_words(settings, "")]


def _set_words(settings: Mapping[str, Any], prefix: str) -> list[str]:
    """Returns --set for every setting of a nested dictionary, so that errors name the setting."""
    words = []
    for key, value in settings.items():
        path = f"{prefix}{key}"
        if isinstance(value, Mapping):
            words += _set_words(value, path + ".")
            continue
        try:
            words += ["--set", f"{path}={json.dumps(value)}"]
        except (TypeError, ValueError):
            raise Error(f"config: {path}: {shown(value)} is not a setting's value") from None
    return words


def _env_flags(env: str | Callable[..., Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the flags that name an environment."""
    if not callable(env):
        return {"env": text(env, "env")}
    name, folder = env_name.named(env)
    return {"env": name, "set": {"env.python.folder": folder or os.getcwd(), **(given.get("set") or {})}}


def _env_name(env: str | Callable[..., Any] | None) -> str | None:
    """Returns a name for the run's folder."""
    if env is None:
        return None
    words = getattr(env, "__name__", type(env).__name__) if callable(env) else env.rpartition(":")[2]
    return "".join(sign for sign in words if sign.isalnum() or sign in "-_") or "training"


def _run_dir(config: PathLike | Mapping[str, Any] | None, given: PathLike | None) -> pathlib.Path:
    """Returns the run's folder: the given one, else runs/<config>-<date>-<time>."""
    if given is not None:
        return pathlib.Path(text(given, "run_dir")).absolute()
    if isinstance(config, Mapping):
        env, include = config.get("env"), config.get("include")
        config = env.get("name") if isinstance(env, Mapping) else include if isinstance(include, str) else None
    name = pathlib.Path(text(config, "config")).stem if config else "training"
    stem = pathlib.Path("runs").absolute() / f"{name}-{time.strftime('%Y%m%d-%H%M%S')}"
    number, folder = 1, stem
    while folder.exists():
        number, folder = number + 1, stem.with_name(f"{stem.name}-{number + 1}")
    return folder
