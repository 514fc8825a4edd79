"""Long commands of the arena in parts, on the processors of one machine or on a cluster, by HyperQueue.

    python -m coinche.cluster run.toml --workers 8

    from coinche import cluster
    result = cluster.run("run.toml", workers=8, out="mine")
    print(result.verdict.headline)

A command is cut into shards, `arena plan` writes down how, and HyperQueue (`pip install hyperqueue`) makes the parts and puts them
together: the files are those of the undivided command, byte for byte. Ctrl-C stops it, and it resumes with
the same call, also after a crash; parts that are done cost nothing.

By default the workers are threads of this process, and the parts its children. `server` names the directory of a HyperQueue server
that is there, whose workers may be on other machines: they need the program `arena` and the same file system.
"""

from coinche.cluster._hyperqueue import ClusterError
from coinche.cluster._progress import Status
from coinche.cluster._run import FailedPart, PartsFailed, Result, run

__all__ = ["ClusterError", "FailedPart", "PartsFailed", "Result", "Status", "run"]
