"""Proposals of the Gaussian process, on functions whose best point is known."""

import math
import random
import unittest

import run_folders  # noqa: F401  (finds the package)

from dray import bayes
from dray.search_space import SearchSpace

SPACE = SearchSpace([("kind", ["relu", "tanh"])], [("rate", (1e-5, 1e-1)), ("clip", (0.01, 1.0))])


def score(point):
    rate, clip = math.log10(float(point["rate"])), math.log10(float(point["clip"]))
    return -((rate + 2.7) ** 2) - (clip + 0.7) ** 2 - (point["kind"] != "tanh")


def search(trials, seed):
    tried = []
    for _ in range(trials):
        tried.append(bayes.propose(SPACE, tried, list(map(score, tried)), [], seed))
    return tried


class BayesTest(unittest.TestCase):
    def test_a_third_of_the_trials_of_a_random_search_finds_better_points(self):
        better = 0
        for seed in range(8):
            rng = random.Random(seed)
            drawn = max(score(SPACE.draw(rng)) for _ in range(48))
            better += max(map(score, search(16, seed))) >= drawn
        self.assertGreaterEqual(better, 6)  # of 8; two searches of which one is three times as long would give 2

    def test_the_same_results_give_the_same_point(self):
        tried = search(10, 1)
        scores = list(map(score, tried))
        self.assertEqual(
            bayes.propose(SPACE, tried, scores, [], 1),
            bayes.propose(SPACE, tried, scores, [], 1),
        )

    def test_a_point_near_running_ones_is_worth_less(self):
        tried = search(10, 1)
        scores = list(map(score, tried))
        running = []
        for _ in range(4):
            running.append(bayes.propose(SPACE, tried, scores, running, 1))
        self.assertEqual(len({tuple(point.items()) for point in running}), 4)

    def test_a_failure_is_as_bad_as_the_worst(self):
        values = bayes.normal_scores([3.0, None, -1e9, 7.0])
        self.assertEqual(sorted(range(4), key=lambda i: values[i]), [1, 2, 0, 3])

    def test_equal_results_are_no_reason_to_stop(self):
        tried = [SPACE.draw(random.Random(seed)) for seed in range(10)]
        self.assertNotIn(bayes.propose(SPACE, tried, [500.0] * 10, [], 1), tried)
        self.assertNotIn(bayes.propose(SPACE, tried, [None] * 10, [], 1), tried)

    def test_a_space_whose_points_are_all_tried_gives_one_of_them_again(self):
        small = SearchSpace([("kind", ["relu", "tanh"])], [])
        tried = [{"kind": "relu"}, {"kind": "tanh"}]
        for count in (2, 8):
            tried = (tried * 4)[:count]
            self.assertIn(bayes.propose(small, tried, [1.0] * count, [], 1), tried)

    def test_points_stay_in_their_ranges(self):
        for position in ([0, 0, 0], [1, 1, 1], [0.5, 0.99, 1e-9]):
            point = SPACE.point(position)
            self.assertTrue(1e-5 <= float(point["rate"]) <= 1e-1, point)
            self.assertEqual(SPACE.point(SPACE.position(point)), point)


if __name__ == "__main__":
    unittest.main()
