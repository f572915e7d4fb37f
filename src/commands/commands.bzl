"""The commands of Dray. A line here makes a program of <name>_command.cc in this folder."""

# Whether it can run on a cluster.
COMMANDS = {
    "cage2_replay": False,
    "evaluate": False,
    "search": True,
    "serve": False,
    "solve": False,
    "train": True,
    "train_oracle": False,
}

def check_commands(sources):
    """A command without its line would be missing in silence."""
    for source in sources:
        name = source[:-len("_command.cc")]
        if name not in COMMANDS:
            fail("%s: give %s its line in src/commands/commands.bzl" % (source, name))

def command_defines(name, cluster):
    """What makes ray_actors/command_main.cc the program of a command."""
    return ['DRAY_COMMAND=\\"%s\\"' % name] + (["DRAY_OPENS_CLUSTER"] if cluster else [])
