#!/bin/sh
# Runs a Python test: run_python.sh INTERPRETER SCRIPT ARGUMENTS. If the first argument is a library built with the address sanitizer,
# preloads the sanitizer's runtime and the C++ library whose exceptions it intercepts, and makes Python use malloc, which the
# sanitizer checks. Leaks are not reported, because the interpreter itself exits with memory in use.
case "${3:-}" in
  *.so)
    found=$(ldd "$3" | sed -n 's/^[[:space:]]*lib\(asan\|stdc++\)\.so.* => \([^ ]*\) .*/\2/p' | sort)  # libasan first
    case "$found" in
      *libasan*) export LD_PRELOAD="$(echo $found)" PYTHONMALLOC=malloc ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" ;;
    esac
    ;;
esac
exec "$@"
