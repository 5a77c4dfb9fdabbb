"""Distances to zeroing, and Syzygy files, compared with published values."""

import csv
from pathlib import Path

import lucena
import pytest

VALUES = Path(__file__).parents[2] / "tests" / "data" / "syzygy_values.csv"


def published() -> list[list[str]]:
    """FEN, category and distance of positions, as python-chess reads them from the published tables."""
    lines = VALUES.read_text().splitlines()
    rows = csv.reader((line for line in lines if not line.startswith("#")), delimiter=";")
    return list(rows)


@pytest.fixture(scope="module")
def krvkn() -> lucena.Tablebase:
    return lucena.solve("KRvKN", metric="dtz")


@pytest.fixture(scope="module")
def files(krvkn: lucena.Tablebase, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("syzygy")
    written = {path.name for path in krvkn.save_syzygy(folder)}
    assert {"KRvKN.rtbw", "KRvKN.rtbz", "KRvK.rtbw", "KRvK.rtbz"} <= written
    return folder


def test_distances_are_those_published(krvkn: lucena.Tablebase, files: Path) -> None:
    assert krvkn.metric == "dtz"
    syzygy = lucena.Syzygy(files)
    known = published()
    assert len(known) > 10
    for fen, category, dtz in known:
        for probe in (krvkn.probe(fen), syzygy.probe(fen)):
            assert (probe.category, probe.dtm) == (category, None), fen
            assert probe.dtz is not None
            # Files may round a distance down by a ply.
            assert abs(abs(probe.dtz) - abs(int(dtz))) <= 1, fen
        assert krvkn.probe(fen).precise_dtz == krvkn.probe(fen).dtz


def test_an_explanation_knows_which_moves_win_in_time(tmp_path: Path) -> None:
    fen, instead = "8/8/8/5k2/2K5/3P4/8/8 w - - 98 90", ["d4", "Kd4"]
    kpvk = lucena.solve("KPvK", metric="dtz")
    kpvk.save_syzygy(tmp_path)
    unknown = lucena.explain(fen, "strategy", instead=instead)
    for zeroing in (kpvk, lucena.Syzygy(tmp_path)):
        known = lucena.explain(fen, "strategy", instead=instead, zeroing=zeroing)
        categories = [other["category_after"] for other in known.report()["instead"]]
        assert categories == ["loss", "blessed-loss"]
        assert known.report()["gives_away"] == "fifty moves"
        assert "but it keeps the win" in known.text
        assert known.san == unknown.san
    categories = [other["category_after"] for other in unknown.report()["instead"]]
    assert categories == ["loss", "maybe-loss"]
    with pytest.raises(lucena.LucenaError, match="the table has distances to mate"):
        lucena.explain(fen, "strategy", zeroing=lucena.solve("KPvK"))


def test_files_that_are_not_there_are_named(files: Path) -> None:
    syzygy = lucena.Syzygy(files)
    with pytest.raises(lucena.LucenaError, match="KQvKR.rtb. is missing"):
        syzygy.probe("7r/8/8/3k4/8/8/2Q5/K7 w - - 0 1")
    with pytest.raises(FileNotFoundError):
        lucena.Syzygy(files / "missing")
    with pytest.raises(lucena.LucenaError, match='metric="dtz"'):
        lucena.solve("KRvK").save_syzygy(files)


def test_classes_are_outcomes_under_the_fifty_move_rule(files: Path) -> None:
    # 62,480 of 81,664 is the count of bitbases.
    data = lucena.dataset("KPvK", target="wdl", turn="white")
    won = data.class_names.index("win")
    assert (len(data), int((data.y == won).sum())) == (81_664, 62_480)
    tree = lucena.learn(data, max_leaves=20)
    assert tree.leaves == 20
    sample = lucena.dataset("KRvKN", target="wdl", syzygy=lucena.Syzygy(files), sample=5_000)
    assert len(sample) == 5_000
    again = lucena.dataset("KRvKN", target="wdl", syzygy=lucena.Syzygy(files), sample=5_000)
    assert (sample.X == again.X).all() and (sample.y == again.y).all()
    with pytest.raises(lucena.LucenaError, match="no distances to mate"):
        lucena.dataset("KRvKN", syzygy=lucena.Syzygy(files))
    with pytest.raises(lucena.LucenaError, match="side to move"):
        lucena.dataset("KPvK", turn="weak")  # type: ignore[arg-type]
