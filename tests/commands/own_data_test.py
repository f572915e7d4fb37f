"""Users' own data from the command line: the examples of docs/own_data.md, what follows from files, and what is wrong with them."""

import json
import os
import pathlib
import re
import sys

import commands

SOLVE = os.path.abspath(sys.argv.pop(1))
EXAMPLES = commands.CONFIGS / "examples"
PAGE = pathlib.Path("docs/own_data.md").resolve()
OWN = """
env: {name: dvrptw, dvrptw: {encoding: tokens, oracle: {rounds: 2}%s}}
train: {epochs: 2}
scale: {num_envs: 4, envs_per_shard: 2}
network: {hidden: [16]}
evaluation: {interval: 2, episodes: 2}
run: {runner: local, device: cpu}
"""
DRAWN = "it is drawn uniformly from late_dropoff, early_pickup, none and both, with the seed env.dvrptw.rider_seed"


class OwnDataTest(commands.CommandTest):
    def setUp(self):
        super().setUp()
        self.write("own.yaml", OWN % "")
        self.write("ten.yaml", OWN % ", num_customers: 10")
        self.write(
            "offer.yaml", (OWN % ", capacity: 8").replace("encoding: tokens, ", "").replace("dvrptw", "dvrptw_offer")
        )
        for path in EXAMPLES.glob("*.csv"):
            self.write(path.name, path.read_text())

    def files(self, **settings):
        return [part for name, file in settings.items() for part in ("--set", f"env.dvrptw.{name}={file}")]

    def line_of(self, code, *command):
        """What it says as it fails, in one line, with folders left out."""
        result = self.run_command(*command)
        self.assertEqual((result.returncode, len(result.stderr.splitlines())), (code, 1), result.stderr)
        return result.stderr.strip().replace(str(self.folder) + "/", "")

    def train_says(self, *flags, config="own.yaml", code=2):
        return self.line_of(code, commands.TRAIN, "--config", config, "--dry-run", *flags)

    def test_the_page_has_every_example_as_it_is(self):
        page = PAGE.read_text()
        for path in EXAMPLES.glob("*.csv"):
            self.assertIn(f"`configs/examples/{path.name}`", page)
            self.assertIn("".join(f"    {line}\n" for line in path.read_text().splitlines()), page, path.name)

    def test_help_tells_the_formats_of_the_examples(self):
        for command in (commands.TRAIN, commands.EVALUATE, SOLVE):
            self.assertIn("--help data", self.succeeds(command, "--help"))
            text = self.succeeds(command, "--help", "data")
            self.assertLessEqual(max(map(len, text.splitlines())), 100)
            for name in ("trips.csv", "places.csv", "stops.csv"):
                lines = (EXAMPLES / name).read_text().splitlines()
                self.assertIn(f"  {lines[0]}\n", text)
                self.assertTrue(any(f"  {line}\n" in text for line in lines[1:]), name)
        for setting in re.findall(r"env\.(dvrptw\.\w+)", text):
            self.assertIn(f"`env.{setting}`", (commands.CONFIGS / "REFERENCE.md").read_text())

    def test_the_riders_follow_from_the_file_and_types_are_said_to_be_drawn(self):
        for files in (
            {"places": "places.csv", "trips": "trips.csv"},
            {"places": "places.csv", "travel": "travel_min.csv", "trips": "trips.csv"},
            {"travel": "travel_min.csv", "trips": "trips_numbered.csv"},
        ):
            printed = self.succeeds(commands.TRAIN, "--config", "own.yaml", "--dry-run", *self.files(**files))
            self.assertIn("    num_customers: 5\n", printed)
            self.assertIn("exactly 5 steps per episode", printed)
            self.assertIn(DRAWN, printed)
        printed = self.train("run", *self.files(places="places.csv", trips="trips.csv"), task="own")
        self.assertIn("trips.csv: 1 of 5 riders has no flexibility; " + DRAWN, printed)
        self.assertIn("    num_customers: 5\n", (self.folder / "run/config.yaml").read_text())
        self.resume("run", "--epochs", "3")
        self.evaluate("--run-dir", "run")

    def test_baselines_play_the_riders_of_a_file(self):
        files = self.files(travel="travel_min.csv", trips="trips_numbered.csv")
        result = self.run_command(
            commands.EVALUATE, "--config", "own.yaml", "--baselines", "random", "--episodes", "2", "--json", *files
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("trips_numbered.csv: no rider has a flexibility; " + DRAWN, result.stderr)
        json.loads(result.stdout)

    def test_customers_of_a_file_are_offered_slots(self):
        printed = self.succeeds(
            commands.TRAIN, "--config", "offer.yaml", "--dry-run", *self.files(instance="stops.csv")
        )
        self.assertIn("    num_customers: 5\n", printed)

    def test_the_globe_is_solved_in_minutes(self):
        printed = self.succeeds(SOLVE, "--instance", "stops.csv", "--capacity", "8")
        self.assertIn("\nunits     min, in steps of 0.001\n", printed)
        slow, quick = (
            json.loads(
                self.succeeds(SOLVE, "--instance", "stops.csv", "--capacity", "8", "--json", "--speed-kmh", speed)
            )
            for speed in (20, 40)
        )
        self.assertEqual(quick["unit"], "min")
        self.assertAlmostEqual(quick["cost"] / slow["cost"], 0.5, places=2)
        self.succeeds(SOLVE, "--instance", "stops_flat.csv", "--capacity", "4")
        self.write("six.csv", "".join(",".join("0" if i == j else "7.5" for j in range(6)) + "\n" for i in range(6)))
        told = json.loads(
            self.succeeds(SOLVE, "--instance", "stops.csv", "--capacity", "8", "--json", "--travel", "six.csv")
        )
        self.assertEqual(told["cost"] % 7.5, 0)

    def test_errors_of_data_name_the_data_and_not_the_config(self):
        files = self.files(places="places.csv", trips="bad.csv")
        good = (EXAMPLES / "trips.csv").read_text()
        for config, old, new, says in (
            ("own.yaml", "08:00,08:30", "08:00,25:00", "bad.csv:2: pickup_late: '25:00' is not a valid time"),
            (
                "ten.yaml",
                "cem,station",
                "cem,staton",
                "bad.csv:5: origin: there is no place 'staton' in places.csv; did you mean 'station'?",
            ),
            (
                "own.yaml",
                "flexibility\n",
                "flexibilty\n",
                "bad.csv:1: 'flexibilty': unknown column; did you mean flexibility?",
            ),
            ("ten.yaml", "08:00,08:30", "08:00,08:30,5", "bad.csv:2: flexibility: expected 8 values"),
        ):
            self.write("bad.csv", good.replace(old, new, 1))
            said = self.train_says(*files, config=config)
            self.assertTrue(said.startswith(f"dray: {says}"), said)
        (self.folder / "bad.csv").write_bytes(good.encode("utf-16"))
        self.assertEqual(self.train_says(*files), "dray: bad.csv:1: format: the file is UTF-16 text; save it as UTF-8")
        (self.folder / "bad.csv").write_bytes(good.replace("ann", "Zoë").encode("latin-1"))
        self.assertIn("bad.csv:2: format: the text is not UTF-8, perhaps Latin-1", self.train_says(*files))

    def test_a_missing_file_is_wrong_usage(self):
        says = "dray: cannot read gone.csv: No such file"
        for files in ({"places": "places.csv", "trips": "gone.csv"}, {"places": "gone.csv", "trips": "trips.csv"}):
            self.assertIn(says, self.train_says(*self.files(**files), code=2))
        self.assertIn(says, self.train_says(*self.files(travel="gone.csv", trips="trips_numbered.csv"), code=2))
        self.assertIn(says, self.line_of(2, SOLVE, "--instance", "gone.csv", "--capacity", "8"))

    def test_numbers_that_contradict_the_file_name_both(self):
        files = self.files(places="places.csv", trips="trips.csv")
        says = "env.dvrptw.num_customers: is %d, but trips.csv has 5 riders; leave it out, or set it to 5"
        self.assertEqual(self.train_says(*files, config="ten.yaml"), "dray: ten.yaml: " + says % 10)
        self.assertEqual(self.train_says(*files, "--customers", "7"), "dray: --customers 7: " + says % 7)

    def test_what_is_no_file_is_refused_and_not_waited_for(self):
        os.mkfifo(self.folder / "pipe.csv")
        says = "cannot read pipe.csv: it is a pipe, not a file"
        self.assertIn(says, self.line_of(1, SOLVE, "--instance", "pipe.csv", "--capacity", "8"))
        self.assertIn(says, self.train_says(*self.files(places="places.csv", trips="pipe.csv"), code=1))
        self.assertIn(
            says, self.train_says(*self.files(travel="pipe.csv", trips="trips.csv"), "--customers", "5", code=1)
        )
        self.assertIn("cannot read /dev/zero: it is a device", self.line_of(1, SOLVE, "--instance", "/dev/zero"))

    def test_distances_that_vanish_are_refused(self):
        self.write("hours.csv", "0,.01,.02\n.01,0,.015\n.02,.015,0\n")
        says = self.train_says(*self.files(travel="hours.csv", trips="trips_numbered.csv"))
        self.assertTrue(says.startswith("dray: hours.csv:3: places: the longest travel time is 0.02 min"), says)


if __name__ == "__main__":
    commands.main()
