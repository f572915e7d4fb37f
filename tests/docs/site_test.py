"""The site builds without a complaint and without a network, and every link leads somewhere, on the site and in the repository.
Arguments: scripts/docs.sh."""

import html.parser
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

from pymdownx.slugs import slugify

SCRIPT = pathlib.Path(os.path.realpath(sys.argv.pop(1)))
ROOT = SCRIPT.parent.parent
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "configs/REFERENCE.md", ROOT / "configs/METRICS.md"]
SLUG = slugify(case="lower")


class Page(html.parser.HTMLParser):
    """What a page of the site links to, can be linked to by, loads and shows."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors, self.loaded, self.paragraphs, self._in = [], set(), [], [], None
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors |= {values[name] for name in ("id", "name") if values.get(name)}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if tag in ("img", "script", "source", "iframe") and values.get("src"):
            self.loaded.append(values["src"])
        if tag == "link" and values.get("rel") in ("stylesheet", "icon", "preconnect"):
            self.loaded.append(values["href"])
        if tag == "p":
            self.paragraphs.append("")
            self._in = tag

    def handle_endtag(self, tag):
        if tag == "p":
            self._in = None

    def handle_data(self, data):
        if self._in:
            self.paragraphs[-1] += data


class SiteTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.site = pathlib.Path(folder.name) / "site"
        # A proxy that nobody listens at: whatever wants the network fails.
        nowhere = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")
        cls.built = subprocess.run(
            [SCRIPT, "--out", cls.site],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, **nowhere},
        )
        # 404.html is for the root of a server: its links are absolute.
        cls.pages = {path: Page(path) for path in cls.site.rglob("*.html") if path.name != "404.html"}

    def test_it_builds_without_a_complaint(self):
        self.assertEqual((self.built.stdout, self.built.returncode), (f"docs: {self.site}/index.html\n", 0))

    def test_every_page_of_docs_is_on_it(self):
        built = {path.stem for path in self.pages}
        self.assertEqual({path.stem for path in ROOT.glob("docs/*.md")} - built, set())
        notebooks = {path.relative_to(self.site) for path in self.pages if path.parent.name == "notebooks"}
        self.assertEqual({path.stem for path in ROOT.glob("docs/notebooks/*.ipynb")}, {path.stem for path in notebooks})
        self.assertLessEqual({"index", "reference", "metrics", "architecture", "contributing", "changelog"}, built)

    def test_links_and_anchors_lead_somewhere(self):
        for path, page in self.pages.items():
            for link in page.links + page.loaded:
                with self.subTest(page=path.name, link=link):
                    parts = urllib.parse.urlsplit(link)
                    if parts.scheme in ("https", "mailto"):
                        continue
                    self.assertEqual(parts.scheme, "")
                    target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
                    target = target / "index.html" if target.is_dir() else target
                    self.assertTrue(target.exists(), f"there is no {os.path.relpath(target, self.site)}")
                    if parts.fragment and target in self.pages:
                        self.assertIn(
                            urllib.parse.unquote(parts.fragment), self.pages[target].anchors | {"__skip", "__toc"}
                        )

    def test_it_loads_nothing_from_elsewhere(self):
        for path, page in self.pages.items():
            self.assertEqual([place for place in page.loaded if "//" in place], [], path.name)

    def test_lists_and_tables_are_not_left_as_text(self):
        for path, page in self.pages.items():
            for text in page.paragraphs:
                self.assertNotRegex(text, r"(?m)^\s*(- |\d+\. |\|.*\|\s*$)", path.name)


def links_of(page):
    """Relative targets of the links of a page, code left out."""
    text = re.sub(r"(?ms)^```.*?^```", "", page.read_text())
    text = "\n".join(line for line in text.splitlines() if not line.startswith("    "))
    text = re.sub(r"`[^`\n]*`", "code", text)
    return [target for target in re.findall(r"\]\(([^()\s]+)\)", text) if "://" not in target]


def anchors_of(page):
    text = re.sub(r"(?ms)^```.*?^```", "", page.read_text())
    seen, anchors = {}, set()
    for title in re.findall(r"(?m)^#+ (.*)$", text):
        slug = SLUG(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).replace("`", ""), "-")
        seen[slug] = seen.get(slug, 0) + 1
        anchors.add(slug if seen[slug] == 1 else f"{slug}-{seen[slug] - 1}")
    return anchors


class RepositoryTest(unittest.TestCase):
    def test_links_between_files_lead_somewhere(self):
        for page in PAGES:
            for link in links_of(page):
                with self.subTest(page=page.name, link=link):
                    path, _, anchor = link.partition("#")
                    target = (page.parent / path).resolve() if path else page
                    self.assertTrue(target.exists(), f"there is no {target}")
                    if anchor and target.suffix == ".md":
                        self.assertIn(anchor, anchors_of(target))

    def test_the_readme_is_two_screens(self):
        self.assertLessEqual(len((ROOT / "README.md").read_text().splitlines()), 100)


if __name__ == "__main__":
    unittest.main()
