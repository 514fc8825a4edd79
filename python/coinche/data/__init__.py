"""What the arena wrote, as arrays: data sets of decisions, labels, records and tables.

    arena label --decisions --deals 100000 --seed 1 --table npy --out decisions

    parts = coinche.data.decisions("decisions")
    rows = parts[0][:1024]
    obs = coinche.data.unpack(rows["obs"])          # 1024 × 1344, 0 or 1
    legal = rows["values"] != coinche.data.NONE     # 1024 × 32 cards

`choices` reads what the network of the card player learns from (`arena train cards --rows`; `coinche.train` trains it), `labels`,
`load` the games of `arena label --games`, `records` and `table` what `arena label` and `arena run` write. Parquet and zstd need PyArrow: `pip install 'coinche[arrow]'`.
"""

from coinche.data._choices import Choices, choices
from coinche.data._decisions import NONE, decisions, unpack
from coinche.data._games import Games, load
from coinche.data._labels import labels
from coinche.data._records import record_array, records
from coinche.data._tables import table

__all__ = ["NONE", "Choices", "Games", "choices", "decisions", "labels", "load", "record_array", "records", "table", "unpack"]
