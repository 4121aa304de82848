"""Timing in turn: ours, the peer, ours, the peer …, so that a machine's drift strikes both."""

import statistics
import time


def seconds(run):
    """Wall seconds of one call."""
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def ratio(ours, peer, rounds):
    """(median seconds of ours, of the peer, median of the pairs' ratios peer / ours)."""
    pairs = [(seconds(ours), seconds(peer)) for _ in range(rounds)]
    mine, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
    return mine, theirs, statistics.median(peer / own for own, peer in pairs)


def line(name, peer, measured, bar):
    """One line of the printed table."""
    mine, theirs, times = measured
    verdict = "met" if times >= bar else "NOT MET"
    return f"{name}: {mine:.2f} s, {peer}: {theirs:.2f} s, {times:.1f} times as fast (bar {bar:g}: {verdict})"
