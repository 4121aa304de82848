"""Timing in turn: ours, the peer, ours, the peer …, so that a machine's drift strikes both."""

import resource
import statistics
import subprocess
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


def process(command, folder):
    """(wall, CPU) seconds of a command run in a folder. Raises CalledProcessError when it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    wall = seconds(lambda: subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
