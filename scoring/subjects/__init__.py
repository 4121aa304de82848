"""Rooms of the config subject_inference: values, units, matching, spans, utility and the prior (METRICS §8)."""
