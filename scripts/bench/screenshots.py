#!/usr/bin/env python3
"""Takes screenshots of a run's page for docs/.

  dray report --run-dir runs/deliveries
  scripts/bench/screenshots.py --run-dir runs/deliveries --only header --only "Overview" --out docs/page_learning.png

--only keeps a part of the page: header, a tab by its title, or one of its figures as Tab/Title; repeatable. Tiles are Overview/cards, a tab's
first table is Tab/wide. What follows a figure without a title of its own, such as a table, is kept with it.
Needs Chromium (apt-get install chromium) and the project's virtual environment.
"""

import argparse
import asyncio
import base64
import io
import json
import pathlib
import sys

import PIL.Image

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import dashboard_picture  # noqa: E402

LOADED = "document.readyState == 'complete' && document.querySelector('[aria-selected=true]') != null"
# Removes everything else from the page and returns its height.
KEEP = """
(wanted => {
  const kept = [], missing = [];
  for (const name of wanted.filter(name => name != 'header')) {
    const [tab, title] = name.split(/\\/(.*)/);
    const panel = document.querySelector(`main > .tabs > [role=tabpanel][data-title="${tab}"]`);
    const heading = title && [...panel?.querySelectorAll('h3') ?? []].find(found => found.textContent.trim() == title);
    const part = title ? heading?.closest('figure') ?? panel?.querySelector(`.${CSS.escape(title)}`) : panel;
    if (!part) missing.push(name); else kept.push(part);
    for (let next = part?.nextElementSibling; title && next && !next.querySelector('h3'); next = next.nextElementSibling) kept.push(next);
  }
  if (wanted.includes('header')) kept.push(document.querySelector('main > .tabs > [role=tablist]'));
  for (const part of document.querySelectorAll('main *'))
    if (part.isConnected && !kept.some(other => other.contains(part) || part.contains(other))) part.remove();
  for (const panel of document.querySelectorAll('[role=tabpanel]'))
    panel.hidden = !kept.some(part => part.contains(panel) || panel.contains(part));
  if (!wanted.includes('header')) document.querySelector('header').remove();
  draw();
  return {missing, height: Math.ceil(document.body.getBoundingClientRect().height)};
})(%s)
"""


async def picture(page_file, only, width):
    """Returns the screenshot as PNG bytes."""
    async with dashboard_picture.tab("127.0.0.1") as socket:
        page = dashboard_picture.Page(socket)
        await page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "light"}])
        await dashboard_picture.fit(page, width, 900)
        await page.call("Page.navigate", url=page_file.as_uri())
        while not await page.value_of(LOADED):
            await asyncio.sleep(0.05)
        kept = await page.value_of(KEEP % json.dumps(only))
        if kept["missing"]:
            raise dashboard_picture.Failure(
                f"{page_file} has no {', '.join(kept['missing'])}; its titles are those of the page"
            )
        await dashboard_picture.fit(page, width, kept["height"])
        await page.call(
            "Runtime.evaluate",
            expression="new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))",
            awaitPromise=True,
        )
        return base64.b64decode((await page.call("Page.captureScreenshot", format="png"))["data"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run-dir", type=pathlib.Path, required=True, help="run folder with report.html")
    parser.add_argument(
        "--only", required=True, action="append", metavar="PART", help="part to keep: header, Tab, Tab/Title"
    )
    parser.add_argument("--width", type=int, default=900, help="width of the browser's window [%(default)s]")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="PNG file to write")
    arguments = parser.parse_args()
    page = arguments.run_dir.resolve() / "report.html"
    if not page.is_file():
        sys.exit(f"error: {page}: no such file; dray report --run-dir {arguments.run_dir} makes it")
    try:
        shot = asyncio.run(asyncio.wait_for(picture(page, arguments.only, arguments.width), 120))
    except (TimeoutError, dashboard_picture.Failure) as failure:
        sys.exit(f"error: {failure or 'the page was not drawn within two minutes'}")
    # 256 colours are enough, and less than half the size; this method keeps colours that few pixels have.
    PIL.Image.open(io.BytesIO(shot)).convert("RGB").quantize(
        256, PIL.Image.Quantize.MAXCOVERAGE, dither=PIL.Image.Dither.NONE
    ).save(arguments.out, optimize=True)
    print(f"{arguments.out}: {arguments.out.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
