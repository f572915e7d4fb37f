"""Rule for the wheel: the Python package with the engine, for this machine's architecture."""

load("@libtorch//:lib_dir.bzl", TORCH_VERSION = "VERSION")
load("@ray_cpp//:lib_dir.bzl", RAY_VERSION = "VERSION")
load(":packing.bzl", "PACKED", "pack")

def _wheel_impl(ctx):
    wheel = ctx.actions.declare_file(ctx.label.name + ".whl")
    arguments = ctx.actions.args()
    arguments.add("--out", wheel)
    arguments.add("--version", ctx.file.version)
    arguments.add("--torch-version", TORCH_VERSION)
    arguments.add("--ray-version", RAY_VERSION)
    return pack(ctx, ctx.file._make_wheel, arguments, [ctx.file.version], [wheel], "Wheel")

wheel = rule(
    implementation = _wheel_impl,
    attrs = dict(
        PACKED,
        version = attr.label(mandatory = True, allow_single_file = True),
        _make_wheel = attr.label(default = "//scripts/bazel:make_wheel.py", allow_single_file = True),
    ),
)
