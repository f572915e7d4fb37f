"""Repository rule for Bazel's rule sets installed on this machine, so that builds download nothing."""

def _rule_set_impl(ctx):
    named = ctx.os.environ.get("DRAY_BAZEL_RULES")
    folder = ctx.path(named + "/" + ctx.name if named else ctx.attr.debian)
    if not folder.exists:
        fail(("%s does not exist: install Debian's package %s, or put the rule set %s with the others into a folder and set " +
              "DRAY_BAZEL_RULES to it (docs/installing.md)") % (folder, ctx.attr.package, ctx.name))
    for path in folder.readdir():
        ctx.symlink(path, path.basename)

rule_set = repository_rule(
    implementation = _rule_set_impl,
    attrs = {
        "debian": attr.string(mandatory = True, doc = "Folder of Debian's package."),
        "package": attr.string(mandatory = True),
    },
    environ = ["DRAY_BAZEL_RULES"],
    local = True,
)
