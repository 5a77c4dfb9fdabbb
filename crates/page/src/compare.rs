//! Two players beside each other: their sizes, what is proved of each, and positions in which they move
//! differently.

use super::attributes::small;
use super::knowledge::PlayerInEndgame;
use super::played_moves::PlayedMoves;
use super::query::{OfParameter, Optional, Paging, WholeNumber};
use super::{ApiError, PageState, Result};
use lucena_base::plural::count;
use lucena_base::progress::Observer;
use lucena_base::wilson::share;
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Move, Side};
use lucena_model::ModelFigures;
use lucena_proof::Proof;
use lucena_tablebase::{Index, Metric, Outcome, Tablebase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::sync::Arc;

#[derive(Deserialize, JsonSchema)]
pub(super) struct CompareQuery {
    /// A player that goes by a tree, a strategy or a measure.
    player: String,
    /// Another such player.
    with: String,
    /// The endgame, of at most three men; default the first player's own, or KRvK.
    material: Optional<Material, String>,
    /// The number of positions to skip; default 0.
    offset: Optional<WholeNumber, u64>,
    /// The most positions to return, up to 500; default 12.
    limit: Optional<WholeNumber, u64>,
}

/// Two players beside each other. Positions are those with the strong side to move, up to symmetry.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct CompareResponse {
    /// The endgame.
    material: String,
    /// The two players.
    players: [ComparedPlayer; 2],
    /// The number of positions.
    positions: usize,
    /// The number of positions in which they move differently.
    found: usize,
    /// The number of these in which the first, or the second, player's move is better by the table.
    better: [usize; 2],
    /// The number of these that are skipped.
    offset: usize,
    /// Some of these, the greatest difference first.
    boards: Vec<ComparedBoard>,
}

/// A player in a comparison.
#[derive(Debug, Serialize, JsonSchema)]
struct ComparedPlayer {
    /// The player.
    player: String,
    /// The size in words: "67 leaves", "5 rules", "2 terms".
    size: String,
    /// The number of nodes of a tree; null for other players.
    nodes: Option<usize>,
    /// The number of leaves of a tree; null for other players.
    leaves: Option<usize>,
    /// The number of tests on the longest path of a tree; null for other players.
    depth: Option<usize>,
    /// The mean number of tests for a position with the weak side to move; null for players without a tree.
    mean_tests: Option<f64>,
    /// The share of the positions with the weak side to move for which the tree has the right distance, from 0 to 1;
    /// null if its answers are no distances, and for players without a tree.
    accuracy: Option<f64>,
    /// The strength from every position with the strong side to move, against every defence.
    proof: Proof,
    /// The won positions in which the player wins within the fifty-move rule, from a clock of zero.
    won_within_rule: u64,
    /// The positions that can be won within the fifty-move rule; null if every game of the player is short enough, but it
    /// does not win all positions.
    winnable_within_rule: Option<u64>,
}

/// A position in which two players move differently.
#[derive(Debug, Serialize, JsonSchema)]
struct ComparedBoard {
    /// The position.
    fen: String,
    /// The outcome of best play: "mate in 9", "draw".
    says: String,
    /// The moves of the two players; null for a player that has none.
    moves: [Option<ComparedMove>; 2],
}

/// A move, and the outcome of best play after it.
#[derive(Debug, Serialize, JsonSchema)]
struct ComparedMove {
    /// The move in UCI.
    uci: String,
    /// The move in standard algebraic notation.
    san: String,
    /// The outcome, the move included: "mate in 9", "draw".
    says: String,
}

/// The default number of boards.
const DEFAULT_BOARDS: u64 = 12;

pub(super) fn compare(state: &PageState, query: CompareQuery) -> Result<CompareResponse> {
    let CompareQuery { player, with, material, offset, limit } = query;
    let paging = Paging::new(offset.0, limit.0.or(Some(WholeNumber(DEFAULT_BOARDS))))?;
    let one = PlayerInEndgame::new(state, &player, material.0).of_parameter("player")?;
    let material = one.material;
    let other = PlayerInEndgame::new(state, &with, Some(material)).of_parameter("with")?;
    small(material, || format!("lucena prove {material} --player {player}"))?;
    let tablebase = state.tablebase(material)?;
    let [one_played, other_played] = [&one, &other].map(|known| {
        let (player, tablebase) = (Arc::clone(&known.player), state.tablebase(material)?);
        let zeroing = Arc::clone(state.folder_of(Metric::Dtz));
        let find = move |observer: &dyn Observer| {
            PlayedMoves::new(&player, &tablebase, &zeroing, observer)
        };
        state.played.get(known.player.name().to_string(), material, find)
    });
    let (one_played, other_played) = (one_played?, other_played?);
    let both = one_played.moves.iter().zip(&other_played.moves);
    let mut differ: Vec<Difference> = both
        .filter(|((_, one), (_, other))| one.map(|it| it.0) != other.map(|it| it.0))
        .map(|(&(number, one), &(_, other))| Difference { number, moves: [one, other] })
        .collect();
    differ.sort_by_key(|it| (Reverse(it.size()), it.number));
    let better = [1, 0].map(|worse| differ.iter().filter(|it| it.worse() == Some(worse)).count());
    let boards = paging.of(&differ).map(|difference| difference.board(&tablebase));
    let boards = boards.collect::<Result<_>>()?;
    tablebase.check_readable()?;
    Ok(CompareResponse {
        material: material.to_string(),
        players: [
            ComparedPlayer::new(state, player, &one, &one_played)?,
            ComparedPlayer::new(state, with, &other, &other_played)?,
        ],
        positions: one_played.moves.len(),
        found: differ.len(),
        better,
        offset: paging.offset,
        boards,
    })
}

/// A position in which two players move differently.
struct Difference {
    /// Its number among the canonical positions.
    number: usize,
    moves: [Option<(Move, Outcome)>; 2],
}

impl Difference {
    /// The outcomes after the two moves.
    fn outcomes(&self) -> [Option<Outcome>; 2] {
        self.moves.map(|one| one.map(|(_, outcome)| outcome))
    }

    /// The plies to mate that the worse move costs; more than any distance if it does not win.
    fn size(&self) -> u16 {
        match self.outcomes() {
            [Some(Outcome::Win(one)), Some(Outcome::Win(other))] => one.abs_diff(other),
            [one, other] if one == other => 0,
            _ => u16::MAX,
        }
    }

    /// The number of the player whose move is worse; `None` if both are as good.
    fn worse(&self) -> Option<usize> {
        let [one, other] = self.outcomes();
        (one != other).then_some(usize::from(one > other))
    }

    fn board(&self, tablebase: &Tablebase) -> Result<ComparedBoard> {
        let material = tablebase.material();
        let index = Index::new(material, Group::new(material));
        let position = index.placement(self.number, Side::Strong);
        let [one, other] = self.moves.map(|known| {
            known.map(|(mv, outcome)| {
                Ok::<_, ApiError>(ComparedMove {
                    uci: mv.to_string(),
                    san: position.san(mv)?,
                    says: outcome.to_string(),
                })
            })
        });
        Ok(ComparedBoard {
            fen: position.to_string(),
            says: tablebase.outcome(&position).to_string(),
            moves: [one.transpose()?, other.transpose()?],
        })
    }
}

impl ComparedPlayer {
    fn new(
        state: &PageState,
        player: String,
        known: &PlayerInEndgame,
        played: &PlayedMoves,
    ) -> Result<Self> {
        let proof = played.proof.clone();
        let bare = |size: String| Self {
            player: player.clone(),
            size,
            nodes: None,
            leaves: None,
            depth: None,
            mean_tests: None,
            accuracy: None,
            proof,
            won_within_rule: played.won_within_rule,
            winnable_within_rule: played.winnable_within_rule,
        };
        let ModelFigures { rules, terms, .. } = known.model.as_ref().figures();
        if let Some(rules) = rules {
            return Ok(bare(count(rules as u64, "rule", "rules")));
        }
        if let Some(terms) = terms {
            return Ok(bare(count(terms as u64, "term", "terms")));
        }
        let tree = known.tree()?;
        let counted = state.counted(&known.player, known.material, Arc::clone(&tree))?;
        let mixes = state.mixes(&known.player, known.material, &counted)?;
        let (_, root) = counted.node(0).expect("a tree has a root");
        let all = root.support.map_or(0, |support| support.full);
        let wrong = mixes.and_then(|mixes| mixes.wrong_at(0));
        Ok(Self {
            nodes: Some(tree.nodes().len()),
            leaves: Some(tree.leaves()),
            depth: Some(tree.depth()),
            mean_tests: share(counted.tests_of_all(), all),
            accuracy: wrong.and_then(|wrong| share(all - wrong, all)),
            ..bare(count(tree.leaves() as u64, "leaf", "leaves"))
        })
    }
}
