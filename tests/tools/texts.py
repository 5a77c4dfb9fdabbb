#!/usr/bin/env python3
"""python-chess reads the positions and games of the tests that lucena reads, and what lucena writes of them.

Usage: texts.py LUCENA

Needs the package chess from PyPI. The tables in tests/data say what lucena reads, and lucena's own tests check that.
python-chess takes fewer forms than lucena; where it reads a move, a clock or an operation, it must be the same. What
lucena writes is PGN by the standard, so python-chess must read all of it.
"""

import io
import logging
import pathlib
import subprocess
import sys
import tempfile

import chess
import chess.pgn

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"

# python-chess plays a variation that stands before the first move.
PLAYED_OTHERWISE = {"$4 (1. d4) 1. e4 *"}


def fail(sentence):
    sys.exit(f"texts: {sentence}")


def cases(name):
    """The lines of a table, divided into fields."""
    lines = (DATA / name).read_text(encoding="utf-8").split("\n")
    return [[field.strip() for field in line.split(";")] for line in lines if line.strip() and not line.startswith("#")]


def uci(moves):
    return " ".join(move.uci() for move in moves)


def check_epds():
    """Returns the number of lines and of those that python-chess reads."""
    read = 0
    lines = cases("epds.csv")
    for text, fen, best, avoid, name, mate in lines:
        text = text.replace("|", ";")
        # To python-chess, a backslash at the end of a text escapes its quote.
        if '\\";' in text:
            continue
        fields = text.rstrip("; ").split()
        board, operations = chess.Board(), {}
        try:
            # python-chess tells EPD and FEN apart by the caller.
            if len(fields) > 4 and fields[4].isdigit():
                board = chess.Board(" ".join(fields))
            else:
                operations = board.set_epd(text)
        except (ValueError, AssertionError):
            continue
        read += 1
        found = [
            board.fen(),
            uci(operations.get("bm", [])),
            uci(operations.get("am", [])),
            operations.get("id") or "",
            str(operations.get("dm", "")),
        ]
        if found != [fen, best, avoid, name, mate]:
            fail(f"{text!r} is {found} for python-chess, and not {[fen, best, avoid, name, mate]}")
    return len(lines), read


def check_moves():
    """Returns the number of moves that both read."""
    lines = cases("game_read_moves.csv")
    for fen, text, expected in lines:
        board = chess.Board(fen)
        found = board.uci(board.parse_uci(text))
        if found != expected:
            fail(f"{text} in {fen} is {found} for python-chess, and not {expected}")
    return len(lines)


def mainline(text):
    game = chess.pgn.read_game(io.StringIO(text))
    return game, uci(game.mainline_moves())


def check_games(lucena):
    """Returns the number of games and of those that python-chess reads to the end."""
    whole = 0
    lines = [line[:3] for name in ("read_pgns.csv", "peculiar_pgns.csv") for line in cases(name)]
    with tempfile.TemporaryDirectory() as folder:
        for text, moves, result in lines:
            text = text.replace("|", "\n")
            before, found = mainline(text)
            # python-chess drops letters that are not ASCII, figurines for example.
            is_comparable = text.isascii() and text not in PLAYED_OTHERWISE
            if is_comparable and found and not (moves + " ").startswith(found + " "):
                fail(f"{text!r} has the moves {found} for python-chess, and not {moves}")
            whole += found == moves
            path = pathlib.Path(folder) / "game.pgn"
            path.write_text(text, encoding="utf-8")
            ran = subprocess.run(
                [lucena, "explain", "--pgn", path, "--format", "pgn", "--quiet"], capture_output=True, text=True
            )
            if ran.returncode != 0:
                fail(f"{text!r}: lucena exits with {ran.returncode}: {ran.stderr}")
            game, found = mainline(ran.stdout)
            # Variations are written as they were read.
            is_new = set(map(str, game.errors)) - set(map(str, before.errors if before else []))
            if is_new or (found, game.headers["Result"]) != (moves, result):
                fail(f"of {text!r} lucena writes {ran.stdout!r}, which python-chess reads as {found}: {game.errors}")
    return len(lines), whole


def main():
    if len(sys.argv) != 2:
        fail("say where lucena is")
    # The errors of python-chess are told here.
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    epds, read = check_epds()
    games, whole = check_games(sys.argv[1])
    moves = check_moves()
    if read < epds / 2 or whole < games / 2:
        fail(f"python-chess reads only {read} of {epds} positions and {whole} of {games} games: it is no oracle")
    print(
        f"texts: python-chess {chess.__version__} reads {read} of {epds} positions, {whole} of {games} games and"
        f" {moves} moves as lucena does, and all {games} games that lucena writes"
    )


main()
