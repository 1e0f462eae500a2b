"""Workloads for replay, read from files: fairsim's own trace (JSON lines, YAML, CSV), and JSON of Hadoop's SLS."""
