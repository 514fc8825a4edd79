#!/usr/bin/env python3
"""Open every table in some directories in Polars, DuckDB and pandas, and compare types with docs/user/data.md.

    pip install -r examples/analysis/requirements.txt
    arena stats --deals 200 --csv numbers --parquet numbers
    python3 examples/analysis/check_tables.py 'arena stats' numbers

The first argument is a command of the page, the others are directories. Parquet must have the types of the page in all
three programs. From CSV the same values must come, given the types.
"""

import pathlib
import re
import sys

import duckdb
import pandas
import polars

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "user" / "data.md"
HEADINGS = {"Text": "text", "Integers": "integer", "Fractions": "fraction", "Numbers": "number", "Flags": "flag"}
POLARS = {
    "text": polars.String,
    "integer": polars.Int64,
    "number": polars.Float64,
    "fraction": polars.Float64,
    "flag": polars.Boolean,
}
DUCKDB = {"text": "VARCHAR", "integer": "BIGINT", "number": "DOUBLE", "fraction": "DOUBLE", "flag": "BOOLEAN"}
# Of whole numbers and flags with missing values pandas makes other types.
PANDAS = {
    "text": {"str", "object"},
    "integer": {"int64", "float64", "object"},
    "number": {"float64", "object"},
    "fraction": {"float64", "object"},
    "flag": {"bool", "object"},
}


def dictionary(command):
    """The columns with their types, by table of one command."""
    lists, command = {}, command.removeprefix("arena ")
    page = PAGE.read_text(encoding="utf-8")
    tables, rest = page.split("\n## Columns\n")
    columns, _ = rest.split("\n## Records")
    here, names = None, []
    for line in tables.splitlines():
        if line.startswith("### "):
            here = line.strip("# `").removeprefix("arena ")
        elif line.startswith("- `"):
            names = re.findall("`([^`]*)`", line.split(": ")[0])
        elif line.startswith("  `") and here == command:
            lists.update({name: line.strip("` ").split() for name in names})
    # A column has one meaning everywhere, or one in the tables that are named and another one elsewhere.
    kinds, kind = {}, ""
    for line in columns.splitlines():
        if line.startswith("### "):
            kind = HEADINGS[line[4:]]
        elif line.startswith("- `"):
            head = line.split(": ")[0]
            head, _, places = head.partition(" in `")
            places = re.findall("`([^`]*)`", "`" + places) if places else [""]
            kinds.update({(name, place): kind for name in re.findall("`([^`]*)`", head) for place in places})

    def kind_of(table, name):
        places = [f"{command} {table}", table, ""]
        return next(kinds[name, place] for place in places if (name, place) in kinds)

    return {table: types(names, lambda name, table=table: kind_of(table, name)) for table, names in lists.items()}


def types(names, kind_of):
    """The columns of files: three of one that has an interval."""
    columns, alone = {}, sum(name.endswith("±") for name in names) == 1
    for name in names:
        plain = name.removesuffix("±")
        columns[plain] = kind_of(plain)
        if plain != name:
            columns.update({end if alone else f"{plain}_{end}": columns[plain] for end in ("low", "high")})
    return columns


def check(tables, path):
    """Opens one table in its two forms."""
    name = re.sub(r"^run\d+-|-\d+$", "", path.stem)
    columns = tables[name]
    frame = polars.read_parquet(path)
    assert dict(frame.schema) == {column: POLARS[kind] for column, kind in columns.items()}, path
    table = duckdb.sql(f"SELECT * FROM '{path}'")
    assert table.columns == list(columns), path
    assert [str(kind) for kind in table.types] == [DUCKDB[kind] for kind in columns.values()], path
    assert table.fetchall() == frame.rows(), path
    data = pandas.read_parquet(path)
    assert list(data.columns) == list(columns) and len(data) == frame.height, path
    for column, kind in columns.items():
        assert str(data[column].dtype) in PANDAS[kind], (path, column, data[column].dtype)

    csv = path.with_suffix(".csv")
    csv = csv if csv.exists() else path.parent.parent / "csv" / csv.name
    text = polars.read_csv(csv, schema_overrides=dict(frame.schema))
    texts = [column for column, kind in columns.items() if kind == "text"]
    assert text.equals(frame.with_columns(polars.col(texts).replace("", None))), csv
    types = ", ".join(f"'{column}': '{DUCKDB[kind]}'" for column, kind in columns.items())
    rows = duckdb.sql(f"SELECT * FROM read_csv('{csv}', header = true, columns = {{{types}}})")
    assert len(rows.fetchall()) == frame.height, csv
    assert len(pandas.read_csv(csv)) == frame.height, csv
    # What readers guess: the same, unless a column is empty or its texts are all digits.
    guessed = polars.read_csv(csv, infer_schema_length=None)
    return sum(guessed.schema[column] != kind for column, kind in frame.schema.items() if frame.height > 0)


def main(command, *directories):
    tables = dictionary(command)
    paths = [path for directory in directories for path in sorted(pathlib.Path(directory).glob("*.parquet"))]
    assert tables and paths, "no such heading on the page, or no tables there"
    others = sum(check(tables, path) for path in paths)
    print(f"{len(paths)} tables of {command} open in Polars, DuckDB and pandas; types that CSV readers guess otherwise: {others}")


if __name__ == "__main__":
    main(*sys.argv[1:])
