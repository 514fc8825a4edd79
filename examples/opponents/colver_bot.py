#!/usr/bin/env python3
"""Agents of the package `colver` (Belote contrée) as a bot for the arena.

    pip install -r examples/opponents/requirements.txt
    arena run champion 'cmd:python3 examples/opponents/colver_bot.py --play isdd' --rules contree

The agent meets a table on which the seat's own hand and all that was shown are true. The other cards are dealt at
random, as they may lie: what the seat does not know is not there to be seen. README.md tells how to add a program.
"""

import argparse
import json
import random
import sys
import time

SUITS, RANKS = "SHDC", "789JQKTA"
CARDS = [rank + suit for suit in SUITS for rank in RANKS]  # in the order of the package
CALLS = ["P"] + [f"{value}{suit}" for value in range(80, 170, 10) for suit in SUITS]
CALLS += ["CAPOT" + suit for suit in SUITS] + ["X", "XX"]
TRUMPS = "78QKTA9J"  # low to high


def plays(go):
    """The cards played, in order: who, which, and those before it in the trick."""
    leader = (go["dealer"] + 1) % 4
    for trick in go["tricks"]:
        for n, card in enumerate(trick["cards"]):
            yield (trick["leader"] + n) % 4, card, trick["cards"][:n]
        leader = trick["winner"]
    for n, card in enumerate(go["trick"]):
        yield (leader + n) % 4, card, go["trick"][:n]


def denied(card, before, trump):
    """The cards that whoever played `card` after `before` cannot have kept."""
    if not before:
        return set()
    led = before[0][1]
    best = max((TRUMPS.index(c[0]) for c in before if c[1] == trump), default=-1)
    higher = {rank + trump for rank in TRUMPS[best + 1 :]}
    low = card[1] != trump or TRUMPS.index(card[0]) < best
    if card[1] == led:
        return higher if led == trump and low else set()
    void = {rank + led for rank in RANKS}
    ranks = {c: (c[1] == trump, c[1] == led, (TRUMPS if c[1] == trump else RANKS).index(c[0])) for c in before}
    if led == trump or max(before, key=ranks.get) == before[-2:][0] and len(before) > 1:  # the partner was winning
        return void
    return void | higher if low else void


def deal(go, rng):
    """Four hands as they may lie: the seat's own, and for the others what they showed and random cards that fit."""
    seat, trump = go["seat"], go["contract"]["bid"][-1] if go["contract"] else None
    hands, barred, owner = [[], [], [], []], [set(), set(), set(), set()], {}
    for who, card, before in plays(go):
        hands[who].append(card)
        barred[who] |= denied(card, before, trump)
        if card in ("K" + trump, "Q" + trump):  # a belote is announced with the first of the two
            other = ("Q" if card[0] == "K" else "K") + trump
            if any(belote["seat"] == who for belote in go["belotes"]):
                owner[other] = who
            else:
                barred[who].add(other)
    hands[seat] = go["first_hand"].split()
    shown = {card for hand in hands for card in hand}
    others = [who for who in range(4) if who != seat]
    hidden = [card for card in CARDS if card not in shown]
    may = {card: [who for who in others if owner.get(card, who) == who and card not in barred[who]] for card in hidden}
    while True:
        full = [list(hand) for hand in hands]
        rng.shuffle(hidden)
        for card in sorted(hidden, key=lambda card: len(may[card])):
            room = [who for who in may[card] for _ in range(8 - len(full[who]))]
            if not room:
                break
            full[rng.choice(room)].append(card)
        else:
            return full


def replay(colver, go, hands, agent=None):
    """The table of the package after all that was called and played, which the agent, if any, has observed."""
    env = colver.Env.deal_with_hands(go["dealer"], [[CARDS.index(card) for card in hand] for hand in hands])
    env.set_match_scores(*go.get("match_score", (0, 0)))
    if agent:
        agent.set_scores(*go["match_score"])
        agent.init_deal(env)
    for action in [CALLS.index(call) for _, call in go["auction"]] + [CARDS.index(card) for _, card, _ in plays(go)]:
        if action not in env.legal_actions():
            raise ValueError(f"the rules differ, or the layout does not fit: {action} in {env.to_cfn()}")
        if agent:
            agent.observe(env, action)
        env.step(action)
    return env


def decide(colver, spec, go, spent):
    if len(go["legal"]) == 1:
        spent[go["kind"]].append(0)
        return go["legal"][0]
    rng = random.Random(go["seed"])
    agent = colver.Agent(spec, go["seat"], rng.getrandbits(63))
    env = replay(colver, go, deal(go, rng), agent)
    names = CALLS if go["kind"] == "call" else CARDS
    legal = [names[action] for action in env.legal_actions()]
    if sorted(legal) != sorted(go["legal"]):
        raise ValueError(f"the rules differ: legal is {legal} there and {go['legal']} here, in {json.dumps(go)}")
    began = time.process_time()
    action = agent.action(env)
    spent[go["kind"]].append(time.process_time() - began)
    return names[action]


def check(colver, over):
    """Compares the score of a finished deal."""
    if over["forfeited"]:
        return
    over["dealer"] = (over["auction"][0][0] - 1) % 4
    hands = [[], [], [], []]
    for who, card, _ in plays(over):
        hands[who].append(card)
    if over["contract"]:
        score = replay(colver, over, hands).rewards()
        if list(score) != over["score"]:
            raise ValueError(f"the rules differ: the score is {score} there, in {json.dumps(over)}")


def say(message):
    print(json.dumps(message), flush=True)


def main():
    parser = argparse.ArgumentParser(description="An agent of the package `colver` for the arena.")
    parser.add_argument("--bid", default="improved_v2", help="heuristic, improved, improved_v2, improved_v3, smart or maxi")
    parser.add_argument("--play", default="rule", help="rule, isdd, smart_ismcts or naive_ismcts; heuristic expects open hands")
    parser.add_argument("--worlds", type=int, default=20, help="worlds that isdd solves for a card [20]")
    parser.add_argument("--time-ms", type=int, default=0, help="time for the first card in place of --worlds; later ones take less")
    parser.add_argument("--check", action="store_true", help="compare the scores of all deals with those of the package")
    args = parser.parse_args()
    if args.play.endswith("ismcts") and not args.time_ms:
        parser.error(f"--play {args.play} needs --time-ms")
    import colver  # after the arguments, so that --help works without it

    spec = f"""[bid]
strategy = "{args.bid}"
[play]
method = "{args.play}"
time_ms = {args.time_ms}
determinizations = {args.worlds}
parallel = false
[worlds]
source = "uniform"
"""
    colver.Agent(spec, 0)  # an unknown name ends here
    spent = {"call": [], "play": []}
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            name = f"colver-{args.bid}-{args.play}"
            batch = {} if args.time_ms else {"batch": 256}
            wants = {"wants": ["over"]} if args.check else {}
            say({"type": "hello", "protocol": 1, "name": name, "version": colver.__version__, **batch, **wants})
        elif kind == "start":
            ready = {"type": "ready"}
            error = {"type": "error", "message": "colver plays the rules of the preset contree: --rules contree"}
            say(ready if message["preset"] == "contree" else error)
        elif kind in ("go", "batch"):
            for go in message.get("go", [message]):
                say({"type": "move", "id": go["id"], "move": decide(colver, spec, go, spent)})
        elif kind == "over":
            check(colver, message)
        elif kind == "quit":
            break
    for kind, times in spent.items():  # kept by the arena in stderr/
        if times:
            print(f"{kind}: {len(times)}, {1e3 * sum(times) / len(times):.4f} ms of processor time each", file=sys.stderr)


main()
