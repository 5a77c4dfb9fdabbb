//! Theories: the checked-in ones, the results of searches and their refusals, compared with the plain
//! proof on the full board.

use lucena_attributes::{AttributeSet, Selection};
use lucena_base::plural::count;
use lucena_base::progress::{NoObserver, Observer, Progress, Stopped};
use lucena_chess::{Position, Side};
use lucena_learn::{CartParams, Id3Params, Learner, Limits};
use lucena_model::DecisionTree;
use lucena_model::{Column, Node, Origin, TreeHead};
use lucena_proof::policy::{Grade, TreePolicy, Unplayable};
use lucena_proof::{Proof, Reason, prove};
use lucena_tablebase::{DistanceClass, Outcome, Tablebase};
use lucena_test_support::cases::{cases, repository};
use lucena_test_support::reference_attributes::{ReferenceBoard, TURNS};
use lucena_test_support::reference_rules;
use lucena_test_support::reference_rules::{
    Game, QUEEN, QUEEN_SOLVED, ROOK, ROOK_SOLVED, Solution,
};
use lucena_test_support::tables::{KPVK, KQVK, KQVK_ROWS, KRVK, material, solve};
use lucena_test_support::trees::{EXACT, checked_in};
use lucena_theory::{
    Annealing, Budget, Guarantee, SearchSettings, TheoryError, TheoryGraph, VerifyError, distil,
    verify,
};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};

fn win(longest: u16, mean_excess: impl Into<Option<f64>>) -> Guarantee {
    Guarantee::Win { longest, mean_excess: mean_excess.into() }
}

fn table_of(tree: &DecisionTree) -> &'static Tablebase {
    match tree.origin().material.as_str() {
        "KRvK" => &KRVK,
        "KQvK" => &KQVK,
        "KPvK" => &KPVK,
        other => panic!("no table of {other}"),
    }
}

/// The result of a tree by the plain rules alone: uses nothing of the library's trees, attributes,
/// symmetries or proofs.
struct ReferenceProof {
    positions: u64,
    won: u64,
    optimal: u64,
    longest_moves: Option<u16>,
    /// Moves over the optimum, summed over all won positions.
    excess: u64,
    is_exact: bool,
}

impl ReferenceProof {
    fn new(tree: &DecisionTree) -> Self {
        let endgame = tree.origin().material.as_str();
        let (game, solution): (&Game, &Solution) = match endgame {
            "KRvK" => (&ROOK, &ROOK_SOLVED),
            "KQvK" => (&QUEEN, &QUEEN_SOLVED),
            other => panic!("no plain game of {other}"),
        };
        let all = reference_rules::NUMBERS as usize;
        // The class of every position after a move: that of its representative.
        let mut classes: Vec<Option<usize>> = vec![None; all];
        for at in game.legal(Side::Weak) {
            let representative = turned(at, canonical(at)) as usize;
            if classes[representative].is_none() {
                let board = game.board(representative as u32, false);
                let seen = ReferenceBoard::new(endgame, &board);
                classes[representative] = Some(plain_class(tree, &seen));
            }
            classes[at as usize] = classes[representative];
        }
        let grades: Vec<Grade> =
            tree.head().classes.iter().map(|class| class.parse().expect("a grade")).collect();
        let after = |at: u32| {
            let turn = canonical(at);
            // Among equal moves the first one on the representative.
            let (mv, _) = game
                .moves(turned(at, turn))
                .min_by_key(|&(_, after)| grades[classes[after as usize].expect("legal")])
                .expect("the strong side has a move");
            let back = |to: u8| (0..64).find(|&square| turn(square) == to).expect("a square");
            (back(mv.0), back(mv.1))
        };
        let chosen: Vec<Option<(u8, u8)>> = {
            let mut chosen = vec![None; all];
            game.legal(Side::Strong).for_each(|at| chosen[at as usize] = Some(after(at)));
            chosen
        };
        let mated_in = game.prove(|at| chosen[at as usize].into_iter().collect());
        let depth_words = |at: u32| match solution.weak[at as usize] {
            None => DistanceClass::Draw.to_string(),
            Some(plies) => DistanceClass::Mated(plies / 2).to_string(),
        };
        let says_depth =
            |at: u32| tree.head().classes[classes[at as usize].expect("legal")] == depth_words(at);
        let mut plain = Self {
            positions: 0,
            won: 0,
            optimal: 0,
            longest_moves: None,
            excess: 0,
            is_exact: game.legal(Side::Weak).all(says_depth),
        };
        for at in game.legal(Side::Strong) {
            plain.positions += 1;
            let best = solution.strong[at as usize].expect("every position is won");
            if let Some(moves) = mated_in[at as usize] {
                plain.won += 1;
                plain.longest_moves = plain.longest_moves.max(Some(moves));
                plain.excess += u64::from(moves - best.div_ceil(2));
            }
            let chosen = chosen[at as usize];
            let after = game.moves(at).find(|mv| Some(mv.0) == chosen).expect("a legal move").1;
            plain.optimal += u64::from(solution.weak[after as usize] == Some(best - 1));
        }
        plain
    }

    fn mean_excess(&self) -> f64 {
        self.excess as f64 / self.won as f64
    }

    fn keeps(&self, guarantee: Guarantee) -> bool {
        self.won == self.positions
            && match guarantee {
                Guarantee::Exact => self.is_exact,
                Guarantee::Optimal => self.optimal == self.positions,
                Guarantee::Win { longest, mean_excess } => {
                    self.longest_moves <= Some(longest)
                        && mean_excess.is_none_or(|most| self.mean_excess() <= most)
                }
            }
    }

    /// Compares a proof with it.
    #[track_caller]
    fn check(&self, proof: &Proof) {
        let counts = [proof.positions, proof.won, proof.optimal];
        assert_eq!(counts, [self.positions, self.won, self.optimal]);
        assert_eq!(proof.longest_moves, self.longest_moves);
        let mean = proof.mean_excess_moves.unwrap_or(f64::NAN);
        assert!((mean - self.mean_excess()).abs() < 1e-9 || self.won == 0, "{mean}");
    }
}

/// The symmetry that maps a position to its representative: the strong king in the triangle a1, d1, d4;
/// the first off the diagonal of that king, the weak king and the other man
/// below it.
fn canonical(at: u32) -> fn(u8) -> u8 {
    let [strong, man, weak] = reference_rules::squares(at);
    let is_good = |turn: &fn(u8) -> u8| {
        let king = turn(strong);
        let mut off = [king, turn(weak), turn(man)].into_iter();
        let off = off.find(|&at| reference_rules::rank(at) != reference_rules::file(at));
        reference_rules::file(king) <= 3
            && reference_rules::rank(king) <= 3
            && off.is_none_or(|at| reference_rules::rank(at) < reference_rules::file(at))
    };
    TURNS.into_iter().find(is_good).expect("the board can be turned")
}

fn turned(at: u32, turn: fn(u8) -> u8) -> u32 {
    reference_rules::number(reference_rules::squares(at).map(turn))
}

/// The class that a tree gives, evaluating as few attributes as possible, each once.
fn plain_class(tree: &DecisionTree, seen: &ReferenceBoard) -> usize {
    let mut values = vec![None; tree.head().attributes.len()];
    let mut node = 0;
    loop {
        let mut value = |attribute: usize| {
            let name = &tree.head().attributes[attribute].name;
            *values[attribute].get_or_insert_with(|| seen.value(name))
        };
        let next = match &tree.nodes()[node] {
            Node::Leaf { class } => return usize::from(*class),
            Node::Threshold { attribute, at_most, below, above } => {
                if value(*attribute) <= *at_most { *below } else { *above }
            }
            Node::ByValue { attribute, children } => {
                let value = value(*attribute);
                children.iter().find(|child| child.0 == value).expect("a child for each value").1
            }
        };
        node = next as usize;
    }
}

/// The proof of a tree that does not keep a guarantee.
#[track_caller]
fn broken(tree: &DecisionTree, asked: Guarantee, table: &Tablebase) -> Proof {
    match verify(tree, asked, table) {
        Err(VerifyError::Broken { proof, .. }) => *proof,
        other => panic!("{asked}: {other:?}"),
    }
}

// Checked-in theories.

/// The trees of `theories.csv` with their guarantees and size limits.
fn theories() -> Vec<(String, Guarantee, usize)> {
    let theory = |[file, keep, longest, excess, leaves]: [String; 5]| {
        let number = |text: &str| (!text.is_empty()).then(|| text.parse().expect("a number"));
        let guarantee = match (keep.as_str(), number(&longest), number(&excess)) {
            ("exact", None, None) => Guarantee::Exact,
            ("optimal", None, None) => Guarantee::Optimal,
            ("win", longest, excess) => win(longest.map_or(50, |moves| moves as u16), excess),
            other => panic!("{file}: {other:?}"),
        };
        (file, guarantee, leaves.parse().expect("leaves"))
    };
    cases("theories.csv").into_iter().map(theory).collect()
}

/// Only small theories are compared with the plain proof here.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn every_theory_that_is_checked_in_keeps_its_promise() {
    check_theories(150);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn every_large_theory_that_is_checked_in_keeps_its_promise() {
    check_theories(usize::MAX);
}

/// Verifies the checked-in theories, and compares those of at most this number of leaves with the plain proof.
fn check_theories(leaves: usize) {
    let mut compared = 0;
    for (file, guarantee, most) in theories() {
        let tree = checked_in(&file);
        assert!(tree.leaves() <= most, "{file} has {} leaves", tree.leaves());
        assert!(file.starts_with(&format!("{}.", tree.origin().material)), "{file}");
        let verified = verify(&tree, guarantee, table_of(&tree));
        let proof = verified.unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(proof.wins_all() && proof.holds_all() && proof.fifty_move_safe, "{file}");
        // The plain game has no pawns; crate::conversions plays with the theory of king and pawn.
        if tree.origin().material == "KPvK" || tree.leaves() > leaves {
            continue;
        }
        let plain = ReferenceProof::new(&tree);
        plain.check(&proof);
        assert!(plain.keeps(guarantee) && plain.keeps(win(50, None)), "{file}");
        compared += 1;
    }
    assert!(compared >= 4, "{compared} theories are small enough for the plain proof");
}

#[test]
fn no_tree_that_is_checked_in_is_forgotten() {
    let files = std::fs::read_dir(repository("data/trees")).unwrap();
    let files = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let found: BTreeSet<String> = files.filter(|file| !file.ends_with(".cart.json")).collect();
    let listed: BTreeSet<String> = theories().into_iter().map(|theory| theory.0).collect();
    assert_eq!(found, listed);
}

// Searches.

fn graph(table: &Tablebase, selection: Selection) -> TheoryGraph {
    TheoryGraph::new(table, &AttributeSet::new(table.material(), selection), &NoObserver).unwrap()
}

/// King and queen against king, with all attributes.
static QUEENS: LazyLock<TheoryGraph> = LazyLock::new(|| graph(&KQVK, Selection::All));

fn search(seed: u64, candidates: u64, chains: usize) -> SearchSettings {
    SearchSettings { seed, budget: Budget::Candidates(candidates), chains }
}

/// Accepts every smaller theory.
fn go_on(_: &DecisionTree) -> Result<(), TheoryError> {
    Ok(())
}

/// Records progress: words, candidates, and their total.
#[derive(Default)]
struct ProgressLog(Mutex<Vec<(String, u64, Option<u64>)>>);

impl Observer for ProgressLog {
    fn report(&self, Progress { what, done, total }: Progress<'_>) {
        self.0.lock().unwrap().push((what.to_owned(), done, total));
    }

    fn warn(&self, warning: &str) {
        panic!("{warning}");
    }

    fn is_stopped(&self) -> bool {
        false
    }
}

/// Stops when it has been asked a given number of times.
struct StopsAfter(AtomicUsize);

impl StopsAfter {
    fn asked(times: usize) -> Self {
        Self(AtomicUsize::new(times))
    }
}

impl Observer for StopsAfter {
    fn report(&self, _: Progress<'_>) {}

    fn warn(&self, warning: &str) {
        panic!("{warning}");
    }

    fn is_stopped(&self) -> bool {
        let left = |times: usize| times.checked_sub(1);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, left).is_err()
    }
}

/// Searches, and checks the results on the way and at the end against the guarantee.
#[track_caller]
fn check_search(
    table: &Tablebase,
    graph: &TheoryGraph,
    guarantee: Guarantee,
    from: Option<&DecisionTree>,
    search: SearchSettings,
) -> DecisionTree {
    let mut improved: Vec<DecisionTree> = Vec::new();
    let notes = ProgressLog::default();
    let found = distil(graph, guarantee, from, Annealing::new(search, &notes), |tree| {
        improved.push(tree.clone());
        Ok::<_, TheoryError>(())
    });
    let found = found.unwrap_or_else(|error| panic!("{guarantee}: {error}"));
    let (tree, all) = (found.model.expect("there is one"), found.candidates);
    assert_eq!(improved.last(), Some(&tree));
    assert!(improved.is_sorted_by(|one, next| one.leaves() > next.leaves()), "{guarantee}");
    let notes = notes.0.into_inner().unwrap();
    let candidates: Vec<u64> = notes.iter().map(|note| note.1).collect();
    assert!(candidates.is_sorted() && candidates.first() == Some(&0), "{candidates:?}");
    assert_eq!(candidates.last(), Some(&all));
    for ((what, ..), tree) in [(&notes[0], &improved[0]), (notes.last().unwrap(), &tree)] {
        let (material, leaves) = (table.material(), count(tree.leaves() as u64, "leaf", "leaves"));
        assert_eq!(what, &format!("{material}, {guarantee}: {leaves}"));
    }
    let Budget::Candidates(budget) = search.budget else { panic!("a budget of candidates") };
    assert_eq!(all, budget, "a multiple of the chains");
    assert!(notes.iter().all(|note| note.2 == Some(budget)));
    for tree in &improved {
        verify(tree, guarantee, table).unwrap_or_else(|error| panic!("{guarantee}: {error}"));
        let Origin { maker, parameters, .. } = tree.origin();
        assert_eq!((maker.as_str(), &parameters["keep"]), ("distil", &guarantee.to_string()));
        assert_eq!(parameters.get("from").cloned(), from.map(DecisionTree::sha256));
        assert_eq!(parameters["seed"], search.seed.to_string());
    }
    let plain = ReferenceProof::new(&tree);
    plain.check(&verify(&tree, guarantee, table).unwrap());
    assert!(plain.keeps(guarantee), "{guarantee}");
    assert!(from.is_none_or(|from| improved[0].leaves() <= from.leaves()), "{guarantee}");
    tree
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn searches_keep_what_is_asked_for() {
    let queens = graph(&KQVK, Selection::Geometric);
    for (guarantee, chains) in [(Guarantee::Exact, 1), (Guarantee::WIN, 2)] {
        check_search(&KQVK, &queens, guarantee, None, search(3, 1_000, chains));
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn longer_searches_keep_what_is_asked_for() {
    for (table, selection) in [(&KQVK, Selection::Strategic), (&KRVK, Selection::All)] {
        let graph = graph(table, selection);
        for (guarantee, chains) in
            [(Guarantee::Optimal, 2), (Guarantee::WIN, 1), (win(50, 0.25), 2)]
        {
            check_search(table, &graph, guarantee, None, search(9, 20_000, chains));
        }
    }
    for guarantee in [Guarantee::Exact, win(12, None), win(10, 0.0)] {
        check_search(&KQVK, &QUEENS, guarantee, None, search(3, 2_000, 1));
    }
    let rooks = graph(&KRVK, Selection::All);
    check_search(&KRVK, &rooks, win(33, 8.0), None, search(1, 2_000, 1));
}

/// The result depends on the seed, and not on the number of processors.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn the_same_seed_finds_the_same_tree() {
    let start = checked_in("KQvK.optimal.json");
    let find = |seed: u64| {
        let search = search(seed, 1_000, 2);
        distil(&QUEENS, Guarantee::WIN, Some(&start), Annealing::new(search, &NoObserver), go_on)
            .unwrap()
            .model
            .expect("there is one")
    };
    let first = find(7);
    assert_eq!(find(7).to_json(), first.to_json());
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(alone.install(|| find(7)).to_json(), first.to_json());
    assert_ne!(find(8).nodes(), first.nodes());
}

/// A learned tree with every distance.
fn learned(learner: &impl Learner) -> DecisionTree {
    learner.learn(&KQVK_ROWS).unwrap()
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_search_goes_on_from_a_tree() {
    let cart = learned(&CartParams::default().check().unwrap());
    let id3 = learned(&Id3Params::default().check().unwrap());
    for (guarantee, from, candidates) in [
        // Unchanged except for unneeded parts.
        (Guarantee::Exact, &cart, 0),
        (Guarantee::Exact, &id3, 0),
        (Guarantee::Optimal, &id3, 500),
        (Guarantee::WIN, &cart, 500),
        (Guarantee::WIN, &checked_in("KQvK.win.json"), 0),
    ] {
        let found = check_search(&KQVK, &QUEENS, guarantee, Some(from), search(1, candidates, 1));
        assert!(candidates == 0 || found.leaves() < from.leaves(), "{guarantee}");
    }
}

#[track_caller]
fn refused(graph: &TheoryGraph, guarantee: Guarantee, from: Option<&DecisionTree>) -> TheoryError {
    let told = |_: &DecisionTree| -> Result<(), TheoryError> { panic!("nothing can be found") };
    match distil(graph, guarantee, from, Annealing::new(search(1, 1, 2), &NoObserver), told) {
        Err(error) => error,
        Ok(found) => panic!("{guarantee}: {} leaves", found.model.map_or(0, |tree| tree.leaves())),
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_tree_that_does_not_keep_the_guarantee_is_no_start() {
    let limits = Limits { max_depth: Some(6), min_rows: 2, max_leaves: None };
    let stunted = learned(&CartParams::default().limits(limits).check().unwrap());
    let theory = checked_in("KQvK.win.json");
    let proof = verify(&theory, Guarantee::WIN, &KQVK).unwrap();
    let (longest, excess) = (proof.longest_moves.unwrap(), proof.mean_excess_moves.unwrap());
    for (tree, guarantee) in [
        (&stunted, Guarantee::WIN),
        (&stunted, Guarantee::Exact),
        (&theory, Guarantee::Optimal),
        (&theory, Guarantee::Exact),
        (&theory, win(longest - 1, None)),
        (&theory, win(50, excess - 0.001)),
    ] {
        let error = refused(&QUEENS, guarantee, Some(tree));
        assert_eq!(error, TheoryError::Broken(guarantee));
    }
    let kept = win(longest, excess + 1e-9);
    check_search(&KQVK, &QUEENS, kept, Some(&theory), search(1, 0, 1));
}

#[test]
fn a_tree_about_something_else_is_no_start() {
    let rook = checked_in("KRvK.win.json");
    let expected = TheoryError::OtherMaterial { tree: "KRvK".into(), graph: material("KQvK") };
    assert_eq!(refused(&QUEENS, Guarantee::WIN, Some(&rook)), expected);

    let queen = checked_in("KQvK.win.json");
    let known = ["kOnEdge", "kRoom"];
    let few = AttributeSet::named(material("KQvK"), known).unwrap();
    let few = TheoryGraph::new(&KQVK, &few, &NoObserver).unwrap();
    let TheoryError::Attribute(name) = refused(&few, Guarantee::WIN, Some(&queen)) else {
        panic!("it asks for more")
    };
    assert!(queen.head().attributes.iter().any(|attribute| attribute.name == name), "{name}");
    assert!(!known.contains(&name.as_str()));

    let mut head = queen.head().clone();
    head.classes[1] = "setosa".into();
    let flower = DecisionTree::new(head, queen.nodes().to_vec()).unwrap();
    let error = refused(&QUEENS, Guarantee::WIN, Some(&flower));
    assert!(matches!(error, TheoryError::Class(_)), "{error}");
    assert!(error.to_string().contains("setosa"), "{error}");

    // An attribute that no test uses need not be known.
    let mut head = queen.head().clone();
    head.attributes.push(Column::new("petal", 0, 1, ""));
    let more = DecisionTree::new(head, queen.nodes().to_vec()).unwrap();
    let found = distil(
        &QUEENS,
        Guarantee::WIN,
        Some(&more),
        Annealing::new(search(1, 0, 1), &NoObserver),
        go_on,
    );
    let found = found.unwrap().model.expect("there is one");
    assert!(found.leaves() <= queen.leaves());
}

#[test]
fn what_no_tree_can_keep_is_refused() {
    for guarantee in [
        win(0, None),
        win(5, None),
        win(9, None),
        win(50, -0.1),
        win(50, f64::NAN),
        win(50, f64::NEG_INFINITY),
    ] {
        let error = refused(&QUEENS, guarantee, None);
        // NaN is not equal to itself, so the texts are compared.
        assert_eq!(format!("{error:?}"), format!("{:?}", TheoryError::Impossible(guarantee)));
    }
}

#[test]
fn what_too_few_attributes_cannot_tell_apart_is_refused() {
    let few = AttributeSet::named(material("KQvK"), ["kOnEdge", "KkSteps"]).unwrap();
    let few = TheoryGraph::new(&KQVK, &few, &NoObserver).unwrap();
    for guarantee in [Guarantee::WIN, Guarantee::Optimal, Guarantee::Exact] {
        let error = refused(&few, guarantee, None);
        assert_eq!(error, TheoryError::TooFewAttributes(guarantee));
    }
}

#[test]
fn endgames_without_a_theory_are_refused() {
    for name in ["KvK", "KBvK", "KNvK"] {
        let table = solve(name);
        let refused = TheoryGraph::new(
            &table,
            &AttributeSet::new(material(name), Selection::All),
            &NoObserver,
        );
        assert_eq!(refused.err(), Some(TheoryError::NothingToWin(material(name))));
    }
    let [attributes, table] = ["KRvK", "KQvK"].map(material);
    let refused =
        TheoryGraph::new(&KQVK, &AttributeSet::new(attributes, Selection::All), &NoObserver);
    assert_eq!(refused.err(), Some(TheoryError::OtherAttributes { attributes, table }));
}

// Stopped work.

#[test]
fn a_search_that_is_stopped_ends_with_the_best_so_far() {
    let start = checked_in("KQvK.optimal.json");
    let mut handed = Vec::new();
    let endless = search(1, u64::MAX, 1);
    let observer = StopsAfter::asked(1_000);
    let found =
        distil(&QUEENS, Guarantee::WIN, Some(&start), Annealing::new(endless, &observer), |tree| {
            handed.push(tree.clone());
            Ok::<_, TheoryError>(())
        });
    let found = found.unwrap();
    let tree = found.model.expect("there is one");
    assert_eq!(handed.last(), Some(&tree));
    assert!(found.candidates > 0 && tree.leaves() < start.leaves());
    verify(&tree, Guarantee::WIN, &KQVK).unwrap();
}

#[test]
fn what_is_stopped_before_there_is_a_theory_says_so() {
    for times in 0..6 {
        let attributes = AttributeSet::new(material("KQvK"), Selection::All);
        let stopped = TheoryGraph::new(&KQVK, &attributes, &StopsAfter::asked(times));
        assert_eq!(stopped.err(), Some(TheoryError::Stopped(Stopped::Request)), "{times}");
    }
    for times in [0, 20] {
        let observer = StopsAfter::asked(times);
        let stopped = distil(
            &QUEENS,
            Guarantee::WIN,
            None,
            Annealing::new(search(1, 1, 2), &observer),
            go_on,
        );
        assert_eq!(stopped, Err(TheoryError::Stopped(Stopped::Request)), "{times}");
    }
}

#[test]
fn a_search_ends_where_a_smaller_theory_is_not_taken() {
    /// The reason for a refusal.
    #[derive(Debug, PartialEq, thiserror::Error)]
    enum Refused {
        #[error("enough")]
        Enough,
        #[error(transparent)]
        Start(#[from] TheoryError),
    }
    let start = checked_in("KQvK.optimal.json");
    let mut handed = 0;
    let found = distil(
        &QUEENS,
        Guarantee::WIN,
        Some(&start),
        Annealing::new(search(1, 2_000, 2), &NoObserver),
        |_| {
            handed += 1;
            if handed == 2 { Err(Refused::Enough) } else { Ok(()) }
        },
    );
    assert_eq!((found, handed), (Err(Refused::Enough), 2));
}

// Trees that are not theories.

/// A tree that gives a class wherever a yes-or-no attribute has a value, and the answer of another tree
/// elsewhere.
fn whenever(name: &str, value: u8, class: &str, tree: &DecisionTree) -> DecisionTree {
    let mut head = tree.head().clone();
    let place = head.attributes.iter().position(|attribute| attribute.name == name);
    let attribute = place.unwrap_or(head.attributes.len());
    if place.is_none() {
        head.attributes.push(Column::new(name, 0, 1, ""));
    }
    let class = head.classes.iter().position(|known| known == class).expect("a class") as u8;
    let moved = |node: &Node| match *node {
        Node::Threshold { attribute, at_most, below, above } => {
            Node::Threshold { attribute, at_most, below: below + 2, above: above + 2 }
        }
        Node::Leaf { class } => Node::Leaf { class },
        Node::ByValue { .. } => panic!("a tree of thresholds"),
    };
    let (below, above) = if value == 0 { (1, 2) } else { (2, 1) };
    let mut nodes =
        vec![Node::Threshold { attribute, at_most: 0, below, above }, Node::Leaf { class }];
    nodes.extend(tree.nodes().iter().map(moved));
    DecisionTree::new(head, nodes).expect("a sound tree")
}

/// A tree with other names for its classes.
fn renamed(tree: &DecisionTree, name: impl Fn(DistanceClass) -> String) -> DecisionTree {
    let mut head = tree.head().clone();
    for class in &mut head.classes {
        *class = name(class.parse().expect("a depth"));
    }
    DecisionTree::new(head, tree.nodes().to_vec()).expect("a sound tree")
}

/// A tree that gives every position the same class.
fn indifferent() -> DecisionTree {
    let head = TreeHead {
        origin: Origin::new("KRvK"),
        attributes: vec![Column::new("kInCheck", 0, 1, "")],
        classes: ["draw", "grade 1"].map(String::from).into(),
    };
    DecisionTree::new(head, vec![Node::Leaf { class: 1 }]).expect("a sound tree")
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn what_gives_wins_away_is_no_theory() {
    // Goes nowhere, but gives nothing away.
    let circling = whenever("RHangs", 1, "draw", &whenever("kCanMove", 0, "draw", &indifferent()));
    // Exact, except that it prefers the king without a move, or the rook en prise.
    let stalemating = whenever("kCanMove", 0, "zero", &EXACT);
    let hanging = whenever("RHangs", 1, "zero", &EXACT);
    for (tree, reason) in
        [(circling, Reason::Cycle), (stalemating, Reason::Stalemate), (hanging, Reason::LostPiece)]
    {
        let plain = ReferenceProof::new(&tree);
        for guarantee in [Guarantee::WIN, Guarantee::Optimal, Guarantee::Exact, win(u16::MAX, 1e9)]
        {
            let proof = broken(&tree, guarantee, &KRVK);
            plain.check(&proof);
            assert!(!proof.wins_all() && !plain.keeps(guarantee), "{reason:?}");
        }
        let policy = TreePolicy::new(tree, &KRVK).unwrap();
        let refutation = prove(&policy, &KRVK).unwrap().refutation;
        assert_eq!(refutation.expect("it does not win").reason, reason);
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn the_best_moves_are_not_yet_every_depth() {
    let a_move_more = |depth: DistanceClass| match depth {
        DistanceClass::Draw | DistanceClass::Lost => depth.to_string(),
        DistanceClass::Mated(moves) => DistanceClass::Mated(moves + 1).to_string(),
    };
    let as_grades = |depth: DistanceClass| match depth {
        DistanceClass::Draw | DistanceClass::Lost => depth.to_string(),
        DistanceClass::Mated(moves) => Grade::Nth(moves).to_string(),
    };
    for tree in
        [checked_in("KRvK.optimal.json"), renamed(&EXACT, as_grades), renamed(&EXACT, a_move_more)]
    {
        let proof = verify(&tree, Guarantee::Optimal, &KRVK).unwrap();
        assert_eq!((proof.optimal_share, proof.mean_excess_moves), (1.0, Some(0.0)));
        assert_eq!(verify(&tree, win(16, 0.0), &KRVK), Ok(proof.clone()));
        let figures = Proof { longest_line: None, refutation: None, ..proof };
        assert_eq!(broken(&tree, Guarantee::Exact, &KRVK), figures);
        let plain = ReferenceProof::new(&tree);
        let kept = [Guarantee::Optimal, win(16, 0.0), Guarantee::Exact];
        assert_eq!(kept.map(|guarantee| plain.keeps(guarantee)), [true, true, false]);
    }
    let proof = verify(&EXACT, Guarantee::Exact, &KRVK);
    assert_eq!(proof, verify(&EXACT, Guarantee::Optimal, &KRVK));
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_move_too_many_is_too_many() {
    for (file, table) in [("KRvK.win33.json", &KRVK), ("KQvK.win.json", &KQVK)] {
        let tree = checked_in(file);
        let proof = verify(&tree, Guarantee::WIN, table).unwrap();
        let (longest, excess) = (proof.longest_moves.unwrap(), proof.mean_excess_moves.unwrap());
        assert!(excess > 0.0, "{file}");
        let figures = Proof { longest_line: None, refutation: None, ..proof.clone() };
        let plain = ReferenceProof::new(&tree);
        for (guarantee, is_kept) in [
            (win(longest, excess + 1e-5), true),
            (win(u16::MAX, 1e9), true),
            (win(longest - 1, None), false),
            (win(50, excess - 1e-5), false),
            (Guarantee::Optimal, false),
            (Guarantee::Exact, false),
        ] {
            assert_eq!(plain.keeps(guarantee), is_kept, "{file}, {guarantee}");
            if is_kept {
                let verified = verify(&tree, guarantee, table);
                assert_eq!(verified, Ok(proof.clone()), "{file}, {guarantee}");
            } else {
                assert_eq!(broken(&tree, guarantee, table), figures, "{file}, {guarantee}");
            }
        }
    }
}

#[test]
fn what_is_about_something_else_is_no_theory() {
    let tree = checked_in("KQvK.win.json");
    let refused = verify(&tree, Guarantee::WIN, &KRVK);
    let is_other = |error| matches!(error, VerifyError::Foreign(Unplayable::OtherTable { .. }));
    assert!(refused.is_err_and(is_other));
    let mut head = tree.head().clone();
    head.attributes.push(Column::new("petal", 0, 1, ""));
    let flower = DecisionTree::new(head, tree.nodes().to_vec()).unwrap();
    let refused = verify(&flower, Guarantee::WIN, &KQVK);
    assert!(
        matches!(refused, Err(VerifyError::Foreign(Unplayable::Unknown { .. }))),
        "{refused:?}"
    );
}

// Grades.

#[test]
fn grades_are_written_and_read() {
    let last = [Grade::Draw, Grade::Lost];
    let all: Vec<Grade> = (0..=u16::MAX).map(Grade::Nth).chain(last).collect();
    for grade in &all {
        assert_eq!(grade.to_string().parse(), Ok(*grade));
    }
    assert!(all.is_sorted_by(|one, next| one < next));
    let shown = [all[0], all[12], Grade::Draw, Grade::Lost].map(|grade| grade.to_string());
    assert_eq!(shown, ["grade 0", "grade 12", "draw", "lost"]);
    for depth in DistanceClass::up_to(99).chain([DistanceClass::Lost]) {
        assert_eq!(depth.to_string().parse(), Ok(Grade::from(depth)), "{depth}");
    }
    for text in [
        "",
        "grade",
        "grade ",
        "grade -1",
        "grade +1",
        "grade 007",
        "grade 00",
        "grade 1.0",
        "grade 1 ",
        " grade 1",
        "grade  1",
        "grade one",
        "grade 65536",
        "grade1",
        "Grade 1",
        "GRADE 1",
        "grade ١",
        "1",
        "Draw",
        "won",
    ] {
        let error = text.parse::<Grade>().expect_err(text).to_string();
        assert!(error.starts_with(&format!("\"{text}\" is neither")), "{error}");
    }
}

// The example of docs/theories.md.

/// The first field of a position's FEN.
fn placement(position: &Position) -> String {
    position.to_string().split(' ').next().expect("a placement").to_owned()
}

#[test]
fn the_example_of_the_page_is_true() {
    let at = |rook: &str, king: &str| -> Position {
        let second = if king == "a2" { "k1K5" } else { "2K5" };
        let first = if king == "a1" { "k7" } else { "8" };
        let third = if rook == "g3" { "6R1" } else { "7R" };
        format!("8/8/8/8/8/{third}/{second}/{first} w - - 0 1").parse().unwrap()
    };
    let play =
        |position: &Position, san: &str| position.play(position.parse_move(san).unwrap()).unwrap();
    for (from, to) in [("h3", "g3"), ("g3", "h3")] {
        let quiet = format!("R{to}");
        // From a1: mate, or the king goes to a2.
        let [corner, edge] = ["a1", "a2"].map(|king| at(from, king));
        assert!(play(&corner, "Ra3").is_checkmate());
        let replies = play(&corner, &quiet);
        assert_eq!(replies.moves().len(), 1);
        assert_eq!(placement(&play(&replies, "Ka2")), placement(&at(to, "a2")));
        // From a2: the rook is lost, or the king goes to a1.
        let taken = play(&edge, "Ra3");
        assert_eq!(KRVK.probe(&taken), Ok(Outcome::Draw));
        play(&taken, "Kxa3");
        let replies = play(&edge, &quiet);
        assert_eq!(replies.moves().len(), 1);
        assert_eq!(placement(&play(&replies, "Ka1")), placement(&at(to, "a1")));
        assert_eq!(KRVK.probe(&edge), Ok(Outcome::Win(3)));
        // The rook moves come in the order of the squares, so Ra3 wins a tie against the other.
        let moves: Vec<String> = corner.moves().iter().map(|&mv| corner.san(mv).unwrap()).collect();
        let place = |san: &str| moves.iter().position(|mv| mv.starts_with(san)).expect("a move");
        assert!(place("Ra3") < place(&quiet), "{moves:?}");
    }
}
