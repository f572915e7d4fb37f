"""The cyber-defence game with the full recipes: one policy for all red agents, better with every seed than the challenge's winner
(and than -58 under today's rules); specialists better than the published plain PPO, and under today's rules than the original;
workflows that are followed by the policies that are handed over.

Takes about half an hour on two cores, so it is not part of `bazel test //...`:

    bazel test //tests/learning:cage2_scores_test --test_output=streamed

It prints a table of what was measured. For a few recipes alone, or from a build at hand (runs are kept in FOLDER, and those
that are there already are gone on with):

    python tests/learning/cage2_scores_test.py bazel-bin/ray_actors/{train,evaluate,search} FOLDER bline workflows

scripts/bench/cage2_learning.py has more seeds and more orders.
"""

import concurrent.futures
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

PROCESSES = 2  # at a time
EPISODES = 1000

TRAIN, EVALUATE, SEARCH = (os.path.abspath(path) for path in sys.argv[1:4])
CONFIGS = pathlib.Path("configs").resolve()

LEADERBOARD, HEAD = ("--release", "leaderboard"), ("--release", "head")
ON_HEAD = ("--set", "env.cage2.release=head")
WINNER = {"bline": "-3.47 / -6.41 / -13.76", "meander": "-5.64 / -8.69 / -16.60", "total": "-54.57"}
WINNERS_TOTAL = -54.57  # under the leaderboard's rules
TOTAL_ON_HEAD = -58  # nobody published one
PLAIN_PPO = {"bline": -17.19, "meander": -22.94}
SEEDS = (1, 2, 3)  # of the policy for all red agents

# Recipe: its config with flags, the rules of the evaluation, whom it meets there ("all": nine scores and their total), and
# what its return (at 100 steps, or the total) must be better than.
RECIPES = {
    "bline": dict(config="cage2_bline", rules=LEADERBOARD, red="bline", bound=PLAIN_PPO["bline"]),
    "meander": dict(config="cage2_meander", rules=LEADERBOARD, red="meander", bound=PLAIN_PPO["meander"]),
    "bline_head": dict(config="cage2_bline", flags=ON_HEAD, rules=HEAD, red="bline", bound=-20),
    "meander_head": dict(config="cage2_meander", flags=ON_HEAD, rules=HEAD, red="meander", bound=-20),
}
for seed in SEEDS:
    seeded = ("--seed", str(seed))
    RECIPES[f"mixture_{seed}"] = dict(
        config="cage2_mixture", flags=seeded, rules=LEADERBOARD, red="all", bound=WINNERS_TOTAL
    )
    RECIPES[f"mixture_head_{seed}"] = dict(
        config="cage2_mixture", flags=(*ON_HEAD, *seeded), rules=HEAD, red="all", bound=TOTAL_ON_HEAD
    )

# Random orders of the five kinds of machines, each learned by configs/cage2_workflow.yaml.
ORDERS = 20
ENOUGH = 18
COMPLIANCE = 0.95
ORIGINAL = -114  # the best return of the original's three that complied, of 20


def finish(program, run, config, *flags):
    """A whole run; one that is there is gone on with, if there is anything left to do."""
    command = [
        program,
        "--config",
        CONFIGS / f"{config}.yaml",
        "--runner",
        "local",
        "--device",
        "cpu",
        "--run-dir",
        run,
    ]
    command = [program, "--resume", run] if (run / "config.yaml").exists() else [*command, *flags]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def play(folder, name):
    """The evaluation of one recipe, and the seconds that its training took."""
    recipe = RECIPES[name]
    started = time.monotonic()
    finish(TRAIN, folder / name, recipe["config"], *recipe.get("flags", ()))
    seconds = time.monotonic() - started
    command = [EVALUATE, "--run-dir", folder / name, *recipe["rules"], "--red", recipe["red"]]
    command += ["--episodes", str(EPISODES), "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout), seconds


def score(result):
    return result["total"] if "total" in result else result["returns"]["100"]["mean"]


def rows(name, result, seconds, good):
    """A line for each red that was met, then what counts."""
    recipe = RECIPES[name]
    winner = WINNER if recipe["rules"] == LEADERBOARD else {}
    total = recipe["red"] == "all"
    lines = []
    for red, played in (result["scores"] if total else {recipe["red"]: result}).items():
        cells = " / ".join(f"{spread['mean']:.2f} ({spread['std']:.2f})" for spread in played["returns"].values())
        lines.append(f"| {name} | {red} | {cells} | {winner.get(red, '–')} | | | |")
    lines.append(
        f"| {name} | {'total of nine' if total else 'at 100 steps'} | {score(result):.2f} "
        f"| {winner.get('total', '–') if total else ''} | > {recipe['bound']} | {seconds:.0f} | {'yes' if good else '**no**'} |"
    )
    return "\n".join(lines)


def play_recipes(folder, names):
    returns = f"mean (std) at 30 / 50 / 100 steps, {EPISODES} episodes"
    print(f"| recipe | red | {returns} | published winner | pass | seconds | passed |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    failures = []
    with concurrent.futures.ThreadPoolExecutor(PROCESSES) as pool:
        plays = {name: pool.submit(play, folder, name) for name in names}
        for name, future in plays.items():
            result, seconds = future.result()
            good = score(result) > RECIPES[name]["bound"]
            print(rows(name, result, seconds, good), flush=True)
            if not good:
                failures.append(f"{name}: {score(result):.2f} is not better than {RECIPES[name]['bound']}")
    return failures


def follow_orders(folder):
    run = folder / "workflows"
    numbers = ("--workflows", str(ORDERS), "--parallel", str(PROCESSES), "--seed", "1")
    finish(SEARCH, run, "cage2_workflow", "--strategy", "random", *numbers)
    with open(run / "search.csv") as lines:
        trials = list(csv.DictReader(lines))
    assert len({trial["workflow"] for trial in trials}) == ORDERS, trials
    print(f"\n| order | compliance | return | complies and > {ORIGINAL} |\n| --- | ---: | ---: | --- |")
    passed = 0
    for trial in trials:
        # Both of the final policy, over search.episodes.
        compliance, environment = float(trial["compliance (share)"]), float(trial["return_mean (reward)"])
        good = compliance >= COMPLIANCE and environment > ORIGINAL
        passed += good
        cells = (trial["workflow"], f"{compliance:.3f}", f"{environment:.1f}", "yes" if good else "no")
        print("| " + " | ".join(cells) + " |")
    print(f"{passed} of {ORDERS} (the original: 3 of 20)")
    return [] if passed >= ENOUGH else [f"workflows: {passed} of {ORDERS} orders, {ENOUGH} were wanted"]


def main():
    folder = pathlib.Path(sys.argv[4] if len(sys.argv) > 4 else tempfile.mkdtemp())
    names = sys.argv[5:] or [*RECIPES, "workflows"]
    started = time.monotonic()
    failures = []
    if recipes := [name for name in names if name != "workflows"]:
        failures += play_recipes(folder, recipes)
    if "workflows" in names:
        failures += follow_orders(folder)
    print(f"\n{time.monotonic() - started:.0f} s")
    assert not failures, "; ".join(failures)


if __name__ == "__main__":
    main()
