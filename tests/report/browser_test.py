"""Pages in a real browser: every tab opens and is drawn, on every screen, without an error and without a request.
Arguments: dray/report/__main__.py, scripts/dashboard_picture.py."""

import asyncio
import contextlib
import json
import pathlib
import shutil
import sys
import tempfile
import unittest

import aiohttp
import run_folders

sys.path.insert(0, str(pathlib.Path(sys.argv.pop(1)).absolute().parent))
import dashboard_picture  # noqa: E402

PATIENCE_S = 600
WIDTHS = (390, 820, 1400)
GROUNDS = {"light": "rgb(251, 251, 250)", "dark": "rgb(21, 24, 28)"}
LOADED = "document.readyState == 'complete' && document.querySelector('[aria-selected=true]') != null"
# What is wrong on what can be seen: figures that are not drawn or not as wide as their place, and a page wider than the screen.
WRONG = """
(() => {
  const seen = [...document.querySelectorAll('.plot')].filter(place => place.offsetWidth);
  const misfits = seen.filter(place => Math.abs((place.querySelector('.main-svg')?.clientWidth ?? 0) - place.clientWidth) > 1);
  const wrong = misfits.map(place => `${place.getAttribute('aria-label')}: ${place.querySelector('.main-svg')?.clientWidth} of ${place.clientWidth}`);
  return document.documentElement.scrollWidth > innerWidth ? [...wrong, 'wider than the screen'] : wrong;
})()
"""
# Opens each tab that can be seen, and those inside it. Returns the titles, and what is wrong where.
OPEN_ALL = """
(() => {
  const titles = [], wrong = {};
  const open = root => {
    const list = root.querySelector('[role=tablist]');
    for (const tab of list ? list.children : []) {
      tab.click();
      titles.push(tab.textContent);
      const found = WRONG;
      if (found.length || tab.getAttribute('aria-selected') != 'true') wrong[tab.textContent] = found;
      open(document.getElementById(tab.getAttribute('aria-controls')));
    }
  };
  open(document);
  return {titles, wrong};
})()
""".replace("WRONG", WRONG.strip())
OPEN_TAB = "document.querySelector('main > .tabs > [role=tablist] > [aria-selected=true]').textContent"


class Listening:
    """A tab's connection that keeps the events which come between answers."""

    def __init__(self, socket):
        self._socket = socket
        self.events = []

    async def send_json(self, message):
        await self._socket.send_json(message)

    async def receive(self):
        message = await self._socket.receive()
        if message.type is aiohttp.WSMsgType.TEXT and "method" in (event := json.loads(message.data)):
            self.events.append(event)
        return message

    def of(self, *methods):
        return [event["params"] for event in self.events if event["method"] in methods]


@contextlib.asynccontextmanager
async def browser():
    """A tab of a browser that notes what happens in it."""
    async with dashboard_picture.tab("127.0.0.1") as connection:
        socket = Listening(connection)
        page = dashboard_picture.Page(socket)
        for domain in ("Runtime", "Log", "Network", "Page"):
            await page.call(f"{domain}.enable")
        yield page, socket


async def load(page, address, scheme="light", width=1400):
    await page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    await dashboard_picture.fit(page, width, 900)
    await page.call("Page.navigate", url="about:blank")  # another #address of the same page would not load it again
    await page.call("Page.navigate", url=address)
    while not await page.value_of(LOADED):
        await asyncio.sleep(0.05)


async def press(page, key):
    for kind in ("keyDown", "keyUp"):
        await page.call("Input.dispatchKeyEvent", type=kind, key=key, code=key)


async def seen(file):
    """What a browser says of a page: errors, requests, and what is on it for each screen."""
    async with browser() as (page, socket):
        screens = {}
        for width in WIDTHS:
            for scheme in GROUNDS:
                await load(page, file.as_uri(), scheme, width)
                screens[width, scheme] = {
                    **await page.value_of(OPEN_ALL),
                    "ground": await page.value_of("getComputedStyle(document.body).backgroundColor"),
                    "paper": await page.value_of(
                        "getComputedStyle(document.querySelector('.drawing .background') ?? document.body).fill"
                    ),
                }
        errors = socket.of("Runtime.exceptionThrown") + [
            entry for entry in socket.of("Log.entryAdded") if entry["entry"]["level"] == "error"
        ]
        errors += [call for call in socket.of("Runtime.consoleAPICalled") if call["type"] in ("error", "warning")]
        addresses = {request["request"]["url"] for request in socket.of("Network.requestWillBeSent")}
        return {
            "screens": screens,
            "errors": errors,
            "requests": [address for address in addresses if not address.startswith(("data:", file.as_uri()))],
            "plots": await page.value_of("document.querySelectorAll('.js-plotly-plot').length"),
            "curves": await page.value_of(
                "document.querySelectorAll('.scatterlayer path.js-line, .scatterlayer path.point').length"
            ),
            "drawings": await page.value_of("document.querySelectorAll('svg.drawing').length"),
        }


@unittest.skipUnless(any(map(shutil.which, dashboard_picture.BROWSERS)), "no browser: apt-get install chromium")
class BrowserTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.run_dir = run_folders.write_run(
            self.folder / "run", task="dvrptw", last=run_folders.evaluation(38.0, 3.0, 20)
        )

    def page(self, *arguments):
        result = run_folders.run_report(*arguments)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return pathlib.Path(result.stdout.splitlines()[-1])

    def played(self, scene):
        return asyncio.run(asyncio.wait_for(scene, PATIENCE_S))

    def assert_whole(self, found, plots, tabs):
        self.assertEqual((found["errors"], found["requests"], found["plots"]), ([], [], plots))
        self.assertGreater(found["curves"], 0)
        for screen, shown in found["screens"].items():
            self.assertEqual((shown["titles"], shown["wrong"]), (tabs, {}), screen)
            self.assertEqual(shown["ground"], GROUNDS[screen[1]])

    def test_the_page_of_a_run_is_drawn_alone_on_every_screen(self):
        run_folders.write_delivery_evaluation(self.run_dir / "evaluation")
        found = self.played(seen(self.page("--run-dir", self.run_dir)))
        days = [title for day in ("Day 2, best day", "Day 1, median day") for title in (day, "learned", "no shifts")]
        self.assert_whole(
            found, 12, ["Overview", "Learning", "Policies", "Days", *days, "Optimiser", "Machine", "Settings"]
        )
        self.assertEqual(found["drawings"], 8)
        papers = {screen[1]: shown["paper"] for screen, shown in found["screens"].items()}
        self.assertEqual(papers, {"light": "rgb(255, 255, 255)", "dark": "rgb(29, 33, 38)"})

    def test_tabs_have_addresses_and_obey_the_keyboard(self):
        run_folders.write_delivery_evaluation(self.run_dir / "evaluation")
        file = self.page("--run-dir", self.run_dir)

        async def scene():
            async with browser() as (page, _):
                for address, title in (("", "Overview"), ("#machine", "Machine"), ("#day-2-policy-2", "Days")):
                    await load(page, file.as_uri() + address)
                    self.assertEqual(await page.value_of(OPEN_TAB), title)
                self.assertTrue(await page.value_of("document.getElementById('day-2-policy-2').offsetWidth > 0"))
                await page.value_of("document.querySelector('[role=tab][aria-selected=true]').focus()")
                for key, title in (("ArrowRight", "Optimiser"), ("End", "Settings"), ("ArrowRight", "Overview")):
                    await press(page, key)
                    self.assertEqual(await page.value_of(OPEN_TAB), title)
                self.assertEqual(await page.value_of("location.hash"), "#overview")

        self.played(scene())

    def test_paper_shows_all_tabs_in_light_colours(self):
        run_folders.write_delivery_evaluation(self.run_dir / "evaluation")
        file = self.page("--run-dir", self.run_dir)

        async def scene():
            async with browser() as (page, _):
                await load(page, file.as_uri(), "dark")
                hidden = "[...document.querySelectorAll('[role=tabpanel]')].filter(panel => !panel.offsetWidth).length"
                self.assertGreater(await page.value_of(hidden), 0)
                # At once: a browser prints what is there when the event is over.
                printed = f"dispatchEvent(new Event('beforeprint')), [{hidden}, {WRONG}]"
                self.assertEqual(await page.value_of(printed), [0, []])
                self.assertEqual(await page.value_of("document.querySelectorAll('.js-plotly-plot').length"), 12)
                ground = "getComputedStyle(document.body).backgroundColor"
                self.assertEqual(await page.value_of(ground), GROUNDS["light"])
                await page.value_of("dispatchEvent(new Event('afterprint'))")
                self.assertGreater(await page.value_of(hidden), 0)
                self.assertEqual(await page.value_of(ground), GROUNDS["dark"])

        self.played(scene())

    def test_the_page_of_a_comparison_is_drawn_alone(self):
        other = run_folders.write_run(
            self.folder / "other", task="dvrptw", learning_rate=0.01, last=run_folders.evaluation(30.0, 3.0, 20)
        )
        file = self.page("--compare", self.run_dir, other, "--out", self.folder / "both.html")
        self.assert_whole(self.played(seen(file)), 3, ["Overview", "Differences", "Learning"])

    def test_the_page_of_a_search_is_drawn_alone(self):
        file = self.page("--run-dir", run_folders.write_search(self.folder / "search"))
        self.assert_whole(self.played(seen(file)), 2, ["Overview", "Settings"])


if __name__ == "__main__":
    unittest.main()
