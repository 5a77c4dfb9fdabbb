#!/usr/bin/env python3
"""lichess-bot plays a hundred games with lucena as its engine, on a server here that speaks Lichess's interface for bots.

Usage: lichess_bot.py LUCENA LICHESS_BOT [GAMES]

LICHESS_BOT is a checkout of https://github.com/lichess-bot-devs/lichess-bot, whose requirements are installed. The bot
runs as it would on Lichess: its own configuration, but for the address of the server and the place of the engine; it
accepts a challenge for each game, thinks in the opponent's time, and has three seconds for the whole game. The opponent
moves at random. The rules of python-chess judge each move, and a move that is illegal or late, or an error in the log
of the bot, is a failure.
"""

import itertools
import json
import queue
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import chess
import yaml

BOT = {"id": "lucena", "username": "lucena", "name": "lucena", "title": "BOT", "rating": 1500}
OPPONENT = {"id": "random", "username": "random", "name": "random", "rating": 1500}
SECONDS = 3
MOST_PLIES = 200
# A whole game and endgames, won and drawn. The bot plays White and then Black in each.
STARTS = [
    chess.STARTING_FEN,
    "8/8/8/3k4/8/8/8/K6R w - - 0 1",
    "8/8/8/3k4/8/3K4/3P4/8 w - - 0 1",
    "8/8/3k4/8/8/8/8/KBN5 w - - 0 1",
    "8/8/8/8/3k4/8/1n6/1K5R w - - 0 1",
]
# What the bot logs if an engine breaks the protocol, or a game cannot go on.
FAULTS = re.compile(r"ERROR|WARNING <UciProtocol|Traceback|illegal|terminated unexpectedly")


def fail(sentence):
    sys.exit(f"lichess_bot: {sentence}")


class Game:
    """A game of the bot against random moves, with Lichess's clock: it runs from the second move of each side."""

    def __init__(self, number):
        self.id = f"game{number:04}"
        self.fen = STARTS[number // 2 % len(STARTS)]
        self.board = chess.Board(self.fen)
        self.bot = chess.WHITE if number % 2 == 0 else chess.BLACK
        self.left = {chess.WHITE: float(SECONDS), chess.BLACK: float(SECONDS)}
        self.since = time.monotonic()
        self.status, self.winner, self.fault = "created", None, None
        self.states, self.over = queue.Queue(), threading.Event()
        self.random = random.Random(number)

    def players(self):
        return (BOT, OPPONENT) if self.bot == chess.WHITE else (OPPONENT, BOT)

    def state(self):
        told = {
            "type": "gameState",
            "moves": " ".join(move.uci() for move in self.board.move_stack),
            "wtime": int(1_000 * self.left[chess.WHITE]),
            "btime": int(1_000 * self.left[chess.BLACK]),
            "winc": 0,
            "binc": 0,
            "status": self.status,
        }
        return told | ({"winner": chess.COLOR_NAMES[self.winner]} if self.winner is not None else {})

    def full(self):
        white, black = self.players()
        return {
            "type": "gameFull",
            "id": self.id,
            "rated": False,
            "variant": {"key": "fromPosition", "name": "From Position"},
            "clock": {"initial": 1_000 * SECONDS, "increment": 0},
            "speed": "bullet",
            "perf": {"name": "Bullet"},
            "createdAt": int(1_000 * time.time()),
            "white": white,
            "black": black,
            "initialFen": self.fen,
            "state": self.state(),
        }

    def challenge(self):
        return {
            "id": self.id,
            "status": "created",
            "challenger": OPPONENT,
            "destUser": BOT,
            "variant": {"key": "fromPosition", "name": "From Position"},
            "rated": False,
            "speed": "bullet",
            "timeControl": {"type": "clock", "limit": SECONDS, "increment": 0},
            "color": chess.COLOR_NAMES[not self.bot],
            "perf": {"name": "Bullet"},
            "initialFen": self.fen,
        }

    def push(self, move):
        spent = time.monotonic() - self.since
        mover = self.board.turn
        if len(self.board.move_stack) >= 2:
            self.left[mover] -= spent
        self.board.push(move)
        self.since = time.monotonic()
        outcome = self.board.outcome(claim_draw=True)
        if self.left[mover] < 0 and mover == self.bot:
            self.finish("outoftime", not mover, f"{self.left[mover]:.2f} s are left after {move} in {self.board.fen()}")
        elif outcome is not None:
            self.finish("mate" if outcome.winner is not None else "draw", outcome.winner)
        elif len(self.board.move_stack) >= MOST_PLIES:
            self.finish("draw", None)
        else:
            self.states.put(self.state())

    def finish(self, status, winner, fault=None):
        if not self.over.is_set():
            self.status, self.winner, self.fault = status, winner, fault
            self.states.put(self.state())
            self.over.set()

    def answer(self):
        """Plays the opponent's move, if it is the opponent's turn."""
        if self.status == "started" and self.board.turn != self.bot:
            self.push(self.random.choice(list(self.board.legal_moves)))

    def play(self, uci):
        try:
            move = chess.Move.from_uci(uci)
        except ValueError:
            move = chess.Move.null()
        if self.status != "started" or self.board.turn != self.bot or move not in self.board.legal_moves:
            self.finish("aborted", None, f"{uci} is no move in {self.board.fen()}")
            return False
        self.push(move)
        self.answer()
        return True


class Server(ThreadingHTTPServer):
    """The part of Lichess that a bot needs."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answer)
        self.games, self.events = {}, queue.Queue()


class Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def body(self, data, status=200):
        text = data.encode() if isinstance(data, str) else json.dumps(data).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def stream(self, lines):
        """Sends a line for each item, as a chunk, as a client that reads line by line needs it. A line without an item
        keeps the stream alive."""
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            for line in lines:
                text = (json.dumps(line) if line else "").encode() + b"\n"
                self.wfile.write(b"%x\r\n%s\r\n" % (len(text), text))
            self.wfile.write(b"0\r\n\r\n")
        except OSError:
            self.close_connection = True

    def queued(self, items, is_over):
        while True:
            try:
                item = items.get(timeout=1)
            except queue.Empty:
                item = None
            yield item
            if is_over(item):
                return

    def do_GET(self):
        path = self.path.split("?")[0].strip("/").split("/")
        match path:
            case ["api", "account"]:
                self.body(BOT)
            case ["api", "account", "playing"]:
                now = [game for game in self.server.games.values() if game.status == "started"]
                self.body({"nowPlaying": [{"gameId": game.id, "speed": "bullet", "opponent": OPPONENT} for game in now]})
            case ["api", "stream", "event"]:
                self.stream(self.queued(self.server.events, lambda _: False))
            case ["api", "bot", "game", "stream", name]:
                game = self.server.games[name]
                states = self.queued(game.states, lambda state: bool(state) and state["status"] != "started")
                self.stream(itertools.chain([game.full()], states))
            case ["game", "export", name]:
                self.body(f'[Result "*"]\n[Site "{name}"]\n\n*\n')
            case _:
                self.body({"error": "not found"}, 404)

    def do_POST(self):
        sent = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        path = self.path.split("?")[0].strip("/").split("/")
        match path:
            case ["api", "token", "test"]:
                self.body({sent: {"scopes": "bot:play,challenge:read,challenge:write", "userId": BOT["id"]}})
            case ["api", "challenge", name, "accept"]:
                game = self.server.games[name]
                self.body({"ok": True})
                game.status, game.since = "started", time.monotonic()
                game.answer()
                self.server.events.put({"type": "gameStart", "game": {"id": name, "opponent": OPPONENT}})
            case ["api", "challenge", name, "decline"]:
                self.server.games[name].finish("aborted", None, f"the challenge is declined: {sent}")
                self.body({"ok": True})
            case ["api", "bot", "game", name, "move", uci]:
                is_legal = self.server.games[name].play(uci)
                self.body({"ok": True} if is_legal else {"error": "no such move"}, 200 if is_legal else 400)
            case ["api", "bot", "game", name, "resign" | "abort" as word]:
                game = self.server.games[name]
                game.finish("resign", not game.bot, f"the bot sends {word} in {game.board.fen()}")
                self.body({"ok": True})
            case ["api", "bot", "game", _, "chat"]:
                self.body({"ok": True})
            case _:
                self.body({"error": "not found"}, 404)


def configuration(lichess_bot, lucena, url, folder):
    """The bot's own default configuration, with what everybody has to change. It has a folder without Syzygy files."""
    config = yaml.safe_load((lichess_bot / "config.yml.default").read_text())
    config.update(token="token", url=url, move_overhead=100, quit_after_all_games_finish=False)
    config["engine"].update(dir=str(lucena.parent), name=lucena.name)
    config["engine"]["uci_options"].update({"Move Overhead": 20, "Threads": 1, "Hash": 16, "SyzygyPath": folder})
    config["challenge"].update(variants=["standard", "fromPosition"], min_base=0)
    config["challenge"]["time_controls"] = ["bullet"]
    return config


def main():
    if len(sys.argv) not in (3, 4):
        fail("say where lucena and a checkout of lichess-bot are, and perhaps how many games are to be played")
    lucena, lichess_bot = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    games = int(sys.argv[3]) if len(sys.argv) == 4 else 100
    if not (lichess_bot / "lichess-bot.py").is_file():
        fail(f"{lichess_bot} has no lichess-bot.py: name the folder of a checkout")
    # Tables are solved before any clock runs.
    for fen in STARTS[1:]:
        subprocess.run([lucena, "probe", fen], check=True, capture_output=True)

    server = Server()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "config.yml"
        url = f"http://127.0.0.1:{server.server_port}/"
        config.write_text(yaml.safe_dump(configuration(lichess_bot, lucena, url, folder)))
        log = Path(folder) / "log"
        command = [sys.executable, "lichess-bot.py", "--config", config, "--logfile", log, "--disable_auto_logging"]
        with open(Path(folder) / "told", "w+") as told:
            bot = subprocess.Popen(command, cwd=lichess_bot, stdout=told, stderr=subprocess.STDOUT)
            try:
                ends, plies = play(server, games, bot, log)
            finally:
                bot.kill()
                bot.wait()
        faults = [line for line in log.read_text().splitlines() if FAULTS.search(line)]
        if faults:
            fail("the bot tells faults:\n" + "\n".join(faults[:20]))
    ended = ", ".join(f"{count} {end}" for end, count in sorted(ends.items()))
    print(f"lichess-bot: {games} games of lucena in {SECONDS} s each against random moves, {plies} plies: {ended}")


def play(server, games, bot, log):
    ends, plies = Counter(), 0
    for number in range(games):
        game = server.games.setdefault(f"game{number:04}", Game(number))
        server.events.put({"type": "challenge", "challenge": game.challenge()})
        while not game.over.wait(timeout=1):
            if bot.poll() is not None:
                fail(f"the bot ends:\n{log.read_text()[-2_000:]}")
            if time.monotonic() - game.since > 60:
                fail(f"game {number + 1} stands still in {game.board.fen()}:\n{log.read_text()[-2_000:]}")
        if game.fault:
            fail(f"game {number + 1}: {game.fault}")
        server.events.put({"type": "gameFinish", "game": {"id": game.id}})
        winner = {None: "drawn", game.bot: "won", not game.bot: "lost"}[game.winner]
        ends[winner] += 1
        plies += len(game.board.move_stack)
    return ends, plies


if __name__ == "__main__":
    main()
