# %% [markdown]
# # Ten questions on a data set of games, in SQL (DuckDB) and in Polars
#
#     pip install duckdb polars
#     arena label --games --by table+rules --by rules --deals 1000 --seed 1 --out games
#     python3 examples/analysis/ten_questions.py games
#
# Each is answered twice, and the answers are compared. The cells open in Jupyter and in editors that know the percent format.
# `docs/labels.md` describes the three tables; `legs` has the columns of `summary.parquet` of a run.

# %%
import pathlib
import sys

import duckdb
import polars as pl

HERE = pathlib.Path(__file__).parent if "__file__" in globals() else pathlib.Path()
PLACE = pathlib.Path(sys.argv[1] if len(sys.argv) == 2 else HERE / "../../results/2026-11-26-games")

for table in ("deals", "legs", "choices"):
    duckdb.sql(f"CREATE OR REPLACE VIEW {table} AS FROM '{PLACE}/{table}-*.parquet'")
deals, legs, choices = (pl.read_parquet(f"{PLACE}/{table}-*.parquet") for table in ("deals", "legs", "choices"))

# %% [markdown]
# Three views: a row for each deal with both legs, the declaring side of each leg, and the decisions with what they lost.

# %%
duckdb.sql("""
CREATE OR REPLACE VIEW pairs AS
SELECT deal, one.bot0 AS a, one.bot1 AS b,
       one.score0 AS a_score0, one.score1 AS b_score0, two.score1 AS a_score1, two.score0 AS b_score1,
       one.contract_value || one.strain AS contract0, two.contract_value || two.strain AS contract1,
       (one.score0 - one.score1 + two.score1 - two.score0) / 2 AS difference
FROM legs AS one JOIN legs AS two USING (deal) WHERE one.leg = 0 AND two.leg = 1;

CREATE OR REPLACE VIEW declared AS
SELECT *, [bot0, bot1, bot2, bot3][declarer + 1] AS bot, if(declarer % 2 = 0, score0 - score1, score1 - score0) AS gained
FROM legs WHERE declarer IS NOT NULL;

CREATE OR REPLACE VIEW decisions AS
SELECT deal, leg, decision, any_value(trick) AS trick, any_value([bot0, bot1, bot2, bot3][seat + 1]) AS bot,
       max(choice) FILTER (taken) AS choice, max(value) - max(value) FILTER (taken) AS lost, any_value(strain) AS strain
FROM choices JOIN legs USING (deal, leg) GROUP BY deal, leg, decision;
""")

one, two = (legs.filter(pl.col("leg") == leg) for leg in (0, 1))
contract = pl.concat_str("contract_value", "strain")
pairs = one.select("deal", a="bot0", b="bot1", a_score0="score0", b_score0="score1", contract0=contract).join(
    two.select("deal", a_score1="score1", b_score1="score0", contract1=contract), on="deal"
).with_columns(difference=(pl.col("a_score0") - pl.col("b_score0") + pl.col("a_score1") - pl.col("b_score1")) / 2)
more = pl.col("score0") - pl.col("score1")
bots = pl.concat_list("bot0", "bot1", "bot2", "bot3")
declared = legs.filter(pl.col("declarer").is_not_null()).with_columns(
    bot=bots.list.get(pl.col("declarer")), gained=pl.when(pl.col("declarer") % 2 == 0).then(more).otherwise(-more)
)
decisions = choices.join(legs.select("deal", "leg", "strain", bots=bots), on=["deal", "leg"]).group_by("deal", "leg", "decision").agg(
    pl.col("trick").first(),
    pl.col("bots").first().list.get(pl.col("seat").first()).alias("bot"),
    pl.col("choice").filter("taken").first(),
    (pl.col("value").max() - pl.col("value").filter("taken").first()).alias("lost"),
    pl.col("strain").first(),
)
ANSWERS = []


def ask(question, query, frame):
    """Shows the answer of DuckDB, which must be that of Polars."""
    answer = duckdb.sql(query).pl()
    numbers = pl.selectors.numeric()
    same = [table.with_columns(numbers.cast(pl.Float64).round(6)) for table in (answer, frame.select(answer.columns))]
    assert same[0].equals(same[1]), f"{question}: DuckDB and Polars differ\n{same[0]}\n{same[1]}"
    ANSWERS.append(answer)
    with pl.Config(tbl_rows=-1, tbl_cols=-1, tbl_hide_dataframe_shape=True, tbl_hide_column_data_types=True, float_precision=2):
        print(f"{len(ANSWERS)}. {question}\n{answer}")


# %%
spread = pl.col("difference").std() * 1.96 / pl.len().sqrt()
ask(
    "Which bot is better, and how sure is that?",
    "SELECT a, b, count(*) AS deals, avg(difference) AS a_more, 1.96 * stddev(difference) / sqrt(count(*)) AS half_width FROM pairs GROUP BY a, b",
    pairs.group_by("a", "b").agg(deals=pl.len(), a_more=pl.col("difference").mean(), half_width=spread),
)
# %%
ask(
    "What do two legs of a deal save? (variance of a leg, and of a pair as if it were independent legs)",
    """SELECT var_samp(leg) AS of_leg, 2 * any_value(of_pair) AS of_pair FROM
       (SELECT unnest([a_score0 - b_score0, a_score1 - b_score1]) AS leg FROM pairs), (SELECT var_samp(difference) AS of_pair FROM pairs)""",
    pl.DataFrame({
        "of_leg": [pl.concat([pairs["a_score0"] - pairs["b_score0"], pairs["a_score1"] - pairs["b_score1"]]).var()],
        "of_pair": [2 * pairs["difference"].var()],
    }),
)
# %%
results = {"contracts": pl.len(), "made": pl.col("made").cast(pl.Float64).mean(), "gained": pl.col("gained").mean()}
ask(
    "How high do contracts go, and what do they bring?",
    """SELECT contract_value AS level, count(*) AS contracts, avg(made::INT) AS made, avg(gained) AS gained
       FROM declared GROUP BY level ORDER BY level""",
    declared.group_by(level="contract_value").agg(**results).sort("level"),
)
# %%
ask(
    "What does each bot declare?",
    "SELECT bot, count(*) AS contracts, avg(made::INT) AS made, avg(gained) AS gained FROM declared GROUP BY bot ORDER BY bot",
    declared.group_by("bot").agg(**results).sort("bot"),
)
# %%
exact = {"C": "c", "D": "d", "H": "h", "S": "s", "SA": "sa", "TA": "ta"}
points = pl.coalesce(pl.when(pl.col("strain") == strain).then(pl.col(column)) for strain, column in exact.items()).cast(pl.Int64)
ask(
    "How many card points do declarers take, and how many would they double dummy?",
    """SELECT strain, count(*) AS contracts, avg(if(declarer % 2 = 0, card_points0, card_points1)) AS taken,
              avg(if(declarer % 2 = 0, points, card_points0 + card_points1 - points)) AS double_dummy
       FROM (SELECT *, CASE strain WHEN 'C' THEN c WHEN 'D' THEN d WHEN 'H' THEN h WHEN 'S' THEN s WHEN 'SA' THEN sa ELSE ta END::INT AS points
             FROM declared JOIN deals USING (deal))
       GROUP BY strain ORDER BY strain""",
    declared.join(deals, on="deal").with_columns(points=points, own=pl.col("declarer") % 2 == 0).group_by("strain").agg(
        contracts=pl.len(),
        taken=pl.when("own").then("card_points0").otherwise("card_points1").mean(),
        double_dummy=pl.when("own").then("points").otherwise(pl.col("card_points0") + pl.col("card_points1") - pl.col("points")).mean(),
    ).sort("strain"),
)
# %%
opening = decisions.filter(pl.col("trick") == 0, pl.col("choice") != "P").sort("deal", "leg", "decision").unique(["deal", "leg"], keep="first")
ask(
    "What does each bot open most?",
    """WITH openings AS (
           SELECT bot, choice AS opening FROM decisions WHERE trick = 0 AND choice <> 'P'
           QUALIFY row_number() OVER (PARTITION BY deal, leg ORDER BY decision) = 1)
       SELECT bot, opening, count(*) AS deals FROM openings GROUP BY bot, opening
       QUALIFY row_number() OVER (PARTITION BY bot ORDER BY deals DESC, opening) <= 3 ORDER BY bot, deals DESC, opening""",
    opening.group_by("bot", opening="choice").agg(deals=pl.len()).sort("bot", "deals", "opening", descending=[False, True, False])
    .group_by("bot", maintain_order=True).head(3),
)
# %%
kind = pl.when(pl.col("choice") == "P").then(pl.lit("pass")).when(pl.col("choice").is_in(["X", "XX"])).then(pl.lit("coinche")).otherwise(pl.lit("bid"))
ask(
    "How much do calls lose, compared with the best one?",
    """SELECT bot, CASE choice WHEN 'P' THEN 'pass' WHEN 'X' THEN 'coinche' WHEN 'XX' THEN 'coinche' ELSE 'bid' END AS call,
              count(*) AS calls, avg(lost) AS lost
       FROM decisions WHERE trick = 0 GROUP BY bot, call ORDER BY bot, call""",
    decisions.filter(pl.col("trick") == 0).group_by("bot", kind.alias("call")).agg(calls=pl.len(), lost=pl.col("lost").mean()).sort("bot", "call"),
)
# %%
ask(
    "In which trick do cards lose most?",
    """SELECT trick, sum(lost) / (SELECT count(DISTINCT (deal, leg)) FROM declared) AS lost_in_a_leg, avg((lost > 0)::INT) AS wrong
       FROM decisions WHERE trick > 0 GROUP BY trick ORDER BY trick""",
    decisions.filter(pl.col("trick") > 0).group_by("trick")
    .agg(lost_in_a_leg=pl.col("lost").sum() / len(declared), wrong=(pl.col("lost") > 0).mean()).sort("trick"),
)
# %%
led = decisions.filter(pl.col("trick") == 1).sort("deal", "leg", "decision").unique(["deal", "leg"], keep="first").with_columns(
    led=pl.when(pl.col("choice").str.slice(1) == pl.col("strain")).then(pl.lit("trump"))
    .when(pl.col("choice").str.head(1) == "A").then(pl.lit("ace")).otherwise(pl.lit("other"))
)
ask(
    "What is led to the first trick, and what does that lose?",
    """WITH leads AS (
           SELECT * FROM decisions WHERE trick = 1 QUALIFY row_number() OVER (PARTITION BY deal, leg ORDER BY decision) = 1)
       SELECT bot, CASE WHEN choice[2:] = strain THEN 'trump' WHEN choice[1] = 'A' THEN 'ace' ELSE 'other' END AS led,
              count(*) AS leads, avg(lost) AS lost
       FROM leads GROUP BY bot, led ORDER BY bot, led""",
    led.group_by("bot", "led").agg(leads=pl.len(), lost=pl.col("lost").mean()).sort("bot", "led"),
)
# %%
hearts = (((pl.col("hand0") | pl.col("hand2")) // 65536) % 256).bitwise_count_ones()
ask(
    "What do seats 0 and 2 take with hearts as trumps, by how many they hold?",
    """SELECT bit_count((hand0 | hand2) >> 16 & 255) AS trumps, count(*) AS deals, avg(h) AS points, avg((slams02 >> 2 & 1)::INT) AS slam
       FROM deals GROUP BY trumps ORDER BY trumps""",
    deals.group_by(trumps=hearts)
    .agg(deals=pl.len(), points=pl.col("h").mean(), slam=(pl.col("slams02") // 4 % 2).mean()).sort("trumps"),
)
