"""Tables and findings to text, JSON, CSV and Markdown."""
