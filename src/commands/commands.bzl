"""The commands of Dray: a line here makes a program of <name>_command.cc."""

# The folder of each: a task's commands are in its own.
COMMANDS = {
    "cage2_replay": "//src/envs/cage2",
    "check_env": "//src/commands",
    "evaluate": "//src/commands",
    "serve": "//src/envs/dvrptw",
    "solve": "//src/commands",
    "train_oracle": "//src/envs/dvrptw/oracle_training",
    "waves_play": "//src/envs/waves",
    "waves_replay": "//src/envs/waves",
    "waves_serve": "//src/envs/waves",
}

# Those that can run on a cluster, all in this folder.
CLUSTER_COMMANDS = [
    "search",
    "train",
]

# Every command by name, and whether it can run on a cluster.
PROGRAMS = dict([(name, False) for name in COMMANDS] + [(name, True) for name in CLUSTER_COMMANDS])

def command_targets():
    """The libraries of the commands that tasks own."""
    return [folder for folder in depset(COMMANDS.values()).to_list() if folder != "//src/commands"]

def command_table():
    """The macros that src/commands/commands.cc makes its table of."""
    return [
        "%s=%s" % (macro, "".join(["COMMAND(%s)" % name for name in names]))
        for macro, names in [("DRAY_COMMANDS", COMMANDS), ("DRAY_CLUSTER_COMMANDS", CLUSTER_COMMANDS)]
    ]

def check_commands(sources):
    """A command without its line would be missing in silence."""
    for source in sources:
        name = source[:-len("_command.cc")]
        if name not in PROGRAMS:
            fail("%s: give %s its line in src/commands/commands.bzl" % (source, name))

def command_defines(name, cluster):
    """What makes ray_actors/command_main.cc the program of a command."""
    return ['DRAY_COMMAND=\\"%s\\"' % name] + (["DRAY_OPENS_CLUSTER"] if cluster else [])
