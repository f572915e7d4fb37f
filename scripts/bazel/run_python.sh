#!/bin/sh
# Runs a Python test: the interpreter, then the script and its arguments. Where the first of these is a library built with the address
# sanitizer, the sanitizer's runtime must be in the process before it, with the C++ library whose exceptions it follows, and Python must
# leave memory to malloc, which the sanitizer watches. Leaks are not looked for: the interpreter itself ends with memory in use.
case "${3:-}" in
  *.so)
    found=$(ldd "$3" | sed -n 's/^[[:space:]]*lib\(asan\|stdc++\)\.so.* => \([^ ]*\) .*/\2/p' | sort)  # libasan first
    case "$found" in
      *libasan*) export LD_PRELOAD="$(echo $found)" PYTHONMALLOC=malloc ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" ;;
    esac
    ;;
esac
exec "$@"
