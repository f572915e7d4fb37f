"""In half a minute, an intruder learns to do more harm to a sleeping network than the challenge's own."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

TRAIN, EVALUATE = (os.path.abspath(path) for path in sys.argv[1:3])
CONFIG = pathlib.Path("configs").resolve() / "cage2_red.yaml"

# What B_line does to it in 100 steps in the official game, today's rules.
BLINE = 1133.8


def main():
    with tempfile.TemporaryDirectory() as folder:
        run = pathlib.Path(folder) / "red"
        command = [
            TRAIN,
            "--config",
            CONFIG,
            "--runner",
            "local",
            "--device",
            "cpu",
            "--set",
            "scale.envs_per_shard=13",
            "--run-dir",
            run,
        ]
        command += ["--episodes", "2500", "--set", "env.cage2_red.release=head", "--set", "evaluation.episodes=10"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        command = [EVALUATE, "--env", "cage2", "--policy", "sleep", "--red", "learned", "--red-policy", run]
        command += ["--episodes", "200", "--json"]
        result = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        harm = -result["returns"]["100"]["mean"]
        print(f"a network asleep loses {harm:.1f} in 100 steps (to B_line {BLINE})")
        assert harm > BLINE + 30, "not learned"


if __name__ == "__main__":
    main()
