"""Explore how an emotion- and time-aware retrieval walks a graph of dated events, and why."""
