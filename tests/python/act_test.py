"""`dray act` answers every line: a bad one with an error, and then the next."""

import io
import json
import os
import subprocess
import sys
import unittest

LIBRARY, PACKAGE = (os.path.abspath(path) for path in sys.argv[1:3])
del sys.argv[1:3]
os.environ["DRAY_ENVS_LIBRARY"] = LIBRARY
sys.path.insert(0, os.path.dirname(os.path.dirname(PACKAGE)))

import dray
from dray import act


class ActTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.policy = dray.load_policy(pretrained="cage2_mixture")
        cls.size = cls.policy.observation_size
        cls.good = json.dumps({"observation": [0] * cls.size, "mask": [True] * 36}).encode()

    def line(self, observation, mask=None):
        return json.dumps({"observation": observation, "mask": mask}).encode()

    def test_bad_lines_have_an_error_each_and_the_next_is_answered(self):
        zeros = [0] * self.size
        bad = [
            (self.line([10**400, *zeros[1:]]), "must be numbers"),
            (b'{"observation": [' + b"9" * 5000 + b"]}", "expected {"),
            (b"[" * 100_000, "nested deeper than 32"),
            (b'{"a":' * 40, "nested deeper than 32"),
            (self.line([zeros] * self.size), "numbers here, not an array of 3 dimensions"),
            (self.line(["0"] * self.size), "must be numbers"),
            (self.line([None] * self.size), "must be numbers"),
            (self.line(zeros, ["false"] * 36), "masks: must be numbers"),
            (self.line(zeros, [2] * 36), "must be true or false"),
            (self.line(zeros, [False] * 36), "mask needs 36 values"),
            (self.line(zeros, "x" * 36), "expected {"),
            (self.line(zeros, {"0": True}), "expected {"),
            (self.line("0" * self.size), "expected {"),
            (self.line({}), "expected {"),
            (b'{"observation": [NaN' + b", 0" * (self.size - 1) + b"]}", "not finite"),
            (b'{"observation": [1e999' + b", 0" * (self.size - 1) + b"]}", "not finite"),
            (b"\xff\xfe[\0", "expected {"),
            (b'{"observation"', "expected {"),
            (b" " * 10 + b"x" * (1 << 20), "longer than 1048576 bytes"),
            (b'"' + b'\\"' * 400_000, "expected {"),
        ]
        text = b"".join(line + b"\n" + self.good + b"\n" for line, _ in bad)
        done = subprocess.run(
            [sys.executable, "-m", "dray.act", "--pretrained", "cage2_mixture"],
            input=text,
            capture_output=True,
            env={**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(PACKAGE))},
        )
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(len(answers), 2 * len(bad))
        for (line, words), refused, answered in zip(bad, answers[::2], answers[1::2]):
            self.assertIn(words, refused["error"], line[:60])
            self.assertIn("action", answered)

    def test_a_long_line_is_read_piece_by_piece(self):
        class Pieces(io.BytesIO):
            most = 0

            def readline(self, size=-1):
                line = super().readline(size)
                self.most = max(self.most, len(line))
                return line

        limit = act.MOST_BYTES
        given = [b"x" * (5 * limit) + b"\n", b"y" * limit + b"\n", b"z" * (limit + 1) + b"\n", b"\n", b"last" * limit]
        file = Pieces(b"".join(given))
        self.assertEqual([len(line) for line in act.lines(file)], [limit + 1, limit + 1, limit + 1, 1, limit + 1])
        self.assertEqual(file.most, limit + 1)


if __name__ == "__main__":
    unittest.main()
