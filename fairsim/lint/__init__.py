"""The linter: the catalogue of rules by family, and what runs them over a file."""
