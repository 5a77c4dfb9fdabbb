//! The reasons for a move as one value, whatever the player goes by.

use super::attribute_names::AttributeNames;
use super::error::ExplainError;
use super::move_value::{ChosenMove, ValuedMove};
use crate::diagram::{Diagram, Mark};
use lucena_chess::{Game, IllegalMove, Move, Position};
use lucena_tablebase::{MoveVerdicts, Tablebase};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::io::{self, Write};

/// The reasons for a player's move.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Reasons {
    /// The player's kind: tree, strategy, measure, search, trained or table.
    pub kind: &'static str,
    /// The player.
    pub player: String,
    /// The move that it plays.
    #[serde(rename = "move")]
    pub played: ReasonedMove,
    /// The reason in one sentence; empty if there is none.
    pub reason: String,
    /// What rules without exceptions say, in sentences: of the position, then of what the move reaches.
    pub known_rules: Vec<String>,
    /// A sentence that compares the move with the best one by the table; empty if none is better, or no table was asked.
    pub better: String,
    /// The heading of the steps.
    pub heading: String,
    /// A sentence on the reasons that does not name the move; empty if there is none.
    pub hint: String,
    /// The position after the move.
    pub fen_after: String,
    /// The steps that led to the move, in order.
    pub steps: Vec<ReasonStep>,
    /// A sentence on the rules of a strategy that no safe move fulfils; null if there are none.
    pub passed_rules: Option<String>,
    /// Those rules, in order.
    pub passed: Vec<String>,
    /// The player's conclusion.
    pub verdict: String,
    /// Moves that the player considers equally good, in UCI.
    pub tied: Vec<String>,
    /// Highlights: the move, and what all steps are about.
    pub marks: Vec<Mark>,
    /// A sentence on all other moves.
    pub others: String,
    /// Sentences on what a measure forces by the other moves, the best first; empty for other players.
    pub forced: Vec<String>,
    /// The meaning of grades; null if there are none.
    pub legend: Option<&'static str>,
    /// The moves to compare with it, in the order of the query.
    pub instead: Vec<Alternative>,
    /// The player with its size: "theory, 20 leaves".
    #[serde(skip)]
    pub source: String,
    /// The board before the move and its value, in lines; empty if they are not known.
    #[serde(skip)]
    pub standing: String,
    /// The rule of a strategy that was used; `None` if none was.
    #[serde(skip)]
    pub rule: Option<ReasonRule>,
    /// What researchers may want to know beyond the steps, in sentences.
    #[serde(skip)]
    pub notes: Vec<String>,
    /// The board after the move with what the steps are about; `None` where the player knows nothing of squares.
    #[serde(skip)]
    pub diagram: Option<Diagram>,
}

/// A rule of a strategy.
#[derive(Debug, Clone)]
pub struct ReasonRule {
    /// Its number, from 1.
    pub number: usize,
    /// The rule in a sentence.
    pub sentence: String,
}

/// A move and its outcome.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct ReasonedMove {
    /// The move in UCI.
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The outcome in words.
    pub says: String,
}

/// A step on the way to the move.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ReasonStep {
    /// The step in a sentence.
    pub sentence: String,
    /// The step in figures.
    pub figures: String,
    /// The squares that it is about.
    pub marks: Vec<Mark>,
}

/// A move compared with the one that is played.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Alternative {
    /// The move.
    #[serde(flatten)]
    pub played: ReasonedMove,
    /// The cost of the move, in a sentence.
    pub verdict: String,
    /// The reason why the player prefers its move, in one line; `None` if it does not.
    #[serde(skip)]
    pub because: Option<String>,
    /// The test that separates the two moves, in sentences; null if none does.
    #[serde(serialize_with = "as_sentences")]
    #[schemars(with = "Option<String>")]
    pub parts: Vec<ReasonStep>,
    /// The move, and the squares that the test is about.
    pub marks: Vec<Mark>,
    /// The best reply; null if there is none.
    pub reply: Option<PlayedMove>,
    /// The position after the move.
    pub fen_after: String,
}

/// A move that was played.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PlayedMove {
    /// The move in UCI.
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The position after it.
    pub fen: String,
}

/// Writes sentences below one another; null if there are none.
fn as_sentences<S: Serializer>(steps: &[ReasonStep], serializer: S) -> Result<S::Ok, S::Error> {
    let sentences: Vec<&str> = steps.iter().map(|step| step.sentence.as_str()).collect();
    (!sentences.is_empty()).then(|| sentences.join("\n")).serialize(serializer)
}

impl ReasonStep {
    /// A sentence without figures or squares.
    pub(super) fn sentence(sentence: impl Into<String>) -> Self {
        Self { sentence: sentence.into(), figures: String::new(), marks: Vec::new() }
    }

    fn write(&self, names: AttributeNames, indent: usize, out: &mut dyn Write) -> io::Result<()> {
        let text = names.behind(&self.sentence, &self.figures);
        writeln!(out, "{:indent$}{text}", "")
    }
}

impl Reasons {
    /// The reason in one line, for notes beside a move: the player and why it plays it.
    pub fn line(&self) -> String {
        format!("{}: {}", self.player, self.reason)
    }

    /// Writes the reasons as text, below the board.
    pub fn write_text(&self, names: AttributeNames, out: &mut dyn Write) -> io::Result<()> {
        let ReasonedMove { uci, san, says } = &self.played;
        write!(out, "{}", self.standing)?;
        if !self.better.is_empty() {
            writeln!(out, "{}", self.better)?;
        }
        writeln!(out, "{san} ({uci}): {says}\n{}", self.reason)?;
        self.known_rules.iter().try_for_each(|rule| writeln!(out, "{rule}"))?;
        writeln!(out, "\nHow it was chosen ({}):", self.source)?;
        self.write_choice(names, out)?;
        if !self.others.is_empty() {
            writeln!(out, "\n{}", self.others)?;
        }
        for other in &self.instead {
            writeln!(out, "\n{}", other.verdict)?;
            other.parts.iter().try_for_each(|part| part.write(names, 2, out))?;
        }
        Ok(())
    }

    fn write_choice(&self, names: AttributeNames, out: &mut dyn Write) -> io::Result<()> {
        let before = self.passed_rules.iter().chain([&self.heading]);
        before.filter(|line| !line.is_empty()).try_for_each(|line| writeln!(out, "  {line}"))?;
        self.steps.iter().try_for_each(|step| step.write(names, 4, out))?;
        let legend = self.legend.map(str::to_owned);
        let after = [&self.verdict].into_iter().chain(&self.forced).chain(&legend);
        let mut after = after.chain(&self.notes).filter(|line| !line.is_empty());
        after.try_for_each(|line| writeln!(out, "  {line}"))
    }

    /// The reasons for a move, without the steps and the other moves.
    pub(super) fn new(
        kind: &'static str,
        chosen: &ChosenMove,
        heading: String,
        verdict: String,
        after: Diagram,
    ) -> Self {
        let arrow = Mark::arrow(chosen.worth.mv, &chosen.worth.san);
        Self {
            kind,
            player: chosen.player.clone(),
            played: ReasonedMove::new(&chosen.worth),
            heading,
            fen_after: after.position.to_string(),
            verdict,
            marks: [arrow].into_iter().chain(Mark::all(&after.highlights)).collect(),
            others: chosen.others_line(),
            known_rules: chosen.rule_sentences(),
            standing: chosen.standing(),
            diagram: Some(after),
            ..Self::default()
        }
    }
}

impl ReasonedMove {
    fn new(worth: &ValuedMove) -> Self {
        Self { uci: worth.mv.to_string(), san: worth.san.clone(), says: worth.in_words() }
    }

    /// A move with its value by the table.
    pub(super) fn by_table(verdicts: &MoveVerdicts, mv: Move) -> Result<Self, ExplainError> {
        let after = verdicts.after(mv);
        let says = after.map(|after| after.before_move().to_string()).unwrap_or_default();
        Ok(Self { uci: mv.to_string(), san: verdicts.position().san(mv)?, says })
    }
}

impl Alternative {
    /// A move compared with the chosen one by the table alone: the player's own reasons are left out.
    pub(super) fn new(
        chosen: &ChosenMove,
        worth: &ValuedMove,
        tablebase: &Tablebase,
    ) -> Result<Self, ExplainError> {
        Ok(Self {
            played: ReasonedMove::new(worth),
            verdict: worth.compared_with(&chosen.worth),
            because: None,
            parts: Vec::new(),
            marks: Vec::new(),
            reply: PlayedMove::best_reply(&worth.after, tablebase)?,
            fen_after: worth.after.to_string(),
        })
    }

    /// Moves to compare with a player's, by the table alone.
    ///
    /// # Errors
    /// If a move is not legal, or the table is of another endgame.
    pub fn by_table(
        tablebase: &Tablebase,
        verdicts: &MoveVerdicts,
        moves: &[Move],
    ) -> Result<Vec<Self>, ExplainError> {
        let alternative = |&mv: &Move| {
            let played = ReasonedMove::by_table(verdicts, mv)?;
            let after = verdicts.position().play(mv)?;
            Ok(Self {
                marks: vec![Mark::arrow(mv, &played.san)],
                verdict: format!("{} instead: {}.", played.san, played.says),
                played,
                because: None,
                parts: Vec::new(),
                reply: PlayedMove::best_reply(&after, tablebase)?,
                fen_after: after.to_string(),
            })
        };
        moves.iter().map(alternative).collect()
    }
}

impl PlayedMove {
    /// Plays a move and describes it.
    ///
    /// # Errors
    /// If the move is not legal.
    pub fn play(game: &mut Game, mv: Move) -> Result<Self, IllegalMove> {
        let (uci, san) = (game.uci(mv)?, game.san(mv)?);
        game.play(mv)?;
        Ok(Self { uci, san, fen: game.to_string() })
    }

    /// The best reply in a position; `None` if there is none.
    fn best_reply(after: &Position, tablebase: &Tablebase) -> Result<Option<Self>, ExplainError> {
        let moves = tablebase.probe_moves(after)?;
        let Some(&(mv, reached, _)) = moves.first() else { return Ok(None) };
        Ok(Some(Self { uci: mv.to_string(), san: after.san(mv)?, fen: reached.to_string() }))
    }
}
