#!/usr/bin/env python3
"""The tree of `lucena learn`, grown from counts that DataFusion computes.

    tree.py PARTS [--material KRvK] [--max-depth N] --out cart.json

The tests of a tree depend only on the number of rows with each value and class in a node. DataFusion counts them
for all nodes of a level at once, in one GROUP BY, and returns only the counts. The rows may be spread over any
number of parts, files and machines: the counts are the same, and so is the tree, byte for byte.

The choice is that of lucena's `cart`: the threshold that leaves the least entropy; among equal ones the first
attribute, then the lowest threshold. Entropies are integers, n log n in units of 2^-24, so that the order of
addition does not matter. They count as equal if they differ by no more than their rounding.
"""

import argparse
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
from datafusion import SessionContext

CLASS = "optimalDepth"
ROUNDING = 1024
# No tree of lucena has a longer path.
MAX_DEPTH = 256


@dataclass
class Node:
    """A leaf, until it is split; then it has an attribute, a threshold and two children."""

    leaf: int
    attribute: int = -1
    at_most: int = -1
    below: int = -1
    above: int = -1


def told_by_card(parts, material):
    """The attributes and the classes, in order."""
    card = json.loads((parts / f"_{material}.croissant.json").read_text())
    attributes = [
        {
            "name": column["name"],
            "low": column["minValue"],
            "high": column["maxValue"],
            "meaning": column["description"],
        }
        for column in card["variableMeasured"]
    ]
    [classes] = [part["data"] for part in card["recordSet"] if part["name"] == "classes"]
    return attributes, [record["classes/name"] for record in classes]


def sha256_of_csv(files):
    """The SHA-256 of the rows as csv, part by part: it identifies the data that a tree was learned from."""

    class Sum:
        closed = False

        def __init__(self):
            self.hasher = hashlib.sha256()

        def write(self, text):
            self.hasher.update(text)
            return len(text)

        def flush(self):
            pass

    sums = Sum()
    names = pq.read_schema(files[0]).names
    sums.write((",".join(names) + "\n").encode())
    plain = pa.csv.WriteOptions(include_header=False, quoting_style="none")
    for file in files:
        for batch in pq.ParquetFile(file).iter_batches():
            pa.csv.write_csv(batch, pa.PythonFile(sums, mode="w"), plain)
    return sums.hasher.hexdigest()


class Counter:
    """The rows, each with the node of the tree that it has reached."""

    def __init__(self, folder, attributes, classes):
        self.names = [attribute["name"] for attribute in attributes]
        self.context = SessionContext()
        self.context.register_parquet("parts", str(folder))
        known = pa.table({"class": pa.array(range(len(classes)), pa.uint8()), "name": classes})
        self.context.register_record_batches("classes", [known.to_batches()])
        columns = ", ".join(f'"{name}"' for name in self.names)
        self.keep(f"""
            SELECT {columns}, class, CAST(0 AS INT) AS node
            FROM parts JOIN classes ON parts."{CLASS}" = classes.name""")

    def keep(self, sql):
        self.context.register_record_batches("level", [self.context.sql(sql).collect()])

    def counts(self):
        """The number of rows for each node, attribute, value and class."""
        values = " UNION ALL ".join(
            f'SELECT node, {number} AS attribute, "{name}" AS value, class FROM level'
            for number, name in enumerate(self.names)
        )
        table = self.context.sql(f"""
            SELECT node, attribute, value, class, count(*) AS number FROM ({values})
            GROUP BY node, attribute, value, class""").to_arrow_table()
        return {name: table[name].to_numpy().astype(np.int64) for name in table.column_names}

    def divide(self, numbers, nodes):
        """Sends the rows of split nodes to their children, and drops the rows of leaves."""
        fields = ["attribute", "at_most", "below", "above"]
        divided = {name: pa.array([getattr(nodes[n], name) for n in numbers], pa.int32()) for name in fields}
        divided = pa.table({"parent": pa.array(numbers, pa.int32()), **divided})
        self.context.deregister_table("divided")
        self.context.register_record_batches("divided", [divided.to_batches()])
        value = " ".join(f'WHEN {number} THEN "{name}"' for number, name in enumerate(self.names))
        columns = ", ".join(f'"{name}"' for name in self.names)
        children = self.context.sql(f"""
            SELECT {columns}, class, CASE WHEN CASE attribute {value} END <= at_most THEN below ELSE above END AS node
            FROM level JOIN divided ON level.node = divided.parent""").collect()
        self.context.deregister_table("level")
        self.context.register_record_batches("level", [children])


def n_log_n(numbers):
    numbers = numbers.astype(np.float64)
    logs = np.log2(numbers, out=np.zeros_like(numbers), where=numbers > 0)
    return np.floor(numbers * logs * 2.0**24 + 0.5).astype(np.int64)


def best_thresholds(counts, place, nodes, attributes, classes):
    """The attribute and threshold of the best split of each node, -1 if there is no split."""
    shape = (nodes, 0, classes)
    best = np.full(nodes, np.iinfo(np.int64).max)
    chosen = np.full((nodes, 2), -1)
    for number, attribute in enumerate(attributes):
        shape = (nodes, attribute["high"] + 1, classes)
        mine = counts["attribute"] == number
        table = np.zeros(shape, np.int64)
        table[place[mine], counts["value"][mine], counts["class"][mine]] = counts["number"][mine]
        below = table.cumsum(axis=1)
        above = below[:, -1:, :] - below
        rows_below, rows_above = below.sum(axis=2), above.sum(axis=2)
        remaining = n_log_n(rows_below) + n_log_n(rows_above)
        remaining -= n_log_n(below).sum(axis=2) + n_log_n(above).sum(axis=2)
        divides = (table.sum(axis=2) > 0) & (rows_above > 0)
        for value in range(attribute["high"]):
            none_yet = chosen[:, 0] < 0
            better = divides[:, value] & (none_yet | (remaining[:, value] < best - ROUNDING))
            best[better] = remaining[better, value]
            chosen[better] = number, value
    return chosen


def grow(counter, attributes, classes, max_depth):
    nodes, level = [Node(leaf=0)], [0]
    for depth in range(MAX_DEPTH + 1):
        counts = counter.counts()
        place = np.searchsorted(level, counts["node"])
        of_class = np.zeros((len(level), len(classes)), np.int64)
        first = counts["attribute"] == 0
        np.add.at(of_class, (place[first], counts["class"][first]), counts["number"][first])
        for number, majority in zip(level, of_class.argmax(axis=1)):
            nodes[number].leaf = int(majority)
        if depth in (max_depth, MAX_DEPTH):
            break
        is_mixed = (of_class > 0).sum(axis=1) > 1
        divided = []
        chosen = best_thresholds(counts, place, len(level), attributes, len(classes))
        for number, mixed, (attribute, at_most) in zip(level, is_mixed, chosen.tolist()):
            if mixed and attribute >= 0:
                node = nodes[number]
                node.attribute, node.at_most = attribute, at_most
                node.below, node.above = len(nodes), len(nodes) + 1
                nodes += [Node(leaf=0), Node(leaf=0)]
                divided.append(number)
        if not divided:
            break
        counter.divide(divided, nodes)
        level = [child for number in divided for child in (nodes[number].below, nodes[number].above)]
    return nodes


def to_json(head, nodes):
    """The nodes in depth-first order, one per line, as lucena writes them."""
    sizes = [1] * len(nodes)
    # Children come after their parents.
    for number in reversed(range(len(nodes))):
        if nodes[number].attribute >= 0:
            sizes[number] += sizes[nodes[number].below] + sizes[nodes[number].above]
    lines, open_nodes = [], [0]
    while open_nodes:
        node = nodes[open_nodes.pop()]
        if node.attribute < 0:
            lines.append({"class": node.leaf})
            continue
        below = len(lines) + 1
        above = below + sizes[node.below]
        lines.append({"attribute": node.attribute, "at_most": node.at_most, "below": below, "above": above})
        open_nodes += [node.above, node.below]
    head = json.dumps(head, indent=2, ensure_ascii=False).removesuffix("\n}")
    body = ",\n".join(json.dumps(line, separators=(",", ":")) for line in lines)
    return f'{head},\n  "nodes": [\n{body}\n  ]\n}}\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", type=Path, help="the folder that lucena dataset --partitions has written")
    parser.add_argument("--material", default="KRvK")
    parser.add_argument("--max-depth", type=int)
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    attributes, classes = told_by_card(asked.parts, asked.material)
    folder = asked.parts / f"material={asked.material}" / "turn=black"
    files = sorted(folder.glob("*.parquet"))
    texts = [field.name for field in pq.read_schema(files[0]) if str(field.type) == "string"]
    if texts != [CLASS]:
        parser.error(f"{texts[0]} is text, and has no thresholds: write the parts with --attributes geometric")
    nodes = grow(Counter(folder, attributes, classes), attributes, classes, asked.max_depth)
    head = {
        "format": 2,
        "material": asked.material,
        "attributes": attributes,
        "classes": classes,
        "learner": "cart",
        "parameters": {
            "criterion": "entropy",
            "max_depth": "none" if asked.max_depth is None else str(asked.max_depth),
            "min_rows": "2",
        },
        "dataset_sha256": sha256_of_csv(files),
    }
    text = to_json(head, nodes)
    asked.out.write_text(text, newline="\n")
    leaves = sum(node.attribute < 0 for node in nodes)
    print(f"{asked.material}: {leaves:,} leaves from {len(files)} parts, tree sha256 {hashlib.sha256(text.encode()).hexdigest()}")


if __name__ == "__main__":
    main()
