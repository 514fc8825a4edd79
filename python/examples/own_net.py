"""A card network of another shape than ours, on the same rows, in the arena against ours; `rules` bids for both.

    arena train cards --rows --deals 20000 --seed 1 --out rows
    python examples/own_net.py rows [--deals 2000] [--out mine.safetensors]
    arena run rules+net:cards=mine.safetensors rules --freeze auction=rules+rules

Needs PyTorch and PyArrow: `pip install './python[train]' ./python/arena`.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

import coinche
from coinche import data, train

INPUTS = train.shapes()["first.weight"][0]


class Net(torch.nn.Module):
    """Three hidden layers of 64 units; of each card what it is worth more than the mean, in hundreds of points, and how likely it is
    played, as a logarithm."""

    def __init__(self) -> None:
        super().__init__()
        self.ones = torch.nn.EmbeddingBag(INPUTS, 64, mode="sum")
        # Some 86 inputs are one.
        torch.nn.init.normal_(self.ones.weight, std=86**-0.5)
        self.numbers = torch.nn.Linear(5, 64)
        self.rest = torch.nn.Sequential(
            torch.nn.ReLU(), torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 64)
        )

    def forward(self, rows: Any) -> torch.Tensor:
        """Rows are `Choices`, or `Inputs` of states: both have inputs in the same form."""
        ones = torch.from_numpy(rows.ones.astype(np.int32))
        first = self.ones(ones, torch.from_numpy(rows.offsets[:-1].astype(np.int32))) + self.numbers(torch.from_numpy(rows.numbers))
        out: torch.Tensor = self.rest(first)
        return out.view(-1, 2, 32)


def learn(choices: data.Choices, epochs: int = 3, batch: int = 512, seed: int = 1) -> Net:
    """Learns what cards score double dummy, and which is played."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    net, learnt = Net(), choices[~choices.held_out]
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
    for epoch in range(epochs):
        losses = []
        order = torch.randperm(len(learnt)).numpy()
        for at in range(0, len(learnt), batch):
            rows = learnt[order[at : at + batch]]
            legal, solved = torch.from_numpy(rows.legal()), torch.from_numpy(rows.is_solved()[:, None])
            targets, _, chosen = map(torch.from_numpy, rows.targets())
            cards = torch.from_numpy(np.where(rows.legal(), rows.cards, 0).astype(np.int64))
            values, shares = net(rows).gather(2, cards[:, None].expand(-1, 2, -1)).unbind(1)
            off = ((values - targets).square() * (legal & solved)).sum() / len(cards)
            meant = chosen.any(dim=1)
            shares = shares.masked_fill(~legal, -1e9)
            loss = off + (shares.logsumexp(1) - shares.masked_fill(~chosen, -1e9).logsumexp(1))[meant].mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        print(f"epoch {epoch + 1}: loss {np.mean(losses):.3f}")
    return net.eval()


class OwnNet:
    """Plays the card with the most value among the likely ones; it is asked with all that its seats know, in `questions.states`."""

    obs, states = None, True

    def __init__(self, net: Net, trust: float = 0.3) -> None:
        self.net, self.trust = net, trust

    def values(self, states: list[coinche.State]) -> NDArray[np.float32]:
        """What each card is worth, (n, 32), by the numbers of actions."""
        with torch.inference_mode():
            values, shares = self.net(train.inputs(states)).unbind(1)
            return train.by_card(states, (values + self.trust * shares).numpy())

    def layers(self) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
        """The same as layers of which the last says what a card is worth, for the program `arena`."""
        ones, numbers, *rest = self.net.ones.weight, self.net.numbers, *(layer for layer in self.net.rest if isinstance(layer, torch.nn.Linear))
        # The last five inputs are the numbers: their rows in the table of the others are never looked up.
        first = torch.cat([ones[:-5], numbers.weight.T])
        weights = [(first, numbers.bias), *((layer.weight.T, layer.bias) for layer in rest)]
        values, shares = (tuple(part[..., at : at + 32] for part in weights[-1]) for at in (0, 32))
        weights[-1] = (values[0] + self.trust * shares[0], values[1] + self.trust * shares[1])
        return [(weight.detach().numpy(), bias.detach().numpy()) for weight, bias in weights]

    def act(self, questions: coinche.Questions) -> NDArray[np.intp]:
        """The action of each row."""
        values = self.values(questions.states)
        chosen: NDArray[np.intp] = np.where(questions.mask[:, :32], values, -np.inf).argmax(axis=1)
        return chosen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="+", help="directories that `arena train cards --rows` wrote")
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--out", help="a file for `net:cards=FILE`")
    words = parser.parse_args()
    own = OwnNet(learn(data.choices(words.rows), words.epochs))
    if words.out:
        train.write_layers(words.out, own.layers(), {"made by": "own_net.py"})
    for other in ("rules", "rules+net"):
        verdict = coinche.run(
            "rules+python:own", other, players={"own": own}, deals=words.deals, seed="own net", freeze="auction=rules+rules", progress=False
        )
        print(verdict.headline)


if __name__ == "__main__":
    main()
