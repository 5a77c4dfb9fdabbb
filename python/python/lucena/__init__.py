"""Small chess endgames: solved exactly, learned as decision trees, explained, and players proved.

>>> import lucena
>>> data = lucena.dataset("KRvK")
>>> tree = lucena.learn(data)
>>> lucena.prove(tree).wins_all
True

What there is:

- ``solve`` makes a ``Tablebase``, which ``probe`` looks positions up in;
- ``dataset`` describes positions by attributes: numpy arrays that scikit-learn takes;
- ``learn`` makes a ``Tree`` of them;
- ``prove`` says what a player is worth from every position against every defence: a tree, a player of
  lucena by its name, a fitted classifier, or a function that chooses moves;
- ``explain`` says why a move is played.

Distances are in plies wherever the name says nothing else. What makes no sense raises ``LucenaError``, a
``ValueError``; a player written in Python that does not play raises ``PlayerError``, which is one too.
"""

from lucena._lucena import (
    __version__,
    Dataset,
    Explanation,
    Line,
    LucenaError,
    PlayerError,
    Probe,
    ProbedMove,
    Proof,
    SideCounts,
    SklearnTree,
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
    "dataset",
    "explain",
    "learn",
    "prove",
    "solve",
]
