"""Exchange with the published PUN release: its files and columns out and in, and agreement of validation runs."""
