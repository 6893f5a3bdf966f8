"""Graphs that other tools have saved."""
