"""Trains the network of the card player `net` in Python: the same rows, network and files as `arena train cards`.

    arena train cards --rows --deals 100000 --seed 1 --out rows
    python -m coinche.train rows --out mine.safetensors
    arena run rules+net:cards=mine.safetensors rules

`fit` needs PyTorch, and reading rows PyArrow: `pip install 'coinche[train]'`. The rest is NumPy: `forward` and `losses` say what a network
says and how far it is off, `read` and `write` its file, `inputs` and `outputs` what it sees and says of a `coinche.State`.

A network is a dict of six float32 arrays, `shapes()`: a row of `first.weight` is what an input adds to the units of the first hidden
layer, a row of `third.weight` what the units of the second add to an output. Outputs are three for each card, suits in the order of
`State.suit_order`: what it is worth more than the mean of the legal cards in hundreds of points, as solved (0–31) and as played out
(32–63), and the logarithm of its share among the cards that are played, up to a constant (64–95).
"""

from coinche.train._files import metadata, read, write, write_layers
from coinche.train._fit import fit
from coinche.train._network import Inputs, Network, Off, by_card, fingerprint, forward, inputs, losses, outputs, random, rounded, shapes

__all__ = [
    "Inputs",
    "Network",
    "Off",
    "by_card",
    "fingerprint",
    "fit",
    "forward",
    "inputs",
    "losses",
    "metadata",
    "outputs",
    "random",
    "read",
    "rounded",
    "shapes",
    "write",
    "write_layers",
]
