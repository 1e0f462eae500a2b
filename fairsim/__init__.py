"""What a Hadoop FairScheduler does with an allocation file, told without a cluster."""

__version__ = "0.1.0"
