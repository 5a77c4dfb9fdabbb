use super::Failure;
use super::opponent::PlayerName;
use super::output::{Report, count, grouped, note};
use super::probe::dtm;
use super::tables::Tables;
use lucena::attributes::Depth;
use lucena::chess::{Move, Position};
use lucena::explain::{
    Candidate, Difference, ExplainError, Explanation, Finding, GivesAway, Instead, Others, explain,
};
use lucena::player::TreePolicy;
use lucena::tablebase::Outcome;
use lucena_files::write_file;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

/// Explain a move: what the player's tree sees in the position after it, and what others would cost
///
/// The strong side is to move. The sentences are the tests on the tree's path, one for each
/// attribute; with --instead, the first test at which two moves part is named, and what the other
/// move costs against every defence.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena explain '8/8/8/3k4/8/8/8/K6R w - - 0 1'
  lucena explain 8/8/8/3k4/8/8/8/K6R w --instead Kb2 --instead h1h4
  lucena explain 8/8/8/3k4/8/8/8/K6R w --svg move.svg
  lucena explain 8/8/8/3k4/8/8/8/K6R w --player tree:data/trees/KRvK.cart.json --format json")]
pub(super) struct Explain {
    /// The position as a FEN; quoting it is not needed, and its last fields may be left out
    #[arg(required = true)]
    fen: Vec<String>,
    /// theory: the smallest tree that always wins, of those that this build's code was generated from;
    /// exact: the one that knows every distance; tree:FILE: a tree from a file
    #[arg(long, default_value = "theory", value_name = "PLAYER")]
    player: PlayerName,
    /// Hold another move against the one that is played; may be given several times
    #[arg(long, value_name = "MOVE")]
    instead: Vec<String>,
    /// Also draw the move and the squares that the tests are about
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    report: Report,
}

#[derive(Serialize)]
struct Explained {
    fen: String,
    material: String,
    player: String,
    leaves: usize,
    #[serde(rename = "move")]
    uci: String,
    san: String,
    grade: Option<String>,
    path: Vec<Step>,
    support: Option<u64>,
    support_canonical: Option<u64>,
    dtm_before: Option<i32>,
    dtm_after: Option<i32>,
    gives_away: Option<&'static str>,
    better: Vec<String>,
    equal: Vec<String>,
    slower: usize,
    worse: usize,
    instead: Vec<Other>,
}

#[derive(Serialize)]
struct Step {
    attribute: String,
    test: String,
    value: String,
    sentence: String,
}

#[derive(Serialize)]
struct Other {
    #[serde(rename = "move")]
    uci: String,
    san: String,
    grade: Option<String>,
    dtm_after: Option<i32>,
    cost_plies: Option<i32>,
    gives_away: Option<&'static str>,
    tells_apart: Option<Parting>,
    /// Whether both are graded alike, so that the order of moves decides.
    tie: bool,
}

#[derive(Serialize)]
struct Parting {
    attribute: String,
    test: String,
    test_instead: String,
    sentence: String,
    sentence_instead: String,
}

impl Explain {
    pub(super) fn run(self) -> Result<(), Failure> {
        let position: Position = self.fen.join(" ").parse()?;
        let material = position.material();
        let tree = self.player.tree(material)?;
        let player = TreePolicy::endgame(&tree)?;
        if player != material {
            // Said before anything is solved.
            return Err(ExplainError::OtherMaterial { player, position: material }.into());
        }
        let tablebase = self.tables.solve(material);
        let policy = TreePolicy::new(tree, &tablebase)?;
        let explain = |moves: &[Move]| explain(&policy, &position, moves);
        let moves: Result<Vec<Move>, Failure> =
            self.instead.iter().map(|text| parse_move(&position, text)).collect();
        let explanation = match moves {
            Ok(moves) => explain(&moves)?,
            // What is wrong with the position is said before what is wrong with a move in it.
            Err(illegal) => return Err(explain(&[]).map_or_else(Failure::from, |_| illegal)),
        };
        if let Some(path) = &self.svg {
            write_file(path, explanation.diagram().to_svg().as_bytes())?;
            note(&format!("wrote {}", path.display()));
        }
        let leaves = policy.decision_tree().leaves();
        let explained = Explained::new(&explanation, self.player.to_string(), leaves)?;
        self.report.write(&explained, |out| text(out, &explanation, &explained))
    }
}

fn parse_move(position: &Position, text: &str) -> Result<Move, Failure> {
    position.parse_move(text).map_err(|illegal| {
        let moves: Vec<String> = position.moves().iter().flat_map(|&mv| position.san(mv)).collect();
        Failure::usage(format!("{illegal}: there are {}", moves.join(" ")))
    })
}

impl Explained {
    fn new(explanation: &Explanation, player: String, leaves: usize) -> Result<Self, Failure> {
        let Explanation { position, before, chosen, support, others, instead } = explanation;
        let ucis = |moves: &[Move]| moves.iter().map(ToString::to_string).collect();
        let other = |instead: &Instead| Other::new(position, instead);
        Ok(Self {
            fen: position.to_string(),
            material: position.material().to_string(),
            player,
            leaves,
            uci: chosen.mv.to_string(),
            san: position.san(chosen.mv)?,
            grade: chosen.class.clone(),
            path: chosen.reasons.iter().map(Step::new).collect(),
            support: support.map(|support| support.full),
            support_canonical: support.map(|support| support.canonical),
            dtm_before: dtm(*before),
            dtm_after: dtm(chosen.outcome),
            gives_away: chosen.gives_away.map(GivesAway::name),
            better: ucis(&others.better),
            equal: ucis(&others.equal),
            slower: others.slower,
            worse: others.worse,
            instead: instead.iter().map(other).collect::<Result<_, _>>()?,
        })
    }
}

impl Step {
    fn new(finding: &Finding) -> Self {
        Self {
            attribute: finding.attribute.name().into(),
            test: finding.test.clone(),
            value: finding.attribute.show(finding.value),
            sentence: finding.sentence.clone(),
        }
    }
}

impl Other {
    fn new(position: &Position, instead: &Instead) -> Result<Self, Failure> {
        let Candidate { mv, outcome, gives_away, class, .. } = &instead.candidate;
        let tells_apart = match &instead.difference {
            Difference::Test { chosen, instead } => Some(Parting {
                attribute: chosen.attribute.name().into(),
                test: chosen.test.clone(),
                test_instead: instead.test.clone(),
                sentence: chosen.sentence.clone(),
                sentence_instead: instead.sentence.clone(),
            }),
            _ => None,
        };
        Ok(Self {
            uci: mv.to_string(),
            san: position.san(*mv)?,
            grade: class.clone(),
            dtm_after: dtm(*outcome),
            cost_plies: instead.cost_plies,
            gives_away: gives_away.map(GivesAway::name),
            tells_apart,
            tie: instead.is_tie,
        })
    }
}

fn text(out: &mut dyn Write, explanation: &Explanation, explained: &Explained) -> io::Result<()> {
    let Explanation { position, before, chosen, support, others, instead } = explanation;
    let Explained { san, leaves, player, .. } = explained;
    writeln!(out, "{position:#}\n")?;
    let turn = position.color_to_move();
    writeln!(out, "{}, {turn:?} to move: {}", position.material(), with_plies(*before))?;
    let result = match chosen.gives_away {
        Some(how) => format!("gives the win away, {}", way(how)),
        None => with_plies(chosen.outcome.before_move()),
    };
    writeln!(out, "{san} ({}): {result}", chosen.mv)?;

    let leaves = count(*leaves as u64, "leaf", "leaves");
    match &chosen.class {
        None if chosen.after.material() != position.material() => {
            writeln!(
                out,
                "\nIt leads to {}, where the table knows the way and the tree is not asked.",
                chosen.after.material()
            )?;
        }
        class => {
            let reasons = &chosen.reasons;
            writeln!(out, "\nAfter it, as the tree sees it ({player}, {leaves}):")?;
            let width = reasons.iter().map(|reason| reason.sentence.chars().count()).max();
            let width = width.unwrap_or(0);
            for Finding { sentence, test, .. } in reasons {
                writeln!(out, "  {sentence:width$}  {test}")?;
            }
            match class {
                Some(class) => writeln!(out, "That makes it {}.", grade(class))?,
                None => writeln!(out, "There it ends: the tree has not learned what comes next.")?,
            }
        }
    }
    if let Some(support) = support {
        let (full, canonical) = (support.full, grouped(support.canonical));
        let positions = count(full, "position", "positions");
        writeln!(out, "It is the same in {positions} of the board, {canonical} up to symmetry.")?;
    }

    writeln!(out)?;
    writeln!(out, "{}", others_line(position, chosen.outcome, others, explained))?;
    for (other, said) in instead.iter().zip(&explained.instead) {
        writeln!(out, "\n{}", instead_line(san, other, said))?;
        match &other.difference {
            Difference::SameMove => {}
            Difference::NotSeen => {
                writeln!(
                    out,
                    "  One of the two leads to another endgame, where the tree is not asked."
                )?;
            }
            Difference::Nothing => writeln!(
                out,
                "  The tree sees no difference; {san} comes first in the order of moves."
            )?,
            Difference::Test { chosen, instead } => {
                writeln!(out, "  After {san:7} {}  {}", chosen.sentence, chosen.test)?;
                writeln!(out, "  After {:7} {}  {}", said.san, instead.sentence, instead.test)?;
                if other.is_tie {
                    writeln!(
                        out,
                        "  Both are graded alike; {san} comes first in the order of moves."
                    )?;
                } else if let Some(class) = &other.candidate.class {
                    writeln!(out, "  That makes it {}.", grade(class))?;
                }
            }
        }
    }
    Ok(())
}

/// "mate in 9 (17 plies)".
fn with_plies(outcome: Outcome) -> String {
    match outcome.plies() {
        Some(plies) => format!("{outcome} ({})", count(plies.into(), "ply", "plies")),
        None => outcome.to_string(),
    }
}

fn way(how: GivesAway) -> String {
    match how {
        GivesAway::Stalemate => "by stalemate".into(),
        GivesAway::Man(piece) => {
            format!("the {} is taken", format!("{:?}", piece.role).to_lowercase())
        }
        GivesAway::Draw => "to a draw".into(),
        GivesAway::Loss => "to a loss".into(),
    }
}

/// A class in words: a depth, or a grade as it is written.
fn grade(class: &str) -> String {
    match class.parse() {
        Ok(Depth::Draw) => "a draw".into(),
        Ok(Depth::Lost) => "a loss".into(),
        Ok(Depth::Mated(0)) => "checkmate".into(),
        Ok(Depth::Mated(moves)) => {
            format!("\"{class}\": mated in {}", count(moves.into(), "move", "moves"))
        }
        Err(_) => format!("\"{class}\""),
    }
}

/// All moves that are not played, in a sentence.
fn others_line(
    position: &Position,
    chosen: Outcome,
    others: &Others,
    explained: &Explained,
) -> String {
    let named = |moves: &[Move]| -> String {
        let sans: Vec<String> = moves.iter().flat_map(|&mv| position.san(mv)).collect();
        sans.join(" ")
    };
    let all = others.better.len() + others.equal.len() + others.slower + others.worse;
    let wins = matches!(chosen, Outcome::Loss(_));
    let mut parts = Vec::new();
    if !others.better.is_empty() {
        parts.push(format!("{} better: {}", others.better.len(), named(&others.better)));
    }
    if !others.equal.is_empty() {
        let alike = if wins { "as quick" } else { "as good" };
        parts.push(format!("{} {alike}: {}", others.equal.len(), named(&others.equal)));
    }
    if others.slower > 0 {
        parts.push(format!("{} slower", others.slower));
    }
    if others.worse > 0 {
        parts.push(format!("{} {}", others.worse, if wins { "not winning" } else { "worse" }));
    }
    match parts.as_slice() {
        [] => format!("There is no other move than {}.", explained.san),
        parts => {
            format!("{}: {}.", count(all as u64, "other move", "other moves"), parts.join("; "))
        }
    }
}

/// What another move is worth.
fn instead_line(san: &str, other: &Instead, said: &Other) -> String {
    let outcome = other.candidate.outcome.before_move();
    let start = format!("{} ({}) instead", said.san, said.uci);
    match (other.candidate.gives_away, other.cost_plies) {
        _ if other.difference == Difference::SameMove => {
            format!("{} ({}) is the move that is played.", said.san, said.uci)
        }
        (Some(how), _) => format!("{start}: gives the win away, {}.", way(how)),
        (None, Some(0)) => format!("{start}: {outcome}, as quick as {san}."),
        (None, Some(cost)) => {
            let plies = count(cost.unsigned_abs().into(), "ply", "plies");
            let than = if cost > 0 { "later" } else { "sooner" };
            format!("{start}: {outcome}, {plies} {than} than {san}.")
        }
        (None, None) => format!("{start}: {outcome}."),
    }
}
