"""Kill a piece of work, in a forked process, at each of its steps on the file system in turn."""

import os
import signal
import sys

STEPS = {"os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.chmod", "shutil.rmtree", "open", "tempfile.mkdtemp"}
MOST = 1000


def killed_at_every_step(work, folder, before, after):
    """Run `work` again and again, killed (SIGKILL) before its first, second … step on files below `folder`.

    Args:
        before: called ahead of each run, to set the old state up.
        after: called with the number of the step when the process was killed there.

    Returns:
        How many steps `work` has; after that many it was let through.
    """
    for step in range(MOST):
        before()
        if not _killed(work, str(folder), step):
            return step
        after(step)
    raise AssertionError(f"more than {MOST} steps")


def _killed(work, folder, step):
    """Whether a forked process was killed ahead of step `step`; any other end than success is a failure."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            sys.addaudithook(_Killer(folder, step))
            work()
            status = 0
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return True
    assert os.WEXITSTATUS(status) == 0
    return False


class _Killer:
    def __init__(self, folder, step):
        self.folder, self.left = folder, step

    def __call__(self, event, arguments):
        if event not in STEPS or not str(arguments[0]).startswith(self.folder):
            return
        if event == "open" and not _writes(*arguments[1:3]):
            return
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        self.left -= 1


def _writes(mode, flags):
    return bool(flags & (os.O_WRONLY | os.O_RDWR)) if mode is None else any(letter in mode for letter in "wax+")
