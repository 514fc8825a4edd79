"""Deals that begin anywhere: positions, parts of a deal, all hands for critics, filters, rollouts."""

import csv

import numpy as np
import pytest
from conftest import states

import coinche


def slow(env_states, actions):
    """What single states do."""
    for state, action in zip(env_states, actions):
        state.apply(int(action))


@pytest.mark.parametrize("rules", ["bga", "contree", "belote", "coinche-melds"])
@pytest.mark.parametrize("threads", [1, 3])
def test_deals_begin_at_positions_and_come_again(rules, threads):
    positions = states(rules, 2)[::4]
    n = 5
    env = coinche.VecEnv(n, rules, positions=positions, threads=threads)
    numbers = list(range(n))
    now = [positions[number % len(positions)].clone() for number in numbers]
    rng = np.random.default_rng(1)
    for _ in range(150):
        for row, state in enumerate(now):
            assert (env.obs[row] == state.observation()).all() and (env.mask[row] == state.mask()).all()
            assert env.player[row] == state.current_player and env.deal[row] == numbers[row]
        env.actions[:] = np.where(env.mask, rng.random(env.mask.shape), -1).argmax(axis=1)
        seats = [state.current_player for state in now]
        slow(now, env.actions)
        env.step()
        for row, state in enumerate(now):
            assert env.done[row] == state.is_over
            if state.is_over:
                assert env.returns[row].tolist() == list(state.score) and env.reward[row] == state.returns()[seats[row]]
                numbers[row] += n
                now[row] = positions[numbers[row] % len(positions)].clone()


def test_single_rows_begin_again():
    env, other = (coinche.VecEnv(4, seed=1, opponents={1: "rules", 3: "rules"}) for _ in range(2))
    lead = coinche.State("bga", seed=5, contract=("100H", 0))
    before = env.obs.copy()
    env.reset_rows([2], [lead])
    assert (env.obs[[0, 1, 3]] == before[[0, 1, 3]]).all() and env.state(2).contract == lead.contract
    assert env.player[2] in (0, 2) and env.deal[2] == 2
    env.actions[:] = env.mask.argmax(axis=1)
    other.actions[:] = other.mask.argmax(axis=1)
    env.step()
    other.step()
    assert (env.obs[[0, 1, 3]] == other.obs[[0, 1, 3]]).all()
    kept = env.obs.copy()
    for rows, given, error in [
        ([4], [lead], r"envs\[0\]: 4, expected 0 to 3"),
        ([1], [], "states: 0, expected one for each of 1 envs"),
        ([0, 1], [lead, coinche.State("contree", seed=1)], r"states\[1\]: it has other rules"),
        ([0, 1], [lead, lead.view()], r"states\[1\]: only what seat 1 knows"),
    ]:
        with pytest.raises(ValueError, match=error):
            env.reset_rows(rows, given)
    assert (env.obs == kept).all()


def test_only_cards_or_only_calls():
    env = coinche.VecEnv(16, "bga", seed=3, opponents={1: "rules", 3: "rules"}, calls="rules")
    assert not env.mask[:, 32:].any() and (env.player % 2 == 0).all()
    bot = coinche.Bot("rules")
    played = {}
    for _ in range(16):
        env.actions[:] = bot.act([env.state(row) for row in range(16)])
        numbers = env.deal.copy()
        env.step()
        played.update((number, tuple(row)) for number, row, done in zip(numbers, env.returns, env.done) if done)
    assert len(played) >= 14
    for number, scores in played.items():
        whole = coinche.State("bga", seed=3, deal=int(number))
        assert tuple(coinche.rollout([whole], "rules")[0, 0]) == scores
    # A deal that the bots pass out is followed by the next of its environment.
    env, met = coinche.VecEnv(4, "bga", seed=3, calls="random"), set()
    for _ in range(200):
        env.actions[:] = env.mask.argmax(axis=1)
        env.step()
        met.update(env.deal.tolist())
        assert (env.deal % 4 == range(4)).all()
    assert set(range(8)) - met and max(met) > 20
    # Contracts are worth what double dummy play makes of them.
    env = coinche.VecEnv(8, "bga", seed=3, cards="rules+open")
    lead = coinche.State("bga", seed=3, deal=2)
    env.reset_rows([2], [lead])
    for call in ("100H", "P", "P", "P"):
        assert not env.mask[:, :32].any()
        env.actions[:] = -1
        env.actions[2] = lead.rules.actions.index(call)
        lead.apply(call)
        env.step()
    side = lead.current_player % 2
    best = coinche.values([lead], score=True).max()
    assert env.done[2] and (env.returns[2, 0] - env.returns[2, 1]) * (1 - 2 * side) == best


@pytest.mark.parametrize("rules", coinche.presets())
def test_contracts_that_are_solved_score_as_the_arena_scores_them(rules, tmp_path):
    # `rules` calls at all seats, here as the learner: the deals of a run whose cards the solver plays.
    coinche.run("rules", "rules", rules=rules, deals=40, seed=5, freeze="play=solver", out=tmp_path / "run", progress=False)
    with open(tmp_path / "run/summary.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["leg"] == "0"]
    expected = {int(row["deal"]): (int(row["score0"]), int(row["score1"])) for row in rows}
    starts = [coinche.State(rules, seed=5, deal=deal) for deal in range(40)]
    bot = coinche.Bot("rules")
    # Dealt anew; the same deals as positions, whose contracts are solved once; and with bots at two seats.
    for settings in ({}, {"positions": starts}, {"positions": starts, "threads": 2}, {"opponents": {1: "rules", 3: "rules"}}):
        env = coinche.VecEnv(8, rules, seed=5, cards="solver", **settings)
        found = {}
        while len(found) < 2 * 40 and min(env.deal) < 80:
            states = [env.state(row) for row in range(8)]
            assert all(state.is_auction for state in states)
            env.actions[:] = bot.act(states)
            deals = env.deal.copy()
            env.step()
            found.update((int(deal), tuple(row)) for deal, row, done in zip(deals, env.returns.tolist(), env.done) if done)
        played = {deal: scores for deal, scores in found.items() if deal < 40}
        # Deals that end before the learner could call are followed by others.
        assert len(played) >= (30 if "opponents" in settings else 40)
        assert all(expected[deal] == scores for deal, scores in played.items())
        if "positions" in settings:
            assert all(found[deal] == found[deal + 40] for deal in played if deal + 40 in found)


@pytest.mark.parametrize("rules", [*coinche.presets(), coinche.Rules("bga", **{"scoring.solo_slam": 500})], ids=str)
def test_contracts_that_were_solved_serve_all_declarers_and_stakes(rules):
    rng, start = np.random.default_rng(3), coinche.State(rules, seed=7)
    kept, solved = (coinche.VecEnv(64, rules, positions=[start], cards="solver", obs=None) for _ in range(2))
    ended = np.ones(64, np.bool_)
    for _ in range(30):
        # Of a state of ours nothing is kept.
        solved.reset_rows(np.flatnonzero(ended), [start] * int(ended.sum()))
        kept.actions[:] = solved.actions[:] = np.where(kept.mask, rng.random(kept.mask.shape), -1).argmax(axis=1)
        kept.step()
        solved.step()
        ended = kept.done.copy()
        assert (solved.done == ended).all() and (solved.returns[ended] == kept.returns[ended]).all()
    assert len(np.unique(kept.returns, axis=0)) > 3


@pytest.mark.parametrize("rules", coinche.presets())
def test_contracts_score_by_points_of_ones_own_as_if_these_were_played(rules):
    rng, starts, calls, points, scores, stakes = np.random.default_rng(5), [], [], [], [], set()
    for deal in range(400):
        start = coinche.State(rules, seed=11, deal=deal)
        state = start.clone()
        while state.is_auction:
            # The lower bids, so that many values and stakes are met.
            state.apply(int(rng.choice(state.legal_actions()[:12])))
        if state.contract is None:
            continue
        bid, declarer, stake = state.contract
        history = [action for _, action in state.history]
        while not state.is_over:
            # No belote is kept silent.
            state.apply(int(rng.choice([action for action in state.legal_actions() if action < 32])))
        # There a belote counts only if it is not thrown away.
        if bid.endswith("TA") and 'all_trump = "no-discard"' in state.rules.to_toml():
            continue
        row = np.zeros((4, 6), np.uint16)
        strain = next(place for place, name in enumerate(["C", "D", "H", "S", "SA", "TA"]) if bid.endswith(name))
        row[declarer, strain] = state.points[declarer % 2]
        starts.append(start)
        calls.append(history)
        points.append(row)
        scores.append(state.score)
        stakes.add(stake)
    env = coinche.VecEnv(len(starts), rules, positions=starts, points=np.array(points), obs=None)
    for step in range(max(map(len, calls))):
        env.actions[:] = [made[step] if step < len(made) else -1 for made in calls]
        env.step()
    assert [tuple(row) for row in env.returns.tolist()] == scores
    assert len(starts) > 20 and len(set(scores)) > 10 and (len(stakes) > 1 or rules in ("belote", "belote-melds"))


def test_points_that_cannot_be_are_refused():
    rules = coinche.Rules("bga", **{"auction.generale": True})
    starts, points = [coinche.State(rules, seed=1, deal=deal) for deal in range(3)], np.full((3, 4, 6), 162, np.uint16)
    env = coinche.VecEnv(3, rules, positions=starts, points=points)
    with pytest.raises(ValueError, match="reset_rows: this VecEnv has points of its positions, and of no other states"):
        env.reset_rows([0], [starts[0]])
    # Seat i + 1 speaks first, and with all points takes all tricks.
    for call in ("GENERALEH", "P", "P", "P"):
        env.actions[:] = rules.actions.index(call)
        env.step()
    assert env.done.all() and [row.argmax() for row in env.returns] == [1, 0, 1] and (env.returns.max(axis=1) >= 500).all()
    # With none of them the others take all tricks, whatever was bid: what a slam pays the defenders does not depend on it.
    paid = coinche.Rules(rules.to_toml(), **{"scoring.failed_slam": True, "scoring.unbid_slam": 300})
    env = coinche.VecEnv(2, paid, positions=[coinche.State(paid, seed=1)], points=np.zeros((1, 4, 6), np.uint16))
    env.actions[:] = [paid.actions.index("GENERALEH"), paid.actions.index("CAPOTH")]
    env.step()
    for _ in range(3):
        env.actions[:] = paid.actions.index("P")
        env.step()
    failed, worth = env.returns[:, 0], [500, 250]
    assert env.done.all() and failed[0] - worth[0] == failed[1] - worth[1] >= 300
    wrong = points.copy()
    wrong[2, 1, 3] = 163
    for settings, kind, error in [
        ({"positions": starts, "points": wrong}, ValueError, r"points\[2, 1, 3\]: 163, expected 0 to 162"),
        ({"positions": starts[:2], "points": points}, ValueError, r"the shape \[3, 4, 6\], expected \[2, 4, 6\]"),
        ({"points": points}, ValueError, "points: they are those of positions, which are not given"),
        ({"positions": starts, "points": points, "cards": "solver"}, ValueError, "points: not beside calls or cards"),
        ({"positions": starts, "points": points.astype(float)}, TypeError, "expected a uint16 array with the shape"),
        ({"positions": starts, "points": points[0]}, TypeError, "expected a uint16 array with the shape"),
    ]:
        with pytest.raises(kind, match=error):
            coinche.VecEnv(4, rules, **settings)


def test_bots_that_never_bid_leave_the_calls_to_the_learner():
    env = coinche.VecEnv(2, "bga", seed=1, opponents={1: "random:pass=1", 3: "random:pass=1"}, calls="random:pass=1")
    assert env.mask[:, 40].all() and (env.deal >= 1000).all()


def test_critics_see_all_hands_and_nobody_else():
    for canonical in (False, True):
        env = coinche.VecEnv(8, "contree", seed=1, observe="all", canonical=canonical)
        for _ in range(60):
            for row in range(8):
                state, player = env.state(row), int(env.player[row])
                hands = [state.hands[(player + place) % 4] for place in range(4)]
                if canonical:
                    order = ["CDHS".index(suit) for suit in state.suit_order()]
                    hands = [sum((hand >> 8 * suit & 255) << 8 * place for place, suit in enumerate(order)) for hand in hands]
                assert env.hands[row].tolist() == hands
            env.actions[:] = env.mask.argmax(axis=1)
            env.step()
    with pytest.raises(ValueError, match='without observe="all"'):
        coinche.VecEnv(2).hands
    with pytest.raises(ValueError, match='observe: "both", expected "seat" or "all"'):
        coinche.VecEnv(2, observe="both")


def test_positions_from_which_the_learner_could_not_act_are_refused():
    over, passed = coinche.State("bga", seed=1), coinche.State("bga", seed=1)
    for _ in range(4):
        over.apply("P")
    for _ in range(3):
        passed.apply("P")
    lead, others = coinche.State("bga", seed=1, contract=("100H", 0)), {1: "rules", 2: "rules", 3: "rules"}
    for position, settings, error in [
        (over, {}, r"positions\[0\]: the deal is over"),
        (lead.view(), {}, r"positions\[0\]: only what seat 1 knows is in this state"),
        (coinche.State("contree", seed=1), {}, r"positions\[0\]: it has other rules than this VecEnv"),
        (passed, {"opponents": {0: "rules"}}, r"positions\[0\]: the deal may be passed out before the learner acts"),
        (lead, {"cards": "rules"}, r"positions\[0\]: cards are played, and the learner only calls"),
        (lead, {"cards": "solver"}, r"positions\[0\]: cards are played, and the learner only calls"),
    ]:
        with pytest.raises(ValueError, match=error):
            coinche.VecEnv(2, positions=[position], **settings)
    with pytest.raises(ValueError, match="positions: none, expected at least one state"):
        coinche.VecEnv(2, positions=[])
    for cards in ("rules", "solver"):
        with pytest.raises(ValueError, match="calls, cards: bots make both"):
            coinche.VecEnv(2, calls="rules", cards=cards)
    with pytest.raises(ValueError, match="calls, cards, points: not beside functions"):
        coinche.VecEnv(2, calls="rules", opponents={1: lambda obs, mask, player: mask.argmax(axis=1)})
    assert coinche.VecEnv(2, positions=[lead], opponents=others).player.tolist() == [0, 0]


def test_deals_are_found_by_a_condition():
    found = coinche.deals(50, seed=1, when="J9 and trumps >= 4 and aces >= 1", seat=2, strain="H")
    every = {tuple(row) for row in coinche.deals(60_000, seed=1).tolist()}
    assert {tuple(row) for row in found.tolist()} <= every
    jack, nine, hearts = (1 << 8 * 2 + rank for rank in range(3)), 0, 0
    names = coinche.Rules("bga").actions
    jack, nine = 1 << names.index("JH"), 1 << names.index("9H")
    hearts = sum(1 << names.index(f"{rank}H") for rank in "789TJQKA")
    aces = sum(1 << names.index(f"A{suit}") for suit in "CDS")

    def fits(hands):
        hand = int(hands[2])
        return bool(hand & jack and hand & nine and (hand & hearts).bit_count() >= 4 and hand & aces)

    assert all(map(fits, found))
    # The first of them, in order.
    slow = [row for row in coinche.deals(60_000, seed=1).tolist() if fits(row)]
    assert slow[:50] == found.tolist()[: len(slow)]
    assert len(coinche.deals(3, when="voids >= 1")) == 3
    for wrong, settings, error in [
        ("trumps >=", {}, "when: "),
        ("trumps >= 9", {}, "when: fewer than 1 of 100000 deals for each that is wanted have such a hand"),
        ('x" or "', {}, "when: "),
        ("trumps >= 4", {"rules": "belote"}, "when: these rules deal the last cards after the auction"),
        ("trumps >= 4", {"seat": 4}, "seat: 4, expected 0, 1, 2 or 3"),
        ("trumps >= 4", {"strain": "X"}, "X"),
    ]:
        with pytest.raises(ValueError, match=error):
            coinche.deals(1, when=wrong, **settings)


@pytest.mark.parametrize("rules", coinche.presets())
def test_rollouts_are_what_bots_play(rules):
    found = states(rules, 4)[::5]
    scores = coinche.rollout(found, "rules", 2, threads=2)
    assert scores.shape == (len(found), 2, 2) and scores.dtype == np.int32
    bot = coinche.Bot("rules")
    for state, row in zip(found, scores):
        played = state.clone()
        while not played.is_over:
            played.apply(int(bot.act([played])[0]))
        assert (row == played.score).all()
    random = coinche.rollout(found, ["random", "rules", "random", "rules"], 3, seed=1)
    assert (random == coinche.rollout(found, ["random", "rules", "random", "rules"], 3, seed=1, threads=3)).all()
    assert (random.std(axis=1) > 0).any()
    over = played
    assert (coinche.rollout([over]) == over.score).all() and coinche.rollout([], n=3).shape == (0, 3, 2)
    with pytest.raises(ValueError, match=r"states\[0\]: only what seat"):
        coinche.rollout([found[0].view()])
    with pytest.raises(ValueError, match="policy: 2 bots, expected one, or one for each of the four seats"):
        coinche.rollout(found, ["rules", "rules"])
    with pytest.raises(coinche.BotError, match="there is no bot"):
        coinche.rollout(found, "none")
    with pytest.raises(ValueError, match="n: .*, expected 0 to"):
        coinche.rollout(found, n=1 << 40)


@pytest.mark.parametrize("rules", ["bga", "contree", "coinche-melds", "belote"])
def test_a_rotated_state_is_the_same_deal_for_the_next_seats(rules):
    met = 0
    for state in states(rules, 6):
        on = state.rotated()
        assert on.current_player == (state.current_player + 1) % 4 and on.dealer == (state.dealer + 1) % 4
        assert on.hands == [state.hands[seat - 1] for seat in range(4)]
        assert on.history == [((seat + 1) % 4, action) for seat, action in state.history]
        assert (on.observation() == state.observation()).all() and on != state
        assert on.rotated(3) == on.rotated(-1) == state.rotated(1 << 40) == state
        scores, other = coinche.rollout([state], "rules"), coinche.rollout([on], "rules")
        assert (scores == other[..., ::-1]).all()
        met += 1
    assert met > 100
    first = coinche.State(rules, seed=1, dealer=3, score=(120, -30))
    assert first.rotated() == coinche.State(rules, seed=1, dealer=0, score=(-30, 120))
    assert first.rotated() != coinche.State(rules, seed=1, dealer=0, score=(120, -30))
    lead = coinche.State(rules, seed=1, contract=("100H", 0)) if rules != "belote" else None
    assert lead is None or lead.rotated(2).contract == ("100H", 2, "plain")
    with pytest.raises(ValueError, match="only what seat"):
        states(rules, 1)[-1].view().rotated()


def test_the_same_deal_from_both_sides():
    starts = [coinche.State("bga", seed=1, deal=deal) for deal in range(8)]
    both = [turned for state in starts for turned in (state, state.rotated())]
    env = coinche.VecEnv(16, "bga", positions=both, opponents={1: "rules", 3: "rules"})
    bot, left, scores = coinche.Bot("rules"), np.ones(16, bool), np.zeros(16)
    while left.any():
        env.actions[:] = bot.act([env.state(row) for row in range(16)])
        env.step()
        ended = env.done & left
        scores[ended] = (env.returns[:, 0] - env.returns[:, 1])[ended]
        left &= ~env.done
    # A bot against itself gets from one side what the other gets from the other.
    assert (scores[::2] == -scores[1::2]).all() and scores.any()
