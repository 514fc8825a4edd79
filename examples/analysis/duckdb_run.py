#!/usr/bin/env python3
"""What the bots of a run open and at which level contracts are made, in SQL with DuckDB.

    pip install duckdb
    arena run rules table+rules --deals 2000 --records full --table parquet --out run
    python3 examples/analysis/duckdb_run.py run

Reads run/summary.parquet, a row per leg, and run/records.jsonl, a deal per line. docs/formats.md describes both.
The queries work in the `duckdb` shell too, from the directory of the run.
"""

import os
import sys

import duckdb

LEVELS = """
    SELECT
        contract_value AS level,
        count(*) AS contracts,
        round(avg(made::INT), 3) AS made,
        round(avg(if(declarer % 2 = 0, score0 - score1, score1 - score0)), 1) AS mean_difference
    FROM 'summary.parquet'
    WHERE declarer IS NOT NULL
    GROUP BY level
    ORDER BY try_cast(level AS INT) NULLS LAST
"""

# A call is a list of a seat and a text, which only JSON holds; the first that is no pass opens.
OPENINGS = """
    WITH calls AS (
        SELECT deal, leg, bots, n,
               CAST(auction->>('$[' || n || '][0]') AS INT) AS seat,
               auction->>('$[' || n || '][1]') AS call
        FROM read_json('records.jsonl', format = 'newline_delimited', columns = {
            deal: 'BIGINT', leg: 'INT', bots: 'VARCHAR[]', auction: 'JSON'}), range(4) AS turns(n)
    ), openings AS (
        SELECT bots[seat + 1] AS bot, call AS opening
        FROM calls
        WHERE call NOT IN ('P', 'W')
        QUALIFY row_number() OVER (PARTITION BY deal, leg ORDER BY n) = 1
    ), counts AS (
        SELECT bot, opening, count(*) AS deals FROM openings GROUP BY bot, opening
    )
    SELECT * FROM counts
    QUALIFY row_number() OVER (PARTITION BY bot ORDER BY deals DESC, opening) <= 5
    ORDER BY bot, deals DESC, opening
"""

if __name__ == "__main__":
    os.chdir(sys.argv[1] if len(sys.argv) > 1 else "run")
    for title, query in [("Contracts by level", LEVELS), ("The five openings each bot makes most", OPENINGS)]:
        print(title)
        duckdb.sql(query).show()
