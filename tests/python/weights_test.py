"""dray.weights reads what torch wrote, and refuses damaged files within a bound on memory. Argument: dray/__init__.py."""

import io
import pathlib
import random
import struct
import sys
import tracemalloc
import unittest
import zipfile

import numpy
import torch

sys.path.insert(0, str(pathlib.Path(sys.argv.pop(1)).absolute().parents[1]))
from dray.error import Error  # noqa: E402
from dray.weights import read_weights  # noqa: E402


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
    return (
        b"ctorch._utils\n_rebuild_tensor_v2\n(h\1K\0J"
        + struct.pack("<i", shape)
        + b"\x85K"
        + bytes([stride])
        + b"\x85\x89}tR"
    )


class WeightsTest(unittest.TestCase):
    def test_arrays_are_those_that_torch_wrote(self):
        file = io.BytesIO()
        wanted = {
            "actor.0.weight": torch.arange(12.0).reshape(3, 4),
            "actor.0.bias": torch.ones(3, dtype=torch.float64),
        }
        torch.save(wanted, file)
        found = read_weights(file.getvalue())
        self.assertEqual(
            {name: array.tolist() for name, array in found.items()},
            {name: value.tolist() for name, value in wanted.items()},
        )
        self.assertEqual(found["actor.0.bias"].dtype, numpy.float64)


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
            self.refused(
                archive(b"\x80\2}(X\1\0\0\0s" + STORAGE + b"X\1\0\0\0a" + tensor(shape, 0) + b"u.", [("0", bytes(16))])
            )
        many = b"".join(b"X\2\0\0\0" + struct.pack("<H", i) + tensor(1024, 1) for i in range(0x3030, 0x3070))
        self.refused(
            archive(b"\x80\2}(X\1\0\0\0s" + STORAGE + many + b"u.", [("0", bytes(4096))]), "larger than the file"
        )

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
                read_weights(bytes(damaged[: draw.choice((len(damaged), draw.randrange(len(damaged))))]))
            except Error:
                errors += 1
        self.assertGreater(errors, 500)
        self.assertLess(errors, 2000)


if __name__ == "__main__":
    unittest.main()
