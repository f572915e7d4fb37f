"""Reads weights.pt, the networks of a run, without torch: numpy arrays by name, such as "actor.0.weight"."""

import io
import pickle
import zipfile

import numpy


def read_weights(file):
    """`file` is a path, or the bytes of the file."""
    with zipfile.ZipFile(io.BytesIO(file) if isinstance(file, bytes) else file) as archive:
        pickled = next(name for name in archive.namelist() if name.endswith("/data.pkl"))
        folder = pickled.removesuffix("data.pkl") + "data/"
        return _TensorUnpickler(archive, pickled, folder).load()


class _TensorUnpickler(pickle.Unpickler):
    """Knows what a dictionary of tensors is made of, and nothing else: no file can make it run code."""

    _known = {
        ("torch", "FloatStorage"): "<f4",
        ("torch", "DoubleStorage"): "<f8",
        ("torch", "LongStorage"): "<i8",
        ("collections", "OrderedDict"): dict,
    }

    def __init__(self, archive, pickled, folder):
        super().__init__(io.BytesIO(archive.read(pickled)))
        self._archive, self._folder = archive, folder

    def find_class(self, module, name):
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return _tensor
        if (module, name) not in self._known:
            raise pickle.UnpicklingError(f"{module}.{name} does not belong into a file of weights")
        return self._known[module, name]

    def persistent_load(self, identity):
        _, kind, number, _, _ = identity
        return numpy.frombuffer(self._archive.read(self._folder + number), kind)


def _tensor(storage, offset, shape, strides, *_):
    strides = [stride * storage.itemsize for stride in strides]
    view = numpy.ndarray(shape, storage.dtype, buffer=storage, offset=offset * storage.itemsize, strides=strides)
    return view.copy(order="C")
