"""Pages of runs, as the command writes them. Argument: dray/report/__main__.py."""

import html
import html.parser
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import run_folders

from dray.report.number_text import duration, estimate, number
from dray.report.time_line import actor_seconds, actors_figure
from dray.tasks.dvrptw.deliveries import day_gains, named_days

TO_BE_LOADED = ("src", "href", "data", "srcset", "action", "poster")


class Page(html.parser.HTMLParser):
    """A page's tabs, headings, text, plots and what it would load."""

    def __init__(self, file):
        super().__init__()
        self.tabs, self.headings, self.texts, self.plots, self.loaded, self.tags = [], [], [], [], [], []
        self._inside = []
        self.feed(file.read_text())

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.loaded += [value for name, value in attributes if name in TO_BE_LOADED]
        if tag not in ("meta", "img", "link", "br"):
            self._inside.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        self._inside.pop()

    def handle_data(self, data):
        tag, attributes = self._inside[-1] if self._inside else ("", {})
        if tag == "script":
            if attributes.get("type") == "application/json":
                self.plots.append(json.loads(data))
        elif tag != "style":
            self.texts.append(data)
            if tag in ("h1", "h2", "h3"):
                self.headings.append(data)
            if attributes.get("role") == "tab":
                self.tabs.append(data)

    @property
    def text(self):
        return "\n".join(self.texts)


class ReportTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def page_of(self, run, *flags):
        result = run_folders.run_report("--run-dir", run, *flags)
        self.assertEqual(result.returncode, 0, result.stderr)
        return Page(pathlib.Path(result.stdout.splitlines()[-1]))

    def fails(self, expected, *arguments, code=1):
        result = run_folders.run_report(*arguments)
        self.assertEqual((result.returncode, result.stdout), (code, ""))
        self.assertRegex(result.stderr.splitlines()[-1], expected)
        self.assertNotIn("Traceback", result.stderr)
        if code == 1:
            self.assertEqual(result.stderr.count("\n"), 1)

    def test_the_last_line_is_the_page(self):
        run = run_folders.write_run(self.folder / "run")
        self.assertEqual(run_folders.run_report("--run-dir", run).stdout, f"{run}/report.html\n")
        other = self.folder / "new" / "page.html"
        self.assertEqual(run_folders.run_report("--run-dir", run, "--out", other).stdout, f"{other}\n")
        self.assertTrue(other.is_file())

    def test_the_header_says_what_came_out(self):
        page = self.page_of(
            run_folders.write_run(self.folder / "run", last=run_folders.evaluation(1234.56, 50.0, 20, ci95=23.4))
        )
        self.assertIn("cartpole: run", page.headings)
        for text in ("1,234.6 ± 23.4", "return, 95 % interval, 20 episodes", "8.0 s"):
            self.assertIn(text, page.texts)
        self.assertIn("400 steps, 50 per second; 40 episodes, 4 epochs", page.texts)
        self.assertIn(f"bazel run //:evaluate -- --run-dir {self.folder}/run", page.texts)
        self.assertIn(f"bazel run //:train -- --resume {self.folder}/run", page.texts)

    def test_a_run_that_goes_on_says_so(self):
        page = self.page_of(run_folders.write_run(self.folder / "run", reports=3))
        self.assertIn("unfinished: 75 % done", page.text)

    def test_figures_are_of_what_the_run_has(self):
        page = self.page_of(run_folders.write_run(self.folder / "run"))
        self.assertEqual(
            page.headings[1:],
            [
                "Return",
                "The task",
                "Cost (min)",
                "Diagnostics of the updates",
                "Policy loss",
                "Entropy",
                "Time",
                "Where the time went",
                "Speed (steps/s)",
                "Busy (share of time)",
                "Main settings",
            ],
        )
        self.assertEqual(page.tabs, ["Overview", "Learning", "Optimiser", "Machine", "Settings"])
        self.assertIn("The same in every report: Unserved 0.", page.texts)
        self.assertIn("The same in every report: learning rate 0.001.", page.texts)
        self.assertEqual(len(page.plots), 7)

    def test_curves_have_the_numbers_of_the_reports(self):
        page = self.page_of(
            run_folders.write_run(self.folder / "run", last=run_folders.evaluation(38.0, 3.0, 20, ci95=1.4))
        )
        traces = {trace["name"]: trace for trace in page.plots[0]["data"] if "name" in trace}
        self.assertEqual((traces["training"]["x"], traces["training"]["y"]), ([100, 200, 300, 400], [10, 20, 30, 40]))
        self.assertEqual(
            (traces["evaluation"]["x"], traces["evaluation"]["y"], traces["evaluation"]["error_y"]["array"]),
            ([400], [38], [1.4]),
        )
        self.assertEqual(traces["± standard deviation"]["y"], [12, 22, 32, 42])
        self.assertEqual(traces["lowest to highest"]["y"], [15, 25, 35, 45])

    def test_what_a_policy_gains_comes_first(self):
        gain = {**run_folders.gain(21.4), **run_folders.evaluation(-882.8, 60.0, 64)}
        first = {**gain, "eval/gain_mean": 9.0, "eval/rival_gain": 18.0}
        run = run_folders.write_run(self.folder / "run", task="dvrptw", first=first, last=gain)
        page = self.page_of(run)
        self.assertLess(page.texts.index("Saves"), page.texts.index("Final evaluation"))
        self.assertIn("21.4 ± 6.2", page.texts)
        self.assertIn("minutes of 904, against no shifts on the same days; greedy 19.2", page.texts)
        self.assertEqual(page.headings[1:4], ["What the policy gains", "The task", "Return"])
        traces = {trace["name"]: trace for trace in page.plots[0]["data"]}
        self.assertEqual((traces["learned"]["y"], traces["learned"]["error_y"]["array"]), ([9.0, 21.4], [6.2, 6.2]))
        self.assertEqual(traces["greedy"]["y"], [18.0, 19.25])

    def test_a_single_point_is_a_number_and_no_figure(self):
        page = self.page_of(run_folders.write_run(self.folder / "run", reports=1))
        self.assertEqual(page.plots, [])
        for heading, value in (("Return", "10"), ("Speed (steps/s)", "50"), ("Busy (share of time)", "0.9")):
            self.assertEqual(page.texts[page.texts.index(heading) + 1], value)

    def test_the_caption_of_a_number_speaks_of_no_lines(self):
        last = {"completed_episodes": 23, **run_folders.evaluation(8.125, 3.0, 20)}
        page = self.page_of(run_folders.write_run(self.folder / "run", reports=1, last=last))
        place = page.texts.index("Return")
        self.assertEqual(
            [text.strip() for text in page.texts[place + 1 : place + 5]], ["10.00", "training", "8.12", "evaluation"]
        )
        self.assertRegex(page.texts[place + 5], "^Training: mean of the last 100 episodes")
        self.assertNotRegex(page.text, r"\b(Lines?|Dots?)\b")

    def test_a_mean_names_the_episodes_that_it_is_over(self):
        for count, said in ((23, "mean of the last 23 episodes"), (800, "mean of the last 100 episodes")):
            run = run_folders.write_run(self.folder / str(count), last={"completed_episodes": count})
            self.assertIn(said, self.page_of(run).texts)

    def test_the_axis_of_returns_shows_what_is_to_be_read_and_says_so(self):
        def axis_of(name, lowest):
            run = run_folders.write_run(self.folder / name, first={"episode/return_min": lowest})
            page = self.page_of(run)
            return page.plots[0]["layout"]["yaxis"].get("range"), "The axis cuts the bands off" in page.text

        # Means from 10 to 40, the last 2 below and above: 32 and a margin of a 20th.
        self.assertEqual(axis_of("wide", -1000.0), ([8.4, 43.6], True))
        self.assertEqual(axis_of("narrow", 5.0), (None, False))

    def test_what_is_not_trained_is_not_diagnosed(self):
        critic = {"train/explained_variance": 0.0, "train/value_loss": 0.0, "train/clip_fraction": 0.1}
        run = run_folders.write_run(self.folder / "run", first=critic, last=dict.fromkeys(critic, 0.5))
        titles = {"Policy loss", "Clip fraction", "Value loss", "Explained variance"}
        self.assertLessEqual(titles, set(self.page_of(run).headings))
        config = run / "config.yaml"
        off = "ppo:\n  policy_coefficient: 0\n  value_coefficient: 0\n  appraisal_coefficient: 1"
        config.write_text(config.read_text().replace("ppo:", off))
        page = self.page_of(run)
        self.assertFalse(titles & set(page.headings))
        self.assertIn("Entropy", page.headings)
        self.assertRegex(
            page.text, r"simulator plays for each action \(ppo.appraisal_coefficient 1\).*no critic is trained"
        )
        # A critic with an optimiser of its own is trained whatever its coefficient.
        lines = (run / "metrics.jsonl").read_text()
        (run / "metrics.jsonl").write_text(lines.replace("}", ', "train/value_learning_rate": 0.001}'))
        self.assertEqual(titles & set(self.page_of(run).headings), {"Value loss", "Explained variance"})

    def test_statistics_have_titles_and_units(self):
        shifts = {f"episode/stat/shift_min{end}": 3.0 for end in ("", "_0", "_3")}
        last = dict.fromkeys(shifts, 4.0)
        page = self.page_of(run_folders.write_run(self.folder / "run", task="dvrptw", first=shifts, last=last))
        self.assertIn("Cost of the day (min)", page.headings)
        self.assertIn("Shift of a rider (min)", page.headings)
        self.assertIn("cost_min", page.texts)  # the key, for those who look it up
        names = [[trace.get("name") for trace in plot["data"]] for plot in page.plots]
        self.assertIn(["all", "late dropoff", "both"], names)

    def test_a_policy_has_one_colour_on_the_whole_page(self):
        gain = {"eval/gain_mean": 2.0, "eval/rival_gain": 1.0, **run_folders.evaluation(38.0, 3.0, 20)}
        run = run_folders.write_run(self.folder / "run", task="dvrptw", first=gain, last=gain)
        run_folders.write_delivery_evaluation(run / "evaluation")
        colours = {}
        for plot in self.page_of(run).plots:
            for trace in plot["data"]:
                names = [trace["name"]] if "name" in trace else trace["y"]
                marks = trace["marker"]["color"] if "marker" in trace else trace["line"].get("color")
                for name, mark in zip(names, [marks] if isinstance(marks, str) else marks or ()):
                    if name in ("learned", "greedy", "no shifts"):
                        colours.setdefault(name, []).append(mark)
        self.assertEqual({name: len(set(found)) for name, found in colours.items()}, dict.fromkeys(colours, 1))
        self.assertGreater(min(map(len, colours.values())), 1)
        self.assertEqual(len({found[0] for found in colours.values()}), 3)

    def test_a_published_score_is_in_the_curve_of_runs_it_holds_for(self):
        def mark_of(name, task, settings):
            run = run_folders.write_run(self.folder / name, task=task)
            with open(run / "config.yaml", "a") as config:
                config.write("\n".join(settings) + "\n")
            traces = [trace for trace in self.page_of(run).plots[0]["data"] if trace.get("line", {}).get("dash")]
            return [(trace["name"], trace["y"], trace["x"]) for trace in traces]

        usual = ["env:", "  cartpole:", "    max_steps: 500"]
        self.assertEqual(mark_of("usual", "cartpole", usual), [("published", [490, 490], [100, 400])])
        self.assertEqual(mark_of("cut", "cartpole", [*usual[:2], "    max_steps: 50"]), [])
        game = ["env:", "  cage2:", "    red: bline", "    release: leaderboard", "    max_steps: 100"]
        self.assertEqual(mark_of("game", "cage2", game), [("the challenge's winner", [-13.76, -13.76], [100, 400])])
        self.assertEqual(mark_of("today", "cage2", [*game[:3], "    release: head", game[4]]), [])

    def test_axes_have_titles(self):
        run = run_folders.write_run(self.folder / "run", task="dvrptw", last=run_folders.evaluation(38.0, 3.0, 20))
        run_folders.write_delivery_evaluation(run / "evaluation")
        for plot in self.page_of(run).plots:
            for axis in ("xaxis", "yaxis"):
                if plot["layout"][axis].get("type") != "category":
                    self.assertTrue(plot["layout"][axis]["title"]["text"], plot["layout"])
                else:
                    self.assertEqual(plot["layout"][axis]["dtick"], 1)  # no name is left out

    def test_deliveries_have_costs_days_and_pictures(self):
        run = run_folders.write_run(self.folder / "run", task="dvrptw")
        run_folders.write_delivery_evaluation(run / "evaluation")
        page = self.page_of(run)
        pictures = [heading for heading in page.headings if heading.startswith("Day ") and ":" in heading]
        wanted = [
            f"Day {day}: {policy}, {how}"
            for day in ("2, best day", "1, median day")
            for policy in ("learned", "no shifts")
            for how in ("on the map", "along the clock")
        ]
        self.assertEqual(pictures, wanted)
        self.assertIn("Day 2, best day", page.tabs)
        self.assertIn("98.7 ± 4.0", page.texts)
        self.assertIn("Flexibility believed against true", page.headings)
        self.assertIn("the true one for 1 of 2 riders who ever answered a shift; 1 never did", page.text)
        self.assertIn("−1.3 ± 1.0", page.texts)
        self.assertRegex(page.text, r"draw\nbazel run //:evaluate .* --episode best,median,worst\n")
        self.assertEqual(page.tags.count("svg"), 8)

    def test_without_an_evaluation_the_page_says_how_to_get_one(self):
        self.assertIn(
            "--baselines all --out", self.page_of(run_folders.write_run(self.folder / "run", task="dvrptw")).text
        )

    def test_cyber_defence_has_drawings_scores_and_compliance(self):
        run = run_folders.write_run(
            self.folder / "run", task="cage2", last={"eval/stat/compliance": 0.98, "eval/stat/env_return": -24.25}
        )
        (run / "pictures").mkdir()
        for kind in ("timeline", "network"):
            (run / "pictures" / f"episode_3_{kind}.svg").write_text(run_folders.PICTURE)
        # One standard error of 4 episodes is 3.1824 of them.
        spread = {"mean": -12.0, "std": 2.0, "sem": 1.0}
        scores = {
            "env": "cage2",
            "episodes": 4,
            "scores": {"bline": {"returns": {"30": spread}, "server_restored": 0.25}},
            "total": -12.0,
        }
        (run / "scores.json").write_text(json.dumps(scores))
        page = self.page_of(run)
        for heading in ("Episode 3: hosts by steps", "Episode 3: the network", "Compliance"):
            self.assertIn(heading, page.headings)
        self.assertIn("−12.0 ± 3.2", page.texts)
        self.assertIn("25 %", page.texts)
        self.assertIn("−24.25", page.texts)

    def test_a_printed_evaluation_is_a_table(self):
        run = run_folders.write_run(self.folder / "run")
        stats = {"wins": {"mean": 0.5, "std": 0.2, "sem": 0.1}}
        (run / "mine.json").write_text(
            json.dumps(
                {
                    "env": "cartpole",
                    "epoch": 4,
                    "episodes": 4,
                    "seed": 9,
                    "return_mean": 40.0,
                    "return_std": 2.0,
                    "return_ci95": 3.2,
                    "stats": stats,
                }
            )
        )
        page = self.page_of(run)
        self.assertIn("cartpole, epoch 4, 4 episodes, seed 9", page.texts)
        self.assertIn("0.50 ± 0.32", page.texts)

    def test_the_episodes_of_an_evaluation_are_a_figure_from_best_to_worst(self):
        def episodes(*returns):
            return [{"episode": i, "return": value, "length": 9} for i, value in enumerate(returns, 1)]

        run = run_folders.write_run(self.folder / "run", task="cage2")
        plain = {"env": "cage2", "policy": "sleep", "episodes": 3, "seed": 9, "return_mean": -2.0}
        score = {"returns": {"100": {"mean": -2.0, "std": 1.0, "sem": 0.5}}}
        scores = {"env": "cage2", "episodes": 3, "total": -4.0, "scores": {"bline": score, "sleep": score}}
        (run / "plain.json").write_text(json.dumps({**plain, "by_episode": episodes(-3, -1, -2)}))
        (run / "scores.json").write_text(
            json.dumps({**scores, "by_episode": {"bline": episodes(-9, -8), "sleep": episodes(0, 0)}})
        )
        page = self.page_of(run)
        self.assertEqual(page.headings.count("Episodes from best to worst"), 2)
        lines = {trace["name"]: trace for plot in page.plots for trace in plot["data"] if trace.get("text")}
        self.assertEqual(
            (lines["return"]["y"], lines["return"]["text"]), ([-1, -2, -3], ["episode 2", "episode 3", "episode 1"])
        )
        self.assertEqual((lines["B_line"]["y"], lines["Sleep"]["x"]), ([-8, -9], [0, 1]))
        self.assertIn("best: episode 2, median: 3, worst: 1", page.text)
        self.assertIn("B_line – best: episode 2", page.text)

    def test_a_search_has_its_posterior(self):
        page = self.page_of(run_folders.write_search(self.folder / "search"))
        self.assertEqual(
            page.headings, ["cage2: search", "Search", "Posterior of all orders", "Trials", "Main settings"]
        )
        self.assertEqual(page.tabs, ["Overview", "Settings"])
        self.assertIn("Too few trainings to tell", page.texts)
        posterior = next(trace for trace in page.plots[0]["data"] if trace.get("name") == "posterior mean")
        self.assertEqual(posterior["y"], [-12, -25])

    def test_nothing_is_loaded_from_elsewhere(self):
        run = run_folders.write_run(self.folder / "run", task="dvrptw")
        run_folders.write_delivery_evaluation(run / "evaluation")
        page = self.page_of(run)
        self.assertTrue(page.loaded)
        for address in page.loaded:
            self.assertTrue(address.startswith("#"), address)
        self.assertNotIn("link", page.tags)
        self.assertIn("default-src &#x27;none&#x27;", (run / "report.html").read_text())

    def test_text_of_the_run_is_text_and_no_markup(self):
        attack = "<script>alert(1)</script>"
        run = run_folders.write_run(
            self.folder / "a<b>&c",
            task=attack,
            last={f"episode/stat/</script>{attack}": 3.0, f"eval/stat/</script>{attack}": 4.0},
        )
        picture = run / "episode_1_<img src=x onerror=alert(2)>_routes.svg"
        picture.write_text("<svg onload='alert(3)'>")
        page = self.page_of(run)
        text = (run / "report.html").read_text()
        self.assertNotIn(attack, text)
        self.assertNotIn("<img src=x", text)
        self.assertNotIn("onload=", text.split("<main>")[1].split("</main>")[0])
        self.assertIn(html.escape(attack), text)
        # Library, program and a script of data for each plot.
        self.assertEqual(page.tags.count("script"), len(page.plots) + 2)

    def test_a_damaged_line_is_noted_on_the_page_and_on_the_terminal(self):
        run = run_folders.write_run(self.folder / "run")
        with open(run / "metrics.jsonl", "a") as file:
            file.write('{"total_st')
        result = run_folders.run_report("--run-dir", run)
        self.assertEqual(result.stderr, f"{run}: metrics.jsonl: line 5 is damaged and left out\n")
        self.assertIn("metrics.jsonl: line 5 is damaged and left out", Page(run / "report.html").texts)

    def test_closed_standard_descriptors_do_not_reach_the_page(self):
        run = run_folders.write_run(self.folder / "run")
        script = f'exec "{sys.executable}" -m dray.report --run-dir "{run}" <&- >&- 2>&-'
        environment = {**os.environ, "PYTHONPATH": str(run_folders.PACKAGES)}
        self.assertEqual(subprocess.run(["sh", "-c", script], env=environment, timeout=60).returncode, 0)
        self.assertIn("Learning", Page(run / "report.html").tabs)

    def test_a_pipe_in_the_place_of_the_page_that_is_being_written_is_replaced(self):
        run = run_folders.write_run(self.folder / "run")
        os.mkfifo(run / ".report.html.part")
        self.assertIn("Learning", self.page_of(run).tabs)

    def test_a_file_of_another_version_costs_its_section_alone(self):
        run = run_folders.write_run(self.folder / "run", task="dvrptw")
        (run / "evaluation.json").write_text('{"policies": [{"policy": "none"}]}')
        page = self.page_of(run)
        self.assertIn("Learning", page.tabs)
        self.assertNotIn("Policies", page.tabs)
        self.assertRegex(page.text, "policies_section: left out")

    def test_what_is_wrong_is_said_in_a_line(self):
        (self.folder / "empty").mkdir()
        self.fails(r"^report: .*/nowhere: no such folder; ", "--run-dir", self.folder / "nowhere", code=2)
        self.fails(r"^report: .*/empty has no metrics.jsonl", "--run-dir", self.folder / "empty")
        run = run_folders.write_run(self.folder / "run")
        self.fails(
            r"^report: .*/nowhere: no such folder; name one that evaluate wrote",
            "--run-dir",
            run,
            "--evaluation",
            self.folder / "nowhere",
            code=2,
        )
        self.fails(
            r"^report: .*/page.html: .*; choose another place with --out",
            "--run-dir",
            run,
            "--out",
            run / "config.yaml" / "page.html",
        )
        self.fails("unrecognized arguments: --runs", "--run-dir", run, "--runs", code=2)
        self.fails("one of the arguments --run-dir --compare is required", code=2)

    def test_help_says_how(self):
        result = run_folders.run_report("--help")
        self.assertEqual(result.returncode, 0)
        self.assertIn("bazel run //:report -- --run-dir runs/first", result.stdout)

    def test_riders_of_whom_nothing_is_known_are_a_sentence(self):
        run = run_folders.write_run(self.folder / "run", task="dvrptw")
        file = run_folders.write_delivery_evaluation(run / "evaluation") / "evaluation.json"
        file.write_text(file.read_text().replace('"known": true', '"known": false'))
        page = self.page_of(run)
        self.assertNotIn("Flexibility believed against true", page.headings)
        self.assertIn("none of 3 riders ever answered a shift", page.text)


class NumberTest(unittest.TestCase):
    def test_numbers_have_separators_and_few_digits(self):
        for value, text in (
            (1234567, "1,234,567"),
            (-12345.678, "−12,345.7"),
            (0.00025, "0.00025"),
            (3.14159, "3.142"),
            (2.0, "2"),
            (1e-7, "1e−07"),
            (None, "–"),
            (float("nan"), "–"),
        ):
            self.assertEqual(number(value), text)

    def test_means_have_the_digits_that_their_intervals_allow(self):
        self.assertEqual(estimate(-894.28, 28.3), "−894.3 ± 28.3")
        self.assertEqual(estimate(1234.5, 210.0), "1,234 ± 210")
        self.assertEqual(estimate(0.51234, 0.0123, sign=True), "+0.512 ± 0.012")
        self.assertEqual(estimate(4.0, None), "4.00")

    def test_durations_have_their_unit(self):
        for seconds, text in ((0.25, "250 ms"), (61.1, "61.1 s"), (125, "2 min 05 s"), (7260, "2 h 01 min")):
            self.assertEqual(duration(seconds), text)


class DaysTest(unittest.TestCase):
    def comparison(self, **days):
        return {
            "policies": [{"policy": policy} for policy in days],
            "days": {policy: dict(enumerate(found, 1)) for policy, found in days.items()},
        }

    def test_days_are_ordered_by_what_was_gained(self):
        gains = day_gains(self.comparison(random=[0, 0, 0], none=[10, 10, 10], learned=[11, 5, 9]))
        self.assertEqual(gains, [(-5, 2), (-1, 3), (1, 1)])
        self.assertEqual(named_days(gains), {2: "best day", 3: "median day", 1: "worst day"})

    def test_offers_are_compared_with_all_slots(self):
        self.assertEqual(day_gains(self.comparison(all_slots=[10, 20], learned=[11, 15])), [(-5, 2), (1, 1)])

    def test_a_single_day_has_one_name(self):
        self.assertEqual(len(named_days([(1.0, 7)])), 1)
        self.assertEqual(named_days([]), {})


class ActorsTest(unittest.TestCase):
    def test_seconds_of_an_actor_are_summed(self):
        reports = [
            {"actor/shard-0/busy_s": 1.0, "actor/shard-0/waiting_s": 3.0, "actor/shard-0/memory_mb": 9.0},
            {"actor/shard-0/busy_s": 2.0},
        ]
        self.assertEqual(actor_seconds(reports), {"shard-0": {"busy_s": 3.0, "waiting_s": 3.0, "transfer_s": 0.0}})

    def test_a_bar_is_the_share_of_an_actors_time(self):
        figure = actors_figure({"learner": {"busy_s": 1.0, "waiting_s": 2.0, "transfer_s": 1.0}})
        self.assertEqual(
            [(trace["name"], trace["x"]) for trace in figure.traces],
            [("busy", [0.25]), ("waiting", [0.5]), ("transfer", [0.25])],
        )


if __name__ == "__main__":
    unittest.main()
