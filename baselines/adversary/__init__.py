"""Rooms of the rules adversary: lists, mentions, subjects, facts, answers."""
