//! What the records of all lists of rules have in common: examples, positions that were held out, words.

use lucena_base::named::named;
use lucena_base::plural::{count, grouped, percent};
use lucena_chess::{Color, Side};
use lucena_rules::{Claim, Example, RuleList};
use lucena_tablebase::Outcome;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};

/// A colour by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColorName {
    /// White, the strong side.
    White,
    /// Black.
    Black,
}

named!(ColorName { "white": White, "black": Black });

impl ColorName {
    /// The colour of a side to move.
    pub(super) fn of(turn: Side) -> Self {
        match turn {
            Side::Strong => Self::White,
            Side::Weak => Self::Black,
        }
    }

    /// The side of this colour in the positions of rules.
    pub fn side(self) -> Side {
        match self {
            Self::White => Side::Strong,
            Self::Black => Side::Weak,
        }
    }
}

/// A position with its outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RuleExample {
    /// The position as a FEN.
    pub fen: String,
    /// The winner, white or black; null for a draw.
    pub winner: Option<ColorName>,
    /// The distance in plies to the next capture, pawn move or mate; null for a draw.
    pub plies: Option<u16>,
}

impl RuleExample {
    pub(super) fn new(&Example { position, outcome }: &Example) -> Self {
        let mover = position.color_to_move();
        let winner = match outcome {
            Outcome::Win(_) => Some(mover),
            Outcome::Loss(_) => Some(!mover),
            Outcome::Draw => None,
        };
        Self {
            fen: position.to_string(),
            winner: winner.map(|color| match color {
                Color::White => ColorName::White,
                Color::Black => ColorName::Black,
            }),
            plies: outcome.plies(),
        }
    }
}

impl std::fmt::Display for RuleExample {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let outcome = match self.winner {
            Some(ColorName::White) => "White wins",
            Some(ColorName::Black) => "Black wins",
            None => "a draw",
        };
        write!(f, "{} ({outcome})", self.fen)
    }
}

/// The fewest conditions found that leave a rule without exceptions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RepairEntry {
    /// The side to move that it adds, white or black; null if it adds none.
    pub turn: Option<ColorName>,
    /// The conditions that it adds, as formulas.
    pub when: Vec<String>,
    /// The positions in which the rule still applies.
    pub applies: u64,
}

impl std::fmt::Display for RepairEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let turn = self.turn.map(|turn| format!("{turn} to move"));
        let parts: Vec<String> = turn.into_iter().chain(self.when.iter().cloned()).collect();
        f.write_str(&parts.join(" and "))
    }
}

/// The positions that were kept from the search for rules, with the record of the rules there.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct HeldOutEntry {
    /// The conditions that hold in them, as formulas.
    pub when: Vec<String>,
    /// Their number.
    pub positions: u64,
    /// Of these, those of which the rules are wrong.
    pub wrong: u64,
}

/// The record of a rule in the positions that were kept from the search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HeldOutRecord {
    /// Those in which it applies, or that it decides.
    pub positions: u64,
    /// Of these, those in which it is wrong.
    pub wrong: u64,
}

impl HeldOutRecord {
    /// A record, if the list holds positions out.
    pub(super) fn new(list: &RuleList, positions: u64, wrong: u64) -> Option<Self> {
        (!list.held_out().is_empty()).then_some(Self { positions, wrong })
    }
}

impl HeldOutEntry {
    /// The record of a list, if it holds positions out.
    pub(super) fn new(list: &RuleList, positions: u64, wrong: u64) -> Option<Self> {
        let HeldOutRecord { positions, wrong } = HeldOutRecord::new(list, positions, wrong)?;
        Some(Self { when: list.formulas(list.held_out()), positions, wrong })
    }

    pub(super) fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { when, positions: number, wrong } = self;
        writeln!(
            out,
            "Held out, {}: wrong in {} of {} ({})",
            when.join(" and "),
            grouped(*wrong),
            positions(*number),
            share(*wrong, *number)
        )
    }
}

pub(super) fn verb(claim: Claim) -> &'static str {
    match claim {
        Claim::Win => "wins",
        Claim::Draw => "does not win",
    }
}

pub(super) fn positions(number: u64) -> String {
    count(number, "position", "positions")
}

pub(super) fn share(part: u64, of: u64) -> String {
    percent(if of == 0 { 0.0 } else { part as f64 / of as f64 })
}
