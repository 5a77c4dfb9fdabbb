"""Proofs of trees, named players, classifiers and functions, and errors of players that misbehave."""

import csv
import io
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import chess
import lucena
import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier
from xgboost import XGBClassifier

POSITIONS = 175_168


@pytest.fixture(scope="module")
def data() -> lucena.Dataset:
    return lucena.dataset("KRvK")


@pytest.fixture(scope="module")
def tree(data: lucena.Dataset) -> lucena.Tree:
    return lucena.learn(data)


@pytest.fixture(scope="module")
def classifier(data: lucena.Dataset) -> DecisionTreeClassifier:
    return DecisionTreeClassifier(random_state=1).fit(data.X, data.y)


def worth(proof: lucena.Proof) -> dict[str, Any]:
    """The report without the name of the player and the time."""
    report = proof.report()
    return {key: value for key, value in report.items() if key not in ("seconds", "leaves")}


def optimal(proof: lucena.Proof) -> bool:
    return proof.wins_all and proof.optimal_share == 1.0 and proof.longest_moves == 16


def test_an_exact_tree_is_optimal(tree: lucena.Tree) -> None:
    proof = lucena.prove(tree)
    assert optimal(proof) and proof.won == proof.positions == POSITIONS
    assert proof.refutation is None and proof._repr_svg_() is None
    assert "175,168 of 175,168 positions won, longest 16 moves" in str(proof)


def test_a_player_is_proved_by_its_name() -> None:
    proof = lucena.prove("theory", "KRvK", start="8/8/8/8/8/2k5/1R6/K7 w - - 0 1")
    assert proof.wins_all and proof.player == "theory"
    assert proof.line is not None and proof.line.reason is None
    board = chess.Board(proof.line.fen)
    for move in proof.line.uci:
        board.push_uci(move)
    assert board.is_checkmate()


def test_a_refutation_goes_round_in_a_circle(tree: lucena.Tree) -> None:
    proof = lucena.prove(tree, played_on="board")
    assert not proof.wins_all
    line = proof.refutation
    assert line is not None and line.reason == "cycle"
    board, seen = chess.Board(line.fen), []
    for uci, san in zip(line.uci, line.san, strict=True):
        seen.append(board.epd())
        assert board.san(chess.Move.from_uci(uci)) == san
        board.push_uci(uci)
    assert board.epd() in seen
    svg = proof._repr_svg_()
    assert svg is not None and svg.startswith("<svg ")


def test_a_certificate_is_read_by_the_command(tree: lucena.Tree, tmp_path: Path) -> None:
    path, certificate = tmp_path / "tree.json", tmp_path / "certificate.json"
    tree.save(path)
    certificate.write_text(lucena.prove(tree).certificate())
    checked = run("prove", "--player", f"tree:{path}", "--check", str(certificate))
    assert "agrees: all that it says has been proved again" in checked


def run(*arguments: str) -> str:
    command = [sys.executable, "-m", "lucena", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout


def test_a_classifier_of_scikit_learn_is_a_player(
    data: lucena.Dataset, classifier: DecisionTreeClassifier
) -> None:
    assert classifier.score(data.X, data.y) == 1.0
    proof = lucena.prove(classifier, "KRvK")
    assert optimal(proof) and proof.player == "DecisionTreeClassifier"
    on_the_board = lucena.prove(classifier, "KRvK", played_on="board")
    assert on_the_board.won < POSITIONS and on_the_board.refutation is not None


def test_classes_may_be_names(data: lucena.Dataset) -> None:
    names = np.array(data.class_names)[data.y]
    assert optimal(lucena.prove(DecisionTreeClassifier(random_state=1).fit(data.X, names)))


def test_a_classifier_fitted_on_a_frame_knows_its_attributes() -> None:
    data = lucena.dataset("KRvK", attributes="location")
    frame = data.frame()
    classifier = DecisionTreeClassifier(random_state=1)
    classifier.fit(frame.drop(columns="optimalDepth"), frame["optimalDepth"].astype(str))
    assert optimal(lucena.prove(classifier, "KRvK"))
    names = list(data.attribute_names)
    assert optimal(lucena.prove(classifier, "KRvK", attributes=names))
    with pytest.raises(lucena.LucenaError, match="in their order"):
        lucena.prove(classifier, "KRvK", attributes=names[::-1])


def test_xgboost_is_a_player(data: lucena.Dataset) -> None:
    classifier = XGBClassifier(n_estimators=2, max_depth=4, n_jobs=2, random_state=1)
    proof = lucena.prove(classifier.fit(data.X, data.y), lucena.solve("KRvK"))
    assert proof.positions == POSITIONS and 0 < proof.optimal_share < 1


def test_a_forest_is_a_player(data: lucena.Dataset) -> None:
    forest = RandomForestClassifier(n_estimators=4, max_depth=6, random_state=1)
    proof = lucena.prove(forest.fit(data.X, data.y))
    assert proof.positions == POSITIONS and 0 < proof.optimal_share < 1


class Wrapped:
    """A tree of lucena with a predict method."""

    def __init__(self, tree: lucena.Tree) -> None:
        self.tree = tree

    def predict(self, rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return self.tree.predict(rows)


@pytest.mark.parametrize("played_on", ["board", "representative"])
def test_a_classifier_is_played_as_the_same_tree_is(played_on: Any) -> None:
    small = lucena.learn("KRvK", max_depth=8)
    asked = lucena.prove(Wrapped(small), played_on=played_on)
    assert worth(asked) == worth(lucena.prove(small, played_on=played_on))


def test_a_function_is_proved_as_the_player_whose_moves_it_makes(tmp_path: Path) -> None:
    path = tmp_path / "moves.csv"
    run("prove", "--player", "theory", "--moves", str(path))
    moves = {row["fen"]: row["move"] for row in csv.DictReader(io.StringIO(path.read_text()))}
    assert len(moves) == POSITIONS
    asked: list[int] = []

    def choose(fens: list[str]) -> list[str]:
        asked.append(len(fens))
        return [moves[fen] for fen in fens]

    proof = lucena.prove(choose)
    named = lucena.prove("theory")
    assert proof.player == "choose on the board as it stands"
    assert (proof.won, proof.longest_moves, proof.mean_excess_moves, proof.optimal_share) == (
        named.won,
        named.longest_moves,
        named.mean_excess_moves,
        named.optimal_share,
    )
    # In large batches, and each position once, except for the sample.
    assert len(asked) < 20 and POSITIONS <= sum(asked) <= POSITIONS + 2048


def test_a_function_may_be_asked_about_representatives_in_san() -> None:
    krvk = lucena.solve("KRvK")
    asked: set[str] = set()

    def choose(fens: list[str]) -> tuple[str, ...]:
        asked.update(fens)
        return tuple(krvk.probe(fen).moves[0].san for fen in fens)

    proof = lucena.prove(choose, krvk, played_on="representative")
    assert optimal(proof)
    assert len(asked) < 28_056


def test_a_function_may_have_no_move_to_offer() -> None:
    proof = lucena.prove(lambda fens: [None] * len(fens))
    assert proof.won == 0
    assert proof.refutation is not None and proof.refutation.reason == "no move"


def raises(fens: list[str]) -> list[str]:
    raise ZeroDivisionError("division by zero")


def first(fens: list[str]) -> list[str]:
    return [next(iter(chess.Board(fen).legal_moves)).uci() for fen in fens]


def at_random(fens: list[str]) -> list[str]:
    return [random.choice(list(chess.Board(fen).legal_moves)).uci() for fen in fens]


class Alternating:
    """A player that never answers the same twice, though nothing in it is random."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, fens: list[str]) -> Sequence[str | None]:
        self.calls += 1
        return first(fens) if self.calls == 1 else [None] * len(fens)


@pytest.mark.parametrize(
    ("player", "says"),
    [
        (raises, "raised ZeroDivisionError: division by zero"),
        (lambda fens: None, "returns a list of moves"),
        (lambda fens: "a1a2", "returns a list of moves"),
        (lambda fens: fens[1:], "answers"),
        (lambda fens: fens + fens, "answers"),
        (lambda fens: [1] * len(fens), "a move is text"),
        (lambda fens: ["e2e9"] * len(fens), "cannot be played"),
        (lambda fens: ["a1a2"] * len(fens), "cannot be played"),
        (lambda fens: ["\0" * 10_000] * len(fens), "cannot be played"),
        (lambda fens: [object()] * len(fens), "a move is text"),
        (at_random, "does not depend on the position alone"),
        (Alternating(), "does not depend on the position alone"),
        (lambda: [], "raised TypeError"),
    ],
)
def test_a_function_that_does_not_play_is_refused(player: Any, says: str) -> None:
    # A small endgame, so that the queries are quick.
    with pytest.raises(lucena.PlayerError, match=says):
        lucena.prove(player, "KRvK", played_on="representative")


def test_what_a_function_has_raised_is_handed_on() -> None:
    with pytest.raises(lucena.PlayerError) as raised:
        lucena.prove(raises)
    assert isinstance(raised.value.__cause__, ZeroDivisionError)

    def interrupted(fens: list[str]) -> list[str]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        lucena.prove(interrupted)


class Predicting:
    """A classifier with preset answers."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def predict(self, rows: NDArray[np.uint8]) -> Any:
        return self.answer(rows)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda rows: 1 / 0, "raised ZeroDivisionError"),
        (lambda rows: None, "a class for each row"),
        (lambda rows: np.zeros((len(rows), 2)), "a class for each row"),
        (lambda rows: np.zeros(len(rows) - 1), "answers"),
        (lambda rows: np.full(len(rows), 18), "from 0 to 17"),
        (lambda rows: np.full(len(rows), -1), "from 0 to 17"),
        (lambda rows: np.full(len(rows), 0.5), "from 0 to 17"),
        (lambda rows: np.full(len(rows), np.nan), "from 0 to 17"),
        (lambda rows: ["forty"] * len(rows), "forty"),
        (lambda rows: np.random.default_rng().integers(0, 18, len(rows)), "for the same position"),
    ],
)
def test_a_classifier_that_does_not_play_is_refused(answer: Any, says: str) -> None:
    with pytest.raises(lucena.PlayerError, match=says):
        lucena.prove(Predicting(answer))


def test_a_classifier_of_other_attributes_is_refused(classifier: DecisionTreeClassifier) -> None:
    with pytest.raises(lucena.LucenaError, match="fitted on 24 attributes, but would be given 6"):
        lucena.prove(classifier, attributes="location")


@pytest.mark.parametrize(
    ("player", "arguments"),
    [
        ("nobody", {}),
        ("random", {}),
        ("exact", {"endgame": "KBNvK"}),
        ("exact", {"attributes": "all"}),
        ("exact", {"played_on": "board"}),
        ("exact", {"start": "8/8/8/8/8/1k6/8/K1R5 b - - 0 1"}),
        (first, {"attributes": "all"}),
        (first, {"played_on": "moon"}),
        (first, {"endgame": "KRvX"}),
    ],
)
def test_what_makes_no_sense_is_refused(player: Any, arguments: dict[str, Any]) -> None:
    with pytest.raises(lucena.LucenaError):
        lucena.prove(player, **arguments)


@pytest.mark.parametrize("kind", ["tree", "strategy", "measure", "trained"])
def test_a_player_without_its_file_is_not_found(kind: str, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="none.json"):
        lucena.prove(f"{kind}:{tmp_path / 'none.json'}")


def test_what_is_no_player_is_refused() -> None:
    with pytest.raises(TypeError, match="int is not a player"):
        lucena.prove(3)


def test_a_tree_of_another_endgame_is_refused(tree: lucena.Tree) -> None:
    with pytest.raises(lucena.LucenaError, match="KQvK"):
        lucena.prove(tree, "KQvK")
