"""Runs short trainings for benchmarks: runs the train command, reads its run folder, and finds or starts a Ray cluster.

Needs only Python's standard library, so that it works with nothing but a built `train`.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

from measuring import ROOT, describe_machine, machine_text, say

PHASES = ("rollout", "transfer", "learn", "weights")
BYTES = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}
ENDING_S = 60  # an interrupted run ends after its current epoch, with a checkpoint


class TrainingFailed(Exception):
    """One-line reason why a run has no numbers."""


def find_program(flag, given, target, built):
    """Returns a program's absolute path: the one given with the flag, else the target, built by Bazel."""
    if given:
        program = pathlib.Path(given).resolve()
        if not os.access(program, os.X_OK):
            raise SystemExit(f"error: {flag} {given}: no such program")
        return program
    if not shutil.which("bazel"):
        raise SystemExit(f"error: cannot build {target} without Bazel: give {flag} PATH, or run scripts/setup.sh")
    say(f"building {target}")
    if subprocess.run(["bazel", "build", target], cwd=ROOT).returncode != 0:
        raise SystemExit(f"error: building {target} failed (above)")
    return ROOT / "bazel-bin" / built


def find_train(given):
    """Returns the train program."""
    return find_program("--train", given, "//:train", "ray_actors/train")


def begin(given):
    """Begins a benchmark: returns the train program and the machine's description, which it prints."""
    end_on_sigterm()
    train = find_train(given)
    machine = describe_machine()
    print(f"# {machine_text(machine)}", flush=True)
    return train, machine


def config_flag(given):
    """Returns the value of --config for a run that starts in the repository, whatever the user's folder is."""
    path = pathlib.Path(given)
    return given if (ROOT / path).exists() or not path.exists() else str(path.resolve())


def end_on_sigterm():
    """Makes SIGTERM end a benchmark like Ctrl-C: its own runs and clusters end with it."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def run_to_its_end(command, output, limit_s=None, variables=None):
    """Runs a command. Returns its exit code, or None after the time limit. Leaves no process behind if interrupted."""
    environment = {"DRAY_PYTHON_MODULES": str(ROOT / "src/python"), **os.environ, **(variables or {})}
    process = subprocess.Popen(
        [str(word) for word in command],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        return process.wait(limit_s)
    except subprocess.TimeoutExpired:
        return None
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(ENDING_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def error_line(text, code):
    """Returns the error line of a failed command, else its last line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith(("dray: ", "cluster: "))]
    if errors:
        return errors[-1]
    ended = f"ended by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
    return f"{ended}; its last line: {lines[-1]}" if lines else f"{ended}; it said nothing"


def preflight(train, flags):
    """Returns environments, shards, samples and megabytes per epoch of a run, without running it."""
    with tempfile.TemporaryFile("w+") as output:
        code = run_to_its_end([train, *flags, "--dry-run"], output)
        output.seek(0)
        text = output.read()
    if code != 0:
        raise TrainingFailed(error_line(text, code))
    return read_preflight(text)


def read_preflight(text):
    scale = re.search(r"^  scale +([\d,]+) environments? in ([\d,]+) shard", text, re.M)
    epoch = re.search(r"^  epoch .* = ([\d,]+) samples?, ([\d.]+) (\w+)$", text, re.M)
    if not scale or not epoch:
        raise TrainingFailed("the dry run shows neither scale nor epoch: is this another version of train?")

    def whole(words):
        return int(words.replace(",", ""))

    return {
        "envs": whole(scale[1]),
        "workers": whole(scale[2]),
        "samples_per_epoch": whole(epoch[1]),
        "rollout_mb": float(epoch[2]) * BYTES[epoch[3]] / 1e6,
    }


def train_once(train, flags, limit_s=None, variables=None):
    """Runs one training in a temporary folder and returns its reports."""
    with tempfile.TemporaryDirectory(prefix="dray-bench-") as folder:
        run, log = pathlib.Path(folder) / "run", pathlib.Path(folder) / "log"
        # Only training: the evaluation at the end is short and not counted, and no checkpoint is written in between.
        command = [train, "--log-interval", "1", "--set", "evaluation.episodes=1", *flags, "--run-dir", run]
        command += ["--save-interval", "0", "--set", "run.recovery_interval_s=86400"]
        with open(log, "w") as output:
            code = run_to_its_end(command, output, limit_s, variables)
        if code is None:
            raise TrainingFailed(f"not finished after {limit_s:.0f} s")
        if code != 0:
            raise TrainingFailed(error_line(log.read_text(errors="replace"), code))
        return read_reports(run / "metrics.jsonl")


def train_own_env(env, settings, variables=None):
    """Trains on an environment in Python, on the CPU with the train program that is built, and returns the reports. Environments run in the
    Python that runs this."""
    flags = ["--env", env, "--runner", "local", "--device", "cpu", "--set", "run.tensorboard=false"]
    for path, value in settings.items():
        flags += ["--set", f"{path}={value}"]
    try:
        return train_once(
            ROOT / "bazel-bin/ray_actors/train", flags, variables={"DRAY_PYTHON": sys.executable, **(variables or {})}
        )
    except TrainingFailed as error:
        raise SystemExit(f"error: {env}: {error}") from None


def read_reports(path):
    try:
        return [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]
    except (OSError, ValueError) as error:
        raise TrainingFailed(f"no metrics to read: {error}") from None


def measure(reports):
    """Returns speeds, times per epoch and memory of a run (names: configs/METRICS.md), without its first epoch, a warm-up."""
    if len(reports) < 2:
        raise TrainingFailed(f"{len(reports)} report(s): at least 2 epochs are needed, as the first does not count")
    before, counted = reports[0], reports[1:]

    def total(name):
        return sum(report.get(name) or 0.0 for report in counted)

    epochs = counted[-1]["epoch"] - before["epoch"]
    steps = counted[-1]["total_steps"] - before["total_steps"]
    elapsed_s = counted[-1]["time/elapsed_s"] - before["time/elapsed_s"]
    elapsed_s -= total("time/evaluate_s") + total("time/checkpoint_s")

    def rate(seconds):
        return steps / seconds if seconds > 0 else float("nan")

    result = {
        "epochs": epochs,
        "epoch_s": elapsed_s / epochs,
        "samples_per_s": rate(elapsed_s),
        "rollout_samples_per_s": rate(total("time/rollout_s")),
        "not_learning_samples_per_s": rate(elapsed_s - total("time/learn_s")),
        "batches_dropped": counted[-1].get("batches/dropped") or 0,
        "memory_mb": max(memory_mb(report) for report in reports),
        "shard_busy": busy_share(counted, "shard-"),
        "learner_busy": busy_share(counted, "learner"),
    }
    # On Ray, the number of shards may depend on the cluster's CPUs; a local run uses that of its dry run.
    shards = {name.split("/")[1] for report in counted for name in report if name.startswith("actor/shard-")}
    if shards:
        result["workers"] = len(shards)
    result.update({f"{phase}_s": total(f"time/{phase}_s") / epochs for phase in PHASES})
    return result


def memory_mb(report):
    """Returns the resident memory of the reporting process and, on Ray, of the run's actors."""
    actors = [value for name, value in report.items() if name.startswith("actor/") and name.endswith("/memory_mb")]
    return (report.get("memory/rss_mb") or 0.0) + sum(value or 0.0 for value in actors)


def gpu_memory_mb(reports):
    """Returns the most memory of GPUs in any report; None if the run used no GPU."""
    return max((report.get("memory/gpu_mb") or 0 for report in reports), default=0) or None


def busy_share(reports, actor):
    """Returns the busy share of the actors whose names start with this prefix; NaN without actors."""
    sums = {"busy_s": 0.0, "waiting_s": 0.0, "transfer_s": 0.0}
    for report in reports:
        for name, value in report.items():
            figure = name.rpartition("/")[2]
            if name.startswith(f"actor/{actor}") and figure in sums:
                sums[figure] += value or 0.0
    return sums["busy_s"] / sum(sums.values()) if sum(sums.values()) > 0 else float("nan")


class RayCluster:
    """The cluster of RAY_ADDRESS, else the one running on this machine, else our own, from first use to the end."""

    def __init__(self):
        self.folder = None
        self.error = ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.folder:
            address = os.environ.get("RAY_ADDRESS", "")
            port = ["--port", address.rpartition(":")[2]] if address else []
            subprocess.run(self._script("stop", *port), stdout=subprocess.DEVNULL, start_new_session=True)
            shutil.rmtree(self.folder, ignore_errors=True)
            os.environ.pop("RAY_ADDRESS", None)
            self.folder = None

    def ensure(self):
        if self.error:
            raise TrainingFailed(self.error)
        if not self.folder and not os.environ.get("RAY_ADDRESS") and not running_cluster():
            self._start()

    def _start(self):
        say("no Ray cluster is running here: starting one for these runs")
        # Always in /tmp, because the paths of Ray's sockets must be short.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="dr-", dir="/tmp"))
        with tempfile.TemporaryFile("w+") as output:
            code = run_to_its_end(self._script("start", "--port", "0", "--object-store-gb", "1"), output)
            output.seek(0)
            text = output.read()
        if code != 0:
            self.error = error_line(text, code)
            raise TrainingFailed(self.error)
        os.environ["RAY_ADDRESS"] = re.search(r"RAY_ADDRESS=(\S+)", text)[1]

    def _script(self, command, *flags):
        return [str(ROOT / "scripts/cluster.sh"), command, "--temp-dir", str(self.folder / "r"), *flags]


def running_cluster():
    """Returns the address of the cluster that the train command would find by itself, or an empty one."""
    sys.path.insert(0, str(ROOT / "src/python"))
    from dray import cluster_check

    sys.path.pop(0)
    return cluster_check.find_address("", [])[0]
