"""Bytes to located XML documents, as Hadoop's parser would see them."""
