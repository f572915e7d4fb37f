"""In a few seconds, an agent learns to balance CartPole: the whole loop works, not just its parts. Arguments: train, and the
environment: cartpole, or Gymnasium's."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

TRAIN, ENV = os.path.abspath(sys.argv[1]), sys.argv[2]


def main():
    with tempfile.TemporaryDirectory() as folder:
        run = pathlib.Path(folder) / "run"
        command = [
            TRAIN,
            "--config",
            "configs/cartpole_zoo.yaml",
            "--env",
            ENV,
            "--runner",
            "local",
            "--run-dir",
            run,
            "--device",
            "cpu",
            "--set",
            "scale.envs_per_shard=8",
        ]
        environment = {**os.environ, "DRAY_PYTHON": sys.executable}
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
        last = json.loads((run / "metrics.jsonl").read_text().splitlines()[-1])
    score = last["eval/return_mean"]
    print(f"return {score:.1f} after {last['total_steps']:,} steps (published 500, a random agent 22)")
    sys.exit(0 if score >= 475 else 1)


if __name__ == "__main__":
    main()
