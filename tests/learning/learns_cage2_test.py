"""In half a minute, defenders learn the cyber-defence game: to follow a workflow, and to be hardly hurt without one."""

import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

TRAIN, EVALUATE, SEARCH = (os.path.abspath(path) for path in sys.argv[1:4])
CONFIGS = pathlib.Path("configs").resolve()

# The lowest return of the original's workflows with as much compliance.
ORIGINAL = -204


def follows_workflows(folder):
    """An order and its reverse, which have nothing in common, each until its policy complies."""
    command = [
        SEARCH,
        "--config",
        CONFIGS / "cage2_workflow_original.yaml",
        "--runner",
        "local",
        "--run-dir",
        folder / "search",
    ]
    command += [
        "--workflows",
        "2",
        "--parallel",
        "2",
        "--device",
        "cpu",
        "--set",
        "search.random_share=0",
        "--set",
        "scale.envs_per_shard=25",
    ]
    command += ["--set", "train.early_stop.stat=compliance"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with open(folder / "search/search.csv") as lines:
        trials = list(csv.DictReader(lines))
    assert len({trial["workflow"] for trial in trials}) == 2, trials
    for trial in trials:
        score, compliance = float(trial["return_mean (reward)"]), float(trial["compliance (share)"])
        print(f"{trial['workflow']}: return {score:.1f}, compliance {compliance:.3f} after {trial['updates']} updates")
        assert trial["stopped_early"] == "1" and compliance >= 0.95, "does not comply"
        assert score > ORIGINAL, f"not better than {ORIGINAL}"


def stops_bline(folder):
    """A twentieth of the winner's episodes."""
    command = [TRAIN, "--config", CONFIGS / "cage2_bline.yaml", "--runner", "local", "--run-dir", folder / "run"]
    command += [
        "--device",
        "cpu",
        "--set",
        "scale.envs_per_shard=13",
        "--episodes",
        "6000",
        "--set",
        "evaluation.episodes=10",
    ]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    command = [EVALUATE, "--run-dir", folder / "run", "--release", "leaderboard", "--red", "bline"]
    command += ["--episodes", "200", "--json"]
    result = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    score = result["returns"]["100"]["mean"]
    print(
        f"B_line: return {score:.1f} at 100 steps (published winner -13.76, the organisers' PPO -30.19, asleep -1134)"
    )
    assert score > -30, "not learned"


def main():
    with tempfile.TemporaryDirectory() as folder:
        follows_workflows(pathlib.Path(folder))
        stops_bline(pathlib.Path(folder))


if __name__ == "__main__":
    main()
