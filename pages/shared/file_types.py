"""Which files may be brought in as events, for the two doors that take one."""

FILE_TYPES = ["csv", "tsv", "txt", "json", "jsonl", "ndjson", "xlsx", "parquet", "zip", "ics", "md", "markdown", "mbox", "graphml", "xml"]
"""By the ending of the name; the content decides what a file is."""
FILE_WORDS = "A table, a chat export, a calendar, notes, mail or a graph."
