"""Calls of environments with whatever a caller may pass, in any order: a result or one line of dray.Error. fuzz.py says how to run more."""

import os
import sys
import warnings

LIBRARY, PACKAGE = (os.path.abspath(path) for path in sys.argv[1:3])
os.environ["DRAY_ENVS_LIBRARY"] = LIBRARY
sys.path.insert(0, os.path.dirname(os.path.dirname(PACKAGE)))

import fuzz
import numpy

import dray
from dray.batch import names, preset

warnings.simplefilter("ignore")  # of numpy, about what any_value makes


def some_actions(rng, batch):
    """An array of any type and nearly the right shape, or something else."""
    if rng.random() < 0.2:
        return fuzz.any_value(rng)
    shape = tuple(size + rng.choice((0, 0, 0, 0, 1, -1)) for size in batch.actions.shape) + (1,) * rng.choice(
        (0, 0, 1, 2)
    )
    values = numpy.array(rng.choice((0, 1, 1, 144, -1, 2**31, 2**32, 0.5, 1e300, numpy.nan)))
    with numpy.errstate(all="ignore"):
        values = values.astype(
            rng.choice(("i8", "i4", "u1", "u8", ">i8", "f2", "f4", "f8", "?", "g", "U3", "O", "c16", "M8[s]"))
        )
    return numpy.asarray(numpy.broadcast_to(values, [max(0, size) for size in shape]), order=rng.choice("CF"))


class Calls:
    def __init__(self):
        self._names = names()
        self._presets = [preset(name).read_text() for name in ("cage2_bline", "cartpole", "pendulum", "dvrptw_best")]
        self._states = {}

    def _made(self, rng):
        match rng.randrange(4):
            case 0:
                return dray.Batch(fuzz.any_value(rng), *[fuzz.any_value(rng) for _ in range(rng.randrange(5))])
            case 1:
                return dray.Batch(yaml=fuzz.damaged_text(rng, rng.choice(self._presets)), count=2)
            case _:
                return dray.Batch(rng.choice(self._names), count=rng.choice((1, 3)), seed=rng.choice((0, 7, 2**64 - 1)))

    def __call__(self, rng):
        batch = self._made(rng)
        arrays = [batch.observations, batch.rewards]
        calls = {
            "step": lambda: batch.step(some_actions(rng, batch)),
            "play": lambda: batch.step(numpy.zeros(batch.actions.shape, int)),
            "write": lambda: self._write(rng, batch),
            "reset": batch.reset,
            "episodes": batch.episodes,
            "render": lambda: batch.render(rng.choice((0, 1, -1, 3, fuzz.any_value(rng)))),
            "progress": lambda: batch.progress(rng.choice((0, 0.5, 2, fuzz.any_value(rng)))),
            "load": lambda: self._load(rng, batch),
            "masks": batch.action_masks,
        }
        refused = None
        for _ in range(12):
            try:
                calls["reset" if rng.random() < 0.2 else rng.choice([*calls])]()
                if rng.random() < 0.02:
                    batch.close()
            except dray.Error as error:
                refused = error
                assert "\n" not in str(error), error
        assert all(numpy.isfinite(array).all() for array in arrays)
        if refused:
            raise refused

    def _write(self, rng, batch):
        batch.actions.view("u1")[...] = rng.randrange(256)
        batch.step()

    def _load(self, rng, batch):
        state = batch.save()
        try:
            batch.load(fuzz.damaged_bytes(rng, state) if rng.random() < 0.9 else fuzz.any_value(rng))
        except dray.Error:
            assert batch.save() == state, "a refused state changed something"
            raise
        batch.load(state)


if __name__ == "__main__":
    fuzz.main(Calls(), 1000, (LIBRARY, PACKAGE))
