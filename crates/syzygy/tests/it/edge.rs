//! Files of endgames with positions on the edge of the fifty-move rule.

use cozy_chess::{Color, Square};
use lucena_syzygy::{Cell, Composition, Endgame, Freedom, Man, Wdl5, write};

/// An endgame with made-up distances: by the side to move, those of the king's dark squares and of its light ones.
struct MadeUp([[u16; 2]; 2]);

impl Endgame for MadeUp {
    fn men(&self) -> Vec<Man> {
        "KQvK".parse::<Composition>().expect("an endgame").men().to_vec()
    }

    fn cell(&self, turn: Color, squares: &[Square]) -> Cell {
        let wdl = if turn == Color::White { Wdl5::Win } else { Wdl5::Loss };
        let is_light = (squares[0].file() as usize + squares[0].rank() as usize) % 2;
        Cell::new(wdl, self.0[turn as usize][is_light], Freedom::default())
    }
}

/// The flags of a part: its wins are in plies, its losses are, and Black is to move.
const WINS: u8 = 4;
const LOSSES: u8 = 8;
const BLACK: u8 = 1;

/// A file says for the side that it stores whether its distances are in plies. The known generator does so too where
/// the other side, which it does not store, has one that a ply more would turn into a draw; the known checker insists.
#[test]
fn distances_are_in_plies_where_either_side_is_on_the_edge() {
    for (wins, losses, expected) in [
        ([97, 99], [96, 98], [0, 0]),
        ([97, 100], [96, 98], [WINS, LOSSES]),
        ([97, 99], [96, 100], [WINS, LOSSES]),
        ([97, 100], [96, 100], [WINS, LOSSES]),
    ] {
        let [_, distances] = write(&MadeUp([wins, losses]));
        // Behind four bytes that say what the file is, the flags, the order and the three men.
        let flags = distances[10];
        let is_black = usize::from(flags & BLACK != 0);
        let expected = expected[is_black];
        assert_eq!(flags & (WINS | LOSSES), expected, "{wins:?} {losses:?}, side {is_black}");
    }
}
