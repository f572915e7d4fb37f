"""Arguments of dray.client.Training, as far as the engine's side of a training: it is made, or refused in one line of dray.Error. fuzz.py says how to run more."""

import os
import sys
import tempfile

LIBRARY, PACKAGE = (os.path.abspath(path) for path in sys.argv[1:3])
os.environ["DRAY_ACTOR_LIBRARY"] = LIBRARY
sys.path.insert(0, os.path.dirname(os.path.dirname(PACKAGE)))

import fuzz

from dray import client, engine

SETTINGS = (
    "scale.num_envs",
    "scale.num_workers",
    "ppo.gamma",
    "network.hidden",
    "run.seed",
    "env.name",
    "env.cartpole",
    "train.epochs",
    "nothing",
    "",
    "scale",
    "ppo..gamma",
    "a" * 5000,
)
FLAGS = (
    "--seed",
    "--num-envs",
    "--epochs",
    "--set",
    "--config",
    "--nothing",
    "--",
    "",
    "7",
    "-1",
    "x=y",
    "=",
    "ppo.gamma=2",
    "9" * 400,
)

CLUSTER = b"""{"address": "127.0.0.1:9", "cpus": 4, "gpus": 0, "free_cpus": 4, "free_gpus": 0, "memory_bytes": 8000000000,
              "object_store_bytes": 2000000000}"""


class Arguments:
    def __init__(self):
        for sound in ({"scale.num_envs": 4}, {"scale.num_envs": "auto"}):  # are taken
            training = engine.SteppedTraining(client.train_words("cartpole", sound, 2, ["--seed", "7"]))
            training.ask("place", CLUSTER)
            training.close()

    def __call__(self, rng):
        given = {
            "config": "cartpole",
            "set": self._settings(rng),
            "shards": rng.choice((None, 1, 2)),
            "arguments": rng.choice(([], ["--seed", "7"], ["--num-envs", "9"], rng.choices(FLAGS, k=2))),
        }
        if rng.random() < 0.3:
            given[rng.choice([*given])] = fuzz.any_value(rng)
        training = engine.SteppedTraining(client.train_words(**given))
        try:
            training.ask(
                "place",
                CLUSTER
                if rng.random() < 0.5
                else fuzz.damaged_bytes(rng, CLUSTER)
                if rng.random() < 0.9
                else b"[" * 100_000,
            )
        finally:
            training.close()

    def _settings(self, rng):
        values = (
            0,
            1,
            4,
            -1,
            0.5,
            "auto",
            "[8, 8]",
            [8],
            [[8]],
            {},
            None,
            True,
            2**63,
            10**400,
            float("nan"),
            "\n",
            "&a",
            "{" * 1000,
        )
        if rng.random() < 0.3:
            return rng.choice(({}, {"scale.num_envs": "auto"}, {"scale.num_workers": 2}, {"ppo.gamma": 1}))
        return {rng.choice(SETTINGS): rng.choice(values) for _ in range(rng.choice((1, 1, 2)))}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        fuzz.main(Arguments(), 300, (LIBRARY, PACKAGE))
