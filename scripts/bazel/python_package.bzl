"""A repository made of the headers and libraries inside a wheel of the project's virtual environment."""

_BUILD = """
package(default_visibility = ["//visibility:public"])
exports_files(["lib_dir.bzl"])
cc_library(name = "headers", hdrs = glob(["include/**", "cuda_include/**"], allow_empty = True))
"""

def _cuda_headers(ctx, site_packages):
    """CUDA's headers: those of the wheels that LibTorch came with, or else of an installed toolkit."""
    wheels = ctx.path(site_packages + "/nvidia")
    found = [folder.get_child("include") for folder in (wheels.readdir() if wheels.exists else [])]
    for folder in found + [ctx.path("/usr/local/cuda/include")]:
        if ctx.path(str(folder) + "/cuda_runtime_api.h").exists:
            return folder
    return None

def _python_package_impl(ctx):
    workspace = ctx.path(Label("//:WORKSPACE")).dirname
    venv = ctx.os.environ.get("DRAY_VENV", str(workspace.get_child(".venv")))
    python = ctx.path(venv + "/bin/python")
    if not python.exists:
        fail("no virtual environment at %s: run scripts/setup.sh first" % venv)
    found = ctx.execute([python, "-c", "import sysconfig; print(sysconfig.get_path('platlib'))"])
    version = ctx.execute([python, "-c", "import importlib.metadata as m; print(m.version('%s'))" % ctx.attr.package])
    if found.return_code != 0:
        fail("the virtual environment at %s is broken (%s): run scripts/setup.sh" % (venv, found.stderr))
    package = ctx.path(found.stdout.strip() + "/" + ctx.attr.package)
    include = ctx.path(str(package) + "/" + ctx.attr.include)
    lib = ctx.path(str(package) + "/" + ctx.attr.lib)
    if version.return_code != 0 or not include.exists or not lib.exists:
        fail("%s is not installed in %s: run scripts/setup.sh" % (ctx.attr.package, venv))
    cuda = ctx.path(str(lib) + "/libtorch_cuda.so").exists
    ctx.symlink(include, "include")
    cuda_headers = _cuda_headers(ctx, found.stdout.strip()) if cuda else None
    if cuda_headers:
        ctx.symlink(cuda_headers, "cuda_include")
    ctx.file("lib_dir.bzl", "LIB_DIR = %r\nPYTHON = %r\nVERSION = %r\nHAS_CUDA = %s\nHAS_CUDA_HEADERS = %s\n" %
                            (str(lib), str(python), version.stdout.strip(), cuda, cuda_headers != None))
    ctx.file("BUILD", _BUILD)

python_package = repository_rule(
    implementation = _python_package_impl,
    attrs = {
        "package": attr.string(mandatory = True),
        "include": attr.string(default = "include"),
        "lib": attr.string(default = "lib"),
    },
    environ = ["DRAY_VENV"],
    local = True,
)
