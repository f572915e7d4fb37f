"""The engine's cluster (dray_cluster in src/api/dray.h) as the engine sees it, from Python."""

import ctypes as c
import os

OK, LOST, FAILED = 0, 1, 2
PATIENCE_S = 240.0  # for anything that takes seconds on an idle machine


class Bytes(c.Structure):
    _fields_ = [("data", c.c_char_p), ("size", c.c_size_t)]


_Resize = c.CFUNCTYPE(c.c_void_p, c.c_void_p, c.c_size_t)


class Sink(c.Structure):
    _fields_ = [("self", c.c_void_p), ("resize", _Resize)]


class Info(c.Structure):
    _fields_ = [
        ("address", c.c_char * 128),
        ("dashboard", c.c_char * 128),
        ("nodes", c.c_int),
        ("cpus", c.c_double),
        ("gpus", c.c_double),
        ("free_cpus", c.c_double),
        ("free_gpus", c.c_double),
        ("memory_bytes", c.c_int64),
        ("object_store_bytes", c.c_int64),
    ]


class Bundle(c.Structure):
    _fields_ = [("cpus", c.c_double), ("gpus", c.c_double)]


class Request(c.Structure):
    _fields_ = [
        ("kind", c.c_char_p),
        ("name", c.c_char_p),
        ("settings", Bytes),
        ("cpus", c.c_double),
        ("gpus", c.c_double),
        ("bundle", c.c_int),
        ("concurrency", c.c_int),
        ("max_restarts", c.c_int),
        ("oracles", c.POINTER(c.c_char_p)),
        ("oracle_count", c.c_size_t),
    ]


class Argument(c.Structure):
    _fields_ = [("object", c.c_int64), ("bytes", Bytes)]


_self = c.c_void_p


class Port(c.Structure):
    _fields_ = [
        ("self", _self),
        ("last_error", c.CFUNCTYPE(c.c_char_p, _self)),
        ("connect", c.CFUNCTYPE(c.c_int, _self, c.c_char_p, c.POINTER(Info))),
        ("reserve", c.CFUNCTYPE(c.c_int, _self, c.c_char_p, c.POINTER(Bundle), c.c_size_t, c.c_double)),
        ("start", c.CFUNCTYPE(c.c_int, _self, c.POINTER(Request), c.POINTER(c.c_int64))),
        (
            "call",
            c.CFUNCTYPE(c.c_int, _self, c.c_int64, c.c_char_p, c.POINTER(Argument), c.c_size_t, c.POINTER(c.c_int64)),
        ),
        ("put", c.CFUNCTYPE(c.c_int, _self, Bytes, c.POINTER(c.c_int64))),
        ("wait", c.CFUNCTYPE(c.c_int, _self, c.POINTER(c.c_int64), c.c_size_t, c.c_double, c.POINTER(c.c_uint8))),
        ("fetch", c.CFUNCTYPE(c.c_int, _self, c.c_int64, c.c_double, Sink)),
        ("release", c.CFUNCTYPE(None, _self, c.c_int64)),
        ("kill", c.CFUNCTYPE(None, _self, c.c_int64, c.c_int)),
        (
            "publish",
            c.CFUNCTYPE(c.c_int, _self, c.c_int64, c.POINTER(c.c_char_p), c.POINTER(c.c_double), c.c_size_t),
        ),
        ("disconnect", c.CFUNCTYPE(None, _self)),
    ]


class Failed(Exception):
    """What a function of the cluster answered: `status` and the one line."""

    def __init__(self, status, line):
        super().__init__(line)
        self.status = status


class Reply:
    """A sink in memory."""

    def __init__(self):
        self._memory = (c.c_char * 0)()
        self._resize = _Resize(self._grow)
        self.sink = Sink(None, self._resize)

    def _grow(self, _, size):
        grown = (c.c_char * max(size, 1))()
        c.memmove(grown, self._memory, min(len(self._memory), size))
        self._memory, self._size = grown, size
        return c.addressof(grown)

    @property
    def bytes(self):
        return self._memory.raw[: self._size]


class Cluster:
    """Objects and actors are numbers; orders are those of fake_engine.cc."""

    def __init__(self, library, run_name="test", python=""):
        open_cluster = c.CDLL(library).dray_ray_cluster
        open_cluster.restype = c.POINTER(Port)
        error = c.create_string_buffer(500)
        found = Info(address=os.environ["RAY_ADDRESS"].encode(), cpus=8)
        opened = open_cluster(c.byref(found), python.encode(), error, c.c_size_t(500))
        if not opened:
            raise Failed(FAILED, error.value.decode())
        self.port = opened.contents
        self.info = Info()
        self._check(self.port.connect(self.port.self, run_name.encode(), c.byref(self.info)))

    def _check(self, status):
        if status != OK:
            raise Failed(status, self.port.last_error(self.port.self).decode())

    def reserve(self, bundles, strategy="PACK", timeout_s=PATIENCE_S):
        array = (Bundle * len(bundles))(*[Bundle(*bundle) for bundle in bundles])
        self._check(self.port.reserve(self.port.self, strategy.encode(), array, len(bundles), timeout_s))

    def start(self, name, kind="env_shard", settings=b"", cpus=0.0, gpus=0.0, bundle=-1, concurrency=1, max_restarts=0,
              oracles=()):  # fmt: skip
        names = (c.c_char_p * max(1, len(oracles)))(*[oracle.encode() for oracle in oracles])
        request = Request(
            kind.encode(), name.encode(), Bytes(settings, len(settings)), cpus, gpus, bundle, concurrency,
            max_restarts, names, len(oracles),
        )  # fmt: skip
        number = c.c_int64()
        self._check(self.port.start(self.port.self, c.byref(request), c.byref(number)))
        return number.value

    def call(self, actor, order, *arguments, method="collect"):
        """Arguments are numbers of objects, or bytes."""
        everything = [order.encode(), *arguments]
        passed = (Argument * len(everything))(
            *[
                Argument(-1, Bytes(one, len(one))) if isinstance(one, bytes) else Argument(one, Bytes())
                for one in everything
            ]
        )
        number = c.c_int64()
        self._check(self.port.call(self.port.self, actor, method.encode(), passed, len(everything), c.byref(number)))
        return number.value

    def put(self, content):
        number = c.c_int64()
        self._check(self.port.put(self.port.self, Bytes(content, len(content)), c.byref(number)))
        return number.value

    def wait(self, objects, timeout_s=PATIENCE_S):
        numbers = (c.c_int64 * len(objects))(*objects)
        ready = (c.c_uint8 * len(objects))()
        self._check(self.port.wait(self.port.self, numbers, len(objects), timeout_s, ready))
        return list(ready)

    def fetch(self, number, timeout_s=PATIENCE_S):
        reply = Reply()
        self._check(self.port.fetch(self.port.self, number, timeout_s, reply.sink))
        return reply.bytes

    def release(self, number):
        self.port.release(self.port.self, number)

    def ask(self, actor, order, *arguments, method="collect", timeout_s=PATIENCE_S):
        """Calls, fetches and releases."""
        number = self.call(actor, order, *arguments, method=method)
        try:
            return self.fetch(number, timeout_s)
        finally:
            self.release(number)

    def kill(self, actor, restart=False):
        self.port.kill(self.port.self, actor, int(restart))

    def publish(self, epoch, numbers):
        names = (c.c_char_p * len(numbers))(*[name.encode() for name in numbers])
        values = (c.c_double * len(numbers))(*numbers.values())
        self._check(self.port.publish(self.port.self, epoch, names, values, len(numbers)))

    def disconnect(self):
        self.port.disconnect(self.port.self)
