"""scripts/docker/Dockerfile as far as it can be checked without Docker: what it runs and copies is there. Argument: the file."""

import pathlib
import re
import shlex
import subprocess
import sys
import unittest

FILE = pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = FILE.parents[2]
INSTRUCTIONS = {"FROM", "ARG", "RUN", "WORKDIR", "COPY", "ENV", "USER", "ENTRYPOINT", "CMD"}


class DockerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        text = re.sub(r"\\\n", " ", FILE.read_text())
        cls.lines = [line.split(" ", 1) for line in text.splitlines() if line.strip() and not line.startswith("#")]

    def arguments(self, name):
        return [rest for instruction, rest in self.lines if instruction == name]

    def test_every_line_is_an_instruction(self):
        self.assertEqual({instruction for instruction, _ in self.lines} - INSTRUCTIONS, set())

    def test_scripts_that_it_runs_take_the_flags_that_it_gives(self):
        found = 0
        for command in self.arguments("RUN"):
            for script, words in re.findall(r"(scripts/\w+\.sh)([^&|]*)", command):
                found += 1
                text = subprocess.run([ROOT / script, "--help"], capture_output=True, text=True, check=True).stdout
                if "flags of scripts/setup.sh" in text:
                    text += subprocess.run(
                        [ROOT / "scripts/setup.sh", "--help"], capture_output=True, text=True, check=True
                    ).stdout
                for flag in (word for word in shlex.split(words) if word.startswith("--")):
                    self.assertIn(f"{flag} ", text, script)
        self.assertEqual(found, 2)

    def test_stages_that_it_copies_from_are_there(self):
        stages = {words.split(" AS ")[1] for words in self.arguments("FROM") if " AS " in words}
        self.assertEqual(
            {re.match(r"--from=(\w+)", words)[1] for words in self.arguments("COPY") if "--from" in words}, stages
        )

    def test_every_build_argument_is_declared_in_its_stage(self):
        declared = set()
        for instruction, rest in self.lines:
            if instruction == "FROM":
                declared = set()
            elif instruction == "ARG":
                declared.add(rest.partition("=")[0])
            elif instruction == "RUN":
                self.assertLessEqual(set(re.findall(r"(?<!\\)\$([A-Z]+)", rest)), declared, rest)

    def test_what_git_ignores_is_not_sent_to_the_build(self):
        ignored = {line.strip("/") for line in (ROOT / ".gitignore").read_text().splitlines() if line.startswith("/")}
        left_out = (FILE.parent / "Dockerfile.dockerignore").read_text().split()
        for name in ignored:
            self.assertTrue(any(pathlib.PurePath(name).match(pattern) for pattern in left_out), name)


if __name__ == "__main__":
    unittest.main()
