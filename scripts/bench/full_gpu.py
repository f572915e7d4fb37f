#!/usr/bin/env python3
"""Trains while another process holds most of the GPU's memory, and prints what became of each run.

A batch that does not fit is computed in parts: by the oracle, by the learner, or both. Needs a machine with a GPU, and PyTorch in the Python
that runs this. The exit code is 1 if no run went on in parts.

  scripts/bench/full_gpu.py                                     3,000 to 1,200 MB of free memory
  scripts/bench/full_gpu.py --train build/train --free 2400,2000 --seconds 20
"""

import argparse
import subprocess
import sys

sys.dont_write_bytecode = True
from measuring import say
from training_runs import TrainingFailed, begin, measure, train_once

PRESET = ["--config", "dvrptw_256", "--runner", "local", "--device", "cuda"]
NEURAL = ["--set", "env.dvrptw.oracle.kind=neural"]

# Takes all of the GPU's memory but some, says so, and waits for the end of its input.
HOLD = """
import sys, torch
free, _ = torch.cuda.mem_get_info()
held = torch.empty(max(0, free - int(sys.argv[1]) * 2**20), dtype=torch.uint8, device="cuda")
print(torch.cuda.mem_get_info()[0] // 2**20, flush=True)
sys.stdin.read()
"""


class FullGpu:
    """Another process that leaves about this many megabytes of the GPU free; `free_mb` is how many there are."""

    def __init__(self, free_mb):
        command = [sys.executable, "-c", HOLD, str(free_mb)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        answer = self._process.stdout.readline()
        if not answer:
            self.__exit__()
            raise SystemExit("error: the GPU's memory cannot be held (above): is there a GPU, and PyTorch with CUDA?")
        self.free_mb = int(answer)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.communicate()


def whole_numbers(text):
    return [int(word) for word in text.split(",")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--free", type=whole_numbers, default=[3000, 2400, 2000, 1600, 1200], help="megabytes, comma-separated"
    )
    parser.add_argument("--seconds", type=int, default=10, help="length of each training (default 10)")
    parser.add_argument("--train", help="train program (default: built by Bazel)")
    arguments = parser.parse_args()
    with FullGpu(10**9):
        pass  # before anything is built: there is a GPU
    train, _ = begin(arguments.train)
    rows, in_parts = [], False
    for wanted in arguments.free:
        with FullGpu(wanted) as gpu:
            try:
                reports = train_once(train, [*PRESET, *NEURAL, "--duration", f"{arguments.seconds}s"], limit_s=300)
                splits = [reports[-1].get(f"memory/{part}_splits", 0) for part in ("oracle", "learner")]
                in_parts = in_parts or any(splits)
                cells = [f"{measure(reports)['samples_per_s']:,.0f}", *(f"{count:.0f}" for count in splits)]
            except TrainingFailed as failure:
                cells = [str(failure), "", ""]
        rows.append([f"{gpu.free_mb:,}", *cells])
        say(" | ".join(rows[-1]))
    print("\n| free GPU memory, MB | samples/s | oracle's batches halved | learner's minibatches halved |")
    print("| ---: | ---: | ---: | ---: |")
    for row in rows:
        print(f"| {' | '.join(row)} |")
    return 0 if in_parts else 1


if __name__ == "__main__":
    sys.exit(main())
