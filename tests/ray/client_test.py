"""Training from Python, with the product's actors on a Ray of the test's own.

A driver is a function that prints what it saw as one JSON value, in a process of its own: Ray is joined once in a process.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

LIBRARY, TRAIN = (os.path.abspath(name) for name in sys.argv[1:3])
PYTHON = str(pathlib.Path("src/python").resolve())
PATIENCE_S = 300
EPOCHS = 10
SHARDS = 2
SETTINGS = {"scale.num_envs": 16, "train.epochs": EPOCHS, "run.log_interval": 1, "evaluation.episodes": 5}

sys.path.insert(0, PYTHON)


# --- Drivers -------------------------------------------------------------------------------------------------------


def start(**changed):
    import dray.client

    return dray.client.Training(**{"config": "configs/cartpole.yaml", "set": SETTINGS, "shards": SHARDS, **changed})


def trains():
    with start() as training:
        seen = {"reports": [training.step() for _ in range(EPOCHS)], "evaluation": training.evaluate()}
        seen["weights"] = {name: array.tolist() for name, array in training.weights().items()}
        seen["description"] = training.description
        seen["after the end"] = line_of(training.step)
    import ray

    return {**seen, "still joined": ray.is_initialized()}


def goes_on(folder):
    """Two steps after a checkpoint; the same two once more, by another training."""
    with start() as training:
        training.step()
        training.save(f"{folder}/saved.ckpt")
        first = [training.step(), training.step()]
        training.load(f"{folder}/saved.ckpt")
        again = [training.step(), training.step()]
    return [first, again]


def takes_several_rollouts():
    with start(set={**SETTINGS, "train.epochs": 5, "ppo.update_interval": 2}) as training:
        reports = [training.step() for _ in range(3)]
    return [[report[name] for name in ("epoch", "total_steps")] for report in reports]


def leaves_nothing():
    import ray

    import dray.client

    dray.client.connect()
    with start() as training:
        training.step()
        during = len(ray.util.list_named_actors(all_namespaces=True))
    deadline = time.monotonic() + PATIENCE_S / 2
    while (left := ray.util.list_named_actors(all_namespaces=True)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return [during, left, ray.is_initialized()]


def loses_an_actor():
    with start() as training:
        training.step()
        os.kill(next(own_workers()), signal.SIGKILL)
        return line_of(training.step)


def waits_for_an_actor():
    """One that is there and does nothing."""
    with start(timeout_s=PATIENCE_S) as training:
        training.step()
        training._timeout_s = 5  # from here on: what went before may take longer on a busy machine
        stopped = list(own_workers())
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        line = line_of(training.step)
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)
        return line


def has_a_head_of_its_own():
    """Where Ray listened for others during a step, what did, and what is left of it."""
    import listening

    folder = os.environ["RAY_TMPDIR"]
    with start() as training:
        training.step()
        pids = [
            os.getpid(),
            *(int(path.name) for path in pathlib.Path("/proc").glob("[0-9]*") if folder in command_line(path)),
        ]
        sockets = listening.listening(pids)
    open_to_others = [f"{program} {address}" for program, address in sockets if not address.is_loopback]
    return [open_to_others, sorted({program for program, _ in sockets}), os.listdir(folder)]


def command_line(process):
    try:
        return (process / "cmdline").read_bytes().decode(errors="replace")
    except OSError:
        return ""


def own_workers():
    """The C++ workers of the cluster."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        words = command_line(folder).split("\0")
        if words[0].endswith("/default_worker") and f"--ray_address={os.environ['RAY_ADDRESS']}" in words:
            yield int(folder.name)


def is_misused(what):
    mistakes = {
        "setting": lambda: start(set={"scale.num_env": 16}),
        "config": lambda: start(config="configs/nowhere.yaml"),
        "lag": lambda: start(set={"ppo.max_policy_lag": 1}),
        "cluster": lambda: start(address="127.0.0.1:9"),
        "library": lambda: start(),
        "join": lambda: start(),
    }
    if what == "library":
        os.environ["DRAY_ACTOR_LIBRARY"] = "/nowhere/libdray_actors.so"
    if what == "join":
        os.environ["RAY_AUTH_MODE"] = "token"
        import ray

        ray.init(log_to_driver=False, logging_level="ERROR")
    return line_of(mistakes[what])


def line_of(work):
    import dray.client

    try:
        work()
    except dray.client.Error as error:
        return str(error)


# --- Tests ---------------------------------------------------------------------------------------------------------


class ClientTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        sys.path.insert(0, str(pathlib.Path(__file__).absolute().parents[2] / "scripts"))
        import own_ray

        cls.ray = own_ray.OwnRay()
        cls.addClassCleanup(cls.ray.end)

    def run_python(self, *words, **changed):
        """What the program printed, once it ended well."""
        # The client finds out by itself whether the cluster wants a token.
        environment = {
            **self.ray.environment,
            "DRAY_ACTOR_LIBRARY": LIBRARY,
            "PYTHONPATH": PYTHON,
            "RAY_AUTH_MODE": None,
            **changed,
        }
        environment = {name: value for name, value in environment.items() if value is not None}
        done = subprocess.run(
            [sys.executable, *words],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout.splitlines()

    def drive(self, driver, *arguments, **changed):
        printed = self.run_python(
            os.path.abspath(__file__), LIBRARY, TRAIN, "--driver", driver.__name__, *arguments, **changed
        )
        lines = [line for line in printed if "(raylet)" not in line]  # Ray tells of lost workers by itself
        self.assertEqual(len(lines), 1, printed)
        return json.loads(lines[0])

    def train_locally(self):
        """Reports and weights of the same run by `train`."""
        from dray import weights

        folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        command = [TRAIN, "--runner", "local", "--config", "configs/cartpole.yaml", "--run-dir", f"{folder}/run"]
        for name, value in {**SETTINGS, "scale.num_workers": SHARDS}.items():
            command += ["--set", f"{name}={value}"]
        subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE_S)
        lines = pathlib.Path(folder, "run/metrics.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines], f"{folder}/run/weights.pt", weights.read_weights

    def test_a_training_gives_the_numbers_of_the_command_train(self):
        seen = self.drive(trains)
        reports, weights_file, read_weights = self.train_locally()
        self.assertEqual(len(reports), EPOCHS)
        for mine, its in zip(seen["reports"], reports, strict=True):
            names = [name for name in mine if not name.startswith("time/")]
            self.assertEqual({name: mine[name] for name in names}, {name: its[name] for name in names})
            missing = {name.partition("/")[0] for name in set(its) - set(mine)}
            self.assertLessEqual(missing, {"time", "cpu", "memory", "batches", "actors", "writes", "eval"})
            self.assertIn("train/kl_k1", names)
        for name in ("eval/return_mean", "eval/return_ci95", "eval/episodes"):
            self.assertEqual(seen["evaluation"][name], reports[-1][name])
        self.assertEqual(seen["weights"], {name: array.tolist() for name, array in read_weights(weights_file).items()})
        self.assertEqual(seen["description"]["shards"], [8, 8])
        self.assertIn("has reached its limit, after epoch 10", seen["after the end"])
        self.assertFalse(seen["still joined"])

    def test_weights_are_read_as_torch_reads_them(self):
        import torch

        _, weights_file, read_weights = self.train_locally()
        mine, its = read_weights(weights_file), torch.load(weights_file)
        self.assertEqual(list(mine), list(its))
        for name, array in mine.items():
            self.assertTrue((array == its[name].numpy()).all() and array.shape == tuple(its[name].shape), name)

    def test_a_checkpoint_goes_on_bit_for_bit(self):
        with tempfile.TemporaryDirectory() as folder:
            first, again = self.drive(goes_on, folder)
        for before, after in zip(first, again):
            names = [name for name in before if not name.startswith("time/")]
            self.assertEqual({name: before[name] for name in names}, {name: after[name] for name in names})

    def test_a_step_is_an_update_of_as_many_rollouts_as_the_config_says(self):
        self.assertEqual(self.drive(takes_several_rollouts), [[2, 4096], [4, 8192], [5, 10240]])

    def test_actors_are_gone_afterwards_and_a_cluster_that_was_joined_before_stays(self):
        self.assertEqual(self.drive(leaves_nothing), [SHARDS + 1, [], True])

    def test_without_a_cluster_it_has_one_of_its_own_that_nobody_else_can_reach(self):
        with tempfile.TemporaryDirectory(prefix="dr-", dir="/tmp") as folder:
            alone = dict(RAY_ADDRESS=None, RAY_AUTH_TOKEN=None, RAY_TMPDIR=folder, HOME=folder)
            open_to_others, programs, left = self.drive(has_a_head_of_its_own, **alone)
        self.assertEqual(open_to_others, [])
        self.assertLessEqual({"gcs_server", "raylet"}, set(programs))
        self.assertEqual(left, [".ray"])  # with the token

    def test_the_example_runs(self):
        printed = self.run_python("scripts/examples/train_from_python.py", "--updates", "2")
        self.assertTrue(printed[0].strip().startswith("2048 steps: return "), printed)
        self.assertTrue(printed[2].startswith("evaluated: "), printed)
        self.assertIn("actor.0.weight   (64, 4)", printed[3])

    def test_a_lost_actor_is_one_line(self):
        line = self.drive(loses_an_actor)
        self.one_line(line, "died")
        self.assertRegex(line, r"^(learner|shard-\d): ")

    def test_an_actor_that_does_not_answer_is_one_line(self):
        line = self.drive(waits_for_an_actor)
        self.one_line(line, "gave no answer", "(waited 5 s)")
        self.assertRegex(line, r"^(learner|shard-\d) ")

    def test_mistakes_are_one_line_each(self):
        self.one_line(self.drive(is_misused, "setting"), "scale.num_env", "num_envs")
        self.one_line(self.drive(is_misused, "config"), "configs/nowhere.yaml")
        self.one_line(self.drive(is_misused, "lag"), "ppo.max_policy_lag 1", "synchronous")
        self.one_line(self.drive(is_misused, "cluster"), "no Ray at 127.0.0.1:9")
        self.one_line(self.drive(is_misused, "library"), "DRAY_ACTOR_LIBRARY=/nowhere/libdray_actors.so")
        self.one_line(self.drive(is_misused, "join"), "dray.client.connect()")

    def one_line(self, line, *says):
        self.assertIsNotNone(line, "no error")
        self.assertNotIn("\n", line)
        for words in says:
            self.assertIn(words, line)


def main():
    if "--driver" in sys.argv:
        name, *arguments = sys.argv[4:]
        print(json.dumps(globals()[name](*arguments)), flush=True)
        return
    del sys.argv[1:3]
    unittest.main()


if __name__ == "__main__":
    main()
