"""Learning, in PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from coinche.data import Choices
from coinche.train._network import NUMBERS, Network, Off, losses, random, shapes


def _torch() -> Any:
    try:
        import torch  # type: ignore[import-not-found, unused-ignore]
    except ImportError as error:
        raise ImportError("training needs PyTorch: pip install 'coinche[train]'", name="torch") from error
    return torch


def fit(
    choices: Choices,
    *,
    epochs: int = 4,
    batch: int = 2048,
    rates: tuple[float, float] = (1.5e-3, 3e-5),
    warm: int = 100,
    seed: int = 0,
    start: Network | None = None,
    device: str | None = None,
    threads: int = 1,
    after: Callable[[int, Network, Off, Off | None], None] | None = None,
) -> Network:
    """Trains a network by Adam (Kingma & Ba 2015), as `arena train cards --from-rows` does.

    What is minimised is, for a row, half the sum over the legal cards of the squared errors of what they are worth, as solved and as
    played out, and 0.3 times the log loss of which card is played.

    Args:
        choices: the rows; those that are held out are not learnt from.
        epochs: passes over the rows, each in another random order.
        batch: rows of a step.
        rates: the rate of learning at the start, after so many steps `warm` in which it rises, and at the end.
        seed: of the order and of the weights to begin with. On a CPU the same seed gives the same network with the same version of
            PyTorch and number of threads.
        start: the network to begin with; without it `random(seed, choices)`.
        device: of PyTorch; a GPU where there is one.
        threads: of PyTorch on a CPU. Steps are short: on a busy machine several threads are slower than one.
        after: called after each pass with its number from 1, the network, and how far it was off while it learned and is off on the rows
            that are held out, None without such rows.

    Raises:
        ImportError: when PyTorch is not installed.
        ValueError: when there are no rows to learn from, a setting is out of range, or the weights run away.
    """
    torch = _torch()
    if min(epochs, batch, threads, *rates) <= 0 or warm < 0:
        raise ValueError(f"epochs {epochs}, batch {batch}, rates {rates}, threads {threads}: expected numbers above 0")
    learnt, held_out = choices[~choices.held_out], choices[choices.held_out]
    if not len(learnt):
        raise ValueError("there is no row to learn from: make more deals, or hold out fewer")
    where = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
    torch.set_num_threads(threads)
    torch.manual_seed(seed)
    begin = random(seed, learnt) if start is None else start
    weights = {name: torch.tensor(begin[name], device=where, requires_grad=True) for name in shapes()}
    rows = _Rows(torch, learnt, where)
    optimizer = torch.optim.Adam(weights.values(), lr=rates[0])
    batch = min(batch, len(learnt))
    steps, step = epochs * (len(learnt) // batch), 0
    for epoch in range(1, epochs + 1):
        # On the CPU, so that the order is the same wherever it is learnt.
        order = torch.randperm(len(learnt)).to(where)
        sums = torch.zeros(6, dtype=torch.float64, device=where)
        for at in range(0, len(learnt) - batch + 1, batch):
            rate = rates[0] + (rates[1] - rates[0]) * step / steps
            optimizer.param_groups[0]["lr"] = rate * min(1.0, step / warm if warm else 1.0)
            optimizer.zero_grad()
            loss, of_batch = rows.loss(weights, order[at : at + batch])
            loss.backward()
            optimizer.step()
            sums += of_batch
            step += 1
        solved, played_out, of_solved, cards, played, meant = sums.tolist()
        network = {name: tensor.detach().cpu().numpy().copy() for name, tensor in weights.items()}
        if not all(np.isfinite(numbers).all() for numbers in (sums.tolist(), *network.values())):
            raise ValueError(f"the weights ran away in pass {epoch}: choose lower rates than {rates}")
        if after is not None:
            learning = Off(100 * (solved / max(of_solved, 1)) ** 0.5, 100 * (played_out / cards) ** 0.5, played / max(meant, 1))
            after(epoch, network, learning, losses(network, held_out) if len(held_out) else None)
    return network


class _Rows:
    """Rows on a device."""

    def __init__(self, torch: Any, choices: Choices, device: Any) -> None:
        def tensor(array: Any) -> Any:
            return torch.from_numpy(np.ascontiguousarray(array)).to(device)

        self.torch = torch
        # Inputs are below 2^15, and PyTorch has little for numbers without a sign.
        self.ones, self.offsets = tensor(choices.ones.astype(np.int16)), tensor(choices.offsets)
        self.numbers, self.legal = tensor(choices.numbers), tensor(choices.legal())
        self.cards = tensor(np.where(choices.legal(), choices.cards, 0))
        self.solved, self.played_out, self.chosen = map(tensor, choices.targets())
        self.is_solved = tensor(choices.is_solved())

    def loss(self, weights: dict[str, Any], at: Any) -> tuple[Any, Any]:
        """What is minimised over some rows, a row; and the sums of squared errors by head, how many cards each is of, the log losses, and
        how many rows these are of."""
        torch = self.torch
        begin = self.offsets[at]
        length = self.offsets[at + 1] - begin
        offsets = length.cumsum(0) - length
        places = (begin - offsets).repeat_interleave(length)
        ones = self.ones[places + torch.arange(len(places), device=places.device)].int()
        first = weights["first.weight"]
        sums = torch.nn.functional.embedding_bag(ones, first, offsets.int(), mode="sum")
        hidden = (sums + self.numbers[at] @ first[-NUMBERS:] + weights["first.bias"]).relu()
        hidden = (hidden @ weights["second.weight"] + weights["second.bias"]).relu()
        outputs = (hidden @ weights["third.weight"].T + weights["third.bias"]).view(len(at), 3, -1)
        legal, chosen = self.legal[at], self.chosen[at]
        cards = self.cards[at].long()[:, None].expand(-1, 3, -1)
        solved, played_out, shares = outputs.gather(2, cards).unbind(1)
        is_known = legal & self.is_solved[at][:, None]
        squares = [
            ((values - targets[at]) * known).square().sum()
            for values, targets, known in ((solved, self.solved, is_known), (played_out, self.played_out, legal))
        ]
        meant = chosen.any(1)
        none = torch.finfo(shares.dtype).min
        all_of, of_chosen = (shares.masked_fill(~these, none).logsumexp(1) for these in (legal, chosen))
        played = torch.where(meant, all_of - of_chosen, 0).sum()
        loss = (0.5 * (squares[0] + squares[1]) + 0.3 * played) / len(at)
        sums = torch.stack([*squares, is_known.sum(), legal.sum(), played, meant.sum()]).detach().double()
        return loss, sums
