#!/bin/sh
# Runs a Python test: the interpreter, then the script and its arguments.
exec "$@"
