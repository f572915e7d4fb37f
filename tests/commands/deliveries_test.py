"""The delivery task from the command line: training with its side learner, resuming, comparing, drawing, wrong files."""

import json
import re
import signal
import xml.dom.minidom

import commands
import torch

DELIVERIES = """
env:
  name: dvrptw
  dvrptw:
    num_customers: 6
    num_places: 30
    encoding: %s
    reward: %s
    oracle: {rounds: 2}
    flexibility: {update_epochs: 3, synchronous: true}
train: {epochs: 12}
scale: {num_envs: 12, envs_per_shard: 4}
ppo: {minibatch_size: 32, policy_epochs: 2, value_epochs: 3}
network: {hidden: [16], kind: %s, attention_width: 16}
evaluation: {interval: 6, episodes: 3}
run: {runner: local, device: cpu}
"""
OFFERS = """
env:
  name: dvrptw_offer
  dvrptw_offer:
    num_customers: 6
    oracle: {rounds: 2}
train: {epochs: 12}
scale: {num_envs: 12, envs_per_shard: 4}
ppo: {minibatch_size: 32, policy_epochs: 2, value_epochs: 3}
network: {hidden: [16], kind: attention, attention_width: 16}
evaluation: {interval: 6, episodes: 3}
run: {runner: local, device: cpu}
"""
KINDS = (
    ("rows", "cost_drop", "mlp"),
    ("counts", "cost_drop", "mlp"),
    ("tokens", "against_no_shifts", "attention"),
    ("tokens", "against_unshifted_request", "mlp"),
)
TRAVEL = "0,10,20\n10,0,15\n20,15,0\n"
HEADER = "rider,origin,destination,pickup_early_min,pickup_late_min,dropoff_early_min,dropoff_late_min\n"


class DeliveriesTest(commands.CommandTest):
    def setUp(self):
        super().setUp()
        for encoding, reward, kind in KINDS:
            self.write(f"{encoding}_{reward}.yaml", DELIVERIES % (encoding, reward, kind))
        self.write("deliveries.yaml", DELIVERIES % ("counts", "cost_drop", "mlp"))
        self.write("own_city.yaml", (DELIVERIES % ("counts", "cost_drop", "mlp")).replace("    num_places: 30\n", ""))
        self.write("offers.yaml", OFFERS)

    def assert_same_weights(self, one, other):
        ours, theirs = (torch.load(self.folder / run / "weights.pt", weights_only=True) for run in (one, other))
        for name in ours:
            self.assertTrue(torch.equal(ours[name], theirs[name]), name)

    def test_a_resumed_run_is_the_run_that_never_stopped(self):
        for encoding, reward, _ in KINDS:
            task = f"{encoding}_{reward}"
            with self.subTest(task):
                self.train(f"{task}-whole", task=task)
                # Stopped again and again, before and after updates of the side learner.
                self.train(f"{task}-stopped", "--duration", "0.02s", task=task)
                for _ in range(3):
                    self.resume(f"{task}-stopped", "--duration", "0.05s")
                self.resume(f"{task}-stopped", "--duration", "0s")
                self.assert_same_metrics(f"{task}-whole", f"{task}-stopped")
                self.assert_same_weights(f"{task}-whole", f"{task}-stopped")

    def test_threads_change_nothing(self):
        for threads in (1, 3):
            self.train(f"threads-{threads}", "--set", f"scale.threads={threads}", task="tokens_against_no_shifts")
        self.train(
            "one-oracle",
            "--set",
            "scale.threads=3",
            "--set",
            "env.dvrptw.oracle.placement=actor",
            task="tokens_against_no_shifts",
        )
        self.assert_same_weights("threads-1", "one-oracle")
        self.assert_same_metrics("threads-1", "threads-3")
        self.assert_same_weights("threads-1", "threads-3")

    def test_the_side_learner_says_what_it_learned(self):
        printed = self.train("run", task="deliveries")
        self.assertIn("Learned what riders accept from 216 answers of 6 riders (loss ", printed)
        self.assertIn("Riders by predicted type: late dropoff ", printed)
        last = self.metrics("run")[-1]
        self.assertEqual(last["rollout/stat/belief_version"], 3)
        self.assertAlmostEqual(last["rollout/stat/epsilon"], 0.2 / 12)
        self.assertEqual(last["rollout/stat/oracle_calls"], 3 * 6)
        self.assertEqual(last["rollout/stat/oracle_batch"], 4)
        for name in ("cost_min", "failure", "acceptance", "vehicles"):
            self.assertIn(f"episode/stat/{name}", last)
        self.assertNotIn("episode/stat/no_shift_cost_min", last)

    def test_the_plan_without_shifts_is_reported_on_demand_and_changes_nothing(self):
        self.train("plain", task="deliveries")
        self.train("reporting", "--set", "env.dvrptw.report_no_shift=true", task="deliveries")
        for name in ("no_shift_cost_min", "cost_vs_no_shift_pct"):
            self.assertIn(f"episode/stat/{name}", self.metrics("reporting")[-1])
        self.assertEqual(self.metrics("reporting")[-1]["rollout/stat/oracle_batch"], 8)
        self.assert_same_weights("plain", "reporting")

    def test_asynchronous_beliefs_are_taken_when_they_are_ready(self):
        process = self.start(
            "run", "--set", "env.dvrptw.flexibility.synchronous=false", "--epochs", "1000000", task="deliveries"
        )
        path = self.folder / "run/metrics.jsonl"
        has_beliefs = re.compile(rb'"rollout/stat/belief_version": ?[1-9]').search
        self.wait_until(lambda: path.exists() and has_beliefs(path.read_bytes()), process)
        self.interrupt("run", process, signal.SIGINT)

    def test_offers_are_trained_and_evaluated(self):
        self.train("run", task="offers")
        last = self.metrics("run")[-1]
        self.assertIn("episode/stat/served", last)
        # As training saw them: what a vehicle carries is the same in the run's own settings.
        self.assertGreater(self.evaluate("--run-dir", "run")["stats"]["served"]["mean"], 0.1)
        self.resume("run", "--epochs", "14")

    def compare_all(self, task, names, pictures):
        """Trains, compares with all baselines and draws: every name stands in every report, in this order."""
        self.train("run", task=task)
        result = self.run_command(
            commands.EVALUATE,
            "--run-dir",
            "run",
            "--baselines",
            "all",
            "--episodes",
            "4",
            "--out",
            "report",
            "--render",
            "art",
            "--episode",
            "best,median,worst",
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        written = json.loads((self.folder / "report/evaluation.json").read_text())
        self.assertEqual([policy["policy"] for policy in written["policies"]], names)
        for policy in written["policies"]:
            self.assertAlmostEqual(sum(policy["objective_by_day"]) / 4, policy["objective"]["mean"], places=6)
        page = (self.folder / "report/evaluation.md").read_text()
        for name in names:
            self.assertIn(f"\n{name} ", result.stdout)
            self.assertIn(f"\n| {name} |", page)
        drawn = sorted(path.name for path in (self.folder / "art").iterdir())
        self.assertEqual(len(drawn), pictures, drawn)
        for name in drawn:
            xml.dom.minidom.parse(str(self.folder / "art" / name))

    def test_offers_are_compared_with_all_baselines_and_drawn(self):
        names = [
            "all_slots",
            "random",
            "first_slot",
            "cheapest_slot",
            "cheapest_two",
            "cheapest_accepted",
            "myopic",
            "keen",
            "myopic_true",
            "lookahead",
            "learned",
        ]
        self.compare_all("offers", names, pictures=12)

    def test_settings_without_effect_are_refused_where_they_were_set(self):
        train = (commands.TRAIN, "--config", "offers.yaml", "--dry-run")
        self.fails(
            "--set env.dvrptw.noise=0.1: env.dvrptw.noise: 0.1 has no effect", *train, "--set", "env.dvrptw.noise=0.1"
        )
        self.fails(
            "--set env.dvrptw_offer.noise=0.1: env.dvrptw_offer.noise: unknown key",
            *train,
            "--set",
            "env.dvrptw_offer.noise=0.1",
        )
        self.fails(
            "--set env.dvrptw.mode=offer: env.dvrptw.",
            commands.TRAIN,
            "--config",
            "tokens_against_no_shifts.yaml",
            "--set",
            "env.dvrptw.mode=offer",
        )
        evaluate = (commands.EVALUATE, "--config", "offers.yaml", "--baselines", "all")
        self.fails(
            "env.dvrptw.held_out_riders: true has no effect", *evaluate, "--set", "env.dvrptw.held_out_riders=true"
        )
        good = "".join(f"r{i},1,2,{60 * i + 60},{60 * i + 90},{60 * i + 75},{60 * i + 105}\n" for i in range(5))
        self.fails(
            "env.dvrptw.held_out_riders: true has no effect",
            *self.own_city(good),
            "--set",
            "env.dvrptw.held_out_riders=true",
        )

    def test_a_policy_is_compared_with_all_baselines_and_drawn(self):
        names = [
            "none",
            "random",
            "random_accepted",
            "max_shift",
            "myopic_hopeful",
            "myopic_believed",
            "myopic_true",
            "lookahead",
            "plan",
            "hindsight",
            "learned",
        ]
        self.compare_all("deliveries", names, pictures=18)
        believed = json.loads((self.folder / "report/evaluation.json").read_text())["beliefs"]
        self.assertTrue(
            all(abs(sum(rider["belief"]) - 1) < 1e-3 and 0 <= rider["type"] <= 3 for rider in believed), believed
        )
        days = (self.folder / "report/days.jsonl").read_text().splitlines()
        self.assertEqual([json.loads(day)["policy"] for day in days[1::4]], names)

    def test_a_policy_that_plans_is_evaluated_by_its_name(self):
        self.train("run", task="deliveries")
        for source, policies in (
            ("--run-dir run --policy plan", ["none", "plan", "learned"]),
            ("--config deliveries.yaml --policy lookahead", ["none", "lookahead"]),
            ("--config offers.yaml --policy lookahead", ["all_slots", "lookahead"]),
        ):
            command = (
                commands.EVALUATE,
                *source.split(),
                "--futures",
                "2",
                "--decision-ms",
                "1000",
                "--episodes",
                "2",
                "--json",
            )
            result = self.run_command(*command)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertEqual([policy["policy"] for policy in json.loads(result.stdout)["policies"]], policies)
        self.fails("plan: needs a learned policy", commands.EVALUATE, "--config", "deliveries.yaml", "--policy", "plan")
        self.fails(
            'no baseline "plan" in dvrptw_offer', commands.EVALUATE, "--config", "offers.yaml", "--policy", "plan"
        )
        policy_futures = ("--set", "env.dvrptw.lookahead.policy_futures=5")
        self.fails(
            "has no effect in dvrptw_offer",
            commands.EVALUATE,
            "--config",
            "offers.yaml",
            "--policy",
            "lookahead",
            *policy_futures,
        )

    def test_baselines_need_no_run(self):
        result = self.run_command(
            commands.EVALUATE, "--config", "deliveries.yaml", "--baselines", "random", "--episodes", "3", "--json"
        )
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual([policy["policy"] for policy in json.loads(result.stdout)["policies"]], ["none", "random"])

    def fails(self, says, *command):
        result = self.run_command(*command)
        self.assertEqual((result.returncode, len(result.stderr.splitlines())), (2, 1), result.stderr)
        self.assertIn(says, result.stderr)

    def own_city(self, trips, travel=TRAVEL):
        self.write("travel.csv", travel)
        self.write("trips.csv", HEADER + trips)
        flags = ("--set", "env.dvrptw.travel=travel.csv", "--set", "env.dvrptw.trips=trips.csv", "--customers", "5")
        return (commands.TRAIN, "--config", "own_city.yaml", *flags)

    def test_wrong_files_are_named_with_line_and_field(self):
        good = "".join(f"r{i},1,2,{60 * i + 60},{60 * i + 90},{60 * i + 75},{60 * i + 105}\n" for i in range(5))
        self.assertEqual(self.run_command(*self.own_city(good), "--dry-run").returncode, 0)
        self.fails("trips.csv:2: destination: ", *self.own_city(good.replace("r0,1,2", "r0,1,9")))
        self.fails("trips.csv:2: ", *self.own_city(good.replace(",60,90,", ",90,60,")))
        self.fails("trips.csv:2: pickup_early_min", *self.own_city(good.replace(",60,90,", ",-60,90,")))
        self.fails("travel.csv:2", *self.own_city(good, "0,10,20\n10,0\n20,15,0\n"))
        self.fails(
            "--customers 5: env.dvrptw.num_customers: is 5, but ", *self.own_city(good + "r9,1,2,600,630,615,645\n")
        )
        self.fails("env.dvrptw.capacity: 0 is out of range", *self.own_city(good), "--set", "env.dvrptw.capacity=0")
        self.write("weights.bin", "nothing of the kind")
        self.fails(
            "env.dvrptw.oracle.weights: ",
            *(commands.TRAIN, "--config", "deliveries.yaml"),
            *("--set", "env.dvrptw.oracle.kind=neural", "--set", "env.dvrptw.oracle.weights=weights.bin"),
        )

    def test_a_broken_triangle_is_closed_with_a_note(self):
        good = "".join(f"r{i},1,2,{60 * i + 60},{60 * i + 90},{60 * i + 75},{60 * i + 105}\n" for i in range(5))
        printed = self.succeeds(
            *self.own_city(good, "0,10,50\n10,0,15\n20,15,0\n"), "--run-dir", "run", "--epochs", "1"
        )
        self.assertIn("Note: travel.csv", printed.replace(str(self.folder) + "/", ""))


if __name__ == "__main__":
    commands.main()
