"""Policy gradients in JAX: the loop of `ppo.py` in its simplest form, with observations as bits and one compiled step.

    pip install jax
    python examples/jax_loop.py --seconds 60

The same net plays all four seats. The only reward is the deal's score, own team less other, in hundreds of points.
"""

from __future__ import annotations

import argparse
import time

import jax
import jax.numpy as jnp
import numpy as np

import coinche

Net = list[tuple[jax.Array, jax.Array]]


def net(key: jax.Array, sizes: list[int]) -> Net:
    """Weights and biases of some layers."""
    keys = jax.random.split(key, len(sizes) - 1)
    return [(jax.random.normal(key, (a, b)) * (2 / a) ** 0.5, jnp.zeros(b)) for key, a, b in zip(keys, sizes, sizes[1:])]


def logits(net: Net, obs: jax.Array, mask: jax.Array) -> jax.Array:
    """What the net says of the legal actions; `obs` are packed bits."""
    units = jnp.unpackbits(obs, axis=-1, bitorder="little").astype(jnp.float32)
    for weight, bias in net[:-1]:
        units = jax.nn.relu(units @ weight + bias)
    return jnp.where(mask, units @ net[-1][0] + net[-1][1], -1e9)


@jax.jit
def sample(net: Net, obs: jax.Array, mask: jax.Array, key: jax.Array) -> jax.Array:
    return jax.random.categorical(key, logits(net, obs, mask))


@jax.jit
def learn(net: Net, obs: jax.Array, mask: jax.Array, action: jax.Array, gain: jax.Array) -> Net:
    """A step up the gradient of what was gained, less its mean; decisions of deals under way have a gain of zero."""

    def loss(net: Net) -> jax.Array:
        shares = jax.nn.log_softmax(logits(net, obs, mask))
        taken = jnp.take_along_axis(shares, action[..., None], axis=-1)[..., 0]
        entropy = -(jnp.exp(shares) * shares).sum(-1)
        return -(gain * taken + 0.01 * entropy).mean()

    return jax.tree.map(lambda weight, slope: weight - 0.02 * slope, net, jax.grad(loss)(net))


def play(net: Net, env: coinche.VecEnv, steps: int, key: jax.Array) -> tuple[np.ndarray, ...]:
    """Decisions, and what the seat gained in each."""
    n = len(env)
    obs, mask = np.zeros((steps, *env.obs.shape), np.uint8), np.zeros((steps, *env.mask.shape), np.bool_)
    action, gain = np.zeros((steps, n), np.int32), np.zeros((steps, n), np.float32)
    team, since = np.zeros((steps, n), np.int64), np.zeros(n, np.int64)
    for step in range(steps):
        # On a CPU JAX reads these arrays where they are: the copies are for learning.
        obs[step], mask[step], team[step] = env.obs, env.mask, env.player % 2
        key, now = jax.random.split(key)
        env.actions[:] = action[step] = sample(net, obs[step], mask[step], now)
        env.step()
        for row in np.flatnonzero(env.done):
            even = (env.returns[row, 0] - env.returns[row, 1]) / 100
            of_deal = slice(since[row], step + 1)
            gain[of_deal, row] = np.where(team[of_deal, row] == 0, even, -even)
            since[row] = step + 1
    return obs, mask, action, gain


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    words = parser.parse_args()
    env = coinche.VecEnv(128, seed=words.seed, obs="bits")
    key = jax.random.key(words.seed)
    own = net(key, [coinche.OBSERVATION_BITS, 256, 128, env.mask.shape[1]])
    began, rounds = time.monotonic(), 0
    while time.monotonic() - began < words.seconds:
        key, now = jax.random.split(key)
        own = learn(own, *play(own, env, 128, now))
        rounds += 1

    scores = []
    for seats in ((0, 2), (1, 3)):
        # The same deals from both sides.
        env = coinche.VecEnv(500, seed="against", obs="bits", opponents={seat: "random" for seat in range(4) if seat not in seats})
        score, left = np.zeros(500), np.ones(500, bool)
        while left.any():
            env.actions[:] = logits(own, env.obs, env.mask).argmax(-1)
            env.step()
            ended = env.done & left
            score[ended] = (env.returns[:, seats[0]] - env.returns[:, 1 - seats[0]])[ended]
            left &= ~env.done
        scores.append(score)
    paired = np.mean(scores, axis=0)
    print(f"{rounds} rounds: {paired.mean():+.1f} ± {1.96 * paired.std() / len(paired) ** 0.5:.1f} points a deal on random (500 deals)")


if __name__ == "__main__":
    main()
