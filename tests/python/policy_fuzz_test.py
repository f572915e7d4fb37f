"""Damaged checkpoints through load_policy, pack_policy and export: a policy that acts, or one line of dray.Error. fuzz.py says how to run more."""

import os
import struct
import sys
import tempfile

LIBRARY, PACKAGE = (os.path.abspath(path) for path in sys.argv[1:3])
os.environ["DRAY_ENVS_LIBRARY"] = LIBRARY
sys.path.insert(0, os.path.dirname(os.path.dirname(PACKAGE)))

import fuzz
import numpy

import dray
from dray import export, places
from dray.policy import pack_policy

HEADER = struct.Struct("<8sQI")  # magic number, size, CRC-32C of the body
STRINGS = 7  # behind three numbers of 8 bytes; the settings are the first, the weights the fourth


def _table():
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        yield byte


CRC_TABLE = list(_table())


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = CRC_TABLE[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def sealed(body):
    return HEADER.pack(b"DRAYCKP2", len(body), crc32c(body)) + body


def parts(body):
    """The numbers, each of the strings, and the rest."""
    found, at = [body[:24]], 24
    for _ in range(STRINGS):
        size = int.from_bytes(body[at : at + 8], "little")
        found.append(body[at + 8 : at + 8 + size])
        at += 8 + size
    return [*found, body[at:]]


def joined(numbers, *strings_and_rest):
    *strings, rest = strings_and_rest
    return numbers + b"".join(len(string).to_bytes(8, "little") + string for string in strings) + rest


def damaged_weights(rng, weights):
    """Values that are no weights, in place: the sizes stay."""
    numbers = bytearray(weights)
    for _ in range(rng.choice((1, 3, 1000))):
        at = 16 + 4 * rng.randrange((len(numbers) - 16) // 4)
        numbers[at : at + 4] = struct.pack("<f", rng.choice((float("nan"), float("inf"), -3e38, 3e38, 1e38, 0)))
    return bytes(numbers)


class Checkpoints:
    def __init__(self, folder):
        self._file, self._written = os.path.join(folder, "damaged.ckpt"), os.path.join(folder, "written.onnx")
        # The second is large, and rarely tried: its checksum is computed here, in Python.
        self._valid = [
            (places.configs() / "pretrained" / f"{name}.ckpt").read_bytes()[HEADER.size :]
            for name in ("cage2_mixture", "dvrptw_best")
        ]
        assert sealed(self._valid[0]) == (places.configs() / "pretrained" / "cage2_mixture.ckpt").read_bytes()
        assert all(joined(*parts(body)) == body for body in self._valid)
        dray.load_policy(pretrained="cage2_mixture")  # what is not damaged is taken

    def damaged(self, rng):
        body = self._valid[rng.random() < 0.02]
        found = parts(body)
        match rng.randrange(5):
            case 0:
                return fuzz.damaged_bytes(rng, sealed(body))
            case 1:
                return sealed(fuzz.damaged_bytes(rng, body))
            case 2 | 3:
                found[1] = fuzz.damaged_text(rng, found[1].decode()).encode(errors="surrogatepass")
            case 4:
                found[4] = rng.choice((fuzz.damaged_bytes, damaged_weights))(rng, found[4])
        return sealed(joined(*found))

    def __call__(self, rng):
        with open(self._file, "wb") as file:
            file.write(self.damaged(rng))
        policy = dray.load_policy(self._file)
        if rng.random() < 0.2:
            export.export_onnx(policy, self._written)
        if rng.random() < 0.2:
            pack_policy(self._file)
        draw = numpy.random.default_rng(rng.randrange(2**32))
        seen = draw.normal(size=(3, policy.observation_size)) * rng.choice((1, 1e3, 1e30))
        assert policy.act(seen).shape[0] == 3
        if policy.discrete:
            assert numpy.isfinite(policy.probabilities(seen)).all()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        fuzz.main(Checkpoints(folder), 150, (LIBRARY, PACKAGE))
