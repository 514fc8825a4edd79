"""Shares of the variance that covariates explain: `python3 control.py LABELS.csv RUN JUDGED.csv [RUN JUDGED.csv …]`.

LABELS.csv is a part of `arena label`, RUN a directory of `arena run --records full` on the same deals, JUDGED.csv
the table of `arena judge RUN --csv`.
"""

import csv
import sys
from collections import defaultdict


def explained(rows, y):
    """R² and coefficients of the least squares of y on rows, with a constant."""
    rows = [[1.0, *row] for row in rows]
    k = len(rows[0])
    m = [[sum(r[i] * r[j] for r in rows) for j in range(k)] + [sum(r[i] * t for r, t in zip(rows, y))] for i in range(k)]
    for i in range(k):
        p = max(range(i, k), key=lambda r: abs(m[r][i]))
        m[i], m[p] = m[p], m[i]
        if abs(m[i][i]) < 1e-9:  # the same for every deal: it explains nothing
            m[i] = [float(j == i) for j in range(k)] + [0.0]
        for r in range(k):
            if r != i:
                f = m[r][i] / m[i][i]
                m[r] = [a - f * b for a, b in zip(m[r], m[i])]
    b = [m[i][k] / m[i][i] for i in range(k)]
    mean = sum(y) / len(y)
    left = sum((t - sum(c * x for c, x in zip(b, r))) ** 2 for r, t in zip(rows, y))
    return 1 - left / sum((t - mean) ** 2 for t in y), b


def sd(y):
    mean = sum(y) / len(y)
    return (sum((t - mean) ** 2 for t in y) / (len(y) - 1)) ** 0.5


def main(labels, *runs):
    points = {}  # by deal: what seats 0 and 2 take in each strain
    for row in csv.DictReader(open(labels)):
        points[int(row["deal"])] = [int(row[s]) for s in ("c", "d", "h", "s", "sa", "ta")]
    for run, judged in zip(runs[::2], runs[1::2]):
        score, lost = defaultdict(dict), defaultdict(int)
        for row in csv.DictReader(open(run + "/summary.csv")):
            leg = int(row["leg"])
            difference = int(row["score0"]) - int(row["score1"])
            score[int(row["deal"])][leg] = difference if leg == 0 else -difference
        for row in csv.DictReader(open(judged)):
            leg = int(row["leg"])
            side = 1 if int(row["seat"]) % 2 == leg else -1  # of A
            lost[int(row["deal"]), leg] += side * int(row["loss_score"] or 0)
        pair, solved, leg, leg_solved, odd, even = [], [], [], [], [], []
        for deal, (a, b) in sorted((deal, (s[0], s[1])) for deal, s in score.items()):
            # The law of the judge: what was made and what each side lost are the value at the start.
            va, vb = a + lost[deal, 0], b + lost[deal, 1]
            pair.append((a + b) / 2)
            solved.append([(va + vb) / 2])
            leg.append(a)
            leg_solved.append([va])
            best, other = max(points[deal]), 162 - min(points[deal])
            odd.append([best - other, sum(points[deal])])
            even.append([abs(best - other), max(best, other), min(best, other)])
        print(f"{run}: {len(pair)} deals, sd of a pair {sd(pair):.1f}, of a leg {sd(leg):.1f}")
        print(f"  worth of pairing: {sd(leg) ** 2 / 2 / sd(pair) ** 2:.2f} times the legs")
        print(f"  pair on the solved strains of the deal: R2 {explained(even, pair)[0]:.4f}")
        print(f"  pair on the solved contracts: R2 {explained(solved, pair)[0]:.3f}")
        print(f"  leg on the solved strains of the deal: R2 {explained(odd, leg)[0]:.3f}")
        print(f"  leg on the solved contract: R2 {explained(leg_solved, leg)[0]:.3f}")


main(*sys.argv[1:])
