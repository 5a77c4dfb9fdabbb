//! Explanations of measures: what moves force is worked out again from the definition, with plain values, and the
//! texts for the cases in `tests/data` are as worked out by hand.

use lucena::chess::{Bitboard, Move, Position, Side};
use lucena::diagram::Shape;
use lucena::explain::{
    AttributeNames, ChoiceReason, ExplainError, Forced, MeasureExplanation, RejectionReason,
    explain_measure,
};
use lucena::policy::{MeasurePolicy, Policy};
use lucena::progress::NoObserver;
use lucena::roster::BuiltIn;
use lucena_model::Measure;
use lucena_test_support::cases::cases;
use lucena_test_support::reference_attributes::{board_of, plain_value};
use lucena_test_support::tables::{FOUR_MEN, KQVK, KRVK, material, verdicts};
use std::collections::BTreeMap;
use std::sync::Arc;

fn smallest() -> MeasurePolicy {
    let shared = BuiltIn::smallest_measure(material("KRvK")).expect("this build carries it");
    Arc::into_inner(shared).expect("it is not shared yet")
}

/// Twice the room less three times the distance of the kings, looking one move ahead.
fn two_terms(goal: &str) -> MeasurePolicy {
    let json = format!(
        r#"{{"kind": "measure", "format": 1, "material": "KRvK", "miner": "by hand", "parameters": {{}},
        "look": 1, "goal": "{goal}", "secure": 0, "terms": [
            {{"quantity": "kRoom", "low": 0, "high": 63, "meaning": "room", "weight": 2}},
            {{"quantity": "KkSteps", "low": 1, "high": 7, "meaning": "steps", "weight": -3}}]}}"#
    );
    MeasurePolicy::new(Measure::from_json(json.as_bytes()).expect("sound")).expect("a policy")
}

fn some(step: usize) -> impl Iterator<Item = Position> {
    KRVK.canonical_positions(Side::Strong).step_by(step).map(|(position, _)| position)
}

fn explained(policy: &MeasurePolicy, position: &Position) -> MeasureExplanation {
    explain_measure(policy, "measure", &KRVK, &verdicts(position), &position.moves())
        .unwrap_or_else(|error| panic!("{position}: {error}"))
}

/// The safe moves by the rules of chess: each mates, or there is a reply and none captures.
fn safe_moves(position: &Position) -> Vec<(Move, Position)> {
    let men = |position: &Position| position.men().count();
    let moves = position.moves().into_iter();
    let played = moves.map(|mv| (mv, position.play(mv).expect("a legal move")));
    let is_safe = |(_, after): &(Move, Position)| {
        let takes = |&reply: &Move| men(&after.play(reply).expect("legal")) < men(after);
        !after.is_stalemate() && !after.moves().iter().any(takes)
    };
    played.filter(is_safe).collect()
}

/// What is forced, by the definition. The derived order is that of the strong side: mate is least, then come values,
/// of equal values the sooner one; nothing is greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum PlainForced {
    Mate(u16),
    Value(i32, u16),
    Nothing,
}

impl PlainForced {
    fn later(self) -> Self {
        match self {
            Self::Mate(moves) => Self::Mate(moves + 1),
            Self::Value(value, moves) => Self::Value(value, moves + 1),
            Self::Nothing => Self::Nothing,
        }
    }

    fn told(self) -> Forced {
        match self {
            Self::Mate(moves) => Forced::Mate { moves },
            Self::Value(value, moves) => Forced::Value { value, moves },
            Self::Nothing => Forced::Nothing,
        }
    }
}

/// The definition of a measure over plain values, with what has been worked out.
struct PlainMeasure {
    terms: Vec<(&'static str, i32)>,
    known: BTreeMap<(String, u8), PlainForced>,
}

impl PlainMeasure {
    fn new(terms: &[(&'static str, i32)]) -> Self {
        Self { terms: terms.into(), known: BTreeMap::new() }
    }

    fn value(&self, after: &Position) -> i32 {
        let board = board_of(after);
        let terms = self.terms.iter();
        terms.map(|(name, weight)| weight * i32::from(plain_value(name, "KRvK", &board))).sum()
    }

    /// What is forced from a position after a move, looking further moves ahead.
    fn forced(&mut self, after: &Position, ahead: u8) -> PlainForced {
        let key = (after.to_string(), ahead);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let here = match after.is_checkmate() {
            true => PlainForced::Mate(0),
            false => PlainForced::Value(self.value(after), 0),
        };
        let forced = if ahead == 0 { here } else { here.min(self.forced_later(after, ahead)) };
        self.known.insert(key, forced);
        forced
    }

    /// The same, if the position itself is no goal unless it is mate.
    fn forced_later(&mut self, after: &Position, ahead: u8) -> PlainForced {
        if after.is_checkmate() {
            return PlainForced::Mate(0);
        }
        let mut worst = PlainForced::Mate(0);
        for reply in after.moves() {
            let next = after.play(reply).expect("legal");
            let moves = safe_moves(&next);
            let best = moves.iter().map(|(_, after)| self.forced(after, ahead - 1)).min();
            worst = worst.max(best.unwrap_or(PlainForced::Nothing).later());
        }
        worst
    }
}

#[test]
fn cases_that_a_reader_works_out_are_told_so() {
    let policy = smallest();
    for [fen, mv, behind, words] in cases("explained_measures.csv") {
        let (position, mv) = (fen.parse().expect("a position"), mv.parse().expect("a move"));
        let told = explain_measure(&policy, "measure", &KRVK, &verdicts(&position), &[mv]);
        let told = told.unwrap_or_else(|error| panic!("{fen}: {error}"));
        let other = &told.instead[0];
        assert_eq!(other.behind.name(), behind, "{fen} {mv}");
        assert!(other.because.contains(&words), "{fen} {mv}: {}", other.because);
    }
}

/// After Rf1+ White loses the queen. Ka2 and Kb2 take the rook in return, Kc2 does not.
#[test]
fn a_move_that_holds_the_draw_is_told_from_one_that_does_not() {
    let position: Position = "8/8/8/8/2k5/8/8/QK3r2 w - - 0 1".parse().expect("a position");
    let table = FOUR_MEN.tablebase(position.material(), &NoObserver).expect("in memory");
    let json = r#"{"kind": "measure", "format": 1, "material": "KQvKR", "miner": "by hand", "parameters": {},
        "look": 1, "goal": "any-move", "secure": 0, "terms": [
            {"quantity": "kRoom", "low": 0, "high": 63, "meaning": "room", "weight": 1}]}"#;
    let policy = MeasurePolicy::new(Measure::from_json(json.as_bytes()).expect("sound")).unwrap();
    let told = explain_measure(&policy, "measure", &table, &verdicts(&position), &position.moves());
    let told = told.expect("an explanation");
    assert_eq!((told.by, told.tied.len()), (ChoiceReason::Holding, 2));
    let other = told.instead.iter().find(|other| other.worth.san == "Kc2").expect("it is legal");
    assert_eq!(other.behind, RejectionReason::NotHolding);
    assert_eq!(
        other.because,
        format!("No move is safe, but {} holds the draw.", told.chosen.worth.san)
    );
}

/// Every safe move forces what the definition says, and the terms have their plain values.
#[test]
fn what_moves_force_follows_from_the_definition() {
    let two = [("kRoom", 2), ("KkSteps", -3)];
    let (mut ties, mut values, mut mates) = (0, 0, 0);
    for (policy, terms, is_later) in
        [(two_terms("any-move"), two, false), (two_terms("later-move"), two, true)]
    {
        let mut plain = PlainMeasure::new(&terms);
        // In the last one the rook mates at once, and other moves of it mate one move later.
        let mating = "k7/8/1K6/8/8/8/8/2R5 w - - 0 1".parse().expect("a position");
        for position in some(1_500).chain([mating]) {
            let told = explained(&policy, &position);
            let safe = safe_moves(&position);
            assert_eq!(told.tied, policy.choices(&position));
            assert_eq!(told.safe.len(), safe.len(), "{position}");
            if safe.is_empty() {
                assert_eq!(told.by, ChoiceReason::NoneSafe, "{position}");
                continue;
            }
            let mut expected: Vec<(Move, PlainForced)> = Vec::new();
            for (mv, after) in &safe {
                let forced = match is_later {
                    true => plain.forced_later(after, 1),
                    false => plain.forced(after, 1),
                };
                expected.push((*mv, forced.later()));
                let one = told.safe.iter().find(|one| one.mv == *mv).expect("it is safe");
                assert_eq!(one.forces, forced.later().told(), "{position} {mv}");
                assert_eq!(one.value, plain.value(after), "{position} {mv}");
                values += usize::from(one.forces.value().is_some());
                mates += usize::from(matches!(one.forces, Forced::Mate { .. }));
            }
            let best = expected.iter().map(|(_, forced)| *forced).min().expect("a safe move");
            let tied = expected.iter().filter(|(_, forced)| *forced == best).map(|(mv, _)| *mv);
            assert_eq!(told.tied.to_vec(), tied.collect::<Vec<_>>(), "{position}");
            assert_eq!(told.forces, Some(best.told()), "{position}");
            ties += usize::from(told.tied.len() > 1);
            for other in &told.instead {
                let mv = other.worth.mv;
                let forced = expected.iter().find(|(safe, _)| *safe == mv);
                let reason = match forced {
                    _ if mv == told.chosen.worth.mv => "same move",
                    Some((_, forced)) if *forced == best => "tied",
                    Some(_) => "forces less",
                    None => "unsafe",
                };
                assert_eq!(other.behind.name(), reason, "{position} {mv}");
                let dangers = told.unsafe_moves.iter().filter(|one| one.mv == mv);
                assert_eq!(dangers.count(), usize::from(reason == "unsafe"), "{position} {mv}");
            }
            assert_eq!(told.value, Some(plain.value(&told.chosen.worth.after)), "{position}");
            assert_eq!(told.terms.iter().map(|term| term.adds).sum::<i32>(), told.value.unwrap());
            let board = board_of(&told.chosen.worth.after);
            for (term, (name, weight)) in told.terms.iter().zip(terms) {
                let value = plain_value(name, "KRvK", &board);
                assert_eq!((term.quantity.as_str(), term.value), (name, value.into()));
                assert_eq!(term.adds, weight * i32::from(value));
            }
        }
    }
    let seen = [ties, values, mates];
    assert!(seen.iter().all(|&times| times > 3), "{seen:?}");
}

/// The text names the number that the move forces, and every other safe move.
#[test]
fn the_text_says_what_each_move_forces() {
    let policy = smallest();
    for position in some(4_000) {
        let told = explained(&policy, &position);
        let mut text = Vec::new();
        let reasons = told.reasons(&KRVK).expect("the table is in memory");
        reasons.write_text(AttributeNames::Hidden, &mut text).expect("memory takes it");
        let text = String::from_utf8(text).expect("text");
        let Some(forces) = told.forces else { continue };
        let forces = forces.in_words(material("KRvK"));
        let said = format!("{} forces {forces}", told.chosen.worth.san);
        assert!(text.contains(&said), "{said}: {text}");
        let (_, chosen) = text.split_once("How it was chosen").expect("a heading");
        for one in &told.safe {
            assert!(chosen.contains(&one.san), "{position} {}: {text}", one.san);
        }
    }
}

/// The squares of the king's room are marked, and as many as the number says.
#[test]
fn the_diagram_marks_what_is_counted() {
    let policy = smallest();
    for position in some(600) {
        let told = explained(&policy, &position);
        let Some(value) = told.value else { continue };
        let diagram = told.diagram();
        let after = told.chosen.worth.after;
        assert_eq!((diagram.position, diagram.arrow), (after, Some(told.chosen.worth.mv)));
        let dots = diagram.highlights.iter().filter(|one| one.shape == Shape::Dot);
        let room = dots.fold(Bitboard::EMPTY, |all, one| all | one.squares);
        assert_eq!(i32::try_from(room.len()), Ok(value), "{position}");
        assert_eq!(value, i32::from(plain_value("kRoom", "KRvK", &board_of(&after))));
        assert!(!room.has(after.king(Side::Weak)), "{position}");
    }
}

#[test]
fn what_cannot_be_explained_says_why() {
    let policy = smallest();
    let ask = |fen: &str| {
        let position: Position = fen.parse().expect("a position");
        explain_measure(&policy, "measure", &KRVK, &verdicts(&position), &[]).map(|_| ())
    };
    let queen = ask("8/8/8/8/8/3k4/8/K1Q5 w - - 0 1");
    assert!(matches!(queen, Err(ExplainError::OtherMaterial { .. })));
    assert!(matches!(ask("8/8/8/8/8/2k5/8/K1R5 b - - 0 1"), Err(ExplainError::OtherSide(_))));
    assert!(matches!(ask("8/8/8/8/8/R7/8/k1K5 b - - 0 1"), Err(ExplainError::Over(_))));
    let rook: Position = "8/8/8/8/8/1k6/8/K1R5 w - - 0 1".parse().expect("a position");
    let other_table = explain_measure(&policy, "measure", &KQVK, &verdicts(&rook), &[]);
    assert!(matches!(other_table, Err(ExplainError::Table(_))));
    let illegal = ["c1d2".parse().expect("a move")];
    let illegal = explain_measure(&policy, "measure", &KRVK, &verdicts(&rook), &illegal);
    assert!(matches!(illegal, Err(ExplainError::IllegalMove(_))));
    let same = explain_measure(&policy, "measure", &KRVK, &verdicts(&rook), &rook.moves());
    let same = same.expect("it can be explained").instead;
    assert!(same.iter().any(|other| matches!(other.behind, RejectionReason::SameMove)));
}
