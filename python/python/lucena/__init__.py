"""Small chess endgames: solved exactly, learned as decision trees, explained, and proved as players.

>>> import lucena
>>> data = lucena.dataset("KRvK")
>>> tree = lucena.learn(data)
>>> lucena.prove(tree).wins_all
True

The main functions:

- ``solve`` makes a ``Tablebase``; its ``probe`` looks up positions;
- ``Syzygy`` reads Syzygy files of up to seven men, and ``Tablebase.save_syzygy`` writes them;
- ``dataset`` describes positions by attributes, as numpy arrays for scikit-learn;
- ``learn`` makes a ``Tree`` from them;
- ``prove`` proves how a player does from every position against every defence. The player is a model, a
  lucena player by its name, a fitted classifier, or a function that chooses moves;
- ``Model`` is what a player goes by, read from a file of any kind: a ``Tree``, a ``Strategy`` of rules about moves, or a
  ``Measure``, a number that a player makes smaller;
- ``explain`` explains why a move is played.

Distances are in plies unless a name says otherwise. Invalid input raises ``LucenaError``, a ``ValueError``.
A file that cannot be read or written raises an ``OSError``.
A player written in Python that misbehaves raises ``PlayerError``, a ``LucenaError``.
"""

from lucena._lucena import (
    __version__,
    Dataset,
    Explanation,
    ForcedMove,
    Line,
    LucenaError,
    Measure,
    Model,
    PlayerError,
    Probe,
    ProbedMove,
    Proof,
    SideCounts,
    SklearnTree,
    Strategy,
    Syzygy,
    Tablebase,
    Tree,
    dataset,
    explain,
    learn,
    solve,
)
from lucena._prove import prove

__all__ = [
    "Dataset",
    "Explanation",
    "ForcedMove",
    "Line",
    "LucenaError",
    "Measure",
    "Model",
    "PlayerError",
    "Probe",
    "ProbedMove",
    "Proof",
    "SideCounts",
    "SklearnTree",
    "Strategy",
    "Syzygy",
    "Tablebase",
    "Tree",
    "__version__",
    "dataset",
    "explain",
    "learn",
    "prove",
    "solve",
]
