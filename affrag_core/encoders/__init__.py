"""Text and feelings to vectors."""
