"""Trees: learning, saving, predicting, and export to scikit-learn."""

import pickle
from pathlib import Path
from typing import Any

import lucena
import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, export_text


@pytest.fixture(scope="module")
def data() -> lucena.Dataset:
    return lucena.dataset("KRvK")


@pytest.fixture(scope="module")
def tree(data: lucena.Dataset) -> lucena.Tree:
    return lucena.learn(data)


def test_a_tree_is_right_on_what_it_was_learned_from(
    data: lucena.Dataset, tree: lucena.Tree
) -> None:
    assert np.array_equal(tree.predict(data.X), data.y)
    assert tree.material == "KRvK"
    assert tree.attribute_names == data.attribute_names
    assert tree.class_names == data.class_names
    assert tree.parameters["criterion"] == "entropy"
    assert tree == lucena.learn("KRvK") and hash(tree) == hash(lucena.learn("KRvK"))
    assert tree != lucena.learn(data, criterion="gini")


def test_limits_are_kept(data: lucena.Dataset) -> None:
    assert lucena.learn(data, max_depth=3).depth == 3
    assert lucena.learn(data, max_depth=3).leaves == 8


def test_a_tree_is_kept_and_read_again(tree: lucena.Tree, tmp_path: Path) -> None:
    path = tmp_path / "tree.json"
    tree.save(path)
    assert path.read_text() == tree.json()
    assert lucena.Tree.load(path) == tree == lucena.Tree.from_json(tree.json())
    with pytest.raises(FileNotFoundError):
        lucena.Tree.load(tmp_path / "none.json")
    path.write_text(tree.json()[:1000])
    with pytest.raises(lucena.LucenaError, match="tree.json"):
        lucena.Tree.load(path)
    with pytest.raises(OSError):
        tree.save(tmp_path / "none" / "tree.json")


def test_a_tree_is_pickled_and_drawn(tree: lucena.Tree) -> None:
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert tree._repr_svg_() == tree.svg() != tree.svg(1)
    assert tree.svg().startswith("<svg ")
    assert tree.dot(2).startswith("digraph")
    assert len(tree.onnx()) > 1_000


def test_a_tree_is_printed_on_a_page(tree: lucena.Tree) -> None:
    lines = tree.text().count("\n")
    assert lines > 10_000
    printed = str(tree).splitlines()
    assert 3 < len(printed) <= 61 and printed[0] == tree.text(1).splitlines()[0]
    assert printed[-1] == f"... cut: text() has all {lines} lines"
    small = lucena.learn("KRvK", max_depth=2)
    assert str(small) == small.text()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"max_depth": -1}, "max_depth is -1"),
        ({"max_depth": 2**40}, "max_depth is too large"),
        ({"min_rows": -(10**40)}, "min_rows is too small"),
        ({"max_leaves": 0}, "max_leaves is 0"),
        ({"learner": "guess"}, "learner: "),
        ({"criterion": "luck"}, "criterion: "),
        ({"positions": "some"}, "positions: "),
    ],
)
def test_an_error_names_the_parameter(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(lucena.LucenaError, match=words):
        lucena.learn("KRvK", **wrong)


def test_a_source_of_rows_is_a_data_set_or_an_endgame(data: lucena.Dataset) -> None:
    with pytest.raises(TypeError, match="ndarray is not a source of rows: give a Dataset"):
        lucena.learn(data.X)  # type: ignore[arg-type]
    with pytest.raises(lucena.LucenaError, match="default is -1"):
        lucena.learn(data).predict(data.X, default=-1)


@pytest.mark.parametrize("json", ["", "{}", "[]", "null", '{"format": 99}', "\0", "{" * 100_000])
def test_json_of_something_else_is_refused(json: str) -> None:
    with pytest.raises(lucena.LucenaError):
        lucena.Tree.from_json(json)


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [[1, 2, 3]],
        np.zeros((2, 25)),
        np.zeros(24),
        np.full((1, 24), 256),
        np.full((1, 24), -1),
        np.full((1, 24), 0.5),
        np.full((1, 24), np.nan),
        np.full((1, 24), "a"),
        None,
    ],
)
@pytest.mark.filterwarnings("ignore:invalid value encountered in cast")
def test_rows_that_make_no_sense_are_refused(tree: lucena.Tree, rows: object) -> None:
    with pytest.raises(lucena.LucenaError):
        tree.predict(rows)  # type: ignore[arg-type]


def test_rows_of_any_number_type_are_taken(data: lucena.Dataset, tree: lucena.Tree) -> None:
    for kind in (np.int64, np.float32):
        assert np.array_equal(tree.predict(data.X[:100].astype(kind)), data.y[:100])
    assert np.array_equal(tree.predict(data.X[::7]), data.y[::7])
    assert tree.predict(data.X[:0]).shape == (0,)
    assert np.array_equal(tree.predict(data.frame()[list(data.attribute_names)]), data.y)


def test_a_tree_of_id3_may_have_no_answer(data: lucena.Dataset) -> None:
    some = lucena.learn("KRvK", learner="id3", attributes=["KkSteps", "kRoom"])
    unknown = np.full((1, 2), 255, dtype=np.uint8)
    with pytest.raises(lucena.LucenaError, match="no answer for row 0"):
        some.predict(unknown)
    assert some.predict(unknown, default=0).tolist() == [0]
    arrays = some.to_sklearn()
    assert arrays.classes == [*some.class_names, "no answer"]


def test_scikit_learn_walks_the_arrays_as_the_tree_does(
    data: lucena.Dataset, tree: lucena.Tree
) -> None:
    """The arrays are loaded into a tree of scikit-learn, which then classifies all rows."""
    arrays = tree.to_sklearn()
    theirs = DecisionTreeClassifier(random_state=0).fit(data.X, data.y)
    state = theirs.tree_.__getstate__()
    count = len(arrays.feature)
    nodes = np.zeros(count, dtype=state["nodes"].dtype)
    nodes["left_child"] = arrays.children_left
    nodes["right_child"] = arrays.children_right
    nodes["feature"] = arrays.feature
    nodes["threshold"] = arrays.threshold
    nodes["n_node_samples"] = arrays.n_node_samples
    nodes["weighted_n_node_samples"] = arrays.n_node_samples
    state.update(
        nodes=nodes, values=arrays.value, node_count=count, max_depth=tree.depth
    )
    theirs.tree_.__setstate__(state)
    assert theirs.tree_.n_leaves == tree.leaves == arrays.n_leaves
    assert arrays.n_node_samples[0] == len(data)
    assert tree.text() == export_text(
        theirs,
        feature_names=list(tree.attribute_names),
        class_names=list(tree.class_names),
        max_depth=100,
    )
    assert np.array_equal(theirs.predict(data.X), data.y)
    values = np.random.default_rng(1).integers(0, 9, size=(20_000, 24), dtype=np.uint8)
    assert np.array_equal(theirs.predict(values), tree.predict(values))


@pytest.mark.parametrize(
    "what",
    [
        {"learner": "c4.5"},
        {"criterion": "luck"},
        {"max_depth": 0},
        {"min_rows": 1},
        {"attributes": "all"},
        {"positions": "full"},
    ],
)
def test_what_cannot_be_learned_is_refused(
    data: lucena.Dataset, what: dict[str, object]
) -> None:
    with pytest.raises(lucena.LucenaError):
        lucena.learn(data, **what)  # type: ignore[arg-type]
