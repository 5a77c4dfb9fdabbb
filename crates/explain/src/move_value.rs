//! The values of moves by the table, for any kind of player.

use super::error::ExplainError;
use super::known_rule::KnownRule;
use crate::diagram::{Diagram, Highlight};
use lucena_base::plural::{capital, count, plies, word_list};
use lucena_chess::{HalfmoveClock, Material, Move, Piece, Position};
use lucena_proof::policy::Policy;
use lucena_tablebase::{Category, MoveVerdicts, Outcome, Tablebase, UnknownMaterial, Verdict, Wdl};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt::Display;

/// The move that a player has chosen, and the values of all others.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ChosenMove {
    /// The position, as a FEN with its halfmove clock.
    pub fen: String,
    /// The position.
    #[serde(skip)]
    pub position: Position,
    /// Its halfmove clock.
    #[serde(skip)]
    pub clock: HalfmoveClock,
    /// The endgame, such as KRvK.
    #[serde(serialize_with = "as_text")]
    #[schemars(with = "String")]
    pub material: Material,
    /// The player.
    pub player: String,
    /// Plies to mate before the move.
    #[serde(rename = "dtm_before", serialize_with = "as_dtm")]
    #[schemars(with = "Option<i32>")]
    pub before: Outcome,
    /// The result before the move under the fifty-move rule.
    pub category_before: Category,
    /// A rule without exceptions that decides the position before the move; null if none is known.
    pub known_rule: Option<KnownRule>,
    /// Another rule without exceptions, which decides the position after it; null if none is known.
    pub known_rule_after: Option<KnownRule>,
    /// The move and its value.
    #[serde(flatten)]
    pub worth: ValuedMove,
    /// All other moves.
    #[serde(flatten)]
    pub others: OtherMoves,
    /// The best move, and the verdict after it.
    #[serde(skip)]
    pub best: (Move, Verdict),
}

/// A move and its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ValuedMove {
    /// The move in UCI.
    #[serde(rename = "move", serialize_with = "as_text")]
    #[schemars(with = "String")]
    pub mv: Move,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The position after it.
    #[serde(skip)]
    pub after: Position,
    /// Plies to mate after it, from the opponent's point of view: negative if the opponent is
    /// mated.
    #[serde(rename = "dtm_after", serialize_with = "as_dtm")]
    #[schemars(with = "Option<i32>")]
    pub outcome: Outcome,
    /// The opponent's result after it under the fifty-move rule.
    pub category_after: Category,
    /// The way a win is given away: stalemate, lost piece, fifty moves, draw or loss; null if it is not.
    #[schemars(with = "Option<String>")]
    pub gives_away: Option<LostWin>,
}

/// The way a move gives a win away. It is serialised as its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LostWin {
    /// By stalemate.
    Stalemate,
    /// By the loss of this man.
    Man(Piece),
    /// By a mate that comes too late under the fifty-move rule.
    FiftyMoves,
    /// To a draw in another way.
    Draw,
    /// To a loss.
    Loss,
}

impl LostWin {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stalemate => "stalemate",
            Self::Man(_) => "lost piece",
            Self::FiftyMoves => "fifty moves",
            Self::Draw => "draw",
            Self::Loss => "loss",
        }
    }

    /// The way in a phrase.
    pub(super) fn phrase(self) -> String {
        match self {
            Self::Stalemate => "by stalemate".into(),
            Self::Man(piece) => format!("the {} is taken", man(piece)),
            Self::FiftyMoves => "since mate comes too late under the fifty-move rule".into(),
            Self::Draw => "to a draw".into(),
            Self::Loss => "to a loss".into(),
        }
    }
}

impl Serialize for LostWin {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// The moves that were not chosen, by their value compared with the chosen one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OtherMoves {
    /// Better moves in UCI, best first.
    #[serde(serialize_with = "as_texts")]
    #[schemars(with = "Vec<String>")]
    pub better: Vec<Move>,
    /// Equally good moves in UCI.
    #[serde(serialize_with = "as_texts")]
    #[schemars(with = "Vec<String>")]
    pub equal: Vec<Move>,
    /// The number of worse moves with the same result.
    pub slower: usize,
    /// The number of moves with a worse result.
    pub worse: usize,
}

/// A position in which a player moves, the verdicts on its moves, and the table.
pub(super) struct MoveValuation<'a> {
    tablebase: &'a Tablebase,
    pub(super) verdicts: &'a MoveVerdicts,
}

/// Checks that a player has a move to choose in a position.
fn check_choice(
    tablebase: &Tablebase,
    player: &dyn Policy,
    position: &Position,
) -> Result<(), ExplainError> {
    check_player(player.material(), position)?;
    check_table(tablebase, position)?;
    match position.turn() == player.side() {
        true => Ok(()),
        false => Err(ExplainError::OtherSide(Box::new(*position))),
    }
}

/// Checks that a player knows the endgame of a position.
pub(super) fn check_player(player: Material, position: &Position) -> Result<(), ExplainError> {
    match position.material() {
        material if material == player => Ok(()),
        material => Err(ExplainError::OtherMaterial { player, position: material }),
    }
}

/// Checks that there is a move in a position, of the endgame of a table.
fn check_table(tablebase: &Tablebase, position: &Position) -> Result<(), ExplainError> {
    let (material, table) = (position.material(), tablebase.material());
    if table != material {
        return Err(UnknownMaterial { material, table }.into());
    }
    match position.has_moves() {
        true => Ok(()),
        false => Err(ExplainError::Over(Box::new(*position))),
    }
}

impl<'a> MoveValuation<'a> {
    /// The valuation of a position in which a player has a move to choose.
    pub(super) fn new(
        tablebase: &'a Tablebase,
        player: &dyn Policy,
        verdicts: &'a MoveVerdicts,
    ) -> Result<Self, ExplainError> {
        check_choice(tablebase, player, verdicts.position())?;
        Ok(Self { tablebase, verdicts })
    }

    /// The valuation of a position of the endgame of a table, whichever side is to move.
    pub(super) fn by_table(
        tablebase: &'a Tablebase,
        verdicts: &'a MoveVerdicts,
    ) -> Result<Self, ExplainError> {
        check_table(tablebase, verdicts.position())?;
        Ok(Self { tablebase, verdicts })
    }

    /// The value of a move.
    pub(super) fn weigh(&self, mv: Move) -> Result<ValuedMove, ExplainError> {
        let position = self.verdicts.position();
        let (san, after) = (position.san(mv)?, position.play(mv)?);
        let value = self.verdicts.after(mv).expect("every legal move has a verdict");
        let gives_away = match self.verdicts.before().category.wdl() {
            Some(Wdl::Win) => gives_away(self.tablebase, &after, value),
            _ => None,
        };
        self.tablebase.check_readable()?;
        let Verdict { category: category_after, outcome } = value;
        Ok(ValuedMove { mv, san, after, outcome, category_after, gives_away })
    }

    /// The move that a player chooses, among all moves by their value compared with it.
    pub(super) fn chosen(
        &self,
        player: &str,
        worth: ValuedMove,
    ) -> Result<ChosenMove, ExplainError> {
        let mut others = OtherMoves::default();
        let mut moves = self.verdicts.moves().to_vec();
        moves.sort_by_key(|&(.., after)| after);
        let chosen = worth.verdict();
        let best = moves.first().map_or((worth.mv, chosen), |&(mv, _, after)| (mv, after));
        for (mv, _, after) in moves.into_iter().filter(|&(mv, ..)| mv != worth.mv) {
            // Values are the opponent's, so less is better.
            match after.cmp(&chosen) {
                Ordering::Less => others.better.push(mv),
                Ordering::Equal => others.equal.push(mv),
                Ordering::Greater if after.results() == chosen.results() => others.slower += 1,
                Ordering::Greater => others.worse += 1,
            }
        }
        let (position, clock) = (*self.verdicts.position(), self.verdicts.clock());
        let Verdict { category: category_before, outcome: before } = self.verdicts.before();
        let (material, player) = (position.material(), player.into());
        let board = position.to_string();
        let fields: Vec<&str> = board.split(' ').take(4).collect();
        // Moves are not numbered here.
        let fen = format!("{} {} 1", fields.join(" "), clock.plies());
        let known_rule = KnownRule::of(&position, category_before);
        let known_rule_after =
            KnownRule::reached(known_rule.as_ref(), &worth.after, worth.category_after);
        Ok(ChosenMove {
            fen,
            position,
            clock,
            material,
            player,
            before,
            category_before,
            known_rule,
            known_rule_after,
            worth,
            others,
            best,
        })
    }
}

impl ChosenMove {
    /// The board and the value of the position, in lines.
    pub(super) fn standing(&self) -> String {
        let Self { position, material, .. } = self;
        let before = Verdict { category: self.category_before, outcome: self.before };
        let (turn, value) = (position.color_to_move(), with_plies(before));
        let mut text = format!("{position:#}\n\n{material}, {turn:?} to move: {value}\n");
        if let Some(effect) = before.fifty_move_sentence(self.clock) {
            text += &format!("{effect}\n");
        }
        text
    }

    /// What rules without exceptions say of the position and of what the move reaches, in sentences.
    pub(super) fn rule_sentences(&self) -> Vec<String> {
        let before = self.known_rule.iter().map(|rule| rule.sentence.clone());
        let after = self.known_rule_after.iter().map(|rule| rule.after_move(&self.worth.san));
        before.chain(after).collect()
    }

    /// A sentence that compares the move with the best one; empty if none is better. `size` is that of the player, such as
    /// " of 67 leaves".
    pub(super) fn better_line(&self, size: &str) -> String {
        let (mv, after) = self.best;
        let Ok(best) = self.position.san(mv) else { return String::new() };
        if after == self.worth.verdict() {
            return String::new();
        }
        let player = match self.player.as_str() {
            player @ ("exact" | "learned") => format!("The {player} tree{size}"),
            player @ ("theory" | "strategy" | "measure") => format!("The {player}{size}"),
            file if file.contains(':') => file.to_owned(),
            other => capital(other),
        };
        let ValuedMove { san, gives_away, .. } = &self.worth;
        let played = match gives_away {
            Some(how) => format!("which gives the win away, {}", how.phrase()),
            None => self.worth.verdict().before_move().to_string(),
        };
        format!("{player} plays {san}, {played}; the best move is {best}, {}.", after.before_move())
    }

    /// All other moves, in a sentence.
    pub fn others_line(&self) -> String {
        let OtherMoves { better, equal, slower, worse } = &self.others;
        let all = better.len() + equal.len() + slower + worse;
        let result = self.worth.verdict().before_move().category.wdl();
        let wins = result == Some(Wdl::Win);
        let mut parts = Vec::new();
        let alike = if wins { "as quick" } else { "as good" };
        for (moves, what) in [(better, "better"), (equal, alike)] {
            if !moves.is_empty() {
                let sans: Vec<_> = moves.iter().flat_map(|&mv| self.position.san(mv)).collect();
                parts.push(format!("{} {what} ({})", moves.len(), sans.join(", ")));
            }
        }
        if *slower > 0 {
            let slower_or_sooner =
                if result == Some(Wdl::Loss) { "mated sooner" } else { "slower" };
            parts.push(format!("{slower} {slower_or_sooner}"));
        }
        if *worse > 0 {
            parts.push(format!("{worse} {}", if wins { "not winning" } else { "worse" }));
        }
        match parts.as_slice() {
            [] => format!("There is no other move than {}.", self.worth.san),
            parts => {
                format!("{}: {}.", count(all as u64, "other move", "other moves"), parts.join(", "))
            }
        }
    }

    /// The moves that remain tied, in a sentence; `None` if there is one alone.
    pub(super) fn tied_line(&self, tied: &[Move]) -> Option<String> {
        let sans: Vec<String> = tied.iter().filter_map(|&mv| self.position.san(mv).ok()).collect();
        (sans.len() > 1)
            .then(|| format!("{} are tied: any of them may be played.", word_list(&sans)))
    }

    /// The position after the move, with the move and some marked squares.
    pub(super) fn diagram(&self, highlights: Vec<Highlight>) -> Diagram {
        let ValuedMove { mv, san, after, .. } = &self.worth;
        Diagram {
            position: *after,
            title: format!("{san}: {}", self.worth.verdict().before_move()),
            arrow: Some(*mv),
            highlights,
        }
    }
}

impl ValuedMove {
    /// The value of the position after it, for the opponent.
    pub fn verdict(&self) -> Verdict {
        Verdict { category: self.category_after, outcome: self.outcome }
    }

    /// Extra plies to mate compared with another move; negative if fewer. `None` if either move
    /// does not win.
    pub(super) fn cost_over(&self, chosen: &Self) -> Option<i32> {
        match (chosen.outcome, self.outcome) {
            (Outcome::Loss(chosen), Outcome::Loss(other)) => {
                Some(i32::from(other) - i32::from(chosen))
            }
            _ => None,
        }
    }

    /// The value of the move in words.
    pub fn in_words(&self) -> String {
        match self.gives_away {
            Some(how) => format!("gives the win away, {}", how.phrase()),
            None => with_plies(self.verdict().before_move()),
        }
    }

    /// The value of the move compared with the chosen one, in a sentence.
    pub fn compared_with(&self, chosen: &Self) -> String {
        let (san, outcome) = (&chosen.san, self.verdict().before_move());
        if self.mv == chosen.mv {
            return format!("{} ({}) is the move that is played.", self.san, self.mv);
        }
        let start = format!("{} ({}) instead", self.san, self.mv);
        let keeps = |joined: &str| match chosen.gives_away {
            Some(_) => format!(", {joined} it keeps the win"),
            None => String::new(),
        };
        match (self.gives_away, self.cost_over(chosen)) {
            (Some(how), _) => format!("{start}: gives the win away, {}.", how.phrase()),
            (None, Some(0)) => format!("{start}: {outcome}, as quick as {san}{}.", keeps("but")),
            (None, Some(cost)) => {
                let (than, joined) = if cost > 0 { ("later", "but") } else { ("sooner", "and") };
                let cost = plies(cost.unsigned_abs().into());
                format!("{start}: {outcome}, {cost} {than} than {san}{}.", keeps(joined))
            }
            (None, None) => format!("{start}: {outcome}."),
        }
    }
}

/// "mate in 9 (17 plies)", and whether it comes too late.
fn with_plies(verdict: Verdict) -> String {
    let Verdict { category, outcome } = verdict;
    match outcome.plies() {
        Some(number) => format!("{outcome} ({}){}", plies(number.into()), category.remark()),
        None => verdict.to_string(),
    }
}

/// "rook".
pub(super) fn man(piece: Piece) -> String {
    format!("{:?}", piece.role).to_lowercase()
}

/// Writes a value as text.
pub(super) fn as_text<S: Serializer>(
    value: &impl Display,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Writes values as a list of texts.
pub(super) fn as_texts<S: Serializer>(
    values: &[impl Display],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(ToString::to_string))
}

/// Writes an outcome as the plies to mate.
pub(super) fn as_dtm<S: Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
    outcome.dtm().serialize(serializer)
}

/// The way a win was given away, if it was; the weak side is to move.
fn gives_away(tablebase: &Tablebase, after: &Position, value: Verdict) -> Option<LostWin> {
    let Verdict { category, outcome } = value;
    if let Outcome::Loss(_) = outcome {
        return (category == Category::BlessedLoss).then_some(LostWin::FiftyMoves);
    }
    if after.is_stalemate() {
        return Some(LostWin::Stalemate);
    }
    // The best reply, if it takes a man.
    let best = tablebase.outcomes(after);
    let equal = best.iter().take_while(|reply| reply.2 == best[0].2);
    let taken =
        equal.filter_map(|(mv, ..)| after.men().find(|&(_, square)| square == mv.to)).next();
    Some(match (taken, outcome) {
        (Some((piece, _)), _) => LostWin::Man(piece),
        (None, Outcome::Draw) => LostWin::Draw,
        (None, _) => LostWin::Loss,
    })
}
