#!/usr/bin/env python3
"""The engine announces every mate at its exact distance, with a line that mates, in 1,000 positions of each endgame.

    mates.py LUCENA            plays through the positions in tests/data/mates
    mates.py LUCENA --write    draws the positions again

The positions are drawn at random, with either side to move, and their distances to mate are those of `lucena probe`, whose
tables `lucena verify` and the published counts check. The rules of python-chess decide whether a line mates.
"""

import json
import random
import subprocess
import sys
from pathlib import Path

import chess
import chess.engine

DATA = Path(__file__).resolve().parents[1] / "data" / "mates"
ENDGAMES = ["KRvK", "KQvK", "KBBvK", "KBNvK", "KQvKR", "KPvK"]
POSITIONS = 1_000
NODES = 1_000


def check(right, sentence):
    if not right:
        sys.exit(f"mates: {sentence}")


def drawn(endgame, rng):
    """A random legal position of an endgame, as a FEN."""
    strong, weak = endgame.split("v")
    men = [chess.Piece.from_symbol(man) for man in strong + weak.lower()]
    while True:
        board = chess.Board(None)
        for square, man in zip(rng.sample(chess.SQUARES, len(men)), men):
            board.set_piece_at(square, man)
        board.turn = rng.choice([chess.WHITE, chess.BLACK])
        if board.is_valid() and not board.is_game_over():
            return board.fen()


def probe(lucena, fens):
    asked = "".join(f"{fen}\n" for fen in fens)
    ran = subprocess.run([lucena, "probe", "--no-moves", "-"], input=asked, capture_output=True, text=True)
    check(ran.returncode == 0, f"probe ends with {ran.returncode}: {ran.stderr}")
    return [json.loads(line)["dtm"] for line in ran.stdout.splitlines()]


def write(lucena):
    DATA.mkdir(exist_ok=True)
    for endgame in ENDGAMES:
        rng = random.Random(endgame)
        mates = {}
        while len(mates) < POSITIONS:
            fens = [drawn(endgame, rng) for _ in range(POSITIONS)]
            for fen, dtm in zip(fens, probe(lucena, fens)):
                if dtm and len(mates) < POSITIONS:
                    moves = (abs(dtm) + 1) // 2
                    mates[" ".join(fen.split(" ")[:4])] = moves if dtm > 0 else -moves
        lines = [f"{epd} bm #{mate};\n" for epd, mate in mates.items()]
        (DATA / f"{endgame}.epd").write_text("".join(lines))


def played_through(lucena):
    with chess.engine.SimpleEngine.popen_uci(lucena, timeout=60) as engine:
        play_through(engine)
    print(f"{POSITIONS * len(ENDGAMES)} mates announced and shown")


def play_through(engine):
    for endgame in ENDGAMES:
        lines = (DATA / f"{endgame}.epd").read_text().splitlines()
        check(len(lines) == POSITIONS, f"{endgame}.epd has {len(lines)} positions")
        for line in lines:
            epd, mate = line.rstrip(";").split(" bm #")
            board = chess.Board(epd)
            told = engine.analyse(board, chess.engine.Limit(nodes=NODES), game=endgame)
            announced = told["score"].pov(board.turn).mate()
            check(announced == int(mate), f"{epd}: mate {announced}, not {mate}")
            plies = 2 * announced - 1 if announced > 0 else -2 * announced
            check(len(told["pv"]) == plies, f"{epd}: a line of {len(told['pv'])} plies, not {plies}")
            for move in told["pv"]:
                board.push(move)
            check(board.is_checkmate(), f"{epd}: the line does not mate")


if __name__ == "__main__":
    if sys.argv[2:] == ["--write"]:
        write(sys.argv[1])
    else:
        played_through(sys.argv[1])
