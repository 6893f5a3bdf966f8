"""Calendars, Markdown notes and mail."""
