//! Pawns and kings: races, the king's place in front of the pawn, and pawns that run through.

use super::Attribute;
use super::attribute::{NO_OR_YES, Question};
use super::focus::Area;
use super::geometry::{king_steps, steps_to_nearest, to_edges};
use super::man::{Man, Men};
use super::party::{Fact, Measure, Party};
use super::scene::Scene;
use super::support::letter;
use super::teller::Teller;
use super::words::{Comparison, KING_MOVES, MOVES, unit};
use cozy_chess::get_king_moves;
use lucena_chess::{Rank, Role, Side};

/// Attributes of the strong side's pawns, then of the weak side's.
pub(super) fn all(men: &Men) -> Vec<Attribute> {
    let mut attributes = Vec::new();
    for party in Party::pawns(men) {
        let [own, other] = [men.king(party.side()), men.king(!party.side())];
        attributes.push(advance(party));
        attributes.push(lead(party, other));
        for king in [own, other] {
            attributes.extend([
                front(party, king),
                files_apart(party, king),
                key_steps(party, king),
            ]);
        }
        attributes.extend(rook_pawn(party));
        attributes.extend(guarded_by_king(party, own));
        attributes.extend(corner_held(party, [own, other]));
        attributes.extend(runs(party, [own, other]));
    }
    let has_pawn = |king: &Man| men.of_role(Role::Pawn).any(|pawn| pawn.side == king.side);
    let kings = Side::ALL.map(|side| men.king(side));
    attributes.extend(kings.into_iter().filter(has_pawn).map(sixth_rank));
    attributes
}

/// The number of ranks that a pawn has advanced from its second rank, 0 to 5.
///
/// ```text
/// 4 . P . .
/// 3 . . . .
/// 2 . . . .
/// 1 . . K .
///   a b c d      PAdvance = 2
/// ```
fn advance(party: Party) -> Attribute {
    Measure {
        party,
        name: ["", "Advance"],
        domain: 0..=5,
        meaning: format!("ranks that the {} has gone from its second rank", party.words()),
        men: vec![],
        value: |scene: &Scene, man: Man| scene.pawn(man).advance(),
        sentence: |tell: &Teller, man: &str| {
            format!("{man} has gone {}", tell.range.count(unit("rank", "ranks")))
        },
        aim: |tell: &Teller, man: &str| match tell.range.is_open_above() {
            false => format!("keep {man} back"),
            true => format!("bring {man} as far forward as possible"),
        },
    }
    .attribute()
}

/// The number of moves that the enemy king needs to the promotion square in excess of the pawn's, -6 to
/// 6, stored as 0 to 12.
fn lead(party: Party, other: Man) -> Attribute {
    Measure {
        party,
        name: [letter(other), "Lead"],
        domain: 0..=12,
        meaning: format!(
            "moves that the {other:#} needs more to the promotion square than the {}, 6 is as many",
            party.words()
        ),
        men: vec![other],
        value: move |scene: &Scene, man: Man| {
            let pawn = scene.pawn(man);
            6 + king_steps(scene.at(other), pawn.promotion()) - pawn.steps()
        },
        sentence: move |tell: &Teller, man: &str| {
            let ahead_or_behind = Comparison {
                unit: MOVES,
                more: "behind",
                less: "ahead of",
                level: "level",
                level_with: "level with",
            };
            let place = ahead_or_behind.say(tell.range.centred(), man);
            format!("{} is {place} in the race to its promotion square", tell.name(other))
        },
        aim: move |tell: &Teller, man: &str| {
            let how = tell.either("little", "much");
            let king = tell.name(other);
            format!("have {man} as {how} ahead of {king} in the race to promote as possible")
        },
    }
    .attribute()
}

/// The number of ranks by which a king is in front of a pawn, -7 to 7, stored as 0 to 14.
fn front(party: Party, king: Man) -> Attribute {
    Measure {
        party,
        name: [letter(king), "Front"],
        domain: 0..=14,
        meaning: format!(
            "ranks that the {king:#} stands in front of the {}, 7 is on its rank",
            party.words()
        ),
        men: vec![king],
        value: move |scene: &Scene, man: Man| {
            let pawn = scene.pawn(man);
            7 + pawn.rank_of(scene.at(king)) - pawn.rank_of(scene.at(man))
        },
        sentence: move |tell: &Teller, man: &str| {
            let before_or_behind = Comparison {
                unit: unit("rank", "ranks"),
                more: "in front of",
                less: "behind",
                level: "level",
                level_with: "level with",
            };
            let place = before_or_behind.say(tell.range.centred(), man);
            format!("{} is {place}", tell.name(king))
        },
        aim: move |tell: &Teller, man: &str| {
            let how = tell.either("far behind", "far in front of");
            format!("have {} as {how} {man} as possible", tell.name(king))
        },
    }
    .attribute()
}

/// The number of files between a king and a pawn, 0 to 7.
fn files_apart(party: Party, king: Man) -> Attribute {
    Measure {
        party,
        name: [letter(king), "FilesApart"],
        domain: 0..=7,
        meaning: format!("files between the {king:#} and the {}", party.words()),
        men: vec![king],
        value: move |scene: &Scene, man: Man| {
            (scene.at(king).file() as u8).abs_diff(scene.at(man).file() as u8)
        },
        sentence: move |tell: &Teller, man: &str| {
            let count = tell.range.count(unit("file", "files"));
            format!("{} is {count} from {man}", tell.name(king))
        },
        aim: move |tell: &Teller, man: &str| {
            let how = tell.either("few", "many");
            format!("have as {how} files as possible between {} and {man}", tell.name(king))
        },
    }
    .attribute()
}

/// The number of moves from a king to the nearest key square of a pawn, 0 to 7.
fn key_steps(party: Party, king: Man) -> Attribute {
    Measure {
        party,
        name: [letter(king), "KeySteps"],
        domain: 0..=7,
        meaning: format!(
            "moves of the {king:#} to the nearest key square of the {}",
            party.words()
        ),
        men: vec![king],
        value: move |scene: &Scene, man: Man| {
            let squares = scene.pawn(man).key_squares();
            steps_to_nearest(scene.at(king), squares).expect("every pawn has key squares")
        },
        sentence: move |tell: &Teller, man: &str| {
            let there = format!("on a key square of {man}");
            tell.steps_to(king, &there, KING_MOVES, &format!("the nearest key square of {man}"))
        },
        aim: move |tell: &Teller, man: &str| {
            let how = tell.either("near to", "far from");
            format!("have {} as {how} a key square of {man} as possible", tell.name(king))
        },
    }
    .attribute()
}

/// True if a pawn stands on the a-file or the h-file.
fn rook_pawn(party: Party) -> Option<Attribute> {
    Fact {
        party,
        word: "RookPawn",
        meaning: "stands on the a-file or the h-file".into(),
        men: vec![],
        value: |scene: &Scene, man: Man| to_edges(scene.at(man))[1] == 0,
        predicate: |tell: &Teller| {
            format!("{} on the a-file or the h-file", tell.verb("stands", "does not stand"))
        },
    }
    .attribute()
}

/// True if a pawn is guarded by its king.
fn guarded_by_king(party: Party, own: Man) -> Option<Attribute> {
    Fact {
        party,
        word: "GuardedByKing",
        meaning: format!("is guarded by the {own:#}"),
        men: vec![own],
        value: move |scene: &Scene, man: Man| get_king_moves(scene.at(own)).has(scene.at(man)),
        predicate: move |tell: &Teller| {
            format!("{} guarded by {}", tell.verb("is", "is not"), tell.name(own))
        },
    }
    .attribute()
}

/// True if a pawn is a rook pawn and the enemy king needs no more moves to the corner than the pawn's
/// own king needs to a key square.
fn corner_held(party: Party, [own, other]: [Man; 2]) -> Option<Attribute> {
    Fact {
        party,
        word: "CornerHeld",
        meaning: format!(
            "is a rook pawn, the {other:#} not farther from its promotion square than the {own:#} from its nearest key square"
        ),
        men: vec![own, other],
        value: move |scene: &Scene, man: Man| {
            let pawn = scene.pawn(man);
            let in_time = steps_to_nearest(scene.at(own), pawn.key_squares())
                .is_some_and(|steps| king_steps(scene.at(other), pawn.promotion()) <= steps);
            to_edges(scene.at(man))[1] == 0 && in_time
        },
        predicate: move |tell: &Teller| {
            let is = tell.verb("is", "is not");
            format!("{is} a rook pawn whose corner {} reaches in time", tell.name(other))
        },
    }
    .attribute()
}

/// True if a pawn runs through: its way is free, and either the enemy king cannot catch it or its own
/// king guards every square of the way.
fn runs(party: Party, [own, other]: [Man; 2]) -> Option<Attribute> {
    Fact {
        party,
        word: "Runs",
        meaning: format!(
            "runs through: nothing is on its way, and the {other:#} does not catch it or the {own:#} guards the whole way"
        ),
        men: vec![own, other],
        value: move |scene: &Scene, man: Man| {
            let pawn = scene.pawn(man);
            let is_guarded = (pawn.way() & !get_king_moves(scene.at(own))).is_empty();
            (pawn.way() & scene.position.occupied()).is_empty()
                && (is_guarded || !pawn.catching().has(scene.at(other)))
        },
        predicate: |tell: &Teller| {
            format!("{} through", tell.verb("runs", "does not run"))
        },
    }
    .attribute()
    .map(|attribute| {
        attribute
            .explained("A pawn *runs through* if its way is free and the other king cannot stop it.")
    })
}

/// True if the king of a side with a pawn stands on that side's sixth rank.
fn sixth_rank(king: Man) -> Attribute {
    let rank = match king.side {
        Side::Strong => Rank::Sixth,
        Side::Weak => Rank::Third,
    };
    Question {
        name: format!("{king}SixthRank"),
        domain: NO_OR_YES,
        meaning: format!("whether the {king:#} stands on the sixth rank of its side"),
        men: vec![king],
        value: move |scene: &Scene| rank.bitboard().has(scene.at(king)),
        sentence: move |tell: &Teller| tell.stands(king, "on the sixth rank of its side"),
    }
    .attribute()
    .marking(Area::Line, move |_| rank.bitboard())
}
