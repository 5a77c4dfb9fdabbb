//! A slice of an endgame by the place of its pawn, as in `KRPvKR@a7`: the endgame, and the part of it that conditions
//! describe.

use super::{Failure, Result};
use lucena::chess::{Material, Role, Side, Square};
use std::ffi::OsString;

/// The verbs that take a part of an endgame.
const VERBS: [&[&str]; 6] =
    [&["prove"], &["rules"], &["find", "strategy"], &["learn"], &["dataset"], &["attributes"]];

/// Replaces slices among the words of a command line by their endgame and its conditions.
pub(super) fn expand(words: &[OsString]) -> Result<Vec<OsString>> {
    let mut expanded = Vec::with_capacity(words.len());
    for word in words {
        match word.to_str().and_then(|text| text.split_once('@')) {
            Some((endgame, square)) if endgame.contains('v') => {
                match (endgame.parse::<Material>(), square.parse::<Square>()) {
                    (Ok(material), Ok(square)) => {
                        check_verb(words, endgame)?;
                        expanded.push(endgame.into());
                        expanded.extend(conditions(material, square)?.map(OsString::from));
                    }
                    _ => expanded.push(word.clone()),
                }
            }
            _ => expanded.push(word.clone()),
        }
    }
    Ok(expanded)
}

fn check_verb(words: &[OsString], endgame: &str) -> Result<()> {
    let has = |verb: &&[&str]| {
        words
            .windows(verb.len())
            .any(|some| some.iter().zip(*verb).all(|(word, name)| word == name))
    };
    if VERBS.iter().any(has) {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "this verb works on whole endgames: write {endgame}; prove, rules, find strategy, learn, dataset and attributes take a slice"
    )))
}

/// The options that say where the only pawn stands, or on the mirrored square.
fn conditions(material: Material, square: Square) -> Result<[String; 2]> {
    let pawn = |side: Side| {
        let slots = material.slots_of(side);
        slots.filter(|&slot| material.role(slot) == Role::Pawn).map(move |_| side)
    };
    let pawns: Vec<Side> = Side::ALL.into_iter().flat_map(pawn).collect();
    let letter = match pawns[..] {
        [Side::Strong] => 'P',
        [Side::Weak] => 'p',
        _ => {
            return Err(Failure::usage(format!(
                "{material} does not have exactly one pawn, so no square names a slice of it: use --where"
            )));
        }
    };
    let (rank, file) = (square.rank() as usize + 1, square.file() as usize);
    Ok([
        format!("--where={letter}Rank = {rank}"),
        format!("--where={letter}MinDistanceRank = {}", file.min(7 - file)),
    ])
}
