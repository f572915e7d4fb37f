"""The cyber-defence game from the command line: scripted policies, the challenge's scores, recorded games, workflows."""

import json
import os
import pathlib
import re
import sys

import commands

sys.path.insert(0, os.path.abspath("src/python"))
from dray.tasks.cage2 import winner  # noqa: E402

REPLAY = os.path.abspath(sys.argv.pop(1))
TRACES = pathlib.Path("tests/data/cage2").resolve()

POLICIES = ("sleep", "random", "react_restore", "react_remove_restore", "actions:a.txt")
HORIZONS = ("30", "50", "100")
STATS = ("env_return", "return_30", "return_50", "server_down_steps", "server_restored")

# Means and standard errors of the official game (its present release, its own wrapper, no green agent).
OFFICIAL = {
    ("bline", "sleep"): ((-216.8, 1.5), (-478.8, 1.5), (-1133.8, 1.5)),
    ("bline", "random"): ((-157.0, 4.5), (-345.0, 9.0), (-755.1, 20.3)),
    ("bline", "react_remove_restore"): ((-16.6, 0.5), (-34.9, 1.1), (-94.8, 2.6)),
    ("meander", "sleep"): ((-38.7, 1.3), (-269.3, 4.9), (-975.3, 4.8)),
    ("meander", "random"): ((-33.7, 0.8), (-173.2, 5.3), (-589.2, 16.5)),
    ("meander", "react_remove_restore"): ((-10.5, 0.1), (-25.2, 0.5), (-63.4, 1.3)),
    ("sleep", "random"): ((-2.6, 0.1), (-4.3, 0.1), (-8.8, 0.2)),
}

RESTORE_OP_SERVER0 = 139

# The workflow config with episodes of ten steps: 50 epochs in less than a second.
TINY = (
    "--set",
    "env.cage2.max_steps=10",
    "--set",
    "network.hidden=[8]",
    "--set",
    "evaluation.episodes=2",
    "--set",
    "scale.envs_per_shard=2",
    "--device",
    "cpu",
)


class ScriptedTest(commands.CommandTest):
    def setUp(self):
        super().setUp()
        self.write("a.txt", f"{RESTORE_OP_SERVER0}\n")

    def play(self, policy, *flags):
        return self.evaluate("--env", "cage2", "--policy", policy, *flags)

    def test_every_policy_plays_under_every_rule(self):
        rules = ("--red", "meander", "--release", "leaderboard", "--wrapper", "cardiff", "--green", "on")
        for policy in POLICIES:
            for flags in ((), rules):
                with self.subTest(policy, flags=flags):
                    report = self.play(policy, *flags, "--seed", "5", "--episodes", "3")
                    self.assertEqual(
                        (report["env"], report["policy"], report["episodes"], report["seed"], report["length_mean"]),
                        ("cage2", policy, 3, 5, 100),
                    )
                    self.assertEqual(tuple(report["returns"]), HORIZONS)
                    self.assertEqual(tuple(report["stats"]), STATS)
                    for spread in (*report["returns"].values(), *report["stats"].values()):
                        self.assertEqual(set(spread), {"mean", "std", "sem"})
                        self.assertAlmostEqual(spread["sem"], spread["std"] / 3**0.5)
                    for horizon, stat in zip(HORIZONS, ("return_30", "return_50", "env_return")):
                        self.assertEqual(report["returns"][horizon], report["stats"][stat])
                    self.assertAlmostEqual(report["return_mean"], report["returns"]["100"]["mean"], places=3)

    def test_each_rule_changes_the_game(self):
        plain = self.play("react_remove_restore", "--episodes", "50")
        for flags in (("--red", "meander"), ("--release", "leaderboard"), ("--green", "on")):
            changed = self.play("react_remove_restore", "--episodes", "50", *flags)
            self.assertNotEqual(changed["returns"], plain["returns"], flags)
        # A wrapper changes what is seen of the same game, now and then.
        stock, cardiff = (self.story("--episodes", "20", "--wrapper", wrapper) for wrapper in ("stock", "cardiff"))
        seen = "\n  seen .*"
        self.assertNotEqual(re.findall(seen, stock), re.findall(seen, cardiff))
        self.assertEqual(re.sub(seen, "", stock), re.sub(seen, "", cardiff))

    def test_a_program_of_ones_own_plays_like_the_policy_that_it_imitates(self):
        self.write("agent.sh", f"read line; echo {RESTORE_OP_SERVER0}; while read line; do echo 0; done\n")
        own = self.play("process:sh agent.sh", "--episodes", "1", "--seed", "5")
        listed = self.play("actions:a.txt", "--episodes", "1", "--seed", "5")
        self.assertEqual(own["returns"], listed["returns"])
        self.assertEqual(own["stats"]["server_restored"]["mean"], 1)

    def test_an_episode_is_drawn(self):
        text = self.succeeds(
            commands.EVALUATE,
            "--env",
            "cage2",
            "--policy",
            "react_restore",
            "--episodes",
            "2",
            "--episode",
            "2",
            "--render",
            "pictures",
        )
        for name in ("timeline", "network"):
            path = f"pictures/episode_2_{name}.svg"
            self.assertIn(f"drawn {path}\n", text)
            self.assertIn("Episode 2, red bline, return", (self.folder / path).read_text())

    def test_the_best_and_the_worst_episode_are_drawn(self):
        def drawn(folder, which):
            self.succeeds(
                commands.EVALUATE,
                "--env",
                "cage2",
                "--policy",
                "react_remove_restore",
                "--episodes",
                "9",
                "--episode",
                which,
                "--render",
                folder,
            )
            texts = {path.name: path.read_text() for path in (self.folder / folder).glob("*_timeline.svg")}
            return {
                name: float(re.search(r"return ([-−]?[\d.]+)", text)[1].replace("−", "-"))
                for name, text in texts.items()
            }

        returns = drawn("all", "1,2,3,4,5,6,7,8,9")
        self.assertEqual(len(returns), 9)
        self.assertEqual(sorted(drawn("some", "best,worst").values()), [min(returns.values()), max(returns.values())])

    def story(self, *flags):
        """What a random defender and its red do, step by step."""
        return self.succeeds(commands.EVALUATE, "--env", "cage2", "--policy", "random", "--render", *flags)

    def test_the_same_seed_gives_the_same_numbers_and_another_does_not(self):
        for policy in POLICIES:
            with self.subTest(policy):
                one = self.play(policy, "--seed", "7", "--episodes", "20")
                self.assertEqual(self.play(policy, "--seed", "7", "--episodes", "20"), one)
                self.assertNotEqual(self.play(policy, "--seed", "8", "--episodes", "20")["returns"], one["returns"])

    def test_nothing_happens_when_both_sleep(self):
        report = self.play("sleep", "--red", "sleep", "--episodes", "20")
        for horizon in HORIZONS:
            self.assertEqual(report["returns"][horizon], {"mean": 0, "std": 0, "sem": 0})

    def test_means_are_those_of_the_official_game(self):
        for (red, policy), official in OFFICIAL.items():
            report = self.play(policy, "--red", red, "--episodes", "400")
            for horizon, (mean, sem) in zip(HORIZONS, official):
                with self.subTest(f"{red} against {policy}, {horizon} steps"):
                    ours = report["returns"][horizon]
                    # The table is rounded to a tenth, its standard errors too.
                    bound = 4 * ((sem + 0.05) ** 2 + ours["sem"] ** 2) ** 0.5 + 0.05
                    self.assertAlmostEqual(ours["mean"], mean, delta=bound)

    def test_one_restore_of_the_server_prevents_every_strike(self):
        report = self.play("actions:a.txt", "--episodes", "300")
        self.assertAlmostEqual(report["returns"]["100"]["mean"], -281, delta=1)
        self.assertEqual(report["stats"]["server_down_steps"]["mean"], 0)
        self.assertEqual(report["stats"]["server_restored"], {"mean": 1, "std": 0, "sem": 0})
        # Nothing of the kind without it.
        asleep = self.play("sleep", "--episodes", "20")["stats"]
        self.assertGreater(asleep["server_down_steps"]["mean"], 50)
        self.assertEqual(asleep["server_restored"]["mean"], 0)

    def test_all_reds_give_nine_scores_and_their_total(self):
        flags = ("--release", "leaderboard", "--episodes", "30")
        report = self.play("react_remove_restore", "--red", "all", *flags)
        self.assertEqual(list(report["scores"]), ["bline", "meander", "sleep"])
        cells = []
        for red, score in report["scores"].items():
            self.assertEqual(tuple(score["returns"]), HORIZONS)
            self.assertEqual(score["returns"], self.play("react_remove_restore", "--red", red, *flags)["returns"])
            cells += [spread["mean"] for spread in score["returns"].values()]
        self.assertEqual(len(cells), 9)
        self.assertAlmostEqual(report["total"], sum(cells))
        text = self.succeeds(
            *(commands.EVALUATE, "--env", "cage2", "--policy", "react_remove_restore", "--red", "all", *flags)
        )
        self.assertRegex(text, rf"\n  total +{report['total']:.2f}   \(published winner -54\.57\)\n")
        # A run's page draws the same scores.
        shown = re.findall(r"(?m)^  (\w+) .*published winner .* (-[\d.]+)$", text)
        self.assertEqual({red: float(score) for red, score in shown}, winner.SCORES)
        for red, score in report["scores"].items():
            shown = r" +".join(
                rf"{spread['mean']:.2f} \( *{spread['std']:.2f}\)" for spread in score["returns"].values()
            )
            self.assertRegex(text, rf"\n  {red} +{shown} ")

    def test_out_has_every_episode_against_every_red(self):
        flags = ("--env", "cage2", "--policy", "react_restore", "--episodes", "5", "--json")
        written = {}
        for red in ("all", "meander"):
            result = self.run_command(commands.EVALUATE, *flags, "--red", red, "--out", red)
            self.assertEqual(result.returncode, 0, result.stderr)
            written[red] = json.loads((self.folder / red / "evaluation.json").read_text())
        self.assertEqual(list(written["all"]["by_episode"]), ["bline", "meander", "sleep"])
        episodes = written["all"]["by_episode"]["meander"]
        self.assertEqual(episodes, written["meander"]["by_episode"])
        self.assertEqual([episode["episode"] for episode in episodes], [1, 2, 3, 4, 5])
        mean = sum(episode["return"] for episode in episodes) / 5
        self.assertAlmostEqual(mean, written["all"]["scores"]["meander"]["returns"]["100"]["mean"], places=4)

    def test_render_tells_who_did_what_in_each_of_a_hundred_steps(self):
        text = self.story("--green", "on", "--episodes", "1")
        steps = re.findall(
            r"^step +(\d+)  reward +(\S+)\n  blue  \S.*\n(?:  green scans \S+\n)?  red   \S.*\n  seen  \S.*$",
            text,
            re.MULTILINE,
        )
        self.assertEqual([int(step) for step, _ in steps], list(range(1, 101)))
        total = sum(float(reward) for _, reward in steps)
        self.assertIn(f"\nReturn {total:g} in 100 steps\n", text)
        for words in ("Red is bline", "  green scans ", "looks for hosts in User", "attacks "):
            self.assertIn(words, text)

    def test_recorded_games_are_replayed_exactly(self):
        for release in ("head", "leaderboard"):
            printed = self.succeeds(REPLAY, "--traces", TRACES / f"traces_{release}.csv", "--release", release)
            self.assertEqual(printed, "40 episodes, 4,000 steps, 0 mismatches\n")


class ScenarioTest(commands.CommandTest):
    """A network of one's own."""

    def setUp(self):
        super().setUp()
        text = (commands.CONFIGS / "scenarios/file_server.yaml").read_text()
        self.scenario = self.write("office.yaml", text)

    def train(self, run, *flags):
        config = commands.CONFIGS / "cage2_bline.yaml"
        return self.succeeds(
            commands.TRAIN,
            "--config",
            config,
            "--runner",
            "local",
            "--run-dir",
            run,
            *TINY,
            "--num-envs",
            "4",
            "--set",
            "ppo.minibatch_size=20",
            "--set",
            "env.cage2.scenario=office.yaml",
            "--set",
            "env.cage2.interface=raw",
            *flags,
        )

    def test_a_run_keeps_its_network(self):
        flags = ("--epochs", "4", "--log-interval", "1")
        self.train("whole", *flags)
        self.train("stopped", *flags, "--duration", "0.001s")
        self.scenario.unlink()
        self.resume("stopped", "--duration", "0s")
        self.assert_same_metrics("whole", "stopped")
        reports = [self.evaluate("--run-dir", run, "--episodes", "5") for run in ("whole", "stopped")]
        self.assertEqual(*(report["returns"] for report in reports))
        pictures = self.succeeds(commands.EVALUATE, "--run-dir", "whole", "--render", "drawn")
        self.assertIn("drawn/episode_1_network.svg", pictures)
        self.assertIn("Enterprise3", (self.folder / "drawn/episode_1_network.svg").read_text())

    def test_scripted_policies_play_it(self):
        for policy in ("sleep", "random", "react_remove_restore"):
            report = self.evaluate(
                "--env",
                "cage2",
                "--policy",
                policy,
                "--set",
                "env.cage2.scenario=office.yaml",
                "--red",
                "meander",
                "--episodes",
                "3",
            )
            self.assertEqual(report["length_mean"], 100)

    def test_what_is_refused_is_named(self):
        self.write("office.yaml", self.scenario.read_text().replace("image: Internal", "image: Toaster"))
        result = self.run_command(
            commands.EVALUATE, "--env", "cage2", "--policy", "sleep", "--set", "env.cage2.scenario=office.yaml"
        )
        self.assertEqual((result.returncode, len(result.stderr.splitlines())), (2, 1), result.stderr)
        self.assertRegex(result.stderr, r"office\.yaml:\d+: Hosts\.Enterprise1\.image: there is no image Toaster")


def until_compliance(at_least):
    """Flags of a training that ends once its policy complies so much."""
    return ("--set", "train.early_stop.stat=compliance", "--set", f"train.early_stop.at_least={at_least}")


class WorkflowTest(commands.CommandTest):
    def train(self, run, *flags):
        config = commands.CONFIGS / "cage2_workflow.yaml"
        return self.succeeds(commands.TRAIN, "--config", config, "--runner", "local", "--run-dir", run, *TINY, *flags)

    def test_a_scripted_policy_does_not_play_beside_a_trained_one(self):
        self.train("run", "--epochs", "1")
        result = self.run_command(commands.EVALUATE, "--run-dir", "run", "--policy", "sleep")
        self.assertEqual((result.returncode, len(result.stderr.splitlines())), (2, 1), result.stderr)
        self.assertIn("--policy sleep: cannot be combined with a trained policy", result.stderr)

    def test_every_environment_has_metrics_of_its_own(self):
        self.train("run", "--epochs", "3", "--log-interval", "1")
        reports = self.metrics("run")
        self.assertEqual(len(reports), 3)
        for report in reports:
            for env in range(25):
                self.assertEqual(report[f"env/{env:02}/episodes"], report["epoch"])
                compliance, fixes, violations = (
                    report[f"env/{env:02}/stat/{name}"] for name in ("compliance", "fixes", "violations")
                )
                self.assertAlmostEqual(compliance, 1 - violations / fixes if fixes else 0.5)
            self.assertNotIn("env/25/stat/compliance", report)
        mean = sum(reports[0][f"env/{env:02}/stat/compliance"] for env in range(25)) / 25
        self.assertAlmostEqual(reports[0]["episode/stat/compliance"], mean)

    def test_a_goal_that_is_reached_ends_the_run_once_each_environment_has_its_episodes(self):
        printed = self.train("run", *until_compliance(0), "--log-interval", "1")
        self.assertRegex(printed, r"Goal reached: mean compliance \S+ of the last 25 episodes, 0 was wanted")
        self.assertEqual([report["epoch"] for report in self.metrics("run")], list(range(1, 11)))
        before = (self.folder / "run/metrics.jsonl").read_bytes()
        self.assertIn("Nothing to do: this run reached its goal (train.early_stop) after 10 epochs", self.resume("run"))
        self.assertEqual((self.folder / "run/metrics.jsonl").read_bytes(), before)

    def test_a_goal_beyond_reach_leaves_the_run_its_whole_length(self):
        printed = self.train("run", "--episodes", "1250", *until_compliance(1.01))
        self.assertNotIn("Goal reached", printed)
        self.assertIn("Finished after 50 epochs", printed)
        last = self.metrics("run")[-1]
        self.assertEqual((last["epoch"], last["completed_episodes"], last["env/24/episodes"]), (50, 1250, 50))

    def test_a_stopped_run_reaches_its_goal_where_the_whole_one_does(self):
        flags = (*until_compliance(0), "--log-interval", "1")
        self.train("whole", *flags)
        self.train("stopped", *flags, "--duration", "0.01s")
        self.resume("stopped", "--duration", "0s")
        self.assert_same_metrics("whole", "stopped")


if __name__ == "__main__":
    commands.main()
