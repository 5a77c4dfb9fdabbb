//! The frontier: trees of all sizes, strategies and searches; each is proved once more, some of them by the
//! plain proof.

use lucena_attributes::Selection;
use lucena_base::progress::NoObserver;
use lucena_experiments::ExperimentError;
use lucena_experiments::frontier::{
    Frontier, FrontierParams, GUARANTEES, NamedModel, ProvedPlayer, PublishedResult, PublishedSize,
    frontier,
};
use lucena_learn::{CartParams, Learner, Limits};
use lucena_model::{DecisionTree, Model, ModelKind};
use lucena_play::SearchPolicy;
use lucena_proof::policy::{EndgameModel, TreePolicy};
use lucena_proof::{Proof, prove};
use lucena_roster::BuiltIn;
use lucena_search::evaluation::MopUp;
use lucena_search::{Algorithm, SearchParams};
use lucena_test_support::observers::RecordingObserver;
use lucena_test_support::proofs::{check, queen, rook};
use lucena_test_support::tables::{KQVK, KQVK_ROWS, KRVK, solve};
use lucena_test_support::trees::TREE;
use lucena_theory::{TheoryError, verify};
use std::sync::LazyLock;

/// Without a search for theories, so that it is quick.
fn plan() -> FrontierParams {
    FrontierParams {
        learned: Selection::Geometric.into(),
        theories: Selection::Geometric.into(),
        candidates: 0,
        seed: 1,
        models: Vec::new(),
        search_plies: 0,
    }
}

fn learn(max_depth: Option<u32>) -> DecisionTree {
    let limits = Limits { max_depth, ..Limits::default() };
    CartParams::default().limits(limits).check().unwrap().learn(&KQVK_ROWS).unwrap()
}

/// The frontier of KQvK with theories by these attributes, and searches up to this depth.
fn found(theories: Selection, search_plies: u8) -> Frontier {
    let given = NamedModel { name: "five deep".into(), model: learn(Some(5)).into() };
    let strategies = NamedModel::built_in(ModelKind::Strategy, KQVK.material());
    let measures = NamedModel::built_in(ModelKind::Measure, KQVK.material());
    let models = [given].into_iter().chain(strategies).chain(measures).collect();
    let theories = theories.into();
    let plan = FrontierParams { theories, models, search_plies, ..plan() };
    frontier(&KQVK, &plan, &NoObserver).expect("the queen wins")
}

/// Theories by few attributes are found quickly.
static FOUND: LazyLock<Frontier> = LazyLock::new(|| found(Selection::Oriented, 1));

#[test]
fn learned_trees_grow_to_the_exact_one() {
    let learned = &FOUND.learned;
    assert!(learned.is_sorted_by(|one, other| one.player.leaves() < other.player.leaves()));
    let (exact, stopped) = learned.split_last().expect("trees");
    for (depth, found) in (1..).zip(stopped) {
        assert_eq!(found.name, format!("depth {depth}"));
        assert_eq!(found.player, learn(Some(depth)));
    }
    assert_eq!((exact.name.as_str(), &exact.player), ("no limit", &learn(None)));
    assert_eq!((learned[0].player.leaves(), exact.player.depth()), (2, stopped.len() + 1));
    assert_eq!((exact.won_share(), exact.proof.mean_excess_moves), (1.0, Some(0.0)));
    // Accuracy rises, and yet the smallest trees win nothing.
    assert_eq!(learned[0].won_share(), 0.0);
    assert!(stopped[stopped.len() / 3].won_share() < 0.1);
}

/// Proves once more every n-th learned tree, all theories and all given trees.
fn check_proofs(found: &Frontier, every: usize) {
    let Frontier { learned, theories, .. } = found;
    let learned = learned.iter().rev().step_by(every);
    for ProvedPlayer { name, player: tree, proof } in learned.chain(theories) {
        let player = TreePolicy::new(tree.clone(), &KQVK).unwrap();
        let proved = figures(prove(&player, &KQVK).unwrap());
        assert_eq!(figures(proof.clone()), proved, "{name}");
    }
    for ProvedPlayer { name, player, proof } in given(found, ModelKind::Tree) {
        let model = EndgameModel::new(player.clone()).unwrap();
        let policy = model.policy(&KQVK).unwrap();
        assert_eq!(*proof, figures(prove(&*policy, &KQVK).unwrap()), "{name}");
    }
}

/// The given models of a kind.
fn given(found: &Frontier, kind: ModelKind) -> Vec<&ProvedPlayer<Model>> {
    found.given.iter().filter(|given| given.player.kind() == kind).collect()
}

/// Compares the proof of a tree with the plain proof.
fn check_plainly(found: &ProvedPlayer<DecisionTree>) {
    let player = TreePolicy::new(found.player.clone(), &KQVK).unwrap();
    let plain = figures(check(&queen(), &player));
    assert_eq!(figures(found.proof.clone()), plain, "{}", found.name);
}

/// The measures of this build, by the plain proof.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn every_measure_is_proved() {
    let measures = given(&FOUND, ModelKind::Measure);
    assert_eq!(measures.len(), BuiltIn::of(ModelKind::Measure, KQVK.material()).count());
    for ProvedPlayer { name, player, proof } in measures {
        let policy = EndgameModel::new(player.clone()).unwrap().into_measure().unwrap();
        let plain = figures(check(&queen(), &policy));
        assert_eq!(*proof, Proof { ranking: proof.ranking, ..plain }, "{name}");
        assert!(proof.wins_all() && proof.ranking.is_some(), "{name}");
    }
}

/// Every eighth tree by our proof, and a theory by the plain one.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn every_tree_is_proved() {
    check_proofs(&FOUND, 8);
    check_plainly(&FOUND.theories[0]);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn every_tree_and_search_of_a_larger_frontier_is_proved() {
    let found = found(Selection::Geometric, 2);
    check_proofs(&found, 1);
    let Frontier { learned, theories, .. } = &found;
    for tree in [&learned[7], &learned[learned.len() - 4], &theories[0]] {
        check_plainly(tree);
    }
    assert_front(theories);
    check_searches(&found, 2);
}

/// Checks that all theories win everything, and that each has more leaves and less excess than the one before.
fn assert_front(theories: &[ProvedPlayer<DecisionTree>]) {
    let excess = |theory: &ProvedPlayer<DecisionTree>| {
        theory.proof.mean_excess_moves.expect("something is won")
    };
    for theory in theories {
        assert_eq!((theory.won_share(), theory.proof.wins_all()), (1.0, true), "{}", theory.name);
        let guarantee = GUARANTEES.iter().find(|guarantee| guarantee.to_string() == theory.name);
        assert!(guarantee.is_some(), "{}", theory.name);
        assert_eq!(theory.player.origin().parameters["keep"], theory.name);
    }
    assert!(theories.is_sorted_by(|one, other| {
        one.player.leaves() < other.player.leaves() && excess(one) > excess(other)
    }));
    let last = theories.last().expect("a theory");
    assert_eq!((last.name.as_str(), excess(last)), ("optimal", 0.0));
}

#[test]
fn theories_win_everywhere() {
    assert_front(&FOUND.theories);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn searches_find_theories_that_nothing_beats() {
    let plan = FrontierParams { candidates: 20_000, ..plan() };
    let observer = RecordingObserver::default();
    let found = frontier(&KRVK, &plan, &observer).unwrap();
    assert_eq!(found, frontier(&KRVK, &plan, &NoObserver).unwrap(), "the same plan");
    assert_ne!(
        found.theories,
        frontier(&KRVK, &FrontierParams { seed: 2, ..plan }, &NoObserver).unwrap().theories
    );
    assert_front(&found.theories);
    assert!(found.theories.len() >= 5);
    for theory in &found.theories {
        let guarantee = GUARANTEES.into_iter().find(|one| one.to_string() == theory.name).unwrap();
        assert_eq!(verify(&theory.player, guarantee, &KRVK).unwrap(), theory.proof);
        let player = TreePolicy::new(theory.player.clone(), &KRVK).unwrap();
        assert_eq!(theory.proof, check(&rook(), &player), "{}", theory.name);
    }
    assert!(10 * found.theories[0].player.leaves() < TREE.leaves());
    let told = observer.reports();
    let first = |what: &str| told.iter().position(|told| told.what == what).expect(what);
    assert!(first("trees to learn and prove") < first("candidates for theories"));
    assert!(first("candidates for theories") < first("theories to prove"));
    let searched = Some(20_000 * GUARANTEES.len() as u64);
    assert!(told.iter().any(|told| Some(told.done) == searched && told.total == searched));
}

#[test]
fn given_trees_keep_their_names() {
    let [given] = given(&FOUND, ModelKind::Tree)[..] else { panic!("one was given") };
    assert_eq!((given.name.as_str(), &given.player), ("five deep", &learn(Some(5)).into()));
}

#[test]
fn strategies_and_searches_stand_beside_trees() {
    let [smallest, _] = given(&FOUND, ModelKind::Strategy)[..] else { panic!("two are carried") };
    let policy = BuiltIn::smallest_strategy(KQVK.material()).expect("it is carried");
    assert_eq!(smallest.name, "smallest");
    assert_eq!(smallest.player, policy.strategy().clone().into());
    assert_eq!(smallest.proof, figures(prove(&policy, &KQVK).unwrap()));
    check_searches(&FOUND, 1);
}

/// A proof without its lines, which a frontier does not show.
fn figures(proof: Proof) -> Proof {
    Proof { longest_line: None, refutation: None, ..proof }
}

/// Checks that there are searches up to a depth, and proves the first one again.
fn check_searches(found: &Frontier, plies: u8) {
    let searches = &found.searches;
    assert!(searches.iter().map(|search| search.plies).eq(1..=plies));
    assert!(searches.is_sorted_by(|one, two| one.nodes_a_move < two.nodes_a_move));
    assert!(searches[0].nodes_a_move.is_some());
    let mop_up = std::sync::Arc::new(MopUp::default());
    let plain = SearchParams::depth(1).plain(Algorithm::AlphaBeta);
    let search = SearchPolicy::new(KQVK.material(), plain, mop_up).unwrap();
    assert_eq!(searches[0].proof, figures(prove(&search, &KQVK).unwrap()));
}

#[test]
fn what_is_published_is_known() {
    let [headings] = FOUND.published[..] else { panic!("one is known") };
    assert_eq!((headings.size, headings.longest_moves), (PublishedSize::Rules(3), Some(19)));
    let [rules, four, tree] = PublishedResult::for_material(KRVK.material())[..] else {
        panic!("three are known")
    };
    assert_eq!(
        (four.size, four.longest_moves, four.optimal_share),
        (PublishedSize::Rules(4), Some(33), None)
    );
    assert_eq!(
        (rules.size, rules.won_share, rules.longest_moves),
        (PublishedSize::Rules(9), Some(1.0), Some(33))
    );
    assert_eq!((rules.mean_excess_moves, rules.optimal_share), (Some(8.26), Some(0.374)));
    // Games are not a proof.
    assert_eq!(
        (tree.size, tree.won_share, tree.win_rate),
        (PublishedSize::Nodes(25_000), None, Some(0.72))
    );
    assert!(rules.source.contains("machine-verified") && tree.source.contains("not proved"));
}

#[test]
fn what_has_no_frontier_is_refused_before_anything_is_learned() {
    let refused = |table: &str, models: Vec<NamedModel>| {
        let observer = RecordingObserver::default();
        let plan = FrontierParams { models, ..plan() };
        let refused = frontier(&solve(table), &plan, &observer).unwrap_err();
        let told = observer.reports();
        assert!(told.iter().all(|told| !told.what.contains("learn")), "{refused}: {told:?}");
        refused
    };
    let other =
        refused("KQvK", vec![NamedModel { name: "mine".into(), model: TREE.clone().into() }]);
    assert_eq!(other.to_string(), "mine is for KRvK, not KQvK: leave it out, or ask for KRvK");
    for kind in [ModelKind::Strategy, ModelKind::Measure] {
        let models = NamedModel::built_in(kind, KRVK.material()).collect();
        let plan = FrontierParams { models, ..plan() };
        let other = frontier(&solve("KQvK"), &plan, &NoObserver).unwrap_err();
        assert!(other.to_string().starts_with("smallest is for KRvK, not KQvK"), "{other}");
    }
    assert!(matches!(
        refused("KBvK", Vec::new()),
        ExperimentError::Theory(TheoryError::NothingToWin(_))
    ));
    let mut head = TREE.head().clone();
    head.attributes[0].name = "phaseOfTheMoon".into();
    let foreign = DecisionTree::new(head, TREE.nodes().to_vec()).unwrap();
    let refused = refused("KRvK", vec![NamedModel { name: "yours".into(), model: foreign.into() }]);
    assert!(
        refused.to_string().starts_with("yours: ")
            && refused.to_string().contains("phaseOfTheMoon")
    );
}
