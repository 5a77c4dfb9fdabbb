use super::file_kind::load_player;
use super::number::number;
use super::tables::TableArgs;
use super::{Failure, Result};
use lucena::chess::Game;
use lucena::roster::{PlayerName, RosterEntrant};
use lucena::text::{self, LineReader, is_space, trim};
use lucena::uci::{PositionCommand, PositionError, StartPosition};
use std::io::{self, Write};

/// Answer each line of input with a move, for scripts that use a player
///
/// A line is a FEN or an EPD, or startpos for the initial position, optionally followed by the word moves
/// and the moves played from it. The answer is a line with one UCI move, or none. Empty lines and lines that
/// start with # have no answer.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  echo 'startpos moves e2e4' | lucena move --player search:time=100ms
  lucena move --player search:depth=6 < positions.txt
  lucena move --player tablebase < positions.txt")]
pub(super) struct MoveVerb {
    /// The player: see "lucena help players"
    #[arg(long, value_name = "PLAYER", default_value = "search:time=1s")]
    player: PlayerName,
    /// The seed of a player that moves at random
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(..))]
    seed: u64,
    #[command(flatten)]
    tables: TableArgs,
}

impl MoveVerb {
    pub(super) fn run(self) -> Result<()> {
        let player = load_player(&self.player)?;
        let tablebases = self.tables.mined()?;
        let folder = self.tables.folder();
        let entry = RosterEntrant::new(&player, &tablebases)?.with_folder(&folder);
        let mut player = lucena::arena::Entrant::seat(&entry, self.seed)?;
        let mut out = io::stdout().lock();
        for line in LineReader::new(io::stdin().lock(), MAX_LINE) {
            let (number, line) = line?;
            let Some(line) = text::entry(&line) else { continue };
            let game = game(line)
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

/// The greatest length of a line, in bytes: ten times a game of ten thousand moves.
const MAX_LINE: usize = 1 << 20;

/// Parses the game that a line describes.
fn game(line: &str) -> Result<Game, PositionError> {
    // Moves come last, so no text of an EPD follows the word.
    let is_word = |&(at, _): &(usize, &str)| {
        let (before, after) = (&line[..at], &line[at + MOVES.len()..]);
        before.ends_with(is_space)
            && after.chars().next().is_none_or(is_space)
            && !after.contains('"')
    };
    let at = line.match_indices(MOVES).filter(is_word).last().map(|(at, _)| at);
    let (start, moves) = at.map_or((line, ""), |at| (&line[..at], &line[at + MOVES.len()..]));
    let start = match trim(start) {
        "startpos" => StartPosition::Usual,
        position => StartPosition::Fen(position.into()),
    };
    let moves = moves.split(is_space).filter(|word| !word.is_empty());
    PositionCommand { start, moves: moves.map(Into::into).collect() }.game()
}

/// The word between a position and the moves from it.
const MOVES: &str = "moves";
