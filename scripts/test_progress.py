#!/usr/bin/env python3
"""Runs `bazel test` and shows progress; ends with one line "N passed, N failed".

usage: scripts/test_progress.py [flags of bazel test] -- targets

Shows the number of finished actions and tests at most every 20 seconds (on a terminal: one line, rewritten), and at the end the outcome,
seconds and name of each test. Errors, warnings and the output of failed tests are printed as Bazel prints them.
"""

import os
import re
import selectors
import subprocess
import sys
import time

QUIET_S = 20
POLL_S = 0.25
ACTIONS = re.compile(r"\[([\d,]+) / ([\d,]+)\] (.*)")
SUMMARY = re.compile(
    r"(?P<label>//\S+) +(?P<cached>\(cached\) )?(?P<outcome>PASSED|FLAKY|TIMEOUT|FAILED TO BUILD|FAILED|INCOMPLETE|REMOTE FAILURE|NO STATUS)"
    r"(, failed)?( in (\d+ out of \d+ in )?(?P<seconds>[\d.]+)s)?\s*$"
)
NOISE = re.compile(
    r"(Loading|Analyzing):|INFO: (Invocation ID|Build Event Protocol)|There were tests whose specified size"
)


class Screen:
    """Prints permanent lines and one line of progress."""

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
    """Collects the outcome of each test from Bazel's final summary. (Build events would be earlier, but make Bazel fail with an
    internal error if its native library is missing, as on Debian's aarch64.)"""

    def __init__(self, screen):
        self.screen = screen
        self.outcomes = {}

    def read(self, line):
        """Returns True if the line is part of the summary."""
        found = SUMMARY.match(line)
        if not found:
            return False
        label, outcome = found["label"], found["outcome"]
        self.outcomes[label] = outcome
        seconds = f"{found['seconds']} s" if found["seconds"] else ""
        cached = " (cached)" if found["cached"] else ""
        self.screen.say(f"{outcome.lower() if outcome == 'PASSED' else outcome:<7} {seconds:>8}{cached}  {label}")
        return True

    def failed(self):
        return {label: outcome for label, outcome in self.outcomes.items() if outcome != "PASSED"}


class Lines:
    """Returns the lines available in a pipe, after a short wait for the first."""

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
            yield from (
                line.decode(errors="replace") for line in lines + [self.rest] * (self.ended and self.rest != b"")
            )


def show(line, screen, results):
    """Shows a line of Bazel's output, as progress if it reports progress."""
    actions = ACTIONS.match(line)
    if actions:
        rest = re.sub(r"^([\d,]+) / ([\d,]+) tests", r"\1 of \2 tests", actions[3])
        screen.progress(f"{actions[1]} of {actions[2]} actions, {rest}")
    elif not results.read(line) and not NOISE.match(line):
        screen.say(line)


def run(flags, screen, results):
    """Runs Bazel and returns its exit code."""
    command = ["bazel", "test", "--keep_going", "--test_summary=short", *flags]
    bazel = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    lines = Lines(bazel.stdout)
    while not lines.ended:
        try:
            for line in lines:
                show(line, screen, results)
        except KeyboardInterrupt:
            pass  # Bazel got it, too, and ends
    return bazel.wait()


def main():
    screen = Screen(sys.stdout)
    results = Results(screen)
    status = run(sys.argv[1:], screen, results)
    failed = results.failed()
    passed = len(results.outcomes) - len(failed)
    for label, outcome in sorted(failed.items()):
        screen.say(f"{outcome}: {label}")
    # A build that failed before any test, or no test at all, is also a failure.
    failures = len(failed) or (1 if status != 0 or passed == 0 else 0)
    screen.say(f"{passed} passed, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    if sys.argv[1:2] in (["-h"], ["--help"]):
        print(__doc__.strip())
        sys.exit(0)
    sys.exit(main())
