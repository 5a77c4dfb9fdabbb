//! An endgame of three men without pawns, solved by trying all moves.

use crate::made_table::{board, write};
use cozy_chess::{Board, Color, Square};
use lucena_syzygy::{Cell, Composition, Endgame, Freedom, Man, TableKind, Wdl5};
use std::path::Path;

/// What is known of a placement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Illegal,
    Open,
    Draw,
    /// The plies to mate.
    Plies(u16),
}

/// All placements with their values, and a change of what is written of them.
pub(crate) struct Solved {
    name: &'static str,
    men: Vec<Man>,
    values: Vec<Value>,
    change: fn(&Board, Cell) -> Cell,
}

/// The number of a placement.
fn index(turn: Color, squares: &[Square]) -> usize {
    squares.iter().fold(turn as usize, |index, square| index * 64 + *square as usize)
}

fn men_of(board: &Board, men: &[Man]) -> Option<Vec<Square>> {
    men.iter().map(|man| board.colored_pieces(man.color, man.role).next_square()).collect()
}

impl Solved {
    /// Solves an endgame of one white man and the kings.
    pub(crate) fn new(name: &'static str) -> Self {
        let composition: Composition = name.parse().unwrap();
        let men = composition.men().to_vec();
        let mut values = vec![Value::Illegal; 2 << 18];
        let mut positions = Vec::new();
        for (number, value) in values.iter_mut().enumerate() {
            let turn = if number >> 18 == 0 { Color::White } else { Color::Black };
            let squares = [12, 6, 0].map(|shift| Square::index(number >> shift & 63));
            let differ = (0..3).all(|one| squares[one] != squares[(one + 1) % 3]);
            let Some(board) = differ.then(|| board(&men, &squares, turn)).flatten() else {
                continue;
            };
            let (moves, can_draw) = successors(&board, &men);
            let is_mate = !board.checkers().is_empty();
            *value = match (moves.is_empty() && !can_draw, is_mate) {
                (true, true) => Value::Plies(0),
                (true, false) => Value::Draw,
                _ => Value::Open,
            };
            positions.push((number, moves, can_draw));
        }
        solve(&mut values, &positions);
        Self { name, men, values, change: |_, cell| cell }
    }

    /// The same with a change of what is written.
    pub(crate) fn with(self, change: fn(&Board, Cell) -> Cell) -> Self {
        Self { change, ..self }
    }

    /// Writes the two files.
    pub(crate) fn write(&self, folder: &Path) {
        let files = lucena_syzygy::write(self);
        for (kind, bytes) in [TableKind::Wdl, TableKind::Dtz].into_iter().zip(files) {
            write(folder, self.name, kind, &bytes);
        }
    }
}

/// The numbers of the placements after the moves of a position, and whether a capture leaves the kings alone.
fn successors(board: &Board, men: &[Man]) -> (Vec<usize>, bool) {
    let (mut numbers, mut can_draw) = (Vec::new(), false);
    board.generate_moves(|moves| {
        for step in moves {
            let mut after = board.clone();
            after.play_unchecked(step);
            match men_of(&after, men) {
                Some(squares) => numbers.push(index(after.side_to_move(), &squares)),
                None => can_draw = true,
            }
        }
        false
    });
    (numbers, can_draw)
}

/// Finds the plies to mate, one after another.
fn solve(values: &mut [Value], positions: &[(usize, Vec<usize>, bool)]) {
    for plies in 1.. {
        let before = Value::Plies(plies - 1);
        let mut found = Vec::new();
        for (number, moves, can_draw) in
            positions.iter().filter(|(n, ..)| values[*n] == Value::Open)
        {
            let is_won = |next: &usize| matches!(values[*next], Value::Plies(p) if p % 2 == 1);
            let is_found = match plies % 2 {
                1 => moves.iter().any(|next| values[*next] == before),
                _ => !can_draw && moves.iter().all(is_won),
            };
            if is_found {
                found.push(*number);
            }
        }
        if found.is_empty() && plies > 1 {
            break;
        }
        found.into_iter().for_each(|number| values[number] = Value::Plies(plies));
    }
    values.iter_mut().filter(|value| **value == Value::Open).for_each(|value| *value = Value::Draw);
}

impl Endgame for Solved {
    fn men(&self) -> Vec<Man> {
        self.men.clone()
    }

    fn cell(&self, turn: Color, squares: &[Square]) -> Cell {
        let Some(board) = board(&self.men, squares, turn) else { return Cell::NONE };
        let can_draw = successors(&board, &self.men).1;
        let by_capture = Freedom { by_capture: true, by_zeroing: false };
        let cell = match self.values[index(turn, squares)] {
            Value::Illegal | Value::Open => Cell::NONE,
            Value::Draw if can_draw => Cell::new(Wdl5::Draw, 0, by_capture),
            Value::Draw => Cell::new(Wdl5::Draw, 0, Freedom::default()),
            Value::Plies(plies) if plies % 2 == 1 => {
                Cell::new(Wdl5::Win, plies, Freedom::default())
            }
            Value::Plies(plies) => Cell::new(Wdl5::Loss, plies, Freedom::default()),
        };
        (self.change)(&board, cell)
    }
}
