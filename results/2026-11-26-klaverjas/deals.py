"""One random deal for each of the 981,541 ways in which four suits of eight cards fall to four hands of eight."""
from itertools import product
from random import Random

RANKS, draw = "789TJQKA", Random(1)
SPLITS = [split for split in product(range(9), repeat=4) if sum(split) == 8]


def splits(suits, left):
    """How many cards of each suit each hand has, `left` being what they still need."""
    if suits == 1:
        yield (left,)
        return
    for split in SPLITS:
        rest = tuple(need - cards for need, cards in zip(left, split))
        if min(rest) >= 0:
            yield from ((split, *others) for others in splits(suits - 1, rest))


for split in splits(4, (8, 8, 8, 8)):
    hands = [[], [], [], []]
    for suit, cards in zip("CDHS", split):
        order, at = draw.sample(RANKS, 8), 0
        for hand, number in zip(hands, cards):
            hand += [rank + suit for rank in order[at : at + number]]
            at += number
    print(" | ".join(" ".join(hand) for hand in hands))
