"""A small model of the cost of sharing an endgame, fitted to the measurements of run.sh, and its predictions."""

import functools
import itertools

from endgames import LETTERS, Endgame


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


def terms(endgame, workers, writers, packs, plies, rounds, followers):
    """The factors of the constants for bytes and CPU seconds."""
    cells, positions = endgame.cells(), endgame.positions()
    # In the rounds only cells with the weak side to move are sent.
    changes, solved = endgame.copies(workers) * cells / 2, endgame.takers(workers, writers) * cells
    pairs = workers * (workers - 1) * rounds
    # Changes are compressed on the way from one host to another, solved blocks always.
    packed, plain = (changes, 0) if packs else (0, changes)
    return {
        "bytes": [packed, plain, solved, pairs if packs else 0, 0 if packs else pairs],
        # The third is for checkpoints. Each worker that writes compresses the whole table.
        "cpu": [
            cells, cells * plies, cells if workers > 1 or endgame.men > 4 else 0, packed + solved,
            writers * positions, workers * followers,
        ],
    }  # fmt: skip


def terms_of(row):
    # One worker of each host writes, and messages between hosts are compressed.
    writers, packs = max(row["hosts"], 1), row["hosts"] > 0
    numbers = (row[name] for name in ("plies", "rounds", "followers"))
    return terms(known(row["endgame"]), row["workers"], writers, packs, *numbers)


def heads(row):
    """The ratio of bytes on the wire to bytes of payload."""
    # On a wire each 1,448 bytes have a header of 66, and every second packet is acknowledged.
    return 1 + (66 + 33) / 1448 if row["hosts"] else 1


class Model:
    def __init__(self, rows):
        shared = [row for row in rows if row["workers"] > 1]
        self.bytes = least_squares(
            [terms_of(row)["bytes"] for row in shared], [row["wire_bytes"] / heads(row) for row in shared]
        )
        # Bytes of an entry in a file.
        example = next(row for row in rows if row["endgame"] == "KBBvKN")
        self.packed = example["table_bytes"] / Endgame("KBBvKN").positions()
        undisturbed = [row for row in rows if not row["rate_mbit"] and not row["delay_ms"]]
        self.cpu = least_squares(
            [terms_of(row)["cpu"] for row in undisturbed], [row["cpu_seconds"] for row in undisturbed]
        )
        # One worker of a machine writes, which takes most. The followers of all measured endgames have four men
        # or fewer, and are held uncompressed.
        local = [row for row in rows if not row["hosts"]]
        others = [row for row in local if row["workers"] > 1]
        self.memory = least_squares(
            [[1, 0, known(row["endgame"]).memory_to_pack(), row["followers"]] for row in local]
            + [[1, known(row["endgame"]).memory_at_work(row["workers"]), 0, row["followers"]] for row in others],
            [row["largest_kb"] * 1024 for row in local]
            + [(row["all_kb"] - row["largest_kb"]) / (row["workers"] - 1) * 1024 for row in others],
        )
        # The cost of a delay, in delays for each round; by the endgame that takes least time otherwise.
        added = [
            (row["seconds"] - self.near(rows, row)["seconds"]) * 1000 / row["delay_ms"] / row["rounds"]
            for row in rows
            if row["delay_ms"] and row["endgame"] == "KBNvK"
        ]
        self.delays = sum(added) / len(added)

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
        return heads(row) * dot(self.bytes, terms_of(row)["bytes"])

    def cpu_of(self, row):
        return dot(self.cpu, terms_of(row)["cpu"])

    def memory_of(self, row):
        """The memory of the worker that writes."""
        base, work, packing, follower = self.memory
        endgame = known(row["endgame"])
        most = max(work * endgame.memory_at_work(row["workers"]), packing * endgame.memory_to_pack())
        return base + most + follower * row["followers"]

    def seconds_of(self, row):
        sent = self.bytes_of(row) / max(row["hosts"], 1)
        wire = 8 * sent / (row["rate_mbit"] * 1e6) if row["rate_mbit"] else 0.0
        waiting = self.delays * row["rounds"] * row["delay_ms"] / 1000
        # A single worker has all cores; several workers have one core each.
        cores = row["cores"] if row["workers"] == 1 else min(row["workers"], row["cores"])
        return self.cpu_of(row) / cores + wire + waiting


def dot(constants, row):
    return sum(c * x for c, x in zip(constants, row))


@functools.cache
def moves(name):
    """The endgames that a capture or promotion leads to, without bare kings; and whether a promotion does."""
    found = {}
    sides = name[1:].split("vK")
    for one, other in (sides, sides[::-1]):
        for at, man in enumerate(one):
            rest = one[:at] + one[at + 1 :]
            found.setdefault(named(rest, other), False)
            if man == "P":
                # A pawn may also promote with a capture.
                captures = [other[:taken] + other[taken + 1 :] for taken in range(len(other))]
                found.update((named(rest + new, left), True) for new in "QRBN" for left in (other, *captures))
    found.pop("KvK", None)
    return found


def named(one, other):
    """The name of the endgame of two sides; the strong side has more men, or heavier ones."""
    one, other = (sorted(side, key=LETTERS.index) for side in (one, other))
    strong, weak = sorted((one, other), key=lambda side: (-len(side), [LETTERS.index(man) for man in side]))
    return f"K{''.join(strong)}vK{''.join(weak)}"


@functools.cache
def followers(name):
    """All endgames that an endgame leads to by captures and promotions, without bare kings."""
    near = moves(name)
    return set(near).union(*map(followers, near))


known = functools.cache(Endgame)
