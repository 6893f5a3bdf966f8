"""From a question to a trace: first stage, temporal layer, link scores, traversal, explanation."""
