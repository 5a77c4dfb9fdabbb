//! Proofs for the weak side, and from a part of an endgame, compared with plain versions.

use lucena_attributes::AttributeSet;
use lucena_base::progress::NoObserver;
use lucena_chess::symmetry::Group;
use lucena_chess::{Move, Position, Side};
use lucena_model::Strategy;
use lucena_proof::certificate::Certificate;
use lucena_proof::policy::{OneSide, Policy, StrategyPolicy, TablebasePlayer, Unplayable};
use lucena_proof::{ProveError, ProvedGame, Reason, Verdict, prove};
use lucena_tablebase::{Index, Outcome, Tablebase};
use lucena_test_support::proofs::FnPolicy;
use lucena_test_support::tables::{KRVK, material};
use std::collections::HashSet;

fn first_move(position: &Position) -> Option<Move> {
    position.moves().first().copied()
}

fn planted(
    endgame: &str,
    choose: fn(&Position) -> Option<Move>,
) -> FnPolicy<fn(&Position) -> Option<Move>> {
    FnPolicy { material: material(endgame), symmetries: Group::Identity, choose }
}

/// Every position of the full board with a side to move.
fn all(endgame: &str, turn: Side) -> Vec<Position> {
    let index = Index::new(material(endgame), Group::Identity);
    (0..index.len()).filter_map(|at| index.position(at, turn)).collect()
}

/// The drawn positions of a weak side that plays by a function and does not lose them, by the definition: the greatest
/// set of drawn positions that its move, whatever the reply, does not leave but for a draw in another endgame.
fn held(
    endgame: &str,
    table: &Tablebase,
    choose: fn(&Position) -> Option<Move>,
) -> HashSet<Position> {
    let is_drawn = |position: &&Position| table.outcome(position) == Outcome::Draw;
    let mut held: HashSet<Position> =
        all(endgame, Side::Weak).iter().filter(is_drawn).copied().collect();
    loop {
        let stays = |position: &&Position| {
            let Some(mv) = choose(position) else { return !position.has_moves() };
            let after = position.play(mv).expect("the move is legal");
            if after.material() != position.material() {
                return !matches!(table.outcome(&after), Outcome::Win(_));
            }
            after.moves().into_iter().all(|reply| {
                let next = after.play(reply).expect("the reply is legal");
                if next.material() == position.material() {
                    held.contains(&next)
                } else {
                    !matches!(table.outcome(&next), Outcome::Loss(_))
                }
            })
        };
        let kept: HashSet<Position> = held.iter().filter(stays).copied().collect();
        if kept.len() == held.len() {
            return held;
        }
        held = kept;
    }
}

#[test]
fn the_weak_side_holds_what_the_definition_says() {
    let table = Tablebase::solve(material("KPvK"));
    let expected = held("KPvK", &table, first_move);
    let policy = OneSide { side: Side::Weak, policy: Box::new(planted("KPvK", first_move)) };
    let proof = prove(&policy, &table).unwrap();
    let drawn =
        all("KPvK", Side::Weak).iter().filter(|it| table.outcome(it) == Outcome::Draw).count();
    assert_eq!((proof.held, proof.drawable), (expected.len() as u64, drawn as u64));
    assert!(0 < proof.held && proof.held < proof.drawable);
    // The line ends with the move that loses.
    let refutation = proof.refutation.expect("it loses drawn positions");
    assert_eq!(refutation.reason, Reason::Lost);
    let (mut position, mut last) = (refutation.start, None);
    for (ply, &mv) in refutation.line.iter().enumerate() {
        assert_eq!(table.outcome(&position), Outcome::Draw, "{position}");
        assert!(ply % 2 == 1 || Some(mv) == first_move(&position), "{position}");
        position = position.play(mv).unwrap();
        last = Some(position.turn());
    }
    assert_eq!(last, Some(Side::Strong));
    assert!(matches!(table.outcome(&position), Outcome::Win(_)), "{position}");
}

#[test]
fn a_side_is_asked_about_its_own_positions_only() {
    let table = Tablebase::solve(material("KPvK"));
    let policy = OneSide { side: Side::Weak, policy: Box::new(TablebasePlayer(&table)) };
    let game = ProvedGame::new(&policy, &table).unwrap();
    let whites: Position = "8/8/8/8/8/2k5/P7/K7 w - - 0 1".parse().unwrap();
    let error = game.verdict(&whites, &NoObserver).unwrap_err();
    assert_eq!(error, ProveError::OtherSideToMove(whites.color_to_move()));
    let certificate = Certificate::new(&policy, &game.proof(&NoObserver).unwrap());
    assert_eq!(certificate.side.as_deref(), Some("weak"));
    let forged = certificate.to_json().replace(r#""side": "weak","#, "");
    let forged = Certificate::from_json(forged.as_bytes()).unwrap();
    let differences = forged.check(&policy, &game.proof(&NoObserver).unwrap());
    assert!(differences.iter().any(|one| one.to_string().starts_with("side")), "{differences:?}");
}

#[test]
fn a_part_is_proved_as_the_whole_proves_it() {
    // The rook goes as far as it can, so it does not win everything.
    let policy = planted("KRvK", |position| {
        position.moves().into_iter().max_by_key(|mv| (mv.from as u8).abs_diff(mv.to as u8))
    });
    let whole = ProvedGame::new(&policy, &KRVK).unwrap();
    let is_in_part = |position: &Position| position.king(Side::Weak).rank() as u8 == 0;
    let part = ProvedGame::of_part(&policy, &KRVK, &is_in_part, &NoObserver).unwrap();
    let part = part.proof(&NoObserver).unwrap();
    let (mut positions, mut won, mut longest) = (0, 0, 0);
    for position in all("KRvK", Side::Strong).into_iter().filter(is_in_part) {
        positions += 1;
        if let Verdict::Won(mate) = whole.verdict(&position, &NoObserver).unwrap() {
            won += 1;
            longest = longest.max(mate.moves() as u16);
        }
    }
    assert_eq!((part.positions, part.won, part.longest_moves), (positions, won, Some(longest)));
    assert!(0 < won && won < positions);
}

#[test]
fn a_position_that_a_proof_does_not_get_to_has_no_verdict() {
    let table = Tablebase::solve(material("KPvK"));
    let player = TablebasePlayer(&table);
    let is_on_seventh = |position: &Position| position.squares()[2].rank() as u8 == 6;
    let game = ProvedGame::of_part(&player, &table, &is_on_seventh, &NoObserver).unwrap();
    // A pawn does not go back.
    let behind: Position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().unwrap();
    assert_eq!(game.verdict(&behind, &NoObserver), Err(ProveError::OutsidePart));
    let there: Position = "8/4P1k1/4K3/8/8/8/8/8 w - - 0 1".parse().unwrap();
    assert!(matches!(game.verdict(&there, &NoObserver), Ok(Verdict::Won(_))));
}

/// A strategy of KPvK with other fields in its head.
fn strategy(fields: &str, attribute: &str) -> Strategy {
    let json = format!(
        r#"{{"kind": "strategy", "format": 1, "material": "KPvK", "miner": "by hand", "parameters": {{}}, {fields}
        "attributes": [{attribute}], "rules": [{{"guard": [], "keys": [{{"least": "kPPromotionSteps"}}]}}]}}"#
    );
    Strategy::from_json(json.as_bytes()).unwrap()
}

const STEPS: &str = r#"{"name": "kPPromotionSteps", "low": 0, "high": 7, "meaning": "moves of the weak king to the square on which the strong pawn promotes"}"#;

#[test]
fn a_strategy_plays_the_weak_side_from_where_it_is_made_for() {
    let table = Tablebase::solve(material("KPvK"));
    let fields = r#""candidates": "tactical", "side": "weak", "where": [{"attribute": "kPPromotionSteps", "low": 0, "high": 1}],"#;
    let written = strategy(fields, STEPS);
    assert_eq!(Strategy::from_json(written.to_json().as_bytes()).unwrap(), written);
    let policy = StrategyPolicy::new(written).unwrap();
    assert_eq!(policy.side(), Side::Weak);
    let near: Position = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1".parse().unwrap();
    let far: Position = "8/8/8/8/8/8/4P3/k3K3 b - - 0 1".parse().unwrap();
    let steps = AttributeSet::named(policy.material(), ["kPPromotionSteps"]).unwrap();
    let part = |position: &Position| steps.attributes()[0].value(position) <= 1;
    assert!(part(&near) && !part(&far));
    assert_eq!(
        policy.choices(&near).len(),
        5,
        "every move of the king stays beside the promotion square"
    );
    // It takes the pawn, whatever its rules say.
    let hanging: Position = "8/8/8/8/8/8/3kP3/7K b - - 0 1".parse().unwrap();
    assert_eq!(policy.choose(&hanging).unwrap().to_string(), "d2e2");
    let game = ProvedGame::of_part(&policy, &table, &part, &NoObserver).unwrap();
    assert!(game.verdict(&near, &NoObserver).is_ok());
    let proof = game.proof(&NoObserver).unwrap();
    assert!(proof.held < proof.drawable, "the opposition is missing");
    // It is proved from there untold, also through a wrapper.
    let one_side = OneSide { side: Side::Weak, policy: Box::new(policy) };
    assert_eq!(ProvedGame::new(&one_side, &table).unwrap().proof(&NoObserver).unwrap(), proof);

    let quiet = strategy(r#""side": "weak","#, STEPS);
    assert_eq!(StrategyPolicy::new(quiet).err(), Some(Unplayable::QuietWeakSide));
}
