"""What zsh offers when Tab is pressed: a real one, at a terminal of its own."""

import os
import pathlib
import pty
import subprocess

# Every offer is written down before it is made.
SETUP = """autoload -U compinit && compinit -u -D
source {script}
compadd() {{ builtin compadd -O hits "$@"; print -rl -- $hits >> offered; builtin compadd "$@" }}
"""
PROMPT = b"\x1b[?2004h"  # pasting is told apart while a line is edited, and at no other time


def offers(lines, folder, script):
    """For each line the set of words that complete its last one. Files are written into the folder."""
    pathlib.Path(folder, "setup.zsh").write_text(SETUP.format(script=script))
    ours, its = pty.openpty()
    shell = subprocess.Popen(
        ["zsh", "-f", "-i"],
        stdin=its,
        stdout=its,
        stderr=its,
        cwd=folder,
        start_new_session=True,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(its)

    def prompt(typed=""):
        os.write(ours, typed.encode())
        seen = b""
        while PROMPT not in seen:
            seen += os.read(ours, 65536)

    try:
        prompt()
        prompt("source setup.zsh\r")
        found = []
        for line in lines:
            prompt(": > offered\r")
            prompt(f"{line}\t\x15\r")  # Tab, then the line is emptied
            found.append(set(pathlib.Path(folder, "offered").read_text().split()))
        return found
    finally:
        shell.kill()
        shell.wait()
        os.close(ours)
