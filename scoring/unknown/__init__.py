"""Rooms of the config unknown_names: replicates to arrays, agreement over replicates, free text to labels."""
