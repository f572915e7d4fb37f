"""dray.policy computes in numpy what torch computes with the same weights. Argument: dray/policy.py."""

import pathlib
import sys
import tempfile
import unittest

import numpy
import torch

sys.path.insert(0, str(pathlib.Path(sys.argv.pop(1)).absolute().parents[1]))
from dray.policy import Policy, read_config  # noqa: E402

CONFIG = "network:\n  kind: {kind}\n  activation: {activation}\n"
ACTIVATIONS = {"tanh": torch.nn.Tanh, "relu": torch.nn.ReLU}


class PolicyTest(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(1)
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def policy(self, layers, further=None, kind="mlp", activation="tanh"):
        (self.folder / "config.yaml").write_text(CONFIG.format(kind=kind, activation=activation))
        weights = {f"actor.{i}.{name}": tensor for i, layer in enumerate(layers) for name, tensor in layer.state_dict().items()}
        torch.save({**weights, "critic.0.weight": torch.zeros(1, 5), **(further or {})}, self.folder / "weights.pt")
        return Policy.of_run(self.folder)

    def test_logits_are_those_of_torch(self):
        for activation, between in ACTIVATIONS.items():
            layers = [torch.nn.Linear(5, 8), torch.nn.Linear(8, 7), torch.nn.Linear(7, 3)]
            net = torch.nn.Sequential(layers[0], between(), layers[1], between(), layers[2])
            observation = torch.randn(5)
            seen = self.policy(layers, activation=activation).logits(observation.numpy())
            numpy.testing.assert_allclose(seen, net(observation).detach().numpy(), rtol=1e-5, atol=1e-6)

    def test_observations_are_normalised_as_the_run_did(self):
        layer = torch.nn.Linear(2, 2, bias=False)
        layer.weight.data = torch.eye(2)
        layer.bias = torch.nn.Parameter(torch.zeros(2))
        scaling = {"observation.mean": torch.tensor([1.0, 0.0]), "observation.scale": torch.tensor([2.0, 100.0]),
                   "observation.clip": torch.tensor(10.0)}
        self.assertEqual(self.policy([layer], scaling).logits([2.0, 3.0]).tolist(), [2.0, 10.0])

    def test_the_best_allowed_action_is_taken_and_the_first_of_equals(self):
        layer = torch.nn.Linear(1, 4)
        layer.weight.data.zero_()
        layer.bias.data = torch.tensor([0.0, 3.0, 3.0, 1.0])
        policy = self.policy([layer])
        self.assertEqual(policy.best_action([0.0]), 1)
        self.assertEqual(policy.best_action([0.0], numpy.array([True, False, False, True])), 3)

    def test_other_networks_and_missing_files_are_refused(self):
        with self.assertRaisesRegex(SystemExit, "network.kind is attention"):
            self.policy([torch.nn.Linear(1, 1)], kind="attention")
        (self.folder / "weights.pt").unlink()
        with self.assertRaisesRegex(SystemExit, "weights.pt: no such file; train writes it"):
            Policy.of_run(self.folder)
        with self.assertRaisesRegex(SystemExit, "config.yaml: no such file"):
            read_config(self.folder / "nowhere")


if __name__ == "__main__":
    unittest.main()
