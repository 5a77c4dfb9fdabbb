"""Print one table of ratios from the measurements in a directory.

    python table.py DIRECTORY GROUP...

DIRECTORY holds `TOOL-N.json` for each tool of the groups and every round of `run.sh`. Different work is not compared:
if counts, answers or accuracies disagree, there is no table, only the reason and a failing exit code.
"""

import json
import math
import pathlib
import statistics
import sys

LEGAL = {"legal_black_to_move": 223_944, "legal_white_to_move": 175_168}
ROWS, ATTRIBUTES = 28_056, 24

# The work, lucena's measurement and key in it, the peer, the peer's name for what it does, the peer's key.
LEARNING = [
    ("learn, a branch for each value (ID3)", "lucena", "id3_learn", "weka", "Id3", "learn_seconds"),
    ("learn, thresholds, entropy", "lucena", "cart_learn", "sklearn", "fit", "entropy.fit_seconds"),
    ("learn, thresholds, Gini", "lucena", "cart_gini_learn", "sklearn", "fit", "gini.fit_seconds"),
    ("classify a row, generated code", "lucena", "generated_classify_per_row",
     "sklearn", "predict", "entropy.predict_seconds_per_row"),
    ("classify a row, generated code", "lucena", "generated_classify_per_row",
     "sklearn", "predict, one row a call", "entropy.predict_alone_seconds"),
    ("classify a row, generated code", "lucena", "generated_classify_per_row",
     "weka", "Id3", "classify_seconds_per_row"),
    ("classify a row, generated batch", "lucena", "generated_batch_per_row",
     "sklearn", "predict", "entropy.predict_seconds_per_row"),
    ("classify a row, generated batch", "lucena", "generated_batch_per_row",
     "onnxruntime", "1 thread", "predict_seconds_per_row"),
    ("classify a row, generated batch", "lucena", "generated_batch_per_row",
     "onnxruntime", "all threads", "predict_all_threads_seconds_per_row"),
    ("classify a row, interpreted tree", "lucena", "interpreted_classify_per_row",
     "sklearn", "predict", "entropy.predict_seconds_per_row"),
    ("classify a row, interpreted tree", "lucena", "interpreted_classify_per_row",
     "weka", "Id3", "classify_seconds_per_row"),
    ("all legal positions and moves", "lucena", "positions_generate",
     "python_chess", "generate_legal_moves", "positions_generate"),
    ("read every FEN, Black to move", "lucena", "fen_read", "python_chess", "Board(fen)", "fen_read"),
]

NAMES = {
    "sklearn": "scikit-learn",
    "weka": "Weka",
    "onnxruntime": "ONNX Runtime",
    "python_chess": "python-chess",
    "generator": "generator",
    "fathom": "Fathom",
    "fathom_dtz": "Fathom",
    "python_chess_probe": "python-chess",
    "chesstb": "chesstb",
}
PROCESS = (("processor time", "processor_seconds"), ("time", "seconds"), ("memory", "peak_bytes"))
TIMES = (("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9))
SIZES = (("MB", 1e6), ("kB", 1e3), ("B", 1))
HEADER = ("work", "lucena", "peer", "peer's", "ratio", "least", "most")


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


def check_learning(runs):
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
    leaves = [
        values(runs, tool, key)[0]
        for tool, key in (("weka", "leaves"), ("sklearn", "entropy.leaves"), ("sklearn", "gini.leaves"))
    ]
    yield (f"KRvK: {ROWS:,} rows x {ATTRIBUTES} attributes; {sum(LEGAL.values()):,} legal positions, "
           f"{moves:,} legal moves, the same for both.")
    yield (f"Leaves: Weka Id3 {leaves[0]:,}; scikit-learn {leaves[1]:,} (entropy), "
           f"{leaves[2]:,} (Gini); all exact on their training rows.")


def check_tables(runs):
    threads = values(runs, "lucena_tables", "threads")[0]
    for tool in ("lucena_tables", "generator"):
        expect(runs, tool, "threads", threads)
    for material, found in runs["generator"][0]["endgames"].items():
        outcomes = found["files"]["outcomes"]
        for tool, work in (("generator", "files"), ("generator", "generated"), ("lucena_tables", "dtz")):
            expect(runs, tool, f"endgames.{material}.{work}.outcomes", outcomes)
        # Without the fifty-move rule nothing is too late.
        mates = {
            turn: {
                "wins": of["wins"] + of["cursed wins"], "cursed wins": 0, "draws": of["draws"],
                "cursed losses": 0, "losses": of["cursed losses"] + of["losses"],
            }
            for turn, of in outcomes.items()
        }
        expect(runs, "lucena_tables", f"endgames.{material}.dtm.outcomes", mates)
    for material, found in runs["generator"][0]["with_all"].items():
        expect(runs, "lucena_tables", f"with_all.{material}.files", found["files"])
    yield f"Endgames: the same numbers of wins, draws and losses in both; threads of both: {threads}."


def tables(runs):
    peer = runs["generator"][0]
    for material in peer["endgames"]:
        for metric, work, name, quantities in (
            ("dtz", "files", "WDL and DTZ files", PROCESS),
            ("dtm", "files", "WDL and DTZ files", PROCESS[:1]),
            ("dtz", "generated", "-g, nothing saved", PROCESS[::2]),
        ):
            for what, key in quantities:
                yield (f"{material}, {metric.upper()}, saved: {what}",
                       "lucena_tables", f"endgames.{material}.{metric}.{key}",
                       "generator", name, f"endgames.{material}.{work}.{key}")
    for material, found in peer["with_all"].items():
        for what, key in (*PROCESS, ("size", "file_bytes")):
            yield (f"{found['files']} Syzygy files to {material}: {what}",
                   "lucena_tables", f"with_all.{material}.{key}",
                   "generator", "WDL and DTZ files", f"with_all.{material}.{key}")


def check_probes(runs):
    found = runs["lucena_probe"][0]
    for tool, keys in (
        ("lucena_probe", ("positions", "outcomes", "distances")),
        ("fathom", ("positions", "outcomes")),
        ("fathom_dtz", ("positions", "outcomes", "distances")),
        ("python_chess_probe", ("first_distances",)),
    ):
        for key in keys:
            expect(runs, tool, key, found[key])
    yield f"Syzygy: {found['positions']:,} positions, the same outcomes and distances from all."


def probes(_):
    work = "FENs from Syzygy files"
    for tool, name in (("fathom", "tb_probe_wdl"), ("fathom_dtz", "tb_probe_root")):
        for what, key in PROCESS:
            yield f"{work}: {what}", "lucena_probe", key, tool, name, key
    for name in ("wdl", "dtz"):
        yield (f"{work}: time for one", "lucena_probe", "seconds_per_position",
               "python_chess_probe", "probe_wdl" + " and probe_dtz" * (name == "dtz"), f"{name}_seconds_per_position")


def check_sizes(runs):
    for group, found in runs["chesstb"][0]["groups"].items():
        expect(runs, "lucena_sizes", f"groups.{group}.outcomes", found["outcomes"])
    yield "Sizes: the same numbers of wins, draws and losses in both."


def sizes(runs):
    for group in runs["chesstb"][0]["groups"]:
        key = f"groups.{group}.file_bytes"
        yield f"{group}, DTM: size", "lucena_sizes", key, "chesstb", "WDL and DTM files", key


# The tools whose measurements a group compares, its check, which yields what to say below the table, and its rows.
GROUPS = {
    "learning": (("lucena", "sklearn", "weka", "onnxruntime", "python_chess"), check_learning,
                 lambda _: LEARNING),
    "tables": (("lucena_tables", "generator"), check_tables, tables),
    "probes": (("lucena_probe", "fathom", "fathom_dtz", "python_chess_probe"), check_probes, probes),
    "sizes": (("lucena_sizes", "chesstb"), check_sizes, sizes),
}


def scaled(value, units):
    for unit, one in units:
        if value >= one:
            break
    return f"{significant(value / one)} {unit}"


def significant(value):
    """Three significant digits, never in scientific notation."""
    return f"{value:.{max(0, 2 - math.floor(math.log10(value)))}f}"


def line(runs, work, our_tool, key, tool, name, peer_key):
    ours, theirs = values(runs, our_tool, key), values(runs, tool, peer_key)
    if min(ours) <= 0 or min(theirs) <= 0:
        raise Unusable(f"`{key}` or {tool}'s `{peer_key}` was measured as nothing at all")
    our_median, their_median = statistics.median(ours), statistics.median(theirs)
    units = SIZES if key.endswith("bytes") else TIMES
    return (
        work,
        scaled(our_median, units),
        f"{NAMES[tool]} {name}",
        scaled(their_median, units),
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
    directory, *groups = sys.argv[1:] or [None]
    if not groups or not set(groups) <= set(GROUPS):
        sys.exit(f"usage: table.py DIRECTORY GROUP..., where the groups are {', '.join(GROUPS)}")
    rows, notes, counts, versions = [HEADER], [], [], {}
    try:
        for group in groups:
            tools, check, comparisons = GROUPS[group]
            runs = {tool: load(directory, tool) for tool in tools}
            notes += check(runs)
            rows += [line(runs, *comparison) for comparison in comparisons(runs)]
            versions |= {NAMES[tool]: values(runs, tool, "version")[0] for tool in tools[1:]}
            ours, *theirs = (len(runs[tool]) for tool in tools)
            counts.append(f"{group} {ours} and {min(theirs)}")
    except Unusable as reason:
        sys.exit(f"table.py: {reason}")

    print("\n".join(aligned(rows)))
    print()
    print("\n".join(notes))
    print("Versions: " + ", ".join(f"{name} {version}" for name, version in versions.items()) + ".")
    print(f"Medians of the runs of lucena and of each peer ({'; '.join(counts)}), in turn; "
          "ratio = peer / lucena.")


if __name__ == "__main__":
    main()
