"""Events and links between them: what they are, and how they are read from files."""
