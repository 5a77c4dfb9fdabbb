//! The report of `probe`, for one position and for many, in the fields of the Lichess tablebase.

use super::lichess_entry::LichessEntry;
use lucena_base::plural::{capital, count, plies as in_plies};
use lucena_chess::{FIFTY_MOVE_PLIES, Game, Material, Move};
use lucena_tablebase::{Category, Dtz, Lookup, RatedMove, RatedMoves, Standing, Verdict};
use schemars::JsonSchema;
use serde::Serialize;
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
        Ok(Self::from_rated(fen, game, &RatedMoves::new(game, tables)?, tables))
    }

    fn from_rated<L: Lookup>(fen: String, game: &Game, rated: &RatedMoves, tables: &L) -> Self {
        Self {
            standing: LichessEntry::new(&rated.before),
            moves: rated.moves.iter().map(|mv| ProbeMove::new(game, mv)).collect(),
            lucena: ProbeExtras::new(fen, game, (&rated.before, &rated.alone), tables),
        }
    }

    /// Writes the report in sentences, below a board. `game` is the one that it is about.
    pub fn write_text(&self, game: &Game, out: &mut dyn Write) -> io::Result<()> {
        self.lucena.write_text(&self.standing, self.zeroing(), game, out)?;
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
        let standing = Standing::new(game, tables)?;
        let lucena = ProbeExtras::new(fen, game, (&standing, &standing), tables);
        Ok(Self { standing: LichessEntry::new(&standing), lucena })
    }

    /// Writes the report in sentences, below a board. `game` is the one that it is about.
    pub fn write_text(&self, game: &Game, out: &mut dyn Write) -> io::Result<()> {
        self.lucena.write_text(&self.standing, self.standing.zeroing(), game, out)
    }
}

impl ProbeExtras {
    /// The fields for a position, given what is known of it with and without its moves.
    pub(super) fn new<L: Lookup>(
        fen: String,
        game: &Game,
        (before, alone): (&Standing, &Standing),
        tables: &L,
    ) -> Self {
        let endgame = game.position();
        let is_known = alone.outcome.is_some() || !matches!(alone.category, Category::Unknown);
        let no_table = (!is_known).then(|| match (tables.failure(game.board()), &endgame) {
            (Some(failure), _) => capital(&format!("{failure}.")),
            (None, Ok(position)) => missing_table(position.material()),
            (None, Err(reason)) => capital(&format!("{reason}.")),
        });
        let category = before.category;
        let outcome = before.outcome.map(|outcome| Verdict { category, outcome }.to_string());
        let material = endgame.ok().map(|position| position.material().to_string());
        Self { fen, material, outcome, no_table }
    }

    fn write_text(
        &self,
        standing: &LichessEntry,
        zeroing: Option<Dtz>,
        game: &Game,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let LichessEntry { category, stalemate, checkmate, dtm, .. } = *standing;
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
        // Often the mate comes first.
        let is_of_mate = |dtz: Dtz| Some(dtz.plies) == dtm && !dtz.may_be_100_fewer();
        if let Some(dtz) = zeroing.filter(|&dtz| dtz.plies != 0 && !is_of_mate(dtz) && !checkmate) {
            let why = match dtz.may_be_100_fewer() {
                true => ": where the fifty-move rule draws first, the distance does not tell which",
                false => "",
            };
            writeln!(out, "The next capture, pawn move or mate comes in {dtz}{why}.")?;
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

/// The reason why an endgame has no available table, in a sentence.
fn missing_table(material: Material) -> String {
    format!(
        "{material} takes long to solve, and it is not among the tables: run lucena solve {material}, and ask again."
    )
}

impl ProbeMove {
    /// The report on a rated move of a game.
    fn new(game: &Game, rated: &RatedMove) -> Self {
        let legal = "only legal moves are rated";
        Self {
            mv: rated.mv,
            uci: game.uci(rated.mv).expect(legal),
            san: game.san(rated.mv).expect(legal),
            zeroing: rated.is_zeroing,
            conversion: rated.is_conversion,
            standing: LichessEntry::new(&rated.after),
        }
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
        let mut rated = RatedMoves::new(&game, tables)?;
        let start = ProbeReport::from_rated(game.to_string(), &game, &rated, tables);
        let mut moves = Vec::new();
        while let Some(best) = rated.best().filter(|_| game.clock() < FIFTY_MOVE_PLIES) {
            moves.push(ProbeMove::new(&game, best));
            game.play(best.mv).expect("only legal moves are rated");
            rated = RatedMoves::new(&game, tables)?;
        }
        Ok(Self { start, moves, game })
    }
}

impl ProbeReport {
    /// The distance to zeroing of the position. Beyond 100 plies its moves may tell what its number leaves open.
    fn zeroing(&self) -> Option<Dtz> {
        let dtz = self.standing.zeroing()?;
        // A capture or pawn move into a win that comes too late is one ply, and counts as 101.
        let is_kept = |mv: &ProbeMove| mv.standing.dtz.is_some_and(|after| after < 0);
        let is_played = match dtz.plies {
            101 => self.moves.iter().any(|mv| mv.zeroing && is_kept(mv)),
            -101 => dtz.is_exact && self.moves.iter().all(|mv| mv.zeroing),
            _ => false,
        };
        Some(if is_played { Dtz { plies: dtz.plies.signum(), is_exact: true } } else { dtz })
    }
}
