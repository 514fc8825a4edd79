"""The command `arena`."""

import signal
import sys

from coinche_arena import command


def main() -> int:
    """Runs the command line, and returns the exit code."""
    # Python would look at Ctrl-C only when the command is over.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return command(["arena", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
