#!/bin/sh
# Runs a Python test: the interpreter, then the script and its arguments. Where the first of these is a library built with the address
# sanitizer, the sanitizer's runtime must be in the process before it, and Python must leave memory to malloc, which the sanitizer watches.
# Leaks are not looked for: the interpreter itself ends with memory in use.
case "${3:-}" in
  *.so)
    runtime=$(ldd "$3" | sed -n 's/^[[:space:]]*libasan.* => \([^ ]*\) .*/\1/p')
    if [ -n "$runtime" ]; then
      export LD_PRELOAD="$runtime" PYTHONMALLOC=malloc ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0"
    fi
    ;;
esac
exec "$@"
