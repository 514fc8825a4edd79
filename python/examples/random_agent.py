"""A random agent in ten lines."""

import numpy as np

import coinche

env = coinche.VecEnv(256, "bga", seed=1)
rng = np.random.default_rng(1)
for _ in range(400):
    env.actions[:] = np.where(env.mask, rng.random(env.mask.shape), -1).argmax(axis=1)
    env.step()
print(f"{int(env.deal.max()) + 1} deals begun; one of them:\n{env.state(0)}")
