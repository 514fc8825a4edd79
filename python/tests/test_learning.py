"""Something is learned from rewards, with NumPy alone."""

import numpy as np

import coinche


def returns(reward, done):
    """The reward of the deal in which each step was taken; NaN where it did not end."""
    later, found = np.full(reward.shape[1], np.nan), np.empty_like(reward)
    for step in range(len(reward) - 1, -1, -1):
        later = np.where(done[step], reward[step], later)
        found[step] = later
    return found


def test_a_linear_policy_learns_to_bid():
    # Two partners against two who pass; contracts score what the solver makes of them.
    others = {1: "random:pass=1", 3: "random:pass=1"}
    starts = [coinche.State("bga", seed=4, deal=deal) for deal in range(512)]
    env = coinche.VecEnv(512, "bga", positions=starts, opponents=others, cards="solver")
    names = starts[0].rules.actions
    calls = np.array([names.index(call) for call in ("P", "82C", "82D", "82H", "82S")])
    rng, weights, means = np.random.default_rng(2), np.zeros((env.obs.shape[1], len(calls)), np.float32), []
    for _ in range(40):
        rows, chosen, chances, reward, done = [], [], [], [], []
        for _ in range(8):
            seen = env.obs.astype(np.float32)
            logits = np.where(env.mask[:, calls], seen @ weights, -np.inf)
            chance = np.exp(logits - logits.max(axis=1, keepdims=True))
            chance /= chance.sum(axis=1, keepdims=True)
            action = (chance.cumsum(axis=1) > rng.random((512, 1)) * (1 - 1e-6)).argmax(axis=1)
            env.actions[:] = calls[action]
            env.step()
            for kept, row in zip((rows, chosen, chances, reward, done), (seen, action, chance, env.reward, env.done)):
                kept.append(row.copy())
        gain = returns(np.array(reward), np.array(done)).ravel()
        ended = ~np.isnan(gain)
        means.append(gain[ended].mean())
        # What was chosen becomes more likely where it gained more than the mean.
        slope = -np.concatenate(chances)[ended]
        slope[np.arange(len(slope)), np.concatenate(chosen)[ended]] += 1
        slope *= ((gain[ended] - means[-1]) / 200)[:, None]
        weights += 6 * np.concatenate(rows)[ended].T @ slope / len(slope)
    # Calls at random lose, passing always scores 0.
    assert np.mean(means[:3]) < -20 and np.mean(means[-5:]) > 25, means
