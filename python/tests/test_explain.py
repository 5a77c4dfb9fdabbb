"""Explanations in sentences and as pictures."""

import lucena
import pytest

FEN = "8/8/8/3k4/8/8/8/K6R w - - 0 1"


@pytest.mark.parametrize("player", [None, "theory", "exact", "strategy", "measure", "tablebase"])
def test_a_move_is_explained(player: str | None) -> None:
    explanation = lucena.explain(FEN, player)
    assert explanation.san in str(explanation) == explanation.text
    assert explanation.report()["san"] == explanation.san
    assert explanation.report()["move"] == explanation.uci
    assert explanation._repr_svg_() == explanation.svg
    assert explanation.svg is not None and explanation.svg.startswith("<svg ")
    assert explanation.reason == explanation.report()["reason"]
    assert explanation.reason in explanation.text


@pytest.mark.parametrize("player", ["search:depth=3", "published"])
def test_a_player_without_a_model_is_explained(player: str) -> None:
    explanation = lucena.explain(FEN, player)
    assert explanation.report()["san"] == explanation.san
    assert explanation.reason in explanation.text and explanation.svg is None
    with pytest.raises(lucena.LucenaError, match="leave it out"):
        lucena.explain(FEN, player, instead=["Kb2"])


def test_the_defence_is_explained_by_the_table() -> None:
    kpvk = lucena.solve("KPvK")
    # The opposition: https://en.wikipedia.org/wiki/King_and_pawn_versus_king_endgame
    fen = "8/4k3/8/3K4/4P3/8/8/8 b - - 0 1"
    explanation = lucena.explain(fen, tablebase=kpvk)
    assert explanation.san == "Kd7" and explanation.report()["best"] == ["e7d7"]
    for move in explanation.report()["moves"]:
        assert (move["allows"] is None) == (move["category_after"] == "draw"), move


def test_a_tree_explains_itself() -> None:
    krvk = lucena.solve("KRvK")
    tree = lucena.learn(krvk, attributes="all")
    explanation = lucena.explain(FEN, tree, tablebase=krvk)
    # An exact tree plays an optimal move.
    best = krvk.probe(FEN)
    worths = {move.uci: move.dtm for move in best.moves}
    assert worths[explanation.uci] == best.moves[0].dtm


def test_other_moves_are_held_against_it() -> None:
    explanation = lucena.explain(FEN, instead=["h1h4", "Kb1"])
    assert [other["san"] for other in explanation.report()["instead"]] == ["Rh4", "Kb1"]
    assert "Rh4" in explanation.text


@pytest.mark.parametrize(
    ("fen", "arguments"),
    [
        ("", {}),
        (FEN, {"instead": ["e2e4"]}),
        (FEN, {"player": "nobody"}),
        (FEN, {"player": "random"}),
        (FEN, {"tablebase": "KQvK"}),
    ],
)
def test_what_cannot_be_explained_is_refused(fen: str, arguments: dict[str, object]) -> None:
    with pytest.raises(lucena.LucenaError):
        lucena.explain(fen, **arguments)  # type: ignore[arg-type]


def test_a_player_without_its_file_is_refused() -> None:
    with pytest.raises(FileNotFoundError, match="no such file"):
        lucena.explain(FEN, player="tree:no such file")
