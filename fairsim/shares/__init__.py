"""Steady and instantaneous fair shares, exactly as Hadoop computes them."""
