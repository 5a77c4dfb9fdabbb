#!/usr/bin/env python3
"""python-chess, which knows the rules by itself, lets lucena play a hundred games against Stockfish.

Usage: uci_python_chess.py LUCENA [GAMES]

It needs the package chess of PyPI, and stockfish of Debian. Half of the games begin where games do, the
others in endgames; each move has 20 ms. python-chess refuses what is no legal move, and what does not come within
some seconds, so a game that is over has had neither. How late the latest move was is told.
"""

import shutil
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import chess
import chess.engine

MOVE_SECONDS = 0.02
# Where the other games begin: the strong side, and the weak side, of what lucena has mined, and others.
ENDGAMES = [
    "8/8/8/3k4/8/8/8/K6R w - - 0 1",
    "8/8/8/3k4/8/8/8/K6Q b - - 0 1",
    "8/8/8/3k4/8/3K4/3P4/8 w - - 0 1",
    "8/8/3k4/8/8/8/8/KBB5 w - - 0 1",
    "8/8/3k4/8/8/8/8/KBN5 w - - 0 1",
    "4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1",
]
# As which lucena plays, in turn.
PLAYERS = ["search", "exact", "theory", "strategy"]


def fail(sentence):
    sys.exit(f"uci_python_chess: {sentence}")


def play(lucena, stockfish, number, tables):
    """Plays a game and says how it ended."""
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
        # What is read when it is first needed is read before a clock runs.
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
            # python-chess has asked whether the move is legal; it is pushed as it is.
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
        # Tables are solved once, before any time counts.
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
