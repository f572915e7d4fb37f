"""Packs the wheel of //:wheel: the Python package with the engine's programs and libraries, presets, and the program `dray`.

LibTorch and Ray's library are those of the installed torch and ray; run paths lead from the package to them.
"""

import argparse
import base64
import hashlib
import pathlib
import platform
import re
import sys
import tempfile
import zipfile

sys.dont_write_bytecode = True
import bundle_archive
import make_bundle

# The oldest C and C++ libraries that the wheel runs with, those of RHEL 9; Ubuntu 22.04 has newer ones.
GLIBC, GLIBCXX = (2, 34), (3, 4, 29)
RUN_PATH = {
    "libdray.so": "$ORIGIN/../../torch/lib:$ORIGIN",
    "libdray_actors.so": "$ORIGIN/../../ray/cpp/lib:$ORIGIN",
    "libdray_envs.so": None,  # linked with $ORIGIN
}


def main():
    arguments = parse_arguments()
    version = re.search(r'kVersion\[\] = "(.+)"', pathlib.Path(arguments.version).read_text())[1]
    with tempfile.TemporaryDirectory() as folder:
        package = pathlib.Path(folder) / "dray"
        lay_out(arguments, package)
        check_symbols(package)
        write_wheel(pathlib.Path(arguments.out), package, version, arguments)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", required=True, help="the wheel")
    make_bundle.add_parts(parser)
    parser.add_argument("--version", required=True, help="file")
    parser.add_argument("--torch-version", required=True)
    parser.add_argument("--ray-version", required=True)
    return parser.parse_args()


def lay_out(arguments, package):
    for program in arguments.program:
        make_bundle.place(program, package / "bin", "$ORIGIN/../lib")
    for library in arguments.library:
        make_bundle.place(library, package / "lib", RUN_PATH[pathlib.Path(library).name])
    for library in make_bundle.needed(arguments.library, arguments.torch, without_torch=True):
        make_bundle.place(library, package / "lib")
    for binary in [*(package / "lib").iterdir(), *(package / "bin").iterdir()]:
        bundle_archive.strip(binary)
    for path in arguments.config:
        make_bundle.place_below(path, "configs", package / "configs")
    for path in arguments.module:
        if "configs" not in pathlib.Path(path).parts:
            make_bundle.place_below(path, "dray", package)


def check_symbols(package):
    """Fails if a library needs a newer C or C++ library than the wheel's name says: pip would install it where it cannot be loaded."""
    for binary in [*(package / "lib").iterdir(), *(package / "bin").iterdir()]:
        for name, oldest in (("GLIBC", GLIBC), ("GLIBCXX", GLIBCXX)):
            versions = re.findall(rf"{name}_([\d.]*\d)".encode(), binary.read_bytes())
            wanted = max((tuple(map(int, version.split(b"."))) for version in versions), default=oldest)
            if wanted > oldest:
                raise SystemExit(f"wheel: {binary.name} needs {name} {'.'.join(map(str, wanted))}: build on Debian 12")


def metadata(version, arguments):
    readme = without_relative_links(pathlib.Path(arguments.readme).read_text())
    torch, ray = arguments.torch_version.partition("+")[0], arguments.ray_version
    return (
        f"Metadata-Version: 2.1\nName: dray\nVersion: {version}\nSummary: PPO over many parallel environments, in C++, on Ray\n"
        "License: Apache-2.0\nRequires-Python: >=3.11\n"
        f"Requires-Dist: numpy\nRequires-Dist: torch=={torch}\n"
        f"Provides-Extra: ray\nRequires-Dist: ray[default]=={ray}; extra == 'ray'\nRequires-Dist: ray-cpp=={ray}; extra == 'ray'\n"
        "Provides-Extra: gym\nRequires-Dist: gymnasium>=1.1; extra == 'gym'\n"
        "Provides-Extra: onnx\nRequires-Dist: onnx; extra == 'onnx'\n"
        "Provides-Extra: wandb\nRequires-Dist: wandb>=0.26; extra == 'wandb'\n"
        f"Description-Content-Type: text/markdown\n\n{readme}"
    )


def without_relative_links(text):
    """Returns Markdown that reads the same apart from the repository: pictures and links to its files would lead nowhere."""
    text = re.sub(r"!\[[^\]]*\]\((?!https?:)[^)]*\)\n*", "", text)
    return re.sub(
        r"\[([^\]]*)\]\((?!https?:)([^)#]*)[^)]*\)",
        lambda link: link[1] if link[1] == link[2] else f"{link[1]} ({link[2]})",
        text,
    )


def write_wheel(out, package, version, arguments):
    info = f"dray-{version}.dist-info"
    texts = {
        f"{info}/METADATA": metadata(version, arguments),
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: dray\nRoot-Is-Purelib: false\nTag: {tag()}\n",
        f"{info}/entry_points.txt": "[console_scripts]\ndray = dray.command:main\n",
    }
    files = {str(path.relative_to(package.parent)): path for path in sorted(package.rglob("*")) if path.is_file()}
    record = ""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, content in [
            *((n, p.read_bytes()) for n, p in files.items()),
            *((n, t.encode()) for n, t in texts.items()),
        ]:
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))  # the same input gives the same bytes
            executable = name in files and files[name].stat().st_mode & 0o100
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record += f"{name},sha256={digest},{len(content)}\n"
        wheel.writestr(zipfile.ZipInfo(f"{info}/RECORD", (1980, 1, 1, 0, 0, 0)), record + f"{info}/RECORD,,\n")


def tag():
    return f"py3-none-manylinux_{GLIBC[0]}_{GLIBC[1]}_{platform.machine()}"


if __name__ == "__main__":
    main()
