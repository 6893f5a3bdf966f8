"""One module for each schema version, each after the one before."""
