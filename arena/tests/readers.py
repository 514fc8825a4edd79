"""Loads the table of a run in DuckDB and Polars, as CSV, as compressed CSV and as Parquet, and compares.

    pip install duckdb polars
    arena run rules random:pass=0.6 --rules coinche-melds --deals 20000 --seed 1 --out a
    arena run rules random:pass=0.6 --rules coinche-melds --deals 20000 --seed 1 --table csv.zst --out b
    arena run rules random:pass=0.6 --rules coinche-melds --deals 20000 --seed 1 --table parquet --out c
    python readers.py a/summary.csv b/summary.csv.zst c/summary.parquet

Names, types and rows must be the same from every form and in both programs.
"""

import sys

import duckdb
import polars


def main(csv, compressed, parquet):
    sources = {
        "csv": f"read_csv('{csv}')",
        "csv.zst": f"read_csv('{compressed}', compression='zstd')",
        "parquet": f"read_parquet('{parquet}')",
    }
    seen = {}
    for form, source in sources.items():
        table = duckdb.sql(f"SELECT * FROM {source}")
        types = list(zip(table.columns, map(str, table.types)))
        seen[form] = (types, table.order("ALL").fetchall())
    for form in sources:
        assert seen[form] == seen["csv"], f"DuckDB reads {form} otherwise"
    for name, kind in seen["csv"][0]:
        print(f"{name:16}{kind}")
    frames = {
        "csv": polars.read_csv(csv),
        "csv.zst": polars.read_csv(compressed),
        "parquet": polars.read_parquet(parquet),
    }
    for form, frame in frames.items():
        assert frame.schema == frames["csv"].schema, f"Polars has other types from {form}: {frame.schema}"
        assert frame.equals(frames["csv"]), f"Polars reads {form} otherwise"
    rows = len(seen["csv"][1])
    assert frames["csv"].height == rows
    print(f"{rows} rows: equal in DuckDB {duckdb.__version__} and Polars {polars.__version__}")


if __name__ == "__main__":
    main(*sys.argv[1:4])
