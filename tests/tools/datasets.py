#!/usr/bin/env python3
"""Data sets are read by the programs that their formats are for.

    datasets.py LUCENA

pandas reads csv, pyarrow reads Parquet, scikit-learn reads LIBSVM's format, scipy reads ARFF,
mlcroissant reads the cards, and the rows through them. All must get the same rows, values and classes.
"""

import hashlib
import json
import logging
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path

import mlcroissant
import numpy as np
import pandas as pd
import pyarrow.parquet as pq
from scipy.io import arff
from sklearn.datasets import load_svmlight_file
from sklearn.model_selection import PredefinedSplit
from sklearn.tree import DecisionTreeClassifier

CLASS = "optimalDepth"
ROWS = 28_056
# The hash of krkopt.data by UCI.
KRKOPT = "497b61d20d3d9e2ce310f9f4d2ca92dbdb0691d9e449d983ec6f7baf387dc7a9"


def check(right, sentence):
    if not right:
        sys.exit(f"datasets: {sentence}")


def write(lucena, folder, name, *options):
    path = folder / name
    subprocess.run(
        [lucena, "dataset", *options, "--out", path], check=True, stderr=subprocess.DEVNULL
    )
    return path


def card_of(path):
    card = path.with_name(path.name + ".croissant.json")
    text = json.loads(card.read_text())
    [file] = text["distribution"]
    check(file["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest(), f"{card}: wrong sum")
    check(file["contentSize"] == f"{path.stat().st_size} B", f"{card}: wrong size")
    return card, text


class Warnings(logging.Handler):
    def __init__(self):
        super().__init__(logging.WARNING)
        self.said = []

    def emit(self, record):
        self.said.append(record.getMessage())


def read_card(path, frame=None, most=1_000):
    """The data set of a card by mlcroissant, and its first rows if Croissant can describe how to read them."""
    card, text = card_of(path)
    warnings = Warnings()
    logging.getLogger("absl").addHandler(warnings)
    try:
        dataset = mlcroissant.Dataset(jsonld=card)
    except mlcroissant.ValidationError as error:
        sys.exit(f"datasets: {card}: {error}")
    finally:
        logging.getLogger("absl").removeHandler(warnings)
    check(not warnings.said, f"{card}: {warnings.said}")
    classes = {
        record["classes/name"]: (int(record["classes/number"]), int(record["classes/rows"]))
        for record in dataset.records("classes")
    }
    classes = {
        (name.decode() if isinstance(name, bytes) else name): rest for name, rest in classes.items()
    }
    check(text["size"]["value"] == sum(rows for _, rows in classes.values()), f"{card}: rows")
    if frame is not None:
        count = frame[CLASS].value_counts()
        for name, (_, rows) in classes.items():
            check(count.get(name, 0) == rows, f"{card}: {name} is not {rows} rows")
        records = list(islice(dataset.records("rows"), most))
        check(len(records) == min(most, len(frame)), f"{card}: {len(records)} records")
        for at in range(0, len(records), 97):
            record = {key.split("/")[1]: value for key, value in records[at].items()}
            record = {
                key: value.decode() if isinstance(value, bytes) else value
                for key, value in record.items()
            }
            check(record == frame.iloc[at].to_dict(), f"{card}: record {at} is {record}")
        for variable in text["variableMeasured"]:
            least, greatest = variable["minValue"], variable["maxValue"]
            column = frame[variable["name"]].astype(int if isinstance(least, int) else str)
            inside = column.between(least, greatest).all()
            check(inside, f"{card}: {variable['name']} leaves its domain")
    return classes


def numbers(frame):
    """Files as numbers instead of letters."""
    return frame.drop(columns=CLASS).apply(
        lambda column: column if column.dtype.kind in "iu" else column.map(lambda f: ord(f) - 96)
    )


def the_formats_agree(lucena, folder):
    options = ["--attributes", "published", "--published", "2026-01-31"]
    csv = write(lucena, folder, "KRvK.csv", *options)
    frame = pd.read_csv(csv)
    check(frame.shape == (ROWS, 31), f"csv has the shape {frame.shape}")
    classes = read_card(csv, frame, most=ROWS + 1)

    parquet = write(lucena, folder, "KRvK.parquet", *options, "--format", "parquet")
    table = pq.read_table(parquet)
    check(str(table.schema.field("KRank").type) == "uint8", "KRank is no byte in Parquet")
    check(str(table.schema.field("KFile").type) == "string", "KFile is no text in Parquet")
    check(pq.ParquetFile(parquet).metadata.num_rows == ROWS, "the Parquet file miscounts its rows")
    other = table.to_pandas()
    check((other.astype(str) == frame.astype(str)).all(axis=None), "Parquet differs from csv")
    check(list(other) == list(frame), "Parquet has other columns than csv")
    read_card(parquet, other)

    libsvm = write(lucena, folder, "KRvK.libsvm", *options, "--format", "libsvm")
    values, labels = load_svmlight_file(str(libsvm), n_features=30, zero_based=False)
    check((values.toarray() == numbers(frame).to_numpy()).all(), "LIBSVM differs from csv")
    expected = frame[CLASS].map(lambda name: classes[name][0])
    check((labels == expected).all(), "the labels of LIBSVM's format are not those of the card")
    check(read_card(libsvm) == classes, "the card of LIBSVM's format has other classes")

    for format in ["arff", "arff-nominal"]:
        path = write(lucena, folder, f"KRvK.{format}", *options, "--format", format)
        rows, declared = arff.loadarff(path)
        check(declared.names() == list(frame), f"{format} has other columns than csv")
        kinds = dict(zip(declared.names(), declared.types()))
        for name in ["KFile", "kInCheck", CLASS]:
            check(kinds[name] == "nominal", f"{name} is not nominal in {format}")
        kind = "numeric" if format == "arff" else "nominal"
        check(kinds["KRank"] == kind, f"KRank is not {kind} in {format}")
        for name in frame:
            column = rows[name]
            column = np.char.decode(column) if column.dtype.kind == "S" else column.astype(int)
            check((column.astype(str) == frame[name].astype(str)).all(), f"{format}: {name}")
        check(read_card(path) == classes, f"the card of {format} has other classes")

    krkopt = write(lucena, folder, "krkopt.data", "--format", "krkopt", "--published", "1994-06-01")
    check(hashlib.sha256(krkopt.read_bytes()).hexdigest() == KRKOPT, "krkopt is not UCI's")
    read_card(krkopt)
    published = pd.read_csv(krkopt, header=None).apply(lambda row: tuple(map(str, row)), axis=1)
    ours = frame[["KFile", "KRank", "RFile", "RRank", "kFile", "kRank", CLASS]]
    ours = ours.apply(lambda row: tuple(map(str, row)), axis=1)
    check(sorted(published) == sorted(ours), "csv has other rows than krkopt")


def orbits(frame):
    """The representative of each row: the least of its eight images."""
    squares = numbers(frame)[["KFile", "KRank", "RFile", "RRank", "kFile", "kRank"]].to_numpy()
    images = []
    for turn in range(8):
        image = squares.copy()
        if turn & 1:
            image[:, 0::2] = 9 - image[:, 0::2]
        if turn & 2:
            image[:, 1::2] = 9 - image[:, 1::2]
        if turn & 4:
            image = image[:, [1, 0, 3, 2, 5, 4]]
        images.append((image * 10 ** np.arange(6)).sum(axis=1))
    return np.min(images, axis=0)


def parts_are_honest(lucena, folder):
    options = ["--attributes", "published", "--positions", "full", "--published", "2026-01-31"]
    options += ["--split", "0.8", "--folds", "10", "--seed", "7", "--format", "parquet"]
    write(lucena, folder, "parts.parquet", *options)
    train = pd.read_parquet(folder / "parts.train.parquet")
    test = pd.read_parquet(folder / "parts.test.parquet")
    check(len(train) + len(test) == 223_944, "a position is lost between the two sides of a split")
    ours, theirs = orbits(train), orbits(test)
    check(not set(ours) & set(theirs), "a position and its mirror image are on two sides")
    check(len(set(ours)) == round(0.8 * ROWS), "the split is not 0.8 of the orbits")
    folds = train["fold"].to_numpy()
    check(set(folds) == set(range(10)), "there are not ten folds")
    seen = dict(zip(ours, folds))
    check(all(seen[orbit] == fold for orbit, fold in zip(ours, folds)), "a fold divides an orbit")
    sizes = np.bincount(list(seen.values()))
    check(sizes.max() - sizes.min() <= 1, f"the folds have {sizes} orbits")

    write(lucena, folder, "folds.csv", "--folds", "10", "--published", "2026-01-31")
    frame = pd.read_csv(folder / "folds.csv")
    read_card(folder / "folds.csv", frame)
    values, classes = frame.drop(columns=["fold", CLASS]), frame[CLASS]
    [learned, held_out] = next(PredefinedSplit(frame["fold"]).split())
    tree = DecisionTreeClassifier(criterion="entropy", random_state=0)
    tree.fit(values.iloc[learned], classes.iloc[learned])
    accuracy = tree.score(values.iloc[held_out], classes.iloc[held_out])
    check(0.6 < accuracy < 1, f"a tree is right on {accuracy} of a fold that it has not seen")
    return accuracy


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: datasets.py LUCENA")
    lucena = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        the_formats_agree(lucena, folder)
        accuracy = parts_are_honest(lucena, folder)
    print(
        f"datasets: csv, ARFF, Parquet, LIBSVM and krkopt hold the same {ROWS:,} rows of KRvK; every card is"
        f" valid Croissant; splits and folds keep orbits together; {accuracy:.1%} on an unseen fold"
    )


if __name__ == "__main__":
    main()
