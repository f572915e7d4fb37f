"""One folder with everything that a node of a cluster needs of Dray, and the same as an archive."""

load("@libtorch//:lib_dir.bzl", "HAS_CUDA", "PYTHON", TORCH_LIB = "LIB_DIR", TORCH_VERSION = "VERSION")
load("@ray_cpp//:lib_dir.bzl", RAY_LIB = "LIB_DIR", RAY_VERSION = "VERSION")

def _bundle_impl(ctx):
    folder = ctx.actions.declare_directory(ctx.label.name)
    archive = ctx.actions.declare_file(ctx.label.name + ".zip")
    packed = ctx.actions.declare_file(ctx.label.name + "_libraries.zip")
    ctx.actions.run(
        executable = PYTHON,
        arguments = [ctx.file._bundle_archive.path, packed.path, RAY_LIB + "/libray_api.so"] +
                    ([] if HAS_CUDA else [TORCH_LIB + "/libtorch_cpu.so"]),
        env = {"PATH": "/usr/bin:/bin", "RAY": RAY_VERSION, "TORCH": TORCH_VERSION},  # made anew when these change
        inputs = [ctx.file._bundle_archive],
        outputs = [packed],
        mnemonic = "BundleLibraries",
        execution_requirements = {"local": "1"},
    )
    arguments = ctx.actions.args()
    arguments.add(ctx.file._make_bundle)
    arguments.add("--out", folder.path)
    arguments.add("--archive", archive)
    arguments.add("--packed", packed)
    arguments.add_all("--program", ctx.files.programs)
    arguments.add_all("--library", ctx.files.libraries)
    arguments.add_all("--config", ctx.files.configs)
    arguments.add_all("--module", ctx.files.modules)
    arguments.add("--readme", ctx.file.readme)
    arguments.add("--ray", RAY_LIB)
    arguments.add("--torch", TORCH_LIB)

    # Several GB with CUDA, more than a job's working folder may have.
    if HAS_CUDA:
        arguments.add("--without-torch")
    ctx.actions.run(
        executable = PYTHON,
        arguments = [arguments],
        inputs = ctx.files.programs + ctx.files.libraries + ctx.files.configs + ctx.files.modules +
                 [ctx.file.readme, packed, ctx.file._make_bundle, ctx.file._bundle_archive],
        outputs = [folder, archive],
        mnemonic = "Bundle",
        use_default_shell_env = True,
        # Copies of what the machine has: quicker made anew than fetched from a cache.
        execution_requirements = {"local": "1", "no-cache": "1"},
    )
    made = [folder, archive]
    return [DefaultInfo(files = depset(made), runfiles = ctx.runfiles(files = made))]

bundle = rule(
    implementation = _bundle_impl,
    attrs = {
        "programs": attr.label_list(mandatory = True),
        "libraries": attr.label_list(mandatory = True, allow_files = True),
        "configs": attr.label_list(mandatory = True, allow_files = True),
        "modules": attr.label_list(mandatory = True, allow_files = True),
        "readme": attr.label(mandatory = True, allow_single_file = True),
        "_bundle_archive": attr.label(default = "//scripts/bazel:bundle_archive.py", allow_single_file = True),
        "_make_bundle": attr.label(default = "//scripts/bazel:make_bundle.py", allow_single_file = True),
    },
)
