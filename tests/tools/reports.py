#!/usr/bin/env python3
"""lucena's reports are compared with the tools whose formats they use.

  reports.py LUCENA

scikit-learn prints the same report and figures for the same answers, python-chess reads every game and accepts
every move as legal, and the answers of probe have the names of the Lichess tablebase.
"""

import csv
import io
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import warnings

import chess
import chess.engine
import chess.pgn
from sklearn import metrics

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"


def expect(holds, sentence):
    if not holds:
        sys.exit(f"reports: {sentence}")


def run(*arguments, given=None, code=0):
    ran = subprocess.run([LUCENA, *arguments], input=given, capture_output=True, text=True)
    expect(ran.returncode == code, f"{' '.join(arguments)} ends with {ran.returncode}: {ran.stderr.strip()}")
    return ran.stdout


def cases(name, fields):
    with open(DATA / name, encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split(";") for line in lines if line.strip() and not line.startswith("#")]
    expect(rows and all(len(row) == fields for row in rows), f"{name} is not as it should be")
    return rows


def check_report(judged, printed, truth, answers, unanswered):
    """Compares figures and text with scikit-learn's for rows with these classes and answers."""
    names = [row["class"] for row in judged["classes"]]
    labels = names + ["unanswered"] * unanswered
    matrix = metrics.confusion_matrix(truth, answers, labels=labels)
    expect(matrix[: len(names), : len(names)].tolist() == judged["confusion"], "the confusion matrix is another")
    for name, score in [
        ("accuracy", metrics.accuracy_score(truth, answers)),
        ("balanced_accuracy", metrics.balanced_accuracy_score(truth, answers)),
        ("kappa", metrics.cohen_kappa_score(truth, answers)),
    ]:
        expect(abs(judged[name] - score) < 1e-12, f"{name} is {judged[name]}, to scikit-learn {score}")
    report = metrics.classification_report(truth, answers, labels=labels, digits=4, zero_division=0)
    expect(report in printed, f"the report is not scikit-learn's:\n{printed}\nagainst\n{report}")


def repeated(judged):
    """Rows that give the confusion matrix."""
    names = [row["class"] for row in judged["classes"]]
    truth, answers = [], []
    for row, counts in zip(judged["classes"], judged["confusion"]):
        for name, count in zip([*names, "unanswered"], [*counts, row["unanswered"]]):
            truth += [row["class"]] * count
            answers += [name] * count
    return truth, answers


def check_learn(folder):
    """Checks the training figures by the tree's answers, read here, and the validation by its matrix."""
    for learner, options in [("cart", ["--max-depth", "7"]), ("id3", ["--max-depth", "5"]), ("id3", [])]:
        file = folder / "tree.json"
        asked = ["learn", "KRvK", "--learner", learner, *options, "--folds", "5", "--out", str(file)]
        learned = json.loads(run(*asked, "--format", "json"))
        printed = run(*asked, "--report", "scikit-learn")
        for judged in [learned["training"], learned["cross_validation"]]:
            truth, answers = repeated(judged)
            expect(len(truth) == judged["rows"], "the matrix does not have all rows")
            check_report(judged, printed, truth, answers, judged["unanswered"] > 0)
    rows = run("dataset", "KRvK")
    table = list(csv.DictReader(io.StringIO(rows)))
    check_answers(folder, table)


def check_answers(folder, table):
    """The matrix is that of the tree's answers, computed here from its file and the data set."""
    truth = [row["optimalDepth"] for row in table]
    file = folder / "shallow.json"
    asked = ["learn", "KRvK", "--max-depth", "6", "--folds", "0", "--out", str(file), "--format", "json"]
    judged = json.loads(run(*asked))["training"]
    tree = json.loads(file.read_text())
    answers = [answer(tree, row) for row in table]
    labels = [row["class"] for row in judged["classes"]]
    matrix = metrics.confusion_matrix(truth, answers, labels=labels).tolist()
    expect(matrix == judged["confusion"], "the tree answers otherwise when it is read here")


def answer(tree, row):
    """Walks a threshold tree by its file. The published attributes are written as numbers."""
    nodes, at = tree["nodes"], 0
    while "class" not in nodes[at]:
        node = nodes[at]
        value = int(row[tree["attributes"][node["attribute"]]["name"]])
        at = node["below"] if value <= node["at_most"] else node["above"]
    return tree["classes"][nodes[at]["class"]]


def check_probe():
    names = {name: set(fields.split()) for name, fields in cases("lichess_tablebase_names.csv", 2)}
    fens = [row[0] for row in cases("cli_probes.csv", 4)]
    lines = run("probe", "-", given="\n".join(fens) + "\n").splitlines()
    expect(len(lines) == len(fens), "an answer is missing")
    for fen, line in zip(fens, lines):
        probed, board = json.loads(line), chess.Board(fen)
        expect(set(probed) - {"lucena"} == names["position"], f"{fen}: names are {sorted(probed)}")
        for move in probed["moves"]:
            expect(set(move) == names["move"], f"{fen}: names are {sorted(move)}")
            expect(board.san(board.parse_uci(move["uci"])) == move["san"], f"{fen}: {move['san']}")
            expect(board.is_zeroing(board.parse_uci(move["uci"])) == move["zeroing"], f"{fen}: {move['san']}")
        expect(len(probed["moves"]) == board.legal_moves.count(), f"{fen}: moves are missing")
        expect(probed["checkmate"] == board.is_checkmate(), fen)
        expect(probed["stalemate"] == board.is_stalemate(), fen)
        expect(probed["insufficient_material"] == board.is_insufficient_material(), fen)
    for fen, category, first, after in cases("lichess_categories.csv", 4):
        probed = json.loads(run("probe", fen, "--format", "json"))
        expect(probed["category"] == category, f"{fen}: {probed['category']}, not {category}")
        expect(probed["moves"][0]["category"] == after, f"{fen}: {probed['moves'][0]}")
        expect(first in ("-", probed["moves"][0]["san"]), f"{fen}: {probed['moves'][0]['san']} is first")
    return fens


def games_of(text):
    """All games of a PGN, each read completely and without an error."""
    stream, games = io.StringIO(text), []
    while (game := chess.pgn.read_game(stream)) is not None:
        expect(not game.errors, f"python-chess finds {game.errors}")
        games.append(game)
    return games


def check_lines(fens):
    for fen in fens:
        [game] = games_of(run("probe", fen, "--format", "pgn"))
        probed = json.loads(run("probe", fen, "--format", "json"))
        board, end = game.board(), game.end().board()
        expect(board.fen() == chess.Board(fen).fen(), f"{fen}: begins at {board.fen()}")
        plies = len(list(game.mainline_moves()))
        expect(plies == abs(probed["dtm"] or 0), f"{fen}: {plies} plies, not {probed['dtm']}")
        if probed["category"] == "draw":
            expect(game.headers["Result"] == "1/2-1/2", fen)
        else:
            expect(end.is_checkmate() and end.result() == game.headers["Result"], f"{fen}: no mate")
        expect(all(tag in game.headers for tag in ("Event", "Site", "Date", "Round", "White", "Black")), fen)
        expect(game.headers["Termination"] in ("normal", "adjudication"), fen)
        for node in [game, *game.mainline()]:
            mate = node.eval()
            if node.board().is_checkmate():
                continue
            left = plies - (node.ply() - game.ply())
            sign = 1 if end.is_checkmate() and end.turn == chess.BLACK else -1
            expected = chess.engine.Cp(0) if plies == 0 else chess.engine.Mate(sign * ((left + 1) // 2))
            expect(mate is not None and mate.white() == expected, f"{fen}: {node.comment}, {left} plies from mate")


def random_game(seed):
    """A whole game of random moves from the start, until few men are left and some moves later."""
    lots = random.Random(seed)
    board, game = chess.Board(), chess.pgn.Game()
    node, left = game, 30
    while left and any(board.legal_moves):
        # Captures are preferred now and then; otherwise it takes very long.
        moves = list(board.legal_moves)
        takes = [move for move in moves if board.is_capture(move)]
        move = lots.choice(takes if takes and lots.random() < 0.5 else moves)
        board.push(move)
        node = node.add_variation(move)
        left -= chess.popcount(board.occupied) <= 4
    game.headers["Result"] = board.result() if not any(board.legal_moves) else "*"
    return game


def check_annotations(folder):
    games = [random_game(seed) for seed in range(12)]
    file, out = folder / "games.pgn", folder / "annotated.pgn"
    file.write_text("\n\n".join(str(game) for game in games) + "\n")
    report = json.loads(run("explain", "--pgn", str(file), "--out", str(out), "--format", "json"))
    printed = run("explain", "--pgn", str(file), "--format", "pgn")
    expect(printed == out.read_text(), "the file and the output differ")
    annotated = games_of(printed)
    expect(len(annotated) == len(report["games"]) == len(games), "a game is missing")
    judged = 0
    for game, written, told in zip(games, annotated, report["games"]):
        expect(list(game.mainline_moves()) == list(written.mainline_moves()), "a move is another")
        endgame = {}
        for node in game.mainline():
            before = node.parent.board()
            if chess.popcount(before.occupied) <= 4 and not before.castling_rights:
                endgame[node.ply()] = node
        expect(list(endgame) == [move["ply"] for move in told["moves"]], "other moves are judged")
        asked = "".join(node.parent.board().fen() + "\n" for node in endgame.values())
        answers = [json.loads(line) for line in run("probe", "-", given=asked).splitlines()] if asked else []
        nodes = {node.ply(): node for node in written.mainline()}
        for answer_of, move in zip(answers, told["moves"]):
            of = {mv["uci"]: mv for mv in answer_of["moves"]}
            played, best = of[move["move"]], answer_of["moves"][0]
            result = lambda mv: mv["category"].split("-")[-1]
            expect((move["thrown"] is not None) == (result(played) != result(best)), f"{move}")
            if move["cost_plies"] is not None:
                cost = abs(abs(played["dtm"] or 0) - abs(best["dtm"] or 0))
                expect(move["cost_plies"] == cost == 2 * move["cost_moves"], f"{move} costs {cost}")
            node = nodes[move["ply"]]
            expect(node.nags == ({move["glyph"]} if move["glyph"] else set()), f"{move}: {node.nags}")
            if move["thrown"] or move["cost_plies"]:
                beside = node.parent.variations[1].move.uci()
                expect(beside in move["best"], f"{move}: {beside} stands beside it")
            judged += 1
    expect(judged > 50, f"only {judged} moves were judged")
    damaged = folder / "damaged.pgn"
    damaged.write_text(file.read_text().replace("\n\n1. ", "\n\n1. Ke5 ", 1))
    run("explain", "--pgn", str(damaged), code=3)
    return judged


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: reports.py LUCENA")
    # scikit-learn treats no answer as a class, which no row has.
    warnings.filterwarnings("ignore", message="y_pred contains classes not in y_true")
    LUCENA = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as path:
        check_learn(pathlib.Path(path))
        fens = check_probe()
        check_lines(fens)
        moves = check_annotations(pathlib.Path(path))
    print(f"reports: scikit-learn prints the same of 3 trees, python-chess reads {len(fens)} lines and 12 games "
          f"with {moves} moves judged, probe has the names of Lichess")
