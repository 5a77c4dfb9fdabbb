#!/usr/bin/env python3
"""lucena plays a hundred games against Stockfish under python-chess, which checks the rules independently.

Usage: uci_python_chess.py LUCENA [GAMES]

Needs the package chess from PyPI, and stockfish from Debian. Half of the games begin in the initial position, the
others in endgames; each move has 20 ms. python-chess rejects illegal moves, and moves that take several seconds, so
a finished game has had neither. The script reports the slowest move.
"""

import shutil
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import chess
import chess.engine

MOVE_SECONDS = 0.02
# The starting positions of the other games: the strong and the weak side of mined endgames, and others.
ENDGAMES = [
    "8/8/8/3k4/8/8/8/K6R w - - 0 1",
    "8/8/8/3k4/8/8/8/K6Q b - - 0 1",
    "8/8/8/3k4/8/3K4/3P4/8 w - - 0 1",
    "8/8/3k4/8/8/8/8/KBB5 w - - 0 1",
    "8/8/3k4/8/8/8/8/KBN5 w - - 0 1",
    "4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1",
]
# lucena's players, in turn.
PLAYERS = ["search", "exact", "theory", "strategy"]


def fail(sentence):
    sys.exit(f"uci_python_chess: {sentence}")


def play(lucena, stockfish, number, tables):
    """Plays a game and returns how it ended."""
    if number % 2 == 0:
        board, most_plies = chess.Board(), 160
    else:
        board, most_plies = chess.Board(ENDGAMES[number // 2 % len(ENDGAMES)]), 120
    white_is_lucena = number // 2 % 2 == 0
    engines = [
        chess.engine.SimpleEngine.popen_uci([lucena, "uci", "--tables", tables]),
        chess.engine.SimpleEngine.popen_uci(stockfish),
    ]
    try:
        engines[0].configure({"Player": PLAYERS[number % len(PLAYERS)]})
        engines[1].configure({"Threads": 1, "Hash": 16, "Skill Level": 0})
        # Files that are read on demand are read before a clock runs.
        engines[0].ping()
        slowest = 0.0
        while not board.is_game_over(claim_draw=True) and board.ply() < most_plies:
            is_lucena = (board.turn == chess.WHITE) == white_is_lucena
            engine = engines[0] if is_lucena else engines[1]
            begun = time.monotonic()
            result = engine.play(
                board, chess.engine.Limit(time=MOVE_SECONDS), game=number, info=chess.engine.INFO_ALL
            )
            if is_lucena:
                slowest = max(slowest, time.monotonic() - begun)
                if result.move is None:
                    fail(f"in game {number + 1} lucena has no move in {board.fen()}")
                if "string" not in result.info:
                    fail(f"in game {number + 1} lucena does not say why in {board.fen()}")
            # python-chess has checked that the move is legal, so it is pushed directly.
            board.push(result.move)
        return board.result(claim_draw=True), slowest
    finally:
        for engine in engines:
            engine.quit()


def main():
    if len(sys.argv) not in (2, 3):
        fail("say where lucena is, and perhaps how many games are to be played")
    lucena, games = sys.argv[1], int(sys.argv[2]) if len(sys.argv) == 3 else 100
    stockfish = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")
    if stockfish is None:
        fail("there is no stockfish: install it, on Debian with apt-get install stockfish")
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as tables, ThreadPoolExecutor(4) as pool:
        # Tables are solved once, before any clock runs.
        warm = chess.engine.SimpleEngine.popen_uci([lucena, "uci", "--tables", tables], timeout=120)
        warm.ping()
        warm.quit()
        try:
            ended = list(
                pool.map(lambda number: play(lucena, stockfish, number, tables), range(games))
            )
        except chess.engine.EngineError as error:
            fail(f"an engine broke the protocol: {error}")
        except TimeoutError:
            fail("an engine did not answer in time")
    results = [result for result, _ in ended]
    counts = ", ".join(f"{results.count(one)} {one}" for one in sorted(set(results)))
    print(
        f"python-chess {chess.__version__}: {games} games of lucena against Stockfish without an illegal "
        f"move or a stall ({counts}; the slowest move {max(slow for _, slow in ended) * 1000:.0f} ms of "
        f"{MOVE_SECONDS * 1000:.0f}) in {time.monotonic() - begun:.0f} s"
    )


if __name__ == "__main__":
    main()
