"""Solved endgames, compared with published counts and the rules."""

from pathlib import Path

import lucena
import pytest


@pytest.fixture(scope="module")
def krvk() -> lucena.Tablebase:
    return lucena.solve("KRvK")


def test_krvk_ends_as_published(krvk: lucena.Tablebase) -> None:
    # Clarke 1977: mate in 16 moves at most; Bain's data set has 28,056 positions with Black to move, 2,796 of
    # them drawn.
    assert krvk.material == "KRvK"
    assert krvk.longest_plies == 32  # Black to move
    assert krvk.black_to_move.canonical == 28_056
    assert krvk.white_to_move.won == krvk.white_to_move.legal == 175_168
    assert sum(krvk.white_to_move.histogram.values()) == 175_168
    assert max(krvk.white_to_move.histogram) == 31


def test_a_probe_has_the_best_move_first(krvk: lucena.Tablebase) -> None:
    probe = krvk.probe("7R/8/8/8/8/1K6/8/1k6 w - - 0 1")
    assert (probe.outcome, probe.dtm) == ("win", 1)
    best = probe.moves[0]
    assert (best.uci, best.san, best.outcome, best.dtm) == ("h8h1", "Rh1#", "loss", 0)
    assert len(probe.moves) == 5 + 14
    assert [move.dtm or 0 for move in probe.moves] == sorted(
        (move.dtm or 0 for move in probe.moves), reverse=True
    )
    assert probe.fen == "7R/8/8/8/8/1K6/8/1k6 w - - 0 1"


@pytest.mark.parametrize(
    ("clock", "category", "after"), [(79, "win", "loss"), (80, "cursed-win", "blessed-loss")]
)
def test_a_probe_minds_the_halfmove_clock(
    krvk: lucena.Tablebase, clock: int, category: str, after: str
) -> None:
    fen = f"8/8/8/8/8/1k6/8/K1R5 w - - {clock} 90"
    probe = krvk.probe(fen)
    assert (probe.fen, probe.dtm) == (fen, 21)
    assert (probe.category, probe.moves[0].category) == (category, after)
    assert probe.report()["category"] == category
    late = "too late under the fifty-move rule"
    assert (late in repr(probe), late in str(lucena.explain(fen))) == (clock == 80, clock == 80)


def test_a_legal_position_that_no_table_covers_is_not_called_illegal(
    krvk: lucena.Tablebase,
) -> None:
    with pytest.raises(lucena.LucenaError, match="the position is legal, but"):
        krvk.probe("4k3/8/8/8/8/8/8/4K2R w K - 0 1")


def test_a_probe_of_what_a_capture_leads_to_is_a_draw(krvk: lucena.Tablebase) -> None:
    probe = krvk.probe("8/8/8/8/8/1k6/8/K7 w - - 0 1")
    assert (probe.outcome, probe.dtm) == ("draw", None)


def test_a_probe_is_drawn(krvk: lucena.Tablebase) -> None:
    svg = krvk.probe("7R/8/8/8/8/1K6/8/1k6 w - - 0 1")._repr_svg_()
    assert svg is not None and svg.startswith("<svg ") and svg.endswith("</svg>\n")


@pytest.mark.parametrize(
    "fen",
    [
        "",
        "KRvK",
        "8/8/8 w",
        "8/8/8/8/8/1k6/1K6/2R5 w - - 0 1",  # the kings touch
        "8/8/8/8/8/1k6/8/K1Q5 w - - 0 1",  # a queen is not a rook
        "\0",
        "8/" * 500_000,
        "♔",
    ],
)
def test_a_fen_that_makes_no_sense_is_refused(krvk: lucena.Tablebase, fen: str) -> None:
    with pytest.raises(lucena.LucenaError):
        krvk.probe(fen)


@pytest.mark.parametrize("endgame", ["", "KRK", "KRvX", "RvK", "KRRRRvK", "K" * 100_000])
def test_a_material_that_is_none_is_refused(endgame: str) -> None:
    with pytest.raises(lucena.LucenaError):
        lucena.solve(endgame)
    with pytest.raises(ValueError):
        lucena.dataset(endgame)


def test_tables_are_kept_in_a_folder(tmp_path: Path) -> None:
    lucena.solve("KQvK", tables=tmp_path)
    kept = [path.name for path in tmp_path.iterdir()]
    assert "KQvK.table" in kept
    assert lucena.solve("KQvK", tables=tmp_path).longest_plies == 20


def test_a_folder_that_cannot_be_written_is_warned_of(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.warns(UserWarning, match="file"):
        assert lucena.solve("KQvK", tables=blocked).longest_plies == 20
