//! For the engine author: king and rook against king with the generated code alone.
//!
//! `cargo run --release -p lucena-generated --example engine` plays a game against a defender that
//! runs for the centre. The board and its moves are the engine's own (here those of cozy-chess). The
//! only part of lucena is the crate `lucena-generated`, which is `no_std` and has no dependencies.

#![allow(clippy::print_stdout)]

use cozy_chess::{Board, Color, GameStatus, Move, Piece, Square};
use lucena_generated::krvk_cart::{Attributes, Class, classify};

fn main() {
    let mut board: Board = "8/8/8/3k4/8/8/8/K6R w - - 0 1".parse().expect("a position");
    let mut moves = 0;
    while board.status() == GameStatus::Ongoing {
        let mv = match board.side_to_move() {
            Color::White => choose(&board),
            Color::Black => run_for_the_centre(&board),
        };
        println!("{mv}");
        board.play(mv);
        moves += 1;
    }
    assert_eq!(board.status(), GameStatus::Won, "king and rook win");
    assert!(!board.checkers().is_empty() && moves < 32, "no mate takes more than 16 moves");
    println!("mate after {} moves", (moves + 1) / 2);
}

/// White's move with the quickest mate according to the tree.
fn choose(board: &Board) -> Move {
    let depth = |mv: &Move| {
        let mut after = board.clone();
        after.play_unchecked(*mv);
        classify(&attributes(&after)).filter(|class| *class != Class::Draw)
    };
    let moves = legal_moves(board).into_iter();
    // Classes are ordered by the moves to mate; draws are already filtered out.
    let best = moves.filter_map(|mv| Some((depth(&mv)?, mv))).min_by_key(|(class, _)| *class);
    best.expect("every position is won").1
}

fn legal_moves(board: &Board) -> Vec<Move> {
    let mut all = Vec::new();
    board.generate_moves(|moves| {
        all.extend(moves);
        false
    });
    all
}

/// A square as (file, rank), each from 0.
type FileRank = (u8, u8);

/// The image of the board that the tree was trained on, one of eight rotations and reflections: White's
/// king in the triangle a1-d1-d4, and the first man off the diagonal below it.
fn representative(men: [FileRank; 3]) -> [FileRank; 3] {
    let turns = (0..8).map(|turn| {
        men.map(|(file, rank)| {
            let file = if turn & 1 == 0 { file } else { 7 - file };
            let rank = if turn & 2 == 0 { rank } else { 7 - rank };
            if turn & 4 == 0 { (file, rank) } else { (rank, file) }
        })
    });
    let is_it = |men: &[FileRank; 3]| {
        let off_diagonal = men.iter().find(|(file, rank)| file != rank);
        men[0].0 < 4 && men[0].1 < 4 && off_diagonal.is_none_or(|(file, rank)| rank < file)
    };
    turns.into_iter().find(is_it).expect("one of the eight images is the representative")
}

/// The attributes of the tree, by the definitions in the fields of [`Attributes`].
fn attributes(board: &Board) -> Attributes {
    let place = |color, piece| {
        let square: Square = board.colored_pieces(color, piece).into_iter().next().expect("a man");
        (square.file() as u8, square.rank() as u8)
    };
    let black_king = place(Color::Black, Piece::King);
    let men = [place(Color::White, Piece::King), place(Color::White, Piece::Rook), black_king];
    let [king, rook, weak] = {
        // The weak king comes before the rook in the choice of the image.
        let [king, weak, rook] = representative([men[0], men[2], men[1]]);
        [king, rook, weak]
    };
    let to_edge = |along: u8| along.min(7 - along);
    let is_edge = |(file, rank): FileRank| u8::from(to_edge(file) == 0 || to_edge(rank) == 0);
    let is_corner = |(file, rank): FileRank| u8::from(to_edge(file) == 0 && to_edge(rank) == 0);
    let files = |one: FileRank, other: FileRank| one.0.abs_diff(other.0);
    let ranks = |one: FileRank, other: FileRank| one.1.abs_diff(other.1);
    let in_line = files(king, weak) == 0 || ranks(king, weak) == 0;
    Attributes {
        KMinDistanceFile: to_edge(king.1),
        KMinDistanceRank: to_edge(king.0),
        RMinDistanceFile: to_edge(rook.1),
        RMinDistanceRank: to_edge(rook.0),
        kMinDistanceFile: to_edge(weak.1),
        kMinDistanceRank: to_edge(weak.0),
        KkFile: u8::from(files(king, weak) == 0),
        KkRank: u8::from(ranks(king, weak) == 0),
        KRFile: u8::from(files(king, rook) == 0),
        KRRank: u8::from(ranks(king, rook) == 0),
        kRFile: u8::from(files(weak, rook) == 0),
        kRRank: u8::from(ranks(weak, rook) == 0),
        KkDistanceFile: ranks(king, weak),
        KkDistanceRank: files(king, weak),
        KRDistanceFile: ranks(king, rook),
        KRDistanceRank: files(king, rook),
        kRDistanceFile: ranks(weak, rook),
        kRDistanceRank: files(weak, rook),
        KkOppositionDistance: if in_line { files(king, weak) + ranks(king, weak) } else { 0 },
        kOnEdge: is_edge(weak),
        kInCorner: is_corner(weak),
        kInCheck: u8::from(!board.checkers().is_empty()),
        kCanMove: u8::from(!legal_moves(board).is_empty()),
        ROnEdge: is_edge(rook),
    }
}

/// Black's move that brings its king nearest to the centre.
fn run_for_the_centre(board: &Board) -> Move {
    let off = |along: u8| if along < 4 { 3 - along } else { along - 4 };
    let far = |mv: &Move| off(mv.to.file() as u8).max(off(mv.to.rank() as u8));
    legal_moves(board).into_iter().min_by_key(far).expect("the game goes on")
}
