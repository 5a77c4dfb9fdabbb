"""Look up positions in Syzygy files, and print one JSON object.

    python probe_tables.py lucena PROGRAM FOLDER FENS
    python probe_tables.py fathom PROGRAM FOLDER FENS [dtz]
    python probe_tables.py python_chess - FOLDER FENS
    python probe_tables.py positions NUMBER ENDGAME...

lucena and the program over Fathom are processes that answer each line of a file, Fathom's with the outcome or, with
`dtz`, with the distance to zeroing as well. python-chess answers the first lines in process, since it takes longer:
reading the FEN counts there too. `outcomes`, `distances` and `first_distances` are checksums of the answers. With
`positions`, FENs of random positions are printed instead, always the same.
"""

import hashlib
import itertools
import json
import os
import random
import sys
import tempfile
import time

import chess
import chess.syzygy

from process import measured, revision

FIRST = 5_000
CATEGORIES = {"win": 2, "cursed-win": 1, "draw": 0, "blessed-loss": -1, "loss": -2}


def positions(number, materials):
    draw = random.Random(1)
    while number:
        strong, weak = draw.choice(materials).split("v")
        board = chess.Board(None)
        board.turn = draw.random() < 0.5
        for square, man in zip(draw.sample(chess.SQUARES, len(strong + weak)), strong + weak.lower()):
            board.set_piece_at(square, chess.Piece.from_symbol(man))
        if board.is_valid():
            number -= 1
            print(board.fen())


def checksum(answers):
    return hashlib.sha256("".join(f"{answer}\n" for answer in answers).encode()).hexdigest()


def as_process(command, fens, read, environment=()):
    """`read` makes a tuple of a line: the outcome, and the plies to zeroing where the line tells."""
    with tempfile.NamedTemporaryFile("r") as output, open(fens, "rb") as lines:
        run = measured(command, output.name, environment, stdin=lines)
        answers = [read(line) for line in output]
    return {
        **run,
        "seconds_per_position": run["seconds"] / len(answers),
        "positions": len(answers),
        "outcomes": checksum(outcome for outcome, *_ in answers),
        "distances": checksum(answers),
        "first_distances": checksum(answers[:FIRST]),
    }


def lucena_answer(line):
    found = json.loads(line)
    # A mate is no plies away to Fathom.
    return CATEGORIES[found["category"]], 0 if found["checkmate"] else abs(found["dtz"])


def lucena(program, folder, fens):
    # From an empty folder of tables, every answer comes from the Syzygy files.
    with tempfile.TemporaryDirectory() as empty:
        command = [program, "--quiet", "probe", "--no-moves", "--tables", empty, "--syzygy", folder, "-"]
        return as_process(command, fens, lucena_answer, {"RAYON_NUM_THREADS": os.environ.get("THREADS", "1")})


def fathom(program, folder, fens, *dtz):
    return as_process([program, folder, *dtz], fens, lambda line: tuple(map(int, line.split())))


def python_chess(folder, fens):
    with open(fens) as file:
        lines = list(itertools.islice(file, FIRST))
    answers, seconds = [], {"wdl": 0.0, "dtz": 0.0}
    with chess.syzygy.open_tablebase(folder) as tables:
        for line in lines:
            start = time.perf_counter()
            board = chess.Board(line)
            outcome = tables.probe_wdl(board)
            middle = time.perf_counter()
            distance = tables.probe_dtz(board)
            end = time.perf_counter()
            seconds["wdl"] += middle - start
            seconds["dtz"] += end - start
            answers.append((outcome, 0 if board.is_checkmate() else abs(distance)))
    return {
        **{f"{name}_seconds_per_position": total / len(lines) for name, total in seconds.items()},
        "first_distances": checksum(answers),
    }


def main():
    match sys.argv[1:]:
        case ["positions", number, *materials]:
            return positions(int(number), materials)
        case ["lucena", program, folder, fens]:
            found = {"version": revision(program), **lucena(program, folder, fens)}
        case ["fathom", program, folder, fens, *dtz]:
            found = {"version": revision(os.environ["FATHOM"]), **fathom(program, folder, fens, *dtz)}
        case ["python_chess", "-", folder, fens]:
            found = {"version": chess.__version__, **python_chess(folder, fens)}
        case _:
            sys.exit(__doc__)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
