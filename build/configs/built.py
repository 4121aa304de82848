"""What every config's builder returns."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Built:
    """`splits` maps a split's name to its rows (dicts); `report` goes to the manifest as it is."""

    splits: dict
    report: dict
