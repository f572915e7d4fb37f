"""What Python does with objects of the engine never ends the process: closed, copied, forked and shared between threads.

Each scenario is a function below, run in a process of its own, so that a signal is a failure here. Under `--config=asan` the same scenarios run with the
address sanitizer: a use of freed memory that happens to go well fails too.
"""

import atexit
import copy
import gc
import os
import pickle
import subprocess
import sys
import threading
import unittest
import weakref

LIBRARY, PACKAGE = (os.path.abspath(path) for path in sys.argv[1:3])
os.environ["DRAY_ENVS_LIBRARY"] = LIBRARY
sys.path.insert(0, os.path.dirname(os.path.dirname(PACKAGE)))

import numpy

import dray
from dray.gym_env import SingleEnv

THREADS = 4
STEPS = 300


def expect_error(call, words):
    try:
        call()
    except dray.Error as error:
        assert words in str(error) and "\n" not in str(error), str(error)
    else:
        raise AssertionError(f"no error; wanted: {words}")


def in_threads(*bodies):
    """Runs the bodies side by side, and raises what one of them raised."""
    failures = []

    def run(body):
        try:
            body()
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=run, args=(body,)) for body in bodies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def churn():
    """Asks for memory of the sizes that were freed, and fills it."""
    gc.collect()
    return [numpy.full(size, 7, numpy.float32) for size in (1, 2, 4, 8, 16, 64, 256, 1024) for _ in range(50)]


def pretrained():
    return dray.load_policy(pretrained="cage2_mixture")


# --- Scenarios -----------------------------------------------------------------------------------------------------------


def closed_environments_refuse_every_call():
    envs = dray.make_vec("cage2", num_envs=2, interface="reduced")
    envs.reset(seed=1)
    batch, state = envs.batch, envs.batch.save()
    envs.close()
    envs.close()
    for call in (
        envs.reset,
        lambda: envs.reset(seed=1),
        lambda: envs.step([0, 0]),
        envs.action_masks,
        envs.render,
        lambda: envs.set_progress(0.5),
        batch.reset,
        batch.step,
        lambda: batch.step([0, 0]),
        batch.episodes,
        batch.save,
        lambda: batch.load(state),
        batch.render,
        batch.action_masks,
        lambda: batch.progress(1),
        lambda: batch.observations,
        lambda: batch.actions,
        lambda: batch.masks,
        lambda: batch.lock,
    ):
        expect_error(call, "this batch of environments is closed: create another")
    single = SingleEnv("cartpole", render_mode="ansi")
    single.reset(seed=1)
    single.close()
    for call in (
        single.reset,
        lambda: single.reset(seed=1),
        lambda: single.step(0),
        single.action_masks,
        single.render,
    ):
        expect_error(call, "is closed")


def closed_policies_refuse_every_call():
    policy = pretrained()
    seen = numpy.zeros(policy.observation_size)
    policy.close()
    policy.close()
    for call in (
        lambda: policy.act(seen),
        lambda: policy.probabilities(seen),
        lambda: policy.outputs(seen),
        policy.network,
    ):
        expect_error(call, "this policy is closed: create another")


def arrays_outlive_their_batch():
    envs = dray.make_vec("cage2", num_envs=64, interface="reduced", copy=False)
    first = envs.reset(seed=1)
    kept = [
        first[0],
        first[1]["action_mask"],
        *envs.step([28] * 64)[:4],
        envs.batch.actions,
        envs.batch.final_observations[3:, ::2],
    ]
    before = [array.copy() for array in kept]
    second = envs.reset(seed=2)[0]  # another batch
    envs.close()
    part = second[1]
    last = part.copy()
    del envs, first, second
    filling = churn()
    for array, was in zip(kept, before):
        numpy.testing.assert_array_equal(array, was)
    numpy.testing.assert_array_equal(part, last)
    kept[0][...] = 3
    assert len(filling) == 400


def memory_is_freed_with_the_last_array():
    batch = dray.Batch("cartpole", count=3)
    handle = weakref.ref(batch._handle)
    view = batch.observations[1:]
    batch.close()
    assert handle() is not None and view.shape == (2, 4)
    del view
    assert handle() is None
    batch = dray.Batch("cartpole")
    handle = weakref.ref(batch._handle)
    del batch
    assert handle() is None


def nothing_is_copied_or_pickled():
    policy, batch = pretrained(), dray.Batch("cage2", count=2)
    envs = dray.make_vec("cage2", num_envs=2)
    for made in (batch, policy, envs.batch):
        for copied in (copy.copy, copy.deepcopy, pickle.dumps):
            expect_error(lambda: copied(made), "can be neither copied nor pickled")
            expect_error(lambda: copied(made._handle), "can be neither copied nor pickled")
    for copied in (copy.deepcopy, pickle.dumps):
        expect_error(lambda: copied(envs), "can be neither copied nor pickled")
    twin = copy.copy(envs)  # of the wrapper: both have the one batch
    twin.reset(seed=1)
    del twin
    churn()
    envs.reset(seed=1)
    envs.step([0, 0])
    batch.reset()
    policy.act(numpy.zeros(policy.observation_size))
    assert isinstance(pickle.loads(pickle.dumps(batch.observations)), numpy.ndarray)


def threads_take_turns():
    envs, policy = dray.make_vec("cage2", num_envs=8, interface="reduced"), pretrained()
    envs.reset(seed=1)
    seen = numpy.random.default_rng(1).integers(0, 2, (5, policy.observation_size))
    expected = policy.probabilities(seen)

    def step():
        for _ in range(STEPS):
            _, rewards, _, _, info = envs.step([0] * 8)
            assert numpy.isfinite(rewards).all() and info["action_mask"].any(axis=1).all()

    def act():
        for _ in range(STEPS):
            numpy.testing.assert_array_equal(policy.probabilities(seen), expected)

    def look():
        for _ in range(STEPS // 3):
            assert len(envs.render()) == 8
            envs.batch.load(envs.batch.save())

    in_threads(*[step] * THREADS, *[act] * THREADS, look)


def threads_step_while_others_close_and_reset():
    for round in range(10):
        envs, policy = dray.make_vec("cage2", num_envs=4, copy=bool(round % 2)), pretrained()
        envs.reset(seed=1)
        begun = threading.Barrier(THREADS + 2)

        def use():
            begun.wait()
            for step in range(STEPS):
                try:
                    envs.step([step % 145] * 4)
                    policy.act(numpy.zeros(policy.observation_size))
                except dray.Error as error:
                    assert "closed" in str(error) or "reset" in str(error), error

        def start_again():
            begun.wait()
            for seed in range(20):
                try:
                    envs.reset(seed=seed)
                except dray.Error as error:
                    assert "closed" in str(error), error

        def close():
            begun.wait()
            policy.close()
            envs.close()

        in_threads(*[use] * THREADS, start_again, close)


def actions_written_during_a_step_are_checked():
    for name, bad in (("cage2", 2**31 - 1), ("dvrptw", -5)):
        batch = dray.Batch(name, count=16)
        batch.reset()
        done = threading.Event()

        def spoil():
            while not done.is_set():
                batch.actions[...] = bad
                batch.actions[...] = 0

        def step():
            try:
                for _ in range(STEPS):
                    try:
                        batch.step()
                    except dray.Error as error:
                        assert "there is no action" in str(error), error
            finally:
                done.set()

        in_threads(spoil, step)


def a_call_within_a_call_is_refused():
    batch = dray.Batch("cartpole")
    batch.reset()
    expect_error(lambda: batch._handle.call(lambda _: batch.step([0])), "in the middle of a call")
    batch.step([0])


def forked_processes_use_what_no_thread_was_using():
    envs, policy = dray.make_vec("cage2", num_envs=2, copy=False), pretrained()
    observations = envs.reset(seed=1)[0]

    def child():
        envs.step([0, 0])
        policy.act(numpy.zeros(policy.observation_size))
        envs.close()

    assert ended_well(child)
    envs.step([0, 0])
    assert numpy.isfinite(observations).all()


def processes_forked_during_a_call_refuse_the_object():
    batch, other = dray.Batch("cartpole"), dray.Batch("cartpole")
    batch.reset()
    inside, leave = threading.Event(), threading.Event()

    def held(_):
        inside.set()
        leave.wait()
        return 0

    thread = threading.Thread(target=lambda: batch._handle.call(held))
    thread.start()
    inside.wait()

    def child():
        expect_error(batch.reset, "another thread was using this batch of environments when this process was forked")
        other.reset()

    well = ended_well(child)
    leave.set()
    thread.join()
    assert well
    batch.step([0])


def ended_well(body):
    """Whether a forked process that runs the body ends by itself, without an error."""
    pid = os.fork()
    if pid == 0:
        try:
            body()
            gc.collect()
            os._exit(0)
        except BaseException as failure:
            print(repr(failure), file=sys.stderr, flush=True)
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def the_interpreter_ends_with_objects_in_use():
    global kept, cycle
    kept = dray.make_vec("cage2", num_envs=4, copy=False), pretrained()
    seen = kept[0].reset(seed=1)[0]
    cycle = [kept[0].batch.observations]
    cycle.append(cycle)
    atexit.register(lambda: (kept[0].step([0] * 4), seen.sum(), kept[0].close()))

    class Late:
        def __init__(self):
            self.batch, self.array = dray.Batch("cartpole"), seen

        def __del__(self):
            self.array.sum()
            try:
                self.batch.reset()
            except dray.Error:
                pass

    cycle.append(Late())
    stepping = dray.Batch("cage2", count=64)
    stepping.reset()

    def step_for_ever():
        while True:
            stepping.step()

    for _ in range(2):
        threading.Thread(target=step_for_ever, daemon=True).start()


SCENARIOS = [
    closed_environments_refuse_every_call,
    closed_policies_refuse_every_call,
    arrays_outlive_their_batch,
    memory_is_freed_with_the_last_array,
    nothing_is_copied_or_pickled,
    threads_take_turns,
    threads_step_while_others_close_and_reset,
    actions_written_during_a_step_are_checked,
    a_call_within_a_call_is_refused,
    forked_processes_use_what_no_thread_was_using,
    processes_forked_during_a_call_refuse_the_object,
    the_interpreter_ends_with_objects_in_use,
]


class LifetimesTest(unittest.TestCase):
    """A test for each scenario."""


def _test(scenario):
    def test(self):
        done = subprocess.run(
            [sys.executable, __file__, LIBRARY, PACKAGE, scenario.__name__], capture_output=True, text=True
        )
        self.assertEqual(
            (done.returncode, done.stderr), (0, ""), "a negative number is the signal that ended the process"
        )

    return test


for scenario in SCENARIOS:
    setattr(LifetimesTest, f"test_{scenario.__name__}", _test(scenario))

if __name__ == "__main__":
    if sys.argv[3:]:
        globals()[sys.argv[3]]()
    else:
        unittest.main(argv=sys.argv[:1])
