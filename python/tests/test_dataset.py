"""Data sets for scikit-learn and pandas."""

import collections
from typing import Any

import lucena
import numpy as np
import pytest
from sklearn.model_selection import GroupKFold

# UCI krkopt, krkopt.info: the distribution of its classes.
KRKOPT = {
    "draw": 2796,
    "zero": 27,
    "one": 78,
    "two": 246,
    "three": 81,
    "four": 198,
    "five": 471,
    "six": 592,
    "seven": 683,
    "eight": 1433,
    "nine": 1712,
    "ten": 1985,
    "eleven": 2854,
    "twelve": 3597,
    "thirteen": 4194,
    "fourteen": 4553,
    "fifteen": 2166,
    "sixteen": 390,
}


def test_krvk_has_the_classes_of_krkopt() -> None:
    data = lucena.dataset("KRvK", attributes="location")
    assert data.X.shape == (28_056, 6) and data.X.flags.c_contiguous
    assert data.y.shape == data.groups.shape == (28_056,)
    assert [str(array.dtype) for array in (data.X, data.y, data.groups)] == ["uint8", "uint8", "uint32"]
    assert len(data) == 28_056
    found = collections.Counter(data.class_names[number] for number in data.y.tolist())
    assert found == KRKOPT
    assert data.plies == (None, *range(0, 34, 2))


def test_rows_are_where_the_men_stand() -> None:
    data = lucena.dataset("KRvK", attributes="location")
    # All rows differ, and the strong king is on one of the ten canonical squares.
    assert len(np.unique(data.X, axis=0)) == 28_056
    king = data.X[:, [data.attribute_names.index("KFile"), data.attribute_names.index("KRank")]]
    assert len(np.unique(king, axis=0)) == 10


def test_attributes_can_be_named() -> None:
    data = lucena.dataset("KRvK", attributes=["RHangs", "KkSteps"])
    assert data.attribute_names == ("RHangs", "KkSteps")
    assert len(data.attribute_meanings) == 2
    assert data.X.shape == (28_056, 2)


def test_a_solved_endgame_is_not_solved_again() -> None:
    krvk = lucena.solve("KRvK")
    assert np.array_equal(lucena.dataset(krvk).X, lucena.dataset("KRvK").X)


def test_groups_hold_the_images_of_a_position() -> None:
    data = lucena.dataset("KRvK", positions="full")
    assert len(data) == 223_944
    assert len(np.unique(data.groups)) == 28_056
    sizes = np.bincount(data.groups)
    assert set(sizes.tolist()) == {4, 8}
    # The rows of a group have the same class.
    first = np.zeros(28_056, dtype=np.uint8)
    first[data.groups] = data.y
    assert np.array_equal(first[data.groups], data.y)
    for train, test in GroupKFold(n_splits=5).split(data.X, data.y, groups=data.groups):
        assert not set(data.groups[train].tolist()) & set(data.groups[test].tolist())


def test_a_frame_has_names() -> None:
    data = lucena.dataset("KRvK")
    frame = data.frame()
    assert list(frame.columns) == [*data.attribute_names, "optimalDepth"]
    assert frame["optimalDepth"].value_counts().to_dict() == KRKOPT
    assert np.array_equal(frame[list(data.attribute_names)].to_numpy(), data.X)


def test_arrays_are_one_and_the_same() -> None:
    data = lucena.dataset("KRvK")
    assert data.X is data.X


@pytest.mark.parametrize(
    "what",
    [
        {"attributes": "nonsense"},
        {"attributes": ["RHangs", "nonsense"]},
        {"positions": "some"},
    ],
)
def test_what_there_is_not_is_refused(what: dict[str, Any]) -> None:
    with pytest.raises(lucena.LucenaError, match="nonsense|some"):
        lucena.dataset("KRvK", **what)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"sample": -1}, "sample is -1: give a whole number, 1 or more"),
        ({"sample": 0}, "sample is 0"),
        ({"sample": 10**30}, "sample is too large"),
        ({"seed": -1}, "seed is -1"),
        ({"target": "outcome"}, "target: "),
        ({"positions": "some"}, "positions: "),
        ({"turn": "red"}, "turn: "),
        ({"attributes": "geometric,beauty"}, "attributes: .*beauty"),
        ({"attributes": ["beauty"]}, "attributes: .*beauty"),
    ],
)
def test_an_error_names_the_parameter(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(lucena.LucenaError, match=words):
        lucena.dataset("KRvK", **wrong)
    with pytest.raises(TypeError, match="int is not a selection of attributes"):
        lucena.dataset("KRvK", attributes=7)  # type: ignore[arg-type]


def test_a_large_endgame_needs_a_sample() -> None:
    with pytest.raises(lucena.LucenaError, match="KBBvKN has 5 men.*as with sample=200000"):
        lucena.dataset("KBBvKN")
    with pytest.raises(lucena.LucenaError, match=r'dataset\("KBBvKN", sample=200000\)'):
        lucena.learn("KBBvKN")


def test_the_arrays_are_read_only_and_a_frame_is_a_copy() -> None:
    data = lucena.dataset("KRvK")
    first = int(data.X[0, 0])
    for array in (data.X, data.y, data.groups):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    frame = data.frame()
    frame.iloc[0, 0] = first + 1
    assert data.X[0, 0] == first
