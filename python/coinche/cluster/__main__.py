"""`python -m coinche.cluster`: makes a command of the arena in parts."""

from __future__ import annotations

import argparse
import pathlib
import signal
import sys
from typing import NoReturn

from coinche.cluster import ClusterError, PartsFailed, run

_MORE = """\
Examples:
  python -m coinche.cluster run.toml --workers 8
  python -m coinche.cluster --workers 8 --out labels -- label --deals 1M --seed 1
  arena plan 'run dd rules --deals 1M --seed 1' --shards 64 --for hq --out plan
  python -m coinche.cluster plan --server ~/.hq-server

The result, with the files of the undivided command, is in DIR/whole. Ctrl-C ends the parts, and the same
command resumes them.

Exit codes: 0 done, 1 parts failed, 2 wrong arguments, file or directory, 3 something cannot be read or
written, 130 interrupted; `sprt` has those of its own, 10 and 11.
"""


def _words(given: list[str]) -> argparse.Namespace:
    """Reads the command line; what is behind `--` is a command of the arena."""
    parser = argparse.ArgumentParser(
        prog="python -m coinche.cluster",
        usage="%(prog)s [OPTIONS] (RUN.toml | PLAN | --out DIR -- COMMAND …)",
        description="Makes a command of the arena in parts. The files are those of the undivided command.",
        epilog=_MORE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("what", nargs="?", type=pathlib.Path, help="a configuration file of `arena run`, or a directory that `arena plan` wrote")
    parser.add_argument("--workers", type=int, metavar="N", help="parts that are made at once (default: as many as processors; 16 with --server)")
    parser.add_argument("--cpus", type=int, metavar="N", help="processors of each part (default: 1, or as planned)")
    parser.add_argument("--server", type=pathlib.Path, metavar="DIR", help="directory of a HyperQueue server whose workers make the parts (default: processes of this machine)")
    parser.add_argument("--shards", type=int, metavar="N", help="number of parts (default: some for each worker, as `arena plan` chooses them)")
    parser.add_argument("--out", type=pathlib.Path, metavar="DIR", help="directory of the parts and the result (default: the name of the file)")
    parser.add_argument("--arena", type=pathlib.Path, metavar="PATH", help="program `arena` (default: COINCHE_ARENA, or on the PATH)")
    parser.add_argument("--verify", dest="verify_result", action="store_true", help="check the result by `arena verify`")
    parser.add_argument("--quiet", dest="progress", action="store_false", help="show no progress")
    at = given.index("--") if "--" in given else len(given)
    words = parser.parse_args(given[:at])
    command = given[at + 1 :]
    if (words.what is None) == (not command):
        parser.error("expected a configuration file, the directory of a plan, or a command behind `--`")
    words.what = command or words.what
    return words


def _end(signal_number: int, _: object) -> NoReturn:
    raise KeyboardInterrupt


def main() -> int:
    """Runs the command line, and returns the exit code."""
    words = _words(sys.argv[1:])
    # Schedulers end what they started by this signal.
    signal.signal(signal.SIGTERM, _end)
    try:
        result = run(**vars(words))
    except KeyboardInterrupt:
        return 130
    except PartsFailed as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except (ClusterError, ImportError, OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        if isinstance(error, ClusterError):
            return 1
        return 3 if isinstance(error, OSError) and not isinstance(error, FileNotFoundError) else 2
    print(result.text, end="")
    print(f"written to {result.directory}" if result.path is None else f"written to {result.path}", file=sys.stderr)
    return result.exit


if __name__ == "__main__":
    sys.exit(main())
