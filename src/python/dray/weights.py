"""Reads weights.pt, the networks of a run, without torch: numpy arrays by name, such as "actor.0.weight".

Whatever the file is, reading it takes no more memory than 100 times its size, runs no code of its, and ends in arrays or in an Error.
"""

import io
import math
import os
import pickle
import pickletools
import zipfile
from typing import Any

import numpy
from numpy.typing import NDArray

from dray.error import Error

# Opcodes of pickle that dictionaries of tensors use. Some of the others allocate memory by a number alone.
_WORDS = {
    "PROTO",
    "STOP",
    "MARK",
    "GLOBAL",
    "REDUCE",
    "BINPERSID",
    "NONE",
    "NEWTRUE",
    "NEWFALSE",
    "BININT",
    "BININT1",
    "BININT2",
    "LONG1",
    "BINFLOAT",
    "BINUNICODE",
    "SHORT_BINUNICODE",
    "EMPTY_TUPLE",
    "TUPLE",
    "TUPLE1",
    "TUPLE2",
    "TUPLE3",
    "EMPTY_LIST",
    "APPEND",
    "APPENDS",
    "EMPTY_DICT",
    "SETITEM",
    "SETITEMS",
    "BINPUT",
    "LONG_BINPUT",
    "BINGET",
    "LONG_BINGET",
}


def read_weights(file: str | os.PathLike[str] | bytes) -> dict[str, NDArray[Any]]:
    """Reads the arrays of a file. `file` is a path, or the contents of the file."""
    name = "weights" if isinstance(file, bytes) else str(file)
    try:
        with zipfile.ZipFile(io.BytesIO(file) if isinstance(file, bytes) else file) as archive:
            weights = _TensorUnpickler(
                _Archive(archive, len(file) if isinstance(file, bytes) else os.path.getsize(file))
            ).load()
    except OSError as error:
        raise Error(f"{name}: {error.strerror or error}; name the weights.pt of a run folder") from None
    except Exception as error:  # zipfile, pickle and numpy throw of all kinds
        raise Error(
            f"{name}: is not a file of weights, or is damaged ({_one_line(error)}); name the weights.pt of a run folder"
        ) from None
    if not isinstance(weights, dict) or not all(
        isinstance(key, str) and isinstance(value, numpy.ndarray) for key, value in weights.items()
    ):
        raise Error(f"{name}: has no tensors with names; name the weights.pt of a run folder")
    return weights


def _one_line(error: Exception) -> str:
    text = str(error).split("\n")[0][:200]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


class _Archive:
    """The records of a file of `size` bytes. They are uncompressed: none is larger than the file."""

    def __init__(self, archive: zipfile.ZipFile, size: int) -> None:
        self._archive, self.size = archive, size
        self._records = {record.filename: record for record in archive.infolist()}
        pickled = next((name for name in self._records if name.endswith("/data.pkl")), None)
        if pickled is None:
            raise ValueError("no data.pkl")
        self.pickled = pickled
        self.tensors = self.pickled.removesuffix("data.pkl") + "data/"

    def read(self, name: str) -> bytes:
        record = self._records[name]
        if record.compress_type != zipfile.ZIP_STORED or record.file_size > self.size:
            raise ValueError(f"{name} is compressed")
        return self._archive.read(record)


class _TensorUnpickler(pickle.Unpickler):
    """Unpickles dictionaries of tensors and nothing else: no file can make it run code."""

    _known = {
        ("torch", "FloatStorage"): "<f4",
        ("torch", "DoubleStorage"): "<f8",
        ("torch", "LongStorage"): "<i8",
        ("collections", "OrderedDict"): dict,
    }

    def __init__(self, archive: _Archive) -> None:
        text = archive.read(archive.pickled)
        argument: Any
        for word, argument, _ in pickletools.genops(text):
            if word.name not in _WORDS or (word.name == "LONG_BINPUT" and argument > len(text)):
                raise pickle.UnpicklingError(f"{word.name} does not belong in a file of weights")
        super().__init__(io.BytesIO(text))
        self._archive, self._left = archive, 2 * archive.size

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return self._tensor
        if (module, name) not in self._known:
            raise pickle.UnpicklingError(f"{module}.{name} does not belong in a file of weights")
        return self._known[module, name]

    def persistent_load(self, identity: Any) -> Any:
        _, kind, number, _, _ = identity
        content = self._archive.read(self._archive.tensors + number)
        self._take(len(content))
        return numpy.frombuffer(content, kind)

    def _take(self, size: int) -> None:
        """Counts memory: each record once and once more as tensors, because a file may name it again and again."""
        self._left -= max(1, size)
        if self._left < 0:
            raise ValueError("its tensors are larger than the file")

    def _tensor(
        self, storage: NDArray[Any], offset: int, shape: tuple[int, ...], strides: tuple[int, ...], *_: Any
    ) -> NDArray[Any]:
        if min(shape, default=0) < 0:
            raise ValueError(f"a tensor of {shape}")
        self._take(math.prod(shape) * storage.itemsize)
        in_bytes = [stride * storage.itemsize for stride in strides]
        view = numpy.ndarray(shape, storage.dtype, buffer=storage, offset=offset * storage.itemsize, strides=in_bytes)
        return view.copy(order="C")
