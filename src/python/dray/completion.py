"""Shell completion for `dray`: commands, their flags and known values, presets and run folders.

eval "$(dray completion bash)"                  # in ~/.bashrc
eval "$(dray completion zsh)"                   # in ~/.zshrc, after compinit
dray completion fish | source                   # in ~/.config/fish/config.fish
"""

import concurrent.futures
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence

from dray import batch

SHELLS = ("bash", "zsh", "fish")
_FLAG = re.compile(r"^  (?:-\w(?: \S+)?, )?(--[a-z][a-z0-9-]*)(?:[ =](\S+))?")
_ALSO = re.compile(r"--[a-z][a-z0-9-]*")
_SUBCOMMANDS = re.compile(r" ([a-z]+(?:\|[a-z]+)+) ")
_FOLDER, _FILE, _PRESET, _NOTHING = "folder", "file", "preset", "nothing"


class Flag:
    def __init__(self, name: str, value: str | None) -> None:
        self.name, self.value = name, value

    @property
    def takes_value(self) -> bool:
        return bool(self.value)

    @property
    def choices(self) -> list[str]:
        """Values listed in the help: auto|cpu|cuda."""
        return self.value.split("|") if self.value and re.fullmatch(r"[\w.]+(\|[\w.]+)+", self.value) else []

    @property
    def completes(self) -> str:
        """Kind of value that completes the flag."""
        if self.name == "--config":
            return _PRESET
        if self.value and self.value.strip("[]") in ("DIR", "FOLDER", "RUN") or self.name in ("--run-dir", "--dir"):
            return _FOLDER
        return _FILE if self.value and self.value.strip("[]") in ("FILE", "PATH") else _NOTHING


def flags_in(help_text: str) -> list[Flag]:
    """Returns the flags of a help page, with their other names."""
    entries = []  # a flag's line with those that continue it
    for line in help_text.split("\nexamples:")[0].splitlines():
        if _FLAG.match(line):
            entries.append(line)
        elif entries and line.startswith("      "):
            entries[-1] += " " + line.strip()
    found = {}
    for entry in entries:
        told = _FLAG.match(entry)
        assert told
        value = told[2] if told[2] and re.fullmatch(r"\[?[A-Z][A-Z=_.,|-]*\]?|[\w.]+(\|[\w.]+)+", told[2]) else None
        for name in (told[1], *_ALSO.findall(entry.partition("; also ")[2])):
            found[name] = Flag(name, value)
    return list(found.values())


def help_of(command: str) -> str:
    done = subprocess.run([sys.executable, "-m", "dray.command", command, "--help"], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else ""


def words_of(commands: Sequence[str]) -> tuple[dict[str, list[Flag]], dict[str, list[str]]]:
    """Returns the flags of every command, and the subcommands of those that have some."""
    with concurrent.futures.ThreadPoolExecutor() as pool:
        pages = dict(zip(commands, pool.map(help_of, commands)))
    flags = {command: flags_in(page) for command, page in pages.items()}
    below = {"completion": list(SHELLS)}
    for command, page in pages.items():
        told = _SUBCOMMANDS.search(page.partition("\n\n")[0])
        below.setdefault(command, told[1].split("|") if told else [])
    return flags, below


def script(shell: str, commands: Sequence[str]) -> str:
    flags, below = words_of(commands)
    presets = list(batch.presets())
    if shell == "fish":
        return _fish(commands, flags, below, presets)
    begin = "autoload -U +X bashcompinit && bashcompinit\n" if shell == "zsh" else ""
    return begin + _bash(commands, flags, below, presets)


_BASH = r"""# Completion of dray, made by `dray completion`.
_dray_words() { COMPREPLY=($(compgen -W "$1" -- "$2")); }
_dray_files() { compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$1")); }
_dray_presets() { COMPREPLY=($(compgen -W "@PRESETS@" -- "$1") $(compgen -f -X '!*.yaml' -- "$1")); }
_dray_folders() {
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -d -- "$1"))
  local run
  for run in runs/*/; do
    run=${run%/}
    [ -e "$run/config.yaml" ] && [[ "$run" == "$1"* || "${run#runs/}" == "$1"* ]] && [[ " ${COMPREPLY[*]} " != *" $run "* ]] && COMPREPLY+=("$run")
  done
}
_dray() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    _dray_words "@COMMANDS@ --help --version" "$word"
    return
  fi
  case "${COMP_WORDS[1]}:$before" in
@VALUES@  esac
  case "${COMP_WORDS[1]}" in
@FLAGS@  esac
}
complete -F _dray dray
"""


def _bash(
    commands: Sequence[str],
    flags: Mapping[str, Sequence[Flag]],
    below: Mapping[str, Sequence[str]],
    presets: Sequence[str],
) -> str:
    values, words = "", ""
    for command in commands:
        for flag in flags[command]:
            if not flag.takes_value:
                continue
            fill = {
                _PRESET: '_dray_presets "$word"',
                _FOLDER: '_dray_folders "$word"',
                _FILE: '_dray_files "$word"',
                _NOTHING: ":",
            }[flag.completes]
            if flag.choices:
                fill = f'_dray_words "{" ".join(flag.choices)}" "$word"'
            values += f"    {command}:{flag.name}) {fill}; return ;;\n"
        names = " ".join([*below[command], *(flag.name for flag in flags[command])])
        words += f'    {command}) _dray_words "{names}" "$word" ;;\n'
    text = _BASH.replace("@PRESETS@", " ".join(presets)).replace("@COMMANDS@", " ".join(commands))
    return text.replace("@VALUES@", values).replace("@FLAGS@", words)


def _fish(
    commands: Sequence[str],
    flags: Mapping[str, Sequence[Flag]],
    below: Mapping[str, Sequence[str]],
    presets: Sequence[str],
) -> str:
    lines = [
        "# Completion of dray, made by `dray completion`.",
        "complete -c dray -f",
        f"complete -c dray -n __fish_use_subcommand -a {shlex.quote(' '.join(commands))}",
    ]
    for command in commands:
        here = f"complete -c dray -n '__fish_seen_subcommand_from {command}'"
        if below[command]:
            lines.append(f"{here} -a {shlex.quote(' '.join(below[command]))}")
        for flag in flags[command]:
            how = ""
            if flag.choices:
                how = f" -xa {shlex.quote(' '.join(flag.choices))}"
            elif flag.takes_value:
                how = {
                    _PRESET: f" -ra {shlex.quote(' '.join(presets))}",
                    _FOLDER: " -xa '(__fish_complete_directories) (ls -d runs/*/ 2>/dev/null)'",
                    _FILE: " -rF",
                    _NOTHING: " -x",
                }[flag.completes]
            lines.append(f"{here} -l {flag.name[2:]}{how}")
    return "\n".join(lines) + "\n"


def main(words: Sequence[str], commands: Sequence[str]) -> int:
    if len(words) != 1 or words[0] in ("-h", "--help"):
        print(f"usage: dray completion {'|'.join(SHELLS)}\n\n{__doc__}", end="")
        return 0 if words in (["-h"], ["--help"]) else 2
    if words[0] not in SHELLS:
        print(
            f"dray: completion: there is no shell {words[0]!r} here; {', '.join(SHELLS[:-1])} or {SHELLS[-1]}",
            file=sys.stderr,
        )
        return 2
    print(script(words[0], commands), end="")
    return 0
