//! Material that decides.

use super::forcing::visit_conversions;
use super::geometry::of_one_color;
use super::pawn_ending;
use lucena_chess::{Color, Material, Position, Role, Side, Step};

/// The lead in pawns that is decisive if the other side has more than a king.
const LEAD: u8 = 4;

/// Returns true if what is on the board is decisive for a colour.
///
/// Against a bare king a queen, a rook, two bishops on squares of both colours, bishop and knight, two pawns, or a pawn
/// and a piece are decisive; a pawn alone is if its ending is won. Otherwise a lead of four pawns is: a queen counts
/// nine, a rook five, a bishop or a knight three.
///
/// ```
/// use lucena_attributes::is_decisive;
/// use lucena_chess::Color;
///
/// for (fen, expected) in [
///     ("4k3/8/8/8/8/8/8/R3K3 b - - 0 1", true),
///     ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", true),
///     ("4k3/8/8/4P3/8/4K3/8/8 b - - 0 1", false),
///     ("4kr2/8/8/8/8/8/4P3/R3K3 w - - 0 1", false),
/// ] {
///     assert_eq!(is_decisive(&fen.parse()?, Color::White), expected, "{fen}");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn is_decisive(position: &Position, color: Color) -> bool {
    let (material, side) = (position.material(), side_of(position, color));
    if !material.is_bare(!side) {
        return worth(material, side) >= worth(material, !side) + LEAD;
    }
    let of = |role| material.slots_of(side).filter(move |&slot| material.role(slot) == role);
    let has = |role| of(role).next().is_some();
    if has(Role::Queen) || has(Role::Rook) {
        return true;
    }
    match of(Role::Pawn).count() {
        0 if has(Role::Knight) => has(Role::Bishop),
        0 => {
            let mut bishops = of(Role::Bishop).map(|slot| position.squares()[slot]);
            let first = bishops.next();
            first.is_some_and(|first| bishops.any(|other| !of_one_color(first, other)))
        }
        1 if material.slots_of(side).count() == 2 => pawn_ending::is_won(position),
        _ => true,
    }
}

/// The lead of a colour in pawns, negative if it is behind: after the capture or promotion of the other colour, to move, that
/// costs it most, and as it is.
pub(super) fn leads(position: &Position, color: Color) -> [i16; 2] {
    let lead = |position: &Position| {
        let (material, side) = (position.material(), side_of(position, color));
        i16::from(worth(material, side)) - i16::from(worth(material, !side))
    };
    let now = lead(position);
    let mut least = now;
    visit_conversions(position, |step| least = least.min(lead(&position.after(step))));
    [least, now]
}

/// [`is_decisive`] after a legal step. The position after it is made only if the other side is left with its king alone.
pub(super) fn is_decisive_after(position: &Position, step: Step, color: Color) -> bool {
    let (material, side) = (position.material(), side_of(position, color));
    let [mut own, mut other] = [side, !side].map(|side| worth(material, side));
    let gain = step.promotion.map_or(0, |role| points(role) - points(Role::Pawn));
    let loss = step.captured.map_or(0, |slot| points(material.role(slot)));
    if position.turn() == side {
        (own, other) = (own + gain, other - loss);
    } else {
        (own, other) = (own - loss, other + gain);
    }
    if other > 0 { own >= other + LEAD } else { is_decisive(&position.after(step), color) }
}

/// The men of a side, in pawns.
fn worth(material: Material, side: Side) -> u8 {
    material.slots_of(side).map(|slot| points(material.role(slot))).sum()
}

/// A man, in pawns; a king cannot be lost.
fn points(role: Role) -> u8 {
    match role {
        Role::Queen => 9,
        Role::Rook => 5,
        Role::Bishop | Role::Knight => 3,
        Role::Pawn => 1,
        Role::King => 0,
    }
}

/// The side of a colour. A capture or a promotion can exchange the sides.
pub(super) fn side_of(position: &Position, color: Color) -> Side {
    if position.strong() == color { Side::Strong } else { Side::Weak }
}
