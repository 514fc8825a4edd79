"""What the arena wrote, as arrays: data sets of decisions, labels, records and tables.

    arena label --decisions --deals 100000 --seed 1 --table npy --out decisions

    parts = coinche.data.decisions("decisions")
    rows = parts[0][:1024]
    obs = coinche.data.unpack(rows["obs"])          # 1024 × 1344, 0 or 1
    legal = rows["values"] != coinche.data.NONE     # 1024 × 32 cards

`labels`, `records` and `table` read what `arena label` and `arena run` write. Parquet and zstd need PyArrow:
`pip install 'coinche[arrow]'`.
"""

from coinche.data._decisions import NONE, decisions, unpack
from coinche.data._labels import labels
from coinche.data._records import record_array, records
from coinche.data._tables import table

__all__ = ["NONE", "decisions", "labels", "record_array", "records", "table", "unpack"]
