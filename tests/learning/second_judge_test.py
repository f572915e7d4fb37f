"""Every policy of `evaluate --baselines all` on 64 held-out days of 30 riders, judged by Dray's judge and by PyVRP, which share no
code: both bring the policies into the same order, and their paired differences against no shifts agree.

Takes about ten minutes on two quiet cores, so it is not part of `bazel test //...`:

    bazel test //tests/learning:second_judge_test --test_output=streamed

A learned policy as well, from a build at hand (FOLDER keeps the days and PyVRP's prices):

    python tests/learning/second_judge_test.py bazel-bin/ray_actors/evaluate scripts/bench/judge.py FOLDER --run-dir RUN
"""

import os
import pathlib
import subprocess
import sys
import tempfile

EVALUATE, JUDGE = (os.path.abspath(path) for path in sys.argv[1:3])
DAYS = 64


def main():
    folder = pathlib.Path(sys.argv[3] if len(sys.argv) > 3 else tempfile.mkdtemp()).resolve()
    policy = sys.argv[4:] or ["--config", pathlib.Path("configs/dvrptw_best.yaml").resolve()]
    baselines = ("--baselines", "all", "--episodes", str(DAYS), "--out", folder)
    subprocess.run([EVALUATE, *policy, *baselines], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([sys.executable, JUDGE, folder / "days.jsonl", "--most", str(DAYS), "--out", folder], check=True)


if __name__ == "__main__":
    main()
