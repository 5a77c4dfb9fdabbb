//! Pawns, and the king of a pawn's own side or of its enemy.

use super::focus::Area;
use super::geometry::{king_steps, of_one_color, steps_to_nearest};
use super::man::Man;
use super::number_spec::{NumberSpec, Of, value, whether};
use super::reach::can_advance;
use super::scene::Scene;
use cozy_chess::get_king_moves;
use lucena_chess::{Bitboard, Rank, Side, Square};
use lucena_model::squares::{files, to_edge};

/// The rule of an attribute by its name.
pub(super) fn number_spec(name: &str) -> Option<NumberSpec> {
    let promotion: Of<Bitboard> = |s, x, _| s.pawn(x).promotion().bitboard();
    let next: Of<Bitboard> = |s, x, _| s.pawn(x).next().bitboard();
    let way: Of<Bitboard> = |s, x, _| s.pawn(x).way();
    Some(match name {
        "{X}PromotionSteps" => value(|s, x, _| s.pawn(x).steps()).about(Area::Way, way),
        "{X}Blocked" => {
            whether(|s, x, _| s.position.occupied().has(s.pawn(x).next())).about(Area::Way, next)
        }
        "{X}CanAdvance" => whether(|s, x, _| can_advance(s, x)).about(Area::Way, next),
        "{O}{X}KeySquare" => whether(|s, x, _| s.pawn(x).key_squares().has(own(s, x)))
            .about(Area::KeySquares, |s, x, _| s.pawn(x).key_squares()),
        "{E}{X}Catches" => whether(|s, x, _| s.pawn(x).catching().has(enemy(s, x)))
            .about(Area::Catching, |s, x, _| s.pawn(x).catching()),
        "K{X}PromotionSteps" => {
            value(|s, x, _| king_steps(s.position.king(Side::Strong), s.pawn(x).promotion()))
                .about(Area::Way, promotion)
        }
        "k{X}PromotionSteps" => value(|s, x, _| king_steps(s.weak_king(), s.pawn(x).promotion()))
            .about(Area::Way, promotion),
        "{Y}{X}InFront" => whether(|s, x, y| s.pawn(x).way().has(s.at(y))).about(Area::Way, way),
        "{X}{Y}PromotionColor" => whether(|s, x, y| of_one_color(s.at(y), s.pawn(x).promotion()))
            .about(Area::Way, promotion),
        "{X}Passed" => whether(|s, x, y| !s.pawn(x).span().has(s.at(y)))
            .about(Area::Way, |s, x, _| s.pawn(x).span()),
        "{X}{Y}Race" => value(|s, x, y| 4 + s.pawn(y).steps() - s.pawn(x).steps()),
        "{X}Advance" => value(|s, x, _| s.pawn(x).advance()),
        "{E}{X}Lead" => value(|s, x, _| {
            let pawn = s.pawn(x);
            6 + king_steps(enemy(s, x), pawn.promotion()) - pawn.steps()
        }),
        "{O}{X}Front" => value(|s, x, _| front(s, x, own(s, x))),
        "{E}{X}Front" => value(|s, x, _| front(s, x, enemy(s, x))),
        "{O}{X}FilesApart" => value(|s, x, _| files(own(s, x) as u8, s.place(x))),
        "{E}{X}FilesApart" => value(|s, x, _| files(enemy(s, x) as u8, s.place(x))),
        "{O}{X}KeySteps" => value(|s, x, _| key_steps(s, x, own(s, x))),
        "{E}{X}KeySteps" => value(|s, x, _| key_steps(s, x, enemy(s, x))),
        "{X}RookPawn" => whether(|s, x, _| is_rook_pawn(s, x)),
        "{X}GuardedByKing" => whether(|s, x, _| get_king_moves(own(s, x)).has(s.at(x))),
        "{X}CornerHeld" => whether(|s, x, _| {
            let steps = king_steps(enemy(s, x), s.pawn(x).promotion());
            is_rook_pawn(s, x) && steps <= key_steps(s, x, own(s, x))
        }),
        "{X}Runs" => whether(|s, x, _| {
            let pawn = s.pawn(x);
            let is_guarded = (pawn.way() & !get_king_moves(own(s, x))).is_empty();
            (pawn.way() & s.position.occupied()).is_empty()
                && (is_guarded || !pawn.catching().has(enemy(s, x)))
        }),
        "{X}SixthRank" => {
            whether(|s, x, _| sixth_rank(s, x, x).has(s.at(x))).about(Area::Line, sixth_rank)
        }
        _ => return None,
    })
}

fn own(scene: &Scene, man: Man) -> Square {
    scene.position.king(man.side)
}

fn enemy(scene: &Scene, man: Man) -> Square {
    scene.position.king(!man.side)
}

fn front(scene: &Scene, pawn: Man, king: Square) -> u8 {
    7 + scene.pawn(pawn).rank_of(king) - scene.pawn(pawn).rank_of(scene.at(pawn))
}

fn key_steps(scene: &Scene, pawn: Man, king: Square) -> u8 {
    steps_to_nearest(king, scene.pawn(pawn).key_squares()).expect("every pawn has key squares")
}

fn is_rook_pawn(scene: &Scene, pawn: Man) -> bool {
    to_edge(scene.place(pawn) % 8) == 0
}

/// The sixth rank, as seen from a king's side.
fn sixth_rank(_: &Scene, king: Man, _: Man) -> Bitboard {
    match king.side {
        Side::Strong => Rank::Sixth.bitboard(),
        Side::Weak => Rank::Third.bitboard(),
    }
}
