"""The static libraries behind some libraries, and the objects of some tests, as files."""

def _archives_impl(ctx):
    files = []
    for dep in ctx.attr.deps:
        for linked in dep[CcInfo].linking_context.linker_inputs.to_list():
            files += [library.pic_static_library for library in linked.libraries if library.pic_static_library]
    for test in ctx.attr.tests:
        files += test[OutputGroupInfo].compilation_outputs.to_list()
    return [DefaultInfo(files = depset(files), runfiles = ctx.runfiles(files = files))]

archives = rule(
    implementation = _archives_impl,
    attrs = {
        "deps": attr.label_list(providers = [CcInfo]),
        "tests": attr.label_list(),
    },
)
