//! What the answer to a question is in a position.

use super::contact::{attacked, can_advance, forks, guarded, pinned, safe_targets, targets};
use super::pawn::Pawn;
use super::scene::{
    CORNERS, EDGE, Extent, Scene, apart, corners_of_color, extent, king_steps, knight_steps,
    of_one_color, on_one_diagonal, room, sides, steps_to_nearest, to_edges,
};
use super::{Attribute, Axis, Corner, Man, Question};
use crate::chess::{Material, Position, Side};
use cozy_chess::get_king_moves;

impl Attribute {
    /// The value in a position of its material.
    #[inline]
    pub fn value(&self, position: &Position) -> u8 {
        self.value_in(&Scene::new(position))
    }

    /// The value in a position about which other attributes have been asked.
    #[inline]
    pub(super) fn value_in(&self, scene: &Scene) -> u8 {
        let position = &scene.position;
        let squares = position.squares();
        let at = |man: &Man| squares[man.slot];
        let pawn = |man: &Man| Pawn::of(position, man.slot);
        match self.question() {
            Question::Location(man, Axis::File) => at(man).file() as u8 + 1,
            Question::Location(man, Axis::Rank) => at(man).rank() as u8 + 1,
            Question::EdgeDistance(man, axis) => {
                let along = axis.along(at(man));
                along.min(7 - along)
            }
            // Standing on one file is being level along the rank.
            Question::SameLine(one, other, Axis::File) => {
                u8::from(Axis::Rank.along(at(one)) == Axis::Rank.along(at(other)))
            }
            Question::SameLine(one, other, Axis::Rank) => {
                u8::from(Axis::File.along(at(one)) == Axis::File.along(at(other)))
            }
            Question::Distance(one, other, axis) => {
                axis.along(at(one)).abs_diff(axis.along(at(other)))
            }
            Question::Opposition(one, other) => {
                let [along_file, along_rank] =
                    Axis::BOTH.map(|axis| axis.along(at(one)).abs_diff(axis.along(at(other))));
                if along_file == 0 || along_rank == 0 { along_file + along_rank } else { 0 }
            }
            Question::OnEdge(man) => u8::from(EDGE.has(at(man))),
            Question::InCorner(man) => u8::from(CORNERS.has(at(man))),
            Question::InCheck(man) => u8::from(position.is_attacked(at(man), Side::Strong)),
            Question::CanMove(man) if man.slot == Material::king(Side::Weak) => {
                u8::from(!scene.targets().is_empty())
            }
            Question::CanMove(man) => u8::from(!targets(position, man.slot).is_empty()),
            Question::Steps(one, other) => king_steps(at(one), at(other)),
            Question::DistanceSum(one, other) => apart(at(one), at(other)).iter().sum(),
            Question::DistanceLess(one, other) => {
                let [file, rank] = apart(at(one), at(other));
                file.min(rank)
            }
            Question::KnightApart(one, other) => {
                u8::from(matches!(apart(at(one), at(other)), [1, 2] | [2, 1]))
            }
            Question::EdgeSteps(man) => {
                let [file, rank] = to_edges(at(man));
                file.min(rank)
            }
            Question::CornerSteps(man) => {
                let [file, rank] = to_edges(at(man));
                file.max(rank)
            }
            Question::Moves(_) => scene.targets().len() as u8,
            Question::Room(_) => room(position).len() as u8,
            Question::Hangs(man) => {
                let takes = get_king_moves(position.king(Side::Weak)).has(at(man));
                u8::from(takes && !guarded(position, man.slot))
            }
            Question::Guarded(man) => u8::from(guarded(position, man.slot)),
            Question::Box(man, axis) => extent(*axis, at(man), position.king(Side::Weak)).len(),
            Question::BoxSize(man) => sides(at(man), position.king(Side::Weak)).iter().product(),
            Question::BoxSides(man) => sides(at(man), position.king(Side::Weak)).iter().sum(),
            Question::BoxWidth(man) => {
                let [file, rank] = sides(at(man), position.king(Side::Weak));
                file.min(rank)
            }
            Question::BoxSteps(man, king) => {
                let [file, rank] = Axis::BOTH.map(|axis| {
                    let Extent { low, high } = extent(axis, at(man), position.king(Side::Weak));
                    let along = axis.along(at(king));
                    low.saturating_sub(along).max(along.saturating_sub(high))
                });
                file.max(rank)
            }
            Question::Cuts(man, axis) => {
                let [one, cut, other] =
                    [position.king(Side::Strong), at(man), position.king(Side::Weak)]
                        .map(|square| axis.along(square));
                u8::from(one.min(other) < cut && cut < one.max(other))
            }
            Question::Ahead(one, other, axis) => {
                let [one, other] = [one, other].map(|man| axis.along(scene.turned(man.slot)));
                7 + one - other
            }
            Question::Turned(man, axis) => axis.along(scene.turned(man.slot)) + 1,
            Question::Diagonal(one, other) => u8::from(on_one_diagonal(at(one), at(other))),
            Question::SameColor(one, other) => u8::from(of_one_color(at(one), at(other))),
            Question::BishopCorner(king, bishop, corner) => {
                let right = corners_of_color(at(bishop));
                let corners = match corner {
                    Corner::Right => right,
                    Corner::Wrong => CORNERS & !right,
                };
                steps_to_nearest(at(king), corners).expect("there are two of each colour")
            }
            Question::KnightSteps(one, other) => knight_steps(at(one), at(other)),
            Question::Promotion(man) => pawn(man).steps(),
            Question::PromotionSteps(king, man) => king_steps(at(king), pawn(man).promotion()),
            Question::PromotionColor(man, bishop) => {
                u8::from(of_one_color(at(bishop), pawn(man).promotion()))
            }
            Question::Catches(king, man) => u8::from(pawn(man).catching().has(at(king))),
            Question::KeySquare(king, man) => u8::from(pawn(man).key_squares().has(at(king))),
            Question::InFront(man, other) => u8::from(pawn(other).way().has(at(man))),
            Question::Blocked(man) => u8::from(position.occupied().has(pawn(man).next())),
            Question::CanAdvance(man) => u8::from(can_advance(position, man.slot)),
            Question::Passed(man, other) => u8::from(!pawn(man).span().has(at(other))),
            Question::Race(one, other) => 4 + pawn(other).steps() - pawn(one).steps(),
            Question::HasOpposition(one, other) => {
                let [file, rank] = apart(at(one), at(other));
                let in_line = file == 0 || rank == 0 || file == rank;
                u8::from(in_line && file.max(rank) % 2 == 0)
            }
            Question::Attacked(man) => u8::from(attacked(position, man.slot)),
            Question::EnPrise(man) => {
                u8::from(attacked(position, man.slot) && !guarded(position, man.slot))
            }
            Question::Pinned(man) => u8::from(pinned(position, man.slot)),
            Question::Forks(man) => u8::from(forks(position, man.slot)),
            Question::SafeMoves(man) => safe_targets(position, man.slot).len() as u8,
        }
    }
}
