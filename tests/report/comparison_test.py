"""The page that compares runs. Argument: dray/report/__main__.py."""

import pathlib
import tempfile
import unittest

import run_folders

from dray.error import Error
from dray.report.comparison_page import comparison_page
from dray.report.parts import Cards, Section, Table, Text
from dray.report.run_folder import RunFolder
from dray.report.settings_groups import groups_of, labels_of


class ComparisonTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def made(self, name, mean=None, std=1.0, episodes=2, gain=None, **settings):
        last = run_folders.evaluation(mean, std, episodes) if mean is not None else None
        first = run_folders.gain(0.0) if gain is not None else None
        if gain is not None:
            last.update(run_folders.gain(gain))
        return RunFolder(run_folders.write_run(self.folder / name, first=first, last=last, **settings))

    def section(self, title, *runs):
        return next(
            (
                part
                for tab in comparison_page(runs)[1]
                for part in tab.parts
                if isinstance(part, Section) and part.title == title
            ),
            None,
        )

    def test_two_policies_differ_as_welch_says(self):
        # Two episodes each with variance 1, three apart: p = 1 - 3 / sqrt 11 (see run_statistics_test).
        section = self.section("Do these policies differ?", self.made("a", 5.0), self.made("b", 2.0))
        table = section.parts[0]
        self.assertEqual(table.rows, [["a − b", "+3.0 ± 4.3", "0.095", "0.095", "no"]])
        self.assertIn("Welch's t test", section.intro)
        self.assertIn("nothing about the configurations", section.intro)

    def test_deliveries_are_compared_by_what_they_save(self):
        # A half interval of 6.2 over 4 episodes: standard error 6.2 / 3.1824 each, so 2.755 for the difference of 4,
        # t = 1.452 with 6 degrees (2.4469): 6.7 and p = 0.197.
        runs = [
            self.made(name, -880.0, episodes=4, task="dvrptw", gain=gain) for name, gain in (("a", 21.4), ("b", 17.4))
        ]
        overview, differences, learning = (tab.parts for tab in comparison_page(runs)[1])
        remark = "minutes of 904, against no shifts on the same days; greedy 19.2"
        self.assertEqual(
            overview[0].cards,
            [
                ("a: saves", "21.4 ± 6.2", remark),
                ("b: saves", "17.4 ± 6.2", remark),
                ("a − b", "+4.0 ± 6.7", "minutes; Welch's t test, p = 0.197"),
            ],
        )
        figure, table = next(part for part in overview if isinstance(part, Section)).parts
        self.assertEqual((figure.title, figure.traces[0]["x"]), ("What each policy gains", [21.4, 17.4]))
        self.assertEqual(list(table.headings[3:6]), ["gain (minutes)", "gain of greedy", "return"])
        self.assertEqual(table.rows[1][3:6], ("17.4 ± 6.2", "19.2", "−880.0 ± 1.6"))
        self.assertEqual(differences[0].parts[0].rows[0][:2], ["a − b", "+4.0 ± 6.7"])
        figures = learning[0].parts
        self.assertEqual(
            [figure.title for figure in figures], ["What each policy gains", "Return over steps", "Return over time"]
        )
        self.assertEqual(
            [(trace["name"], trace["y"]) for trace in figures[0].traces], [("a", [0, 21.4]), ("b", [0, 17.4])]
        )

    def test_without_the_gain_of_one_run_all_are_compared_by_their_returns(self):
        runs = self.made("a", 5.0, task="dvrptw", gain=2.0), self.made("b", 2.0, task="dvrptw")
        cards = next(part for part in comparison_page(runs)[1][0].parts if isinstance(part, Cards)).cards
        self.assertEqual(
            [card[:2] for card in cards],
            [("a: final evaluation", "5.0 ± 1.0"), ("b: final evaluation", "2.0 ± 1.0"), ("a − b", "+3.0 ± 4.3")],
        )
        self.assertEqual(self.section("Learning curves", *runs).parts[0].title, "Return over steps")

    def test_different_numbers_of_episodes_are_noted(self):
        def notes(*episodes):
            runs = [self.made(f"{count}x{index}", 5.0, episodes=count) for index, count in enumerate(episodes)]
            return [part.text for part in comparison_page(runs)[1][0].parts if isinstance(part, Text)]

        said = "Final evaluations played different numbers of episodes (8 and 64), so not the same ones."
        self.assertEqual((notes(64, 8, 64), notes(7, 7)), ([said], []))

    def test_a_published_score_is_in_the_curves_of_runs_it_holds_for(self):
        def marks(*runs):
            figures = self.section("Learning curves", *runs).parts
            return [
                (trace["name"], trace["y"], trace["x"])
                for figure in figures
                for trace in figure.traces
                if trace.get("line", {}).get("dash")
            ]

        def with_rules(run, steps):
            with open(run.path / "config.yaml", "a") as config:
                config.write(f"env:\n  cartpole:\n    max_steps: {steps}\n")
            return RunFolder(run.path)

        runs = [with_rules(self.made(name), 500) for name in "ab"]
        self.assertEqual(marks(*runs), [("published", [490, 490], [100, 400]), ("published", [490, 490], [2.0, 8.0])])
        self.assertEqual(marks(*runs, with_rules(self.made("cut"), 50)), [])

    def test_a_damaged_run_is_left_out_with_a_note(self):
        for name in ("a", "b", "c"):
            self.made(name, 5.0)
        damaged = self.folder / "b"
        (damaged / "metrics.jsonl").write_text("[" * 100_000)
        page = self.folder / "page.html"
        done = run_folders.run_report("--compare", *(self.folder / name for name in "abc"), "--out", page)
        said = f"{damaged}: no report can be read (metrics.jsonl: line 1 is damaged and left out); left out"
        self.assertEqual((done.returncode, done.stderr), (0, said + "\n"))
        self.assertIn(said, page.read_text())
        done = run_folders.run_report("--compare", self.folder / "a", damaged, "--out", page)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(
            done.stderr, r"^report: fewer than two of these runs can be read \(.*/b: no report can be read .*\)\n$"
        )

    def test_configurations_are_compared_over_seeds(self):
        # Fast: 10, 12, 14 (mean 12, sd 2); slow: 1, 2, 3 (mean 2, sd 1). Error sqrt(4/3 + 1/3) = 1.291, t = 7.746,
        # degrees (5/3)^2 / ((4/3)^2 / 2 + (1/3)^2 / 2) = 2.941, the 97.5 % point there is 3.219: 4.16.
        fast = [
            self.made(f"fast{seed}", mean, seed=seed, learning_rate=0.01)
            for seed, mean in ((1, 10.0), (2, 12.0), (3, 14.0))
        ]
        slow = [self.made(f"slow{seed}", mean, seed=seed) for seed, mean in ((1, 1.0), (2, 2.0), (3, 3.0))]
        section = self.section("Do the configurations differ?", *fast, *slow)
        means, pairs = (part for part in section.parts if isinstance(part, Table))
        self.assertEqual(
            means.rows,
            [
                ["ppo.learning_rate 0.01", "3", "12.0 ± 5.0", "2.00"],
                ["ppo.learning_rate 0.001", "3", "2.0 ± 2.5", "1.00"],
            ],
        )
        self.assertEqual(pairs.rows[0][:2], ["ppo.learning_rate 0.01 − ppo.learning_rate 0.001", "+10.0 ± 4.2"])
        self.assertEqual(pairs.rows[0][4], "yes")
        self.assertIn("Few seeds (as few as 3", section.parts[-1].text)

    def test_one_seed_says_nothing_about_configurations(self):
        section = self.section(
            "Do the configurations differ?", self.made("a", 5.0), self.made("b", 2.0, learning_rate=0.01)
        )
        self.assertEqual(len([part for part in section.parts if isinstance(part, Table)]), 1)
        self.assertRegex(section.parts[-1].text, "^One seed each: this says nothing")

    def test_seeds_of_one_configuration_are_not_called_different(self):
        self.assertIsNone(
            self.section("Do the configurations differ?", self.made("a", 5.0, seed=1), self.made("b", 2.0, seed=2))
        )

    def test_many_runs_are_compared_with_the_first(self):
        runs = [self.made(f"run{number}", float(number)) for number in range(9)]
        table = self.section("Do these policies differ?", *runs).parts[0]
        self.assertEqual([row[0] for row in table.rows], [f"run{number} − run0" for number in range(1, 9)])

    def test_deliveries_are_compared_on_the_same_days(self):
        # Learned: 99, 95, 102 in both; 0 apart every day.
        runs = [self.made(name, 5.0, task="dvrptw").path for name in ("a", "b", "c")]
        for run in runs[:2]:
            run_folders.write_delivery_evaluation(run / "evaluation")
        other_days = run_folders.write_delivery_evaluation(runs[2] / "evaluation") / "evaluation.json"
        other_days.write_text(other_days.read_text().replace('"seed": 7', '"seed": 8'))
        section = self.section("Do they differ on the same days?", *map(RunFolder, runs))
        self.assertEqual([row[:3] for row in section.parts[0].rows], [["a − b", "+0.00 ± 0.00", "1.000"]])
        self.assertIn("paired t test", section.intro)

    def test_curves_of_all_runs_lie_over_one_another(self):
        figures = self.section("Learning curves", self.made("a", 5.0), self.made("b")).parts
        self.assertEqual([figure.title for figure in figures], ["Return over steps", "Return over time"])
        self.assertEqual([trace["name"] for trace in figures[0].traces], ["a", "a, evaluation", "b"])

    def test_a_run_without_an_evaluation_has_its_curve_alone(self):
        runs = self.made("a", 5.0), self.made("b")
        table = next(part for part in self.section("Final evaluation", *runs).parts if isinstance(part, Table))
        self.assertEqual([row[3] for row in table.rows], ["5.0 ± 9.0", "no evaluation"])
        self.assertIsNone(self.section("Do these policies differ?", *runs))

    def test_a_damaged_line_is_noted(self):
        runs = self.made("a", 5.0), self.made("b", 2.0)
        runs[1].notes.append("metrics.jsonl: line 5 is damaged and left out")
        overview = comparison_page(runs)[1][0]
        notes = [part.text for part in overview.parts if isinstance(part, Text)]
        self.assertEqual(notes, [f"{self.folder}/b: metrics.jsonl: line 5 is damaged and left out"])

    def test_what_cannot_be_compared_is_refused(self):
        with self.assertRaisesRegex(Error, r"different tasks \(cartpole, pendulum\)"):
            comparison_page([self.made("a"), self.made("b", task="pendulum")])
        with self.assertRaisesRegex(Error, "is a search, not a run"):
            comparison_page([RunFolder(run_folders.write_search(self.folder / "search")), RunFolder(self.folder / "a")])

    def test_runs_are_named_by_their_folders_if_these_differ(self):
        runs = [self.made("x/one"), self.made("y/one"), self.made("two")]
        self.assertEqual(labels_of(runs), [f"{self.folder}/x/one", f"{self.folder}/y/one", "two"])

    def test_groups_leave_out_seed_and_folder(self):
        runs = [self.made("a", seed=1), self.made("b", seed=2), self.made("c", learning_rate=0.5)]
        self.assertEqual(groups_of(runs), {"ppo.learning_rate 0.001": [0, 1], "ppo.learning_rate 0.5": [2]})
        self.assertEqual(groups_of(runs[:2]), {"the same": [0, 1]})

    def test_the_command_writes_one_page(self):
        runs = [self.made("a", 5.0).path, self.made("b", 2.0).path]
        page = self.folder / "both.html"
        result = run_folders.run_report("--compare", *runs, "--out", page)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, f"{page}\n", ""))
        self.assertIn("cartpole: 2 runs compared", page.read_text())
        alone = run_folders.run_report("--compare", runs[0])
        self.assertEqual(alone.returncode, 2)
        self.assertIn("--compare needs at least two runs", alone.stderr)


if __name__ == "__main__":
    unittest.main()
