#!/usr/bin/env python3
"""Compares ways to choose the trials of a search, on random trials that sweep_search.py has trained.

    scripts/bench/sweep_samplers.py --pool runs/sweep_search/random --samplers random bayes
    venv/bin/python scripts/bench/sweep_samplers.py --samplers tpe optuna_gp      # a Python with optuna, scipy and torch

A proposed point is replaced by the closest one of the pool that was not yet tried, whose result is known: nothing is trained. A match
is a search whose best result is at least that of 64 points drawn from the pool; its probability is over 2,000 such draws.
"""

import argparse
import pathlib
import random
import statistics
import sys

import numpy
from measuring import ROOT
from sweep_search import read_trials

sys.path.insert(0, str(ROOT / "src/python"))
from dray import bayes
from dray.search_space import SearchSpace

GAMMA, RATE, CLIP = "ppo.gamma", "ppo.learning_rate", "ppo.clip"
GAMMAS = ["0.8", "0.9", "0.95", "0.98", "0.99", "0.999"]
SPACE = SearchSpace([(GAMMA, GAMMAS)], [(RATE, (1e-5, 1e-1)), (CLIP, (0.02, 1))])
FAILED = -1600.0  # below every result
FIRST = bayes.first_points(SPACE)


class Pool:
    """Points with known results."""

    def __init__(self, folder):
        self.points, self.scores = read_trials(folder, 1)
        self.results = [max(score, FAILED) for score in self.scores]
        self._places = numpy.concatenate(SPACE.coordinates(self.points), 1)

    def closest(self, point, tried):
        distances = ((self._places - numpy.concatenate(SPACE.coordinates([point]), 1)) ** 2).sum(1)
        distances[tried] = numpy.inf
        return int(distances.argmin())

    def best(self, indices):
        return max(self.results[index] for index in indices)


def search_random(pool, trials, seed):
    return random.Random(seed).sample(range(len(pool.points)), trials)


def search_bayes(pool, trials, seed):
    tried = []
    for _ in range(trials):
        scores = [pool.results[index] for index in tried]
        tried.append(pool.closest(bayes.propose(SPACE, [pool.points[i] for i in tried], scores, [], seed), tried))
    return tried


def search_optuna(pool, trials, sampler):
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    kinds = {
        GAMMA: optuna.distributions.IntDistribution(0, len(GAMMAS) - 1),
        RATE: optuna.distributions.FloatDistribution(1e-5, 1e-1, log=True),
        CLIP: optuna.distributions.FloatDistribution(0.02, 1, log=True),
    }
    study = optuna.create_study(direction="maximize", sampler=sampler)
    tried = []
    for _ in range(trials):
        asked = study.ask(kinds)
        study.tell(asked, state=optuna.trial.TrialState.FAIL)  # the closest point takes its place
        values = {**{path: str(value) for path, value in asked.params.items()}, GAMMA: GAMMAS[asked.params[GAMMA]]}
        tried.append(pool.closest(values, tried))
        point = pool.points[tried[-1]]
        known = {GAMMA: GAMMAS.index(point[GAMMA]), RATE: float(point[RATE]), CLIP: float(point[CLIP])}
        study.add_trial(optuna.trial.create_trial(params=known, distributions=kinds, value=pool.results[tried[-1]]))
    return tried


def search_tpe(pool, trials, seed):
    import optuna

    return search_optuna(pool, trials, optuna.samplers.TPESampler(seed=seed, n_startup_trials=FIRST))


def search_optuna_gp(pool, trials, seed):
    import optuna

    return search_optuna(pool, trials, optuna.samplers.GPSampler(seed=seed, n_startup_trials=FIRST))


SAMPLERS = {"random": search_random, "bayes": search_bayes, "tpe": search_tpe, "optuna_gp": search_optuna_gp}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pool", type=pathlib.Path, default=ROOT / "runs/sweep_search/random", help="a random sweep")
    parser.add_argument("--samplers", nargs="+", choices=SAMPLERS, default=["random", "bayes"])
    parser.add_argument("--repeats", type=int, default=20, help="searches of each [20]")
    parser.add_argument("--trials", type=int, default=24, help="trials of a search [24]")
    arguments = parser.parse_args()
    pool = Pool(arguments.pool)
    targets = [pool.best(search_random(pool, 64, seed)) for seed in range(2000)]
    print(f"| sampler | mean best of {arguments.trials} | matches the best of 64 random |\n| --- | ---: | ---: |")
    for name in arguments.samplers:
        best = [pool.best(SAMPLERS[name](pool, arguments.trials, 10_000 + seed)) for seed in range(arguments.repeats)]
        matched = statistics.fmean(score >= target for score in best for target in targets)
        print(f"| {name} | {statistics.fmean(best):.1f} | {matched:.0%} |", flush=True)


if __name__ == "__main__":
    main()
