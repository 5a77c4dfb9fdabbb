"""Print one table of ratios from the measurements in a directory.

    python table.py DIRECTORY

DIRECTORY holds `lucena-N.json`, `sklearn-N.json`, `weka-N.json`, `onnxruntime-N.json` and
`python_chess-N.json`, one of each for every round of `run.sh`. Different work is not compared: if counts or
accuracies disagree, there is no table, only the reason and a failing exit code.
"""

import json
import pathlib
import statistics
import sys

LEGAL = {"legal_black_to_move": 223_944, "legal_white_to_move": 175_168}
ROWS, ATTRIBUTES = 28_056, 24

# The work, lucena's key, the peer, the peer's name for what it does, the peer's key.
COMPARISONS = [
    ("learn, a branch for each value (ID3)", "id3_learn", "weka", "Id3", "learn_seconds"),
    ("learn, thresholds, entropy", "cart_learn", "sklearn", "fit", "entropy.fit_seconds"),
    ("learn, thresholds, Gini", "cart_gini_learn", "sklearn", "fit", "gini.fit_seconds"),
    ("classify a row, generated code", "generated_classify_per_row",
     "sklearn", "predict", "entropy.predict_seconds_per_row"),
    ("classify a row, generated code", "generated_classify_per_row",
     "sklearn", "predict, one row a call", "entropy.predict_alone_seconds"),
    ("classify a row, generated code", "generated_classify_per_row",
     "weka", "Id3", "classify_seconds_per_row"),
    ("classify a row, generated batch", "generated_batch_per_row",
     "sklearn", "predict", "entropy.predict_seconds_per_row"),
    ("classify a row, generated batch", "generated_batch_per_row",
     "onnxruntime", "1 thread", "predict_seconds_per_row"),
    ("classify a row, generated batch", "generated_batch_per_row",
     "onnxruntime", "all threads", "predict_all_threads_seconds_per_row"),
    ("classify a row, interpreted tree", "interpreted_classify_per_row",
     "sklearn", "predict", "entropy.predict_seconds_per_row"),
    ("classify a row, interpreted tree", "interpreted_classify_per_row",
     "weka", "Id3", "classify_seconds_per_row"),
    ("all legal positions and moves", "positions_generate",
     "python_chess", "generate_legal_moves", "positions_generate"),
    ("read every FEN, Black to move", "fen_read", "python_chess", "Board(fen)", "fen_read"),
]

NAMES = {
    "sklearn": "scikit-learn",
    "weka": "Weka",
    "onnxruntime": "ONNX Runtime",
    "python_chess": "python-chess",
}
HEADER = ("work", "lucena", "peer", "peer's time", "ratio", "least", "most")


class Unusable(Exception):
    """The measurements cannot be compared."""


def load(directory, tool):
    paths = sorted(pathlib.Path(directory).glob(f"{tool}-*.json"))
    if not paths:
        raise Unusable(f"{directory} has no {tool}-N.json")
    try:
        return [json.loads(path.read_text()) for path in paths]
    except json.JSONDecodeError as error:
        raise Unusable(f"a measurement of {tool} is not JSON: {error}") from error


def values(runs, tool, key):
    """The values of `key` in each run of `tool`; a dot in the key descends into an object."""
    found = []
    for run in runs[tool]:
        value = run
        for part in key.split("."):
            if part not in value:
                raise Unusable(f"the measurement of {tool} has no `{key}`")
            value = value[part]
        found.append(value)
    return found


def expect(runs, tool, key, expected):
    for value in values(runs, tool, key):
        if value != expected:
            raise Unusable(f"not the same work: {tool} has {key} {value}, expected {expected}")


def check(runs):
    """Checks that all tools did the same work, and did it correctly."""
    moves = values(runs, "lucena", "moves")[0]
    for tool in ("lucena", "python_chess"):
        for key, expected in LEGAL.items():
            expect(runs, tool, key, expected)
        expect(runs, tool, "moves", moves)
    expect(runs, "python_chess", "fens_read", LEGAL["legal_black_to_move"])
    for tool in ("sklearn", "weka", "onnxruntime"):
        expect(runs, tool, "rows", ROWS)
        expect(runs, tool, "attributes", ATTRIBUTES)
    for key in ("entropy.training_accuracy", "gini.training_accuracy"):
        expect(runs, "sklearn", key, 1.0)
    for tool in ("weka", "onnxruntime"):
        expect(runs, tool, "training_accuracy", 1.0)
    return moves


def duration(seconds):
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{significant(seconds / size)} {unit}"
    return f"{significant(seconds / 1e-9)} ns"


def significant(value):
    """Three significant digits, never in scientific notation."""
    decimals = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:.{decimals}f}"


def line(runs, work, key, tool, name, peer_key):
    ours, theirs = values(runs, "lucena", key), values(runs, tool, peer_key)
    if min(ours) <= 0 or min(theirs) <= 0:
        raise Unusable(f"`{key}` or {tool}'s `{peer_key}` was measured as no time at all")
    our_median, their_median = statistics.median(ours), statistics.median(theirs)
    return (
        work,
        duration(our_median),
        f"{NAMES[tool]} {name}",
        duration(their_median),
        significant(their_median / our_median),
        significant(min(theirs) / max(ours)),
        significant(max(theirs) / min(ours)),
    )


def aligned(rows):
    """Text columns to the left, numbers to the right."""
    left = {HEADER.index("work"), HEADER.index("peer")}
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEADER))]
    for row in rows:
        cells = (
            cell.ljust(width) if i in left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths))
        )
        yield "  ".join(cells).rstrip()


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: table.py DIRECTORY")
    try:
        runs = {tool: load(sys.argv[1], tool) for tool in ("lucena", *NAMES)}
        moves = check(runs)
        rows = [HEADER] + [line(runs, *comparison) for comparison in COMPARISONS]
        leaves = [
            values(runs, tool, key)[0]
            for tool, key in (
                ("weka", "leaves"), ("sklearn", "entropy.leaves"), ("sklearn", "gini.leaves")
            )
        ]
        versions = {tool: values(runs, tool, "version")[0] for tool in NAMES}
    except Unusable as reason:
        sys.exit(f"table.py: {reason}")

    print("\n".join(aligned(rows)))
    print()
    print(f"KRvK: {ROWS:,} rows x {ATTRIBUTES} attributes; {sum(LEGAL.values()):,} legal positions, "
          f"{moves:,} legal moves, the same for both.")
    print("Versions: " + ", ".join(f"{NAMES[tool]} {versions[tool]}" for tool in NAMES) + ".")
    print(f"Leaves: Weka Id3 {leaves[0]:,}; scikit-learn {leaves[1]:,} (entropy), "
          f"{leaves[2]:,} (Gini); all exact on their training rows.")
    print(f"Medians of {len(runs['lucena'])} runs of lucena and {len(runs['sklearn'])} of each peer, "
          "in turn; ratio = peer / lucena.")


if __name__ == "__main__":
    main()
