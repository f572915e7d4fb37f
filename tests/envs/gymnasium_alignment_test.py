"""Our reference tasks against Gymnasium's own, step by step, to the end of whole episodes.

Gymnasium plays, time limit included. Before each step its state and the number of steps so far go to
step_server, and what comes back must agree with what Gymnasium does next. Every kind of end that a task
has must really have been seen.

Usage: gymnasium_alignment_test.py <step_server>
"""

import collections
import math
import subprocess
import sys

import gymnasium
import numpy as np

TOLERANCE = 1e-6  # of the value where it is above 1, as a float's own precision is
EPISODES_PER_PLAYER = 20


class StepServer:
    def __init__(self, binary):
        self.process = subprocess.Popen([binary], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def step(self, name, steps, state, action):
        """(next state, observation, [reward, terminated, truncated])"""
        numbers = [repr(float(value)) for value in state]
        numbers += [repr(value) for value in np.atleast_1d(action).tolist()]
        self.process.stdin.write(f"{name} {steps} {' '.join(numbers)}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        assert answer, "step_server ended"
        return [np.array(part.split(), dtype=np.float64) for part in answer.split("|")]

    def close(self):
        self.process.stdin.close()
        assert self.process.wait() == 0


# Players: from (state, random generator) to an action. Each aims at one kind of end.


def balance(state, _):
    x, speed, angle, turn = state
    return int(angle + 0.5 * turn + 0.05 * x + 0.1 * speed > 0)


def leave_track(state, _):
    return int(state[2] + 0.5 * state[3] > 0.1)  # hold the pole at a lean: the cart speeds up


def swing_elbow(state, _):
    return 2 if state[3] > 0 else 0  # the torque works in the direction of the turning: energy grows


def rock(state, _):
    return 2 if state[1] >= 0 else 0


def idle(_state, _rng):
    return 1


def swing_up(state, _):
    angle = (state[0] + math.pi) % (2 * math.pi) - math.pi
    if abs(angle) < 0.5:
        torque = -10 * angle - 2 * state[1]
    else:
        torque = math.copysign(2.0, state[1])
    return np.array([np.clip(torque, -2, 2)], dtype=np.float32)


def random_index(count):
    return lambda _state, rng: int(rng.integers(count))


def random_torque(_state, rng):
    return rng.uniform(-2, 2, size=1).astype(np.float32)


# How an episode ended, in the words of the task; `truncated` is added by play().
def cartpole_end(state):
    return "off the track" if abs(state[0]) > 2.4 else "pole fell"


TASKS = {
    "cartpole": dict(
        id="CartPole-v1",
        players=[random_index(2), balance, leave_track],
        end=cartpole_end,
        expected={
            "pole fell",
            "pole fell and truncated",
            "off the track",
            "off the track and truncated",
            "truncated",
        },
    ),
    "acrobot": dict(
        id="Acrobot-v1",
        players=[random_index(3), swing_elbow, idle],
        end=lambda _: "bar reached",
        expected={"bar reached", "truncated", "bar reached and truncated"},
    ),
    "mountaincar": dict(
        id="MountainCar-v0",
        players=[random_index(3), rock, idle],
        end=lambda _: "flag reached",
        expected={"flag reached", "truncated", "flag reached and truncated"},
    ),
    "pendulum": dict(
        id="Pendulum-v1",
        players=[random_torque, swing_up],
        end=lambda _: "never terminates",
        expected={"truncated"},
    ),
}


def time_limit(env):
    while not isinstance(env, gymnasium.wrappers.TimeLimit):
        env = env.env
    return env


def compare(what, ours, theirs):
    ours, theirs = np.asarray(ours, dtype=np.float64), np.asarray(theirs, dtype=np.float64)
    assert ours.shape == theirs.shape, f"{what}: {ours.shape} against {theirs.shape}"
    difference = float(np.max(np.abs(ours - theirs) / np.maximum(1.0, np.abs(theirs))))
    assert difference <= TOLERANCE, f"{what}: ours {ours}, Gymnasium's {theirs}"
    return difference


def play(server, name, env, player, seed, steps_so_far=0):
    """One whole episode: (steps, end, largest difference)."""
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    limit = time_limit(env)
    limit._elapsed_steps = steps_so_far
    steps, largest = 0, 0.0
    while True:
        before = np.array(env.unwrapped.state, dtype=np.float64)
        action = player(before, rng)
        ours = server.step(name, steps_so_far + steps, before, action)
        observation, reward, terminated, truncated, _ = env.step(action)
        steps += 1
        where = f"{name}, seed {seed}, step {steps}"
        largest = max(
            largest,
            compare(f"{where}, state", ours[0], env.unwrapped.state),
            compare(f"{where}, observation", ours[1], observation),
            compare(f"{where}, reward", ours[2][0], reward),
        )
        assert tuple(ours[2][1:]) == (terminated, truncated), f"{where}: {ours[2]}"
        if terminated or truncated:
            ends = [TASKS[name]["end"](env.unwrapped.state)] if terminated else []
            return steps, " and ".join(ends + (["truncated"] if truncated else [])), largest


def align(server, name):
    task = TASKS[name]
    env = gymnasium.make(task["id"])
    limit = time_limit(env)._max_episode_steps
    ends, steps_total, largest = collections.Counter(), 0, 0.0
    for number, player in enumerate(task["players"]):
        replayed = False
        for episode in range(EPISODES_PER_PLAYER):
            seed = 1000 * number + episode
            steps, end, difference = play(server, name, env, player, seed)
            played = [(steps, end, difference)]
            if "truncated" not in end and not replayed:
                replayed = True
                # The same episode, late enough that the clock runs out in its last step.
                played.append(play(server, name, env, player, seed, limit - steps))
            for steps, end, difference in played:
                ends[end] += 1
                steps_total += steps
                largest = max(largest, difference)
    env.close()
    missing = task["expected"] - set(ends)
    assert not missing, f"{name}: never seen: {missing}; seen: {dict(ends)}"
    counts = ", ".join(f"{count} {end}" for end, count in sorted(ends.items()))
    print(f"{name}: {steps_total} steps, largest difference {largest:.2g}; {counts}")
    return steps_total, sum(ends.values())


def main():
    server = StepServer(sys.argv[1])
    counts = [align(server, name) for name in TASKS]
    server.close()
    steps, episodes = (sum(column) for column in zip(*counts))
    print(f"{len(TASKS)} tasks, {episodes} episodes, {steps} steps agree within {TOLERANCE}")


if __name__ == "__main__":
    main()
