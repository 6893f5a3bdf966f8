"""The public classes of the two reference systems: thin faces, nothing computed here."""
