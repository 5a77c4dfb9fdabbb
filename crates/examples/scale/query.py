#!/usr/bin/env python3
"""DataFusion queries the parts in SQL.

    query.py PARTS
"""

import argparse

import pyarrow as pa
from datafusion import SessionContext

QUESTIONS = {
    "How many positions, and how many are drawn?": """
        SELECT material, turn, count(*) AS positions,
               count(*) FILTER (WHERE "optimalDepth" = 'draw') AS drawn
        FROM parts GROUP BY material, turn ORDER BY material, turn""",
    "How often is Black mated at once, by what its king can do?": """
        SELECT material, "optimalDepth" AS depth, "kInCheck", "kCanMove", count(*) AS positions
        FROM parts WHERE turn = 'black' AND "optimalDepth" IN ('zero', 'one')
        GROUP BY material, "optimalDepth", "kInCheck", "kCanMove"
        ORDER BY material, depth DESC, "kInCheck", "kCanMove\"""",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", help="the folder that lucena dataset --partitions has written")
    asked = parser.parse_args()
    context = SessionContext()
    folders = [("material", pa.string()), ("turn", pa.string())]
    context.register_parquet("parts", asked.parts, table_partition_cols=folders)
    for question, sql in QUESTIONS.items():
        print(question)
        for row in context.sql(sql).to_pylist():
            print("  " + ", ".join(f"{name} {value}" for name, value in row.items()))


if __name__ == "__main__":
    main()
