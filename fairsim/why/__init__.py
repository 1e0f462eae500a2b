"""Why an application runs, waits or is refused: one chain of checks in Hadoop's order."""
