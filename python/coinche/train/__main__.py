"""`python -m coinche.train`: trains a network on rows that `arena train cards --rows` wrote."""

from __future__ import annotations

import argparse
import pathlib
import sys
import time

from coinche import __version__
from coinche.data import choices
from coinche.train import Network, Off, fit, read, write


def main() -> int:
    """Runs the command line, and returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m coinche.train", description=__doc__.split(": ", 1)[1] if __doc__ else None)
    parser.add_argument("rows", nargs="+", type=pathlib.Path, help="directories that `arena train cards --rows` wrote")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="output file; after each pass it holds the network as it is then")
    parser.add_argument("--epochs", type=int, default=4, help="passes over the rows (default: 4)")
    parser.add_argument("--batch", type=int, default=2048, help="rows of a step (default: 2048)")
    parser.add_argument("--rate", type=float, default=1.5e-3, help="rate of learning; it falls to a fiftieth (default: 0.0015)")
    parser.add_argument("--seed", type=int, default=0, help="of the order and the weights to begin with (default: 0)")
    parser.add_argument("--from", dest="start", type=pathlib.Path, help="network to start from (default: random)")
    parser.add_argument("--device", help="of PyTorch (default: a GPU where there is one)")
    parser.add_argument("--threads", type=int, default=1, help="of PyTorch on a CPU; on a busy machine more are slower (default: 1)")
    words = parser.parse_args()
    try:
        learn(words)
    except (ImportError, OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def learn(words: argparse.Namespace) -> None:
    """Reads the rows, trains, prints the losses and writes the network."""
    rows = choices(words.rows)
    start = None if words.start is None else read(words.start)
    held_out = int(rows.held_out.sum())
    print(f"{len(rows) - held_out:,} rows, {held_out:,} held out, seed {words.seed}, to be written to {words.out}\n")
    print("epoch  deals     solved off by  played off by  log loss  seconds")

    def setting(key: str) -> str:
        texts = [" ".join(text) if isinstance(text, list) else str(text) for text in (one[key] for one in rows.settings)]
        return "; ".join(dict.fromkeys(texts))

    made = {
        "program": f"coinche.train {__version__}",
        "seed": words.seed,
        "rows": len(rows) - held_out,
        "rows_seed": setting("seed"),
        "rows_commit": setting("commit"),
        "rows_network": setting("network"),
        "rules": setting("presets"),
        "bidders": setting("bidders"),
        "batch": words.batch,
        "rate": words.rate,
        "from": "random weights" if words.start is None else words.start,
    }
    began = time.monotonic()

    def after(epoch: int, network: Network, learning: Off, held_out: Off | None) -> None:
        write(words.out, network, {**made, "epochs": f"{epoch} of {words.epochs}"})
        for deals, off in [("learning", learning), ("held out", held_out)]:
            if off is not None:
                figures = f"{off.solved:>13.1f}  {off.played_out:>13.1f}  {off.played:>8.4f}"
                print(f"{epoch:>5}  {deals}  {figures}  {time.monotonic() - began:>7.1f}", flush=True)

    fit(
        rows,
        epochs=words.epochs,
        batch=words.batch,
        rates=(words.rate, words.rate / 50),
        seed=words.seed,
        start=start,
        device=words.device,
        threads=words.threads,
        after=after,
    )


if __name__ == "__main__":
    sys.exit(main())
