"""Rules that propose links between events: in sequence, by reference, by a shared name, by likeness."""
