"""The parts of the ambiguous_names builder: pools of names, matched controls, and the dealing of templates."""
