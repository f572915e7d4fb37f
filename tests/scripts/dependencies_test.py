"""docs/dependencies.md names what set-up installs, with its versions. Argument: scripts/dependencies.py."""

import pathlib
import subprocess
import sys
import unittest

SCRIPT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(SCRIPT.parent))
import dependencies  # noqa: E402


def rows(text):
    """{first cell: the rest}"""
    cells = (
        [cell.strip() for cell in line.strip("| ").split(" | ")] for line in text.splitlines() if line.startswith("| `")
    )
    return {row[0].strip("`"): row[1:] for row in cells}


class DependenciesTest(unittest.TestCase):
    def setUp(self):
        self.page = (SCRIPT.parent.parent / "docs/dependencies.md").read_text()

    def test_the_page_is_current(self):
        made = dependencies.table()
        if any(not row[0] for row in rows(made).values()):
            self.skipTest("packages of set-up are not installed here, or this is no Debian")
        if dependencies.upstream(dependencies.debian_version("python3")) != rows(self.page)["python3"][0]:
            self.skipTest("this is another Debian")
        self.assertEqual(made, self.page)

    def test_the_page_has_what_set_up_names(self):
        apt, pip = dependencies.named_in_setup()
        found = rows(self.page)
        self.assertGreater(len(apt), 10)
        self.assertLessEqual({*apt, *pip}, set(found))
        for name, version in pip.items():
            self.assertEqual(found[name][0], version, name)

    def test_licences_are_those_that_packages_state(self):
        stated = {
            "Apache-2.0": ("Apache",),
            "MIT": ("MIT",),
            "BSD-2-Clause": ("BSD",),
            "BSD-3-Clause": ("BSD",),
            "PSF-2.0": ("Python Software Foundation", "PSF"),
        }
        checked = 0
        for name in dependencies.named_in_setup()[1]:
            try:
                own = dependencies.licence(dependencies.importlib.metadata.metadata(name))
            except dependencies.importlib.metadata.PackageNotFoundError:
                continue
            words = stated[dependencies.PYTHON[name][1].split(";")[0]]
            self.assertTrue(any(word in own for word in words), (name, own))
            checked += 1
        self.assertGreater(checked, 3)

    def test_everything_installed_is_listed_with_a_licence(self):
        text = subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True, check=True).stdout
        lines = [line.split("\t") for line in text.splitlines()]
        self.assertLessEqual({"debian", "python", "here"}, {line[0] for line in lines})
        for line in lines:
            self.assertEqual(len(line), 4, line)
            self.assertTrue(all(line), line)


if __name__ == "__main__":
    unittest.main()
