"""Pieces of work take as many instructions as they did (counts.json), however busy the machine is.

Counted by Valgrind's callgrind, one thread, within Counted() of fixed_work.cc alone. More than a twentieth above what is on record
fails, and so does more than a twentieth below: then the record is to be renewed, so that the next loss is seen. A kind of processor
that has no record yet is measured and let pass. To write the record anew for the processor at hand:

    bazel run //tests/speed:instructions_test -- --record "$PWD/tests/speed/counts.json"
"""

import concurrent.futures
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

FIXED_WORK, COUNTS = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
TOLERANCE = 0.05
# Kernels have a version for processors with AVX2, and Valgrind knows of nothing newer.
PROCESSOR = platform.machine()
if PROCESSOR == "x86_64" and "avx2" not in pathlib.Path("/proc/cpuinfo").read_text().split():
    PROCESSOR += " without AVX2"
WORKS = subprocess.run([FIXED_WORK], check=True, capture_output=True, text=True).stdout.split()


def count(work):
    """Instructions of one piece of work."""
    if not shutil.which("valgrind"):
        raise AssertionError("valgrind is not installed: scripts/setup.sh installs it")
    with tempfile.TemporaryDirectory() as folder:
        command = [
            "valgrind",
            "--tool=callgrind",
            "--toggle-collect=dray::Counted*",
            "--callgrind-out-file=" + folder + "/out",
        ]
        found = subprocess.run(
            [*command, FIXED_WORK, work], capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"}
        )
    collected = re.search(r"Collected : (\d+)", found.stderr)
    assert found.returncode == 0 and collected, found.stderr[-2000:]
    return int(collected[1])


def count_all():
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(WORKS, pool.map(count, WORKS)))


class InstructionsTest(unittest.TestCase):
    def test_every_piece_of_work_takes_what_it_took(self):
        recorded = json.loads(COUNTS.read_text()).get(PROCESSOR, {})
        for work, found in count_all().items():
            with self.subTest(work):
                self.assertGreater(found, 10_000, "the work was not counted")
                if work not in recorded:
                    print(f"{work}: {found:,} instructions; {PROCESSOR} has no record of it")
                    continue
                ratio = found / recorded[work]
                print(f"{work}: {found:,} instructions, {ratio:.3f} of what is on record")
                self.assertLess(ratio, 1 + TOLERANCE, "slower than on record")
                self.assertGreater(
                    ratio, 1 - TOLERANCE, "quicker than on record: write the record anew (see the head of this file)"
                )


if __name__ == "__main__":
    if sys.argv[3:4] == ["--record"]:
        path = pathlib.Path(sys.argv[4])
        counts = json.loads(path.read_text()) if path.exists() else {}
        counts[PROCESSOR] = count_all()
        path.write_text(json.dumps(counts, indent=1, sort_keys=True) + "\n")
    else:
        del sys.argv[1:3]
        unittest.main()
