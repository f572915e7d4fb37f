"""Rule for joined sources: a file that includes several others, so that what these have in common is compiled once."""

def _joined_sources_impl(ctx):
    joined = ctx.actions.declare_file(ctx.label.name + ".cc")
    ctx.actions.run_shell(
        outputs = [joined],
        command = "printf '#include \"%s\"\\n' \"${@:3}\" > \"$2\"",
        arguments = ["-o", joined.path] + [source.short_path for source in ctx.files.srcs],
        mnemonic = "JoinSources",
    )
    return [DefaultInfo(files = depset([joined]))]

joined_sources = rule(
    implementation = _joined_sources_impl,
    attrs = {"srcs": attr.label_list(allow_files = [".cc"], mandatory = True)},
)
