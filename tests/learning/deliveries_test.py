"""configs/dvrptw_best.yaml, three seeds, ten minutes each: on 256 held-out episodes, judged from scratch, the learned policy is
better than never shifting, random and largest shifts and the myopic policy with believed types; and so it is with riders that it
never met. The 95 % interval of each paired difference excludes 0.

Takes about 40 minutes on two cores, so it is not part of `bazel test //...`:

    bazel test //tests/learning:deliveries_test --test_output=streamed

For other seeds, or from a build at hand (runs are kept in FOLDER, and those that are there already are judged alone):

    python tests/learning/deliveries_test.py bazel-bin/ray_actors/train bazel-bin/ray_actors/evaluate FOLDER 1 2 3
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

TRAIN, EVALUATE = (os.path.abspath(path) for path in sys.argv[1:3])
CONFIG = pathlib.Path("configs/dvrptw_best.yaml").resolve()
KNOWN = ("none", "random", "max_shift", "myopic_believed")
UNSEEN = KNOWN


def judged(run, *flags):
    """The comparison of a run's policy with simple ones."""
    command = [EVALUATE, "--run-dir", run, "--baselines", ",".join(KNOWN), "--episodes", "256", "--json", *flags]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["policies"]


def table(title, policies):
    print(
        f"\n{title}\n| policy | objective min | against none % | learned minus this, min |\n| --- | ---: | ---: | ---: |"
    )
    for policy in policies:
        less = policy["learned_less_this"]
        print(
            f"| {policy['policy']} | {policy['objective']['mean']:.1f} | {policy['against_none_pct']:+.2f} "
            f"| {less['mean']:+.2f} ± {less['ci95']:.2f} |",
            flush=True,
        )


def beaten(policies):
    return {p["policy"] for p in policies if p["learned_less_this"]["mean"] + p["learned_less_this"]["ci95"] < 0}


def main():
    folder = pathlib.Path(sys.argv[3] if len(sys.argv) > 3 else tempfile.mkdtemp())
    seeds = sys.argv[4:] or ["1", "2", "3"]
    failures = []
    for seed in seeds:
        run = folder / f"dvrptw_best-{seed}"
        if not (run / "checkpoints").exists():
            command = [TRAIN, "--config", CONFIG, "--runner", "local", "--run-dir", run, "--seed", seed]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        known = judged(run)
        table(f"seed {seed}, riders that were trained with", known)
        unseen = judged(run, "--set", "env.dvrptw.held_out_riders=true")
        table(f"seed {seed}, riders that were not", unseen)
        failures += [f"seed {seed}: not better than {name}" for name in KNOWN if name not in beaten(known)]
        failures += [
            f"seed {seed}, unseen riders: not better than {name}" for name in UNSEEN if name not in beaten(unseen)
        ]
    assert not failures, "; ".join(failures)


if __name__ == "__main__":
    main()
