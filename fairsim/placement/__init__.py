"""Where an application lands, and whether it may."""
