#!/usr/bin/env python3
"""XGBoost learns boosted trees from the parts, one part in memory at a time.

    boost.py PARTS [--material KRvK] [--turn black]
"""

import argparse
import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import xgboost

CLASS = "optimalDepth"


class Parts(xgboost.DataIter):
    """The parts one after another, as often as XGBoost asks for them."""

    def __init__(self, files, classes):
        super().__init__()
        self.files, self.number = files, {name: number for number, name in enumerate(classes)}
        self.next_file = 0

    def reset(self):
        self.next_file = 0

    def next(self, input_data):
        if self.next_file == len(self.files):
            return False
        table = pq.read_table(self.files[self.next_file], partitioning=None)
        self.next_file += 1
        texts = [field.name for field in table.schema if str(field.type) == "string"]
        names = table[CLASS].combine_chunks().dictionary_encode()
        numbers = np.array([self.number[name] for name in names.dictionary.to_pylist()])
        label = numbers[names.indices.to_numpy()]
        input_data(data=table.drop_columns(texts).to_pandas(), label=label)
        return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", type=Path, help="the folder that lucena dataset --partitions has written")
    parser.add_argument("--material", default="KRvK")
    parser.add_argument("--turn", default="black", choices=["white", "black"])
    parser.add_argument("--rounds", type=int, default=20)
    asked = parser.parse_args()
    card = json.loads((asked.parts / f"_{asked.material}.croissant.json").read_text())
    [classes] = [part["data"] for part in card["recordSet"] if part["name"] == "classes"]
    classes = [record["classes/name"] for record in classes]
    folder = asked.parts / f"material={asked.material}" / f"turn={asked.turn}"
    parts = Parts(sorted(folder.glob("*.parquet")), classes)

    rows = xgboost.QuantileDMatrix(parts)
    asked_of_xgboost = {
        "objective": "multi:softmax", "num_class": len(classes), "max_depth": 6, "eta": 0.5, "seed": 1,
    }
    model = xgboost.train(asked_of_xgboost, rows, num_boost_round=asked.rounds)
    right = (model.predict(rows) == rows.get_label()).mean()
    print(
        f"XGBoost is right on {right:.1%} of {rows.num_row():,} positions of {asked.material}, {asked.turn} to"
        f" move, after {asked.rounds} rounds over {len(parts.files)} parts"
    )


if __name__ == "__main__":
    main()
