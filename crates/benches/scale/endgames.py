"""The size of an endgame, counted as lucena counts: placements, blocks, frames, and recipients of a block.

A block is all placements with the kings on one pair of squares. A frame is a placement without its last man.
These terms are defined in crates/tablebase/src/index.rs and
crates/tablebase/src/bit_parallel_moves.rs.
"""

import functools
import itertools
import math
import re

LETTERS = "QRBNP"


def square(file, rank):
    return 8 * rank + file


def images(at):
    """The images of a square under the eight symmetries, the four that keep files and ranks first."""
    file, rank = at % 8, at // 8
    turned = [(file, rank), (7 - file, rank), (file, 7 - rank), (7 - file, 7 - rank)]
    return [square(f, r) for f, r in turned] + [square(r, f) for f, r in turned]


def neighbours(at):
    file, rank = at % 8, at // 8
    steps = itertools.product((-1, 0, 1), repeat=2)
    around = [(file + f, rank + r) for f, r in steps if (f, r) != (0, 0)]
    return [square(f, r) for f, r in around if 0 <= f < 8 and 0 <= r < 8]


@functools.cache
def king_pairs(has_pawns):
    """The canonical pair of each pair of kings' squares, and the canonical pairs in order.

    Without pawns the strong king stands on a1-d1-d4, and the weak one on or below the diagonal where the strong
    one is on it. With pawns the strong king stands on the files a to d.
    """
    def name(pair):
        pictures = list(zip(images(pair[0]), images(pair[1])))
        if has_pawns:
            pictures = pictures[:2]
            return min(pictures, key=lambda p: p[0] % 8 > 3)

        def is_outside(picture):
            (file, rank), (other_file, other_rank) = ((at % 8, at // 8) for at in picture)
            below = rank < file or (rank == file and other_rank <= other_file)
            return not (file < 4 and rank < 4 and below)
        return min(pictures, key=is_outside)

    apart = [
        (one, other)
        for one in range(64)
        for other in range(64)
        if one != other and other not in neighbours(one)
    ]
    canonical = {pair: name(pair) for pair in apart}
    return canonical, sorted(set(canonical.values()))


@functools.cache
def pairs_with_pawns():
    """The number of canonical pairs with 0, 1, 2 kings on the ranks 2 to 7."""
    _, pairs = king_pairs(True)
    on_home = [sum(8 <= king < 56 for king in pair) for pair in pairs]
    return [on_home.count(kings) for kings in range(3)]


@functools.cache
def pairs_without_pawns():
    """The number of canonical pairs with both kings on the diagonal, and of the others."""
    _, pairs = king_pairs(False)
    on = sum(all(at % 8 == at // 8 for at in pair) for pair in pairs)
    return on, len(pairs) - on


class Endgame:
    """An endgame by its name, such as KBBvKN."""

    def __init__(self, name):
        self.name = name
        strong, weak = name[1:].split("vK")
        self.others = strong + weak
        self.men = 2 + len(self.others)
        self.has_pawns = "P" in self.others
        # Equal men of one side are counted once.
        self.equal_men = [
            (run.group()[0], len(run.group())) for side in (strong, weak) for run in re.finditer(r"(.)\1*", side)
        ]

    @property
    def blocks(self):
        return 1806 if self.has_pawns else 462

    @functools.cached_property
    def placements(self):
        """The length of the index."""
        if self.has_pawns:
            return sum(pairs * self.ways(48 - on_home) for on_home, pairs in enumerate(pairs_with_pawns()))
        on, off = pairs_without_pawns()
        # A placement with both kings on the diagonal is the same as its mirror image.
        return off * self.ways(0) + on * (self.ways(0) + self.own_images()) // 2

    def ways(self, home):
        """The number of placements of the other men, given the kings' squares and the squares left for pawns."""
        ways, taken = 1, 0
        # Pawns come first, because they take squares from the men that follow.
        for role, men in sorted(self.equal_men, key=lambda equal: equal[0] != "P"):
            ways *= math.comb((home if role == "P" else 62) - taken, men)
            taken += men
        return ways

    def own_images(self):
        """The number of placements with both kings on the diagonal that are their own mirror image."""
        counts = {0: 1}
        for _, men in self.equal_men:
            more = {}
            for on, ways in counts.items():
                for pairs in range(men // 2 + 1):
                    single = men - 2 * pairs
                    new = ways * math.comb(6 - on, single) * math.comb(28, pairs)
                    more[on + single] = more.get(on + single, 0) + new
            counts = more
        return sum(counts.values())

    def positions(self):
        """The entries of the table: one for each placement and side to move."""
        return 2 * self.placements

    def frames(self):
        """The number of placements of the men between the kings and the last man, on distinct squares."""
        middles = self.others[:-1]
        strong = len(self.name[1:].split("vK")[0])
        ways, taken = 1, 0
        sides = (middles[:strong], middles[strong:])
        runs = [run.group() for side in sides for run in re.finditer(r"(.)\1*", side)]
        for run in sorted(runs, key=lambda run: run[0] != "P"):
            ways *= math.comb((48 if run[0] == "P" else 64) - taken, len(run))
            taken += len(run)
        return ways

    def cells(self):
        """The cells of the analysis: 64 squares of the last man for each frame, block and side to move."""
        return 2 * 64 * self.frames() * self.blocks

    def copies(self, workers):
        """The number of other workers that a block's new entries are sent to, averaged over blocks and sides."""
        return copies(self.has_pawns, workers)


@functools.cache
def copies(has_pawns, workers):
    canonical, pairs = king_pairs(has_pawns)
    numbers = {pair: number for number, pair in enumerate(pairs)}
    bounds = [worker * len(pairs) // workers for worker in range(workers + 1)]
    owner = [worker for worker in range(workers) for _ in range(bounds[worker], bounds[worker + 1])]
    heard = set()
    for pair, number in numbers.items():
        for side in (0, 1):
            for to in neighbours(pair[side]):
                after = (to, pair[1]) if side == 0 else (pair[0], to)
                if after in canonical:
                    block = numbers[canonical[after]]
                    if owner[block] != owner[number]:
                        heard.add((block, side, owner[number]))
    return len(heard) / (2 * len(pairs))


def sides(men):
    """The men of one side without its king, heaviest first."""
    return ["".join(side) for side in itertools.combinations_with_replacement(LETTERS, men)]


def endgames(men):
    """All endgames with the given number of men."""
    others = men - 2
    for weak_men in range(others // 2 + 1):
        strong_men = others - weak_men
        for strong in sides(strong_men):
            for weak in sides(weak_men):
                if strong_men == weak_men and heaviest_first(strong) > heaviest_first(weak):
                    continue
                yield Endgame(f"K{strong}vK{weak}")


def heaviest_first(side):
    return [LETTERS.index(letter) for letter in side]
