use super::Failure;
use super::opponent::Choice;
use super::output::{Report, count, grouped, note, percent, timed, waiting};
use lucena::chess::Position;
use lucena::player::Policy;
use lucena::proof::{Proof, Reason, Refutation, chosen_moves, prove};
use lucena_codegen::write_file;
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Prove what a player is worth: from every position, against every defence
///
/// A position is won if the player's move mates, or if it loses no man, does not stalemate, and
/// every reply leads to a position that is already won. The exit code is 1 if the player does not
/// win every position that can be won; a line then shows why.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena prove
  lucena prove --player tree:data/trees/KRvK.exact.json --format json
  lucena prove --moves moves.csv       the chosen move of all 175,168 positions, to be checked elsewhere")]
pub(super) struct Prove {
    #[command(flatten)]
    choice: Choice,
    /// Also write csv with the move chosen in every position: fen,move
    #[arg(long, value_name = "FILE")]
    moves: Option<PathBuf>,
    #[command(flatten)]
    report: Report,
}

#[derive(Serialize)]
pub(super) struct Proved {
    positions: u64,
    winnable: u64,
    won: u64,
    longest_moves: Option<u16>,
    mean_excess_moves: Option<f64>,
    optimal_share: f64,
    fifty_move_safe: bool,
    refutation: Option<Refuted>,
    seconds: f64,
}

#[derive(Serialize)]
struct Refuted {
    fen: String,
    line: Vec<String>,
    san: Vec<String>,
    reason: &'static str,
}

impl Prove {
    pub(super) fn run(self) -> Result<(), Failure> {
        let ready = self.choice.ready()?;
        let policy = ready.policy()?;
        let bar = waiting(format!("proving {}", policy.name()));
        let (proof, seconds) = timed(|| prove(&*policy, &ready.tablebase));
        let proof = proof?;
        bar.finish_and_clear();
        if let Some(path) = &self.moves {
            write_moves(&*policy, path)?;
            note(&format!("wrote {}", path.display()));
        }
        let proved = Proved::new(&proof, seconds);
        self.report.write(&proved, |out| {
            proved.text(out, &format!("{}, player {}", policy.material(), policy.name()))
        })?;
        if proof.wins_all() { Ok(()) } else { Err(Failure::Check) }
    }
}

fn write_moves(policy: &dyn Policy, path: &Path) -> Result<(), Failure> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let in_memory = "writing to memory does not fail";
    writer.write_record(["fen", "move"]).expect(in_memory);
    for (position, mv) in chosen_moves(policy) {
        let mv = mv.map_or(String::new(), |mv| mv.to_string());
        writer.write_record([position.to_string(), mv]).expect(in_memory);
    }
    write_file(path, &writer.into_inner().expect(in_memory))?;
    Ok(())
}

impl Proved {
    pub(super) fn new(proof: &Proof, seconds: f64) -> Self {
        Self {
            positions: proof.positions,
            winnable: proof.winnable,
            won: proof.won,
            longest_moves: proof.longest_moves,
            mean_excess_moves: proof.mean_excess_moves,
            optimal_share: proof.optimal_share,
            fifty_move_safe: proof.fifty_move_safe,
            refutation: proof.refutation.as_ref().map(Refuted::new),
            seconds,
        }
    }

    /// The proof in one line.
    pub(super) fn sentence(&self) -> String {
        let mut text =
            format!("{} of {} positions won", grouped(self.won), grouped(self.positions));
        if let (Some(longest), Some(excess)) = (self.longest_moves, self.mean_excess_moves) {
            let longest = count(longest.into(), "move", "moves");
            text += &format!(", longest {longest}, {excess:.2} moves over the optimum");
        }
        text
    }

    /// What shows that the player does not win, if anything does.
    pub(super) fn refutation_line(&self) -> Option<String> {
        let Refuted { fen, san, reason, .. } = self.refutation.as_ref()?;
        Some(format!("not won: {fen}, because of {} ({reason})", san.join(" ")))
    }

    fn text(&self, out: &mut dyn Write, title: &str) -> io::Result<()> {
        writeln!(out, "{title}: {}", self.sentence())?;
        if self.winnable < self.positions {
            writeln!(out, "  positions that can be won: {}", grouped(self.winnable))?;
        }
        writeln!(out, "  optimal moves: {}", percent(self.optimal_share))?;
        let fifty =
            if self.fifty_move_safe { "never reached" } else { "REACHED in a won position" };
        writeln!(out, "  fifty-move rule: {fifty}")?;
        if let Some(line) = self.refutation_line() {
            writeln!(out, "  {line}")?;
        }
        writeln!(out, "  proved in {:.4} s", self.seconds)
    }
}

impl Refuted {
    fn new(refutation: &Refutation) -> Self {
        let Refutation { start, line, reason } = refutation;
        let mut san = Vec::new();
        let mut position: Position = *start;
        for &mv in line {
            san.extend(position.san(mv));
            position = position.play(mv).unwrap_or(position);
        }
        Self {
            fen: start.to_string(),
            line: line.iter().map(ToString::to_string).collect(),
            san,
            reason: Reason::name(*reason),
        }
    }
}
