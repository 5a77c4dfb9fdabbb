"""A small model of the cost of sharing an endgame, fitted to the measurements of run.sh, and its predictions.

A cell is a square of the last man in a frame, with a side to move; the analysis iterates over cells.
"""

import functools
import itertools

from endgames import LETTERS, Endgame
from table import rounds


# Bytes of a table as workers send it to those that write: its blocks, packed one by one, of which a file has no trace
# (`pack_all` in crates/tablebase/src/packing.rs). Counted once; no measurement changes them.
SENT = {"KBNvK": 1_013_545, "KPvKP": 2_551_196, "KBBBvK": 7_809_155, "KBBvKN": 26_177_992}


def least_squares(rows, measured):
    """The non-negative constants with the least sum of squared relative errors."""
    count = len(rows[0])
    best = None
    for used in (set(chosen) for size in range(count, 0, -1) for chosen in itertools.combinations(range(count), size)):
        names = sorted(used)
        scaled = [[row[name] / value for name in names] for row, value in zip(rows, measured)]
        matrix = [[sum(row[a] * row[b] for row in scaled) for b in range(len(names))] for a in range(len(names))]
        right = [sum(row[a] for row in scaled) for a in range(len(names))]
        found = solved(matrix, right)
        if found is None or min(found) < 0:
            continue
        error = sum((sum(c * x for c, x in zip(found, row)) - 1) ** 2 for row in scaled)
        if best is None or error < best[0]:
            constants = [0.0] * count
            for name, constant in zip(names, found):
                constants[name] = constant
            best = error, constants
    return best[1]


def solved(matrix, right):
    """Solves a system of linear equations by Gaussian elimination; None if the solution is not unique."""
    size = len(right)
    scale = [matrix[at][at] ** 0.5 or 1.0 for at in range(size)]
    rows = [
        [matrix[a][b] / scale[a] / scale[b] for b in range(size)] + [right[a] / scale[a]] for a in range(size)
    ]
    for at in range(size):
        pivot = max(range(at, size), key=lambda row: abs(rows[row][at]))
        if abs(rows[pivot][at]) < 1e-9:
            return None
        rows[at], rows[pivot] = rows[pivot], rows[at]
        for row in range(size):
            if row != at:
                factor = rows[row][at] / rows[at][at]
                rows[row] = [x - factor * y for x, y in zip(rows[row], rows[at])]
    return [rows[at][size] / rows[at][at] / scale[at] for at in range(size)]


def terms(row):
    """The factors of the constants for bytes, CPU seconds, memory and seconds."""
    endgame = Endgame(row["endgame"])
    cells, workers = endgame.cells(), row["workers"]
    copies = endgame.copies(workers)
    # One worker of each host writes.
    writers = max(row["hosts"], 1)
    # Messages are compressed on the way from one host to another.
    packed = copies * cells if row["hosts"] else 0
    is_shared = workers > 1
    positions = endgame.positions()
    pawned = cells if endgame.has_pawns else 0
    return {
        "tables": writers * (workers - 1) / workers * SENT[row["endgame"]],
        "bytes": [copies * cells, workers * (workers - 1) * rounds(row["plies"])],
        # The last: each worker that writes compresses the whole table.
        "cpu": [cells, cells * row["plies"], pawned, workers * row["followers"], is_shared * workers * rounds(row["plies"]), packed, writers * positions],
        # The third is for the worker that writes, which takes most. The followers of all measured endgames have four
        # men or fewer, and are held uncompressed.
        "memory": [1, cells / workers, positions, row["followers"]],
    }  # fmt: skip


def heads(row):
    """The ratio of bytes on the wire to bytes of payload."""
    # On a wire each 1,448 bytes have a header of 66, and every second packet is acknowledged.
    return 1 + (66 + 33) / 1448 if row["hosts"] else 1


def bytes_fitted(rows):
    return least_squares(
        [terms(row)["bytes"] for row in rows],
        [row["wire_bytes"] / heads(row) - terms(row)["tables"] for row in rows],
    )


class Model:
    def __init__(self, rows):
        alone = [row for row in rows if not row["hosts"]]
        self.bytes_as_they_are = bytes_fitted([row for row in alone if row["workers"] > 1])
        self.bytes = bytes_fitted([row for row in rows if row["hosts"]])
        # Bytes of an entry in a file, and as it is sent.
        example = next(row for row in rows if row["endgame"] == "KBBvKN")
        self.packed = example["table_bytes"] / Endgame("KBBvKN").positions()
        self.sent = SENT["KBBvKN"] / Endgame("KBBvKN").positions()
        undisturbed = [row for row in rows if not row["rate_mbit"] and not row["delay_ms"]]
        self.cpu = least_squares(
            [terms(row)["cpu"] for row in undisturbed], [row["cpu_seconds"] for row in undisturbed]
        )
        self.memory = least_squares([terms(row)["memory"] for row in alone], [row["largest_kb"] * 1024 for row in alone])
        # The cost of a delay, in delays for each round.
        added = [
            (row["seconds"] - self.near(rows, row)["seconds"]) * 1000 / row["delay_ms"] / rounds(row["plies"])
            for row in rows
            if row["delay_ms"]
        ]
        self.delays = sum(added) / len(added) if added else 0.0

    @staticmethod
    def near(rows, row):
        """The same hosts without a delay."""
        same = ("endgame", "hosts", "workers")
        return next(
            other
            for other in rows
            if all(other[name] == row[name] for name in same) and not other["delay_ms"] and not other["rate_mbit"]
        )

    def bytes_of(self, row):
        found = terms(row)
        constants = self.bytes if row["hosts"] else self.bytes_as_they_are
        return heads(row) * (dot(constants, found["bytes"]) + found["tables"])

    def cpu_of(self, row):
        return dot(self.cpu, terms(row)["cpu"])

    def memory_of(self, row):
        return dot(self.memory, terms(row)["memory"])

    def seconds_of(self, row):
        sent = self.bytes_of(row) / max(row["hosts"], 1)
        wire = 8 * sent / (row["rate_mbit"] * 1e6) if row["rate_mbit"] else 0.0
        waiting = self.delays * rounds(row["plies"]) * row["delay_ms"] / 1000
        # A single worker has all cores; several workers have one core each.
        cores = row["cores"] if row["workers"] == 1 else min(row["workers"], row["cores"])
        return self.cpu_of(row) / cores + wire + waiting


def dot(constants, row):
    return sum(c * x for c, x in zip(constants, row))


def followers(name):
    """All endgames that an endgame leads to by captures and promotions, without bare kings; and whether a move does."""
    found = {}

    def order(side):
        return "".join(sorted(side, key=LETTERS.index))

    def visit(strong, weak, moves):
        weight = lambda side: (-len(side), [LETTERS.index(man) for man in side])  # noqa: E731
        strong, weak = sorted((order(strong), order(weak)), key=weight)
        if not strong or found.get((strong, weak), moves + 1) <= moves:
            return
        found[strong, weak] = moves
        for one, other in ((strong, weak), (weak, strong)):
            for at in range(len(one)):
                rest = one[:at] + one[at + 1 :]
                visit(rest, other, moves + 1)
                if one[at] == "P":
                    for new in "QRBN":
                        visit(rest + new, other, moves + 1)
                        # A pawn may also promote with a capture.
                        for taken in range(len(other)):
                            visit(rest + new, other[:taken] + other[taken + 1 :], moves + 1)

    strong, weak = name[1:].split("vK")
    visit(strong, weak, 0)
    return [(known(f"K{one}vK{other}"), moves == 1) for (one, other), moves in found.items() if moves]


known = functools.cache(Endgame)
