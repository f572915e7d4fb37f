"""MkDocs hook that adds pages from outside docs/ and notebooks to the site and adapts the links between pages.

Links are written for the repository, where pages can also be read. On the site, a link to a file that is not a page (a
source file, a preset) becomes plain text.
"""

import json
import os
import pathlib
import re

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Maps files of the repository to pages of the site.
OUTSIDE = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "configs/REFERENCE.md": "reference.md",
    "configs/METRICS.md": "metrics.md",
}
LINK = re.compile(r"(!?)\[([^\[\]]*)\]\(([^()\s]+)\)")


def on_files(files, config):
    for source, page in OUTSIDE.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / source)))
    for notebook in sorted((ROOT / "docs/notebooks").glob("*.ipynb")):
        files.append(File.generated(config, f"notebooks/{notebook.stem}.md", content=page_of(notebook)))
    return files


def page_of(notebook):
    """Returns the cells of a notebook as Markdown."""
    parts = []
    for cell in json.loads(notebook.read_text())["cells"]:
        text = "".join(cell["source"])
        parts.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
    return "\n\n".join(parts) + "\n"


def on_page_markdown(markdown, page, config, files):
    sources = {place: source for source, place in OUTSIDE.items()}
    source = sources.get(page.file.src_uri, f"docs/{page.file.src_uri}")
    return LINK.sub(lambda link: link_on_site(link, source, os.path.dirname(page.file.src_uri)), markdown)


def link_on_site(link, source, folder):
    """Returns a link of the repository's file `source` as the site has it, on a page in `folder`."""
    picture, text, target = link.groups()
    path, hash_sign, anchor = target.partition("#")
    if "://" in target or not path:
        return link[0]
    place = os.path.normpath(os.path.join(os.path.dirname(source), path))
    if place in OUTSIDE or place.startswith("docs/"):
        page = OUTSIDE.get(place, place.removeprefix("docs/")).replace(".ipynb", ".md")
        return f"{picture}[{text}]({os.path.relpath(page, folder)}{hash_sign}{anchor})"
    return text if (ROOT / place).exists() else link[0]
