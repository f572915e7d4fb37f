"""Pages of runs: `bazel run //:report -- --help`, or `dray report --help` where Dray is installed."""
