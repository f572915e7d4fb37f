"""dray.policy computes in numpy what torch computes with the same weights. Argument: dray/policy.py."""

import io
import pathlib
import random
import struct
import sys
import tempfile
import tracemalloc
import unittest
import zipfile

import numpy
import torch

sys.path.insert(0, str(pathlib.Path(sys.argv.pop(1)).absolute().parents[1]))
from dray.error import Error  # noqa: E402
from dray.policy import Policy, read_config  # noqa: E402
from dray.weights import read_weights  # noqa: E402

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


def memory_of(work):
    """The most that `work` had at a time, in bytes, and what it threw, if it is an Error."""
    tracemalloc.start()
    try:
        work()
        thrown = None
    except Error as error:
        thrown = str(error)
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return peak, thrown


def archive(pickled, records=(), compression=zipfile.ZIP_STORED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as made:
        made.writestr("archive/data.pkl", pickled)
        for name, content in records:
            made.writestr(f"archive/data/{name}", content)
    return file.getvalue()


# ("storage", torch.FloatStorage, "0", "cpu", 4), kept as memo 1
STORAGE = b"(X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\x000X\3\0\0\0cpuK\4tQq\1"


def tensor(shape, stride):
    return b"ctorch._utils\n_rebuild_tensor_v2\n(h\1K\0J" + struct.pack("<i", shape) + b"\x85K" + bytes([stride]) + b"\x85\x89}tR"


class DamagedWeightsTest(unittest.TestCase):
    def refused(self, file, said="."):
        most = 100 * len(file) + 100_000  # the second: what Python itself needs for a message
        memory, thrown = memory_of(lambda: read_weights(file))
        self.assertIsNotNone(thrown)
        self.assertRegex(thrown, "name the weights.pt of a run folder$")
        self.assertRegex(thrown, said)
        self.assertNotIn("\n", thrown)
        self.assertLess(memory, most)

    def test_a_tensor_of_its_storage_is_read(self):
        good = archive(b"\x80\2}(X\1\0\0\0s" + STORAGE + b"X\1\0\0\0a" + tensor(4, 1) + b"u.", [("0", bytes(16))])
        self.assertEqual(read_weights(good)["a"].tolist(), [0, 0, 0, 0])

    def test_a_few_numbers_do_not_become_gigabytes(self):
        for shape in (500_000_000, -1):
            self.refused(archive(b"\x80\2}(X\1\0\0\0s" + STORAGE + b"X\1\0\0\0a" + tensor(shape, 0) + b"u.", [("0", bytes(16))]))
        many = b"".join(b"X\2\0\0\0" + struct.pack("<H", i) + tensor(1024, 1) for i in range(0x3030, 0x3070))
        self.refused(archive(b"\x80\2}(X\1\0\0\0s" + STORAGE + many + b"u.", [("0", bytes(4096))]), "larger than the file")

    def test_words_that_take_memory_by_a_number_alone_are_refused(self):
        self.refused(archive(b"\x80\2}r\xff\xff\xff\x07."), "LONG_BINPUT does not belong")
        self.refused(archive(b"\x80\5\x96" + struct.pack("<Q", 1 << 40) + b"."))

    def test_code_is_refused(self):
        self.refused(archive(b"cos\nsystem\n(X\4\0\0\0exittR."), "os.system does not belong")

    def test_compressed_records_are_refused(self):
        self.refused(archive(b"\x80\2}.", [("0", bytes(1 << 20))], zipfile.ZIP_DEFLATED), "is compressed")

    def test_other_files_are_refused(self):
        self.refused(b"")
        self.refused(b"no archive")
        self.refused(archive(b""))
        self.refused(archive(b"\x80\2]."), "names")
        with self.assertRaisesRegex(Error, "nowhere.pt: No such file or directory; name"):
            read_weights("nowhere.pt")

    def test_damaged_bytes_are_weights_or_an_error(self):
        good = io.BytesIO()
        torch.save({"actor.0.weight": torch.zeros(3, 4), "actor.0.bias": torch.zeros(3)}, good)
        draw, errors = random.Random(1), 0
        for _ in range(2000):
            damaged = bytearray(good.getvalue())
            for _ in range(draw.randint(1, 4)):
                damaged[draw.randrange(len(damaged))] = draw.choice((0, 255, draw.randrange(256)))
            try:
                read_weights(bytes(damaged[:draw.choice((len(damaged), draw.randrange(len(damaged))))]))
            except Error:
                errors += 1
        self.assertGreater(errors, 500)
        self.assertLess(errors, 2000)

    def test_layers_that_do_not_fit_are_refused(self):
        layer = {"actor.0.weight": numpy.zeros((3, 4)), "actor.0.bias": numpy.zeros(3)}
        Policy({}, layer)
        for damaged in ({}, {"actor.0.weight": layer["actor.0.weight"]}, {**layer, "actor.0.bias": numpy.zeros(2)},
                        {**layer, "actor.1.weight": numpy.zeros((2, 5)), "actor.1.bias": numpy.zeros(2)},
                        {**layer, "observation.mean": numpy.zeros(4)}):
            with self.assertRaisesRegex(SystemExit, "no perceptron's"):
                Policy({}, damaged)
        with self.assertRaisesRegex(SystemExit, "network.activation is gelu"):
            Policy({"network": {"activation": "gelu"}}, layer)


if __name__ == "__main__":
    unittest.main()
