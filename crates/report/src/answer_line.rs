//! The lines of JSON that answer many probes.
//!
//! They are what serde makes of a [`ProbeAnswer`](super::ProbeAnswer). Most of a line is the same for every position,
//! so that a line is written in a fraction of the time if its texts are copied as they are.

use super::lichess_entry::LichessEntry;
use super::probe::ProbeExtras;
use lucena_base::named::Named;
use lucena_chess::{Game, Move, Position};
use lucena_tablebase::{Lookup, RatedMove, RatedMoves, Standing};
use std::io::Write;

/// Writes the JSON of a report with moves.
pub(super) fn write_moves<L: Lookup>(
    fen: &str,
    game: &Game,
    rated: &RatedMoves,
    tables: &L,
    out: &mut Vec<u8>,
) {
    out.push(b'{');
    write_entry(&LichessEntry::new(&rated.before), out);
    out.extend_from_slice(b",\"moves\":[");
    let endgame = game.position().ok();
    for (number, mv) in rated.moves.iter().enumerate() {
        out.extend_from_slice(if number == 0 { b"{\"uci\":\"" } else { b",{\"uci\":\"" });
        match &endgame {
            Some(position) => write_names(position, mv, &rated.moves, out),
            None => write_names_in_game(game, mv.mv, out),
        }
        out.extend_from_slice(b"\",\"zeroing\":");
        write_bool(mv.is_zeroing, out);
        out.extend_from_slice(b",\"conversion\":");
        write_bool(mv.is_conversion, out);
        out.push(b',');
        write_entry(&LichessEntry::new(&mv.after), out);
        out.push(b'}');
    }
    out.extend_from_slice(b"],");
    write_extras(fen, game, (&rated.before, &rated.alone), tables, out);
    out.push(b'}');
}

/// Writes the JSON of a report without moves.
pub(super) fn write_standing<L: Lookup>(
    fen: &str,
    game: &Game,
    standing: &Standing,
    tables: &L,
    out: &mut Vec<u8>,
) {
    out.push(b'{');
    write_entry(&LichessEntry::new(standing), out);
    out.push(b',');
    write_extras(fen, game, (standing, standing), tables, out);
    out.push(b'}');
}

/// Writes a move in UCI and in algebraic notation, with what is between them.
fn write_names(position: &Position, mv: &RatedMove, moves: &[RatedMove], out: &mut Vec<u8>) {
    let Move { from, to, promotion } = mv.mv;
    for square in [from, to] {
        out.extend(
            [char::from(square.file()), char::from(square.rank())].map(|letter| letter as u8),
        );
    }
    out.extend(promotion.map(|role| char::from(role) as u8));
    out.extend_from_slice(b"\",\"san\":\"");
    let others = moves.iter().map(|other| other.mv);
    let san = position.write_san(mv.mv, mv.takes(), mv.threat(), others);
    out.extend_from_slice(san.as_bytes());
}

/// [`write_names`] for positions of no endgame.
#[cold]
fn write_names_in_game(game: &Game, mv: Move, out: &mut Vec<u8>) {
    let legal = "only legal moves are rated";
    out.extend_from_slice(game.uci(mv).expect(legal).as_bytes());
    out.extend_from_slice(b"\",\"san\":\"");
    out.extend_from_slice(game.san(mv).expect(legal).as_bytes());
}

/// Writes the fields of an entry.
fn write_entry(entry: &LichessEntry, out: &mut Vec<u8>) {
    let LichessEntry { checkmate, stalemate, insufficient_material, dtz, precise_dtz, dtm, .. } =
        *entry;
    match (checkmate, stalemate, insufficient_material) {
        (false, false, false) => out.extend_from_slice(
            b"\"checkmate\":false,\"stalemate\":false,\"variant_win\":false,\"variant_loss\":false,\"insufficient_material\":false",
        ),
        _ => {
            out.extend_from_slice(b"\"checkmate\":");
            write_bool(checkmate, out);
            out.extend_from_slice(b",\"stalemate\":");
            write_bool(stalemate, out);
            out.extend_from_slice(
                b",\"variant_win\":false,\"variant_loss\":false,\"insufficient_material\":",
            );
            write_bool(insufficient_material, out);
        }
    }
    out.extend_from_slice(b",\"dtz\":");
    write_number(dtz, out);
    out.extend_from_slice(b",\"precise_dtz\":");
    write_number(precise_dtz, out);
    out.extend_from_slice(b",\"dtm\":");
    write_number(dtm, out);
    out.extend_from_slice(b",\"dtw\":null,\"dtc\":null,\"category\":\"");
    out.extend_from_slice(entry.category.name().as_bytes());
    out.push(b'"');
}

fn write_bool(value: bool, out: &mut Vec<u8>) {
    out.extend_from_slice(if value { b"true" } else { b"false" });
}

fn write_number(number: Option<i32>, out: &mut Vec<u8>) {
    match number {
        None => out.extend_from_slice(b"null"),
        Some(small @ -99..100) => {
            if small < 0 {
                out.push(b'-');
            }
            let digits = small.unsigned_abs() as u8;
            if digits >= 10 {
                out.push(b'0' + digits / 10);
            }
            out.push(b'0' + digits % 10);
        }
        Some(number) => write!(out, "{number}").expect(IN_MEMORY),
    }
}

/// Writes lucena's own fields.
fn write_extras<L: Lookup>(
    fen: &str,
    game: &Game,
    standings: (&Standing, &Standing),
    tables: &L,
    out: &mut Vec<u8>,
) {
    let extras = ProbeExtras::new(fen.into(), game, standings, tables);
    out.extend_from_slice(b"\"lucena\":");
    serde_json::to_writer(out, &extras).expect("texts become JSON");
}

const IN_MEMORY: &str = "memory can be written";
