"""Play lucena against Stockfish at a limited strength, and print one JSON object.

    python stockfish.py target/release/lucena
    python stockfish.py target/release/lucena --player search:depth=6 --elo 1800 --pgn games.pgn

lucena plays through `lucena move`, Stockfish through UCI; both have the same time for a move. Openings are
random plies, drawn from a seed, and each is played with both colours. python-chess applies the rules and
ends a game by mate, stalemate, insufficient material, fifty moves or repetition. A player that offers no
legal move has lost.

Stockfish is the Debian package of that name: apt-get install stockfish.
"""

import argparse
import json
import math
import random
import shutil
import subprocess
import sys
import time

import chess
import chess.engine
import chess.pgn

# A game that lasts this long is a draw.
MOST_PLIES = 600


class Lucena:
    """A process that reads a line, `FEN moves e2e4 ...`, and answers with a move."""

    def __init__(self, binary, player):
        command = [binary, "move", "--player", player]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def play(self, board):
        start = board.root()
        moves = " ".join(move.uci() for move in board.move_stack)
        line = f"{start.fen(en_passant='legal')} moves {moves}".strip()
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        answer = self.process.stdout.readline().strip()
        if self.process.poll() is not None:
            sys.exit(f"stockfish.py: lucena has ended; it was asked {line!r}")
        try:
            move = chess.Move.from_uci(answer)
        except ValueError:
            return None
        return move if board.is_legal(move) else None

    def quit(self):
        self.process.stdin.close()
        self.process.wait()


class Stockfish:
    """An engine with limited strength."""

    def __init__(self, binary, elo, seconds):
        self.engine = chess.engine.SimpleEngine.popen_uci(binary)
        self.engine.configure({"UCI_LimitStrength": True, "UCI_Elo": elo, "Threads": 1})
        self.limit = chess.engine.Limit(time=seconds)

    def play(self, board):
        return self.engine.play(board, self.limit).move

    def quit(self):
        self.engine.quit()


def opening(lots, plies):
    """A board after random plies, none of which ends the game."""
    while True:
        board = chess.Board()
        for _ in range(plies):
            board.push(lots.choice(list(board.legal_moves)))
            if board.is_game_over():
                break
        else:
            return board


def game(players, board):
    """Plays a game to the end; returns its result, and why it ended. `players` are indexed by colour."""
    while True:
        outcome = board.outcome(claim_draw=True)
        if outcome is not None:
            return outcome.result(), outcome.termination.name.lower()
        if len(board.move_stack) >= MOST_PLIES:
            return "1/2-1/2", "move_limit"
        move = players[board.turn].play(board)
        if move is None:
            return ("0-1" if board.turn == chess.WHITE else "1-0"), "no_move"
        board.push(move)


def wilson(points, games):
    """Wilson's 95 % interval for a share of the points."""
    z = 1.959963984540054
    rate = points / games
    middle = rate + z * z / (2 * games)
    spread = z * math.sqrt(rate * (1 - rate) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return [(middle - spread) / scale, (middle + spread) / scale]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("lucena", help="the binary of lucena")
    parser.add_argument("--player", default="search:time=100ms")
    parser.add_argument("--stockfish", default=shutil.which("stockfish") or "/usr/games/stockfish")
    parser.add_argument("--elo", type=int, default=1500)
    parser.add_argument("--move-time", type=float, default=0.1, help="seconds for Stockfish's moves")
    parser.add_argument("--games", type=int, default=100, help="an even number")
    parser.add_argument("--plies", type=int, default=6, help="random plies of an opening")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pgn", help="write the games to this file")
    asked = parser.parse_args()
    if asked.games < 2 or asked.games % 2:
        parser.error("every opening is played with both colours: ask for 2, 4, 6, ... games")
    if shutil.which(asked.stockfish) is None:
        parser.error("there is no Stockfish: apt-get install stockfish, or name it by --stockfish")
    if shutil.which(asked.lucena) is None:
        parser.error(f"{asked.lucena} is no program: cargo build --release makes target/release/lucena")
    return asked


def main():
    asked = arguments()
    lots = random.Random(asked.seed)
    start = time.perf_counter()
    ours, theirs = Lucena(asked.lucena, asked.player), Stockfish(asked.stockfish, asked.elo, asked.move_time)
    won = drawn = lost = 0
    ends, games = {}, []
    for number in range(asked.games):
        if number % 2 == 0:
            begun = opening(lots, asked.plies)
        color = chess.WHITE if number % 2 == 0 else chess.BLACK
        board = begun.copy()
        result, end = game({color: ours, not color: theirs}, board)
        ends[end] = ends.get(end, 0) + 1
        if result == "1/2-1/2":
            drawn += 1
        elif (result == "1-0") == (color == chess.WHITE):
            won += 1
        else:
            lost += 1
        played = chess.pgn.Game.from_board(board)
        names = {color: f"lucena {asked.player}", not color: f"Stockfish {asked.elo}"}
        played.headers.update(
            Event="lucena against Stockfish", Round=str(number + 1),
            White=names[chess.WHITE], Black=names[chess.BLACK], Result=result, Termination=end,
        )
        games.append(str(played))
        print(f"{number + 1}: +{won} ={drawn} -{lost}", file=sys.stderr)
    ours.quit()
    theirs.quit()
    if asked.pgn:
        with open(asked.pgn, "w", encoding="utf-8") as file:
            file.write("\n\n".join(games) + "\n")
    points = won + drawn / 2
    json.dump(
        {
            "player": asked.player,
            "stockfish_elo": asked.elo,
            "move_time": asked.move_time,
            "seed": asked.seed,
            "games": asked.games,
            "won": won,
            "drawn": drawn,
            "lost": lost,
            "score": points / asked.games,
            "score_95": wilson(points, asked.games),
            "ends": dict(sorted(ends.items())),
            "seconds": time.perf_counter() - start,
        },
        sys.stdout,
        indent=2,
    )
    print()


if __name__ == "__main__":
    main()
