"""Inputs of the bundle and the wheel, and how they are passed to the packers."""

load("@libtorch//:lib_dir.bzl", "PYTHON", TORCH_LIB = "LIB_DIR")

PACKED = {
    "programs": attr.label_list(mandatory = True),
    "libraries": attr.label_list(mandatory = True, allow_files = True),
    "configs": attr.label_list(mandatory = True, allow_files = True),
    "modules": attr.label_list(mandatory = True, allow_files = True),
    "readme": attr.label(mandatory = True, allow_single_file = True),
    "_bundle_archive": attr.label(default = "//scripts/bazel:bundle_archive.py", allow_single_file = True),
    "_make_bundle": attr.label(default = "//scripts/bazel:make_bundle.py", allow_single_file = True),
}

def pack(ctx, packer, arguments, inputs, outputs, mnemonic):
    """Runs a packer, which is a Python program, with the inputs and further arguments."""
    parts = ctx.actions.args()
    parts.add(packer)
    parts.add_all("--program", ctx.files.programs)
    parts.add_all("--library", ctx.files.libraries)
    parts.add_all("--config", ctx.files.configs)
    parts.add_all("--module", ctx.files.modules)
    parts.add("--readme", ctx.file.readme)
    parts.add("--torch", TORCH_LIB)
    ctx.actions.run(
        executable = PYTHON,
        arguments = [parts, arguments],
        inputs = ctx.files.programs + ctx.files.libraries + ctx.files.configs + ctx.files.modules + inputs +
                 [ctx.file.readme, packer, ctx.file._bundle_archive, ctx.file._make_bundle],
        outputs = outputs,
        mnemonic = mnemonic,
        use_default_shell_env = True,
        # These are copies of local files, which are faster to make than to fetch from a cache.
        execution_requirements = {"local": "1", "no-cache": "1"},
    )
    return [DefaultInfo(files = depset(outputs), runfiles = ctx.runfiles(files = outputs))]
