"""Proofs of all kinds of players."""

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lucena._lucena import (
    LucenaError,
    Model,
    PlayerError,
    Proof,
    Tablebase,
    prove_classifier,
    prove_model,
    prove_mover,
    prove_named,
)

Mover = Callable[[list[str]], Sequence[str | None]]


def prove(
    player: Any,
    endgame: str | Tablebase | None = None,
    *,
    attributes: str | Sequence[str] | None = None,
    played_on: Literal["representative", "board"] | None = None,
    start: str | None = None,
) -> Proof:
    """Prove how a player does from every position of an endgame, against every defence.

    ``player`` is

    - a ``Model``: a ``Tree``, a ``Strategy`` or a ``Measure``;
    - the name of a lucena player: "exact", "theory", "strategy", "measure", "tablebase", "search:depth=4", ...;
    - any object with a ``predict``, such as a fitted classifier of scikit-learn or XGBoost. It plays as a
      tree does: the position after each move is described by ``attributes``, and the move to the best class
      is played. ``attributes`` are those that it was fitted on: names or a selection. The default is the
      columns of the frame that it was fitted on, or else "geometric". Classes are numbers as in
      ``Dataset.y``, or names as in ``Dataset.class_names``;
    - a function that takes a list of FENs and returns a list of moves, in UCI or standard algebraic
      notation, None for no move.

    ``endgame`` is a name, such as "KRvK", or a ``Tablebase``. The default is "KRvK", or the endgame of a model.

    ``played_on`` is "representative", which maps the board to the canonical position of its orbit before the
    player is called, or "board", which calls the player for every position as it is. The default is "board"
    for functions, and "representative" for all others.

    ``start`` is a position, as a FEN, whose line of play the proof returns.

    Players outside lucena are called in batches, and twice for a sample of the positions. ``PlayerError`` is
    raised if a player raises, gives an invalid answer, or does not answer the same twice.
    """
    if isinstance(player, Model):
        kind = type(player).__name__
        columns = "quantities" if player.kind == "measure" else "attributes"
        _refuse(attributes is not None, f"a {kind} knows its {columns}: leave attributes out")
        is_misplaced = played_on is not None and player.kind != "tree"
        _refuse(is_misplaced, f"played_on is not for a {kind}: leave it out")
        endgame = player.material if endgame is None else endgame
        return prove_model(player, endgame, played_on, start)
    endgame = "KRvK" if endgame is None else endgame
    if isinstance(player, str):
        _refuse(attributes is not None, "attributes are for classifiers: leave them out")
        _refuse(played_on is not None, "played_on is not for players by name: leave it out")
        return prove_named(player, endgame, start)
    name = getattr(player, "__name__", type(player).__name__)
    if callable(getattr(player, "predict", None)):
        classifier = _Classifier(player)
        return prove_classifier(
            classifier,
            name,
            endgame,
            classifier.attributes(attributes),
            played_on or "representative",
            start,
        )
    if callable(player):
        _refuse(attributes is not None, "a function is given FENs: leave attributes out")
        return prove_mover(_mover(player), name, endgame, played_on or "board", start)
    raise TypeError(
        f"{type(player).__name__} is not a player: give a Model, the name of a player, a classifier with predict, "
        "or a function from FENs to moves"
    )


def _refuse(is_wrong: bool, message: str) -> None:
    if is_wrong:
        raise LucenaError(message)


def _mover(player: Mover) -> Mover:
    """The function, with its exceptions and results checked."""

    def choose(fens: list[str]) -> list[str | None]:
        try:
            moves = player(fens)
        except Exception as error:
            raise _failure(error, f"asked about {fens[0]}") from error
        if isinstance(moves, str | bytes) or not hasattr(moves, "__iter__"):
            raise PlayerError(f"a player returns a list of moves, this one returned {_short(moves)}")
        moves = list(moves)
        for fen, move in zip(fens, moves):
            if move is not None and not isinstance(move, str):
                raise PlayerError(
                    f"in {fen} the player answers {_short(move)}: a move is text, as 'a1b1'"
                )
        return moves

    return choose


class _Classifier:
    """An object with a ``predict``, with its exceptions and results checked."""

    def __init__(self, classifier: Any) -> None:
        self._classifier = classifier
        names = getattr(classifier, "feature_names_in_", None)
        self._names: list[str] | None = None if names is None else [str(name) for name in names]

    def attributes(self, asked: str | Sequence[str] | None) -> str | list[str]:
        """The attributes that it uses: those given, or else the columns of the frame that it was fitted on."""
        if asked is None:
            return self._names if self._names is not None else "geometric"
        return asked if isinstance(asked, str) else list(asked)

    def __call__(
        self, rows: NDArray[np.uint8], classes: list[str], names: list[str]
    ) -> NDArray[np.uint8]:
        if self._names is not None and names != self._names and len(names) == len(self._names):
            other = next(pair for pair in zip(self._names, names) if pair[0] != pair[1])
            raise LucenaError(
                f"the classifier was fitted on {other[0]} where it would be given {other[1]}: "
                "leave attributes out, or name its columns in their order"
            )
        width = getattr(self._classifier, "n_features_in_", rows.shape[1])
        if width != rows.shape[1]:
            raise LucenaError(
                f"the classifier was fitted on {width} attributes, but would be given {rows.shape[1]}: "
                "name its attributes with attributes=..."
            )
        given: Any = rows
        if self._names is not None:
            import pandas

            given = pandas.DataFrame(rows, columns=self._names)
        try:
            answers = np.asarray(self._classifier.predict(given))
        except Exception as error:
            raise _failure(error, f"asked about {len(rows)} rows") from error
        return _numbers(answers, classes)


def _numbers(answers: NDArray[Any], classes: list[str]) -> NDArray[np.uint8]:
    """The answers as class numbers."""
    if answers.ndim == 2 and answers.shape[1] == 1:
        answers = answers[:, 0]
    if answers.ndim != 1:
        raise PlayerError(f"a class for each row is needed, but the shape is {answers.shape}")
    if answers.dtype.kind in "iuf":
        wrong = ~((answers >= 0) & (answers < len(classes)) & (answers == np.floor(answers)))
        if wrong.any():
            raise PlayerError(
                f"the classifier answers {_short(answers[wrong][0])}: "
                f"classes are numbers from 0 to {len(classes) - 1}, as in Dataset.y, or names"
            )
        return answers.astype(np.uint8)
    known = {name: number for number, name in enumerate(classes)}
    try:
        return np.array([known[str(answer)] for answer in answers], dtype=np.uint8)
    except KeyError as error:
        raise PlayerError(
            f"the classifier answers {error}: classes are {', '.join(classes)}, or their numbers"
        ) from error


def _failure(error: Exception, when: str) -> PlayerError:
    return PlayerError(f"{when}, the player raised {type(error).__name__}: {error}")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
