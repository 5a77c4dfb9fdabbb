"""The size of an endgame, counted as lucena counts: positions, levels, blocks, cells, and recipients of a block.

A slice is all placements with the pawns on the same squares, up to the left-right mirror image. A block is all
placements of a slice with the strong king on one square. A frame is the squares of all men but the weak king, and a
cell is a square of the weak king in a frame, with a side to move. A level is slices that are solved at the same time.
These terms are defined in crates/tablebase/src/shape.rs and layout.rs.
"""

import collections
import functools
import itertools
import math
import re

LETTERS = "QRBNP"

# The number of frames beyond which slices with equally advanced pawns are divided into levels (layout.rs).
LARGE = 2**18


def neighbours(at):
    file, rank = at % 8, at // 8
    steps = itertools.product((-1, 0, 1), repeat=2)
    around = [(file + f, rank + r) for f, r in steps if (f, r) != (0, 0)]
    return [8 * r + f for f, r in around if 0 <= f < 8 and 0 <= r < 8]


def in_triangle(at):
    """The image of a square on a1-d1-d4."""
    file, rank = (min(line, 7 - line) for line in (at % 8, at // 8))
    return 8 * min(file, rank) + max(file, rank)


@functools.cache
def king_moves(has_pawns):
    """The blocks to which moves of the strong king lead from each block of a slice."""
    squares = range(64) if has_pawns else sorted({in_triangle(at) for at in range(64)})
    blocks = {at: block for block, at in enumerate(squares)}
    image = (lambda at: at) if has_pawns else in_triangle
    return [{blocks[image(to)] for to in neighbours(at)} for at in squares]


@functools.cache
def king_pairs(has_pawns):
    """The pairs of kings' squares that the positions of a table are counted by.

    Without pawns the strong king stands on a1-d1-d4, and the weak one on or below the diagonal where the strong
    one is on it. With pawns the strong king stands on the files a to d.
    """
    def is_canonical(strong, weak):
        file, rank = strong % 8, strong // 8
        return file < 4 and (has_pawns or rank < file or (rank == file and weak // 8 <= weak % 8))

    return [
        (one, other)
        for one in range(64)
        for other in range(64)
        if one != other and other not in neighbours(one) and is_canonical(one, other)
    ]


@functools.cache
def pairs_with_pawns():
    """The number of pairs with 0, 1, 2 kings on the ranks 2 to 7."""
    on_home = [sum(8 <= king < 56 for king in pair) for pair in king_pairs(True)]
    return [on_home.count(kings) for kings in range(3)]


@functools.cache
def pairs_without_pawns():
    """The number of pairs with both kings on the diagonal, and of the others."""
    pairs = king_pairs(False)
    on = sum(all(at % 8 == at // 8 for at in pair) for pair in pairs)
    return on, len(pairs) - on


def pawns_by_distance(strong, weak, files):
    """The number of placements of pawns on some files, by the number of ranks that they can advance in sum."""
    ways = {(0, 0, 0): 1}
    for rank in range(6):
        more = collections.Counter()
        for (strong_there, weak_there, distance), number in ways.items():
            for one in range(strong - strong_there + 1):
                for other in range(weak - weak_there + 1):
                    after = (strong_there + one, weak_there + other, distance + one * (5 - rank) + other * rank)
                    more[after] += number * math.comb(files, one) * math.comb(files - one, other)
        ways = more
    return {at: number for (*pawns, at), number in ways.items() if pawns == [strong, weak]}


@functools.cache
def slices_by_distance(strong, weak):
    """The number of slices of each distance, from 0 on."""
    every = pawns_by_distance(strong, weak, 8)
    # A placement that is its own mirror image has pairs of equal pawns on the files a to d and their images.
    is_even = strong % 2 == 0 and weak % 2 == 0
    own_images = pawns_by_distance(strong // 2, weak // 2, 4) if is_even else {}
    own_images = {2 * at: number for at, number in own_images.items()}
    return [(number + own_images.get(at, 0)) // 2 for at, number in sorted(every.items())]


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
        self.slices = slices_by_distance(strong.count("P"), weak.count("P"))
        # The blocks of a slice, and the frames of a block.
        self.kings = len(king_moves(self.has_pawns))
        self.frames = math.prod(math.comb(64, men) for role, men in self.equal_men if role != "P")

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

    def cells(self):
        """The cells of the analysis: 64 squares of the weak king for each frame, block and side to move."""
        return 2 * 64 * self.frames * self.kings * sum(self.slices)

    def in_a_level(self, distance):
        """The number of slices of the levels with a distance; the last may have fewer."""
        slices = self.slices[distance]
        # As long as a pawn can promote, all slices of a distance are a level.
        can_promote = distance <= 5 * (self.others.count("P") - 1)
        return slices if can_promote else min(slices, max(LARGE // (self.kings * self.frames), 1))

    @functools.cached_property
    def levels(self):
        """The number of levels by their number of slices."""
        levels = collections.Counter()
        for distance, slices in enumerate(self.slices):
            size = self.in_a_level(distance)
            levels[size] += slices // size
            levels[slices % size] += 1
        del levels[0]
        return levels

    def mean(self, of_level):
        """The mean over all blocks of a function of the number of slices of their level."""
        return sum(slices * number * of_level(slices) for slices, number in self.levels.items()) / sum(self.slices)

    def copies(self, workers):
        """The number of other workers that a block's new entries are sent to."""
        return self.mean(lambda slices: copies(self.has_pawns, slices, workers))

    def share(self, workers):
        """The share of the worker with most blocks."""
        return self.mean(lambda slices: self.share_of_level(slices, workers))

    def share_of_level(self, slices, workers):
        return math.ceil(slices * self.kings / workers) / (slices * self.kings)

    def takers(self, workers, writers):
        """The number of other workers that a solved block is sent to."""
        # They write, or own one of the blocks from which a pawn move leads there: on average one for each pawn. With
        # one slice to a level these have the same owner as the block, and otherwise they are anyone's.
        def chance(slices):
            return 0 if slices == 1 else 1 - (1 - 1 / workers) ** self.others.count("P")

        return (workers - 1) / workers * (writers + (workers - writers) * self.mean(chance))

    def squares(self, workers):
        """About the share of the strong king's squares that one worker has blocks of."""
        return min(1, max(self.levels) / workers)

    def memory_at_work(self, workers, width=1):
        """The most bytes that the analysis takes at a worker, with entries of one byte or two (solve.rs)."""
        most = 0
        for distance, slices in enumerate(self.slices):
            level = self.in_a_level(distance)
            # For each frame and side to move of all blocks a set; of own blocks 64 entries, two sets, and lists.
            every, own = 2 * 8 * level, 2 * (64 * width + 40) * level
            # Solved slices that pawn moves lead to, after which it is the other side's turn.
            solved = sum(self.slices[max(distance - 2, 0) : distance + 1]) - level
            held = 64 * width * sum("P" in side for side in self.name.split("v")) * solved
            most = max(most, every + (own + held) * self.share_of_level(level, workers))
        return self.frames * self.kings * most

    def memory_to_pack(self, width=1):
        """The bytes that it takes to write the table (file_entries.rs)."""
        by_square = collections.Counter(strong for strong, _ in king_pairs(self.has_pawns))
        largest_part = self.placements * max(by_square.values()) / sum(by_square.values())
        return width * self.positions() + 40 * largest_part


@functools.cache
def copies(has_pawns, slices, workers):
    """The number of other workers that a block's new entries are sent to, averaged over the blocks of a level."""
    moves = king_moves(has_pawns)
    blocks = slices * len(moves)

    def owner(block):
        return ((block + 1) * workers - 1) // blocks

    heard = 0
    # King moves stay within a slice; most slices have a single owner.
    for at in {worker * blocks // workers // len(moves) for worker in range(1, workers)}:
        owners = [owner(at * len(moves) + block) for block in range(len(moves))]
        others = {
            (block, owners[before])
            for before, after in enumerate(moves)
            for block in after
            if owners[before] != owners[block]
        }
        heard += len(others)
    return heard / blocks


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
