"""scripts/map.py: its pictures of a small tree. Argument: scripts/map.py."""

import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

SCRIPT = pathlib.Path(sys.argv.pop(1)).resolve()
LAYERS = """LAYERS = [["base"], ["config", "metrics"], ["env"], ["envs", "learn"], ["loop"]]
WORDS = {"base": "bytes", "config": "settings", "metrics": "numbers", "env": "a contract", "envs": "tasks", "learn": "PPO",
         "loop": "runs"}
"""
USES = {
    "base": (),
    "config": ("base",),
    "metrics": ("base",),
    "env": ("base", "config"),
    "envs": ("base", "env", "metrics"),
    "learn": ("env", "config"),
    "loop": ("learn", "envs", "metrics", "base"),
}
PICTURE = """
    ●      loop     runs
    ├─╮
    ● │    envs     tasks
    ├─┼─╮
    │ ● │  learn    PPO
    ├─╯ │
    ●   │  env      a contract
    ●   │  config   settings
    │   ●  metrics  numbers
    ├───╯
    ●      base     bytes
"""


class MapTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.page = self.root / "ARCHITECTURE.md"
        self.write("scripts/bazel/layers.bzl", LAYERS)
        self.write("ARCHITECTURE.md", "before\n<!-- map: made by scripts/map.py -->\nold\n<!-- end of map -->\nafter\n")
        (self.root / "docs").mkdir()
        for module, used in USES.items():
            self.write(f"src/{module}/BUILD", "".join(f'"//src/{name}:x",\n' for name in used))

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def map(self, *flags):
        process = subprocess.run(
            [sys.executable, SCRIPT, *flags], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        return process.returncode, process.stdout

    def test_lines_go_to_what_is_used_and_not_reached_otherwise(self):
        self.assertEqual(self.map("--root", str(self.root)), (0, ""))
        self.assertEqual(
            self.page.read_text(),
            "before\n<!-- map: made by scripts/map.py -->\n" + PICTURE + "\n<!-- end of map -->\nafter\n",
        )

    def test_the_drawing_has_a_box_for_each_module_and_a_line_for_each_use(self):
        self.map("--root", str(self.root))
        drawing = xml.etree.ElementTree.parse(self.root / "docs/map.svg").getroot()
        name = "{http://www.w3.org/2000/svg}"
        self.assertEqual({text.text for text in drawing.iter(name + "text") if text.get("class") == "name"}, set(USES))
        self.assertEqual(sum(path.get("marker-end") is not None for path in drawing.iter(name + "path")), 8)

    def test_a_new_dependency_makes_them_stale(self):
        self.map("--root", str(self.root))
        self.assertEqual(self.map("--root", str(self.root), "--check"), (0, ""))
        self.write("src/learn/BUILD", '"//src/env:x",\n"//src/metrics:x",\n')
        stale = (
            "map: ARCHITECTURE.md is not current: run scripts/map.py\nmap: map.svg is not current: run scripts/map.py\n"
        )
        self.assertEqual(self.map("--root", str(self.root), "--check"), (1, stale))


if __name__ == "__main__":
    unittest.main()
