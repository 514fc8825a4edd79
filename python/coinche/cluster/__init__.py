"""Long commands of the arena in parts, on the processors of one machine or on a cluster.

    python -m coinche.cluster run.toml --workers 8

    from coinche import cluster
    result = cluster.run("run.toml", workers=8, out="mine")
    print(result.verdict.headline)

A command is cut into shards, and `arena plan` writes down how; then the parts are made and put together: the files are those of the
undivided command, byte for byte. Ctrl-C stops it, and it resumes with the same call, also after a crash; parts that are done cost
nothing.

By default the parts are processes of this machine, children of this one: no port is opened. `server` names the directory of a
HyperQueue server that is there (`pip install hyperqueue`), whose workers may be on other machines: they need the program `arena` and
the same file system.
"""

from coinche.cluster._plan import ClusterError
from coinche.cluster._progress import Status
from coinche.cluster._run import FailedPart, PartsFailed, Result, run

__all__ = ["ClusterError", "FailedPart", "PartsFailed", "Result", "Status", "run"]
