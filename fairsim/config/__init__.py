"""Files and texts to the model: allocation files, yarn-site, cluster descriptions, settings."""
