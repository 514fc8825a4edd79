"""PPO in one file: learns calls and cards by self-play and beats `random` within minutes on a CPU.

    pip install torch
    python examples/ppo.py --seconds 180

The same net plays all four seats. Each seat's decisions of a deal are a trajectory of its own; the only reward is the deal's
score, own team less other, in hundreds of points.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import coinche


class Net(nn.Module):
    """Two layers for policy and value."""

    def __init__(self, actions: int, width: int = 256) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(coinche.OBSERVATION_BITS, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, 1)

    def forward(self, obs: torch.Tensor, mask: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        hidden = self.body(obs)
        logits = self.policy(hidden).masked_fill(~mask, -1e9)
        return Categorical(logits=logits), self.value(hidden).squeeze(-1)


def act(net: Net, obs: np.ndarray, mask: np.ndarray) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    with torch.no_grad():
        policy, value = net(torch.from_numpy(obs).float(), torch.from_numpy(mask))
        action = policy.sample()
        return action, policy.log_prob(action), value


def play(net: Net, env: coinche.VecEnv, steps: int) -> list[torch.Tensor]:
    """Decisions of whole deals: observation, mask, action, its log probability, value, and what the seat gained."""
    n = len(env)
    obs = np.zeros((steps, n, coinche.OBSERVATION_BITS), np.uint8)
    mask = np.zeros((steps, *env.mask.shape), np.bool_)
    action, log_prob, value = (torch.zeros(steps, n) for _ in range(3))
    gain = np.full((steps, n), np.nan, np.float32)
    team = np.zeros((steps, n), np.int64)
    since = np.zeros(n, np.int64)
    for step in range(steps):
        obs[step], mask[step], team[step] = env.obs, env.mask, env.player % 2
        action[step], log_prob[step], value[step] = act(net, obs[step], mask[step])
        env.actions[:] = action[step].numpy()
        env.step()
        for row in np.flatnonzero(env.done):
            net_score = (env.returns[row, 0] - env.returns[row, 1]) / 100
            of_deal = slice(since[row], step + 1)
            gain[of_deal, row] = np.where(team[of_deal, row] == 0, net_score, -net_score)
            since[row] = step + 1
    # Deals that have not ended yet teach nothing.
    known = ~np.isnan(gain)
    rows = torch.from_numpy(known)
    return [
        torch.from_numpy(obs[known]),
        torch.from_numpy(mask[known]),
        action[rows],
        log_prob[rows],
        value[rows],
        torch.from_numpy(gain[known]),
    ]


def learn(net: Net, optimizer: torch.optim.Optimizer, batch: list[torch.Tensor], epochs: int = 2) -> None:
    obs, mask, action, old_log_prob, old_value, gain = batch
    advantage = gain - old_value
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    for _ in range(epochs):
        for part in torch.randperm(len(gain)).split(2048):
            policy, value = net(obs[part].float(), mask[part])
            ratio = (policy.log_prob(action[part]) - old_log_prob[part]).exp()
            clipped = ratio.clamp(0.8, 1.2)
            gains = torch.minimum(ratio * advantage[part], clipped * advantage[part]).mean()
            loss = -gains + 0.5 * (value - gain[part]).square().mean() - 0.01 * policy.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimizer.step()


def against(net: Net, bot: str, deals: int = 1000) -> tuple[float, float]:
    """Mean and half width (95 %) of the paired difference to a bot, points a deal."""
    legs = []
    for own in ((0, 2), (1, 3)):
        env = coinche.VecEnv(250, seed="against", opponents={seat: bot for seat in range(4) if seat not in own})
        scores, left = np.zeros(deals), deals
        while left:
            with torch.no_grad():
                policy, _ = net(torch.from_numpy(env.obs).float(), torch.from_numpy(env.mask))
            env.actions[:] = policy.probs.argmax(dim=-1).numpy()
            deal = env.deal.copy()
            env.step()
            ended = env.done & (deal < deals)
            sign = 1 if 0 in own else -1
            scores[deal[ended]] = sign * (env.returns[:, 0] - env.returns[:, 1])[ended]
            left -= int(ended.sum())
        legs.append(scores)
    paired = (legs[0] + legs[1]) / 2
    return float(paired.mean()), float(1.96 * paired.std(ddof=1) / np.sqrt(deals))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=180.0)
    parser.add_argument("--rules", default="bga")
    parser.add_argument("--seed", type=int, default=1)
    settings = parser.parse_args()
    torch.manual_seed(settings.seed)
    env = coinche.VecEnv(256, settings.rules, seed=settings.seed)
    net = Net(env.mask.shape[1])
    optimizer = torch.optim.Adam(net.parameters(), lr=5e-4)
    began, rounds = time.monotonic(), 0
    while time.monotonic() - began < settings.seconds:
        learn(net, optimizer, play(net, env, 128))
        rounds += 1
        if rounds % 10 == 0:
            mean, half_width = against(net, "random")
            print(f"{time.monotonic() - began:5.0f} s, {rounds} rounds: {mean:+.1f} ± {half_width:.1f} points a deal on random")
    for bot in ("random", "rules"):
        mean, half_width = against(net, bot, 2000)
        print(f"net - {bot}: {mean:+.1f} ± {half_width:.1f} points a deal (2000 paired deals)")


if __name__ == "__main__":
    main()
