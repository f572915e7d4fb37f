"""A Ray head for this process and this machine only, which ends with the process however that ends."""

import contextlib
import subprocess
import sys
import threading

from dray import ray_node
from dray.error import Error

START_S = 300
END_S = 30


class OwnHead:
    """A Ray head that runs as a child of this process."""

    def __init__(self) -> None:
        command = [sys.executable, ray_node.__file__, "--until-stdin-closes"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self._process.stdin and self._process.stdout
        self._input, self._output = self._process.stdin, self._process.stdout
        said = {}
        slow = threading.Timer(START_S, self._process.kill)
        for line in self._output:
            name, _, value = line.rstrip("\n").partition("=")
            said[name] = value
            if name == "starting" and not slow.is_alive():  # it has waited for others before
                slow.start()
            if name == "ready":
                break
        slow.cancel()
        if "ready" not in said:
            self.end()
            raise Error(said.get("error", f"the Ray head of this process ended early, or was not up after {START_S} s"))
        self.address = said["address"]

    def end(self) -> None:
        """Ends the head, which leaves nothing behind. Call it after leaving Ray."""
        with contextlib.suppress(BrokenPipeError):
            self._input.write("done\n")
            self._input.close()
        self._output.close()
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()  # the kernel ends a node's processes with it
            self._process.wait()
