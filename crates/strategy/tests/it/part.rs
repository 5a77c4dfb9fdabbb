//! Strategies for a part of an endgame: trials that begin there compared with proofs, and the search with what books say.

use lucena_attributes::AttributeSet;
use lucena_base::progress::{Budget, NoObserver, SearchSettings, Stopped};
use lucena_chess::symmetry::Group;
use lucena_chess::{Position, Side};
use lucena_data::{PARTS, Text};
use lucena_model::{
    Aim, Candidates, Column, Condition, Key, MoveCondition, Origin, PlayedSide, Strategy,
    StrategyDomain, StrategyRule,
};
use lucena_proof::ProvedGame;
use lucena_proof::policy::StrategyPolicy;
use lucena_strategy::{Acceptance, Annealing, Limits, Part, mine_part, rules_over, verify};
use lucena_tablebase::Tablebase;
use lucena_test_support::tables::{KPVK, material};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const NAMES: [&str; 7] =
    ["PRank", "KPPromotionSteps", "KkSteps", "kPInFront", "POnEdge", "kMinDistanceRank", "kMoves"];

/// The part of king and pawn against king in which attributes have these values.
fn part(side: PlayedSide, values: &[(&str, u8)]) -> Part<'static> {
    let known = AttributeSet::named(material("KPvK"), NAMES).unwrap();
    let condition = |&(name, value): &(&str, u8)| {
        let attribute = NAMES.iter().position(|known| *known == name).unwrap();
        Condition { attribute, low: value, high: value }
    };
    let conditions = values.iter().map(condition).collect();
    Part::new(&KPVK, &known, StrategyDomain { side, conditions }, &NoObserver).unwrap()
}

/// A strategy with random rules for a part.
fn drawn(rng: &mut ChaCha8Rng, part: &Part<'_>, domain: StrategyDomain) -> Strategy {
    let known = part.attributes().attributes();
    let columns: Vec<Column> = known.iter().map(|attribute| attribute.column()).collect();
    let key = |rng: &mut ChaCha8Rng| Key {
        attribute: rng.gen_range(0..known.len()),
        aim: if rng.gen_bool(0.5) { Aim::Least } else { Aim::Greatest },
    };
    let keys = |rng: &mut ChaCha8Rng| (0..rng.gen_range(1..=3)).map(|_| key(rng)).collect();
    let rule = StrategyRule {
        guard: vec![MoveCondition::After(Condition { attribute: 1, low: 0, high: 2 })],
        keys: keys(rng),
    };
    let rules = vec![rule, StrategyRule { guard: Vec::new(), keys: keys(rng) }];
    let strategy = Strategy::new(Origin::new("KPvK"), columns, rules).unwrap();
    strategy.with_candidates(Candidates::Tactical).with_domain(domain).unwrap()
}

/// A proof knows nothing of trials: it takes the moves from the policy, and the outcomes from the rules and the table.
#[test]
fn trials_fail_where_proofs_do() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for side in [PlayedSide::Strong, PlayedSide::Weak] {
        // How many moves the weak king has is asked as if it were to move, whoever is.
        let part = part(side, &[("PRank", 5), ("kMoves", 5)]);
        let (mut some, mut none) = (0, 0);
        for _ in 0..12 {
            let conditions = [0, 6].map(|attribute| Condition { attribute, low: 5, high: 5 });
            let conditions = conditions.to_vec();
            let strategy = drawn(&mut rng, &part, StrategyDomain { side, conditions });
            let failing = part.failing(&strategy).unwrap();
            let on_board = |position: &Position| Group::new(material("KPvK")).orbit_len(position);
            let failing: u64 = failing.iter().map(on_board).sum();
            let policy = StrategyPolicy::new(strategy).unwrap();
            let game = ProvedGame::new(&policy, &KPVK).unwrap();
            let proof = game.figures().unwrap();
            let missed = match side {
                PlayedSide::Strong => proof.winnable - proof.won,
                PlayedSide::Weak => proof.drawable - proof.held,
            };
            assert_eq!(failing, missed, "{side:?}, {}", policy.strategy().to_json());
            some += u64::from(failing > 0);
            none += u64::from(failing == 0);
        }
        assert!(some > 0, "{side:?}: {some} fail, {none} do not");
    }
}

/// Searches with a fixed budget, and returns what is found.
fn found(part: &Part<'_>, seed: u64) -> Option<Strategy> {
    let settings = SearchSettings { seed, budget: Budget::Candidates(3_000), chains: 1 };
    let search = Annealing::new(settings, &NoObserver);
    let found =
        mine_part::<Stopped>(part, &Limits::default(), None, search, |_| Ok(Acceptance::Accepted));
    found.unwrap().model
}

/// Every primer has both: the king in front of a pawn on the edge draws, and the king that guards the promotion square
/// brings a pawn on the sixth rank home.
#[test]
fn a_strategy_is_found_for_either_side_and_proved() {
    let held = [("POnEdge", 1), ("kPInFront", 1)];
    for (side, values) in [
        (PlayedSide::Weak, held.as_slice()),
        (PlayedSide::Strong, &[("PRank", 6), ("KPPromotionSteps", 1)]),
    ] {
        let part = part(side, values);
        let strategy = found(&part, 1).unwrap_or_else(|| panic!("none is found for {side:?}"));
        assert_eq!(strategy.domain().side, side);
        assert_eq!(Some(&strategy), found(&part, 1).as_ref());
        assert!(part.failing(&strategy).unwrap().is_empty());
        let proof = verify(&strategy, &Limits::default(), &KPVK).unwrap();
        match side {
            PlayedSide::Weak => assert_eq!((proof.held, proof.drawable), (2_430, 2_430)),
            PlayedSide::Strong => assert!(proof.winnable > 0 && proof.won == proof.winnable),
        }
    }
}

#[test]
fn a_part_has_what_its_side_can_reach_and_only_its_attributes() {
    let lost = part(PlayedSide::Weak, &[("PRank", 8)]);
    assert!(lost.is_empty() && lost.positions().is_empty());
    let won = part(PlayedSide::Strong, &[("PRank", 7)]);
    assert!(won.positions().iter().all(|position| position.turn() == Side::Strong));
    let strategy = drawn(&mut ChaCha8Rng::seed_from_u64(1), &won, StrategyDomain::default());
    let few = AttributeSet::named(material("KPvK"), ["PRank"]).unwrap();
    assert_eq!(rules_over(&few, &strategy).unwrap_err(), "KPPromotionSteps");
}

/// Proves a strategy of at most six rules, which does all that can be done where it is made for, and returns in how many
/// positions.
fn proved(text: &Text, tablebase: &Tablebase) -> u64 {
    let strategy = Strategy::from_json(text.json.as_bytes()).unwrap();
    assert_eq!(strategy.to_json(), text.json);
    assert!(strategy.rules().len() <= 6, "a player remembers them");
    let side = strategy.domain().side;
    let proof = verify(&strategy, &Limits::default(), tablebase).unwrap();
    let (done, all) = match side {
        PlayedSide::Strong => (proof.won, proof.winnable),
        PlayedSide::Weak => (proof.held, proof.drawable),
    };
    assert_eq!(done, all, "{}", text.name);
    done
}

/// The counts of the strategies in `data/parts` that this build carries, and lessons call proved.
fn counts(endgame: &str, tablebase: &Tablebase) -> Vec<(&'static str, u64)> {
    let parts = PARTS.iter().filter(|text| text.material == endgame);
    parts.map(|text| (text.name, proved(text, tablebase))).collect()
}

#[test]
fn the_king_before_a_pawn_on_the_edge_holds() {
    assert_eq!(counts("KPvK", &KPVK), [("edge", 2_430)]);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn the_methods_of_lucena_philidor_and_vancura_do_what_books_say() {
    let tablebase = Tablebase::solve(material("KRPvKR"));
    let wanted = [("lucena", 400), ("behind", 145_612), ("vancura", 822)];
    assert_eq!(counts("KRPvKR", &tablebase), wanted);
}

#[test]
fn the_parts_of_these_endgames_are_all() {
    assert!(PARTS.iter().all(|text| ["KPvK", "KRPvKR"].contains(&text.material)));
}
