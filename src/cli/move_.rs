use super::tables::TableArgs;
use super::{Failure, Result};
use lucena::chess::Game;
use lucena::roster::{PlayerName, RosterEntrant};
use lucena::uci::{PositionCommand, PositionError, StartPosition};
use std::io::{self, BufRead, Write};

/// Answer each line of input with a move, for scripts that use a player
///
/// A line is a FEN, or startpos for the initial position, optionally followed by the word moves and the
/// moves played from it, in UCI. The answer is a line with one UCI move, or none.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  echo 'startpos moves e2e4' | lucena move --player search:time=100ms
  lucena move --player search:depth=6 < positions.txt
  lucena move --player tablebase < positions.txt")]
pub(super) struct MoveVerb {
    /// The player: see "lucena match --help"
    #[arg(long, value_name = "PLAYER", default_value = "search:time=1s")]
    player: PlayerName,
    /// The seed of a player that moves at random
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    tables: TableArgs,
}

impl MoveVerb {
    pub(super) fn run(self) -> Result<()> {
        let player = self.player.load()?;
        let tablebases = self.tables.mined()?;
        let folder = self.tables.folder();
        let entry = RosterEntrant::new(&player, &tablebases)?.looking_up(&folder);
        let mut player = lucena::arena::Entrant::seat(&entry, self.seed)?;
        let mut out = io::stdout().lock();
        for (number, line) in (1..).zip(io::stdin().lock().lines()) {
            let line = line?;
            let game = game(&line)
                .map_err(|what| Failure::usage(format!("line {number} of the input: {what}")))?;
            match player.play(&game, None) {
                Some(mv) => writeln!(out, "{}", game.uci(mv)?)?,
                None => writeln!(out, "none")?,
            }
            out.flush()?;
        }
        Ok(())
    }
}

/// Parses the game that a line describes.
fn game(line: &str) -> Result<Game, PositionError> {
    let mut words = line.split_whitespace();
    let start: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
    let start = match start.join(" ").as_str() {
        "startpos" => StartPosition::Usual,
        fen => StartPosition::Fen(fen.into()),
    };
    PositionCommand { start, moves: words.map(Into::into).collect() }.game()
}
