"""Text and feelings to vectors. Importing this loads no model and no torch."""
