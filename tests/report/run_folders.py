"""Small run folders as train, search and evaluate write them, and the command that makes pages of them."""

import json
import os
import pathlib
import subprocess
import sys

PACKAGES = pathlib.Path(sys.argv.pop(1)).absolute().parents[2]
sys.path.insert(0, str(PACKAGES))

CONFIG = """\
env:
  name: {task}
train:
  seed: {seed}
ppo:
  learning_rate: {learning_rate}
run:
  dir: {folder}
"""


def picture(*shapes):
    """A drawing of these shapes on Dray's paper."""
    paper = '<rect width="800" height="400" fill="#fdfdfb" class="background"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="800" height="400">{paper}{"".join(shapes)}</svg>'


PICTURE = picture('<rect width="40" height="20" fill="#3b82c4"/>')


def route(colour, *stops):
    """The legs, arrows and stops of a vehicle on a map."""
    legs = [
        f'<path d="M {x} {y} Q 0 0 {to_x} {to_y}" fill="none" stroke="{colour}" class="leg"><title>vehicle 1</title></path>'
        f'<polygon points="{x} {y} {to_x} {to_y} 9 9" fill="{colour}" class="arrow"/>'
        for (x, y), (to_x, to_y) in zip(stops, stops[1:])
    ]
    return "".join(
        legs + [f'<circle cx="{x}" cy="{y}" r="5" fill="{colour}" stroke="#ffffff" class="stop"/>' for x, y in stops]
    )


def report(epoch, **further):
    """One of a run of four reports of 100 steps each, with names as in metrics.jsonl ("__" for "/")."""
    values = {
        "epoch": epoch,
        "total_steps": 100 * epoch,
        "completed_episodes": 10 * epoch,
        "progress": epoch / 4,
        "episode/return_mean": 10.0 * epoch,
        "episode/return_std": 2.0,
        "episode/return_min": 10.0 * epoch - 5,
        "episode/return_max": 10.0 * epoch + 5,
        "episode/stat/cost_min": 90.0 - epoch,
        "episode/stat/unserved": 0,
        "train/policy_loss": 0.1 / epoch,
        "train/entropy": 2.0 / epoch,
        "train/learning_rate": 0.001,
        "time/rollout_s": 1.0,
        "time/learn_s": 0.5,
        "time/elapsed_s": 2.0 * epoch,
        "time/steps_per_s": 50.0,
        "cpu/busy": 0.9,
    }
    return {**values, **{name.replace("__", "/"): value for name, value in further.items()}}


def evaluation(mean, std, episodes, ci95=1.0):
    return {"eval/return_mean": mean, "eval/return_std": std, "eval/return_ci95": ci95, "eval/episodes": episodes}


def gain(mean, ci95=6.2, rival=19.25, reference=-904.2):
    return {
        "eval/gain_mean": mean,
        "eval/gain_ci95": ci95,
        "eval/reference_return": reference,
        "eval/rival_gain": rival,
    }


def write_run(folder, task="cartpole", seed=1, learning_rate=0.001, first=None, last=None, reports=4):
    """A run whose first and last report have these metrics too."""
    folder.mkdir(parents=True)
    (folder / "config.yaml").write_text(CONFIG.format(task=task, seed=seed, learning_rate=learning_rate, folder=folder))
    lines = [report(epoch) for epoch in range(1, reports + 1)]
    lines[0].update(first or {})
    lines[-1].update(last or {})
    (folder / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def estimate(mean, ci95):
    return {"mean": mean, "ci95": ci95}


def score(policy, objective, against, learned_less):
    return {
        "policy": policy,
        "objective": estimate(objective, 4.0),
        "against_none": estimate(against, 1.0),
        "against_none_pct": against,
        "cost": estimate(objective, 4.0),
        "vehicles": estimate(3.0, 0.1),
        "acceptance": estimate(0.5, 0.1),
        "shift_min_per_rider": estimate(8.0, 1.0),
        "shift_min_by_type": [1.0, 2.0, 0.0, 9.0],
        "learned_less_this": estimate(learned_less, 1.5),
    }


def write_delivery_evaluation(folder):
    """Three days: the learned policy saves 5 minutes on day 2, 1 on day 1 and loses 2 on day 3."""
    folder.mkdir(parents=True)
    policies = [
        score("none", 100.0, 0.0, -1.3),
        score("myopic_believed", 99.5, -0.5, -0.8),
        score("learned", 98.7, -1.3, 0.0),
    ]
    beliefs = [
        {"type": 0, "belief": [0.9, 0.05, 0.05, 0.0], "known": True},
        {"type": 3, "belief": [0.6, 0.1, 0.1, 0.2], "known": True},
        {"type": 2, "belief": [0.25, 0.25, 0.25, 0.25], "known": False},
    ]
    (folder / "evaluation.json").write_text(
        json.dumps({"episodes": 3, "seed": 7, "unit": "min", "policies": policies, "beliefs": beliefs})
    )
    days = [
        ("none", 1, 100),
        ("none", 2, 100),
        ("none", 3, 100),
        ("learned", 1, 99),
        ("learned", 2, 95),
        ("learned", 3, 102),
    ]
    lines = [{"seed": 7, "episodes": 3}] + [
        {"policy": policy, "day": day, "objective_min": minutes} for policy, day, minutes in days
    ]
    (folder / "days.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    maps = {"learned": route("#d55e00", (10, 10), (200, 10), (200, 300)), "none": route("#0072b2", (10, 10), (200, 10))}
    for day in (1, 2):
        for policy, drawn in maps.items():
            (folder / f"episode_{day}_{policy}_routes.svg").write_text(picture(drawn))
            (folder / f"episode_{day}_{policy}_gantt.svg").write_text(PICTURE)
    return folder


def write_search(folder):
    folder.mkdir(parents=True)
    (folder / "config.yaml").write_text(CONFIG.format(task="cage2", seed=1, learning_rate=0.001, folder=folder))
    orders = [
        {
            "workflow": ["user", "server"],
            "trainings": 1,
            "counts": True,
            "return_mean": -10.0,
            "posterior_mean": -12.0,
            "posterior_sd": 2.0,
        },
        {
            "workflow": ["server", "user"],
            "trainings": 1,
            "counts": False,
            "return_mean": -30.0,
            "posterior_mean": -25.0,
            "posterior_sd": 3.0,
        },
    ]
    trial = {"episodes": 50, "return_ci95": 1.0, "compliance": 0.99}
    trials = [
        {
            "trial": 1,
            "workflow": ["user", "server"],
            "return_mean": -10.0,
            "counts": True,
            "predicted_mean": None,
            "predicted_sd": None,
            **trial,
        },
        {
            "trial": 2,
            "workflow": ["server", "user"],
            "return_mean": -30.0,
            "counts": False,
            "predicted_mean": -20.0,
            "predicted_sd": 5.0,
            **trial,
        },
    ]
    found = {
        "verdict": "too few trainings",
        "text": "Too few trainings to tell",
        "p": None,
        "trainings": 1,
        "better_by": 3.0,
        "better_by_ci95": 9.0,
        "order_share": 0.5,
        "order_sd": 2.0,
        "seed_sd": 2.0,
        "orders": orders,
        "trials": trials,
    }
    (folder / "search.json").write_text(json.dumps(found))
    return folder


def run_report(*arguments):
    """The command as a user runs it."""
    command = [sys.executable, "-m", "dray.report", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(PACKAGES), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
