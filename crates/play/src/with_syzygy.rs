use super::syzygy_moves::RatedMove;
use super::{Choice, Forfeit, Grounds, MoveRequest, Player, SyzygyGrounds, TimeMode};
use lucena_base::progress::{NoObserver, Observer};
use lucena_chess::{Board, Clock, Game, Move};
use lucena_search::{KnownOutcome, OutcomeSource, SearchRequest};
use lucena_syzygy::{Composition, SyzygyError, SyzygyTables, TableKind, Wdl5};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// Another player with Syzygy files. In a position that the files have, they choose the move: the outcome under the
/// fifty-move rule is kept, a win is reached by the shortest distances to zeroing, and a loss is put off by the longest.
/// Where they find several moves equally good, such as all that keep a draw, the other player chooses among these. In
/// other positions it chooses by itself, and its search knows the outcomes that the files have.
///
/// A file that is missing or damaged is reported to the observer once. Without distances, the files leave the moves that
/// keep the outcome; without outcomes, the other player plays on alone.
pub struct WithSyzygy<'a> {
    inner: Box<dyn Player + 'a>,
    tables: &'a SyzygyTables,
    /// The errors that have been reported.
    warnings: BTreeSet<String>,
}

impl<'a> WithSyzygy<'a> {
    /// Creates a player from another player and Syzygy files.
    pub fn new(inner: Box<dyn Player + 'a>, tables: &'a SyzygyTables) -> Self {
        Self { inner, tables, warnings: BTreeSet::new() }
    }

    /// The moves that are allowed, best first; none if the files do not have the position.
    fn rated(&mut self, game: &Game, request: &MoveRequest<'_>) -> Vec<RatedMove> {
        let (tables, observer) = (self.tables, request.search.observer);
        if !tables.has(Composition::from_board(game.board()), TableKind::Wdl) {
            return Vec::new();
        }
        let allows = |mv| request.allows(mv);
        let rated = RatedMove::by_distance(tables, game, allows).or_else(|error| {
            self.tell(&error, observer);
            RatedMove::by_outcome(tables, game, allows)
        });
        rated.unwrap_or_else(|error| {
            self.tell(&error, observer);
            Vec::new()
        })
    }

    /// Chooses the best of the rated moves. If there are several, the other player may choose among them.
    fn choose_among(
        &mut self,
        game: &Game,
        rated: &[RatedMove],
        request: &MoveRequest<'_>,
    ) -> Result<Choice, Forfeit> {
        let Some(first) = rated.first() else { return self.inner.choose_for(game, request) };
        let best = rated.iter().take_while(|other| other.compare(first) == Ordering::Equal);
        let moves: Vec<Move> = best.map(|rated| rated.mv).collect();
        let needs_choice = moves.len() > 1 && !first.is_final();
        let chosen = needs_choice.then(|| {
            let search = SearchRequest { among: Some(&moves), ..request.search };
            self.inner.choose_for(game, &MoveRequest { search, ..*request })
        });
        let chosen = match chosen {
            // A player that does not choose among moves may want another one.
            None | Some(Err(Forfeit::NoMove)) => None,
            Some(chosen) => Some(chosen?),
        };
        let mv = chosen.as_ref().map_or(first.mv, |choice| choice.mv);
        let search = match chosen.map(|choice| choice.grounds) {
            Some(Grounds::Search(found)) => Some(found),
            _ => None,
        };
        let chosen = rated.iter().find(|rated| rated.mv == mv).unwrap_or(first);
        let grounds = SyzygyGrounds {
            category: chosen.category,
            after: chosen.after,
            looked_up: rated.len() as u64,
            tied: moves.len(),
            search,
        };
        Ok(Choice { mv, grounds: Grounds::Syzygy(Box::new(grounds)) })
    }

    /// Reports an error of a file, once. That a side may castle is none.
    fn tell(&mut self, error: &SyzygyError, observer: &dyn Observer) {
        if matches!(error, SyzygyError::Castling) {
            return;
        }
        let words = format!("{error}; it plays without");
        if self.warnings.insert(words.clone()) {
            observer.warn(&words);
        }
    }
}

impl Player for WithSyzygy<'_> {
    fn name(&self) -> String {
        format!("{} with Syzygy files", self.inner.name())
    }

    fn play(&mut self, game: &Game, clock: Option<Clock>) -> Option<Move> {
        let own = |own| TimeMode::Clocks { own, other: own };
        let pace = clock.map_or(TimeMode::Free, own);
        self.choose_for(game, &MoveRequest::at(pace, &NoObserver)).ok().map(|choice| choice.mv)
    }

    fn choose_for(&mut self, game: &Game, request: &MoveRequest<'_>) -> Result<Choice, Forfeit> {
        let rated = self.rated(game, request);
        let outcomes = FileOutcomes { tables: self.tables, error: OnceLock::new() };
        let search = SearchRequest { outcomes: Some(&outcomes), ..request.search };
        let choice = self.choose_among(game, &rated, &MoveRequest { search, ..*request });
        if let Some(error) = outcomes.error.get() {
            self.tell(error, request.search.observer);
        }
        choice
    }

    fn begin_game(&mut self, observer: &dyn Observer) -> Result<(), Forfeit> {
        self.inner.begin_game(observer)
    }
}

/// The outcomes that files have, for a search.
struct FileOutcomes<'a> {
    tables: &'a SyzygyTables,
    /// The first error of a file.
    error: OnceLock<SyzygyError>,
}

impl OutcomeSource for FileOutcomes<'_> {
    fn most_men(&self) -> u32 {
        self.tables.most_men() as u32
    }

    fn outcome(&self, board: &Board) -> Option<KnownOutcome> {
        if !self.tables.has(Composition::from_board(board), TableKind::Wdl) {
            return None;
        }
        match self.tables.probe_wdl(board) {
            Ok(outcome) => Some(match outcome {
                Wdl5::Loss => KnownOutcome::Loss,
                Wdl5::BlessedLoss => KnownOutcome::BlessedLoss,
                Wdl5::Draw => KnownOutcome::Draw,
                Wdl5::CursedWin => KnownOutcome::CursedWin,
                Wdl5::Win => KnownOutcome::Win,
            }),
            Err(SyzygyError::Castling) => None,
            Err(error) => {
                let _ = self.error.set(error);
                None
            }
        }
    }
}
