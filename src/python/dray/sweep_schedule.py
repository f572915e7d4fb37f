"""Decides which training of a sweep is next: points given or proposed, each with all seeds, then the best for longer."""

import dataclasses
import pathlib
import statistics
from collections.abc import Callable, Iterator, Sequence

from dray import bayes
from dray.error import Error
from dray.search_space import Point, SearchSpace
from dray.sweep_record import SweepRecord
from dray.sweep_training import Length, Training, name_of

FACTOR = 3  # a halving keeps the best third, for three times as long
DIVISORS = (FACTOR**2, FACTOR, 1)  # of the whole length, in a sweep with halving


class Trial:
    """A point and its trainings, one for each seed."""

    def __init__(self, point: Point, seeds: int, folder: pathlib.Path) -> None:
        self.point, self.name = point, name_of(point)
        self.trainings = [Training(point, seed, folder / self.name / f"seed-{seed}") for seed in range(1, seeds + 1)]
        self.stage = 0  # number of halvings that it went through

    @property
    def results(self) -> list[float]:
        return [result for training in self.trainings if (result := training.result) is not None]

    def is_over(self, length: Length | None) -> bool:
        return all(training.failed or training.reached(length) for training in self.trainings)

    def score(self, length: Length | None) -> float | None:
        """Mean result; None if a training failed."""
        complete = all(training.reached(length) for training in self.trainings)
        return statistics.fmean(self.results) if complete else None


@dataclasses.dataclass(frozen=True)
class Search:
    """A search by a model of the results."""

    space: SearchSpace
    trials: int
    seed: int


Job = tuple[Training, Length | None]


class Schedule:
    """The trials of a sweep, and their order. `lengths` has one entry, or those of the stages of halving."""

    def __init__(
        self,
        record: SweepRecord,
        make_trial: Callable[[Point], Trial],
        lengths: Sequence[Length | None],
        search: Search | None,
        say: Callable[[str], object],
    ) -> None:
        self._record, self._make_trial, self._lengths, self._search, self._say = (
            record,
            make_trial,
            lengths,
            search,
            say,
        )
        self.trials = [make_trial(point) for point in record.points]
        self.running: set[Training] = set()  # kept by the caller
        for stage, names in enumerate(record.continued, 1):
            for trial in self.trials:
                trial.stage = stage if trial.name in names else trial.stage
        if record.continued and self._count() > len(self.trials):
            raise Error("the best of fewer trials already went on: --trials cannot be raised; choose another --dir")

    def _count(self) -> int:
        return max(len(self.trials), self._search.trials if self._search else 0)

    def sizes(self) -> list[int]:
        """Returns the number of trials in each stage."""
        return [max(1, self._count() // FACTOR**stage) for stage in range(len(self._lengths))]

    def already_done(self) -> int:
        return sum(
            training.reached(length)
            for stage, length in enumerate(self._lengths)
            for trial in self.trials
            if trial.stage >= stage
            for training in trial.trainings
        )

    def jobs(self) -> Iterator[Job | None]:
        """Yields trainings in the order in which they start, and None as long as the next depends on running ones."""
        for stage, length in enumerate(self._lengths):
            if stage > 0:
                while self.running:
                    yield None
                self._continue_best(stage)
            for trial in self._trials_of(stage):
                for training in trial.trainings:
                    if not training.reached(length):
                        yield training, length

    def _trials_of(self, stage: int) -> Iterator[Trial]:
        yield from [trial for trial in self.trials if trial.stage >= stage]
        while stage == 0 and self._search and len(self.trials) < self._search.trials:
            trial = self._make_trial(self._proposal(self._search))
            self._record.points.append(trial.point)
            self._record.write()
            self.trials.append(trial)
            yield trial

    def _proposal(self, search: Search) -> Point:
        length = self._lengths[0]
        over = [trial for trial in self.trials if trial.is_over(length)]
        running = [trial.point for trial in self.trials if not trial.is_over(length)]
        tried, scores = [trial.point for trial in over], [trial.score(length) for trial in over]
        return bayes.propose(search.space, tried, scores, running, search.seed)

    def _continue_best(self, stage: int) -> None:
        """Chooses the trials of this stage, unless an earlier session of the sweep has."""
        if len(self._record.continued) >= stage:
            return
        before = [trial for trial in self.trials if trial.stage == stage - 1]
        scores = {trial.name: trial.score(self._lengths[stage - 1]) for trial in before}
        ranked = sorted((-score, name) for name, score in scores.items() if score is not None)
        best = [name for _, name in ranked[: self.sizes()[stage]]]
        for trial in before:
            trial.stage = stage if trial.name in best else trial.stage
        self._record.continued.append(best)
        self._record.write()
        self._say(f"continuing the best {len(best)} of {len(before)} trials, {FACTOR} times as long")
