"""The program `dray`, which runs every command of Dray.

dray train --config smoke
dray evaluate --run-dir runs/NAME
dray --help
"""

import importlib
import os
import shutil
import signal
import sys
from collections.abc import Sequence

from dray import __version__, places, standard_streams
from dray.error import Error
from dray.tasks import TASKS
from dray.text_table import text_table

_OF_TASKS = {name: command for task in TASKS for name, command in task.commands.items()}
# Commands in the order in which a user needs them. PROGRAMS belong to the engine, the rest is Python.
PROGRAMS = {
    "train": "train an agent; without flags, the delivery task",
    "evaluate": "play with what was trained, compare it with simple policies, draw it",
    "check_env": "check that an environment has all properties that training relies on",
    "search": "look for the best workflow order, by trainings",
    "solve": "plan routes for files of the usual formats",
    "serve": "answer riders of the delivery task one by one, as lines of JSON",
    "train_oracle": "train the neural routing oracle",
    **{name: command.purpose for name, command in _OF_TASKS.items() if not command.module},
}
MODULES = {
    "report": "the page of a run, or of several side by side",
    "sweep": "trainings over values of settings and over seeds",
    "runs": "list, show and clean the runs of a folder",
    "wandb": "send a run's numbers to Weights & Biases",
    "act": "a trained policy as a program: a state a line in, an action a line out",
    "export": "a trained policy as ONNX, TorchScript or a small file",
    **{name: command.purpose for name, command in _OF_TASKS.items() if command.module},
}
_PLACES = {"report": "dray.report.__main__", **{name: command.module for name, command in _OF_TASKS.items()}}
INTERNAL = ["env_worker"]  # run by the engine
LISTS = {
    "envs": "the environments there are",
    "configs": "the presets there are, for --config",
    "examples": "copy the example files of your own data into a folder",
    "completion": "a script that completes these words in bash, zsh or fish",
}


def main() -> int:
    standard_streams.prepare()
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # dray runs list | head
    try:
        code = _run(sys.argv[1:])
        sys.stdout.flush()
    except OSError as error:
        print(f"dray: {error}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what cannot be written is not tried again at the end
        return 1
    return code


def _run(words: Sequence[str]) -> int:
    name = words[0] if words else "--help"
    if not name.startswith("-"):
        name = name.replace("-", "_")  # dray check-env
    if name in ("-h", "--help", "help"):
        print(_help(), end="")
    elif name == "--version":
        print(f"dray {__version__}")
    elif name in PROGRAMS:
        try:
            _become(name, words[1:])
        except Error as error:
            print(f"dray: {error}", file=sys.stderr)
            return 1
    elif name in MODULES or name in INTERNAL:
        sys.argv = [f"dray {name}", *words[1:]]
        importlib.import_module(_PLACES.get(name, f"dray.{name}")).main()
    elif name == "completion":
        from dray import completion

        return completion.main(words[1:], [*PROGRAMS, *MODULES, *LISTS])
    elif name == "examples":
        from dray import examples

        return examples.main(words[1:])
    elif name in LISTS:
        return _list(name, words[1:])
    else:
        print(f"dray: there is no command {name!r}; dray --help lists them", file=sys.stderr)
        return 2
    return 0


def _help() -> str:
    table = text_table([*(PROGRAMS | MODULES).items(), ("", ""), *LISTS.items()], indent="  ")
    return (
        "usage: dray COMMAND [--flag value] ...\n\nTrains PPO agents over many parallel environments, in C++, on Ray or without.\n\n"
        f"{table}\n\n"
        "dray COMMAND --help tells more of a command; dray --version tells the version.\n"
        "exit codes: 0 finished, 1 failed, 2 wrong usage, 130 ended by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP\n\nexamples:\n"
        "  dray train --config smoke                      a first training, some seconds\n"
        "  dray train --config cage2_bline --runner ray   on Ray: pip install 'dray[ray]'\n"
    )


def _list(name: str, words: Sequence[str]) -> int:
    if words:
        print(f"usage: dray {name}\n\nLists {LISTS[name]}.")
        return 0 if words[0] in ("-h", "--help") else 2
    from dray import lists

    columns = shutil.get_terminal_size((100, 24)).columns
    try:
        print(lists.environments(columns) if name == "envs" else lists.configs(columns), end="")
    except Error as error:
        print(f"dray: {error}", file=sys.stderr)
        return 1
    return 0


def _become(name: str, arguments: Sequence[str]) -> None:
    """Replaces this process by a program of the engine."""
    program = places.installed_program(name) or places.built_program(name)
    if program is None:
        raise Error(f"{name} is not installed here; in the repository: bazel run //:{name} -- --help")
    sys.stdout.flush()
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # as Python had it
    os.execve(program, [str(program), *arguments], places.environment())


if __name__ == "__main__":
    sys.exit(main())
