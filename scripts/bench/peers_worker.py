"""Runs one training of a peer library; started by peers.py as a separate process.

Prints one line of JSON: steps, seconds of training (without imports and set-up), mean return of the last 100
training episodes, and the deterministic evaluation.
"""

import argparse
import json
import os
import sys
import time

for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMEXPR_NUM_THREADS"):
    os.environ[variable] = "1"

ENVIRONMENT = "CartPole-v1"
EVALUATION_SEED = 1_000_003

# Rows 1 and 2 of the reference tasks; `anneal` is linear to zero over the run. `value` is the weight of the mean squared error, as
# in both peers: CleanRL's 0.5 applies to half that error, so it is 0.25 here.
SETTINGS = {
    "cleanrl": dict(
        envs=4,
        rollout=128,
        minibatch=128,
        epochs=4,
        gamma=0.99,
        gae_lambda=0.95,
        lr=2.5e-4,
        anneal_lr=True,
        clip=0.2,
        anneal_clip=False,
        clip_value=True,
        entropy=0.01,
        value=0.25,
        steps=500_000,
    ),
    "zoo": dict(
        envs=8,
        rollout=32,
        minibatch=256,
        epochs=20,
        gamma=0.98,
        gae_lambda=0.8,
        lr=1e-3,
        anneal_lr=True,
        clip=0.2,
        anneal_clip=True,
        clip_value=False,
        entropy=0.0,
        value=0.5,
        steps=100_000,
    ),
    # For RLtools only: peers_rltools.cc has the rest.
    "pendulum": dict(hidden=64, layers=2, steps=800_000),
    "pendulum_wide": dict(hidden=256, layers=3, steps=80_000),
}
MAX_GRAD_NORM = 0.5
ADAM_EPSILON = 1e-5


def mean(values):
    return sum(values) / len(values) if values else float("nan")


def evaluate(act, episodes):
    """Returns the mean return of episodes with fixed seeds; `act` maps an observation to the most likely action."""
    import gymnasium

    env = gymnasium.make(ENVIRONMENT)
    returns = []
    for episode in range(episodes):
        observation, _ = env.reset(seed=EVALUATION_SEED + episode)
        total, done = 0.0, False
        while not done:
            observation, reward, terminated, truncated, _ = env.step(act(observation))
            total += float(reward)
            done = terminated or truncated
        returns.append(total)
    return mean(returns)


def run_sb3(settings, steps, seed, episodes):
    import torch
    from stable_baselines3 import PPO
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.env_util import make_vec_env
    from stable_baselines3.common.vec_env import DummyVecEnv

    torch.set_num_threads(1)

    class Returns(BaseCallback):
        def __init__(self):
            super().__init__()
            self.all = []

        def _on_step(self):
            self.all += [info["episode"]["r"] for info in self.locals["infos"] if "episode" in info]
            return True

    def schedule(value, anneal):
        return (lambda remaining: remaining * value) if anneal else value

    clip = schedule(settings["clip"], settings["anneal_clip"])
    model = PPO(
        "MlpPolicy",
        make_vec_env(ENVIRONMENT, n_envs=settings["envs"], seed=seed, vec_env_cls=DummyVecEnv),
        n_steps=settings["rollout"],
        batch_size=settings["minibatch"],
        n_epochs=settings["epochs"],
        gamma=settings["gamma"],
        gae_lambda=settings["gae_lambda"],
        learning_rate=schedule(settings["lr"], settings["anneal_lr"]),
        clip_range=clip,
        clip_range_vf=clip if settings["clip_value"] else None,
        ent_coef=settings["entropy"],
        vf_coef=settings["value"],
        max_grad_norm=MAX_GRAD_NORM,
        policy_kwargs=dict(
            net_arch=dict(pi=[64, 64], vf=[64, 64]),
            activation_fn=torch.nn.Tanh,
            ortho_init=True,
            optimizer_kwargs=dict(eps=ADAM_EPSILON),
        ),
        seed=seed,
        device="cpu",
    )
    returns = Returns()
    start = time.perf_counter()
    model.learn(total_timesteps=steps, callback=returns)
    seconds = time.perf_counter() - start
    score = evaluate(lambda observation: int(model.predict(observation, deterministic=True)[0]), episodes)
    return model.num_timesteps, seconds, mean(returns.all[-100:]), score


episode_returns = []  # from make_counted_env's environments, in the order in which episodes ended


def make_counted_env(_):
    """Makes an environment that records its returns. RLlib's own mean covers few episodes, and its callbacks see truncated ones."""
    import gymnasium

    class CountReturns(gymnasium.Wrapper):
        def reset(self, **options):
            self.total = 0.0
            return self.env.reset(**options)

        def step(self, action):
            result = self.env.step(action)
            self.total += float(result[1])
            if result[2] or result[3]:
                episode_returns.append(self.total)
            return result

    return CountReturns(gymnasium.make(ENVIRONMENT))


def run_rllib(settings, steps, seed, episodes):
    import logging
    import warnings

    warnings.filterwarnings("ignore")
    import ray
    import torch
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.columns import Columns
    from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
    from ray.tune.registry import register_env

    torch.set_num_threads(1)
    logging.getLogger("ray").setLevel(logging.ERROR)
    # Refer to the module, not to __main__, which Ray would copy by value together with its list.
    import peers_worker

    register_env("counted", peers_worker.make_counted_env)
    batch = settings["envs"] * settings["rollout"]
    lr = [[0, settings["lr"]], [steps, 0.0]] if settings["anneal_lr"] else settings["lr"]
    config = (
        PPOConfig()
        .environment("counted")
        # Everything in this process, like the others: no remote sampler, no remote learner.
        .env_runners(
            num_env_runners=0, num_envs_per_env_runner=settings["envs"], rollout_fragment_length=settings["rollout"]
        )
        .learners(num_learners=0, num_gpus_per_learner=0)
        .training(
            lr=lr,
            gamma=settings["gamma"],
            lambda_=settings["gae_lambda"],
            train_batch_size_per_learner=batch,
            minibatch_size=settings["minibatch"],
            num_epochs=settings["epochs"],
            clip_param=settings["clip"],
            # RLlib clips the squared error itself, unlike PPO2's value clipping; this value practically turns it off.
            vf_clip_param=1e9,
            use_kl_loss=False,
            entropy_coeff=settings["entropy"],
            vf_loss_coeff=settings["value"],
            grad_clip=MAX_GRAD_NORM,
            grad_clip_by="global_norm",
        )
        .rl_module(
            model_config=DefaultModelConfig(
                fcnet_hiddens=[64, 64], fcnet_activation="tanh", head_fcnet_hiddens=[], vf_share_layers=False
            )
        )
        .debugging(seed=seed, log_level="ERROR")
        .reporting(
            min_time_s_per_iteration=0, min_sample_timesteps_per_iteration=0, min_train_timesteps_per_iteration=0
        )
    )
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, configure_logging=False)
    algorithm = config.build_algo()
    done = 0
    start = time.perf_counter()
    while done < steps:
        done = int(algorithm.train()["env_runners"]["num_env_steps_sampled_lifetime"])
    seconds = time.perf_counter() - start

    module = algorithm.get_module()

    def act(observation):
        with torch.no_grad():
            output = module.forward_inference({Columns.OBS: torch.as_tensor(observation)[None]})
        return int(output[Columns.ACTION_DIST_INPUTS].argmax(-1)[0])

    score = evaluate(act, episodes)
    algorithm.stop()
    ray.shutdown()
    return done, seconds, mean(peers_worker.episode_returns[-100:]), score


RUNS = {"sb3": run_sb3, "rllib": run_rllib}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", choices=RUNS)
    parser.add_argument("settings", choices=SETTINGS)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--evaluation-episodes", type=int, default=20)
    arguments = parser.parse_args()
    steps, seconds, training_return, score = RUNS[arguments.library](
        SETTINGS[arguments.settings], arguments.steps, arguments.seed, arguments.evaluation_episodes
    )
    # The libraries print other lines; the result is the last one.
    print(json.dumps({"steps": steps, "seconds": seconds, "training_return": training_return, "evaluation": score}))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
