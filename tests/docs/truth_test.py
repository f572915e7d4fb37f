"""What pages quote is what the source says: error messages, the version. Arguments: scripts/docs.sh."""

import os
import pathlib
import re
import sys
import unittest

import yaml

ROOT = pathlib.Path(os.path.realpath(sys.argv.pop(1))).parent.parent
SOURCES = ("src/**/*.cc", "src/**/*.h", "ray_actors/*.cc", "src/python/dray/**/*.py", "scripts/*.sh", "scripts/*.py")


def quoted_messages():
    """The messages of the tables of troubleshooting.md, with the line that each stands in."""
    for number, line in enumerate((ROOT / "docs/troubleshooting.md").read_text().splitlines(), 1):
        if line.startswith("| `"):
            for message in re.findall(r"`([^`]+)`", line.split(" | ")[0]):
                yield number, message


def source_texts():
    """Every source file with the strings that it joins written as one."""
    for pattern in SOURCES:
        for path in ROOT.glob(pattern):
            text = path.read_text().replace('\\"', "\0")
            yield re.sub(r'"\s*f?"', "", text).replace("\0", '"')  # "one " "string"


def fragments(message):
    """What stands between the parts that differ each time; single marks tell nothing."""
    return [part for part in message.split("…") if len(re.findall(r"\w", part)) > 2]


def commands_bzl():
    """The names that src/commands/commands.bzl defines; what it says is Python, too."""
    names = {}
    exec((ROOT / "src/commands/commands.bzl").read_text(), names)
    return names


class TruthTest(unittest.TestCase):
    def test_quoted_messages_exist(self):
        texts = list(source_texts())
        messages = list(quoted_messages())
        self.assertGreater(len(messages), 60)
        for number, message in messages:
            with self.subTest(line=number, message=message):
                parts = fragments(message)
                self.assertTrue(parts, "nothing but dots")
                self.assertTrue(
                    any(all(part in text for part in parts) for text in texts), "no file of the source has this message"
                )

    def test_the_page_of_commands_lists_every_command(self):
        page = (ROOT / "docs/commands.md").read_text()
        rows = [[cell.strip(" `") for cell in row.split("|")[1:3]] for row in re.findall(r"(?m)^\|.*`dray .*$", page)]
        listed = {wheel.split()[1] for _, wheel in rows}
        built = set(commands_bzl()["PROGRAMS"])
        sys.path.insert(0, str(ROOT / "src/python"))
        from dray import command

        self.assertEqual(set(command.PROGRAMS), built)
        self.assertEqual(listed, {*command.PROGRAMS, *command.MODULES, *command.LISTS})
        for clone, wheel in rows:
            name = wheel.split()[1]
            self.assertIn(clone, ("", f"bazel run //:{name} --", f"bazel run //:dray -- {name}"))

    def test_the_citation_names_this_version(self):
        citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
        header = (ROOT / "src/base/installation.h").read_text()
        version = re.search(r'kVersion\[\] = "(.+)"', header)[1]
        self.assertEqual(citation["version"], version)
        package = (ROOT / "src/python/dray/__init__.py").read_text()
        self.assertIn(f'\n__version__ = "{version}"', package)
        self.assertEqual(citation["license"], "Apache-2.0")
        for key in ("cff-version", "message", "title", "authors"):
            self.assertIn(key, citation)


if __name__ == "__main__":
    unittest.main()
