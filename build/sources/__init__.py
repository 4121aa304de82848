"""Third-party data, and nothing else of the project reads any: one module per family of source packages."""
