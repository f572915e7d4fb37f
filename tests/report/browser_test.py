"""Pages in a real browser: they are drawn, without an error and without a request. Arguments: dray/report/__main__.py,
scripts/dashboard_picture.py."""

import asyncio
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
DRAWN = "document.querySelectorAll('.plot .main-svg').length > 0 && document.querySelectorAll('.plot:not(.js-plotly-plot)').length == 0"


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


async def opened(file, scheme, width):
    """What a browser says of a page: errors, requests, and what is on it."""
    async with dashboard_picture.tab("127.0.0.1") as connection:
        socket = Listening(connection)
        page = dashboard_picture.Page(socket)
        for domain in ("Runtime", "Log", "Network", "Page"):
            await page.call(f"{domain}.enable")
        await page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        await dashboard_picture.fit(page, width, 900)
        await page.call("Page.navigate", url=file.as_uri())
        while not await page.value_of(f"document.readyState == 'complete' && {DRAWN}"):
            await asyncio.sleep(0.05)
        errors = socket.of("Runtime.exceptionThrown") + [
            entry for entry in socket.of("Log.entryAdded") if entry["entry"]["level"] == "error"
        ]
        errors += [call for call in socket.of("Runtime.consoleAPICalled") if call["type"] in ("error", "warning")]
        addresses = [request["request"]["url"] for request in socket.of("Network.requestWillBeSent")]
        return {
            "errors": errors,
            "requests": [
                address for address in addresses if not address.startswith("data:") and address != file.as_uri()
            ],
            "plots": await page.value_of("document.querySelectorAll('.js-plotly-plot').length"),
            "curves": await page.value_of(
                "document.querySelectorAll('.scatterlayer path.js-line, .scatterlayer path.point').length"
            ),
            "pictures": await page.value_of(
                "[...document.images].filter(image => image.complete && image.naturalWidth > 0).length"
            ),
            "wider_than_screen": await page.value_of("document.documentElement.scrollWidth > innerWidth"),
            "ground": await page.value_of("getComputedStyle(document.body).backgroundColor"),
            "ink": await page.value_of("getComputedStyle(document.querySelector('.plot .xtick text')).fill"),
        }


@unittest.skipUnless(any(map(shutil.which, dashboard_picture.BROWSERS)), "no browser: apt-get install chromium")
class BrowserTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.run_dir = run_folders.write_run(
            self.folder / "run", task="dvrptw", last=run_folders.evaluation(38.0, 3.0, 20)
        )

    def opened(self, *arguments, scheme="light", width=1280):
        result = run_folders.run_report(*arguments)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        file = pathlib.Path(result.stdout.splitlines()[-1])
        return asyncio.run(asyncio.wait_for(opened(file, scheme, width), PATIENCE_S))

    def assert_whole(self, seen, plots):
        self.assertEqual((seen["errors"], seen["requests"], seen["plots"]), ([], [], plots))
        self.assertGreater(seen["curves"], 0)
        self.assertFalse(seen["wider_than_screen"])

    def test_the_page_of_a_run_is_drawn_alone(self):
        run_folders.write_delivery_evaluation(self.run_dir / "evaluation")
        seen = self.opened("--run-dir", self.run_dir)
        self.assert_whole(seen, plots=12)
        self.assertEqual(seen["pictures"], 4)

    def test_a_page_fits_a_phone_and_the_dark(self):
        run_folders.write_delivery_evaluation(self.run_dir / "evaluation")
        light = self.opened("--run-dir", self.run_dir)
        dark = self.opened("--run-dir", self.run_dir, scheme="dark", width=400)
        self.assert_whole(dark, plots=12)
        self.assertNotEqual((light["ground"], light["ink"]), (dark["ground"], dark["ink"]))
        self.assertEqual((light["ground"], dark["ground"]), ("rgb(251, 251, 250)", "rgb(21, 24, 28)"))

    def test_the_page_of_a_comparison_is_drawn_alone(self):
        other = run_folders.write_run(
            self.folder / "other", task="dvrptw", learning_rate=0.01, last=run_folders.evaluation(30.0, 3.0, 20)
        )
        self.assert_whole(self.opened("--compare", self.run_dir, other, "--out", self.folder / "both.html"), plots=3)

    def test_the_page_of_a_search_is_drawn_alone(self):
        self.assert_whole(self.opened("--run-dir", run_folders.write_search(self.folder / "search")), plots=2)


if __name__ == "__main__":
    unittest.main()
