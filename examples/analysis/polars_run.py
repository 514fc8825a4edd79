#!/usr/bin/env python3
"""What the bots of a run bid and make, with Polars.

    pip install polars
    arena run rules table+rules --deals 2000 --records full --table parquet --out run
    python3 examples/analysis/polars_run.py run

Reads run/summary.parquet, a row per leg, and run/records.jsonl, a deal per line. docs/formats.md describes both.
"""

import sys
from pathlib import Path

import polars as pl


def contracts(run):
    """How often each bot declares, how high it bids, what it makes, and what that scores."""
    legs = pl.read_parquet(run / "summary.parquet").filter(pl.col("declarer").is_not_null())
    seats = pl.concat_list("bot0", "bot1", "bot2", "bot3")
    declarers = pl.col("declarer") % 2 == 0
    own, other = (pl.when(declarers).then(a).otherwise(b) for a, b in [("score0", "score1"), ("score1", "score0")])
    return (
        legs.with_columns(bot=seats.list.get(pl.col("declarer")), difference=own - other)
        .group_by("bot")
        .agg(
            contracts=pl.len(),
            coinched=(pl.col("stake") != "plain").mean(),
            made=pl.col("made").cast(pl.Float64).mean(),
            mean_difference=pl.col("difference").mean(),
        )
        .sort("bot")
    )


def opening_leads(run):
    """What a defender's opening lead is, and how many points the defence then takes."""
    schema = {
        "bots": pl.List(pl.String),
        "contract": pl.Struct({"bid": pl.String, "declarer": pl.Int64, "stake": pl.String}),
        "tricks": pl.List(pl.Struct({"leader": pl.Int64, "cards": pl.List(pl.String), "winner": pl.Int64})),
        "card_points": pl.List(pl.Int64),
    }
    deals = pl.read_ndjson(run / "records.jsonl", schema=schema).filter(pl.col("tricks").list.len() == 8)
    first = pl.col("tricks").list.first()
    leader, declarer = first.struct.field("leader"), pl.col("contract").struct.field("declarer")
    card = first.struct.field("cards").list.first()
    trump = pl.col("contract").struct.field("bid").str.slice(-1)
    lead = pl.when(card.str.slice(1) == trump).then(pl.lit("trump")).when(card.str.head(1) == "A")
    return (
        deals.filter(leader % 2 != declarer % 2)
        .with_columns(
            bot=pl.col("bots").list.get(leader),
            lead=lead.then(pl.lit("ace")).otherwise(pl.lit("other")),
            defence=pl.col("card_points").list.get(leader % 2),
        )
        .group_by("bot", "lead")
        .agg(leads=pl.len(), mean_points=pl.col("defence").mean())
        .sort("bot", "leads", descending=[False, True])
    )


if __name__ == "__main__":
    directory = Path(sys.argv[1] if len(sys.argv) > 1 else "run")
    with pl.Config(tbl_rows=-1, tbl_hide_dataframe_shape=True, float_precision=3):
        print("Contracts", contracts(directory), sep="\n")
        print("Opening leads of the defence", opening_leads(directory), sep="\n")
