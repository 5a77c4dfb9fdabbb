#!/usr/bin/env python3
"""Partitioned data sets are read by query engines and learners, with the examples in crates/examples/scale.

    engines.py LUCENA

Spark, DataFusion and XGBoost must read all rows of both sides to move, and mlcroissant must agree with the card. The
tree that grows from DataFusion's counts must be that of `lucena learn`, byte for byte, whatever the number of parts.
Spark needs a Java runtime.
"""

import hashlib
import json
import logging
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import mlcroissant

EXAMPLES = Path(__file__).resolve().parents[2] / "crates" / "examples" / "scale"
# Positions up to symmetry, as published and as counted by others.
ROWS = {"white": 21_959, "black": 28_056}
DRAWN = {"white": 0, "black": 2_796}


def check(right, sentence):
    if not right:
        sys.exit(f"engines: {sentence}")


def run(*command):
    ran = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    check(ran.returncode == 0, f"{Path(command[1]).name} ends with {ran.returncode}: {ran.stderr.strip()}")
    return ran.stdout


def example(name, *arguments):
    return run(sys.executable, EXAMPLES / name, *arguments)


def dataset(lucena, *arguments):
    run(lucena, "dataset", *arguments)


def check_card(parts):
    logging.getLogger("absl").setLevel(logging.ERROR)
    card = mlcroissant.Dataset(jsonld=parts / "_KRvK.croissant.json")
    told = json.loads((parts / "_KRvK.croissant.json").read_text())
    for file in told["distribution"]:
        if "sha256" in file:
            found = hashlib.sha256((parts / file["contentUrl"]).read_bytes()).hexdigest()
            check(found == file["sha256"], f"the card has another sum of {file['name']}")
    records = list(card.records("rows"))
    text = lambda value: value.decode() if isinstance(value, bytes) else value
    turns = Counter(text(record["rows/turn"]) for record in records)
    check(turns == ROWS, f"the card's rows are {turns}")
    check({text(record["rows/material"]) for record in records} == {"KRvK"}, "the card's rows are not of KRvK")


def check_engines(parts):
    said = example("spark.py", parts)
    for turn, rows in ROWS.items():
        check(f"KRvK, {turn} to move: {rows:,} positions\n" in said, f"Spark says {said}")
    check("Spark's tree of depth 8 is right on " in said, f"Spark says {said}")
    answers = example("query.py", parts)
    for turn, rows in ROWS.items():
        line = f"material KRvK, turn {turn}, positions {rows}, drawn {DRAWN[turn]}"
        check(line in answers, f"DataFusion says {answers}")
    check("depth zero, kInCheck 1, kCanMove 0, positions 27" in answers, f"DataFusion says {answers}")
    boosted = example("boost.py", parts, "--rounds", "3")
    share = float(boosted.split("right on ")[1].split("%")[0])
    check(0.5 < share / 100 <= 1 and "28,056 positions" in boosted, f"XGBoost says {boosted}")
    return said.splitlines()[-1], boosted.strip()


def check_tree(lucena, folder, material, options, learned_with, *parts_of):
    learned = folder / f"{material}.learned.json"
    run(lucena, "learn", material, "--folds", "0", *learned_with, "--out", learned)
    expected = hashlib.sha256(learned.read_bytes()).hexdigest()
    for number in parts_of:
        parts = folder / f"{material}.{number}"
        if not parts.exists():
            dataset(lucena, material, "--partitions", number, *options, "--out", parts)
        grown = folder / f"{material}.{number}.json"
        example("tree.py", parts, "--material", material, *learned_with, "--out", grown)
        found = hashlib.sha256(grown.read_bytes()).hexdigest()
        check(found == expected, f"from {number} parts of {material} grows the tree {found}, not {expected}")
    return expected


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: engines.py LUCENA")
    lucena = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        parts = folder / "KRvK.4"
        dataset(lucena, "KRvK", "--partitions", "4", "--published", "2026-01-31", "--out", parts)
        check_card(parts)
        said = check_engines(parts)
        whole = check_tree(lucena, folder, "KRvK", [], [], 1, 4)
        # The upper levels of four men; the whole tree would take too long.
        upper = check_tree(lucena, folder, "KBNvK", ["--turn", "black"], ["--max-depth", "6"], 1, 4)
    print(*said, sep="\n")
    print(f"engines: the counts of 1 and of 4 parts give the trees {whole[:12]} of KRvK and {upper[:12]} of KBNvK")


if __name__ == "__main__":
    main()
