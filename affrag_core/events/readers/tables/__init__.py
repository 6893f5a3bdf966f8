"""Tables that are no text: Parquet and Excel."""
