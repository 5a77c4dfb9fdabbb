"""What is written in Rust."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, final

import numpy as np
import pandas
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Dataset",
    "Explanation",
    "Line",
    "LucenaError",
    "PlayerError",
    "Probe",
    "ProbedMove",
    "Proof",
    "SideCounts",
    "SklearnTree",
    "Tablebase",
    "Tree",
    "__version__",
    "command",
    "dataset",
    "explain",
    "learn",
    "prove_classifier",
    "prove_mover",
    "prove_named",
    "prove_tree",
    "solve",
]

__version__: str

class LucenaError(ValueError):
    """What was asked of lucena makes no sense: a position, a material, a name, a file's content."""

class PlayerError(LucenaError):
    """A player written in Python does not play: it raises, answers nonsense, or never twice alike."""

@final
class Tablebase:
    """The exact outcome of every position of an endgame."""

    @property
    def material(self) -> str: ...
    @property
    def longest_plies(self) -> int | None: ...
    @property
    def white_to_move(self) -> SideCounts: ...
    @property
    def black_to_move(self) -> SideCounts: ...
    def probe(self, fen: str) -> Probe: ...

@final
class SideCounts:
    """How many positions with one side to move end how."""

    @property
    def legal(self) -> int: ...
    @property
    def canonical(self) -> int: ...
    @property
    def won(self) -> int: ...
    @property
    def drawn(self) -> int: ...
    @property
    def lost(self) -> int: ...
    @property
    def histogram(self) -> dict[int, int]: ...

@final
class Probe:
    """What perfect play makes of a position."""

    @property
    def fen(self) -> str: ...
    @property
    def outcome(self) -> str: ...
    @property
    def dtm(self) -> int | None: ...
    @property
    def moves(self) -> list[ProbedMove]: ...
    def _repr_svg_(self) -> str: ...

@final
class ProbedMove:
    """What perfect play makes of the position after a move."""

    @property
    def uci(self) -> str: ...
    @property
    def san(self) -> str: ...
    @property
    def outcome(self) -> str: ...
    @property
    def dtm(self) -> int | None: ...

@final
class Dataset:
    """Positions with the weak side to move, described by attributes, each with its class."""

    @property
    def material(self) -> str: ...
    @property
    def X(self) -> NDArray[np.uint8]: ...
    @property
    def y(self) -> NDArray[np.uint8]: ...
    @property
    def groups(self) -> NDArray[np.uint32]: ...
    @property
    def attribute_names(self) -> tuple[str, ...]: ...
    @property
    def attribute_meanings(self) -> tuple[str, ...]: ...
    @property
    def class_names(self) -> tuple[str, ...]: ...
    @property
    def plies(self) -> tuple[int | None, ...]: ...
    def frame(self) -> pandas.DataFrame: ...
    def __len__(self) -> int: ...

@final
class SklearnTree:
    """A tree as the arrays of scikit-learn's `tree_`."""

    @property
    def children_left(self) -> NDArray[np.int64]: ...
    @property
    def children_right(self) -> NDArray[np.int64]: ...
    @property
    def feature(self) -> NDArray[np.int64]: ...
    @property
    def threshold(self) -> NDArray[np.float64]: ...
    @property
    def value(self) -> NDArray[np.float64]: ...

@final
class Tree:
    """A decision tree over attributes of positions with the weak side to move."""

    @classmethod
    def from_json(cls, json: str) -> Tree: ...
    @classmethod
    def load(cls, path: str | PathLike[str]) -> Tree: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def json(self) -> str: ...
    @property
    def material(self) -> str: ...
    @property
    def attribute_names(self) -> tuple[str, ...]: ...
    @property
    def class_names(self) -> tuple[str, ...]: ...
    @property
    def learner(self) -> str: ...
    @property
    def parameters(self) -> dict[str, str]: ...
    @property
    def leaves(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def sha256(self) -> str: ...
    def predict(self, X: ArrayLike, default: int | None = None) -> NDArray[np.uint8]: ...
    def to_sklearn(self) -> SklearnTree: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Line:
    """A line of moves of both sides, and what it ends in."""

    @property
    def fen(self) -> str: ...
    @property
    def uci(self) -> list[str]: ...
    @property
    def san(self) -> list[str]: ...
    @property
    def reason(self) -> str | None: ...
    def _repr_svg_(self) -> str | None: ...

@final
class Proof:
    """What a player is worth from every position of the full board, against every defence."""

    @property
    def material(self) -> str: ...
    @property
    def player(self) -> str: ...
    @property
    def positions(self) -> int: ...
    @property
    def winnable(self) -> int: ...
    @property
    def won(self) -> int: ...
    @property
    def drawable(self) -> int: ...
    @property
    def held(self) -> int: ...
    @property
    def wins_all(self) -> bool: ...
    @property
    def longest_moves(self) -> int | None: ...
    @property
    def mean_excess_moves(self) -> float | None: ...
    @property
    def optimal_share(self) -> float: ...
    @property
    def fifty_move_safe(self) -> bool: ...
    @property
    def refutation(self) -> Line | None: ...
    @property
    def longest_line(self) -> Line | None: ...
    @property
    def line(self) -> Line | None: ...
    def certificate(self) -> str: ...
    def report(self) -> dict[str, Any]: ...
    def _repr_svg_(self) -> str | None: ...

@final
class Explanation:
    """Why a player's move is played: sentences, and a board with the squares that they are about."""

    @property
    def uci(self) -> str: ...
    @property
    def san(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def svg(self) -> str: ...
    def report(self) -> dict[str, Any]: ...
    def _repr_svg_(self) -> str: ...

def solve(endgame: str, tables: str | PathLike[str] | None = None) -> Tablebase:
    """Solve an endgame: the exact outcome of every position, against every defence."""

def dataset(
    endgame: str | Tablebase = "KRvK",
    *,
    attributes: str | Sequence[str] = "geometric",
    positions: str = "canonical",
) -> Dataset:
    """Describe every position of an endgame with the weak side to move by attributes."""

def learn(
    source: Dataset | str | Tablebase,
    *,
    learner: str = "cart",
    criterion: str = "entropy",
    max_depth: int | None = None,
    min_rows: int = 2,
    attributes: str | Sequence[str] | None = None,
    positions: str | None = None,
) -> Tree:
    """Learn a decision tree from a Dataset, or from the positions of an endgame."""

def explain(
    fen: str,
    player: Tree | str | None = None,
    *,
    instead: Sequence[str] = ...,
    tablebase: str | Tablebase | None = None,
) -> Explanation:
    """Explain the move that a player makes in a position with the strong side to move."""

def prove_named(player: str, endgame: str | Tablebase, start: str | None) -> Proof: ...
def prove_tree(
    tree: Tree, endgame: str | Tablebase, played_on: str, start: str | None
) -> Proof: ...
def prove_classifier(
    classify: Callable[[NDArray[np.uint8], list[str]], NDArray[np.uint8]],
    name: str,
    endgame: str | Tablebase,
    attributes: str | Sequence[str],
    played_on: str,
    start: str | None,
) -> Proof: ...
def prove_mover(
    choose: Callable[[list[str]], Sequence[str | None]],
    name: str,
    endgame: str | Tablebase,
    played_on: str,
    start: str | None,
) -> Proof: ...
def command(arguments: Sequence[str], /) -> int: ...
