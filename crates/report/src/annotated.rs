//! Games annotated from tables: the cost of each endgame move, the rule it missed, and the move that a
//! player that advises would have played instead.

use super::Mainline;
use lucena_base::plural::{capital, count};
use lucena_chess::pgn::{GameResult, Note, PgnGame, PgnWriter, TagError, Tags};
use lucena_chess::{Color, HalfmoveClock, Move, Position, Side};
use lucena_explain::{
    ExplainError, KnownRule, LostResult, MoveAssessment, ReasonedMove, assess_game, explain,
    explain_table,
};
use lucena_proof::policy::Policy;
use lucena_tablebase::{MoveVerdicts, Outcome, Tablebase, Verdict, Wdl};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// A player that goes by a model of an endgame, with its name for people and the table of the endgame.
pub struct Adviser<'t> {
    /// The name.
    pub player: String,
    /// The policy.
    pub policy: Box<dyn Policy + 't>,
    /// The table.
    pub tablebase: &'t Tablebase,
}

/// The move a player would have played instead, and where the played move is worse.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Advice {
    /// The player.
    pub player: String,
    /// The move that it plays, in UCI.
    #[serde(rename = "move")]
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The number of the strategy's rule that the played move missed, from 1; null for a tree, a
    /// measure or the table, and if no rule applied.
    pub rule: Option<usize>,
    /// That rule in a sentence.
    pub says: Option<String>,
    /// The reason why the played move is worse, in sentences.
    pub because: String,
}

impl Adviser<'_> {
    /// The move that it, or for the weak side the table, would have played instead of a move. `None` if it would
    /// play the same move or one as good, or does not play this endgame.
    ///
    /// # Errors
    /// If the move is not legal, or the policy goes by no model.
    pub fn advise(&self, position: &Position, mv: Move) -> Result<Option<Advice>, ExplainError> {
        let Self { player, policy, tablebase } = self;
        if position.material() != policy.material() {
            return Ok(None);
        }
        // The advice does not depend on the fifty-move rule.
        let verdicts = tablebase.verdicts(position, HalfmoveClock::ZERO)?;
        if position.turn() == Side::Weak {
            let told = explain_table(tablebase, &verdicts, None, &[mv])?;
            let is_worse = told.instead.iter().any(|played| played.allows.is_some());
            let (player, uci, san) =
                (told.chosen.player, told.chosen.worth.mv.to_string(), told.chosen.worth.san);
            let advice = Advice { player, uci, san, rule: None, says: None, because: told.reason };
            return Ok(is_worse.then_some(advice));
        }
        let told = explain(&**policy, player, tablebase, &verdicts, &[mv])?.reasons(tablebase)?;
        let because = told.instead.into_iter().find_map(|played| played.because);
        let (rule, says) = told.rule.map(|rule| (rule.number, rule.sentence)).unzip();
        let (player, ReasonedMove { uci, san, .. }) = (told.player, told.played);
        Ok(because.map(|because| Advice { player, uci, san, rule, says, because }))
    }
}

/// Annotated games.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AnnotatedGames {
    /// The games, in the order of the file.
    pub games: Vec<AnnotatedGame>,
    /// Games that were left out because they cannot be read as games of chess.
    pub games_left_out: u64,
}

/// A game, and those of its moves that were played with four men or fewer on the board.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AnnotatedGame {
    /// Its number in the file, from 1.
    pub game: u64,
    /// The name of the player with White, from the game's tags.
    pub white: String,
    /// The name of the player with Black, from the game's tags.
    pub black: String,
    /// The result as the game states it: 1-0, 0-1, 1/2-1/2 or *.
    pub result: String,
    /// The number of plies of the game.
    pub plies: usize,
    /// The cost of White's endgame moves.
    pub of_white: SideCost,
    /// The cost of Black's endgame moves.
    pub of_black: SideCost,
    /// The moves of the endgame.
    pub moves: Vec<AnnotatedMove>,
    /// The source game.
    #[serde(skip)]
    made_from: PgnGame,
}

/// The cost of one side's endgame moves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SideCost {
    /// Moves that were judged.
    pub moves: usize,
    /// Moves that were among the best.
    pub best: usize,
    /// Plies lost by the other moves in total, not counting moves that threw a result away.
    pub cost_plies: u64,
    /// The number of wins and draws thrown away.
    pub thrown: usize,
}

/// A move of a game. Distances to mate are in plies from the side to move's point of view: negative
/// if it is mated, null for a draw.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AnnotatedMove {
    /// The move, and what it cost.
    #[serde(flatten)]
    pub judged: MoveAssessment,
    /// The player's own move; null if the played move costs nothing, the player would play it too,
    /// or does not play this endgame.
    pub advice: Option<Advice>,
}

impl AnnotatedGames {
    /// Annotates games, each with its number in the file; `games_left_out` is the number of games there that cannot
    /// be followed. `look` returns the verdicts on a position and its moves, or `None` if there is no table. The first
    /// adviser that plays an endgame is asked about its moves.
    ///
    /// # Errors
    /// Those of `look`.
    pub fn new<E: From<ExplainError>>(
        games: impl IntoIterator<Item = (u64, PgnGame)>,
        games_left_out: u64,
        look: impl Fn(&Position, HalfmoveClock) -> Result<Option<MoveVerdicts>, E>,
        advisers: &[Adviser<'_>],
    ) -> Result<Self, E> {
        let games = games.into_iter().map(|(number, game)| {
            let judged = assess_game(&game.game, &look)?;
            AnnotatedGame::new(number, game, judged, advisers).map_err(E::from)
        });
        Ok(Self { games: games.collect::<Result<_, E>>()?, games_left_out })
    }

    /// The games as PGN: a move that costs something has a glyph, a comment and the best move as a
    /// variation.
    pub fn pgn(&self) -> String {
        self.games.iter().map(AnnotatedGame::pgn).collect()
    }

    /// Writes the report in sentences.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        for (at, game) in self.games.iter().enumerate() {
            if at > 0 {
                writeln!(out)?;
            }
            game.write_text(out)?;
        }
        if self.games_left_out > 0 {
            let left_out = count(self.games_left_out, "game", "games");
            writeln!(out, "\n{left_out} left out")?;
        }
        Ok(())
    }
}

impl AnnotatedGame {
    fn new(
        number: u64,
        game: PgnGame,
        judged: Vec<MoveAssessment>,
        advisers: &[Adviser<'_>],
    ) -> Result<Self, ExplainError> {
        let moves = judged.into_iter().map(|judged| AnnotatedMove::new(judged, advisers));
        let moves: Vec<AnnotatedMove> = moves.collect::<Result<_, _>>()?;
        let side = |color| {
            let mut side = SideCost::default();
            let all = moves.iter().map(|mv| &mv.judged);
            for mv in all.filter(|mv| mv.position.color_to_move() == color) {
                side.moves += 1;
                side.best += usize::from(mv.is_best());
                side.cost_plies += u64::from(mv.cost_plies.unwrap_or(0));
                side.thrown += usize::from(mv.thrown.is_some());
            }
            side
        };
        let tag = |name| game.tags.get(name).unwrap_or("?").to_owned();
        let (white, black) = (tag("White"), tag("Black"));
        let (of_white, of_black) = (side(Color::White), side(Color::Black));
        let plies = game.game.history().len();
        let (result, made_from) = (game.result.to_string(), game);
        Ok(Self { game: number, white, black, result, plies, of_white, of_black, moves, made_from })
    }

    /// The game as PGN.
    fn pgn(&self) -> String {
        let mut game = self.made_from.clone();
        if game.tags.get("Annotator").is_none() {
            let annotator = concat!("lucena ", env!("CARGO_PKG_VERSION"));
            game.tags.set("Annotator", annotator).expect("a name and a text in one line");
        }
        let mut notes = vec![Note::default(); self.plies];
        let mut before = String::new();
        let mut last = None;
        for mv in &self.moves {
            let MoveAssessment { ply, ref position, .. } = mv.judged;
            if last.replace(ply) != Some(ply - 1) {
                // The value of an endgame's first position goes behind the move that led to it.
                let value = mv.judged.verdict_before();
                let rule = KnownRule::of(position, value.category).map(|rule| rule.sentence);
                let worth = remark(value, position.color_to_move());
                let worth = rule.map_or(worth.clone(), |rule| format!("{worth}. {rule}"));
                match ply.checked_sub(2) {
                    Some(last) => notes[last].comment = worth,
                    None => before = worth,
                }
            }
            notes[ply - 1] = mv.note();
        }
        PgnWriter { game: &game, before: &before, notes: &notes }.to_string()
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { game, white, black, result, .. } = self;
        writeln!(out, "Game {game}: {white} - {black}, {result}")?;
        if self.moves.is_empty() {
            return writeln!(out, "  No move was played with four men or fewer.");
        }
        for mv in self.moves.iter().filter(|mv| !mv.judged.is_best()) {
            mv.write_text(out)?;
        }
        for (name, side) in [("White", self.of_white), ("Black", self.of_black)] {
            let SideCost { moves, best, cost_plies, thrown } = side;
            if moves == 0 {
                continue;
            }
            let moves = count(moves as u64, "move", "moves");
            write!(out, "  {name}: {moves} of the endgame, {best} of them best")?;
            if cost_plies > 0 {
                write!(out, "; the others cost {}", count(cost_plies, "ply", "plies"))?;
            }
            if thrown > 0 {
                write!(out, "; {} thrown away", count(thrown as u64, "result", "results"))?;
            }
            writeln!(out, ".")?;
        }
        Ok(())
    }
}

impl AnnotatedMove {
    fn new(judged: MoveAssessment, advisers: &[Adviser<'_>]) -> Result<Self, ExplainError> {
        let asked = advisers.iter().find(|adviser| adviser.policy.material() == judged.material);
        let asked = asked.filter(|_| !judged.is_best());
        let advice =
            asked.map(|adviser| adviser.advise(&judged.position, judged.mv)).transpose()?;
        Ok(Self { judged, advice: advice.flatten() })
    }

    /// The best moves in standard algebraic notation.
    fn best(&self) -> String {
        let MoveAssessment { position, ref best, .. } = self.judged;
        best.iter().flat_map(|&mv| position.san(mv)).collect::<Vec<_>>().join(" ")
    }

    /// The cost of the move in words; `None` if it costs nothing.
    fn cost(&self) -> Option<String> {
        let MoveAssessment { thrown, cost_moves, .. } = self.judged;
        let before = self.judged.verdict_before();
        let after = self.judged.verdict_after().before_move();
        if let Some(thrown) = thrown {
            return Some(match thrown {
                LostResult::WinToDraw => format!("throws the win away ({before}): {after}"),
                LostResult::WinToLoss => format!("throws the win away ({before}), even to a loss"),
                LostResult::DrawToLoss => format!("throws the draw away: {after}"),
            });
        }
        let cost = cost_moves.filter(|&cost| cost > 0)?;
        let moves = count(cost.into(), "move", "moves");
        Some(match before.outcome {
            Outcome::Win(_) => {
                let best = self.judged.position.san(*self.judged.best.first()?).ok()?;
                let (more, late) = (self.judged.after.moves()?, after.category.remark());
                format!("mate in {more} more, {moves} later than after {best}{late}")
            }
            _ => format!("{after}, {moves} sooner than {before}"),
        })
    }

    /// The player's own move and its reason, in a sentence.
    fn advised(&self) -> Option<String> {
        let Advice { player, san, rule, because, .. } = self.advice.as_ref()?;
        let rule = rule.map_or(String::new(), |rule| format!(" by rule {rule}"));
        Some(format!("Instead, {player} plays {san}{rule}. {because}"))
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let MoveAssessment { number, san, material, position, glyph, .. } = &self.judged;
        let dots = if position.color_to_move() == Color::White { "." } else { "..." };
        let mark = match glyph {
            Some(4) => "??",
            Some(2) => "?",
            Some(6) => "?!",
            _ => "",
        };
        let Some(cost) = self.cost() else { return Ok(()) };
        let mv = format!("{number}{dots} {san}{mark}");
        writeln!(out, "  {mv:14} {material}: {cost}. Best: {}", self.best())?;
        let rule = self.judged.known_rule.as_ref().map(|rule| rule.sentence.clone());
        let mut said = rule.into_iter().chain(self.advised());
        said.try_for_each(|said| writeln!(out, "  {:14} {said}", ""))
    }

    /// The annotation of the move in the PGN.
    fn note(&self) -> Note {
        let MoveAssessment { position, glyph, ref best, after_best, .. } = self.judged;
        let turn = position.color_to_move();
        let mut comment = remark(self.judged.verdict_after(), !turn);
        let said = [self.cost().map(|cost| format!("{cost}.")), self.advised()];
        let said: Vec<String> = said.into_iter().flatten().collect();
        if !said.is_empty() {
            // The cost already states the distance after the move.
            let eval =
                comment.find("] ").map_or(String::new(), |end| comment[..end + 2].to_owned());
            comment = format!("{eval}{}", capital(&said.join(" ")));
        } else if self.judged.before == Outcome::Draw && self.judged.after == Outcome::Draw {
            // It need not be said of each move that the game is still drawn.
            comment.truncate(comment.find(']').map_or(0, |end| end + 1));
        }
        if let Some(rule) = &self.judged.known_rule {
            let stop = if comment.ends_with([']', '.']) { " " } else { ". " };
            comment = format!("{comment}{stop}{}", rule.sentence);
        }
        let instead = best.first().filter(|_| !self.judged.is_best());
        let instead = instead.map(|&mv| (vec![mv], remark(after_best, !turn)));
        Note { glyph, comment, instead }
    }
}

impl Mainline {
    /// The line as a game of a PGN file, with the value after each move, for people and as `[%eval]`; `None` if
    /// the outcome of the position that it begins with is unknown.
    pub fn pgn(&self) -> Option<String> {
        let verdict = self.start.standing.verdict()?;
        let turn = self.game.start().turn();
        let before = remark(verdict, turn);
        let notes = self.moves.iter().zip([!turn, turn].into_iter().cycle());
        let notes = notes.map(|(mv, turn)| {
            let after = mv.standing.verdict().expect("the line has moves of known value");
            Note { comment: remark(after, turn), ..Note::default() }
        });
        let notes: Vec<Note> = notes.collect();
        let by_rules = GameResult::by_rules(&self.game);
        let result = if verdict.outcome == Outcome::Draw { GameResult::Draw } else { by_rules };
        let tags = self.tags(verdict, by_rules != GameResult::Unknown);
        let tags = tags.expect("names and figures fit into a line");
        let game = PgnGame::new(tags, self.game.clone(), result);
        Some(PgnWriter { game: &game, before: &before, notes: &notes }.to_string())
    }

    fn tags(&self, verdict: Verdict, is_over: bool) -> Result<Tags, TagError> {
        let start = self.game.start();
        let mut tags = Tags::default();
        tags.set(
            "Event",
            &format!("{}, {:?} to move: {verdict}", self.start.lucena.men(&start), start.turn()),
        )?;
        tags.set("Annotator", concat!("lucena ", env!("CARGO_PKG_VERSION")))?;
        tags.set("PlyCount", &self.moves.len().to_string())?;
        // If moves are left, the draw is adjudicated.
        tags.set("Termination", if is_over { "normal" } else { "adjudication" })?;
        Ok(tags)
    }
}

/// The comment on a position with `turn` to move.
fn remark(verdict: Verdict, turn: Color) -> String {
    let sign = |winner: Color| if winner == Color::White { "" } else { "-" };
    let Verdict { category, outcome } = verdict;
    let moves = outcome.moves().unwrap_or_default();
    let winner = match outcome {
        Outcome::Loss(0) => return verdict.to_string(),
        Outcome::Draw => return "[%eval 0.00] draw".into(),
        Outcome::Win(_) => turn,
        Outcome::Loss(_) => !turn,
    };
    let eval = match category.wdl() {
        Some(Wdl::Draw) => "0.00".into(),
        _ => format!("#{}{moves}", sign(winner)),
    };
    format!("[%eval {eval}] mate in {moves}{}", category.remark())
}
