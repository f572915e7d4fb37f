#!/usr/bin/env python3
"""Trains CartPole from Python with C++ actors on Ray; metrics and networks are available in Python.

Usage:

    bazel build //ray_actors:libdray_actors.so
    PYTHONPATH=src/python .venv/bin/python scripts/examples/train_from_python.py --updates 50
"""

import argparse

import dray.client


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--config", default="cartpole", help="preset or YAML file")
    parser.add_argument("--shards", type=int, default=2)
    parser.add_argument("--updates", type=int, default=50)
    parser.add_argument("--save", help="file for a checkpoint")
    arguments = parser.parse_args()

    with dray.client.Training(arguments.config, set={"scale.num_envs": 16}, shards=arguments.shards) as training:
        for _ in range(arguments.updates):
            metrics = training.step()
            print(
                f"{metrics['total_steps']:9.0f} steps: return {metrics.get('episode/return_mean', 0):6.1f}, "
                f"KL {metrics['train/kl_k1']:.4f}, entropy {metrics['train/entropy']:.3f}"
            )
        score = training.evaluate()
        print(f"evaluated: {score['eval/return_mean']:.1f} ± {score['eval/return_ci95']:.1f}")
        for name, array in training.weights().items():
            print(f"{name:16} {array.shape!s:10} largest {abs(array).max():.3f}")
        if arguments.save:
            training.save(arguments.save)


if __name__ == "__main__":  # Ray's workers may import this file
    main()
