"""What does not fit is refused in one line of dray.Error, before it reaches the engine's memory: numbers, arrays, texts, states."""

import os
import sys
import unittest

LIBRARY, PACKAGE = (os.path.abspath(path) for path in sys.argv[1:3])
del sys.argv[1:3]
os.environ["DRAY_ENVS_LIBRARY"] = LIBRARY
sys.path.insert(0, os.path.dirname(os.path.dirname(PACKAGE)))

import numpy

import dray
from dray.gym_env import SingleEnv

HUGE = 10**5000  # Python itself refuses to print it


class RefusalTest(unittest.TestCase):
    def refused(self, call, *words):
        with self.assertRaises(dray.Error) as caught:
            call()
        for word in words:
            self.assertIn(word, str(caught.exception))
        self.assertNotIn("\n", str(caught.exception))


class EnvironmentsTest(RefusalTest):
    def test_numbers_of_environments_are_those_of_a_training(self):
        for count in (-1, 0, 65537, 2**31 - 1, 2**32 + 2):
            self.refused(
                lambda: dray.make_vec("cartpole", count),
                f"num_envs: {count} is out of range; it must be from 1 to 65536",
            )
        for count in (2**64 + 1, HUGE, -HUGE):
            self.refused(lambda: dray.make_vec("cartpole", count), "num_envs:", "is out of range")
        for count in (1.5, "2", None, [2]):
            self.refused(lambda: dray.make_vec("cartpole", count), "num_envs:", "is not a whole number")
        self.assertEqual(dray.make_vec("cartpole", numpy.int64(65536)).num_envs, 65536)

    def test_render_modes_are_those_it_has(self):
        self.refused(lambda: SingleEnv("cartpole", render_mode="rgb_array"), "render_mode 'rgb_array'", "ansi")
        self.assertIsNone(SingleEnv("cartpole").render_mode)

    def test_seeds_have_64_bits(self):
        for seed in (-1, 2**64, HUGE):
            self.refused(
                lambda: dray.Batch("cartpole", seed=seed),
                "seed:",
                "is out of range; it must be from 0 to 18446744073709551615",
            )
        for seed in (0.5, "1", None):
            self.refused(lambda: dray.Batch("cartpole", seed=seed), "seed:", "is not a whole number")
        envs, single = dray.make_vec("cartpole", 2), SingleEnv("cartpole")
        first = envs.reset(seed=7)[0]
        for made in (envs, single):
            self.refused(lambda: made.reset(seed=2**64), "seed:", "is out of range")
        self.assertFalse((envs.reset()[0] == first).any())  # the streams went on
        self.assertEqual(dray.Batch("cartpole", seed=2**64 - 1).seed, 2**64 - 1)

    def test_actions_are_whole_and_exist(self):
        envs, single = dray.make_vec("cage2", 2), SingleEnv("cage2")
        envs.reset(seed=1)
        single.reset(seed=1)
        for bad, words in (
            (145, "there is no action 145; they are 0 to 144"),
            (-1, "there is no action -1"),
            (2**32, "there is no action 4294967296"),
            (0.9, "there is no action 0.9"),
            (numpy.nan, "there is no action nan"),
            (numpy.uint64(2**64 - 1), "there is no action"),
            (1e300, "there is no action 1e+300"),
            ("1", "actions: must be numbers"),
            (None, "actions: must be numbers"),
            (HUGE, "actions: must be numbers"),
            (1j, "actions: must be numbers"),
            ({}, "actions: must be numbers"),
            ([0, 0], "actions: have the shape"),
        ):
            self.refused(lambda: single.step(bad), words)
            self.refused(lambda: envs.step([bad, bad]), words)
        self.refused(lambda: envs.step([0, 2**32]), "environment 1: there is no action 4294967296; they are 0 to 144")
        for shape in ((), (1,), (3,), (2, 2), (0,), (2, 0)):
            self.refused(lambda: envs.step(numpy.zeros(shape, int)), f"actions: have the shape {shape}, not (2,)")
        self.refused(lambda: envs.step([[1], [1, 2]]), "actions: cannot be converted to an array")
        for good in (
            [3, 3],
            numpy.array([3.0, 3.0]),
            numpy.array([[3], [3]], numpy.uint8),
            numpy.array([3, 0, 3, 0])[::2],
        ):
            envs.step(good)
            self.assertEqual(envs.batch.actions.tolist(), [3, 3])

    def test_values_of_actions_are_finite(self):
        envs = dray.make_vec("pendulum", 2)
        envs.reset(seed=1)
        for bad in (numpy.nan, numpy.inf, 1e300):
            self.refused(lambda: envs.step([[0], [bad]]), "not a finite number")
        self.refused(lambda: envs.step([["0"], ["1"]]), "actions: must be numbers")
        self.refused(envs.action_masks, "the actions of pendulum are not discrete: they have no masks")
        envs.step(numpy.zeros((1, 2), numpy.float64).T)

    def test_settings_are_text_and_numbers(self):
        nested = []
        for _ in range(100_000):
            nested = [nested]
        circle = []
        circle.append(circle)
        for call in (
            lambda: dray.make_vec(5),
            lambda: dray.make_vec(["cage2"]),
            lambda: dray.make_vec(config=5),
            lambda: dray.make_vec(config="a\0b"),
            lambda: dray.make_vec(config="\ud800"),
            lambda: dray.make_vec("cage2", red=nested),
            lambda: dray.make_vec("cage2", red=circle),
            lambda: dray.make_vec("cage2", red={(1, 2): 3}),
            lambda: dray.make_vec("cage2", red=object()),
            lambda: dray.make_vec("cage2", max_steps=HUGE),
            lambda: dray.make_vec("cage2", max_steps=numpy.nan),
            lambda: dray.Batch(yaml=5),
            lambda: dray.Batch(yaml="\ud800"),
            lambda: dray.Batch(yaml="[" * 100_000),
            lambda: dray.Batch(yaml="{a: " * 100_000),
            lambda: dray.Batch("cage2", settings=[1]),
            lambda: dray.make_vec("cage2", progress="half"),
            lambda: dray.make_vec("cage2", progress=numpy.nan),
            lambda: dray.make_vec("cage2", progress=10**400),
        ):
            self.refused(call)

    def test_calls_before_the_first_episode_are_refused(self):
        for name in dray.batch.names():
            batch = dray.Batch(name)
            for call in (batch.step, lambda: batch.step(numpy.zeros(batch.actions.shape)), batch.save, batch.render):
                self.refused(call, "no episode has begun: call reset before")
            self.assertEqual(batch.episodes(), [])

    def test_indices_and_states_are_checked(self):
        batch = dray.Batch("cage2", count=2)
        batch.reset()
        for index in (-1, 2, 2**32, HUGE):
            self.refused(lambda: batch.render(index), "index:", "is out of range; it must be from 0 to 1")
        self.refused(lambda: batch.render("0"), "index:", "is not a whole number")
        state = batch.save()
        for bad in (None, 5, "text", [1], b"", state[:-1], state + b"\0", dray.Batch("cage2", count=1)):
            self.refused(lambda: batch.load(bad))
        batch.load(bytearray(state))
        batch.load(memoryview(state))

    def test_a_refused_state_changes_nothing(self):
        batch, other = dray.Batch("cage2", count=2, seed=1), dray.Batch("cage2", count=2, seed=9)
        batch.reset()
        other.reset()
        for _ in range(10):
            other.step([5, 6])
        before, shown = batch.save(), batch.observations.copy()
        for cut in (1, 9, 30, 200):
            self.refused(lambda: batch.load(other.save()[:-cut]))
        self.assertEqual(batch.save(), before)
        numpy.testing.assert_array_equal(batch.observations, shown)


class PolicyTest(RefusalTest):
    @classmethod
    def setUpClass(cls):
        cls.policy = dray.load_policy(pretrained="cage2_mixture")
        cls.seen = numpy.zeros(cls.policy.observation_size)

    def test_policies_are_named_by_text(self):
        for path in (
            5,
            b"a\0b",
            "\ud800",
            ["runs"],
            "nowhere",
            os.path.dirname(LIBRARY),
            "/dev/null",
            "/dev/zero",
            PACKAGE,
        ):
            self.refused(lambda: dray.load_policy(path))
        for name in ("cage3", "../pretrained/cage2_mixture", "/etc/passwd", 5, None, "a\0b", ["cage2_mixture"]):
            self.refused(lambda: dray.load_policy(pretrained=name))
        self.refused(dray.load_policy, "load_policy needs")

    def test_observations_are_finite_numbers_of_one_size(self):
        size, policy = self.policy.observation_size, self.policy
        for bad, words in (
            (numpy.nan, "row 1 has a number that is not finite"),
            (numpy.inf, "row 1 has a number that is not finite"),
            (1e300, "row 1 has a number that is not finite"),
        ):
            for call in (policy.act, policy.outputs, policy.probabilities):
                self.refused(lambda: call(numpy.stack([self.seen, self.seen + bad])), words)
        for shape in ((), (0,), (size + 1,), (2, size, 0), (2, size, 2), (size, 2), (1, 1, size)):
            self.refused(lambda: policy.act(numpy.zeros(shape)), f"have {size} numbers here, not")
        for bad in (["1"] * size, [None] * size, [HUGE] * size, [[0] * size, [0]], object(), None, "x"):
            self.refused(lambda: policy.act(bad), "observations:")
        self.assertEqual(policy.act(numpy.zeros((0, size))).shape, (0,))
        strided = numpy.asfortranarray(numpy.random.default_rng(1).integers(0, 2, (6, 2 * size)))[::-2, ::2]
        numpy.testing.assert_array_equal(policy.outputs(strided), policy.outputs(strided.astype(numpy.float32).copy()))

    def test_masks_allow_something_in_every_row(self):
        policy, two, good = self.policy, numpy.stack([self.seen, self.seen]), numpy.ones((2, 36), bool)
        for call in (
            policy.act,
            policy.probabilities,
            lambda seen, mask: policy.act(seen, mask, numpy.random.default_rng(1)),
        ):
            self.refused(lambda: call(two, good & [[True], [False]]), "masks: row 1 allows no action")
            for shape in ((36,), (1, 36), (2, 35), (2, 1), (36, 2), (2, 36, 1), ()):
                self.refused(lambda: call(two, numpy.ones(shape, bool)), "masks: have the shape")
            for bad in (good * 2, good * 0.5, good * numpy.nan, good - 1.5):
                self.refused(lambda: call(two, bad), "masks: must be true or false")
            for bad in (good.astype(str), good.astype(object), [["false"] * 36] * 2, "x"):
                self.refused(lambda: call(two, bad), "masks: must be numbers")
            call(two, good.astype(numpy.int8))
            call(self.seen, good[0])

    def test_only_a_generator_draws(self):
        for rng in (1, "x", numpy.random.RandomState(1), object()):
            self.refused(lambda: self.policy.act(self.seen, rng=rng), "is not a numpy Generator")


if __name__ == "__main__":
    unittest.main()
