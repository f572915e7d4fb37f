"""Damaged lines through `dray act`: an action or an error for each. fuzz.py says how to run more."""

import json
import os
import sys

LIBRARY, PACKAGE = (os.path.abspath(path) for path in sys.argv[1:3])
os.environ["DRAY_ENVS_LIBRARY"] = LIBRARY
sys.path.insert(0, os.path.dirname(os.path.dirname(PACKAGE)))

import fuzz

import dray
from dray import act

VALUES = (
    "0",
    "1",
    "-1",
    "true",
    "false",
    "null",
    '"1"',
    "[]",
    "{}",
    "[0]",
    "1e999",
    "-0.0",
    "NaN",
    "1e-400",
    "9" * 401,
    "9" * 5000,
    '"\\u0000"',
    '"\\ud800"',
    "[" * 100,
    "{" * 40,
)


class Lines:
    def __init__(self):
        self._policy = dray.load_policy(pretrained="cage2_mixture")
        assert "action" in act.answer(self._policy, self._line(None).encode())

    def _line(self, rng):
        """Values that fit, with a few that may not."""
        observation, mask = ["0"] * self._policy.observation_size, ["true"] * self._policy.outputs_size
        for values in (observation, mask) if rng else ():
            for _ in range(rng.choice((0, 0, 1, 3))):
                values[rng.randrange(len(values))] = rng.choice(VALUES)
        return f'{{"observation": [{", ".join(observation)}], "mask": [{", ".join(mask)}]}}'

    def __call__(self, rng):
        line = self._line(rng).encode()
        if rng.random() < 0.5:
            line = fuzz.damaged_bytes(rng, line)
        answer = json.loads(json.dumps(act.answer(self._policy, line)))
        if "error" in answer:
            raise dray.Error(answer["error"])
        assert 0 <= answer["action"] < self._policy.outputs_size and abs(sum(answer["probabilities"]) - 1) < 1e-3


if __name__ == "__main__":
    fuzz.main(Lines(), 3000, (LIBRARY, PACKAGE))
