"""Shards: parts of a config that are pure functions of (seed, config, scale, shard), made here or on a cluster.

A config that has `shard` and `merge` is made in as many shards as asked for; any other is one shard. What a shard
returns, lists by key, goes through files, so that memory holds one shard at a time. Workers read the lexicons and
inventories below `root` themselves: they need the repository, at the same path and of the same state.
"""

import pickle
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from build.configs import BY_NAME
from build.errors import BuildError
from build.sources.collect import PROVENANCE
from scoring.rows import file_sha256

RETRIES = 3


class Spool:
    """The parts of all shards in a folder, as a sequence of mappings; lists are read when they are asked for."""

    def __init__(self, folder, count):
        self._folder, self._count = Path(folder), count
        self._folder.mkdir(parents=True)

    def __len__(self):
        return self._count

    def __getitem__(self, number):
        if not 0 <= number < self._count:
            raise IndexError(number)
        return _Part(self._folder / str(number))

    def put(self, number, part):
        """Keep the part of a shard."""
        folder = self._folder / str(number)
        folder.mkdir()
        for key, items in part.items():
            with open(folder / key, "wb") as stream:
                pickle.dump(items, stream, protocol=pickle.HIGHEST_PROTOCOL)


class _Part:
    def __init__(self, folder):
        self._folder = folder

    def __getitem__(self, key):
        with open(self._folder / key, "rb") as stream:
            return pickle.load(stream)


def can_shard(module):
    """Whether a config is made in shards."""
    return hasattr(module, "shard")


def run(module, root, seed, scale, of, folder, *, workers=1, scheduler=None):
    """The Spool of a config's shards.

    Args:
        of: how many shards.
        folder: a folder that is not there yet.
        workers: processes on this machine; 1 makes the shards one after the other in this one.
        scheduler: the address of a Dask scheduler whose workers make the shards, in place of processes here.

    Raises:
        BuildError: when a shard cannot be made, or a worker's lexicons are others than those at `root`.
    """
    spool = Spool(folder, of)
    jobs = [(module.NAME, str(root), seed, scale, number, of, file_sha256(root / PROVENANCE)) for number in range(of)]
    if scheduler:
        made = _on_cluster(scheduler, jobs)
    elif workers > 1:
        made = _in_processes(workers, jobs)
    else:
        made = map(make, jobs)
    for number, part in made:
        spool.put(number, part)
    return spool


def make(job):
    """(number, part) of one job, a tuple of config, root, seed, scale, number, of, and the lexicons' provenance."""
    name, root, seed, scale, number, of, provenance = job
    if file_sha256(Path(root) / PROVENANCE) != provenance:
        raise BuildError(f"{root}: this worker's lexicons are others than those of the release")
    return number, BY_NAME[name].shard(Path(root), seed, scale, number, of)


def _in_processes(workers, jobs):
    with ProcessPoolExecutor(max_workers=workers) as pool:
        yield from pool.map(make, jobs)


def _on_cluster(scheduler, jobs):
    """Parts as they become ready; a shard whose worker is lost is made again by another."""
    try:
        from distributed import Client, as_completed
    except ModuleNotFoundError as error:
        raise BuildError(f"{error}: --scheduler needs requirements-cluster.txt") from error
    try:
        client = Client(scheduler, set_as_default=False)
    except (OSError, ValueError) as error:
        raise BuildError(f"{scheduler}: no Dask scheduler answers there ({error})") from error
    with client:
        futures = client.map(make, jobs, pure=False, retries=RETRIES)
        for future, found in as_completed(futures, loop=client.loop, with_results=True):
            yield found
            future.release()
