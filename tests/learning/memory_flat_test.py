"""Memory stays flat (± 5 MB) over ten million CartPole steps, with checkpoints, evaluations and reports on the way.

Takes a few minutes, so it is not part of `bazel test //...`:

    bazel test //tests/learning:memory_flat_test --test_output=streamed
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

TRAIN = os.path.abspath(sys.argv[1])

STEPS = 10_000_000
LIMIT_MB = 5
WARM_UP = 0.1  # of the run: buffers, the allocator and the episodes' window fill

# Large batches and one pass over them: what is left is the loop itself, thousands of times.
CONFIG = f"""
env: {{name: cartpole}}
train: {{total_steps: {STEPS}, rollout_steps: 128}}
scale: {{num_envs: 32, envs_per_shard: 16}}
ppo: {{policy_epochs: 1, minibatch_size: 1024, learning_rate: 1e-3}}
network: {{hidden: [32, 32]}}
evaluation: {{interval: 50, episodes: 5}}
run: {{log_interval: 10, save_interval: 50, device: cpu}}
"""


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "flat.yaml").write_text(CONFIG)
        command = [TRAIN, "--config", folder / "flat.yaml", "--runner", "local", "--run-dir", folder / "run"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        reports = [json.loads(line) for line in (folder / "run/metrics.jsonl").read_text().splitlines()]
    assert reports[-1]["total_steps"] >= STEPS, reports[-1]["total_steps"]
    warm = [report["memory/rss_mb"] for report in reports if report["progress"] >= WARM_UP]
    first, low, high = warm[0], min(warm), max(warm)
    print(
        f"{reports[-1]['total_steps']:,} steps in {reports[-1]['time/elapsed_s']:.0f} s; resident memory {first:.1f} MB "
        f"after a tenth of them, then from {low:.1f} to {high:.1f} MB, {warm[-1]:.1f} MB at the end"
    )
    assert high - first <= LIMIT_MB and first - low <= LIMIT_MB, f"not flat within {LIMIT_MB} MB"


if __name__ == "__main__":
    main()
