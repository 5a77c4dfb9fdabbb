//! Times probes of random positions.
//!
//! ```text
//! cargo run --release -p lucena-syzygy --example time_probes -- FOLDERS MATERIAL [POSITIONS]
//! ```

#![expect(clippy::print_stdout, reason = "it is an example")]

use cozy_chess::{BitBoard, Board, BoardBuilder, Color, Square, get_king_moves};
use lucena_syzygy::{Composition, SyzygyTables};
use std::error::Error;
use std::time::{Duration, Instant};

/// The number of times that all positions are probed. The fastest time counts, as other programs can disturb the others.
const ROUNDS: usize = 30;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folders, name, count @ ..] = &arguments[..] else {
        return Err("name the folders and a material, such as KQvKR".into());
    };
    let tables = SyzygyTables::open(&std::env::split_paths(folders).collect::<Vec<_>>())?;
    let composition: Composition = name.parse()?;
    let count = count.first().map_or(Ok(1_000), |count| count.parse())?;
    let boards = random_boards(composition, count);
    time("outcome", &boards, |board| {
        tables.probe_wdl(board)?;
        Ok(())
    })?;
    time("distance", &boards, |board| {
        tables.probe_dtz(board)?;
        Ok(())
    })
}

fn time(
    name: &str,
    boards: &[Board],
    probe: impl Fn(&Board) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let mut least = Duration::MAX;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        boards.iter().try_for_each(&probe)?;
        least = least.min(start.elapsed());
    }
    let nanoseconds = least.as_nanos() / boards.len() as u128;
    println!("{name}: {nanoseconds} ns");
    Ok(())
}

/// Legal positions of men on random squares.
fn random_boards(composition: Composition, count: usize) -> Vec<Board> {
    let mut state = 1_u64;
    let mut next = move |bound: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    let mut boards = Vec::with_capacity(count);
    while boards.len() < count {
        let mut builder = BoardBuilder::empty();
        builder.side_to_move = if next(2) == 0 { Color::White } else { Color::Black };
        let mut taken = BitBoard::EMPTY;
        for man in composition.men() {
            let square = Square::index(next(64) as usize);
            taken |= square.bitboard();
            *builder.square_mut(square) = Some((man.role, man.color));
        }
        let Ok(board) = builder.build() else { continue };
        let kings_touch = get_king_moves(board.king(Color::White)).has(board.king(Color::Black));
        if taken.len() as usize == composition.len() && !kings_touch {
            boards.push(board);
        }
    }
    boards
}
