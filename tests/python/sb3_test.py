"""MaskablePPO of sb3-contrib learns on Dray's environments. Fetches Stable-Baselines3; some minutes: bazel test //tests/python:sb3_test"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import linked_venv

LIBRARY, PACKAGE = (os.path.abspath(path) for path in sys.argv[1:3])
del sys.argv[1:3]

LEARNING = """
import json
import numpy
import torch
from sb3_contrib import MaskablePPO
from dray.sb3 import make_sb3

torch.set_num_threads(1)
learned = {}
for config, envs, steps, batch, total in (("cage2_bline", 25, 100, 500, 100_000), ("dvrptw_ppo", 16, 30, 240, 20_000)):
    vec_env = make_sb3(config=config, num_envs=envs)
    vec_env.seed(1)
    model = MaskablePPO("MlpPolicy", vec_env, n_steps=steps, batch_size=batch, seed=1)
    returns = []
    for share in (0.2, 0.8):
        model.learn(int(share * total), reset_num_timesteps=False)
        returns.append(float(numpy.mean([episode["r"] for episode in model.ep_info_buffer])))
    learned[config] = returns
print(json.dumps(learned))
"""


class Sb3Test(unittest.TestCase):
    def test_a_learner_of_others_learns_with_masks(self):
        with tempfile.TemporaryDirectory() as folder:
            python = linked_venv.make(folder)
            linked_venv.install(python, "stable-baselines3", "sb3-contrib")
            done = subprocess.run(
                [python, "-c", LEARNING],
                capture_output=True,
                text=True,
                env={
                    **os.environ,
                    "DRAY_ENVS_LIBRARY": LIBRARY,
                    "PYTHONPATH": os.path.dirname(os.path.dirname(PACKAGE)),
                },
            )
        self.assertEqual(done.returncode, 0, done.stderr)
        learned = json.loads(done.stdout.splitlines()[-1])
        early, late = learned["cage2_bline"]
        self.assertGreater(late, early)
        # What so short a training gains in deliveries is less than the luck of 100 days: it has to run, under masks, and stay sane.
        self.assertTrue(all(abs(value) < 1000 for value in learned["dvrptw_ppo"]), learned)


if __name__ == "__main__":
    unittest.main()
