"""The Python package with the engine in it, as a wheel for the machine's architecture."""

load("@libtorch//:lib_dir.bzl", "PYTHON", TORCH_LIB = "LIB_DIR", TORCH_VERSION = "VERSION")
load("@ray_cpp//:lib_dir.bzl", RAY_VERSION = "VERSION")

def _wheel_impl(ctx):
    wheel = ctx.actions.declare_file(ctx.label.name + ".whl")
    arguments = ctx.actions.args()
    arguments.add(ctx.file._make_wheel)
    arguments.add("--out", wheel)
    arguments.add_all("--program", ctx.files.programs)
    arguments.add_all("--library", ctx.files.libraries)
    arguments.add_all("--config", ctx.files.configs)
    arguments.add_all("--module", ctx.files.modules)
    arguments.add("--version", ctx.file.version)
    arguments.add("--readme", ctx.file.readme)
    arguments.add("--torch", TORCH_LIB)
    arguments.add("--torch-version", TORCH_VERSION)
    arguments.add("--ray-version", RAY_VERSION)
    ctx.actions.run(
        executable = PYTHON,
        arguments = [arguments],
        inputs = ctx.files.programs + ctx.files.libraries + ctx.files.configs + ctx.files.modules +
                 [ctx.file.version, ctx.file.readme, ctx.file._make_wheel, ctx.file._make_bundle, ctx.file._bundle_archive],
        outputs = [wheel],
        mnemonic = "Wheel",
        use_default_shell_env = True,
        execution_requirements = {"local": "1", "no-cache": "1"},
    )
    return [DefaultInfo(files = depset([wheel]), runfiles = ctx.runfiles(files = [wheel]))]

wheel = rule(
    implementation = _wheel_impl,
    attrs = {
        "programs": attr.label_list(mandatory = True),
        "libraries": attr.label_list(mandatory = True, allow_files = True),
        "configs": attr.label_list(mandatory = True, allow_files = True),
        "modules": attr.label_list(mandatory = True, allow_files = True),
        "version": attr.label(mandatory = True, allow_single_file = True),
        "readme": attr.label(mandatory = True, allow_single_file = True),
        "_bundle_archive": attr.label(default = "//scripts/bazel:bundle_archive.py", allow_single_file = True),
        "_make_bundle": attr.label(default = "//scripts/bazel:make_bundle.py", allow_single_file = True),
        "_make_wheel": attr.label(default = "//scripts/bazel:make_wheel.py", allow_single_file = True),
    },
)
