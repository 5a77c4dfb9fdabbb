//! Pawns: the way to promotion, blockers, and races.

use super::Attribute;
use super::attribute::{NO_OR_YES, Question};
use super::focus::Area;
use super::geometry::{apart, king_steps, of_one_color};
use super::man::{Man, Men};
use super::reach::can_advance;
use super::scene::Scene;
use super::teller::Teller;
use super::words::{Comparison, KING_MOVES, MOVES};
use lucena_chess::{Role, Side};

/// The distance of each pawn from promotion: the published attributes extended to pawns.
pub(super) fn geometric(men: &Men) -> Vec<Attribute> {
    men.of_role(Role::Pawn).map(promotion_steps).collect()
}

/// Attributes of each pawn, then of races, then of the kings.
pub(super) fn all(men: &Men) -> Vec<Attribute> {
    let pawns: Vec<Man> = men.of_role(Role::Pawn).collect();
    let kings = Side::ALL.map(|side| men.king(side));
    let against = |pawn: Man| pawns.iter().copied().filter(move |other| other.side != pawn.side);
    let mut attributes = Vec::new();
    for &pawn in &pawns {
        attributes.extend([
            blocked(pawn),
            can_go_on(pawn),
            key_square(men.king(pawn.side), pawn),
            catches(men.king(!pawn.side), pawn),
        ]);
        attributes.extend(kings.map(|king| king_promotion_steps(king, pawn)));
        let others = men.all().iter().filter(|&&man| man != pawn);
        attributes.extend(others.map(|&man| in_front(man, pawn)));
        attributes.extend(men.of_role(Role::Bishop).map(|bishop| promotion_color(pawn, bishop)));
        attributes.extend(against(pawn).map(|other| passed(pawn, other)));
    }
    let strong = pawns.iter().filter(|pawn| pawn.side == Side::Strong);
    attributes.extend(strong.flat_map(|&one| against(one).map(move |other| race(one, other))));
    if !pawns.is_empty() {
        attributes.push(has_opposition(kings));
    }
    attributes
}

/// The number of moves a pawn needs to promote, 1 to 5. Because of the double step, a pawn on the
/// second rank needs as many as one on the third.
///
/// ```text
/// 4 k . . .
/// 3 . . . .
/// 2 . P . .
/// 1 . . K .
///   a b c d      PPromotionSteps = 5
/// ```
fn promotion_steps(pawn: Man) -> Attribute {
    Question {
        name: format!("{pawn}PromotionSteps"),
        domain: 1..=5,
        meaning: format!("moves that the {pawn:#} needs to promote"),
        men: vec![pawn],
        value: move |scene: &Scene| scene.pawn(pawn).steps(),
        sentence: move |tell: &Teller| {
            format!("{} is {} from promotion", tell.name(pawn), tell.range.count(MOVES))
        },
    }
    .attribute()
    .marking(Area::Way, move |scene| scene.pawn(pawn).way())
}

/// True if the square ahead of a pawn is occupied.
fn blocked(pawn: Man) -> Attribute {
    Question {
        name: format!("{pawn}Blocked"),
        domain: NO_OR_YES,
        meaning: format!("whether the square ahead of the {pawn:#} is taken"),
        men: vec![pawn],
        value: move |scene: &Scene| scene.position.occupied().has(scene.pawn(pawn).next()),
        sentence: move |tell: &Teller| tell.is(pawn, "blocked"),
    }
    .attribute()
    .marking(Area::Way, move |scene| scene.pawn(pawn).next().bitboard())
}

/// True if a pawn could safely move to the square ahead of it.
fn can_go_on(pawn: Man) -> Attribute {
    Question {
        name: format!("{pawn}CanAdvance"),
        domain: NO_OR_YES,
        meaning: format!("whether the {pawn:#} could go one square ahead and not be taken"),
        men: vec![pawn],
        value: move |scene: &Scene| can_advance(scene, pawn),
        sentence: move |tell: &Teller| {
            format!("{} {} safely", tell.name(pawn), tell.verb("can advance", "cannot advance"))
        },
    }
    .attribute()
    .marking(Area::Way, move |scene| scene.pawn(pawn).next().bitboard())
}

/// True if a king stands on a key square of its pawn: a square from which it forces the pawn through
/// against a bare king, no matter who is to move. These are the three squares two ranks ahead of the
/// pawn; from the fifth rank on, also those one rank ahead; on the seventh rank, the squares next to
/// the promotion square; for a rook pawn, the seventh and eighth square of the file beside it.
fn key_square(king: Man, pawn: Man) -> Attribute {
    Question {
        name: format!("{king}{pawn}KeySquare"),
        domain: NO_OR_YES,
        meaning: format!("whether the {king:#} stands on a key square of the {pawn:#}"),
        men: vec![king, pawn],
        value: move |scene: &Scene| scene.pawn(pawn).key_squares().has(scene.at(king)),
        sentence: move |tell: &Teller| {
            tell.stands(king, &format!("on a key square of {}", tell.name(pawn)))
        },
    }
    .attribute()
    .marking(Area::KeySquares, move |scene| scene.pawn(pawn).key_squares())
    .explained(
        "A *key square* is one from which a king forces its pawn through against a bare king, whoever is to move.",
    )
}

/// The rule of the square: true if a king catches an enemy pawn when both run, with the weak side to
/// move and no other man interfering.
fn catches(king: Man, pawn: Man) -> Attribute {
    Question {
        name: format!("{king}{pawn}Catches"),
        domain: NO_OR_YES,
        meaning: format!(
            "whether the {king:#} catches the {pawn:#} by running, the weak side to move"
        ),
        men: vec![king, pawn],
        value: move |scene: &Scene| scene.pawn(pawn).catching().has(scene.at(king)),
        sentence: move |tell: &Teller| {
            let catches = tell.verb("catches", "does not catch");
            format!("{} {catches} {} by running", tell.name(king), tell.name(pawn))
        },
    }
    .attribute()
    .marking(Area::Catching, move |scene| scene.pawn(pawn).catching())
    .explained(
        "A king *catches a pawn by running* if it is in the pawn's square: no farther from the promotion square than the pawn itself when the pawn is to move, one move farther when the king is.",
    )
}

/// The number of moves from a king to the promotion square of a pawn, 0 to 7.
fn king_promotion_steps(king: Man, pawn: Man) -> Attribute {
    Question {
        name: format!("{king}{pawn}PromotionSteps"),
        domain: 0..=7,
        meaning: format!("moves of the {king:#} to the square on which the {pawn:#} promotes"),
        men: vec![king, pawn],
        value: move |scene: &Scene| king_steps(scene.at(king), scene.pawn(pawn).promotion()),
        sentence: move |tell: &Teller| {
            let square = format!("the promotion square of {}", tell.name(pawn));
            tell.steps_to(king, &format!("on {square}"), KING_MOVES, &square)
        },
    }
    .attribute()
    .marking(Area::Way, move |scene| scene.pawn(pawn).promotion().bitboard())
}

/// True if a man stands in front of a pawn, on its way to promotion.
fn in_front(man: Man, pawn: Man) -> Attribute {
    Question {
        name: format!("{man}{pawn}InFront"),
        domain: NO_OR_YES,
        meaning: format!(
            "whether the {man:#} stands in front of the {pawn:#}, on its way to promotion"
        ),
        men: vec![man, pawn],
        value: move |scene: &Scene| scene.pawn(pawn).way().has(scene.at(man)),
        sentence: move |tell: &Teller| {
            tell.stands(man, &format!("in front of {}", tell.name(pawn)))
        },
    }
    .attribute()
    .marking(Area::Way, move |scene| scene.pawn(pawn).way())
}

/// True if a pawn promotes on a square of the colour of a bishop.
fn promotion_color(pawn: Man, bishop: Man) -> Attribute {
    Question {
        name: format!("{pawn}{bishop}PromotionColor"),
        domain: NO_OR_YES,
        meaning: format!(
            "whether the {pawn:#} promotes on a square of the colour of the {bishop:#}"
        ),
        men: vec![pawn, bishop],
        value: move |scene: &Scene| of_one_color(scene.at(bishop), scene.pawn(pawn).promotion()),
        sentence: move |tell: &Teller| {
            let (pawn, bishop) = (tell.name(pawn), tell.name(bishop));
            let is = tell.verb("is", "is not");
            format!("the promotion square of {pawn} {is} of the colour of {bishop}")
        },
    }
    .attribute()
    .marking(Area::Way, move |scene| scene.pawn(pawn).promotion().bitboard())
}

/// True if a pawn is passed: the enemy pawn is not ahead of it on its own file or a file beside it.
fn passed(pawn: Man, other: Man) -> Attribute {
    Question {
        name: format!("{pawn}Passed"),
        domain: NO_OR_YES,
        meaning: format!("whether the {pawn:#} has passed the {other:#}"),
        men: vec![pawn, other],
        value: move |scene: &Scene| !scene.pawn(pawn).span().has(scene.at(other)),
        sentence: move |tell: &Teller| tell.is(pawn, "passed"),
    }
    .attribute()
    .marking(Area::Way, move |scene| scene.pawn(pawn).span())
}

/// The number of moves by which the strong pawn is ahead of the weak pawn in the race to promote, -4 to
/// 4, stored as 0 to 8.
fn race(one: Man, other: Man) -> Attribute {
    Question {
        name: format!("{one}{other}Race"),
        domain: 0..=8,
        meaning: format!(
            "moves that the {one:#} needs less than the {other:#} to promote, 4 is as many"
        ),
        men: vec![one, other],
        value: move |scene: &Scene| 4 + scene.pawn(other).steps() - scene.pawn(one).steps(),
        sentence: move |tell: &Teller| {
            let ahead_or_behind = Comparison {
                unit: MOVES,
                more: "ahead of",
                less: "behind",
                level: "level",
                level_with: "level with",
            };
            let place = ahead_or_behind.say(tell.range.centred(), tell.name(other));
            format!("{} is {place} in the race to promote", tell.name(one))
        },
    }
    .attribute()
    .shown(|value| format!("{:+}", i16::from(value) - 4))
}

/// True if the strong king has the opposition, with the weak side to move: the kings are on one file,
/// rank or diagonal with an odd number of squares between them.
fn has_opposition([king, other]: [Man; 2]) -> Attribute {
    Question {
        name: format!("{king}{other}Opposition"),
        domain: NO_OR_YES,
        meaning: format!("whether the {king:#} has the opposition, the weak side to move"),
        men: vec![king, other],
        value: move |scene: &Scene| {
            let [ranks, files] = apart(scene.at(king), scene.at(other));
            let in_line = ranks == 0 || files == 0 || ranks == files;
            in_line && ranks.max(files) % 2 == 0
        },
        sentence: move |tell: &Teller| {
            let has = tell.verb("has", "does not have");
            format!("{} {has} the opposition", tell.name(king))
        },
    }
    .attribute()
    .explained(
        "A king *has the opposition* if the kings stand on one file, rank or diagonal with an odd number of squares between them and the other is to move.",
    )
}
