"""Repository rule for the headers and libraries of a wheel in the project's virtual environment."""

_BUILD = """
package(default_visibility = ["//visibility:public"])
exports_files(["lib_dir.bzl"])
cc_library(name = "headers", hdrs = glob(["include/**", "cuda_include/**"], allow_empty = True))
"""

def _cuda_folders(ctx, site_packages):
    """Returns the folders where CUDA may be: the wheels installed with LibTorch, then an installed toolkit."""
    wheels = ctx.path(site_packages + "/nvidia")
    return (wheels.readdir() if wheels.exists else []) + [ctx.path("/usr/local/cuda")]

def _cuda_headers(ctx, folders):
    for folder in folders:
        include = folder.get_child("include")
        if all([ctx.path(str(include) + header).exists for header in ["/cuda_runtime_api.h", "/crt/host_config.h"]]):
            return include
    return None

def _cuda_runtime(ctx, folders):
    """Returns the CUDA runtime library that LibTorch's headers need, or "" if there is none."""
    for folder in folders:
        for lib in ["lib", "lib64"]:
            lib = folder.get_child(lib)
            for file in lib.readdir() if lib.exists else []:
                if file.basename.startswith("libcudart.so"):
                    return str(file)
    return ""

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
    cuda_folders = _cuda_folders(ctx, found.stdout.strip()) if cuda else []
    cuda_headers = _cuda_headers(ctx, cuda_folders)
    if cuda_headers:
        ctx.symlink(cuda_headers, "cuda_include")
    ctx.file("lib_dir.bzl", ("LIB_DIR = %r\nPYTHON = %r\nVERSION = %r\n" +
                             "HAS_CUDA = %s\nHAS_CUDA_HEADERS = %s\nCUDA_RUNTIME = %r\n") %
                            (str(lib), str(python), version.stdout.strip(), cuda, cuda_headers != None, _cuda_runtime(ctx, cuda_folders)))
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
