use super::opponent::Choice;
use super::output::{Report, grouped, percent, progress};
use super::{Failure, one_of};
use lucena::player::{GeneratedKind, Resistance};
use lucena::tablebase::Plies;
use lucena::validation;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Play games from random positions against a defender, and report the win rate
///
/// Starts are legal positions with White to move, each as likely as any other; the same seed plays
/// the same games. A game without a mate after fifty moves is drawn. The interval is Wilson's, at
/// 95 %.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena validate --games 10000
  lucena validate --player tree:id3.json --defence random --seed 7 --format json")]
pub(super) struct Validate {
    #[command(flatten)]
    choice: Choice,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: u64,
    /// The seed of the starts and of the defender
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// best: resists longest; random: any move; central: keeps the king nearest the centre
    #[arg(long, default_value = "best", value_parser = one_of(&Resistance::NAMES))]
    defence: Resistance,
    #[command(flatten)]
    report: Report,
}

#[derive(Serialize)]
struct Validated {
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    win_rate: f64,
    /// Low and high.
    wilson_95: (f64, f64),
    mean_excess_moves: Option<f64>,
    by_distance: BTreeMap<Plies, Stratum>,
}

#[derive(Serialize)]
struct Stratum {
    games: u64,
    won: u64,
}

impl Validate {
    pub(super) fn run(self) -> Result<(), Failure> {
        let ready = self.choice.ready(GeneratedKind::Exact)?;
        let policy = ready.policy()?;
        let bar = progress("games", self.games);
        let result = validation::validate(
            &mut &*policy,
            &ready.tablebase,
            self.defence,
            self.games,
            self.seed,
            |played| bar.set_position(played),
        );
        bar.finish_and_clear();
        let result = result?;
        let stratum = |(&plies, &s): (&Plies, &validation::Stratum)| {
            (plies, Stratum { games: s.games, won: s.won })
        };
        let validated = Validated {
            games: result.games,
            won: result.won,
            drawn: result.drawn,
            lost: result.lost,
            win_rate: result.win_rate(),
            wilson_95: result.wilson_95,
            mean_excess_moves: result.mean_excess_moves,
            by_distance: result.by_distance.iter().map(stratum).collect(),
        };
        self.report.write(&validated, |out| validated.text(out))
    }
}

impl Validated {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { games, won, drawn, lost, .. } = *self;
        let [games_text, won, drawn, lost] = [games, won, drawn, lost].map(grouped);
        writeln!(out, "{games_text} games: {won} won, {drawn} drawn, {lost} lost")?;
        let (low, high) = self.wilson_95;
        writeln!(
            out,
            "  win rate {}, likely between {} and {} (Wilson, 95 %)",
            percent(self.win_rate),
            percent(low),
            percent(high)
        )?;
        if let Some(excess) = self.mean_excess_moves {
            // Against a weak defence a game is over sooner than the best defence would allow.
            let (size, side) = (excess.abs(), if excess < 0.0 { "under" } else { "over" });
            writeln!(out, "  {size:.2} moves {side} the optimum, on average over the games won")?;
        }
        writeln!(out, "\n{:>14} {:>8} {:>8}", "mate in moves", "games", "won")?;
        for (plies, stratum) in &self.by_distance {
            let (games, won) = (grouped(stratum.games), grouped(stratum.won));
            writeln!(out, "{:>14} {games:>8} {won:>8}", plies.div_ceil(2))?;
        }
        Ok(())
    }
}
