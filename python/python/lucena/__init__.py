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
- ``prove`` proves how a player does from every position against every defence. The player is a tree, a
  lucena player by its name, a measure, a fitted classifier, or a function that chooses moves;
- ``Measure`` is a number that a player makes smaller, read from a file of ``lucena measure``;
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
    PlayerError,
    Probe,
    ProbedMove,
    Proof,
    SideCounts,
    SklearnTree,
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
    "PlayerError",
    "Probe",
    "ProbedMove",
    "Proof",
    "SideCounts",
    "SklearnTree",
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
