//! The answers to many probes, a line each.

use super::answer_line::{write_moves, write_standing};
use super::probe::ProbeExtent;
use lucena_base::progress::{Observer, Stopped};
use lucena_chess::{FenError, Game};
use lucena_tablebase::{ProbeTables, RatedMoves, Standing, TableLookup};
use rayon::prelude::*;
use serde_json::json;

/// Answers FENs, one a line, with a JSON object a line in the same order: a [`ProbeAnswer`](super::ProbeAnswer),
/// or an object with an `error`; in both, `lucena` has the `fen`. `take` is called with the answers piece by piece, so
/// that the answers to any number of FENs need little memory. Returns the number of invalid FENs.
///
/// # Errors
/// If a table has to be solved and that is stopped, and those of `take`.
pub fn probe_lines<E: From<Stopped>>(
    tables: &ProbeTables<'_>,
    fens: &[&str],
    extent: ProbeExtent,
    observer: &dyn Observer,
    mut take: impl FnMut(Vec<u8>) -> Result<(), E>,
) -> Result<u64, E> {
    let asked = fens.par_iter().with_min_len(SHARE).map(|fen| fen.parse());
    let asked: Vec<Result<Game, FenError>> = asked.collect();
    let lookups = match extent {
        ProbeExtent::Moves => MOVES,
        ProbeExtent::Position => 1,
    };
    tables.prepare(asked.iter().flatten(), lookups, observer)?;
    for (fens, asked) in fens.chunks(AT_ONCE).zip(asked.chunks(AT_ONCE)) {
        let shares = fens.par_chunks(SHARE).zip(asked.par_chunks(SHARE));
        let answer = |(fens, asked)| answer_share(tables, fens, asked, extent, observer);
        let answers: Vec<Vec<u8>> = shares.map(answer).collect::<Result<_, Stopped>>()?;
        answers.into_iter().try_for_each(&mut take)?;
    }
    let wrong = asked.iter().filter(|asked| asked.is_err()).count();
    Ok(wrong as u64)
}

/// What is known of a position, by the extent of the probe.
enum Found {
    Moves(RatedMoves),
    Position(Standing),
}

/// The answers to some lines.
fn answer_share(
    tables: &ProbeTables<'_>,
    fens: &[&str],
    asked: &[Result<Game, FenError>],
    extent: ProbeExtent,
    observer: &dyn Observer,
) -> Result<Vec<u8>, Stopped> {
    // Games whose tables may be solved are looked up together, and so are the others.
    let of_game = |asked: &Result<Game, FenError>| {
        asked.as_ref().ok().map(|game| ProbeTables::may_solve(game, tables.syzygy()))
    };
    let kinds: Vec<Option<bool>> = asked.iter().map(of_game).collect();
    let mut lookups = [None, None];
    let mut found = [Vec::new().into_iter(), Vec::new().into_iter()];
    for may_solve in [false, true] {
        let games = asked.iter().zip(&kinds).filter(|(_, kind)| **kind == Some(may_solve));
        let games: Vec<&Game> = games.filter_map(|(game, _)| game.as_ref().ok()).collect();
        if let Some(first) = games.first() {
            let lookup = tables.lookup(first, observer);
            found[usize::from(may_solve)] = look_up(&games, &lookup, extent)?.into_iter();
            lookups[usize::from(may_solve)] = Some(lookup);
        }
    }

    let mut answers = Vec::with_capacity(match extent {
        ProbeExtent::Moves => 4096 * fens.len(),
        ProbeExtent::Position => 512 * fens.len(),
    });
    for ((&fen, asked), kind) in fens.iter().zip(asked).zip(kinds) {
        let number = usize::from(kind.unwrap_or_default());
        match (asked, &lookups[number]) {
            (Ok(game), Some(lookup)) => match found[number].next() {
                Some(Found::Moves(rated)) => write_moves(fen, game, &rated, lookup, &mut answers),
                Some(Found::Position(standing)) => {
                    write_standing(fen, game, &standing, lookup, &mut answers);
                }
                None => unreachable!("each game has been looked up"),
            },
            (Err(error), _) => {
                let asked = json!({ "fen": beginning(fen) });
                let wrong = json!({ "error": error.to_string(), "lucena": asked });
                serde_json::to_writer(&mut answers, &wrong).expect("texts become JSON");
            }
            (Ok(_), None) => unreachable!("each game has a look-up"),
        }
        answers.push(b'\n');
    }
    Ok(answers)
}

fn look_up(
    games: &[&Game],
    lookup: &TableLookup<'_>,
    extent: ProbeExtent,
) -> Result<Vec<Found>, Stopped> {
    Ok(match extent {
        ProbeExtent::Moves => {
            RatedMoves::of_many(games, lookup)?.into_iter().map(Found::Moves).collect()
        }
        ProbeExtent::Position => {
            Standing::of_many(games, lookup)?.into_iter().map(Found::Position).collect()
        }
    })
}

/// About how many positions the moves of a position lead to.
const MOVES: usize = 16;

/// The number of lines whose answers are held at the same time.
const AT_ONCE: usize = 2048;

/// The number of lines handed to a thread at once.
const SHARE: usize = 32;

/// The part of an invalid line that is echoed. A FEN is much shorter than this limit.
fn beginning(line: &str) -> &str {
    line.char_indices().nth(200).map_or(line, |(end, _)| &line[..end])
}
