"""Speed, as ratios to peers measured in one run: `python -m perf`, from the repository root."""
