"""A minute of training on short delivery days beats never shifting, random shifts and the greedy rule, judged from scratch."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

TRAIN, EVALUATE = (os.path.abspath(path) for path in sys.argv[1:3])
CONFIG = pathlib.Path("configs/dvrptw_best.yaml").resolve()


def main():
    with tempfile.TemporaryDirectory() as folder:
        run = os.path.join(folder, "run")
        command = [
            TRAIN,
            "--config",
            CONFIG,
            "--runner",
            "local",
            "--run-dir",
            run,
            "--device",
            "cpu",
            "--set",
            "scale.envs_per_shard=32",
            "--customers",
            "12",
        ]
        command += ["--episodes", str(64 * 120), "--seed", "3", "--set", "run.log_interval=20"]
        # Rollouts wait for the beliefs, so that the run is the same on every machine.
        command += ["--set", "env.dvrptw.flexibility.synchronous=true"]
        subprocess.run(command, check=True)
        command = [EVALUATE, "--run-dir", run, "--baselines", "random,myopic_believed", "--episodes", "256", "--json"]
        result = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    learned = {policy["policy"]: policy["learned_less_this"] for policy in result["policies"]}
    for baseline in ("none", "random", "myopic_believed"):
        difference = learned[baseline]
        print(f"learned minus {baseline}: {difference['mean']:+.2f} ± {difference['ci95']:.2f} min")
        assert difference["mean"] + difference["ci95"] < 0, f"not better than {baseline}"


if __name__ == "__main__":
    main()
