"""The structure of a memory graph, its compiled arrays, and where its events are drawn."""
