"""Measures: their files, their values, what their moves force, and their proofs."""

import pickle
from pathlib import Path

import chess
import lucena
import pytest

FILES = Path(__file__).parents[2] / "data" / "measures"
ROOK = "8/8/8/3k4/8/8/7R/K7 w - - 0 1"


@pytest.fixture(scope="module")
def rook() -> lucena.Measure:
    return lucena.Measure.load(FILES / "KRvK.smallest.json")


def room(board: chess.Board) -> int:
    """The squares that the black king could ever reach if White stood still, counted one by one."""
    start = board.king(chess.BLACK)
    assert start is not None
    seen, edge = {start}, [start]
    while edge:
        here = edge.pop()
        for step in chess.SquareSet(chess.BB_KING_ATTACKS[here]):
            moved = board.copy()
            moved.remove_piece_at(start)
            moved.remove_piece_at(step)
            white = board.piece_at(step)
            if white and board.is_attacked_by(chess.WHITE, step):
                continue
            if step not in seen and not moved.is_attacked_by(chess.WHITE, step):
                seen.add(step)
                edge.append(step)
    return len(seen) - 1


def test_a_measure_is_what_its_file_says(rook: lucena.Measure) -> None:
    assert (rook.material, rook.look, rook.goal, rook.secure) == ("KRvK", 3, "any-move", 0)
    assert rook.terms == [("kRoom", 1)] and len(rook.sentences) == 1
    assert rook.json() == (FILES / "KRvK.smallest.json").read_text("utf-8")
    assert pickle.loads(pickle.dumps(rook)) == rook
    assert lucena.Measure.from_json(rook.json()).sha256 == rook.sha256


def test_the_best_moves_force_least(rook: lucena.Measure) -> None:
    board = chess.Board(ROOK)
    forced = rook.forced(ROOK)
    best = rook.best_moves(ROOK)
    # Mate comes first, then lower values, then fewer moves.
    scores = {one.uci: (not one.mate, one.value or 0, one.moves or 0) for one in forced}
    assert best == [uci for uci, score in scores.items() if score == min(scores.values())]
    for one in forced:
        assert board.san(chess.Move.from_uci(one.uci)) == one.san
        after = board.copy()
        after.push_uci(one.uci)
        # Whatever is forced, stopping at once would be no better.
        assert one.mate or one.value is not None and one.value <= rook.value(after.fen())


def test_the_value_is_the_room(rook: lucena.Measure) -> None:
    for fen in ("8/8/8/3k4/8/8/4R3/K7 b - - 0 1", "k7/8/8/8/8/2K5/1R6/8 b - - 0 1"):
        assert rook.value(fen) == room(chess.Board(fen))


def test_a_measure_is_proved(rook: lucena.Measure) -> None:
    proof = lucena.prove(rook)
    assert proof.wins_all and proof.won == 175_168
    assert '"measure_sha256": "' + rook.sha256 in proof.certificate()


@pytest.mark.parametrize(
    ("fen", "words"),
    [
        ("8/8/8/3k4/8/8/7Q/K7 w - - 0 1", "not KRvK"),
        ("8/8/8/3k4/8/8/7R/K7 b - - 0 1", "weak side is to move"),
        ("nonsense", "is not a FEN: ranks: 1 instead of 8"),
    ],
)
def test_other_positions_are_refused(rook: lucena.Measure, fen: str, words: str) -> None:
    with pytest.raises(lucena.LucenaError, match=words):
        rook.best_moves(fen)


def test_other_files_are_refused(tmp_path: Path, rook: lucena.Measure) -> None:
    with pytest.raises(FileNotFoundError):
        lucena.Measure.load(tmp_path / "none.json")
    with pytest.raises(lucena.LucenaError, match="not a measure"):
        lucena.Measure.from_json("{}")
    with pytest.raises(lucena.LucenaError, match="leave attributes out"):
        lucena.prove(rook, attributes="all")
