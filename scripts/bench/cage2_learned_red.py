#!/usr/bin/env python3
"""Measures how defenders of cage2 perform against a red agent trained against them, and after training against that agent.

Runs in rounds: red 1 learns against blue 0, blue 1 against a mixture of B_line, Meander and red 1, red 2 against blue 1, and so on. At the
end every blue plays every red; a Markdown table shows blue's mean total reward with its 95 % interval.

  scripts/bench/cage2_learned_red.py --blue runs/mixture                        two rounds of 20,000 episodes each
  scripts/bench/cage2_learned_red.py --blue runs/mixture --rounds 4 --red-episodes 100000 --blue-episodes 200000
  scripts/bench/cage2_learned_red.py --config cage2_mixture                     trains blue 0 first
  scripts/bench/cage2_learned_red.py --blue runs/mixture --rounds 1 --red-episodes 500 --blue-episodes 500 --episodes 50     a first look

A red is always trained from scratch (configs/cage2_red.yaml), against blue's most probable actions, with which blue is also evaluated. A
blue is trained with the settings of blue 0, starting from the networks of the previous blue unless --from-scratch is given. Results are
kept in --out: started again, the script resumes.
"""

import argparse
import json
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from measuring import describe_machine, machine_text, say  # noqa: E402
from training_runs import end_on_sigterm, error_line, find_program, find_train, run_to_its_end  # noqa: E402

SCRIPTED = {"bline": "B_line", "meander": "Meander"}


def run(command, what):
    """Runs a command and returns its output. If it fails, ends the script with its error line."""
    with tempfile.TemporaryFile("w+") as output:
        code = run_to_its_end(command, output)
        output.seek(0)
        text = output.read()
    if code != 0:
        raise SystemExit(f"error: {what}: {error_line(text, code)}")
    return text


def newest_checkpoint(folder):
    found = sorted((folder / "checkpoints").glob("epoch_*.ckpt"))
    if not found:
        raise SystemExit(f"error: {folder}: no checkpoint; give the folder of a finished run")
    return found[-1]


def settings(**values):
    return [word for path, value in values.items() for word in ("--set", f"{path.replace('__', '.')}={value}")]


class Contest:
    """The runs of one output folder by name; blue 0 may be elsewhere."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.out = arguments.out.resolve()
        self.out.mkdir(parents=True, exist_ok=True)
        self.folders = {}

    def train(self, name, flags):
        """Trains or resumes a run; does nothing if it is finished."""
        folder = self.out / name
        self.folders[name] = folder
        done = folder / "trained"
        if done.exists():
            return
        command = [self.arguments.train, "--runner", self.arguments.runner]
        if (folder / "config.yaml").exists():
            say(f"{name}: resuming")
            command += ["--resume", folder]
        else:
            say(f"{name}: training")
            command += [*flags, "--run-dir", folder, "--seed", self.arguments.seed, "--set", "evaluation.episodes=100"]
        said = run(command, name)
        done.write_text("")
        say(
            f"{name}: "
            + next((line.strip() for line in said.splitlines() if line.startswith("  evaluation")), "trained")
        )

    def first_blue(self):
        if self.arguments.blue:
            self.folders["blue0"] = self.arguments.blue.resolve()
            newest_checkpoint(self.folders["blue0"])
            return
        flags = ["--config", self.arguments.config, "--episodes", self.arguments.blue_episodes]
        self.train("blue0", flags + self.rules("cage2"))

    def rules(self, env):
        return ["--set", f"env.{env}.release={self.arguments.release}"]

    def train_red(self, number):
        blue = self.folders[f"blue{number - 1}"]
        flags = ["--config", "cage2_red", "--episodes", self.arguments.red_episodes, *self.rules("cage2_red")]
        flags += settings(env__cage2_red__blue=blue, env__cage2_red__blue_greedy="true")
        self.train(f"red{number}", flags)

    def train_blue(self, number):
        share = self.arguments.share
        rest = (1 - share) / len(SCRIPTED)
        mixture = ", ".join([*(f"{rest:.4f} {red}" for red in SCRIPTED), f"{share:.4f} learned"])
        before = self.folders[f"blue{number - 1}"]
        flags = [
            "--config",
            self.folders["blue0"] / "config.yaml",
            "--episodes",
            self.arguments.blue_episodes,
            *self.rules("cage2"),
        ]
        flags += settings(
            env__cage2__red=f'"{mixture}"',
            env__cage2__first_red='""',
            env__cage2__red_policy=self.folders[f"red{number}"],
        )
        flags += settings(run__init_from='""' if self.arguments.from_scratch else newest_checkpoint(before))
        self.train(f"blue{number}", flags)

    def score(self, blue, red):
        """Returns mean and half the 95 % interval of blue's return; reads it from the folder if it was measured before."""
        kept = self.out / "scores.json"
        scores = json.loads(kept.read_text()) if kept.exists() else {}
        key = f"{blue} {red} {self.arguments.episodes} {self.arguments.release}"
        if key not in scores:
            command = [
                self.arguments.evaluate,
                "--run-dir",
                self.folders[blue],
                "--episodes",
                self.arguments.episodes,
                "--json",
            ]
            command += self.rules("cage2")
            command += ["--red", red] if red in SCRIPTED else ["--red", "learned", "--red-policy", self.folders[red]]
            played = json.loads(run(command, f"{blue} against {red}").splitlines()[-1])
            scores[key] = {"mean": played["return_mean"], "ci95": played["return_ci95"]}
            kept.write_text(json.dumps(scores, indent=1) + "\n")
            say(f"{blue} against {red}: {scores[key]['mean']:.1f}")
        return scores[key]


def table(contest):
    """Returns the table; blues are rows, reds are columns."""
    blues = sorted((name for name in contest.folders if name.startswith("blue")), key=lambda name: int(name[4:]))
    reds = [
        *SCRIPTED,
        *sorted((name for name in contest.folders if name.startswith("red")), key=lambda name: int(name[3:])),
    ]
    titles = [SCRIPTED.get(red, red.replace("red", "red ")) for red in reds]
    lines = ["| | " + " | ".join(titles) + " |", "| --- |" + " ---: |" * len(reds)]
    for blue in blues:
        cells = [contest.score(blue, red) for red in reds]
        texts = [f"{cell['mean']:.1f} ± {cell['ci95']:.1f}".replace("-", "−") for cell in cells]
        lines.append(f"| {blue.replace('blue', 'blue ')} | " + " | ".join(texts) + " |")
    return "\n".join(lines)


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def proper_share(text):
    share = float(text)
    if not 0 < share <= 1:
        raise argparse.ArgumentTypeError("must be above 0 and at most 1")
    return share


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blue", type=pathlib.Path, metavar="DIR", help="run folder of blue 0, a run of cage2")
    parser.add_argument(
        "--config", default="cage2_mixture", help="without --blue: config for training blue 0 (default: %(default)s)"
    )
    parser.add_argument(
        "--out",
        type=pathlib.Path,
        default=pathlib.Path("runs/learned_red"),
        metavar="DIR",
        help="output folder (default: %(default)s)",
    )
    parser.add_argument(
        "--rounds", type=positive, default=2, help="number of rounds, one red and one blue each (default: %(default)s)"
    )
    parser.add_argument(
        "--red-episodes",
        type=positive,
        default=20_000,
        metavar="N",
        help="training episodes of each red (default: %(default)s)",
    )
    parser.add_argument(
        "--blue-episodes",
        type=positive,
        default=20_000,
        metavar="N",
        help="training episodes of each blue (default: %(default)s)",
    )
    parser.add_argument(
        "--episodes",
        type=positive,
        default=1000,
        metavar="N",
        help="episodes per cell of the table (default: %(default)s)",
    )
    parser.add_argument(
        "--share",
        type=proper_share,
        default=0.4,
        help="share of a blue's episodes against the learned red (default: %(default)s)",
    )
    parser.add_argument(
        "--release",
        choices=("leaderboard", "head"),
        default="leaderboard",
        help="rules of the game (default: %(default)s)",
    )
    parser.add_argument("--from-scratch", action="store_true", help="train every blue from scratch")
    parser.add_argument("--seed", type=int, default=1, help="seed of all trainings (default: %(default)s)")
    parser.add_argument("--runner", choices=("local", "ray"), default="local", help="runner (default: %(default)s)")
    parser.add_argument("--train", metavar="PROGRAM", help="train program (default: built by Bazel)")
    parser.add_argument("--evaluate", metavar="PROGRAM", help="evaluate program (default: built by Bazel)")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    end_on_sigterm()
    arguments.train = find_train(arguments.train)
    arguments.evaluate = find_program("--evaluate", arguments.evaluate, "//:evaluate", "ray_actors/evaluate")
    contest = Contest(arguments)
    contest.first_blue()
    for number in range(1, arguments.rounds + 1):
        contest.train_red(number)
        contest.train_blue(number)
    text = table(contest)
    note = (
        f"Release {arguments.release}; {arguments.red_episodes:,} episodes for a red, {arguments.blue_episodes:,} for a blue, "
        f"{arguments.episodes:,} for each cell; ± is the 95 % interval; {machine_text(describe_machine())}"
    )
    (contest.out / "learned_red.md").write_text(f"{text}\n\n{note}\n")
    print(f"\n{text}\n\n{note}")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("interrupted")
