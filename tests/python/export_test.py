"""What dray export writes acts as Dray's own policy does: ONNX by onnxruntime, TorchScript by torch, and Dray's own small file."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

LIBRARY, PACKAGE, TRAIN, EVALUATE = (os.path.abspath(path) for path in sys.argv[1:5])
del sys.argv[1:5]
os.environ["DRAY_ENVS_LIBRARY"] = LIBRARY
sys.path.insert(0, os.path.dirname(os.path.dirname(PACKAGE)))

import numpy
import onnxruntime
import torch

import dray

SHORT = (
    "--runner",
    "local",
    "--device",
    "cpu",
    "--set",
    "evaluation.episodes=1",
    "--set",
    "train.duration_s=0",
    "--set",
    "train.episodes=0",
)
ATTENTION = (
    "--config",
    "dvrptw_best",
    "--num-envs",
    "4",
    "--epochs",
    "1",
    "--set",
    "env.dvrptw.encoding=tokens",
    "--set",
    "network.kind=attention",
)
# Scaled observations, means as actions, a mask, counts that are written out, and attention with two rounds and with none.
TASKS = {
    "cartpole": ("--config", "cartpole", "--epochs", "5", "--set", "normalize.observations=true"),
    "memory": (
        "--config",
        "cartpole",
        "--epochs",
        "5",
        "--set",
        "normalize.observations=true",
        "--set",
        "network.kind=gru",
        "--set",
        "network.memory=8",
    ),
    "pendulum": ("--config", "pendulum", "--epochs", "2"),
    "dvrptw_best": ("--config", "dvrptw_best", "--num-envs", "4", "--epochs", "1"),
    "dvrptw_64": (
        "--config",
        "dvrptw_64",
        "--num-envs",
        "4",
        "--epochs",
        "1",
        "--set",
        "ppo.policy_epochs=1",
        "--set",
        "ppo.value_epochs=1",
    ),
    "dvrptw_attention": (*ATTENTION, "--set", "network.attention_layers=2", "--set", "network.price_coefficient=0.5"),
    "dvrptw_pooled": (*ATTENTION, "--set", "network.attention_layers=0", "--set", "network.activation=relu"),
}


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def export(*words):
    environment = {**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(PACKAGE))}
    return subprocess.run(
        [sys.executable, "-m", "dray.export", *map(str, words)], capture_output=True, text=True, env=environment
    )


class ExportTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        for name, flags in TASKS.items():
            run(TRAIN, *flags, *SHORT, "--run-dir", cls.folder / name)

    def states(self, policy):
        """Observations and masks that the policy comes by."""
        envs = policy.make_vec(16)
        observations, info = envs.reset(seed=3)
        seen = []
        for _ in range(12):
            seen.append(
                (observations.copy(), None if "action_mask" not in info else numpy.array(info["action_mask"], bool))
            )
            observations, _, _, _, info = envs.step(policy.act(observations, info.get("action_mask")))
        seen.append(
            (numpy.zeros_like(observations[:1]), None if seen[0][1] is None else numpy.ones_like(seen[0][1][:1]))
        )  # without any token
        return numpy.concatenate([row for row, _ in seen]), None if seen[0][1] is None else numpy.concatenate(
            [row for _, row in seen]
        )

    def expect_same(self, policy, answers, observations, masks):
        outputs = policy.outputs(observations)
        if not policy.discrete:
            return numpy.testing.assert_allclose(answers[0], outputs, rtol=1e-4, atol=1e-5)
        allowed = outputs if masks is None else numpy.where(masks, outputs, -numpy.inf)
        numpy.testing.assert_allclose(answers[1], allowed, rtol=1e-4, atol=1e-4)
        # The same action, unless two are as good to the last digits.
        best, chosen = allowed.max(axis=1), numpy.take_along_axis(allowed, numpy.asarray(answers[0])[:, None], 1)[:, 0]
        numpy.testing.assert_allclose(chosen, best, rtol=1e-4, atol=1e-4)
        self.assertGreater((answers[0] == policy.act(observations, masks)).mean(), 0.99)

    def test_onnxruntime_and_torch_act_as_dray_does(self):
        for name in TASKS.keys() - {"memory"}:
            with self.subTest(name):
                files = [self.folder / f"{name}.onnx", self.folder / f"{name}.pt"]
                done = export("--run-dir", self.folder / name, "--onnx", files[0], "--torchscript", files[1])
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                policy = dray.load_policy(self.folder / name)
                observations, masks = self.states(policy)
                self.assertEqual(masks is not None, name.startswith("dvrptw"))
                given = {"observation": observations} | ({} if masks is None else {"mask": masks})
                self.expect_same(policy, onnxruntime.InferenceSession(files[0]).run(None, given), observations, masks)
                answers = torch.jit.load(files[1])(*map(torch.tensor, given.values()))
                answers = [answer.numpy() for answer in (answers if isinstance(answers, tuple) else (answers,))]
                self.expect_same(policy, answers, observations, masks)

    def test_memory_goes_in_and_out(self):
        files = [self.folder / "memory.onnx", self.folder / "memory.pt"]
        done = export("--run-dir", self.folder / "memory", "--onnx", files[0], "--torchscript", files[1])
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        session, module = onnxruntime.InferenceSession(files[0]), torch.jit.load(files[1])
        policy = dray.load_policy(self.folder / "memory")
        envs = policy.make_vec(16)
        observations, _ = envs.reset(seed=3)
        memory, ends = numpy.zeros((16, policy.memory), numpy.float32), 0
        rng = numpy.random.default_rng(1)  # ends more episodes than the policy would
        for _ in range(60):
            outputs = policy.outputs(observations)
            given = {"observation": observations, "memory": memory}
            by_torch = [answer.numpy() for answer in module(*map(torch.tensor, given.values()))]
            for action, logits, after in (session.run(None, given), by_torch):
                numpy.testing.assert_allclose(logits, outputs, rtol=1e-4, atol=1e-4)
                numpy.testing.assert_array_equal(action, logits.argmax(1))
            observations, _, terminated, truncated, _ = envs.step(rng.integers(0, 2, 16))
            ended = terminated | truncated
            policy.reset(ended)
            memory = numpy.where(ended[:, None], numpy.float32(0), after)
            ends += ended.sum()
        self.assertGreater(ends, 0)
        self.assertGreater(abs(memory).max(), 0.01)

    def test_a_small_file_has_the_policy_and_nothing_else(self):
        for name in ("cartpole", "dvrptw_best"):
            with self.subTest(name):
                file = self.folder / f"{name}.ckpt"
                self.assertEqual(export("--run-dir", self.folder / name, "--policy", file).returncode, 0)
                whole = max((self.folder / name / "checkpoints").glob("epoch_*.ckpt"))
                self.assertLess(file.stat().st_size, 0.5 * whole.stat().st_size)
                scores = [
                    run(EVALUATE, "--checkpoint", path, "--episodes", 3, "--json").replace(str(path), "")
                    for path in (file, whole)
                ]
                self.assertEqual(scores[0], scores[1])

    def test_errors_say_what_and_where(self):
        for words, says in (
            (("--run-dir", self.folder / "cartpole"), "which format"),
            (("--run-dir", self.folder / "nowhere", "--onnx", "x"), "no such folder or file"),
            (
                ("--pretrained", "cage3", "--onnx", "x"),
                "there is no pretrained policy 'cage3'; available: cage2_mixture, dvrptw_best",
            ),
            (("--run-dir", self.folder / "cartpole", "--policy", "/no/such/folder/x"), "No such file or directory"),
        ):
            done = export(*words)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(says, done.stderr)
            self.assertNotIn("Traceback", done.stderr)


if __name__ == "__main__":
    unittest.main()
