"""The simulated ResourceManager: Hadoop's fair scheduler, event by event, and the workload that it serves."""
