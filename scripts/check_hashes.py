#!/usr/bin/env python3
"""Holds what pip has installed against scripts/hashes.txt. Argument: the report that pip wrote (--report).

Whatever its index gave, pip itself compares a file with the hash in the index's list, where there is one. This compares with what the
index gave when the list was made, so that an index that changes its mind is noticed. A file that the list does not have is counted:
packages that others bring along come in newer versions every week. Exit code 1 and the names of packages on stdout: a file is another.
"""

import json
import os
import pathlib
import sys
import urllib.parse

KNOWN = pathlib.Path(__file__).resolve().parent / "hashes.txt"


def main():
    report = sys.argv[1]
    if not os.path.exists(report) or os.path.getsize(report) == 0:
        print("setup: this pip writes no report: files were held against their index's own hashes alone", file=sys.stderr)
        return 0
    with open(report) as file:
        installed = json.load(file)["install"]
    known = {name: digest for digest, name in (line.split() for line in KNOWN.read_text().splitlines())}
    wrong, right, without = [], 0, 0
    for each in installed:
        download = each["download_info"]
        name = urllib.parse.unquote(urllib.parse.urlsplit(download["url"]).path.rsplit("/", 1)[-1])
        digest = download.get("archive_info", {}).get("hashes", {}).get("sha256")
        if name in known and digest is not None and digest != known[name]:
            wrong.append(each["metadata"]["name"])
            print(f"setup: {name} is not the file it was: its SHA-256 is {digest}, not {known[name]}", file=sys.stderr)
        elif name in known and digest is not None:
            right += 1
        else:
            without += digest is None
    if installed and not wrong:
        rest = len(installed) - right
        word = f", {without} of them without a hash from the index" if without else ""
        print(f"setup: {right} of {len(installed)} files are those of scripts/hashes.txt; {rest} are newer or of another build{word}",
              file=sys.stderr)
    print(" ".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
