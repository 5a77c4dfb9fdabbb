use super::Failure;
use super::opponent::Choice;
use super::output::{Report, count, grouped, note, percent, timed, waiting};
use lucena::certificate::{Certificate, Difference, Line, RefutingLine};
use lucena::chess::Position;
use lucena::player::{GeneratedKind, Policy};
use lucena::proof::{Fate, Game, Proof, ProveError, Reason, chosen_moves};
use lucena::tablebase::Outcome;
use lucena_files::{load, write_file};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Prove what a player is worth: from every position, against every defence
///
/// A position is won if the player's move mates, or if it does not stalemate and every reply leads
/// to a position that is already won. Captures and promotions lead to other endgames, which the
/// table judges. The exit code is 1 if the player does not win every position that can be won, or
/// loses one that is drawn; a line then shows why. With --check it is 1 if the certificate says
/// anything else than was proved, whatever the player is worth.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena prove
  lucena prove --player tree:data/trees/KRvK.cart.json --format json
  lucena prove --from '8/8/8/8/8/1k6/8/K1R5 w - - 0 1'
  lucena prove --certificate KRvK.certificate.json
  lucena prove --check KRvK.certificate.json
  lucena prove --moves moves.csv       the chosen move of all 175,168 positions, to be checked elsewhere")]
pub(super) struct Prove {
    #[command(flatten)]
    choice: Choice,
    /// Also tell what becomes of this position: the mate against the defence that resists longest,
    /// or the shortest line that refutes the player
    #[arg(long, value_name = "FEN")]
    from: Option<Position>,
    /// Also write csv with the move chosen in every position: fen,move
    #[arg(long, value_name = "FILE")]
    moves: Option<PathBuf>,
    /// Also write a certificate: what was proved, as JSON that --check reads
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    certificate: Option<PathBuf>,
    /// Compare with a certificate, and replay its lines by the rules
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
    #[command(flatten)]
    report: Report,
}

#[derive(Serialize)]
pub(super) struct Proved {
    positions: u64,
    winnable: u64,
    won: u64,
    drawable: u64,
    held: u64,
    longest_moves: Option<u16>,
    mean_excess_moves: Option<f64>,
    optimal_share: f64,
    fifty_move_safe: bool,
    leaves: Option<usize>,
    refutation: Option<RefutingLine>,
    seconds: f64,
}

/// The report of this verb.
#[derive(Serialize)]
struct Told {
    #[serde(flatten)]
    proved: Proved,
    from: Option<Followed>,
    certificate: Option<Checked>,
}

/// What becomes of one position.
#[derive(Serialize)]
struct Followed {
    fen: String,
    won: bool,
    moves: Option<usize>,
    optimal_moves: Option<u16>,
    line: Vec<String>,
    san: Vec<String>,
    reason: Option<Reason>,
    /// The same for people.
    #[serde(skip)]
    sentence: String,
}

/// What a certificate is worth.
#[derive(Serialize)]
struct Checked {
    agrees: bool,
    differences: Vec<Difference>,
}

impl Prove {
    pub(super) fn run(mut self) -> Result<(), Failure> {
        if let Some(position) = &self.from {
            self.choice.take_material_of(position)?;
        }
        let certificate =
            self.check.as_deref().map(|path| load(path, Certificate::from_json)).transpose()?;
        let ready = self.choice.ready(GeneratedKind::Exact)?;
        // A player that remembers its grades asks for them now: that is part of the work.
        let (policy, preparing) = timed(|| ready.policy());
        let policy = policy?;
        let bar = waiting(format!("proving {}", policy.name()));
        let (proved, seconds) = timed(|| {
            let game = Game::new(&*policy, &ready.tablebase)?;
            Ok::<_, ProveError>((game.proof(), game))
        });
        let (proof, game) = proved?;
        bar.finish_and_clear();
        let from = match &self.from {
            Some(position) => {
                let best = ready.tablebase.probe(position)?;
                Some(Followed::new(&game.fate(position)?, best))
            }
            None => None,
        };
        if let Some(path) = &self.moves {
            write_moves(&*policy, path)?;
            note(&format!("wrote {}", path.display()));
        }
        if let Some(path) = &self.certificate {
            write_file(path, Certificate::of(&*policy, &proof).to_json().as_bytes())?;
            note(&format!("wrote {}", path.display()));
        }
        let told = Told {
            proved: Proved::new(&*policy, &proof, preparing + seconds),
            from,
            certificate: certificate.map(|certificate| {
                let differences = certificate.check(&*policy, &proof);
                Checked { agrees: differences.is_empty(), differences }
            }),
        };
        self.report.write(&told, |out| {
            let title = format!("{}, player {}", policy.material(), policy.name());
            self.text(out, &title, &told)
        })?;
        let passed = match &told.certificate {
            Some(checked) => checked.agrees,
            None => proof.wins_all() && proof.holds_all(),
        };
        if passed { Ok(()) } else { Err(Failure::Check) }
    }

    fn text(&self, out: &mut dyn Write, title: &str, told: &Told) -> io::Result<()> {
        told.proved.text(out, title)?;
        if let Some(from) = &told.from {
            writeln!(out, "{}", from.sentence)?;
        }
        let (Some(path), Some(checked)) = (&self.check, &told.certificate) else { return Ok(()) };
        let path = path.display();
        if checked.agrees {
            return writeln!(out, "{path} agrees: all that it says has been proved again");
        }
        for difference in &checked.differences {
            writeln!(out, "{path} differs: {difference}")?;
        }
        Ok(())
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
    pub(super) fn new(policy: &dyn Policy, proof: &Proof, seconds: f64) -> Self {
        Self {
            positions: proof.positions,
            winnable: proof.winnable,
            won: proof.won,
            drawable: proof.drawable,
            held: proof.held,
            longest_moves: proof.longest_moves,
            mean_excess_moves: proof.mean_excess_moves,
            optimal_share: proof.optimal_share,
            fifty_move_safe: proof.fifty_move_safe,
            leaves: policy.tree().map(|tree| tree.leaves),
            refutation: proof.refutation.as_ref().map(RefutingLine::from),
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
        let RefutingLine { fen, san, reason, .. } = self.refutation.as_ref()?;
        Some(format!("not won: {fen}, because of {} ({reason})", san.join(" ")))
    }

    fn text(&self, out: &mut dyn Write, title: &str) -> io::Result<()> {
        writeln!(out, "{title}: {}", self.sentence())?;
        if self.winnable < self.positions {
            writeln!(out, "  positions that can be won: {}", grouped(self.winnable))?;
        }
        if self.held < self.drawable {
            let (held, drawable) = (grouped(self.held), grouped(self.drawable));
            writeln!(out, "  drawn positions that are not lost: {held} of {drawable}")?;
        }
        if let Some(leaves) = self.leaves {
            writeln!(out, "  tree: {}", count(leaves as u64, "leaf", "leaves"))?;
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

impl Followed {
    fn new(fate: &Fate, best: Outcome) -> Self {
        let optimal_moves = match best {
            Outcome::Win(_) => best.moves(),
            Outcome::Draw | Outcome::Loss(_) => None,
        };
        let mate_in = |moves: u64| format!("mate in {}", count(moves, "move", "moves"));
        let optimum = match optimal_moves {
            Some(moves) => format!("the optimum is {}", mate_in(moves.into())),
            None => "nobody can force a mate".into(),
        };
        match fate {
            Fate::Won(mate) => {
                let Line { fen, line, san } = mate.into();
                let sentence = format!(
                    "from {fen}: {} ({optimum}): {}",
                    mate_in(mate.moves() as u64),
                    san.join(" ")
                );
                let (won, moves, reason) = (true, Some(mate.moves()), None);
                Self { fen, won, moves, optimal_moves, line, san, reason, sentence }
            }
            Fate::NotWon(refutation) => {
                let RefutingLine { fen, line, san, reason } = refutation.into();
                let sentence = format!(
                    "from {fen}: not won ({optimum}), because of {} ({reason})",
                    san.join(" ")
                );
                let (won, moves, reason) = (false, None, Some(reason));
                Self { fen, won, moves, optimal_moves, line, san, reason, sentence }
            }
        }
    }
}
