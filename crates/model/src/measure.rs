//! Measures: numbers that the strong side makes smaller, looking ahead.

use super::kind::ModelKind;
use crate::file::{self, ReadModelError, unsound};
use crate::origin::Origin;
use crate::tree::is_identifier;
use serde::{Deserialize, Serialize};

use std::collections::BTreeMap;

/// The greatest number of moves that a measure can look ahead.
pub const MAX_LOOK: u8 = 40;

/// The greatest number of replies within which a loss of a man can be ruled out.
pub const MAX_SECURE: u8 = 3;

/// The greatest amount of a measure's value, positive or negative.
pub const MAX_MEASURE_VALUE: i32 = 1 << 23;

/// A quantity of a position that measures add up: its name, range and meaning.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QuantityColumn {
    /// The name.
    pub name: String,
    /// The least value.
    pub low: u16,
    /// The greatest value.
    pub high: u16,
    /// The meaning in words, without a full stop.
    pub meaning: String,
}

/// The contribution of a quantity to a measure.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Contribution {
    /// The quantity times a weight other than 0.
    Weight(i32),
    /// A number for each value of the quantity, from the least to the greatest.
    Table(Vec<i32>),
}

impl Contribution {
    /// The contribution of a value of a quantity that begins at `low`; the end of a table goes on beyond it.
    #[inline]
    pub fn of(&self, value: u16, low: u16) -> i32 {
        match self {
            Self::Weight(weight) => weight * i32::from(value),
            Self::Table(numbers) => {
                numbers[usize::from(value.saturating_sub(low)).min(numbers.len() - 1)]
            }
        }
    }

    /// The least and the greatest contribution of values from `low` to `high`.
    fn range(&self, low: u16, high: u16) -> (i64, i64) {
        match self {
            Self::Weight(weight) => {
                let ends = [low, high].map(|end| i64::from(*weight) * i64::from(end));
                (ends[0].min(ends[1]), ends[0].max(ends[1]))
            }
            Self::Table(numbers) => {
                let numbers = || numbers.iter().map(|&number| i64::from(number));
                (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0))
            }
        }
    }
}

/// A term of a measure: a quantity and its contribution.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term {
    /// The quantity.
    pub quantity: QuantityColumn,
    /// Its contribution to the sum.
    pub contribution: Contribution,
}

/// The positions at which the strong side may stop looking ahead.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// Each position after one of its moves, beginning with the next move.
    #[default]
    AnyMove,
    /// Each position after one of its moves but the next one, unless that mates. This removes circles in which
    /// every move is as good as the last.
    LaterMove,
}

/// How far a measure looks ahead, and where it may stop.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Horizon {
    /// The number of moves of the strong side to look ahead, after the next one.
    pub look: u8,
    /// Where it may stop looking.
    pub goal: Goal,
    /// The number of replies within which the weak side must not be able to force the gain of a man or a draw by
    /// stalemate at a goal; 0 asks for nothing beyond safe moves.
    pub secure: u8,
}

/// A sum of quantities of the position after a move, which the strong side makes as small as it can within a few
/// moves.
///
/// The strong side plays a safe move after which it can force the least value within [`Horizon::look`] more moves
/// of its own, against every reply; it may stop at any of them. Among equal values the one that is reached sooner is
/// better, mate is better than any value, and a position without a safe move is worse. Moves that are equal in all
/// this are tied: any of them may be played. Which moves are safe is decided by chess code outside this crate.
///
/// ```
/// use lucena_model::{Contribution, Horizon, Measure, Origin, QuantityColumn, Term};
///
/// let horizon = Horizon { look: 3, ..Horizon::default() };
/// let room = QuantityColumn { name: "kRoom".into(), low: 0, high: 63, meaning: "squares".into() };
/// let term = Term { quantity: room, contribution: Contribution::Weight(1) };
/// let measure = Measure::new(Origin::new("KRvK"), horizon, vec![term])?;
/// assert_eq!(measure.sum([21]), 21);
/// assert_eq!(Measure::from_json(measure.to_json().as_bytes())?, measure);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measure {
    origin: Origin,
    horizon: Horizon,
    terms: Vec<Term>,
}

/// The error for terms that do not make a measure.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MeasureError {
    /// There are no terms.
    #[error("the measure has no terms")]
    NoTerms,
    /// A term is wrong.
    #[error("the term {name:?} is wrong: {what}")]
    Term {
        /// The name of its quantity.
        name: String,
        /// The fault.
        what: String,
    },
    /// A look that goes too far ahead.
    #[error("the measure looks {0} moves ahead, the most is {MAX_LOOK}")]
    Look(u8),
    /// A stop only after a later move, without a look at one.
    #[error(
        "the measure stops only after a later move, but looks no move ahead: let it look at least one move ahead, or stop after any move"
    )]
    NoLaterMove,
    /// Losses that are ruled out too far ahead.
    #[error("the measure rules out the loss of a man for {0} replies, the most is {MAX_SECURE}")]
    Insecure(u8),
    /// The values are too large.
    #[error(
        "the values of the measure go from {low} to {high}, but must stay within {MAX_MEASURE_VALUE}: use smaller weights"
    )]
    Range {
        /// The least value.
        low: i64,
        /// The greatest value.
        high: i64,
    },
}

impl Measure {
    /// Makes a measure of a horizon and terms after checking them.
    ///
    /// # Errors
    /// The first fault found.
    pub fn new(origin: Origin, horizon: Horizon, terms: Vec<Term>) -> Result<Self, MeasureError> {
        if terms.is_empty() {
            return Err(MeasureError::NoTerms);
        }
        for (at, term) in terms.iter().enumerate() {
            let is_twice =
                terms[..at].iter().any(|other| other.quantity.name == term.quantity.name);
            if let Some(what) =
                fault(term).or_else(|| is_twice.then(|| "it is listed twice".into()))
            {
                return Err(MeasureError::Term { name: term.quantity.name.clone(), what });
            }
        }
        if horizon.look > MAX_LOOK {
            return Err(MeasureError::Look(horizon.look));
        }
        if horizon.look == 0 && horizon.goal == Goal::LaterMove {
            return Err(MeasureError::NoLaterMove);
        }
        if horizon.secure > MAX_SECURE {
            return Err(MeasureError::Insecure(horizon.secure));
        }
        let measure = Self { origin, horizon, terms };
        let (low, high) = measure.range();
        let most = i64::from(MAX_MEASURE_VALUE);
        if low < -most || high > most {
            return Err(MeasureError::Range { low, high });
        }
        Ok(measure)
    }

    /// Bounds of its values: the sums of the least and of the greatest contributions of its terms.
    pub fn range(&self) -> (i64, i64) {
        let range = |term: &Term| term.contribution.range(term.quantity.low, term.quantity.high);
        let ranges = self.terms.iter().map(range);
        ranges.fold((0, 0), |(low, high), (least, greatest)| (low + least, high + greatest))
    }

    /// The subject and origin of the measure.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// How far it looks ahead, and where it may stop.
    pub fn horizon(&self) -> Horizon {
        self.horizon
    }

    /// The terms, in order.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// The value for the values of its quantities, in the order of the terms.
    #[inline]
    pub fn sum(&self, values: impl IntoIterator<Item = u16>) -> i32 {
        let terms = self.terms.iter().zip(values);
        terms.map(|(term, value)| term.contribution.of(value, term.quantity.low)).sum()
    }

    /// The number of numbers in its terms: 1 for a weight, all entries of a table.
    pub fn numbers(&self) -> usize {
        let numbers = |term: &Term| match &term.contribution {
            Contribution::Weight(_) => 1,
            Contribution::Table(numbers) => numbers.len(),
        };
        self.terms.iter().map(numbers).sum()
    }

    /// The same terms with another horizon.
    ///
    /// # Errors
    /// If it would look too far.
    pub fn with_horizon(&self, horizon: Horizon) -> Result<Self, MeasureError> {
        Self::new(self.origin.clone(), horizon, self.terms.clone())
    }

    /// The measure as JSON.
    pub fn to_json(&self) -> String {
        let Origin { material, maker, parameters, dataset_sha256 } = self.origin.clone();
        let Horizon { look, goal, secure } = self.horizon;
        file::write(&RawMeasure {
            kind: ModelKind::Measure,
            format: ModelKind::Measure.format(),
            material,
            miner: maker,
            parameters,
            dataset_sha256,
            look,
            goal,
            secure,
            terms: self.terms.iter().map(RawTerm::from).collect(),
        })
    }

    /// Parses a measure from JSON.
    ///
    /// # Errors
    /// If it is not a measure, has another format, or is not sound.
    pub fn from_json(json: &[u8]) -> Result<Self, ReadModelError> {
        let RawMeasure {
            material,
            miner: maker,
            parameters,
            dataset_sha256,
            look,
            goal,
            secure,
            terms,
            ..
        } = file::read(ModelKind::Measure, json)?;
        let origin = Origin { material, maker, parameters, dataset_sha256 };
        let terms: Result<_, MeasureError> = terms.into_iter().map(Term::try_from).collect();
        terms
            .and_then(|terms| Self::new(origin, Horizon { look, goal, secure }, terms))
            .map_err(unsound(ModelKind::Measure))
    }

    /// The SHA-256 of the JSON, in hexadecimal.
    pub fn sha256(&self) -> String {
        file::sha256(&self.to_json())
    }
}

/// The fault of a term by itself, if any.
fn fault(term: &Term) -> Option<String> {
    let QuantityColumn { name, low, high, .. } = &term.quantity;
    if !is_identifier(name) {
        return Some("its name is not an identifier".into());
    }
    if low > high {
        return Some("its least value is above its greatest".into());
    }
    match &term.contribution {
        Contribution::Weight(0) => Some("its weight is 0: leave it out".into()),
        Contribution::Weight(_) => None,
        Contribution::Table(numbers) => {
            let wanted = usize::from(high - low) + 1;
            let found = numbers.len();
            (found != wanted).then(|| {
                format!(
                    "its table has {found} numbers instead of {wanted} for the values from {low} to {high}"
                )
            })
        }
    }
}

/// A measure as in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMeasure {
    kind: ModelKind,
    format: u32,
    material: String,
    miner: String,
    parameters: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    dataset_sha256: String,
    look: u8,
    goal: Goal,
    secure: u8,
    terms: Vec<RawTerm>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTerm {
    quantity: String,
    low: u16,
    high: u16,
    meaning: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    weight: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    table: Option<Vec<i32>>,
}

impl From<&Term> for RawTerm {
    fn from(Term { quantity, contribution }: &Term) -> Self {
        let QuantityColumn { name, low, high, meaning } = quantity.clone();
        let (weight, table) = match contribution {
            Contribution::Weight(weight) => (Some(*weight), None),
            Contribution::Table(numbers) => (None, Some(numbers.clone())),
        };
        Self { quantity: name, low, high, meaning, weight, table }
    }
}

impl TryFrom<RawTerm> for Term {
    type Error = MeasureError;

    fn try_from(term: RawTerm) -> Result<Self, MeasureError> {
        let RawTerm { quantity: name, low, high, meaning, weight, table } = term;
        let contribution = match (weight, table) {
            (Some(weight), None) => Contribution::Weight(weight),
            (None, Some(numbers)) => Contribution::Table(numbers),
            _ => {
                let what = "it must have either a weight or a table".into();
                return Err(MeasureError::Term { name, what });
            }
        };
        Ok(Self { quantity: QuantityColumn { name, low, high, meaning }, contribution })
    }
}
