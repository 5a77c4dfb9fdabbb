"""Fit and predict with scikit-learn's DecisionTreeClassifier, and print one JSON object.

    python sklearn_tree.py DATASET.csv

DATASET.csv is the output of `lucena dataset`: a header, integer attributes, the class last.
"""

import csv
import itertools
import json
import statistics
import sys
import time

import numpy
import sklearn
from sklearn.tree import DecisionTreeClassifier

FIT_REPETITIONS = 11
PREDICT_REPETITIONS = 31
ROWS_ALONE = 200


def read(path, names=False):
    """The attributes in scikit-learn's fastest layout, and the classes as integers; the names too, if requested."""
    with open(path, newline="") as file:
        rows = list(csv.reader(file))[1:]
    attributes = numpy.ascontiguousarray([row[:-1] for row in rows], dtype=numpy.float32)
    known, classes = numpy.unique([row[-1] for row in rows], return_inverse=True)
    return (attributes, classes, known) if names else (attributes, classes)


def median_seconds(repetitions, work):
    """The median over `repetitions` calls of `work`, after one call that is not counted."""
    work()
    seconds = []
    for _ in range(repetitions):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def measure(criterion, attributes, classes):
    def fit():
        return DecisionTreeClassifier(criterion=criterion, random_state=0).fit(attributes, classes)

    tree = fit()
    order = numpy.random.default_rng(0).permutation(len(attributes))
    shuffled = numpy.ascontiguousarray(attributes[order])
    predict_seconds = median_seconds(PREDICT_REPETITIONS, lambda: tree.predict(shuffled))
    alone = (shuffled[at : at + 1] for at in itertools.count())
    predict_alone_seconds = median_seconds(ROWS_ALONE, lambda: tree.predict(next(alone)))
    return {
        "fit_seconds": median_seconds(FIT_REPETITIONS, fit),
        "predict_seconds_per_row": predict_seconds / len(attributes),
        "predict_alone_seconds": predict_alone_seconds,
        "leaves": int(tree.get_n_leaves()),
        "depth": int(tree.get_depth()),
        "training_accuracy": float(numpy.mean(tree.predict(attributes) == classes)),
    }


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: sklearn_tree.py DATASET.csv")
    attributes, classes = read(sys.argv[1])
    print(
        json.dumps(
            {
                "version": sklearn.__version__,
                "rows": attributes.shape[0],
                "attributes": attributes.shape[1],
                "entropy": measure("entropy", attributes, classes),
                "gini": measure("gini", attributes, classes),
            }
        )
    )


if __name__ == "__main__":
    main()
