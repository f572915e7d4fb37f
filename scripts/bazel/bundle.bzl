"""Rule for the bundle: a folder with everything of Dray that a node of a cluster needs, and an archive of it."""

load("@libtorch//:lib_dir.bzl", "HAS_CUDA", "PYTHON", TORCH_LIB = "LIB_DIR", TORCH_VERSION = "VERSION")
load("@ray_cpp//:lib_dir.bzl", RAY_LIB = "LIB_DIR", RAY_VERSION = "VERSION")
load(":packing.bzl", "PACKED", "pack")

def _bundle_impl(ctx):
    folder = ctx.actions.declare_directory(ctx.label.name)
    archive = ctx.actions.declare_file(ctx.label.name + ".zip")
    packed = ctx.actions.declare_file(ctx.label.name + "_libraries.zip")
    ctx.actions.run(
        executable = PYTHON,
        arguments = [ctx.file._bundle_archive.path, packed.path, RAY_LIB + "/libray_api.so"] +
                    ([] if HAS_CUDA else [TORCH_LIB + "/libtorch_cpu.so"]),
        env = {"PATH": "/usr/bin:/bin", "RAY": RAY_VERSION, "TORCH": TORCH_VERSION},  # rebuilt when these change
        inputs = [ctx.file._bundle_archive],
        outputs = [packed],
        mnemonic = "BundleLibraries",
        execution_requirements = {"local": "1"},
    )
    arguments = ctx.actions.args()
    arguments.add("--out", folder.path)
    arguments.add("--archive", archive)
    arguments.add("--packed", packed)
    arguments.add("--ray", RAY_LIB)

    # Several GB with CUDA, too much for a job's working folder.
    if HAS_CUDA:
        arguments.add("--without-torch")
    return pack(ctx, ctx.file._make_bundle, arguments, [packed], [folder, archive], "Bundle")

bundle = rule(implementation = _bundle_impl, attrs = PACKED)
