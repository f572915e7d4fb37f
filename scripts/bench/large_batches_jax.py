"""PPO on CartPole with environments, advantages and updates in one compiled JAX loop: the fastest way known for tasks that run on a GPU.

usage: large_batches_jax.py ENVIRONMENTS STEPS MINIBATCH SECONDS

Networks, loss and hyperparameters are those of configs/cartpole.yaml. Prints one line of JSON: steps per second, without compilation.
"""

import json
import sys
import time

import jax
import jax.numpy as jnp

EPOCHS, HIDDEN, GAMMA, LAMBDA, CLIP, ENTROPY, VALUE = 4, 64, 0.99, 0.95, 0.2, 0.01, 0.5
LEARNING_RATE, BETA1, BETA2, EPSILON, MAX_NORM = 2.5e-4, 0.9, 0.999, 1e-5, 0.5
UPDATES = 20  # per compiled call


def make_network(key, outputs, gain):
    widths = (4, HIDDEN, HIDDEN, outputs)
    gains = (2**0.5, 2**0.5, gain)
    layers = []
    for layer, layer_key in enumerate(jax.random.split(key, 3)):
        weights = jax.nn.initializers.orthogonal(gains[layer])(layer_key, widths[layer : layer + 2])
        layers.append((weights, jnp.zeros(widths[layer + 1])))
    return layers


def forward(layers, values):
    for weights, bias in layers[:-1]:
        values = jnp.tanh(values @ weights + bias)
    return values @ layers[-1][0] + layers[-1][1]


def new_states(key, count):
    return {
        "physics": jax.random.uniform(key, (count, 4), minval=-0.05, maxval=0.05),
        "steps": jnp.zeros(count),
    }


def step_states(states, actions, key):
    """Moves Gymnasium's CartPole-v1 on by one step; episodes that end begin anew."""
    position, speed, angle, spin = states["physics"].T
    force = jnp.where(actions == 1, 10.0, -10.0)
    pull = (force + 0.05 * spin**2 * jnp.sin(angle)) / 1.1
    turn = (9.8 * jnp.sin(angle) - jnp.cos(angle) * pull) / (0.5 * (4 / 3 - 0.1 * jnp.cos(angle) ** 2 / 1.1))
    push = pull - 0.05 * turn * jnp.cos(angle) / 1.1
    moved = jnp.stack(
        [
            position + 0.02 * speed,
            speed + 0.02 * push,
            angle + 0.02 * spin,
            spin + 0.02 * turn,
        ],
        axis=1,
    )
    steps = states["steps"] + 1
    ended = (jnp.abs(moved[:, 0]) > 2.4) | (jnp.abs(moved[:, 2]) > jnp.pi / 15) | (steps >= 500)
    fresh = new_states(key, len(steps))
    states = {
        "physics": jnp.where(ended[:, None], fresh["physics"], moved),
        "steps": jnp.where(ended, 0.0, steps),
    }
    return states, ended


def loss(networks, batch):
    observations, actions, old_log_probs, advantages, returns, old_values = batch
    log_probs = jax.nn.log_softmax(forward(networks[0], observations))
    ratios = jnp.exp(jnp.take_along_axis(log_probs, actions[:, None], 1)[:, 0] - old_log_probs)
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    policy = -jnp.minimum(advantages * ratios, advantages * jnp.clip(ratios, 1 - CLIP, 1 + CLIP)).mean()
    entropy = -(jnp.exp(log_probs) * log_probs).sum(1).mean()
    values = forward(networks[1], observations)[:, 0]
    near = old_values + jnp.clip(values - old_values, -CLIP, CLIP)
    value = 0.5 * jnp.maximum((values - returns) ** 2, (near - returns) ** 2).mean()
    return policy + VALUE * value - ENTROPY * entropy


def adam_step(learner, batch):
    networks, first, second, count = learner
    gradients = jax.grad(loss)(networks, batch)
    norm = jnp.sqrt(sum(jnp.sum(part**2) for part in jax.tree.leaves(gradients)))
    scale = jnp.minimum(1.0, MAX_NORM / (norm + 1e-6))
    count += 1
    first = jax.tree.map(lambda m, g: BETA1 * m + (1 - BETA1) * scale * g, first, gradients)
    second = jax.tree.map(lambda v, g: BETA2 * v + (1 - BETA2) * (scale * g) ** 2, second, gradients)
    rate, spread = LEARNING_RATE / (1 - BETA1**count), 1 - BETA2**count
    networks = jax.tree.map(
        lambda p, m, v: p - rate * m / (jnp.sqrt(v / spread) + EPSILON),
        networks,
        first,
        second,
    )
    return (networks, first, second, count), None


def make_update(envs, steps, minibatch):
    def act(carry, _):
        networks, states, key = carry
        key, draw, fresh = jax.random.split(key, 3)
        observations = states["physics"]
        log_probs = jax.nn.log_softmax(forward(networks[0], observations))
        actions = jax.random.categorical(draw, log_probs)
        chosen = jnp.take_along_axis(log_probs, actions[:, None], 1)[:, 0]
        values = forward(networks[1], observations)[:, 0]
        states, ended = step_states(states, actions, fresh)
        return (networks, states, key), (observations, actions, chosen, values, ended)

    def advantage(carry, row):
        later, next_value = carry
        value, ended = row
        goes_on = 1.0 - ended
        later = 1.0 + GAMMA * next_value * goes_on - value + GAMMA * LAMBDA * goes_on * later
        return (later, value), later

    def update(carry, _):
        learner, states, key = carry
        (_, states, key), rollout = jax.lax.scan(act, (learner[0], states, key), None, steps)
        observations, actions, log_probs, values, ended = rollout
        last = forward(learner[0][1], states["physics"])[:, 0]
        _, advantages = jax.lax.scan(advantage, (jnp.zeros(envs), last), (values, ended), reverse=True)
        samples = (
            observations,
            actions,
            log_probs,
            advantages,
            advantages + values,
            values,
        )
        samples = jax.tree.map(lambda column: column.reshape(envs * steps, *column.shape[2:]), samples)

        def epoch(inner, _):
            learner, key = inner
            key, shuffle = jax.random.split(key)
            order = jax.random.permutation(shuffle, envs * steps).reshape(-1, minibatch)

            def take(learner, rows):
                return adam_step(learner, jax.tree.map(lambda column: column[rows], samples))

            learner, _ = jax.lax.scan(take, learner, order)
            return (learner, key), None

        (learner, key), _ = jax.lax.scan(epoch, (learner, key), None, EPOCHS)
        return (learner, states, key), ended.sum()

    return update


def main():
    envs, steps, minibatch, seconds = map(int, sys.argv[1:])
    key, actor, critic, fresh = jax.random.split(jax.random.key(0), 4)
    networks = (make_network(actor, 2, 0.01), make_network(critic, 1, 1.0))
    zeros = jax.tree.map(jnp.zeros_like, networks)
    carry = ((networks, zeros, zeros, 0.0), new_states(fresh, envs), key)
    update = make_update(envs, steps, minibatch)
    train = jax.jit(lambda state: jax.lax.scan(update, state, None, UPDATES))
    carry, ended = train(carry)
    ended.block_until_ready()
    begun, calls = time.monotonic(), 0
    while calls == 0 or time.monotonic() - begun < seconds:
        carry, ended = train(carry)
        ended.block_until_ready()
        calls += 1
    taken_s = time.monotonic() - begun
    samples = calls * UPDATES * envs * steps
    print(
        json.dumps(
            {
                "samples_per_s": samples / taken_s,
                "device": jax.devices()[0].platform,
                "episode_steps": UPDATES * envs * steps / max(1.0, float(ended.sum())),
            }
        )
    )


if __name__ == "__main__":
    main()
