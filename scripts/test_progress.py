#!/usr/bin/env python3
"""Runs `bazel test` and shows how far it is; ends with one line "N passed, N failed".

usage: scripts/test_progress.py [flags of bazel test] -- targets

While it builds: how many actions are done, at most every 20 seconds (on a terminal: one line, rewritten). As each test ends: its
number, outcome, seconds and name. The output of failed tests, errors and warnings are passed on as Bazel prints them.
"""

import json
import os
import pathlib
import re
import selectors
import subprocess
import sys
import tempfile
import time

QUIET_S = 20
POLL_S = 0.25
ACTIONS = re.compile(r"\[([\d,]+) / ([\d,]+)\] (.*)")
TESTS_FOUND = re.compile(r"INFO: Found .*?([\d,]+) test targets?\.\.\.")
NOISE = re.compile(r"(Loading|Analyzing):|INFO: (Invocation ID|Build Event Protocol)|There were tests whose specified size")


class Screen:
    """Lines that stay, and one that says how far we are."""

    def __init__(self, out):
        self.out, self.terminal = out, out.isatty()
        self.start, self.said = time.monotonic(), float("-inf")

    def say(self, line):
        self._erase()
        print(line, file=self.out, flush=True)

    def progress(self, text):
        now = time.monotonic()
        if not self.terminal and now - self.said < QUIET_S:
            return
        self.said = now
        minutes, seconds = divmod(int(now - self.start), 60)
        line = f"{minutes:3d}:{seconds:02d}  {text}"
        self._erase()
        if self.terminal:
            line = line[: os.get_terminal_size(self.out.fileno()).columns - 1]
        print(line, end="" if self.terminal else "\n", file=self.out, flush=True)

    def _erase(self):
        if self.terminal:
            print("\r\033[K", end="", file=self.out)


class Results:
    """What became of each test, from Bazel's build events."""

    def __init__(self, screen):
        self.screen = screen
        self.tests = set()
        self.outcomes = {}
        self.found = 0
        self.not_analysed = 0  # Bazel does not count these among the tests that it found

    def read(self, event):
        kind, name = next(iter(event["id"].items()))
        label = name.get("label")
        if kind == "targetConfigured" and "testSize" in event.get("configured", {}):
            self.tests.add(label)
        elif kind == "targetCompleted" and label in self.tests and not event.get("completed", {}).get("success"):
            self.not_analysed += "aborted" in event
            self._ended(label, "FAILED TO BUILD", "")
        elif kind == "testSummary":
            summary = event["testSummary"]
            seconds = int(summary.get("totalRunDurationMillis", 0)) / 1000
            cached = " (cached)" if summary.get("totalNumCached") else ""
            self._ended(label, summary.get("overallStatus", "NO_STATUS").replace("_", " "), f"{seconds:.1f} s{cached}")

    def _ended(self, label, outcome, seconds):
        self.outcomes[label] = outcome
        of = f"{len(self.outcomes)} of {self.found + self.not_analysed}"
        self.screen.say(f"{of:>10}  {outcome.lower() if outcome == 'PASSED' else outcome:<7} {seconds:>8}  {label}")

    def failed(self):
        return {label: outcome for label, outcome in self.outcomes.items() if outcome != "PASSED"}


class Events:
    """The events of a file that grows."""

    def __init__(self, path):
        self.path, self.file, self.rest = path, None, ""

    def __iter__(self):
        if not self.file and self.path.exists():
            self.file = open(self.path)
        *lines, self.rest = (self.rest + (self.file.read() if self.file else "")).split("\n")
        return iter([json.loads(line) for line in lines if line])


class Lines:
    """The lines of a pipe: those that are there now, after a moment's wait for the first."""

    def __init__(self, pipe):
        self.pipe, self.rest, self.ended = pipe, b"", False
        self.ready = selectors.DefaultSelector()
        self.ready.register(pipe, selectors.EVENT_READ)

    def __iter__(self):
        wait_s = POLL_S
        while not self.ended and self.ready.select(wait_s):
            wait_s = 0
            text = os.read(self.pipe.fileno(), 1 << 16)
            self.ended = not text
            *lines, self.rest = (self.rest + text).split(b"\n")
            yield from (line.decode(errors="replace") for line in lines + [self.rest] * (self.ended and self.rest != b""))


def show(line, screen, results):
    """A line of Bazel's: where it says how far it is, that; else itself."""
    actions, found = ACTIONS.match(line), TESTS_FOUND.match(line)
    if found:
        results.found = int(found[1].replace(",", ""))
    if actions:
        rest = re.sub(r"^([\d,]+) / ([\d,]+) tests", r"\1 of \2 tests", actions[3])
        screen.progress(f"{actions[1]} of {actions[2]} actions, {rest}")
    elif not NOISE.match(line):
        screen.say(line)


def run(flags, screen, results, folder):
    """The exit code of Bazel."""
    events = Events(pathlib.Path(folder) / "events.json")
    command = ["bazel", "test", "--keep_going", "--test_summary=none", f"--build_event_json_file={events.path}", *flags]
    bazel = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    lines = Lines(bazel.stdout)
    while not lines.ended:
        try:
            # Events first: what Bazel printed before them (how many tests there are) is then shown before them.
            seen = list(events)
            for line in lines:
                show(line, screen, results)
            for event in seen:
                results.read(event)
        except KeyboardInterrupt:
            pass  # Bazel got it, too, and ends
    status = bazel.wait()
    for event in events:
        results.read(event)
    return status


def main():
    screen = Screen(sys.stdout)
    results = Results(screen)
    with tempfile.TemporaryDirectory(prefix="dray-test-") as folder:
        status = run(sys.argv[1:], screen, results, folder)
    failed = results.failed()
    passed = len(results.outcomes) - len(failed)
    for label, outcome in sorted(failed.items()):
        screen.say(f"{outcome}: {label}")
    # A build that broke before any test, or no test at all, is a failure too.
    failures = len(failed) or (1 if status != 0 or passed == 0 else 0)
    screen.say(f"{passed} passed, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    if sys.argv[1:2] in (["-h"], ["--help"]):
        print(__doc__.strip())
        sys.exit(0)
    sys.exit(main())
