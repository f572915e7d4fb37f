"""Dispatching in waves."""
