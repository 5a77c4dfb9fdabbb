//! The reasons for the move of a player that follows a measure.

use super::choice_reason::ChoiceReason;
use super::error::ExplainError;
use super::finding::highlights;
use super::forced::Forced;
use super::measure_sentences::measure_aims;
use super::move_value::{ChosenMove, MoveValuation, ValuedMove, as_text, as_texts};
use super::rejection::{Comparison, RejectionReason, why};
use crate::diagram::{Diagram, Highlight, Mark};
use lucena_attributes::{Focus, ReaderBoard};
use lucena_base::plural::signed;
use lucena_chess::symmetry::Symmetry;
use lucena_chess::{Danger, Material, Move, MoveList, Position, Square};
use lucena_model::Contribution;
use lucena_proof::measure::{LookedAhead, Score};
use lucena_proof::policy::{Decision, MeasurePolicy, Policy, with_weak_to_move};
use lucena_tablebase::{MoveVerdicts, Tablebase};
use schemars::JsonSchema;
use serde::Serialize;

/// An explained move of a measure. Distances to mate are in plies from the side to move's point of view: negative if
/// it is mated, null for a draw. What a move forces is counted in moves of the strong side, that move included.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "MeasureMoveReport")]
pub struct MeasureExplanation {
    /// The move that is played, among all others.
    #[serde(flatten)]
    pub chosen: ChosenMove,
    /// The reason in one sentence: what the move forces.
    pub reason: String,
    /// The number of moves that the measure looks ahead, after the next one.
    pub look: u8,
    /// The reason for the choice: measure; at once: the move wins at once in another endgame; holding: no move is
    /// safe, and this one holds the draw; none safe: no move is safe.
    #[schemars(with = "String")]
    pub by: ChoiceReason,
    /// The value of the position, read as if the weak side were to move.
    pub value_before: i32,
    /// The value right after the move; null if the measure was not asked.
    pub value: Option<i32>,
    /// What the move forces; null if the measure was not asked.
    pub forces: Option<Forced>,
    /// The terms right after the move; empty if the measure was not asked.
    pub terms: Vec<TermFinding>,
    /// The safe moves with what they force, the best first; empty if the measure was not asked.
    pub safe: Vec<ForcingMove>,
    /// The moves that are not safe; empty if the measure was not asked.
    #[serde(rename = "unsafe")]
    pub unsafe_moves: Vec<UnsafeMove>,
    /// The moves that remain tied, in UCI: any of them may be played.
    #[serde(serialize_with = "as_texts")]
    #[schemars(with = "Vec<String>")]
    pub tied: MoveList,
    /// The requested other moves, compared with it.
    pub instead: Vec<MeasureAlternative>,
}

/// A term of a measure in one position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TermFinding {
    /// The name of the quantity.
    pub quantity: String,
    /// The value of the quantity.
    pub value: u16,
    /// The weight of the quantity; null if the term is a table.
    pub weight: Option<i32>,
    /// What it adds to the value of the measure.
    pub adds: i32,
    /// The value of the quantity in words, about the board as it stands.
    pub sentence: String,
    /// The squares that the quantity is about.
    #[serde(skip)]
    pub focus: Focus,
    /// The number that each square adds to the quantity, if it is a sum over squares.
    #[serde(skip)]
    pub parts: Vec<(Square, u16)>,
}

/// A safe move and what it forces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ForcingMove {
    /// The move in UCI.
    #[serde(rename = "move", serialize_with = "as_text")]
    #[schemars(with = "String")]
    pub mv: Move,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The value right after it.
    pub value: i32,
    /// What it forces.
    pub forces: Forced,
}

/// A move that is not safe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UnsafeMove {
    /// The move in UCI.
    #[serde(rename = "move", serialize_with = "as_text")]
    #[schemars(with = "String")]
    pub mv: Move,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The danger, in a sentence without a full stop.
    pub danger: String,
}

/// Another move, compared with the one that is played.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "LesserMove")]
pub struct MeasureAlternative {
    /// The move and its value by the table.
    #[serde(flatten)]
    pub worth: ValuedMove,
    /// Extra plies to mate; negative if fewer. Null if either move does not win.
    pub cost_plies: Option<i32>,
    /// The reason why the move is ruled out. same move or tied: it is not; not at once: only the played move wins at
    /// once; not holding: no move is safe, and the played move holds the draw; unsafe: it is not safe; forces less: the
    /// played move forces a lesser value, the same value sooner, or mate.
    #[schemars(with = "String")]
    pub behind: RejectionReason<LesserForce>,
    /// The reason in sentences.
    pub because: String,
    /// The value right after the move; null if the measure does not compare it.
    pub value: Option<i32>,
    /// What the move forces; null if the measure does not compare it.
    pub forces: Option<Forced>,
    /// The terms right after the move; empty if the measure does not compare it.
    pub terms: Vec<TermFinding>,
}

/// A move forces less than the one that is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LesserForce {
    /// What it forces.
    pub forces: Forced,
    /// What the played move forces.
    pub best: Forced,
}

impl Comparison for LesserForce {
    fn name(&self) -> &'static str {
        "forces less"
    }
}

/// Explains the move of a measure, as that of a player named for people, and compares other moves with it. The
/// verdicts on the moves tell whether the fifty-move rule comes before the mate.
///
/// # Errors
/// If the position or the table is of another endgame than the policy's, the strong side is not to move, or a move is
/// not legal.
pub fn explain_measure(
    policy: &MeasurePolicy,
    player: &str,
    tablebase: &Tablebase,
    verdicts: &MoveVerdicts,
    instead: &[Move],
) -> Result<MeasureExplanation, ExplainError> {
    let weighing = MoveValuation::new(tablebase, policy, verdicts)?;
    let position = verdicts.position();
    let decision = policy.decide(position);
    let tied = decision.tied();
    let first = weighing.weigh(*tied.first().expect("where there is a move, one is tied"))?;
    let compared = ComparedMoves::new(policy, position, &decision)?;
    let instead =
        instead.iter().map(|&mv| compared.alternative(policy, &first, &tied, weighing.weigh(mv)?));
    let instead = instead.collect::<Result<_, ExplainError>>()?;
    let (value, forces) = compared.of(first.mv).map(|one| (one.value, one.forces)).unzip();
    let is_asked = forces.is_some();
    let by = ChoiceReason::of(&decision, ChoiceReason::Measure);
    let value_before = policy.value(&with_weak_to_move(position));
    Ok(MeasureExplanation {
        reason: reason(policy, &first.san, by, value_before, forces),
        look: policy.measure().horizon().look,
        by,
        value_before,
        value,
        forces,
        terms: if is_asked { TermFinding::all(policy, &first.after) } else { Vec::new() },
        unsafe_moves: if is_asked { compared.unsafe_moves()? } else { Vec::new() },
        safe: compared.safe,
        tied,
        instead,
        chosen: weighing.chosen(player, first)?,
    })
}

/// The reason for a move of a measure in a sentence, without a table. `forced` is the score that the move forces, which
/// takes long to find; `None` if the measure was not asked.
///
/// # Errors
/// If the move is not legal.
pub(super) fn measure_reason(
    policy: &MeasurePolicy,
    position: &Position,
    mv: Move,
    forced: Option<Score>,
) -> Result<String, ExplainError> {
    let (san, before) = (position.san(mv)?, policy.value(&with_weak_to_move(position)));
    let by = match forced {
        Some(_) => ChoiceReason::Measure,
        None => ChoiceReason::of(&policy.decide(position), ChoiceReason::Measure),
    };
    Ok(reason(policy, &san, by, before, forced.map(Forced::by_move)))
}

/// The reason for a move in a sentence: what it forces, and the aim of a measure that has one term.
fn reason(
    policy: &MeasurePolicy,
    san: &str,
    by: ChoiceReason,
    before: i32,
    forces: Option<Forced>,
) -> String {
    let Some(forces) = forces else { return by.sentence().unwrap_or_default() };
    let when = forces.moves_in_words();
    match forces {
        Forced::Mate { moves: 1 } => format!("{san} is mate."),
        Forced::Mate { .. } => {
            let mate = forces.in_words(Policy::material(policy));
            format!("{san} forces {mate}, whatever the reply.")
        }
        Forced::Value { value, .. } => {
            // Of several terms, none is the aim alone.
            let aim = match measure_aims(policy).as_slice() {
                [Some(aim)] => format!("The aim of {san}: {aim}. It"),
                _ => san.to_owned(),
            };
            let brings = if value < before { "lowers" } else { "brings" };
            format!(
                "{aim} {brings} the number from {} to {} {when}, whatever the reply.",
                signed(before.into()),
                signed(value.into())
            )
        }
        Forced::Draw => format!("{san} holds the draw."),
        Forced::Nothing => format!("{san} is safe, and no safe move forces anything."),
    }
}

impl TermFinding {
    /// The terms of a measure in a position with the weak side to move.
    pub fn all(policy: &MeasurePolicy, position: &Position) -> Vec<Self> {
        let view = ReaderBoard::new(position, Symmetry::IDENTITY);
        let terms = policy.measure().terms().iter().zip(policy.quantities().quantities());
        let found = terms.map(|(term, quantity)| {
            let value = quantity.value(position);
            Self {
                quantity: quantity.name(),
                value,
                weight: match term.contribution {
                    Contribution::Weight(weight) => Some(weight),
                    Contribution::Table(_) => None,
                },
                adds: term.contribution.of(value, term.quantity.low),
                sentence: quantity.sentence(value, &view),
                focus: quantity.focus(position),
                parts: quantity.parts(position),
            }
        });
        found.collect()
    }

    /// The squares that some terms are about.
    pub fn highlights(terms: &[Self]) -> Vec<Highlight> {
        let foci = terms.iter().map(|term| term.focus.clone());
        highlights(foci, Symmetry::IDENTITY, "pieces that the measure speaks of")
    }

    /// The squares that some terms are about, and what each square adds to the first sum among them.
    pub fn marks(terms: &[Self]) -> Vec<Mark> {
        let sums = terms.iter().find_map(|term| Mark::numbers(&term.parts));
        Mark::all(&Self::highlights(terms)).into_iter().chain(sums).collect()
    }
}

/// The safe moves of a position, compared by a measure.
struct ComparedMoves<'p> {
    position: &'p Position,
    /// The best first; empty if the measure is not asked.
    safe: Vec<ForcingMove>,
    /// Why another move is not tied, if the measure is not asked.
    otherwise: RejectionReason<LesserForce>,
}

impl<'p> ComparedMoves<'p> {
    fn new(
        policy: &MeasurePolicy,
        position: &'p Position,
        decision: &Decision<LookedAhead>,
    ) -> Result<Self, ExplainError> {
        let otherwise = RejectionReason::without_comparison(decision);
        let Decision::Compared(LookedAhead { moves, .. }) = decision else {
            return Ok(Self { position, safe: Vec::new(), otherwise });
        };
        let mut scored: Vec<(Score, ForcingMove)> = Vec::new();
        for (mv, after) in moves {
            let score = policy.forced_after(after);
            let (value, forces) = (policy.value(after), Forced::by_move(score));
            let san = position.san(*mv)?;
            scored.push((score, ForcingMove { mv: *mv, san, value, forces }));
        }
        // Of equal moves the first remains first.
        scored.sort_by_key(|(score, _)| *score);
        let safe = scored.into_iter().map(|(_, one)| one).collect();
        Ok(Self { position, safe, otherwise })
    }

    fn of(&self, mv: Move) -> Option<&ForcingMove> {
        self.safe.iter().find(|one| one.mv == mv)
    }

    fn unsafe_moves(&self) -> Result<Vec<UnsafeMove>, ExplainError> {
        let mut found = Vec::new();
        for mv in self.position.moves() {
            if let Some(danger) = Danger::new(self.position, mv)? {
                found.push(UnsafeMove { mv, san: self.position.san(mv)?, danger: why(danger) });
            }
        }
        Ok(found)
    }

    /// Another move, compared with the chosen one.
    fn alternative(
        &self,
        policy: &MeasurePolicy,
        chosen: &ValuedMove,
        tied: &[Move],
        worth: ValuedMove,
    ) -> Result<MeasureAlternative, ExplainError> {
        let compared = self.of(worth.mv);
        let behind = match (compared, self.of(chosen.mv)) {
            _ if worth.mv == chosen.mv => RejectionReason::SameMove,
            _ if tied.contains(&worth.mv) => RejectionReason::Tied,
            (Some(one), Some(best)) => {
                RejectionReason::Compared(LesserForce { forces: one.forces, best: best.forces })
            }
            (None, Some(_)) => {
                let danger = Danger::new(self.position, worth.mv)?;
                RejectionReason::Unsafe(danger.expect("a move that is not compared is not safe"))
            }
            (_, None) => self.otherwise,
        };
        let material = self.position.material();
        Ok(MeasureAlternative {
            because: behind.because(&worth.san, &chosen.san, material),
            cost_plies: worth.cost_over(chosen),
            value: compared.map(|one| one.value),
            forces: compared.map(|one| one.forces),
            terms: match compared {
                Some(_) => TermFinding::all(policy, &worth.after),
                None => Vec::new(),
            },
            behind,
            worth,
        })
    }
}

impl RejectionReason<LesserForce> {
    /// The reason why a measure prefers the move `best` to the move `san` in an endgame, in sentences. Empty for the
    /// same move.
    fn because(self, san: &str, best: &str, material: Material) -> String {
        self.sentence(san, best, |force| {
            let (less, forced) = (force.forces.as_less(material), force.best.in_words(material));
            format!("{san} forces {less}; {best} forces {forced}.")
        })
    }
}

impl MeasureExplanation {
    /// The position after the move, with the move and the squares that the terms are about.
    pub fn diagram(&self) -> Diagram {
        self.chosen.diagram(TermFinding::highlights(&self.terms))
    }
}
