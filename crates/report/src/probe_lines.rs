//! The answers to many probes, a line each.

use super::probe::{ProbeAnswer, ProbeExtent};
use lucena_base::progress::{Observer, Stopped};
use lucena_chess::{FenError, Game};
use lucena_tablebase::ProbeTables;
use rayon::prelude::*;
use serde_json::json;

/// Answers FENs, one a line, with a JSON object a line in the same order: a [`ProbeAnswer`],
/// or an object with an `error`; in both, `lucena` has the `fen`. Also returns the number of invalid FENs.
///
/// # Errors
/// If a table has to be solved and that is stopped.
pub fn probe_lines(
    tables: &ProbeTables<'_>,
    fens: &[&str],
    extent: ProbeExtent,
    observer: &dyn Observer,
) -> Result<(Vec<u8>, u64), Stopped> {
    let asked = fens.par_iter().with_min_len(SHARE).map(|fen| fen.parse());
    let asked: Vec<Result<Game, FenError>> = asked.collect();
    tables.prepare(asked.iter().flatten(), observer)?;
    let answer = |(fens, asked): (&[&str], &[Result<Game, FenError>])| {
        let mut answers = Vec::new();
        for (&fen, asked) in fens.iter().zip(asked) {
            let written = match asked {
                Ok(game) => {
                    let tables = tables.lookup(game, observer);
                    let answer = ProbeAnswer::new(fen.into(), game, extent, &tables)?;
                    serde_json::to_writer(&mut answers, &answer)
                }
                Err(error) => {
                    let asked = json!({ "fen": beginning(fen) });
                    let wrong = json!({ "error": error.to_string(), "lucena": asked });
                    serde_json::to_writer(&mut answers, &wrong)
                }
            };
            written.expect("texts and numbers become JSON");
            answers.push(b'\n');
        }
        Ok(answers)
    };
    let shares = fens.par_chunks(SHARE).zip(asked.par_chunks(SHARE));
    let answers: Vec<Vec<u8>> = shares.map(answer).collect::<Result<_, Stopped>>()?;
    let wrong = asked.iter().filter(|asked| asked.is_err()).count();
    Ok((answers.concat(), wrong as u64))
}

/// The number of lines handed to a thread at once.
const SHARE: usize = 32;

/// The part of an invalid line that is echoed. A FEN is much shorter than this limit.
fn beginning(line: &str) -> &str {
    line.char_indices().nth(200).map_or(line, |(end, _)| &line[..end])
}
