"""Vector lookup."""
