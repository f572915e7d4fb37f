"""MkDocs hook that adds pages from outside docs/ to the site and adapts the links between pages.

Links are written for the repository, where pages can also be read. On the site, a link to a file that is not a page (a
source file, a preset) becomes plain text.
"""

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
    return files


def on_page_markdown(markdown, page, config, files):
    sources = {place: source for source, place in OUTSIDE.items()}
    source = sources.get(page.file.src_uri, f"docs/{page.file.src_uri}")
    return LINK.sub(lambda link: link_on_site(link, source), markdown)


def link_on_site(link, source):
    picture, text, target = link.groups()
    path, hash_sign, anchor = target.partition("#")
    if "://" in target or not path:
        return link[0]
    place = os.path.normpath(os.path.join(os.path.dirname(source), path))
    if place in OUTSIDE:
        return f"{picture}[{text}]({OUTSIDE[place]}{hash_sign}{anchor})"
    if place.startswith("docs/"):
        return f"{picture}[{text}]({place.removeprefix('docs/')}{hash_sign}{anchor})"
    return text if (ROOT / place).exists() else link[0]
