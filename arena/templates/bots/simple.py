#!/usr/bin/env python3
"""A bot for the arena in Python, with the standard library only.

    arena check-bot python3 examples/bots/simple.py
    arena run rules 'cmd:python3 examples/bots/simple.py'

Bids a suit by its trumps and aces, leads its highest card, follows with its lowest.
docs/protocol.md describes the protocol: one JSON object per line.
"""

import json
import sys

PLAIN, TRUMP = "789JQKTA", "78QKTA9J"  # low to high


def strength(card, trump):
    rank, suit = card
    return 10 + TRUMP.index(rank) if suit == trump else PLAIN.index(rank)


def call(go):
    if "P" not in go["legal"]:
        return go["legal"][0]
    hand = go["hand"].split()
    best, value = None, 0
    for suit in "CDHS":
        trumps = [card for card in hand if card[1] == suit]
        aces = sum(card[0] == "A" and card[1] != suit for card in hand)
        worth = 10 * len(trumps) + 10 * aces + 15 * ("J" + suit in hand) + 10 * ("9" + suit in hand)
        if worth > value:
            best, value = suit, worth
    if value >= 60:
        for legal in go["legal"]:  # the lowest bid in that suit; TAKE in the turn-up game
            bid = legal[:-1]
            if legal == "TAKE " + best or legal == "TAKE" and go["turned"][1] == best:
                return legal
            if legal[-1] == best and bid.isdigit() and int(bid) <= value + 20:
                return legal
    return "P"


def play(go):
    bid = go["contract"]["bid"]
    trump = bid[-1] if bid[-2:] not in ("SA", "TA") else None
    order = sorted(go["legal"], key=lambda card: strength(card, trump))
    return order[-1] if not go["trick"] else order[0]


def decide(go):
    if go["kind"] == "call":
        return call(go)
    if go["kind"] == "play":
        return play(go)
    return go["legal"][0]  # announce belotes, and the best melds


def say(message):
    print(json.dumps(message), flush=True)  # without the flush, the arena would wait for nothing


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "hello", "protocol": 1, "name": "simple.py", "author": "coinche", "batch": 256})
    elif message["type"] == "start":
        say({"type": "ready"})
    elif message["type"] == "batch":
        for go in message["go"]:  # a line for each answer: slow decisions do not add up to a timeout
            say({"type": "move", "id": go["id"], "move": decide(go)})
    elif message["type"] == "quit":
        break
