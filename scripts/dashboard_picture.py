#!/usr/bin/env python3
"""Takes a screenshot of a page of Ray's dashboard and prints the names that the page lists.

    .venv/bin/python scripts/dashboard_picture.py --address http://127.0.0.1:8265 --page actors --out actors.png

Needs Chromium (apt-get install chromium) and the project's virtual environment. If the cluster requires a token, set
RAY_AUTH_TOKEN.
"""

import argparse
import asyncio
import base64
import contextlib
import json
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import urllib.parse

try:
    import aiohttp
except ImportError:
    sys.exit("dashboard_picture: aiohttp is missing: run with .venv/bin/python, which scripts/setup.sh makes")

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
COLUMN_OF_NAMES = {"actors": "Name", "cluster": "Host / Worker Process name"}

# Returns the rows of the page's table as {heading: text}. Finds the table by the heading of its names; null if there is none yet.
READ_ROWS = """
(() => {
  for (const table of document.querySelectorAll("table")) {
    const headings = [...table.querySelectorAll("thead th")].map(cell => cell.innerText.trim());
    if (!headings.includes(%s)) continue;
    const rows = [...table.querySelectorAll("tbody tr")].map(row => [...row.querySelectorAll("td")]);
    return rows.filter(cells => cells.length == headings.length).map(
        cells => Object.fromEntries(cells.map((cell, index) => [headings[index], cell.innerText.trim()])));
  }
  return null;
})()
"""

# The page shows ten rows by default. React notices a new value only through the element's own setter.
SHOW_ALL_ROWS = """
(() => {
  for (const label of document.querySelectorAll("label")) {
    if (label.innerText.trim() != "Page Size") continue;
    const input = label.parentElement.querySelector("input");
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(input, "1000");
    input.dispatchEvent(new Event("input", {bubbles: true}));
    for (const type of ["keydown", "keyup"])
      input.dispatchEvent(new KeyboardEvent(type, {key: "Enter", keyCode: 13, bubbles: true}));
    return true;
  }
  return false;
})()
"""


class Failure(Exception):
    """One-line error caused by the user or the machine."""


class Page:
    """A browser's tab, over the DevTools protocol."""

    def __init__(self, socket):
        self._socket = socket
        self._calls = 0

    async def call(self, method, **parameters):
        self._calls += 1
        await self._socket.send_json({"id": self._calls, "method": method, "params": parameters})
        while True:  # events come between
            message = await self._socket.receive()
            if message.type is not aiohttp.WSMsgType.TEXT:
                raise Failure("the browser closed the connection; run again with --verbose to see its output")
            answer = json.loads(message.data)
            if answer.get("id") == self._calls:
                if "error" in answer:
                    raise Failure(f"the browser refused {method}: {answer['error']['message']}")
                return answer["result"]

    async def value_of(self, expression):
        result = await self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        return result["result"].get("value")


def browser_path():
    for name in BROWSERS:
        if path := shutil.which(name):
            return path
    raise Failure("no browser found: install one with `apt-get install chromium`")


@contextlib.asynccontextmanager
async def browser(host, verbose):
    """Starts a headless browser that connects only to that host. Returns its DevTools port."""
    path = browser_path()
    with tempfile.TemporaryDirectory(prefix="dray-browser-", ignore_cleanup_errors=True) as profile:
        flags = [
            "--headless=new",
            "--remote-debugging-port=0",
            f"--user-data-dir={profile}",
            "--hide-scrollbars",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--disable-component-update",
            "--no-first-run",
            f"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE {host}",
        ]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")  # Chromium's sandbox refuses root
        output = None if verbose else asyncio.subprocess.DEVNULL
        process = await asyncio.create_subprocess_exec(
            path,
            *flags,
            "about:blank",
            stdout=output,
            stderr=output,
            env={**os.environ, "TMPDIR": profile},
            start_new_session=True,
        )
        try:
            yield await devtools_port(process, pathlib.Path(profile, "DevToolsActivePort"))
        finally:
            await end(process)


async def end(process):
    """Ends the browser and its children, which would otherwise keep writing to its profile."""
    if process.returncode is None:
        process.terminate()
        await process.wait()
    with contextlib.suppress(ProcessLookupError):
        for _ in range(100):
            os.killpg(process.pid, signal.SIGKILL)
            await asyncio.sleep(0.05)


async def devtools_port(process, file):
    while not (file.exists() and file.read_text().count("\n")):
        if process.returncode is not None:
            raise Failure(f"the browser ended with code {process.returncode}; run again with --verbose")
        await asyncio.sleep(0.05)
    return int(file.read_text().split()[0])


async def check_dashboard(session, address, token):
    """Raises a Failure that says what is wrong if the page would just stay empty."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        async with session.get(f"{address}/api/version", headers=headers) as answer:
            if answer.status in (401, 403):
                wrong = "another token than RAY_AUTH_TOKEN's" if token else "a token: set RAY_AUTH_TOKEN to it"
                raise Failure(f"the cluster of {address} asks for {wrong}")
            if "ray_version" not in await answer.text():
                raise Failure(
                    f"what answers at {address} is not Ray's dashboard; `ray start --head` prints where it is"
                )
    except (aiohttp.ClientError, OSError):
        raise Failure(f"no dashboard answers at {address}; `ray start --head` starts one and prints where") from None


async def listed_rows(page, heading):
    """Returns the rows of the page's table once they no longer change."""
    expression, before = READ_ROWS % json.dumps(heading), None
    while True:
        rows = await page.value_of(expression)
        names = rows and [row[heading] for row in rows]
        if names and names == before:
            return rows
        before = names
        await page.value_of(SHOW_ALL_ROWS)
        await asyncio.sleep(0.5)


async def fit(page, width, height):
    await page.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)


@contextlib.asynccontextmanager
async def tab(host, verbose=False):
    """Starts a browser and returns the connection to its tab, for a Page."""
    async with aiohttp.ClientSession() as session, browser(host, verbose) as port:
        async with session.get(f"http://127.0.0.1:{port}/json/list") as answer:
            url = next(target["webSocketDebuggerUrl"] for target in await answer.json() if target["type"] == "page")
        async with session.ws_connect(url, max_msg_size=0) as socket:
            yield socket


async def picture(args):
    """Writes the screenshot. Returns the names that the page lists."""
    address = args.address.rstrip("/")
    host = urllib.parse.urlsplit(address).hostname
    if not host:
        raise Failure(f"--address {args.address}: not a web address; write it as http://127.0.0.1:8265")
    token = os.environ.get("RAY_AUTH_TOKEN")
    async with aiohttp.ClientSession() as session:
        await check_dashboard(session, address, token)
    async with tab(host, args.verbose) as socket:
        page = Page(socket)
        if token:
            await page.call("Network.setCookie", name="ray-authentication-token", value=token, url=address)
        await page.call("Page.navigate", url=f"{address}/#/{args.page}")
        await fit(page, args.width, args.height or 900)
        heading = COLUMN_OF_NAMES[args.page]
        try:
            rows = await asyncio.wait_for(listed_rows(page, heading), args.patience_s)
        except TimeoutError:
            text = " ".join((await page.value_of("document.body.innerText") or "").split())
            raise Failure(
                f"the page {args.page} lists nothing after {args.patience_s} s; it says: {text[:200]}"
            ) from None
        if not args.height:
            await fit(page, args.width, await page.value_of("document.documentElement.scrollHeight"))
        shot = await page.call("Page.captureScreenshot", format="png")
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_bytes(base64.b64decode(shot["data"]))
    return [row[heading] for row in rows if not args.alive or row["State"] == "ALIVE"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--address", default="http://127.0.0.1:8265", help="address of the dashboard (default %(default)s)"
    )
    parser.add_argument("--page", choices=COLUMN_OF_NAMES, default="actors", help="page to show (default %(default)s)")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="PNG file to write")
    parser.add_argument("--width", type=int, default=1600, help="width in pixels (default %(default)s)")
    parser.add_argument("--height", type=int, help="height in pixels (default: the whole page)")
    parser.add_argument("--alive", action="store_true", help="print only the names of entries that are alive")
    parser.add_argument(
        "--patience-s", type=float, default=60, help="seconds to wait for the page (default %(default)s)"
    )
    parser.add_argument("--verbose", action="store_true", help="show the browser's output")
    args = parser.parse_args()
    try:
        for name in asyncio.run(picture(args)):
            print(name)
    except Failure as failure:
        sys.exit(f"dashboard_picture: {failure}")


if __name__ == "__main__":
    main()
