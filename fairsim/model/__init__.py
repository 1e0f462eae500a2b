"""Resources, the effective queue tree, clusters and scenarios: plain data, standard library only."""
