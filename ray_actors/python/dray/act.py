"""A trained policy as a program: a state a line in, an action a line out, as JSON.

    dray act --run-dir runs/cage2-1 < states.jsonl > actions.jsonl

A line of input has the numbers that the policy observes, and which actions are allowed where its task forbids some:

    {"observation": [0, 1, 0], "mask": [true, true, false]}

A line of output has the likeliest action and what each action's probability is; of tasks whose actions are numbers, those. What cannot be
answered has an "error" instead, and the next line is read.

    {"action": 1, "probabilities": [0.2, 0.8, 0.0]}
"""

import argparse
import json
import sys

import numpy

from dray.facade import Error
from dray.trained_policy import add_policy_arguments, chosen_policy, load_policy


def answer(policy, line):
    """A dictionary for one line."""
    try:
        state = json.loads(line)
        observation = numpy.asarray(state["observation"], numpy.float32)
        mask = None if state.get("mask") is None else numpy.asarray(state["mask"], bool)
    except (ValueError, TypeError, KeyError, AttributeError):
        return {"error": 'want {"observation": [numbers], "mask": [true or false for each action]}'}
    if observation.shape != (policy.observation_size,):
        return {"error": f"observation has {observation.size} numbers, the policy observes {policy.observation_size}"}
    if not numpy.isfinite(observation).all():
        return {"error": "observation has a number that is not finite"}
    if not policy.discrete:
        return {"action": policy.act(observation)[0].tolist()}
    if mask is not None and (mask.shape != (policy.outputs_size,) or not mask.any()):
        return {"error": f"mask wants {policy.outputs_size} values, at least one of them true"}
    return {"action": int(policy.act(observation, mask)[0]), "probabilities": [round(p, 6) for p in policy.probabilities(observation, mask)[0].tolist()]}


def main(words=None):
    parser = argparse.ArgumentParser(prog="dray act", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_policy_arguments(parser)
    arguments = parser.parse_args(words)
    try:
        policy = load_policy(chosen_policy(arguments))
    except Error as error:
        sys.exit(f"dray: {error}")
    for line in sys.stdin:
        if line.strip():
            print(json.dumps(answer(policy, line)), flush=True)


if __name__ == "__main__":
    main()
