"""Scripts that make the weights which the encoders ship; needed by nobody who only uses them."""
