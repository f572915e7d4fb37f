#!/usr/bin/env python3
"""Takes screenshots of a run's page for docs/.

  dray report --run-dir runs/deliveries
  scripts/bench/screenshots.py --run-dir runs/deliveries --only header --only Learning/Return --out docs/page_learning.png

--only keeps a part of the page: a section by its title, or a single figure, table or picture as Section/Title; repeatable.
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

DRAWN = "document.readyState == 'complete' && document.querySelectorAll('.plot:not(.js-plotly-plot)').length == 0"
# Removes everything else from the page and returns its height. An element without a title belongs to the one before it.
KEEP = """
(wanted => {
  const found = new Set();
  const asked = (section, title) => [section, `${section}/${title}`].filter(name => wanted.includes(name)).map(name => found.add(name)).length > 0;
  for (const section of document.querySelectorAll('main > section')) {
    const name = section.querySelector('h2').innerText.trim();
    let title = '', kept = 0;
    for (const part of [...section.children].slice(1)) {
      title = part.querySelector('h3')?.innerText.trim() ?? title;
      if (asked(name, title)) kept += 1; else part.remove();
    }
    if (!kept) section.remove();
  }
  document.querySelectorAll('nav, .hint').forEach(part => part.remove());
  if (!wanted.includes('header')) document.querySelector('header').remove(); else found.add('header');
  return {missing: wanted.filter(name => !found.has(name)), height: Math.ceil(document.body.getBoundingClientRect().height)};
})(%s)
"""


async def picture(page_file, only, width):
    """Returns the screenshot as PNG bytes."""
    async with dashboard_picture.tab("127.0.0.1") as socket:
        page = dashboard_picture.Page(socket)
        await page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "light"}])
        await dashboard_picture.fit(page, width, 900)
        await page.call("Page.navigate", url=page_file.as_uri())
        while not await page.value_of(DRAWN):
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
        "--only", required=True, action="append", metavar="PART", help="part to keep: header, Section, Section/Title"
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
    # 128 colours are enough for curves and text, and a third of the size.
    PIL.Image.open(io.BytesIO(shot)).convert("RGB").quantize(128, dither=PIL.Image.Dither.NONE).save(
        arguments.out, optimize=True
    )
    print(f"{arguments.out}: {arguments.out.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
