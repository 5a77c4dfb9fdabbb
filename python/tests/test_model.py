"""Models of all kinds: their files, their moves, their proofs, their explanations, and their source code."""

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Literal

import chess
import lucena
import pytest

DATA = Path(__file__).parents[2] / "data"
FILES = {
    "tree": DATA / "trees" / "KRvK.win.json",
    "strategy": DATA / "strategies" / "KRvK.smallest.json",
    "measure": DATA / "measures" / "KRvK.smallest.json",
}
CLASSES: dict[str, type[lucena.Model]] = {
    "tree": lucena.Tree,
    "strategy": lucena.Strategy,
    "measure": lucena.Measure,
}
ROOK = "8/8/8/3k4/8/8/7R/K7 w - - 0 1"
KINDS = pytest.mark.parametrize("kind", FILES)


@pytest.fixture(scope="module")
def krvk() -> lucena.Tablebase:
    return lucena.solve("KRvK")


@KINDS
def test_a_model_is_what_its_file_says(kind: str, tmp_path: Path) -> None:
    text = FILES[kind].read_text("utf-8")
    model = lucena.Model.load(FILES[kind])
    assert type(model) is CLASSES[kind]
    assert (model.kind, model.material, model.json()) == (kind, "KRvK", text)
    assert f'"{model.maker}"' in text
    assert all(f'"{name}": "{value}"' in text for name, value in model.parameters.items())
    assert model == CLASSES[kind].load(FILES[kind]) == lucena.Model.from_json(text)
    assert pickle.loads(pickle.dumps(model)) == model and len({model, model}) == 1
    model.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_text("utf-8") == text


@KINDS
def test_a_file_of_another_kind_is_refused(kind: str) -> None:
    for other, of_other in CLASSES.items():
        if other != kind:
            with pytest.raises(lucena.LucenaError, match=f"not a {other}"):
                of_other.load(FILES[kind])


@KINDS
def test_a_model_wins_and_its_moves_are_legal(kind: str, krvk: lucena.Tablebase) -> None:
    model = lucena.Model.load(FILES[kind])
    proof = lucena.prove(model, krvk)
    assert proof.wins_all and proof.won == 175_168
    assert model.sha256 in proof.certificate()
    board = chess.Board(ROOK)
    moves = model.best_moves(ROOK, krvk)
    assert moves and all(chess.Move.from_uci(move) in board.legal_moves for move in moves)
    assert lucena.explain(ROOK, model, tablebase=krvk).uci in moves
    with pytest.raises(lucena.LucenaError, match="weak side is to move"):
        model.best_moves("8/8/8/3k4/8/8/7R/K7 b - - 0 1", krvk)
    with pytest.raises(lucena.LucenaError, match="not KRvK"):
        model.best_moves("8/8/8/3k4/8/8/7Q/K7 w - - 0 1")


@KINDS
def test_a_player_by_name_is_explained_as_its_file(kind: str, krvk: lucena.Tablebase) -> None:
    model = lucena.Model.load(FILES[kind])
    named = lucena.explain(ROOK, f"{kind}:{FILES[kind]}", tablebase=krvk)
    assert named.uci == lucena.explain(ROOK, model, tablebase=krvk).uci


@KINDS
@pytest.mark.parametrize("language", ["c", "javascript", "python", "rust"])
def test_a_model_has_source_code(
    kind: str, language: Literal["c", "javascript", "python", "rust"]
) -> None:
    model = lucena.Model.load(FILES[kind])
    assert model.sha256 in model.source(language)


def test_the_python_code_of_a_strategy_plays_its_moves(tmp_path: Path) -> None:
    strategy = lucena.Strategy.load(FILES["strategy"])
    (tmp_path / "rook.py").write_text(strategy.source("python"), "utf-8")
    asked = "import rook; print(*rook.choose([0, 35, 15])[:2])"
    told = subprocess.run(
        [sys.executable, "-c", asked], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    origin, to = map(int, told.stdout.split())
    assert chess.Move(origin, to).uci() in strategy.best_moves(ROOK)


def test_there_is_no_source_in_other_languages() -> None:
    with pytest.raises(lucena.LucenaError, match="no source in fortran"):
        lucena.Model.load(FILES["tree"]).source("fortran")  # type: ignore[arg-type]


def test_a_strategy_says_its_rules() -> None:
    strategy = lucena.Strategy.load(FILES["strategy"])
    assert str(strategy) == "\n".join(strategy.sentences)
    rule = strategy.used_rule(ROOK)
    assert rule is not None and 1 <= rule <= len(strategy.sentences)
    assert set(strategy.attribute_names) and strategy.size >= len(strategy.sentences)
