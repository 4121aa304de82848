"""Persons in documents: the row form of subject_inference, what values mean, and published truth read in."""
