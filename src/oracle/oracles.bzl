"""The oracles of Dray. A line here, and its name in capitals as a kind in oracle.proto, make one known."""

# By name, with the target that has it.
ORACLES = {
    "insertion": ":insertion",
    "neural": "//src/oracle/neural:make_neural_oracle",
    "ruin_recreate": ":ruin_recreate",
}
