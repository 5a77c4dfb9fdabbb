//! The report of `probe`, for one position and for many, in the fields of the Lichess tablebase.

use super::lichess_entry::LichessEntry;
use lucena_base::plural::{capital, count, plies as in_plies};
use lucena_chess::{FIFTY_MOVE_PLIES, Game, Material, Move, NoEndgame, Position, Role, Status};
use lucena_tablebase::{Category, Dtz, Lookup, Outcome, Verdict};
use schemars::JsonSchema;
use serde::Serialize;
use std::cmp::Reverse;
use std::io::{self, Write};

/// What tables and the rules know of a position: the object that the Lichess tablebase returns at
/// `/standard`, with the same names, and lucena's own fields in one object beside them.
///
/// Every legal position has a report. If no table covers it, the rules and the tables of the positions after
/// its moves may still decide it; otherwise its category is unknown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProbeReport {
    /// The position's value for the side to move.
    #[serde(flatten)]
    pub standing: LichessEntry,
    /// The legal moves, best first: in the order of Lichess, as far as the distances known here
    /// decide it.
    pub moves: Vec<ProbeMove>,
    /// The fields that Lichess does not have.
    pub lucena: ProbeExtras,
}

/// A legal move, and the value of the position after it for the opponent, who is then to move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProbeMove {
    /// The move.
    #[serde(skip)]
    pub mv: Move,
    /// The move in UCI: `c1c8`.
    pub uci: String,
    /// The move in standard algebraic notation: `Rc8#`.
    pub san: String,
    /// True if a pawn moves or a man is taken.
    pub zeroing: bool,
    /// True if the move leads to another endgame: a man is taken, or a pawn promoted.
    pub conversion: bool,
    /// The value of the position after it.
    #[serde(flatten)]
    pub standing: LichessEntry,
}

/// What tables and the rules know of a position by themselves, without a look at the positions after its moves: the
/// object of [`ProbeReport`] without the moves.
///
/// Where moves would decide it, the value stays unknown. A win may stay a `maybe-win` if its distance to zeroing is
/// rounded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StandingReport {
    /// The position's value for the side to move.
    #[serde(flatten)]
    pub standing: LichessEntry,
    /// The fields that Lichess does not have.
    pub lucena: ProbeExtras,
}

/// lucena's own fields about a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProbeExtras {
    /// The position, as it was given.
    pub fen: String,
    /// The endgame, such as KRvK; null if the position is not one of an endgame.
    pub material: Option<String>,
    /// The outcome of best play in moves: mate in 9, mated in 3, checkmate or draw, and whether mate comes too
    /// late under the fifty-move rule; null if it is unknown.
    pub outcome: Option<String>,
    /// The reason why no table tells the outcome, in a sentence; null if one does, or the rules do.
    pub no_table: Option<String>,
}

impl ProbeReport {
    /// The report on the current position of a game, with its halfmove clock: the fifty-move rule may come
    /// before the mate.
    ///
    /// # Errors
    /// Those of the look-up.
    ///
    /// ```
    /// use lucena_chess::Game;
    /// use lucena_report::ProbeReport;
    /// use lucena_tablebase::{Category, ProbeError, Tablebase};
    ///
    /// let tablebase = Tablebase::solve("KRvK".parse()?);
    /// let tables = |position: &_| tablebase.probe(position).map(Some);
    /// let fen = "8/8/8/8/8/k1K5/8/1R6 w - - 0 1";
    /// let probed = ProbeReport::new(fen.into(), &fen.parse()?, &tables)?;
    /// assert_eq!((probed.standing.category, probed.standing.dtm), (Category::Win, Some(1)));
    /// assert_eq!(probed.moves[0].san, "Ra1#");
    ///
    /// let none = |_: &_| Ok::<_, ProbeError>(None);
    /// let start = ProbeReport::new(String::new(), &Game::new(), &none)?;
    /// assert_eq!((start.standing.category, start.moves.len()), (Category::Unknown, 20));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new<L: Lookup>(fen: String, game: &Game, tables: &L) -> Result<Self, L::Error> {
        let known = KnownPosition::new(game, tables)?;
        let endgame = known.endgame;
        // Positions of endgames list their moves in an order of their own, which decides between equal ones.
        let moves = endgame.map_or_else(|_| game.moves(), |position| position.moves().to_vec());
        let mut next = game.clone();
        let probed = moves.into_iter().map(|mv| ProbeMove::new(&mut next, mv, tables));
        let mut moves: Vec<ProbeMove> = probed.collect::<Result<_, _>>()?;
        moves.sort_by_cached_key(|mv| mv.rank(game));

        let outcome = known.outcome.or_else(|| outcome_of_moves(&moves));
        let category = Category::of_moves(moves.iter().map(|mv| mv.standing.category))
            .unwrap_or_else(|| known.category(outcome, game));
        let StandingReport { standing, lucena } = known.report(fen, game, outcome, category);
        Ok(Self { standing, moves, lucena })
    }

    /// Writes the report in sentences, below a board. `game` is the one that it is about.
    pub fn write_text(&self, game: &Game, out: &mut dyn Write) -> io::Result<()> {
        self.lucena.write_text(&self.standing, game, out)?;
        if !self.moves.is_empty() {
            writeln!(out)?;
        }
        for ProbeMove { san, standing, .. } in &self.moves {
            let note = match standing {
                LichessEntry { stalemate: true, .. } => ", stalemate",
                _ if san.contains('x') => ", takes",
                _ => "",
            };
            writeln!(out, "  {san:6} {}{note}", standing.words_before_move())?;
        }
        Ok(())
    }
}

impl StandingReport {
    /// The report on the current position of a game, with its halfmove clock.
    ///
    /// # Errors
    /// Those of the look-up.
    pub fn new<L: Lookup>(fen: String, game: &Game, tables: &L) -> Result<Self, L::Error> {
        let known = KnownPosition::new(game, tables)?;
        let (outcome, category) = (known.outcome, known.category(known.outcome, game));
        Ok(known.report(fen, game, outcome, category))
    }

    /// Writes the report in sentences, below a board. `game` is the one that it is about.
    pub fn write_text(&self, game: &Game, out: &mut dyn Write) -> io::Result<()> {
        self.lucena.write_text(&self.standing, game, out)
    }
}

impl ProbeExtras {
    fn write_text(
        &self,
        standing: &LichessEntry,
        game: &Game,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let LichessEntry { category, stalemate, .. } = *standing;
        writeln!(out, "{game:#}\n")?;
        write!(out, "{}, {:?} to move: ", self.men(game), game.turn())?;
        match standing.outcome() {
            Some(outcome) => {
                let by = if stalemate { " by stalemate" } else { "" };
                let plies = outcome.plies().map(|plies| format!(" ({})", in_plies(plies.into())));
                let plies = plies.unwrap_or_default();
                writeln!(out, "{outcome}{by}{plies}{}", category.remark())?;
                let verdict = Verdict { category, outcome };
                if let Some(effect) = verdict.fifty_move_sentence(game.halfmove_clock()) {
                    writeln!(out, "{effect}")?;
                }
            }
            None if category == Category::Unknown => writeln!(out, "unknown")?,
            None => writeln!(out, "{}; the distance to mate is unknown", category.noun())?,
        }
        let LichessEntry { dtz, precise_dtz, dtm, checkmate, .. } = *standing;
        // Often the mate comes first.
        if let Some(plies) =
            dtz.filter(|&dtz| dtz != 0 && dtz.abs() != dtm.map_or(0, i32::abs) && !checkmate)
        {
            let or_more = if precise_dtz.is_some() { "" } else { ", or one more" };
            let plies = in_plies(plies.unsigned_abs().into());
            writeln!(out, "The next capture, pawn move or mate comes in {plies}{or_more}.")?;
        }
        if let Some(reason) = &self.no_table {
            writeln!(out, "{reason}")?;
        }
        Ok(())
    }

    /// The endgame of the position, or else the number of men.
    pub(super) fn men(&self, game: &Game) -> String {
        let men = || count(game.board().occupied().len().into(), "man", "men");
        self.material.clone().unwrap_or_else(men)
    }
}

/// What is known of a position without a look at its moves.
struct KnownPosition {
    status: Status,
    endgame: Result<Position, NoEndgame>,
    /// The outcome by the rules alone, or else by the table; `None` if there is none at hand.
    outcome: Option<Outcome>,
    zeroing: Option<Dtz>,
}

impl KnownPosition {
    fn new<L: Lookup>(game: &Game, tables: &L) -> Result<Self, L::Error> {
        let (status, endgame) = (game.status(), game.position());
        let by_rules = match status {
            Status::Checkmate { .. } => Some(Outcome::Loss(0)),
            Status::Stalemate | Status::InsufficientMaterial => Some(Outcome::Draw),
            _ => None,
        };
        let (outcome, zeroing) = match by_rules {
            Some(outcome) => (Some(outcome), Some(outcome.into())),
            None => {
                let position = endgame.as_ref().ok();
                let outcome = position.map(|position| tables.mate(position)).transpose()?.flatten();
                (outcome, tables.zeroing(game.board(), position)?)
            }
        };
        Ok(Self { status, endgame, outcome, zeroing })
    }

    /// The category of the position if it has an outcome.
    fn category(&self, outcome: Option<Outcome>, game: &Game) -> Category {
        let clock = game.halfmove_clock();
        let by_mate = outcome.map_or(Category::Unknown, |outcome| {
            let material = self.endgame.as_ref().ok().map(Position::material);
            Category::new(outcome, material, clock)
        });
        by_mate.or_by_zeroing(self.zeroing, clock)
    }

    /// The report with an outcome and a category, which the moves may have decided.
    fn report(
        &self,
        fen: String,
        game: &Game,
        outcome: Option<Outcome>,
        category: Category,
    ) -> StandingReport {
        let no_table = match (self.outcome, &self.endgame) {
            _ if self.zeroing.is_some() => None,
            (Some(_), _) => None,
            (None, Ok(position)) => Some(missing_table(position.material())),
            (None, Err(reason)) => Some(capital(&format!("{reason}."))),
        };
        let material = self.endgame.as_ref().ok().map(|position| position.material().to_string());
        let outcome_words = outcome.map(|outcome| Verdict { category, outcome }.to_string());
        StandingReport {
            standing: LichessEntry::new(game, self.status, (outcome, self.zeroing), category),
            lucena: ProbeExtras { fen, material, outcome: outcome_words, no_table },
        }
    }

    /// The value, from the outcome that is known.
    fn standing(&self, game: &Game) -> LichessEntry {
        let category = self.category(self.outcome, game);
        LichessEntry::new(game, self.status, (self.outcome, self.zeroing), category)
    }
}

/// The outcome that follows from those after the moves: a mate in one, or the best of them if all are known.
fn outcome_of_moves(moves: &[ProbeMove]) -> Option<Outcome> {
    let outcomes = moves.iter().map(|mv| mv.standing.outcome());
    let best = match moves.iter().any(|mv| mv.standing.checkmate) {
        true => Some(Outcome::Loss(0)),
        false => outcomes.collect::<Option<Vec<_>>>()?.into_iter().min(),
    };
    best.map(Outcome::before_move)
}

/// The reason why an endgame has no available table, in a sentence.
fn missing_table(material: Material) -> String {
    format!(
        "{material} takes long to solve, and it is not among the tables: run lucena solve {material}, and ask again."
    )
}

impl ProbeMove {
    /// Probes a legal move. The game is left as it was.
    fn new<L: Lookup>(game: &mut Game, mv: Move, tables: &L) -> Result<Self, L::Error> {
        let legal = "only legal moves are probed";
        let (uci, san) = (game.uci(mv).expect(legal), game.san(mv).expect(legal));
        let men = game.board().occupied().len();
        game.play(mv).expect(legal);
        let known = KnownPosition::new(game, tables);
        let probed = known.map(|known| Self {
            mv,
            uci,
            san,
            zeroing: game.clock() == 0,
            conversion: mv.promotion.is_some() || game.board().occupied().len() < men,
            standing: known.standing(game),
        });
        game.undo();
        probed
    }

    /// The sort key of the move in Lichess's order: less comes first. Distances that are not known
    /// here are left out.
    fn rank(&self, game: &Game) -> impl Ord + Copy + use<> {
        let LichessEntry {
            category, checkmate, stalemate, insufficient_material, dtz, dtm, ..
        } = self.standing;
        let board = game.board();
        let is_taken = |&role: &Role| board.colored_pieces(!game.turn(), role).has(self.mv.to);
        let taken = Role::ALL.into_iter().find(is_taken);
        // The winner plays such a move early, the loser late; the category is the opponent's.
        let is_late = |does: bool| does == category.is_won();
        (
            category,
            (!checkmate, !stalemate, !insufficient_material),
            (Reverse(dtm.filter(|&dtm| dtm < 0)), dtm.filter(|&dtm| dtm > 0).map(Reverse)),
            (is_late(self.conversion), is_late(self.zeroing), Reverse(dtz)),
            (
                Reverse(taken.map(|role| role as usize)),
                Reverse(self.mv.promotion.map(|role| role as usize)),
            ),
        )
    }
}

/// The extent of a probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbeExtent {
    /// The position and each of its moves.
    Moves,
    /// The position alone.
    Position,
}

/// The answer to a probe, by its extent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ProbeAnswer {
    /// The report with the moves.
    Moves(ProbeReport),
    /// The report on the position alone.
    Position(StandingReport),
}

impl ProbeAnswer {
    /// The answer about the current position of a game.
    ///
    /// # Errors
    /// Those of the look-up.
    pub fn new<L: Lookup>(
        fen: String,
        game: &Game,
        extent: ProbeExtent,
        tables: &L,
    ) -> Result<Self, L::Error> {
        Ok(match extent {
            ProbeExtent::Moves => Self::Moves(ProbeReport::new(fen, game, tables)?),
            ProbeExtent::Position => Self::Position(StandingReport::new(fen, game, tables)?),
        })
    }

    /// Writes the answer in sentences, below a board. `game` is the one that it is about.
    pub fn write_text(&self, game: &Game, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Moves(report) => report.write_text(game, out),
            Self::Position(report) => report.write_text(game, out),
        }
    }
}

/// The line of best play from a position: the quickest mate against the longest defence, within the fifty-move
/// rule where that can be told, and always the first move of the report on the position.
#[derive(Debug, Clone)]
pub struct Mainline {
    /// The report on the position that the line begins with.
    pub start: ProbeReport,
    /// The moves, each with the value of the position after it. There are none in a drawn position, since all
    /// moves that keep the draw are equally good. The line ends early where fifty moves have passed without a
    /// capture or pawn move, or where no table is at hand.
    pub moves: Vec<ProbeMove>,
    /// The game after the line.
    pub game: Game,
}

impl Mainline {
    /// The line from the current position of a game.
    ///
    /// # Errors
    /// Those of the look-up.
    pub fn new<L: Lookup>(mut game: Game, tables: &L) -> Result<Self, L::Error> {
        let start = ProbeReport::new(game.to_string(), &game, tables)?;
        let mut moves = Vec::new();
        let mut best = start.best_move().cloned();
        while let Some(mv) = best.filter(|_| game.clock() < FIFTY_MOVE_PLIES) {
            game.play(mv.mv).expect("only legal moves are probed");
            moves.push(mv);
            best = ProbeReport::new(String::new(), &game, tables)?.best_move().cloned();
        }
        Ok(Self { start, moves, game })
    }
}

impl ProbeReport {
    /// The move of the main line; `None` if the position is drawn or over, or its value or that of its best move
    /// is unknown.
    fn best_move(&self) -> Option<&ProbeMove> {
        let is_won = |standing: &LichessEntry| match standing.outcome() {
            Some(outcome) => outcome != Outcome::Draw,
            None => standing.dtz.is_some_and(|dtz| dtz != 0),
        };
        self.moves.first().filter(|best| is_won(&self.standing) && is_won(&best.standing))
    }
}
