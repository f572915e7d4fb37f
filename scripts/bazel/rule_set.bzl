"""Bazel's own rule sets, from where they are on this machine: nothing is fetched while building."""

def _rule_set_impl(ctx):
    named = ctx.os.environ.get("DRAY_BAZEL_RULES")
    folder = ctx.path(named + "/" + ctx.name if named else ctx.attr.debian)
    if not folder.exists:
        fail(("%s is not there: install Debian's package %s, or put the rule set %s there with others into a folder that " +
              "DRAY_BAZEL_RULES names (docs/installing.md)") % (folder, ctx.attr.package, ctx.name))
    for path in folder.readdir():
        ctx.symlink(path, path.basename)

rule_set = repository_rule(
    implementation = _rule_set_impl,
    attrs = {
        "debian": attr.string(mandatory = True, doc = "Where Debian's package has it."),
        "package": attr.string(mandatory = True),
    },
    environ = ["DRAY_BAZEL_RULES"],
    local = True,
)
