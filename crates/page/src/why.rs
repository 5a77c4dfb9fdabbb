//! The reasons for a player's move, step by step, and the cost of other moves.

use super::game::PlayedMove;
use super::position::parse;
use super::query::list;
use super::{ApiError, PageState, Result};
use lucena_base::plural::{capital, count, moves, number, plies};
use lucena_chess::{Game, Material, Move, Position};
use lucena_explain::diagram::{Diagram, Mark};
use lucena_explain::{
    AttributeNames, ChosenMove, Explanation, MeasureExplanation, StrategyExplanation, TermFinding,
    ValuedMove, explain, explain_measure, explain_strategy,
};
use lucena_play::SearchPlayer;
use lucena_proof::policy::TreePolicy;
use lucena_report as report;
use lucena_roster::PlayerName;
use lucena_tablebase::{MoveVerdicts, Outcome, Tablebase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A position, a player, and the moves to compare with its move.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct WhyQuery {
    /// The position as a FEN.
    fen: String,
    /// The player.
    player: String,
    /// Other moves in UCI, separated by commas.
    instead: Option<String>,
}

/// The reasons for a player's move.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct WhyResponse {
    /// The player's kind: tree, strategy, measure, search, trained or table.
    kind: &'static str,
    /// The player.
    player: String,
    /// The move that it plays.
    #[serde(rename = "move")]
    played: WhyMoveView,
    /// The reason in one sentence; empty if there is none.
    reason: String,
    /// The heading of the steps.
    heading: String,
    /// A sentence on the reasons that does not name the move; empty if there is none.
    hint: String,
    /// The position after the move.
    fen_after: String,
    /// The steps that led to the move, in order.
    steps: Vec<WhyStepView>,
    /// A sentence on the rules of a strategy that no safe move fulfils; null if there are none.
    passed_rules: Option<String>,
    /// Those rules, in order.
    passed: Vec<String>,
    /// The player's conclusion.
    verdict: String,
    /// Moves that the player considers equally good, in UCI.
    tied: Vec<String>,
    /// Highlights: the move, and what all steps are about.
    marks: Vec<Mark>,
    /// A sentence on all other moves.
    others: String,
    /// Sentences on what a measure forces by the other moves, the best first; empty for other players.
    forced: Vec<String>,
    /// The meaning of grades; null if there are none.
    legend: Option<&'static str>,
    /// The moves of the query's `instead`.
    instead: Vec<AlternativeView>,
}

/// A move and its outcome.
#[derive(Debug, Default, Serialize, JsonSchema)]
struct WhyMoveView {
    /// The move in UCI.
    uci: String,
    /// The move in standard algebraic notation.
    san: String,
    /// The outcome in words.
    says: String,
}

/// A step on the way to the move.
#[derive(Debug, Serialize, JsonSchema)]
struct WhyStepView {
    /// The step in a sentence.
    sentence: String,
    /// The step in figures.
    figures: String,
    /// The squares that it is about.
    marks: Vec<Mark>,
}

/// A move compared with the one that is played.
#[derive(Debug, Serialize, JsonSchema)]
struct AlternativeView {
    /// The move.
    #[serde(flatten)]
    played: WhyMoveView,
    /// The cost of the move, in a sentence.
    verdict: String,
    /// The test that separates the two moves, in sentences; null if none does.
    parts: Option<String>,
    /// The move, and the squares that the test is about.
    marks: Vec<Mark>,
    /// The best reply; null if there is none.
    reply: Option<PlayedMove>,
    /// The position after the move.
    fen_after: String,
}

pub(super) fn why(state: &PageState, query: WhyQuery) -> Result<WhyResponse> {
    let (position, game) = parse(&query.fen)?;
    let player = state.player(&query.player)?;
    let material = position.material();
    let instead = list(query.instead.as_deref()).map(|text| position.parse_move(text));
    let instead: Vec<Move> = instead.collect::<Result<_, _>>()?;
    let tablebase = state.tablebase(material)?;
    let verdicts = state.verdicts(&tablebase, &game, &position)?;
    let name = query.player.clone();
    if let Some(policy) = player.strategy(material)? {
        let told = explain_strategy(&policy, &name, &tablebase, &verdicts, &instead)?;
        return of_strategy(&told, &tablebase);
    }
    if let Some(policy) = player.measure(material)? {
        let told = explain_measure(&policy, &name, &tablebase, &verdicts, &instead)?;
        return of_measure(&told, &tablebase);
    }
    if let Some(tree) = state.tree(&player, material)? {
        let policy = TreePolicy::new(Arc::unwrap_or_clone(tree), &tablebase)?;
        return of_tree(&explain(&policy, &name, &verdicts, &instead)?, &tablebase);
    }
    let of_its_own = |trained: Material| match trained == material {
        true => state.tablebase(material),
        false => Err(ApiError::BadRequest(format!(
            "the player was trained for {trained}, not for {material}: choose another player"
        ))),
    };
    if let Some(predictions) = player.predictions(&game, of_its_own)? {
        let told = of_trained(&report::explain_trained(name, &predictions, &game), &game)?;
        let instead = alternatives(&tablebase, &verdicts, &instead)?;
        return Ok(WhyResponse { instead, ..told });
    }
    match player.name() {
        PlayerName::Tablebase => of_table(&tablebase, &verdicts, &instead),
        PlayerName::Search(search) => {
            let evaluation = search.evaluation.load().map_err(ApiError::nonsense)?;
            let mut player =
                SearchPlayer::new(super::bounded(search.params), Arc::clone(&evaluation));
            let told = report::explain_search(&mut player, &*evaluation, &game);
            let instead = alternatives(&tablebase, &verdicts, &instead)?;
            Ok(WhyResponse { instead, ..of_search(&told, name, &game)? })
        }
        other => Err(ApiError::BadRequest(format!(
            "{other} gives no reasons: choose theory, exact, strategy, measure, tablebase, a search or a trained player"
        ))),
    }
}

impl WhyMoveView {
    fn of(worth: &ValuedMove) -> Self {
        Self { uci: worth.mv.to_string(), san: worth.san.clone(), says: worth.in_words() }
    }
}

fn of_tree(told: &Explanation, tablebase: &Tablebase) -> Result<WhyResponse> {
    let steps = told.path.iter().zip(told.highlights());
    let steps = steps.map(|(step, squares)| WhyStepView {
        sentence: capital(&format!("{}.", step.sentence)),
        figures: step.test.clone(),
        marks: Mark::all(&squares),
    });
    let chosen = &told.chosen;
    let instead = told.instead.iter().map(|other| {
        let (worth, marks) = (&other.candidate.worth, Mark::all(&other.highlights()));
        AlternativeView::new(
            chosen,
            worth,
            told.differences(other, AttributeNames::Hidden).join("\n"),
            marks,
            tablebase,
        )
    });
    let heading = format!("What the tree sees after {}:", chosen.worth.san);
    let steps: Vec<WhyStepView> = steps.collect();
    let first = steps.first().map(|step| &*step.sentence);
    Ok(WhyResponse {
        hint: first.map_or_else(String::new, |first| format!("After the move: {first}")),
        reason: told.reason.clone(),
        steps,
        legend: told.legend(),
        instead: instead.collect::<Result<_, _>>()?,
        ..WhyResponse::new("tree", chosen, heading, told.verdict(), &told.diagram())
    })
}

impl WhyResponse {
    /// The reasons for a move, without the steps and the other moves.
    fn new(
        kind: &'static str,
        chosen: &ChosenMove,
        heading: String,
        verdict: String,
        after: &Diagram,
    ) -> Self {
        let arrow = Mark::arrow(chosen.worth.mv, &chosen.worth.san);
        Self {
            kind,
            player: chosen.player.clone(),
            played: WhyMoveView::of(&chosen.worth),
            heading,
            fen_after: after.position.to_string(),
            verdict,
            marks: [arrow].into_iter().chain(Mark::all(&after.highlights)).collect(),
            others: chosen.others_line(),
            ..Self::default()
        }
    }
}

fn of_strategy(told: &StrategyExplanation, tablebase: &Tablebase) -> Result<WhyResponse> {
    let chosen = &told.chosen;
    let passed = told.passed.iter().map(|passed| {
        let guard = capital(&passed.guard);
        format!("Rule {}. {guard}.", passed.rule)
    });
    let keys = told.keys.iter().filter(|key| key.among > 1).map(|key| {
        let (wants, sentence) = (capital(&key.wants), capital(&key.sentence));
        WhyStepView {
            sentence: format!("{wants}: {}. {sentence}.", key.effect()),
            figures: format!("{} = {}", key.attribute.name(), key.value),
            marks: Mark::all(&key.highlights(&chosen.worth.after)),
        }
    });
    let heading = match (told.rule, told.safe, told.fulfil) {
        (Some(rule), Some(safe), Some(fulfil)) => {
            match (fulfil, count(safe as u64, "safe move", "safe moves")) {
                (1, safe) => format!("Rule {rule} is used. One of {safe} fulfils it."),
                (fulfil, moves) if fulfil == safe => {
                    format!("Rule {rule} is used. It compares {moves}.")
                }
                (fulfil, moves) => {
                    format!("Rule {rule} is used. It compares {} of {moves}.", number(fulfil))
                }
            }
        }
        _ => told.without_rule().unwrap_or_default(),
    };
    let instead = told.instead.iter().map(|other| {
        let mut parts = other.because.clone();
        if let Some(key) = &other.key {
            parts += &format!(
                "\nAfter {}, {}. After {}, {}.",
                chosen.worth.san, key.sentence, other.worth.san, key.sentence_instead
            );
        }
        let marks = Mark::all(&other.highlights());
        AlternativeView::new(chosen, &other.worth, parts, marks, tablebase)
    });
    let verdict = match told.tied.len() {
        0 | 1 => format!("{} is played.", chosen.worth.san),
        tied => format!(
            "{} moves are tied, and any of them may be played. {} comes first in the order of moves.",
            capital(&number(tied)),
            chosen.worth.san
        ),
    };
    let steps: Vec<WhyStepView> = keys.collect();
    let first = steps.first().map(|step| &*step.sentence);
    let hint = [heading.as_str()].into_iter().chain(first).collect::<Vec<_>>().join(" ");
    Ok(WhyResponse {
        reason: told.reason.clone(),
        hint,
        passed_rules: told.passed_rules(),
        passed: passed.collect(),
        steps,
        tied: told.tied.iter().map(ToString::to_string).collect(),
        instead: instead.collect::<Result<_, _>>()?,
        ..WhyResponse::new("strategy", chosen, heading, verdict, &told.diagram())
    })
}

impl AlternativeView {
    fn new(
        chosen: &ChosenMove,
        worth: &ValuedMove,
        parts: String,
        marks: Vec<Mark>,
        tablebase: &Tablebase,
    ) -> Result<Self> {
        Ok(Self {
            played: WhyMoveView::of(worth),
            verdict: worth.compared_with(&chosen.worth),
            parts: (!parts.is_empty()).then_some(parts),
            marks,
            reply: best_reply(&worth.after, tablebase)?,
            fen_after: worth.after.to_string(),
        })
    }
}

/// The best reply; `None` if there is none.
fn best_reply(after: &Position, tablebase: &Tablebase) -> Result<Option<PlayedMove>> {
    let moves = tablebase.probe_moves(after)?;
    let Some(&(mv, reached, _)) = moves.first() else { return Ok(None) };
    Ok(Some(PlayedMove { uci: mv.to_string(), san: after.san(mv)?, fen: reached.to_string() }))
}

/// A move with its value by the table.
fn move_view(verdicts: &MoveVerdicts, mv: Move) -> Result<WhyMoveView> {
    let says = verdicts.after(mv).map(|after| after.before_move().to_string()).unwrap_or_default();
    Ok(WhyMoveView { uci: mv.to_string(), san: verdicts.position().san(mv)?, says })
}

/// Moves to compare with a player's, by the table.
fn alternatives(
    tablebase: &Tablebase,
    verdicts: &MoveVerdicts,
    instead: &[Move],
) -> Result<Vec<AlternativeView>> {
    let alternative = |&mv: &Move| {
        let (played, after) = (move_view(verdicts, mv)?, verdicts.position().play(mv)?);
        let verdict = format!("{} instead: {}.", played.san, played.says);
        Ok(AlternativeView {
            marks: vec![Mark::arrow(mv, &played.san)],
            played,
            verdict,
            parts: None,
            reply: best_reply(&after, tablebase)?,
            fen_after: after.to_string(),
        })
    };
    instead.iter().map(alternative).collect()
}

/// The reasons of the tablebase: distances.
fn of_table(
    tablebase: &Tablebase,
    verdicts: &MoveVerdicts,
    instead: &[Move],
) -> Result<WhyResponse> {
    let moves = verdicts.moves();
    let Some((&(played, after_played, quickest), &(best, _, after_best))) =
        moves.first().zip(verdicts.best())
    else {
        return Err(ApiError::nonsense("there is no move: the game is over"));
    };
    // The player looks at the distance to mate alone.
    let is_best = quickest.category == after_best.category;
    let as_good: Vec<Move> =
        moves.iter().filter(|(.., after)| *after == quickest).map(|&(mv, ..)| mv).collect();
    let san = verdicts.position().san(best)?;
    let played = move_view(verdicts, played)?;
    Ok(WhyResponse {
        kind: "table",
        player: "tablebase".into(),
        reason: match as_good.len() {
            _ if !is_best => {
                let what = match quickest.outcome {
                    Outcome::Loss(_) => "leads to the quickest mate",
                    _ => "puts off the mate for longest",
                };
                format!("{} {what}, but {san} is better under the fifty-move rule.", played.san)
            }
            _ if moves.len() == 1 => format!("{} is the only move.", played.san),
            1 => format!("No other move is as good as {}.", played.san),
            _ => format!("No move is better than {}.", played.san),
        },
        heading: "The table knows the outcome of every move.".into(),
        hint: format!("The move: {}.", played.says),
        fen_after: after_played.to_string(),
        verdict: format!("{}: {}.", played.san, played.says),
        marks: vec![Mark::arrow(moves[0].0, &played.san)],
        others: match (as_good.len() - 1, moves.len() - 1) {
            (_, 0) => String::new(),
            (1, others) => format!("One of {others} other moves is as good."),
            (good, others) => format!("{} of {others} other moves are as good.", number(good)),
        },
        tied: as_good.iter().map(ToString::to_string).collect(),
        instead: alternatives(tablebase, verdicts, instead)?,
        played,
        ..WhyResponse::default()
    })
}

/// The reasons of a measure: the terms after the move, and what the moves force.
fn of_measure(told: &MeasureExplanation, tablebase: &Tablebase) -> Result<WhyResponse> {
    let chosen = &told.chosen;
    let steps = told.terms.iter().map(|term| WhyStepView {
        sentence: capital(&format!("{}.", term.sentence)),
        figures: term.figures(),
        marks: Mark::all(&TermFinding::highlights(std::slice::from_ref(term))),
    });
    let instead = told.instead.iter().map(|other| {
        let mut parts = other.because.clone();
        if let Some(value) = other.value {
            parts += &format!("\n{}", right_after(&other.worth, &other.terms, value));
            for term in &other.terms {
                parts += &format!("\n{}.", capital(&term.sentence));
            }
        }
        let arrow = Mark::arrow(other.worth.mv, &other.worth.san);
        let squares = Mark::all(&TermFinding::highlights(&other.terms));
        let marks = [arrow].into_iter().chain(squares).collect();
        AlternativeView::new(chosen, &other.worth, parts, marks, tablebase)
    });
    let heading = match told.value {
        Some(value) => right_after(&chosen.worth, &told.terms, value),
        None => told.without_measure().unwrap_or_default(),
    };
    Ok(WhyResponse {
        reason: told.reason.clone(),
        steps: steps.collect(),
        tied: told.tied.iter().map(ToString::to_string).collect(),
        hint: match told.forces {
            Some(forces) => {
                let number = if forces.value().is_some() { "the number " } else { "" };
                format!("It forces {number}{}.", forces.in_words(chosen.material))
            }
            None => heading.clone(),
        },
        forced: told.other_moves(),
        instead: instead.collect::<Result<_, _>>()?,
        ..WhyResponse::new("measure", chosen, heading, told.verdict(), &told.diagram())
    })
}

/// The value of a measure after a move as a sum, in a sentence that its terms follow.
fn right_after(worth: &ValuedMove, terms: &[TermFinding], value: i32) -> String {
    format!("Right after {} the number is {}:", worth.san, TermFinding::sum(terms, value))
}

/// The most moves of a trained player that are listed.
const MAX_PREDICTIONS: usize = 12;

/// The reasons of a trained player: its predictions.
fn of_trained(told: &report::TrainedMoveReport, game: &Game) -> Result<WhyResponse> {
    let (Some(uci), Some(san)) = (told.uci.clone(), told.san.clone()) else {
        return Err(ApiError::nonsense(
            "the player has no move here: it plays the strong side of its endgame, or the game is over",
        ));
    };
    let mv = game.parse_move(&uci)?;
    let mut after = game.clone();
    after.play(mv)?;
    let steps = told.moves.iter().take(MAX_PREDICTIONS).map(|predicted| WhyStepView {
        sentence: format!("{}: {:.3}.", predicted.san, predicted.prediction),
        figures: String::new(),
        marks: game
            .parse_move(&predicted.uci)
            .map(|mv| vec![Mark::arrow(mv, &predicted.san)])
            .unwrap_or_default(),
    });
    let rest = told.moves.len().saturating_sub(MAX_PREDICTIONS);
    Ok(WhyResponse {
        reason: told.reason().unwrap_or_default(),
        kind: "trained",
        player: told.player.clone(),
        heading: "What it predicts for each move, from 0 for the worst to 1 for the best:".into(),
        fen_after: after.to_string(),
        steps: steps.collect(),
        verdict: match (rest, &told.drawn) {
            (_, Some(drawn)) => format!("The game is over. {drawn}"),
            (0, None) => String::new(),
            (rest, None) => {
                format!("{} more are not shown.", count(rest as u64, "move", "moves"))
            }
        },
        marks: vec![Mark::arrow(mv, &san)],
        played: WhyMoveView {
            uci,
            san,
            says: format!("predicted {:.3}", told.prediction.unwrap_or_default()),
        },
        ..WhyResponse::default()
    })
}

/// The reasons of a search: the line it expects and the parts of its evaluation.
fn of_search(told: &report::SearchMoveReport, player: String, game: &Game) -> Result<WhyResponse> {
    let (Some(uci), Some(san)) = (told.uci.clone(), told.san.clone()) else {
        return Err(ApiError::nonsense("there is no move: the game is over"));
    };
    let mv = game.parse_move(&uci)?;
    let mut after = game.clone();
    after.play(mv)?;
    let pawns = |value: i32| f64::from(value) / 100.0;
    let says = match (told.mate_plies, told.value) {
        (Some(plies), _) if plies > 0 => {
            format!("mates in {}", moves(plies.unsigned_abs().div_ceil(2).into()))
        }
        (Some(plies), _) => format!("is mated in {}", moves((plies.unsigned_abs() / 2).into())),
        (None, Some(value)) => format!("worth {:.2} pawns to the side to move", pawns(value)),
        (None, None) => String::new(),
    };
    let parts = told.parts.iter().map(|part| WhyStepView {
        sentence: format!("{}: {:+.2} pawns for White.", capital(part.name), pawns(part.value)),
        figures: format!("{} points of {}", part.points, part.weight),
        marks: Vec::new(),
    });
    Ok(WhyResponse {
        reason: format!("The search expects {}.", told.line.join(" ")),
        kind: "search",
        player,
        heading: format!(
            "The evaluation without a search: {:+.2} pawns for White.",
            pawns(told.board)
        ),
        fen_after: after.to_string(),
        steps: parts.collect(),
        verdict: format!(
            "It looked {} deep, at {}.{}",
            plies(told.depth.into()),
            count(told.nodes, "position", "positions"),
            told.drawn
                .as_ref()
                .map_or(String::new(), |drawn| format!(" The game is over. {drawn}"))
        ),
        marks: vec![Mark::arrow(mv, &san)],
        played: WhyMoveView { uci, san, says },
        ..WhyResponse::default()
    })
}
