"""A training that is killed at any write, sync, rename or removal of its files, and resumed, leaves the run folder that it
would have left undisturbed.

A sample of these points takes seconds each, so all of them are tried by name alone, with the argument --every:

    bazel test //tests/commands:every_kill_point_test
"""

import collections
import re
import shutil
import signal
import subprocess
import sys
import unittest

import commands
from tensorboard.backend.event_processing import event_accumulator

EVERY = "--every" in sys.argv
if EVERY:
    sys.argv.remove("--every")

RUN = "the_run"
CALLS = (
    "write",
    "pwrite64",
    "fsync",
    "fdatasync",
    "ftruncate",
    "rename",
    "renameat",
    "renameat2",
    "unlink",
    "unlinkat",
)
# Recovery checkpoints between the numbered ones, of which one is kept; everything written by the main thread.
FLAGS = (
    "--epochs",
    "4",
    "--save-interval",
    "2",
    "--set",
    "run.keep_checkpoints=1",
    "--set",
    "run.recovery_interval_s=1e-6",
)
FLAGS += ("--set", "evaluation.interval=1", "--set", "scale.threads=1", "--set", "scale.learner_threads=1")
STARTED = re.compile(r"^(\w+)\((.*)")

# The kill is to come before the call of this name that is the number-th of the main thread.
Point = collections.namedtuple("Point", "call number text")


def traceable():
    try:
        return subprocess.run(["strace", "true"], capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


def without_times(checkpoint):
    """A checkpoint's bytes less its checksum and the time it took to get there."""
    return checkpoint[:16] + checkpoint[20:28] + checkpoint[36:]


@unittest.skipUnless(traceable(), "strace is not installed, or may not trace here")
class KillPointsTest(commands.CommandTest):
    def place(self, name):
        """A folder of its own, so that runs of the same name are the same in all they say."""
        place = self.folder / name
        place.mkdir()
        return place

    def command(self, place):
        """Goes on with the run of this place, or begins it."""
        if (place / RUN / "config.yaml").exists():
            return [commands.TRAIN, "--resume", RUN]
        return [commands.TRAIN, "--config", "../cartpole.yaml", "--run-dir", RUN, *FLAGS]

    def run_in(self, place, *command):
        return subprocess.run(
            command, cwd=place, env=commands.environment(), capture_output=True, text=True, timeout=commands.PATIENCE_S
        )

    def finish(self, place):
        done = self.run_in(place, *self.command(place))
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout[-2000:])

    def points(self, place):
        """Those of what the command of this place is to do, which is then done."""
        log = place / "strace.log"
        traced = self.run_in(
            place,
            "strace",
            "-y",
            "-s",
            "0",
            "-o",
            str(log),
            "-e",
            "trace=" + ",".join(f"?{call}" for call in CALLS),
            *self.command(place),
        )
        self.assertEqual(traced.returncode, 0, traced.stderr[-2000:])
        seen, points = collections.Counter(), []
        for line in log.read_text().splitlines():
            started = STARTED.match(line)
            if not started:
                continue
            call, arguments = started.groups()
            seen[call] += 1
            if RUN in arguments:
                points.append(Point(call, seen[call], arguments))
        log.unlink()
        return points

    def kill_at(self, place, point):
        killed = self.run_in(
            place,
            "strace",
            "-o",
            "/dev/null",
            "-e",
            f"trace={point.call}",
            "-e",
            f"inject={point.call}:signal=KILL:when={point.number}",
            *self.command(place),
        )
        self.assertEqual(killed.returncode, -signal.SIGKILL, killed.stdout[-2000:] + killed.stderr[-2000:])

    def left(self, place):
        """What a run has left in its folder."""
        run = place / RUN
        files = {str(path.relative_to(run)): path for path in run.rglob("*") if path.is_file()}
        left = {name: b"" for name in files if not name.startswith("events.")}
        for name, path in files.items():
            if name.endswith(".ckpt"):
                left[name] = without_times(path.read_bytes())
            if name in ("config.yaml", "weights.pt"):
                left[name] = path.read_bytes()
        left["reports"] = self.metrics(run.relative_to(self.folder))
        accumulator = event_accumulator.EventAccumulator(str(run))
        accumulator.Reload()
        for tag in ("counters/epoch", "train/policy_loss", "eval/return_mean"):
            left[tag] = [(event.step, event.value) for event in accumulator.Scalars(tag)]
        return left

    def assert_left(self, place, undisturbed):
        left = self.left(place)
        self.assertEqual(left.keys(), undisturbed.keys())
        for name, content in left.items():
            self.assertTrue(content == undisturbed[name], f"{name} is another than of an undisturbed run")

    def test_killed_and_resumed_it_leaves_what_it_would_have_left(self):
        whole = self.place("whole")
        points = self.points(whole)
        undisturbed = self.left(whole)
        self.assertEqual(
            set(undisturbed) - {"reports", "counters/epoch", "train/policy_loss", "eval/return_mean"},
            {
                ".lock",
                "config.yaml",
                "metrics.jsonl",
                "weights.pt",
                "report.html",
                "checkpoints/best.ckpt",
                "checkpoints/epoch_00000004.ckpt",
            },
        )
        print(f"{len(points)} points", file=sys.stderr)
        # Something of everything.
        self.assertGreater(len(points), 50)
        calls = {point.call for point in points}
        self.assertLess({"write", "fsync", "fdatasync"}, calls)
        for kind in ("rename", "unlink"):
            self.assertTrue(any(call.startswith(kind) for call in calls), calls)
        for number in range(len(points)) if EVERY else self.sample(points):
            point = points[number]
            with self.subTest(f"{point.call} {point.number}", of=point.text):
                place = self.place(f"killed-{number}")
                self.kill_at(place, point)
                self.finish(place)
                self.assert_left(place, undisturbed)
                shutil.rmtree(place)

    def commit(self, points):
        """Where the last checkpoint comes to be."""
        return max(
            i for i, point in enumerate(points) if point.call.startswith("rename") and "epoch_00000004" in point.text
        )

    def sample(self, points):
        """Within the last save, where nothing comes that could make up for it; and some others."""
        commit = self.commit(points)
        return sorted({3, len(points) // 2, commit, commit + 1, commit + 4, len(points) - 4})

    def test_killed_while_it_repairs_it_is_repaired_the_next_time(self):
        whole, cut = self.place("whole"), self.place("cut")
        points = self.points(whole)
        undisturbed = self.left(whole)
        # The last save is done but for its consequences.
        self.kill_at(cut, points[self.commit(points) + 1])
        copy = self.folder / "copy"
        shutil.copytree(cut, copy)
        repairs = self.points(copy)
        self.assert_left(copy, undisturbed)
        for number in range(len(repairs)) if EVERY else (len(repairs) // 3, 2 * len(repairs) // 3):
            with self.subTest(f"{repairs[number].call} {repairs[number].number}", of=repairs[number].text):
                place = self.folder / f"repaired-{number}"
                shutil.copytree(cut, place)
                self.kill_at(place, repairs[number])
                self.finish(place)
                self.assert_left(place, undisturbed)
                shutil.rmtree(place)


if __name__ == "__main__":
    commands.main()
