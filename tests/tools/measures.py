#!/usr/bin/env python3
"""lucena mates Stockfish by its measures, under python-chess, which checks the rules independently.

    measures.py LUCENA [GAMES]

Needs the package chess from PyPI, and stockfish from Debian. Games begin in random won positions, drawn from a
seed, with White to move. Every game must end in mate, before the fifty-move rule and within the moves
that the proof promises. Stockfish defends without tables, by a fixed number of nodes, so that the same games are played
everywhere.
"""

import json
import random
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import chess
import chess.engine

ROOT = Path(__file__).resolve().parents[2]
SEED = 1
NODES = 20_000
# The endgame, the name of its measure and the number of games.
MEASURES = [("KBNvK", "smallest", 200), ("KBBvK", "smallest", 40), ("KRvK", "smallest", 40), ("KQvK", "smallest", 40)]


def fail(sentence):
    sys.exit(f"measures: {sentence}")


def promised(endgame, name):
    """The moves of the longest game, as the tests of the proof have them."""
    for line in (ROOT / "tests/data/built_in_measures.csv").read_text().splitlines():
        fields = [field.strip() for field in line.split(";")]
        if fields[:2] == [endgame, name]:
            return int(fields[4])
    fail(f"no measure {endgame} {name} is listed")


def positions(lucena, tables, endgame, name, games):
    """Random won positions with White to move."""
    draw = random.Random(f"{SEED} {endgame} {name}")
    strong, weak = endgame.split("v")
    letters = strong + weak.lower()
    boards = []
    # Half of the positions of two bishops are drawn, since both stand on one colour.
    while len(boards) < 3 * games:
        board = chess.Board(None)
        for letter, square in zip(letters, draw.sample(range(64), len(letters))):
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
        if board.is_valid():
            boards.append(board)
    fens = "".join(board.fen() + "\n" for board in boards)
    command = [lucena, "probe", "-", "--tables", tables, "--format", "json"]
    probed = subprocess.run(command, input=fens, capture_output=True, text=True, check=True).stdout.splitlines()
    won = [board for board, line in zip(boards, probed, strict=True) if json.loads(line)["category"] == "win"]
    if len(won) < games:
        fail(f"only {len(won)} of {len(boards)} positions of {endgame} are won")
    return won[:games]


def play(engines, number, board, most):
    """Plays a game and returns White's moves until mate."""
    lucena, stockfish = engines
    start = board.fen()
    while not board.is_game_over(claim_draw=True):
        if board.turn == chess.WHITE:
            played = lucena.play(board, chess.engine.Limit(time=10), game=number, info=chess.engine.INFO_ALL)
            if not played.info.get("string", "").startswith("measure of "):
                fail(f"the measure has not chosen {played.move} in {board.fen()}: {played.info}")
        else:
            played = stockfish.play(board, chess.engine.Limit(nodes=NODES), game=number)
        if played.move is None:
            fail(f"there is no move in {board.fen()}, from {start}")
        board.push(played.move)
    moves = (len(board.move_stack) + 1) // 2
    if not board.is_checkmate() or board.turn == chess.WHITE or moves > most:
        fail(f"from {start} the game ends after {moves} moves with {board.outcome(claim_draw=True)}: {board.fen()}")
    return moves


def play_all(lucena, stockfish, tables, endgame, name, games):
    boards = positions(lucena, tables, endgame, name, games)
    file = ROOT / f"data/measures/{endgame}.{name}.json"
    most = promised(endgame, name)
    engines = [
        chess.engine.SimpleEngine.popen_uci([lucena, "uci", "--player", f"measure:{file}"], timeout=120),
        chess.engine.SimpleEngine.popen_uci(stockfish),
    ]
    try:
        engines[1].configure({"Threads": 1, "Hash": 16, "SyzygyPath": "<empty>"})
        return most, [play(engines, number, board, most) for number, board in enumerate(boards)]
    finally:
        for engine in engines:
            engine.quit()


def main():
    if len(sys.argv) not in (2, 3):
        fail("say where lucena is, and perhaps how many games of each endgame are to be played")
    lucena = sys.argv[1]
    stockfish = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")
    if stockfish is None:
        fail("there is no stockfish: install it, on Debian with apt-get install stockfish")
    with tempfile.TemporaryDirectory() as tables, ThreadPoolExecutor() as pool:
        played = [
            (endgame, games, pool.submit(play_all, lucena, stockfish, tables, endgame, name, games))
            for endgame, name, most in MEASURES
            for games in [int(sys.argv[2]) if len(sys.argv) == 3 else most]
        ]
        for endgame, games, result in played:
            most, moves = result.result()
            print(
                f"measures: {games} games of {endgame} against Stockfish, all mated: the longest in {max(moves)} moves "
                f"of {most}, {sum(moves) / len(moves):.1f} on average"
            )


if __name__ == "__main__":
    main()
