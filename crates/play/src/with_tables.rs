use super::losing_replies::LosingReplies;
use super::{Choice, Forfeit, Grounds, MoveRequest, Player, TableGrounds, TimeMode};
use lucena_base::progress::{Deadline, NoObserver, Observer, Stopped};
use lucena_chess::{Board, Clock, Game, Move, Side};
use lucena_proof::policy::Policy;
use lucena_search::{KnownOutcome, OutcomeSource, SearchRequest};
use lucena_tablebase::{Category, ProbeTables, RatedMove, RatedMoves, Standing, TableLookup, Wdl5};
use std::cmp::Ordering;

/// Another player with tables, which choose the move in a position that they have.
///
/// - In a won position, the quickest mate among the moves that keep the win under the fifty-move rule, or else the shortest
///   distance to zeroing. A third repetition is a draw.
/// - In a lost position, the mate is put off for longest.
/// - In a drawn position, the opponent is taken to be fallible: to play any legal move with the same probability. The
///   move is one that keeps the draw and leaves the greatest share of replies that lose.
///
/// Without distances to mate, the other player chooses among the best of the moves that keep a draw, and without any
/// distances among all that keep the result. In other positions it chooses by itself, and its search knows the results
/// that Syzygy files have.
pub struct WithTables<'a> {
    inner: Box<dyn Player + 'a>,
    tables: &'a ProbeTables<'a>,
    advisers: Vec<&'a dyn Policy>,
    /// True if tables are solved however long it takes.
    is_patient: bool,
}

impl<'a> WithTables<'a> {
    /// Creates a player from another player and tables.
    pub fn new(inner: Box<dyn Player + 'a>, tables: &'a ProbeTables<'a>) -> Self {
        Self { inner, tables, advisers: Vec::new(), is_patient: false }
    }

    /// Lets tables that are not at hand be solved, however long it takes. Without this, it may take a share of the time
    /// control.
    #[must_use]
    pub fn patiently(self) -> Self {
        Self { is_patient: true, ..self }
    }

    /// Sets policies for endgames: where the move of one is among the best moves of a won position, it is played, with its
    /// reason.
    #[must_use]
    pub fn with_advisers(self, advisers: Vec<&'a dyn Policy>) -> Self {
        Self { advisers, ..self }
    }

    /// The move of the first adviser that chooses one of the moves.
    fn advised(&self, game: &Game, among: &[Move]) -> Option<Choice> {
        let position = game.position().ok().filter(|position| position.turn() == Side::Strong)?;
        let material = position.material();
        let mut advisers = self.advisers.iter().filter(|policy| policy.material() == material);
        advisers.find_map(|policy| {
            let mv = policy.choose(&position).filter(|mv| among.contains(mv))?;
            Some(Choice { mv, grounds: policy.grounds(&position).into() })
        })
    }

    /// Chooses the best of the rated moves that are allowed. If there are several, the other player may choose among them.
    fn choose_among(
        &mut self,
        game: &Game,
        rated: &[RatedMove],
        lookup: &TableLookup<'_>,
        request: &MoveRequest<'_>,
    ) -> Result<Choice, Forfeit> {
        let Some(first) = rated.first() else { return self.inner.choose_for(game, request) };
        let observer = request.search.observer;
        let best = match best_moves(game, rated, lookup) {
            // Replies may lead to other endgames, whose tables are not solved in time.
            Err(Stopped::Request) if !observer.is_stopped() => {
                best_moves(game, rated, &self.tables.lookup_at_hand(observer))?
            }
            best => best?,
        };
        let moves: Vec<Move> = best.moves.iter().map(|rated| rated.mv).collect();
        if first.after.category.before_move().is_won()
            && is_decided(first)
            && let Some(choice) = self.advised(game, &moves)
        {
            return Ok(choice);
        }
        let are_decided = best.moves.iter().all(|mv| is_decided(mv));
        let needs_choice = moves.len() > 1 && !are_decided;
        let chosen = needs_choice.then(|| {
            let search = SearchRequest { among: Some(&moves), ..request.search };
            self.inner.choose_for(game, &MoveRequest { search, ..*request })
        });
        let chosen = match chosen {
            // A player that does not choose among moves may want another one.
            None | Some(Err(Forfeit::NoMove)) => None,
            Some(chosen) => Some(chosen?),
        };
        let mv = chosen.as_ref().map_or(moves[0], |choice| choice.mv);
        let search = match chosen.map(|choice| choice.grounds) {
            Some(Grounds::Search(found)) => Some(found),
            _ => None,
        };
        let after = rated.iter().find(|rated| rated.mv == mv).unwrap_or(first).after;
        let looked_up = rated.len() as u64;
        let grounds =
            TableGrounds { after, looked_up, tied: moves.len(), losing: best.losing, search };
        Ok(Choice { mv, grounds: Grounds::Tables(Box::new(grounds)) })
    }
}

/// Rates the moves of a position as [`rate`], by tables that are solved before a deadline, or else by those that are at hand.
/// The look-up that answers comes with the moves.
///
/// # Errors
/// If a table cannot be read, or the observer of the deadline stops the work.
pub fn rate_in_time<'a>(
    game: &Game,
    tables: &'a ProbeTables<'a>,
    deadline: &'a Deadline<'a>,
) -> Result<(Option<RatedMoves>, TableLookup<'a>), Stopped> {
    let solving = tables.decisive_lookup(deadline);
    match rate(game, &solving) {
        Err(Stopped::Request) if !deadline.observer().is_stopped() => {
            let at_hand = tables.lookup_at_hand(deadline.observer());
            Ok((rate(game, &at_hand)?, at_hand))
        }
        rated => Ok((rated?, solving)),
    }
}

/// Rates the moves of a position that tables have; `None` if they do not have it, or not all that its moves lead to. If
/// one of these wins for certain, moves of unknown result are left out.
///
/// # Errors
/// If a table cannot be read, or the work is stopped.
pub fn rate(game: &Game, tables: &TableLookup<'_>) -> Result<Option<RatedMoves>, Stopped> {
    if Standing::new(game, tables)?.category == Category::Unknown {
        return Ok(None);
    }
    let mut rated = RatedMoves::new(game, tables)?;
    let is_known = |rated: &RatedMove| rated.after.category != Category::Unknown;
    if rated.moves.first().is_some_and(|best| best.after.category == Category::Loss) {
        rated.moves.retain(is_known);
    }
    Ok(Some(rated).filter(|rated| rated.moves.iter().all(is_known)))
}

/// Returns true if the tables leave no choice but that between moves which they find equally good: not without distances,
/// where a move may make no progress, or one that keeps a draw may give the other side more to find.
fn is_decided(best: &RatedMove) -> bool {
    let Standing { category, outcome, zeroing, .. } = best.after;
    outcome.is_some() || category != Category::Draw && zeroing.is_some()
}

/// The best moves of a position.
struct BestMoves<'r> {
    moves: Vec<&'r RatedMove>,
    /// Of a drawn position: the share of the replies to each of them that lose.
    losing: Option<LosingReplies>,
}

/// Returns the best of the rated moves, of which there is at least one.
fn best_moves<'r>(
    game: &Game,
    rated: &'r [RatedMove],
    tables: &TableLookup<'_>,
) -> Result<BestMoves<'r>, Stopped> {
    let first = &rated[0];
    if first.after.category != Category::Draw {
        let best = rated.iter().take_while(|other| match is_decided(first) {
            true => other.compare(first) == Ordering::Equal,
            false => other.after.category == first.after.category,
        });
        return Ok(BestMoves { moves: best.collect(), losing: None });
    }
    let drawing = rated.iter().take_while(|other| other.after.category == Category::Draw);
    let replies = drawing.map(|rated| Ok((rated, LosingReplies::new(game, rated.mv, tables)?)));
    let replies: Vec<(&RatedMove, LosingReplies)> = replies.collect::<Result<_, Stopped>>()?;
    let most = replies.iter().map(|&(_, losing)| losing).max_by(|one, other| one.compare(*other));
    let best = replies
        .iter()
        .filter(|(_, losing)| most.is_some_and(|most| losing.compare(most) == Ordering::Equal));
    Ok(BestMoves { moves: best.map(|&(rated, _)| rated).collect(), losing: most })
}

impl Player for WithTables<'_> {
    fn name(&self) -> String {
        format!("{} with tables", self.inner.name())
    }

    fn play(&mut self, game: &Game, clock: Option<Clock>) -> Option<Move> {
        let own = |own| TimeMode::Clocks { own, other: own };
        let pace = clock.map_or(TimeMode::Free, own);
        self.choose_for(game, &MoveRequest::at(pace, &NoObserver)).ok().map(|choice| choice.mv)
    }

    fn choose_for(&mut self, game: &Game, request: &MoveRequest<'_>) -> Result<Choice, Forfeit> {
        let deadline = match self.is_patient {
            true => Deadline::new(request.search.observer, None),
            false => request.deadline_for_tables(),
        };
        let (rated, lookup) = match rate_in_time(game, self.tables, &deadline) {
            Err(Stopped::Unreadable(error)) => {
                deadline.warn(&error.to_string());
                (None, self.tables.lookup_at_hand(&deadline))
            }
            rated => rated?,
        };
        let moves = rated.into_iter().flat_map(|rated| rated.moves);
        let rated: Vec<_> = moves.filter(|rated| request.allows(rated.mv)).collect();
        let outcomes = FileOutcomes { tables: self.tables, observer: request.search.observer };
        let has_files = self.tables.syzygy().is_some();
        let outcomes = has_files.then_some(&outcomes as &dyn OutcomeSource);
        let search = SearchRequest { outcomes, ..request.search };
        self.choose_among(game, &rated, &lookup, &MoveRequest { search, ..*request })
    }

    fn begin_game(&mut self, start: &Game, observer: &dyn Observer) -> Result<(), Forfeit> {
        self.inner.begin_game(start, observer)
    }
}

/// The outcomes that files have, for a search.
struct FileOutcomes<'a> {
    tables: &'a ProbeTables<'a>,
    observer: &'a dyn Observer,
}

impl OutcomeSource for FileOutcomes<'_> {
    fn most_men(&self) -> u32 {
        self.tables.most_syzygy_men() as u32
    }

    fn outcome(&self, board: &Board) -> Option<KnownOutcome> {
        Some(match self.tables.syzygy_result(board, self.observer)? {
            Wdl5::Loss => KnownOutcome::Loss,
            Wdl5::BlessedLoss => KnownOutcome::BlessedLoss,
            Wdl5::Draw => KnownOutcome::Draw,
            Wdl5::CursedWin => KnownOutcome::CursedWin,
            Wdl5::Win => KnownOutcome::Win,
        })
    }
}
