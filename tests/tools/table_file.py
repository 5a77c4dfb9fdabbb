#!/usr/bin/env python3
"""A second reader of table files, which follows the text of the format, finds the right entries in lucena's.

    table_file.py LUCENA

The text is at the top of crates/tablebase/src/file.rs, and `Index` in index.rs numbers the placements. Not read is what
only larger tables have: several parts, and several blocks with the same kings. Needs the package chess (python-chess). By its
rules, the outcome of a position drawn at random must be the best of those that its moves lead to. Of tables with four men,
only the blocks are decoded that this needs. KRvK must have as many positions of each class as the data set krkopt, which
comes from other tables.
"""

import bisect
import collections
import functools
import itertools
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import zlib

import chess

# The endgame, the metric, how many positions are drawn for each side to move, and with how many pairs of kings.
DRAWN = [(material, metric, 200, 200) for material in ("KRvK", "KQvK", "KPvK") for metric in ("dtm", "dtz")]
DRAWN += [("KBBvK", "dtm", 100, 2), ("KQvKR", "dtz", 100, 2)]
# Positions with Black to move, by outcome: a draw, or a mate in 0 moves of White, in 1, and so on.
KRKOPT = [27, 78, 246, 81, 198, 471, 592, 683, 1433, 1712, 1985, 2854, 3597, 4194, 4553, 2166, 390]
KRKOPT = {(0, 0): 2796} | {(-1, 2 * moves): positions for moves, positions in enumerate(KRKOPT)}

# A chance that is certain, and how many answers a chance counts at most.
ONE = 1 << 22
MEMORY = 60
# How far the values of neighbours lie apart at most, by class from 1 on; and two more classes.
SPREADS = [1, 2, 3, 5, 7, 10, 15, 23, math.inf]
SOLE, NONE = 10, 11
# Each question about a value has chances by some criteria. The place of the first chance of each question:
SHAPES = [(15, 8, 4), (12,), (12, 2, 2), (12, 2, 10), (12, 10, 8)]
NEIGHBOUR, ZERO, ABOVE, MORE, BIT, CHANCES = itertools.accumulate(map(math.prod, SHAPES), initial=0)
# The ways in which four values can be equal, given by the place of the first equal value for each.
FOUR = [digits[::-1] for digits in itertools.product(range(4), repeat=4)]
WAYS = {way: number for number, way in enumerate(dict.fromkeys(tuple(map(four.index, four)) for four in FOUR))}
# The images of the squares under the symmetries of the board. Pawns allow the first two.
FLIPPED = [[at ^ flip for at in range(64)] for flip in (0, 7, 56, 63)]
SYMMETRIES = FLIPPED + [[at % 8 * 8 + at // 8 for at in flipped] for flipped in FLIPPED]


def fail(sentence):
    sys.exit(f"table_file: {sentence}")


class Code:
    """The answers in an arithmetic code. A chance is a list: its level, and how many answers it has had."""

    def __init__(self, coded):
        self.bytes = itertools.chain(coded, itertools.repeat(0))
        self.number = int.from_bytes(itertools.islice(self.bytes, 4), "big")
        self.range = (1 << 32) - 1

    def ask(self, chance):
        level, answers = chance
        part = 131_072 // (2 * answers + 3)
        yes = (self.range >> 12) * max(level >> 10, 1)
        answer = self.number < yes
        if answer:
            self.range = yes
            chance[0] += (ONE - 1 - level) * part >> 16
        else:
            self.number -= yes
            self.range -= yes
            chance[0] -= level * part >> 16
        chance[1] = min(answers + 1, MEMORY)
        while self.range < 1 << 24:
            self.number = self.number << 8 | next(self.bytes)
            self.range <<= 8
        return answer

    def bits(self, count):
        """A number in bits with even chances."""
        return sum(self.ask([ONE // 2, 0]) << bit for bit in reversed(range(count)))

    def numbers(self):
        """Numbers that share their chances, without end."""
        times, first = ([[ONE // 2, 0] for _ in range(64)] for _ in range(2))
        while True:
            bits = 0
            while self.ask(times[bits]):
                bits += 1
            high = 2 + self.ask(first[bits]) if bits else 1
            rest = max(bits - 1, 0)
            yield (high << rest | self.bits(rest)) - 1


class Table:
    """The placements of a material: the squares of the strong king, the weak one and the other men, White's first."""

    def __init__(self, material):
        strong, weak = material.split("v")
        self.men = "Kk" + strong[1:] + weak[1:].lower()
        self.pieces = [chess.Piece.from_symbol(man) for man in self.men]
        has_pawns = "P" in material
        self.symmetries = SYMMETRIES[:2] if has_pawns else SYMMETRIES
        slots = range(2, len(self.men))
        self.equal = [list(slots) for _, slots in itertools.groupby(slots, lambda slot: self.men[slot])]
        # The men as they are numbered: pawns before the other men, and of equal men the last one first.
        pawns_first = sorted(self.equal, key=lambda slots: self.men[slots[0]] not in "Pp")
        self.order = [0, 1] + [slot for slots in pawns_first for slot in reversed(slots)]
        apart = [pair for pair in itertools.permutations(range(64), 2) if chess.square_distance(*pair) > 1]
        self.pairs = [pair for pair in apart if pair == min(self.images(pair))]
        self.diagonal = {pair for pair in self.pairs if not has_pawns and all(at % 9 == 0 for at in pair)}

    def images(self, placement):
        return [tuple(image[at] for at in placement) for image in self.symmetries]

    @functools.cache
    def canonical(self, placement):
        def tidy(image):
            return image[:2] + tuple(at for slots in self.equal for at in sorted(image[slot] for slot in slots))

        return min(map(tidy, self.images(placement)))

    @functools.cache
    def placements(self, pair):
        """The placements with a pair of kings in order."""
        if pair in self.diagonal:
            # First come the squares below the diagonal, then those on it, then those above it.
            squares = sorted(range(64), key=lambda at: (at // 8 > at % 8) - (at // 8 < at % 8))
            others = itertools.permutations([at for at in squares if at not in pair], len(self.men) - 2)
            return list(dict.fromkeys(self.canonical(pair + squares) for squares in others))
        found = [dict(enumerate(pair))]
        for slot in self.order[2:]:
            home = range(8, 56) if self.men[slot] in "Pp" else range(64)
            # Of equal men, the last one stands on the highest square.
            last = slot + 1 if self.men[slot + 1 :][:1] == self.men[slot] else None
            more = [(men, at) for men in found for at in home if at not in men.values() and at < men.get(last, 64)]
            found = [men | {slot: at} for men, at in more]
        return [tuple(men[slot] for slot in range(len(self.men))) for men in found]

    def rows(self, pair):
        """The man that moves along the row, and the placements of each row."""
        moving = len(self.men) - 1 if pair in self.diagonal else self.order[-1]
        others = lambda placement: placement[:moving] + placement[moving + 1 :]
        return [(moving, list(row)) for _, row in itertools.groupby(self.placements(pair), others)]

    def board(self, placement, turn):
        board = chess.Board(None)
        board.set_piece_map(dict(zip(placement, self.pieces)))
        board.turn = turn
        return board

    def is_legal(self, placement, turn):
        """Whether the king of the side that is not to move is out of check. White has the strong side."""
        king = placement[1 if turn else 0]
        taken = sum(1 << at for at in placement)
        return not any(
            attacked(man, at) >> king & 1 and not between(at, king) & taken
            for man, at in zip(self.men[2:], placement[2:])
            if man.isupper() == turn
        )


between = functools.cache(chess.between)


@functools.cache
def attacked(man, at):
    """The squares that a man attacks on an empty board."""
    board = chess.BaseBoard(None)
    board.set_piece_at(at, chess.Piece.from_symbol(man))
    return board.attacks_mask(at)


def nearby(is_diagonal):
    """The first and the second square nearby, for each square."""
    squares = []
    for at in range(64):
        steps = ((-1, -1), (1, -1)) if is_diagonal else ((-1, 0), (0, -1))
        places = [(at % 8 + file, at // 8 + rank) for file, rank in steps]
        found = [8 * rank + file for file, rank in places if 0 <= file < 8 and rank >= 0] or [at]
        squares.append((found[0], found[-1]))
    return squares


class Section:
    """The entries of a table with one side to move."""

    def __init__(self, table, turn, placements, section):
        self.table, self.turn = table, turn
        # A block has the placements with the strong king on one square, or in a large table with one pair of kings.
        blocks = itertools.groupby(table.pairs, lambda pair: pair[0] if placements < 131_072 else pair)
        self.blocks = [list(pairs) for _, pairs in blocks]
        self.block_of = {pair: at for at, pairs in enumerate(self.blocks) for pair in pairs}
        end = 2 + int.from_bytes(section[:2], "little")
        self.read_header(Code(section[2:end]), section[end:])

    def read_header(self, code, coded):
        numbers = code.numbers()
        self.entries = list(itertools.accumulate(next(numbers) + (at > 0) for at in range(next(numbers))))
        self.nearby = [nearby(code.bits(1)) for _ in range(3)]
        self.chances = [(ONE // 2, 0)] * CHANCES
        is_half = [ONE // 2, 0]
        for at in range(CHANCES if len(self.blocks) > 1 else 0):
            if not code.ask(is_half):
                h, e, is_over = code.bits(3), code.bits(3), code.bits(1)
                level = 2 * e + 17 << 16 - h
                self.chances[at] = (ONE - level if is_over else level, 20)
        sizes = code.numbers()
        ends = [0, *itertools.accumulate(next(sizes) for _ in self.blocks)]
        if ends[-1] != len(coded):
            fail(f"the blocks of a section have {ends[-1]} bytes by its header, and not {len(coded)}")
        self.coded = [coded[begin:end] for begin, end in itertools.pairwise(ends)]

    @functools.cache
    def block(self, at):
        """The entries of the legal placements of a block."""
        code, chances, entries = Code(self.coded[at]), list(map(list, self.chances)), {}
        # The values of a row by the square of the man that moves; the rows by the squares of the two men before it.
        rows, latest, last = {}, [0] * 64, 0
        for moving, row in itertools.chain.from_iterable(map(self.table.rows, self.blocks[at])):
            *_, third, second = [0] + [row[0][slot] for slot in self.table.order if slot != moving]
            near = [rows.get((third, at)) for at in self.nearby[1][second]]
            near += [rows.get((at, second)) for at in self.nearby[2][third]]
            first = next(filter(None, near), latest)
            other = near[1] or first
            values = first[:]
            for placement in row:
                if self.table.is_legal(placement, self.turn):
                    at = placement[moving]
                    left, below = self.nearby[0][at]
                    neighbours = [first[at], values[left], other[at], values[below]]
                    bits = [values[left] == first[left], values[below] == first[below], values[left] == other[left]]
                    value = ask_value(code, chances, neighbours, bits, last)
                    if not 0 <= value < len(self.entries):
                        fail(f"{self.table.board(placement, self.turn).fen()} has the value {value}, which is no entry")
                    values[at], last = value, value or last
                    entries[placement] = self.entries[value]
            rows[third, second] = latest = values
        return entries


def ask_value(code, chances, neighbours, bits, last):
    ask = lambda *place: code.ask(chances[sum(place)])
    different = sorted(dict.fromkeys(neighbours), key=lambda value: -neighbours.count(value))
    way = WAYS[tuple(map(neighbours.index, neighbours))]
    for at, value in enumerate(different):
        if ask(NEIGHBOUR, 32 * way, 4 * bits[0], 8 * bits[1], 16 * bits[2], at):
            return value
    others = [value for value in different if value > 0]
    if others:
        mean = (2 * sum(others) + len(others)) // (2 * len(others))
        spread = 1 + bisect.bisect_left(SPREADS, max(others) - min(others)) if len(others) > 1 else SOLE
    else:
        mean, spread = last, NONE
    has_zero, is_seen = 0 in different, mean in others
    if not has_zero and ask(ZERO, spread):
        return 0
    is_above = ask(ABOVE, 4 * spread, 2 * is_seen, has_zero)
    bits, distance = 0, 1
    while bits < 12 and ask(MORE, 20 * spread, 10 * is_above, min(bits, 9)):
        bits += 1
    for _ in range(bits):
        distance = 2 * distance + ask(BIT, 80 * spread, 8 * min(bits, 9), distance if distance <= 7 else 0)
    return mean + distance - (not is_seen) if is_above else mean - distance


class File:
    """The tables of a file. An outcome is 1 for a win, 0 for a draw or -1 for a loss, and the plies until then."""

    def __init__(self, path):
        data = path.read_bytes()
        text, rest = data.split(b"\n\n", 1)
        first, name, *lines = text.decode().splitlines()
        self.is_dtz = name.endswith(" dtz")
        self.tables, self.sections = {}, {}
        numbers = [int.from_bytes(rest[at : at + 4], "little") for at in range(0, 16 * len(lines) + 4, 4)]
        end = len(text) + 2 + 4 * len(numbers)
        if first != "lucena table 5" or zlib.crc32(data[: end - 4]) != numbers[-1]:
            fail(f"{path} begins with {first!r}, or the checksum of its head is wrong")
        for line, turn in itertools.product(lines, chess.COLORS):
            material, placements = line.split()
            table = self.tables.setdefault(material, Table(material))
            section = data[end : end + numbers.pop(0)]
            end += len(section)
            if zlib.crc32(section) != numbers.pop(0):
                fail(f"the checksum of a section of {material} is wrong")
            self.sections[table, turn] = Section(table, turn, int(placements), section)

    def outcome(self, table, placement, turn):
        """The outcome of a placement, which need not be canonical."""
        placement = table.canonical(placement)
        section = self.sections[table, turn]
        entry = section.block(section.block_of[placement[:2]])[placement]
        if entry == 0:
            return self.following(table, placement)
        if entry == 1:
            return 0, 0
        return 1 if entry % 2 else -1, (entry - 2) // (2 if self.is_dtz else 1)

    def following(self, table, placement):
        """The outcome, with the weak side to move, that follows by a move."""
        board = table.board(placement, chess.BLACK)
        moves = list(board.legal_moves)
        if not moves and board.is_check():
            return -1, 0
        outcomes = [(0, 0)] if any(map(board.is_capture, moves)) else []
        for move in moves:
            if not board.is_capture(move) and not move.promotion:
                moved = tuple(move.to_square if at == move.from_square else at for at in placement)
                outcomes.append(self.before(board.is_zeroing(move), self.outcome(table, moved, chess.WHITE)))
        return max(outcomes, key=merit, default=(0, 0))

    def before(self, is_zeroing, outcome):
        """The outcome before a move, for the side that makes it."""
        result, plies = outcome
        return -result, abs(result) if self.is_dtz and is_zeroing else plies + abs(result)

    def outcome_of(self, board):
        """The outcome of a position of any of the materials."""
        men = sorted(board.piece_map().items(), key=lambda man: (-man[1].piece_type, man[0]))
        sides = [[(man.symbol().upper(), at) for at, man in men if man.color == turn] for turn in chess.COLORS]
        material = "v".join("".join(man for man, _ in side) for side in sides)
        if material not in self.tables:
            return self.outcome_of(board.mirror())
        (strong, *strong_men), (weak, *weak_men) = sides
        placement = tuple(at for _, at in (strong, weak, *strong_men, *weak_men))
        return self.outcome(self.tables[material], placement, board.turn)

    def best_of_moves(self, board):
        outcomes = []
        for move in list(board.legal_moves):
            is_zeroing = board.is_zeroing(move)
            board.push(move)
            outcomes.append(self.before(is_zeroing, self.outcome_of(board)))
            board.pop()
        return max(outcomes, key=merit, default=(-1 if board.is_check() else 0, 0))


def merit(outcome):
    """How good an outcome is: a win is better the sooner it comes, a loss the later."""
    result, plies = outcome
    return result, -result * plies


def check_moves(file, material, drawn, pairs):
    table, rng = file.tables[material], random.Random(material)
    pairs = rng.choices(table.pairs, k=pairs)
    for turn in chess.COLORS * drawn:
        board = chess.Board(None)
        while not board.is_valid():
            board = table.board(rng.choice(table.placements(rng.choice(pairs))), turn)
        found, best = file.outcome_of(board), file.best_of_moves(board)
        if found != best:
            fail(f"{board.fen()} has the outcome {found}, and its moves lead to {best}")


def check_krkopt(file):
    table = file.tables["KRvK"]
    placements = (placement for pair in table.pairs for placement in table.placements(pair))
    found = collections.Counter(file.outcome(table, placement, chess.BLACK) for placement in placements)
    for outcome in KRKOPT | found:
        if found[outcome] != KRKOPT.get(outcome, 0):
            fail(f"{found[outcome]} positions of KRvK have the outcome {outcome}, in krkopt {KRKOPT.get(outcome, 0)}")


def main():
    if len(sys.argv) != 2:
        fail("say where lucena is")
    with tempfile.TemporaryDirectory() as folder:
        for material, metric, drawn, pairs in DRAWN:
            path = pathlib.Path(folder, f"{material}.{metric}")
            command = [sys.argv[1], "solve", material, "--class", metric, "--tables", folder, "--out", path, "--quiet"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            file = File(path)
            check_moves(file, material, drawn, pairs)
            if (material, metric) == ("KRvK", "dtm"):
                check_krkopt(file)
    print(
        f"table_file: in {len(DRAWN)} files, {sum(2 * drawn for _, _, drawn, _ in DRAWN)} positions have the outcomes"
        " that follow from the moves of python-chess, and KRvK has the classes of krkopt"
    )


main()
