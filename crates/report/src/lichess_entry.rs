//! The value of a position in the fields of the Lichess tablebase.

use lucena_chess::Status;
use lucena_tablebase::{Category, Dtz, Outcome, Plies, Standing, Verdict, Wdl};
use schemars::JsonSchema;
use serde::Serialize;

/// The value of a position, in the names of the Lichess tablebase. Distances are in plies, negative
/// if the side to move loses; 0 is a draw, null is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LichessEntry {
    /// True if the side to move is checkmated.
    pub checkmate: bool,
    /// True if the side to move is stalemated.
    pub stalemate: bool,
    /// Always false: no variants are played.
    pub variant_win: bool,
    /// Always false: no variants are played.
    pub variant_loss: bool,
    /// True if neither side has enough men to mate.
    pub insufficient_material: bool,
    /// Plies to the next capture, pawn move or mate under the fifty-move rule, from a clock of zero; -1 for a
    /// checkmate. It may be one less, if it comes from a Syzygy file that rounds. Beyond 100, where the rule draws
    /// first, it stands for that many plies or 100 fewer.
    pub dtz: Option<i32>,
    /// `dtz`, if it is not rounded.
    pub precise_dtz: Option<i32>,
    /// Plies to mate, negative if the side to move is mated; 0 for a draw, null for a checkmate.
    pub dtm: Option<i32>,
    /// Plies to a win of antichess: always null.
    pub dtw: (),
    /// Moves to the next endgame: always null.
    pub dtc: (),
    /// The result for the side to move.
    pub category: Category,
}

impl LichessEntry {
    pub(super) fn new(standing: &Standing) -> Self {
        let Standing { status, is_insufficient, outcome, category, .. } = *standing;
        let zeroing = standing.dtz();
        let dtm = match outcome {
            Some(Outcome::Draw) => Some(0),
            Some(Outcome::Loss(0)) | None => None,
            Some(decided) => decided.dtm(),
        };
        Self {
            checkmate: standing.is_checkmate(),
            stalemate: status == Status::Stalemate,
            variant_win: false,
            variant_loss: false,
            insufficient_material: is_insufficient,
            dtz: zeroing.map(|dtz| dtz.plies),
            precise_dtz: zeroing.filter(|dtz| dtz.is_exact).map(|dtz| dtz.plies),
            dtm,
            dtw: (),
            dtc: (),
            category,
        }
    }

    /// The outcome for the side to move, apart from the fifty-move rule; `None` if it is unknown.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.dtm {
            None => self.checkmate.then_some(Outcome::Loss(0)),
            Some(0) => Some(Outcome::Draw),
            Some(plies) if plies > 0 => Some(Outcome::Win(plies.unsigned_abs() as Plies)),
            Some(plies) => Some(Outcome::Loss(plies.unsigned_abs() as Plies)),
        }
    }

    /// The distance to zeroing; `None` if it is unknown.
    pub fn zeroing(&self) -> Option<Dtz> {
        self.dtz.map(|plies| Dtz { plies, is_exact: self.precise_dtz.is_some() })
    }

    /// The outcome without its distance, apart from the fifty-move rule; `None` if it is unknown.
    pub fn wdl(&self) -> Option<Wdl> {
        let by_category = || match self.category {
            Category::Unknown => None,
            category if category.is_won() => Some(Wdl::Win),
            Category::Draw => Some(Wdl::Draw),
            _ => Some(Wdl::Loss),
        };
        self.outcome().map(Outcome::wdl).or_else(by_category)
    }

    /// The outcome with the effect of the fifty-move rule; `None` if it is unknown.
    pub fn verdict(&self) -> Option<Verdict> {
        self.outcome().map(|outcome| Verdict { category: self.category, outcome })
    }

    /// The value for the side that made the move to this position, in words: "mate in 9" or "unknown".
    pub fn words_before_move(&self) -> String {
        if let Some(verdict) = self.verdict() {
            return verdict.before_move().to_string();
        }
        match (self.category.before_move(), self.zeroing()) {
            (Category::Unknown, _) => "unknown".into(),
            (category, Some(dtz)) if dtz.plies != 0 => {
                format!("{}; zeroing in {dtz}", category.noun())
            }
            (category, _) => category.noun().into(),
        }
    }
}
