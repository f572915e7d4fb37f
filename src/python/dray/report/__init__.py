"""A page for every run: `bazel run //:report -- --help`, or `dray report --help` where it is installed."""
