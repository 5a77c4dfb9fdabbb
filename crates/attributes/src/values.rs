//! The values of attributes, and the squares that they are about.
//!
//! Values that follow from squares alone are in the table of lucena-model, from which they are also
//! printed in other languages.

use super::focus::Area;
use super::geometry::{king_steps, knight_steps};
use super::man::Man;
use super::number_spec::{NumberSpec, Of, at_most_two, count, value, whether};
use super::reach::{
    cage, forks, is_attacked, is_guarded, is_pinned, reachable_by_king, reachable_in, safe_targets,
    targets,
};
use super::scene::Scene;
use super::{bishops, ending, fight, pawn, region};
use cozy_chess::get_king_moves;
use lucena_chess::symmetry::Symmetry;
use lucena_chess::{Bitboard, Side, Square};
use lucena_model::squares::{
    best_cut, box_sides, box_size, box_steps, centre_steps, centre_sum, color_of, corner_steps,
    critical_steps, cuts, edge_steps, files, held, held_sides, held_size, home_corner, in_line,
    keeps_off, least, number, ranks, shares_line, shorter_side, square_of_distance, steps, to_edge,
    way,
};

macro_rules! functions {
    (
        $K:ident, $k:ident, $X:ident, $Y:ident;
        $($name:literal $men:ident { $value:expr })*
    ) => {
        /// The values that follow from squares alone.
        #[allow(unused_variables)] // Most are not about all four squares.
        const OF_SQUARES: &[(&str, Of<u8>)] = &[$((
            $name,
            |scene: &Scene, x: Man, y: Man| {
                let [$K, $k] = Side::ALL.map(|side| scene.position.king(side) as u8);
                let [$X, $Y] = [x, y].map(|man| scene.place(man));
                $value
            },
        )),*];
    };
}

lucena_model::attribute_values!(functions, strong_king, weak_king, first, second);

/// The rule of an attribute by its name, with `{X}` and so on for men.
pub(super) fn number_spec(name: &str) -> Option<NumberSpec> {
    let of_squares = || OF_SQUARES.iter().find(|(known, _)| *known == name);
    of_board(name).or_else(|| {
        let spec = value(of_squares()?.1);
        Some(match name {
            _ if name.starts_with("{X}Box") => spec.about(Area::Box, boxed),
            "{X}FileCuts" => spec.about(Area::Line, |s, x, _| s.at(x).file().bitboard()),
            "{X}RankCuts" => spec.about(Area::Line, |s, x, _| s.at(x).rank().bitboard()),
            "KHomeCornerSteps" | "KHomeCornerSum" => spec.about(Area::Corners, |s, _, _| {
                Square::index(home_corner(s.weak_king() as u8).into()).bitboard()
            }),
            _ => spec,
        })
    })
}

/// The squares of the box in which a piece holds the weak king.
fn boxed(scene: &Scene, piece: Man, _: Man) -> Bitboard {
    let (piece, king) = (scene.place(piece), scene.weak_king() as u8);
    Square::ALL.into_iter().filter(|at| box_steps(piece, king, *at as u8) == 0).collect()
}

/// The rules that need more of the board than squares.
fn of_board(name: &str) -> Option<NumberSpec> {
    Some(match name {
        "kInCheck" => whether(|s, _, _| is_in_check(s)),
        "kCanMove" => whether(|s, _, _| !s.targets().is_empty()).about(Area::Moves, king_targets),
        "{X}{Y}RanksAhead" => value(|s, x, y| 7 + s.turned(x) as u8 / 8 - s.turned(y) as u8 / 8),
        "{X}{Y}FilesAhead" => value(|s, x, y| 7 + s.turned(x) as u8 % 8 - s.turned(y) as u8 % 8),
        "{X}TurnedRank" => value(|s, x, _| s.turned(x) as u8 / 8 + 1),
        "{X}TurnedFile" => value(|s, x, _| s.turned(x) as u8 % 8 + 1),
        "kMoves" => count(Area::Moves, king_targets),
        "kRoom" => count(Area::Room, |s, _, _| reachable_by_king(s)),
        "{X}Hangs" => {
            whether(|s, x, _| get_king_moves(s.weak_king()).has(s.at(x)) && !is_guarded(s, x))
        }
        "{X}Guarded" => whether(|s, x, _| is_guarded(s, x)),
        "{X}{Y}KnightSteps" => value(|s, x, y| knight_steps(s.at(x), s.at(y))),
        "{X}Attacked" => whether(|s, x, _| is_attacked(s, x)),
        "{X}EnPrise" => whether(|s, x, _| is_attacked(s, x) && !is_guarded(s, x)),
        "{X}Pinned" => whether(|s, x, _| is_pinned(s, x)),
        "{X}Fork" => {
            whether(|s, x, _| forks(s, x)).about(Area::Goals, |s, x, _| safe_targets(s, x))
        }
        "{X}CanMove" => {
            whether(|s, x, _| !targets(s, x).is_empty()).about(Area::Goals, |s, x, _| targets(s, x))
        }
        "{X}SafeMoves" => count(Area::Goals, |s, x, _| safe_targets(s, x)),
        "kReady" => value(|s, _, _| ending::readiness(&s.with_weak_to_move())),
        "kStalemate" => whether(|s, _, _| s.with_weak_to_move().is_stalemate()),
        "kChecks" => value(|s, _, _| ending::checks(&s.position)),
        "kCovered" => count(Area::Moves, |s, _, _| {
            get_king_moves(s.weak_king()) & get_king_moves(s.position.king(Side::Strong))
        }),
        "kGuardedAround" => count(Area::Moves, |s, _, _| {
            get_king_moves(s.weak_king()) & s.position.danger(Side::Weak)
        }),
        "kCage" => count(Area::Room, |s, _, _| cage(s)),
        "kEscapes" => count(Area::Room, |s, _, _| reachable_in(s, 2)),
        "kTakes" => at_most_two(|s, _, _| s.targets() & s.position.men_of(Side::Strong))
            .about(Area::Moves, |s, _, _| s.targets() & s.position.men_of(Side::Strong)),
        "KGuards" => at_most_two(|s, _, _| {
            get_king_moves(s.position.king(Side::Strong)) & s.position.men_of(Side::Strong)
        }),
        "kExposes" => at_most_two(|s, _, _| {
            let kings = Side::ALL.map(|side| s.position.king(side));
            let is_exposed = |at: &Square| king_steps(kings[1], *at) < king_steps(kings[0], *at);
            s.position.men_of(Side::Strong).into_iter().filter(is_exposed).collect()
        }),
        "{X}Mobility" => value(|s, x, _| attacks(s, x, x).len() as u8),
        "kDesperado" => whether(|s, _, _| s.targets().is_empty() && !is_in_check(s))
            .about(Area::Moves, king_targets),
        "{X}DoubleAttack" => whether(|s, x, y| {
            let attacks = attacks(s, x, y);
            attacks.has(s.weak_king()) && (attacks & s.position.men_of(Side::Weak)).len() > 1
        })
        .about(Area::Goals, attacks),
        "{Y}ThirdRank" => whether(|s, _, rook| {
            let [strong, weak] = Side::ALL.map(|side| s.position.king(side) as u8);
            let rook = s.place(rook);
            keeps_off(rook / 8, weak / 8, strong / 8) || keeps_off(rook % 8, weak % 8, strong % 8)
        }),
        "{X}{Y}Philidor" => whether(|s, queen, rook| {
            let [strong, weak] = Side::ALL.map(|side| s.position.king(side));
            let squares = [strong, s.at(queen), weak, s.at(rook)];
            let philidor = [Square::C6, Square::A5, Square::B8, Square::B7];
            Symmetry::ALL.iter().any(|symmetry| squares.map(|at| symmetry.apply(at)) == philidor)
        }),
        _ => {
            return pawn::number_spec(name)
                .or_else(|| bishops::number_spec(name))
                .or_else(|| region::number_spec(name))
                .or_else(|| fight::number_spec(name));
        }
    })
}

fn is_in_check(scene: &Scene) -> bool {
    scene.position.is_attacked(scene.weak_king(), Side::Strong)
}

fn king_targets(scene: &Scene, _: Man, _: Man) -> Bitboard {
    scene.targets()
}

/// The squares that a man attacks.
fn attacks(scene: &Scene, man: Man, _: Man) -> Bitboard {
    scene.position.attacks(man.slot, scene.at(man), scene.position.occupied())
}
