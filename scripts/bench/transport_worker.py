"""One side of transport.py: a driver with its actors that reads from standard input what to time.

    transport_worker.py dray LIBRARY | python

"batch BYTES": a source creates a batch and writes every byte, a sink reads every byte once. "weights BYTES": the same with
one source and four sinks at the same time. Prints the seconds until all sinks have answered. "calls COUNT", dray only: prints,
as JSON, the driver's seconds for making a call and for taking an answer that is there, and those of a call there and back.
"""

import json
import os
import statistics
import sys
import time

SINKS = 4


class Dray:
    def __init__(self, library):
        import engine_port

        self.cluster = engine_port.Cluster(library, run_name=f"transport-{os.getpid()}")
        self.source = self.cluster.start("source")
        self.sinks = [self.cluster.start(f"sink-{i}", kind="learner") for i in range(SINKS)]

    def transfer(self, size, sinks):
        batch = self.cluster.call(self.source, f"make {size}")
        sums = [self.cluster.call(sink, "sum", batch, method="update") for sink in self.sinks[:sinks]]
        answers = [int(self.cluster.fetch(number)) for number in sums]
        for number in (batch, *sums):
            self.cluster.release(number)
        return answers

    def calls(self, count):
        """Makes all calls, then takes all answers; then makes one call at a time."""
        start = time.perf_counter()
        numbers = [self.cluster.call(self.sinks[i % SINKS], "echo") for i in range(count)]
        called = time.perf_counter() - start
        while not all(self.cluster.wait(numbers)):
            pass
        start = time.perf_counter()
        for number in numbers:
            self.cluster.fetch(number)
            self.cluster.release(number)
        answered = time.perf_counter() - start
        ways = []
        for _ in range(count):
            start = time.perf_counter()
            self.cluster.ask(self.sinks[0], "echo")
            ways.append(time.perf_counter() - start)
        return {"call": called / count, "answer": answered / count, "there_and_back": statistics.median(ways)}

    def end(self):
        self.cluster.disconnect()


class Python:
    def __init__(self):
        import numpy
        import ray

        @ray.remote
        class Source:
            def make(self, size):
                batch = numpy.empty(size, dtype=numpy.uint8)
                batch.fill(1)
                return batch

        @ray.remote
        class Sink:
            def sum(self, batch):
                return int(batch.view(numpy.uint64).sum())

        ray.init(address=os.environ["RAY_ADDRESS"], log_to_driver=False, logging_level="ERROR")
        self.ray = ray
        self.source = Source.options(num_cpus=0).remote()
        self.sinks = [Sink.options(num_cpus=0).remote() for _ in range(SINKS)]

    def transfer(self, size, sinks):
        batch = self.source.make.remote(size)
        return self.ray.get([sink.sum.remote(batch) for sink in self.sinks[:sinks]])

    def end(self):
        self.ray.shutdown()


def main():
    side = Python() if sys.argv[1] == "python" else Dray(sys.argv[2])
    print("ready", flush=True)
    for line in sys.stdin:
        what, size = line.split()
        size = int(size)
        if what == "calls":
            print(json.dumps(side.calls(size)), flush=True)
            continue
        sinks = SINKS if what == "weights" else 1
        start = time.perf_counter()
        answers = side.transfer(size, sinks)
        seconds = time.perf_counter() - start
        right = size // 8 * 0x0101010101010101 % 2**64
        if answers != [right] * sinks:
            sys.exit(f"{answers} is not the sum {right}")
        print(seconds, flush=True)
    side.end()


if __name__ == "__main__":
    main()
