//! Measures: files, searches, exhaustive trials and proofs.

use lucena_attributes::{Quantity, QuantitySet};
use lucena_base::progress::{Budget, NoObserver, SearchSettings, Stopped};
use lucena_chess::{Material, Move, Position, Side, Square};
use lucena_measure::{
    Acceptance, Annealing, Candidate, Horizon, LearningTask, MeasureLimits, MeasureTable,
    MiningResult, TooManyMeasures, TrialResult, VerifyError, distinct_quantities, exhaust, learn,
    measure_quantities, mine, to_measure, verify,
};
use lucena_model::{Contribution, Measure, ModelKind, Term};
use lucena_proof::measure::{LookedAhead, Score};
use lucena_proof::policy::{Decision, MeasurePolicy, Policy, Unplayable};
use lucena_proof::prove;
use lucena_roster::BuiltIn;
use lucena_tablebase::Tablebase;
use lucena_test_support::cases::{cases, material, repository};
use lucena_test_support::observers::RecordingObserver;
use lucena_test_support::reference_attributes::TURNS;
use lucena_test_support::reference_measures::{Forced, PlainMeasure, WholeBoard};
use lucena_test_support::reference_rules::Board;
use lucena_test_support::tables::{KQVK, KRVK};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, BTreeSet};

/// A sound measure of king and rook, on one line.
const ROOM: &str = r#"{ "kind": "measure", "format": 1, "material": "KRvK", "miner": "by hand", "parameters": {}, "look": 3, "goal": "any-move", "secure": 0, "terms": [ { "quantity": "kRoom", "low": 0, "high": 63, "meaning": "m", "weight": 1 } ] }"#;

fn table(of: &'static Tablebase, names: &[&str]) -> MeasureTable {
    let quantities = QuantitySet::named(of.material(), names.iter().copied()).expect("its own");
    MeasureTable::new(of, &quantities, &NoObserver).expect("not stopped")
}

fn view(look: u8) -> Horizon {
    Horizon { look, ..Horizon::default() }
}

#[test]
fn damaged_measures_are_refused_with_a_reason() {
    let sound = Measure::from_json(ROOM.as_bytes()).expect("sound");
    assert_eq!(Measure::from_json(sound.to_json().as_bytes()).expect("sound"), sound);
    for [place, instead, message] in cases("damaged_measures.csv") {
        let damaged = ROOM.replacen(&place, &instead, 1);
        assert_ne!(damaged, ROOM, "{place}");
        let error = Measure::from_json(damaged.as_bytes()).expect_err(&instead).to_string();
        assert!(error.contains(&message), "{instead}: {error}");
    }
}

#[test]
fn measures_that_do_not_fit_their_endgame_are_refused() {
    let refused = |place: &str, instead: &str| {
        let measure =
            Measure::from_json(ROOM.replacen(place, instead, 1).as_bytes()).expect("sound");
        MeasurePolicy::new(measure).err().expect("it does not fit")
    };
    assert!(matches!(refused("KRvK", "KRRvKX"), Unplayable::Material { .. }));
    assert!(matches!(refused("kRoom", "kRooms"), Unplayable::Unknown { .. }));
    let turns = refused(r#""kRoom", "low": 0, "high": 63"#, r#""kFile", "low": 1, "high": 8"#);
    assert_eq!(turns, Unplayable::Turns { kind: ModelKind::Measure, column: "kFile".into() });
    assert!(matches!(refused(r#""high": 63"#, r#""high": 62"#), Unplayable::Domain { .. }));
}

#[test]
fn the_same_seed_finds_the_same_measure() {
    let table =
        table(&KQVK, &["kRoom", "KkSteps", "kEdgeSteps", "KCentreSteps", "kReach2CornerSum"]);
    let search = SearchSettings { seed: 3, budget: Budget::Candidates(60), chains: 2 };
    let find = || {
        let start = Candidate { terms: Vec::new(), view: view(3) };
        let (limits, search) = (MeasureLimits::default(), Annealing::new(search, &NoObserver));
        let found = mine::<Stopped>(&table, limits, &start, search, |_| Ok(Acceptance::Accepted));
        found.expect("not stopped")
    };
    let (one, other) = (find(), find());
    assert_eq!(one.model, other.model);
    let measure = one.model.expect("some win");
    assert_eq!(measure.origin().parameters["seed"], "3");
    let proof = verify(&measure, MeasureLimits::default(), &KQVK, &NoObserver).expect("it wins");
    assert_eq!((proof.won, proof.longest_moves), (144_508, Some(one.trial.longest)));
}

#[test]
fn a_search_keeps_to_the_limits_or_says_that_it_found_nothing() {
    let table = table(&KRVK, &["kRoom", "KkSteps"]);
    let search = SearchSettings { seed: 1, budget: Budget::Candidates(20), chains: 1 };
    let impossible = MeasureLimits { longest: Some(3), terms: Some(1) };
    let start = Candidate { terms: Vec::new(), view: view(3) };
    let search = Annealing::new(search, &NoObserver);
    let found = mine::<Stopped>(&table, impossible, &start, search, |_| Ok(Acceptance::Accepted));
    let found = found.expect("not stopped");
    assert_eq!(found.model, None);
    let draft = found.draft.expect("the nearest");
    let broken = verify(&draft, impossible, &KRVK, &NoObserver);
    assert!(matches!(broken, Err(VerifyError::Broken { .. })), "{broken:?}");
}

/// Every search that is refused what it finds offers it, goes on, and has it as a draft in the end.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn measures_that_are_refused_are_drafts() {
    let table = table(&KRVK, &["kRoom", "KkSteps"]);
    let search = SearchSettings { seed: 1, budget: Budget::Candidates(40), chains: 2 };
    let mut offered = 0;
    let mut refuse = |_: &Measure| {
        offered += 1;
        Ok::<_, Stopped>(Acceptance::Refused)
    };
    let none = MeasureLimits::default();
    let start = Candidate { terms: vec![(0, 1)], view: view(3) };
    let mined =
        mine(&table, none, &start, Annealing::new(search, &NoObserver), &mut refuse).unwrap();
    let quantities = QuantitySet::named(KQVK.material(), LEARNED).expect("its own");
    let task =
        LearningTask { tablebase: &KQVK, quantities: &quantities, horizon: view(2), start: None };
    let learned = learn(task, none, Budget::Candidates(60), &NoObserver, &mut refuse).unwrap();
    assert!(offered > 2, "{offered}");
    for (found, of) in [(mined, &KRVK), (learned, &KQVK)] {
        assert_eq!((found.model, found.trial.lost), (None, 0));
        verify(&found.draft.expect("the nearest"), none, of, &NoObserver).expect("it wins");
    }
}

/// Learns from the quantities of [`LEARNED`].
fn learn_from(
    of: &'static Tablebase,
    limits: MeasureLimits,
    look: u8,
    start: Option<&Measure>,
    steps: u64,
) -> MiningResult<Measure, TrialResult> {
    let quantities = QuantitySet::named(of.material(), LEARNED).expect("its own");
    let task = LearningTask { tablebase: of, quantities: &quantities, horizon: view(look), start };
    learn::<Stopped>(task, limits, Budget::Candidates(steps), &NoObserver, |_| {
        Ok(Acceptance::Accepted)
    })
    .expect("not stopped")
}

/// Quantities of king and queen, one of them with values that have no order, and one with too many for a table.
const LEARNED: [&str; 8] = [
    "kRoom",
    "KkSteps",
    "KEdgeSteps",
    "kCage",
    "kEscapes",
    "kReach2EdgeSteps",
    "KPlace",
    "kRoomCornerSquare",
];

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn learned_tables_win_against_every_reply() {
    let found = learn_from(&KQVK, MeasureLimits::default(), 2, None, 60);
    let measure = found.model.expect("they win");
    let proof = verify(&measure, MeasureLimits::default(), &KQVK, &NoObserver).expect("a proof");
    assert_eq!((proof.won, proof.longest_moves), (144_508, Some(found.trial.longest)));
    let has_table = |term: &Term| matches!(&term.contribution, Contribution::Table(numbers) if numbers.len() > 1);
    for term in measure.terms() {
        assert_eq!(has_table(term), term.quantity.name != "kRoomCornerSquare", "{term:?}");
    }
    // What is learned can be learned further, and is no worse at the first step.
    let further = learn_from(&KQVK, MeasureLimits::default(), 2, Some(&measure), 0);
    assert_eq!(further.trial, found.trial);
}

#[test]
#[ignore = "slow: learns from all quantities"]
fn learned_measures_that_are_checked_in_are_found_again() {
    for of in [&*KRVK, &*KQVK] {
        let nearest =
            BuiltIn::find(ModelKind::Measure, of.material(), "nearest").expect("it is carried");
        let measure = Measure::try_from(nearest.model()).expect("a measure");
        let number =
            |name: &str| measure.origin().parameters[name].parse::<u64>().expect("a number");
        let sets = [measure_quantities(of.material()), QuantitySet::places(of.material())];
        let names: Vec<String> =
            sets.iter().flat_map(QuantitySet::quantities).map(Quantity::name).collect();
        let quantities = QuantitySet::named(of.material(), names.iter().map(String::as_str));
        let task = LearningTask {
            tablebase: of,
            quantities: &quantities.expect("their names"),
            horizon: view(measure.horizon().look),
            start: None,
        };
        let limits = MeasureLimits { terms: Some(number("terms") as usize), longest: None };
        let budget = Budget::Candidates(number("candidates"));
        let found =
            learn::<Stopped>(task, limits, budget, &NoObserver, |_| Ok(Acceptance::Accepted));
        let found = found.expect("not stopped").model.expect("it wins");
        assert_eq!(found.to_json(), measure.to_json());
    }
}

#[test]
fn learning_gives_the_same_bytes_on_any_number_of_threads() {
    let learned = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let found = learn_from(&KRVK, MeasureLimits::default(), 1, None, 6);
            found.model.or(found.draft).expect("one of them").to_json()
        })
    };
    assert_eq!(learned(1), learned(3));
}

#[test]
fn learning_keeps_to_the_limits_or_says_that_it_found_nothing() {
    let few = MeasureLimits { terms: Some(3), longest: Some(4) };
    let found = learn_from(&KQVK, few, 2, None, 20);
    assert_eq!(found.model, None);
    let draft = found.draft.expect("the nearest");
    assert!(draft.terms().len() <= 3, "{:?}", draft.terms());
    let broken = verify(&draft, few, &KQVK, &NoObserver);
    assert!(matches!(broken, Err(VerifyError::Broken { .. })), "{broken:?}");
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn all_measures_of_two_quantities_are_tried() {
    let table = table(&KRVK, &["kRoom", "KkSteps", "kMatingCornerSteps"]);
    let tried = exhaust(&table, view(3), 2, 2, &NoObserver).expect("not stopped");
    // Three pairs; the weights 1 and 2 with either sign, without 2 and 2.
    assert_eq!((tried.parts.len(), tried.candidates), (3, 3 * 12));
    for (candidate, trial) in &tried.winners {
        let measure = to_measure(&table, candidate, Vec::new());
        let proof =
            verify(&measure, MeasureLimits::default(), &KRVK, &NoObserver).expect("it wins");
        assert_eq!(proof.longest_moves, Some(trial.longest));
    }
    let room = Candidate { terms: vec![(0, 1)], view: view(3) };
    assert!(table.trial(&room).wins() && !table.trial(&room).is_ranking());
    assert!(exhaust(&table, view(3), 2, 2, &RecordingObserver::stopping_after(3)).is_err());
    assert_eq!(TooManyMeasures::check(&table, 2, 2), Ok(()));
    let refused =
        TooManyMeasures::check(&table, 4, 100).expect_err("lists of weights beyond all memory");
    assert!(
        refused.to_string().contains("4 terms over 3 quantities with weights up to 100"),
        "{refused}"
    );
}

#[test]
fn quantities_that_differ_by_a_constant_count_once() {
    // The number of squares of the room, and the sum over them and the king's own square.
    let table = table(&KRVK, &["kRoom", "kOnEdge", "kRoomEdgeSteps", "kMatingCornerSum", "kCage"]);
    assert_eq!(distinct_quantities(&table), [0, 1, 2, 3, 4]);
    let all = measure_quantities(material("KRvK"));
    let names: BTreeSet<String> = all.quantities().iter().map(Quantity::name).collect();
    assert_eq!(names.len(), all.quantities().len());
    assert!(!names.contains("KFile"), "it changes when the board is turned");
}

/// A line of `built_in_measures.csv`.
struct Listed {
    endgame: String,
    name: String,
    terms: usize,
    look: u8,
    longest: u16,
    mean_excess: String,
    won: u64,
}

fn listed() -> Vec<Listed> {
    let all = cases("built_in_measures.csv").into_iter();
    let number = |text: &str| text.parse::<u64>().expect("a number");
    all.map(|[endgame, name, terms, look, longest, mean_excess, won]| Listed {
        endgame,
        name,
        terms: number(&terms) as usize,
        look: number(&look) as u8,
        longest: number(&longest) as u16,
        mean_excess,
        won: number(&won),
    })
    .collect()
}

fn file_of(listed: &Listed) -> String {
    let file = repository(&format!("data/measures/{}.{}.json", listed.endgame, listed.name));
    std::fs::read_to_string(file).expect("the file")
}

/// The checked-in measures with this number of men.
fn listed_of(men: usize) -> impl Iterator<Item = Listed> {
    listed().into_iter().filter(move |one| material(&one.endgame).men() == men)
}

/// Proves the checked-in measures with this number of men, and compares them with `built_in_measures.csv`.
fn check_built_in(men: usize) {
    for one in listed_of(men) {
        let told = format!("{} {}", one.endgame, one.name);
        let carried = BuiltIn::find(ModelKind::Measure, material(&one.endgame), &one.name)
            .expect("it is carried");
        let measure = Measure::try_from(carried.model()).expect("a measure");
        assert_eq!(measure.to_json(), file_of(&one));
        assert_eq!(
            (measure.terms().len(), measure.horizon().look),
            (one.terms, one.look),
            "{told}"
        );
        let policy = MeasurePolicy::new(measure).expect("a policy");
        let proof = prove(&policy, &Tablebase::solve(policy.material())).expect("a proof");
        assert!(proof.wins_all() && proof.holds_all(), "{told}");
        assert_eq!((proof.won, proof.longest_moves), (one.won, Some(one.longest)), "{told}");
        let mean = proof.mean_excess_moves.expect("some are won");
        assert_eq!(format!("{mean:.2}"), one.mean_excess, "{told}");
    }
}

#[test]
fn measures_that_are_checked_in_are_as_good_as_they_are_said_to_be() {
    check_built_in(3);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn measures_of_four_men_that_are_checked_in_are_as_good_as_they_are_said_to_be() {
    check_built_in(4);
}

/// Some random positions of an endgame with the strong side to move, always the same.
fn some_positions(material: Material, count: usize) -> Vec<Position> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let draw = std::iter::repeat_with(|| {
        let squares: Vec<Square> =
            (0..material.men()).map(|_| Square::index(rng.gen_range(0..64))).collect();
        Position::new(material, Side::Strong, &squares).ok()
    });
    draw.flatten().take(count).collect()
}

/// The contents of a decision: the best score, and each move with its squares after a turn of the board, whether it is tied,
/// and its score if the measure was asked.
type Said = (Option<Score>, Vec<(String, bool, Option<Score>)>);

fn said(policy: &MeasurePolicy, position: &Position, turn: fn(u8) -> u8) -> Said {
    let name = |mv: Move| {
        let [from, to] = [mv.from, mv.to].map(|at| Square::index(turn(at as u8).into()));
        Move { from, to, ..mv }.to_string()
    };
    let (best, mut moves): Said = match policy.decide(position) {
        Decision::Compared(LookedAhead { moves, tied, best }) => {
            let moves = moves.iter().enumerate().map(|(at, (mv, after))| {
                (name(*mv), tied.contains(&at), Some(policy.forced_after(after)))
            });
            (Some(best), moves.collect())
        }
        other => (None, other.tied().into_iter().map(|mv| (name(mv), true, None)).collect()),
    };
    moves.sort_unstable();
    (best, moves)
}

/// Compares the decisions of the checked-in measures on a board and on its images: eight, or two if there are pawns. Each
/// image has a search of its own, so that none finds what another has stored.
fn check_images(men: usize, count: usize) {
    for one in listed_of(men) {
        let of = material(&one.endgame);
        let new = || MeasurePolicy::new(Measure::from_json(file_of(&one).as_bytes()).unwrap());
        let prepared = new().unwrap();
        prepared.prepare_everywhere(&NoObserver).unwrap();
        let positions = some_positions(of, count);
        let turns = if of.has_pawns() { &TURNS[..2] } else { &TURNS };
        for turn in turns {
            let searching = new().unwrap();
            for position in &positions {
                let squares: Vec<Square> =
                    position.men().map(|(_, at)| Square::index(turn(at as u8).into())).collect();
                let image = Position::new(of, Side::Strong, &squares).expect("an image is legal");
                let expected = said(&prepared, position, *turn);
                assert_eq!(said(&searching, &image, |at| at), expected, "{image}");
                assert_eq!(said(&prepared, &image, |at| at), expected, "{image}");
            }
        }
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_measure_decides_alike_on_all_eight_boards() {
    check_images(3, 60);
}

#[test]
#[ignore = "slow: searches eight moves ahead in endgames of four men"]
fn a_measure_of_four_men_decides_alike_on_all_eight_boards() {
    check_images(4, 2);
}

/// The kind of numbers in a measure: a weight for each quantity, or tables.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    Weights,
    Tables,
}

/// The checked-in measures with this number of men, and numbers of one kind, by endgame.
fn listed_with(men: usize, numbers: Numbers) -> BTreeMap<String, Vec<Listed>> {
    let mut found = BTreeMap::<String, Vec<Listed>>::new();
    for one in listed_of(men) {
        let measure = Measure::from_json(file_of(&one).as_bytes()).expect("sound");
        let has_table = |term: &Term| matches!(term.contribution, Contribution::Table(_));
        if measure.terms().iter().any(has_table) == (numbers == Numbers::Tables) {
            found.entry(one.endgame.clone()).or_default().push(one);
        }
    }
    found
}

/// Proves checked-in measures by plain rounds over the whole board, with plain values of their terms.
fn check_all_plainly(men: usize, numbers: Numbers) {
    for (endgame, measures) in listed_with(men, numbers) {
        let whole = WholeBoard::new(&endgame);
        for one in measures {
            let forced = whole.forced(&PlainMeasure::read(&file_of(&one)));
            check_plainly(&whole, &one, &forced);
        }
    }
}

/// Proves a checked-in measure by plain rounds over the whole board, given what it forces there, and compares it with
/// `built_in_measures.csv`; and in some positions the tied moves with those that the policy finds.
fn check_plainly(whole: &WholeBoard, one: &Listed, forced: &[Forced]) {
    let (of, told) = (material(&one.endgame), format!("{} {}", one.endgame, one.name));
    // A search far ahead for the score of each move takes seconds.
    let positions = some_positions(of, if of.men() == 3 { 40 } else { 4 });
    let policy = MeasurePolicy::new(Measure::from_json(file_of(one).as_bytes()).unwrap());
    check_choices(whole, forced, &policy.unwrap(), &positions);
    let totals = whole.totals(forced);
    assert_eq!((totals.won, totals.winnable), (one.won, one.won), "{told}");
    assert_eq!(u16::from(totals.longest), one.longest, "{told}");
    let mean = totals.excess as f64 / totals.won as f64;
    assert_eq!(format!("{mean:.2}"), one.mean_excess, "{told}");
}

/// Compares what the search of a policy finds in some positions with plain rounds.
fn check_choices(
    whole: &WholeBoard,
    forced: &[Forced],
    policy: &MeasurePolicy,
    positions: &[Position],
) {
    let number = |position: &Position| {
        whole.number(&position.men().map(|(_, at)| at as u8).collect::<Vec<u8>>())
    };
    for position in positions {
        let Decision::Compared(looked) = policy.decide(position) else { continue };
        let tied = looked.tied.iter().map(|&at| number(&looked.moves[at].1));
        let expected = whole.tied(forced, number(position));
        assert_eq!(tied.collect::<BTreeSet<u32>>(), expected.collect(), "{position}");
        for (_, after) in &looked.moves {
            let found = policy.forced_after(after);
            let score = match (found.value(), found.moves()) {
                (_, None) if found == Score::HELD => (i32::MAX - 1, 0),
                (_, None) => (i32::MAX, 0),
                (value, Some(moves)) => (value.unwrap_or(i32::MIN), moves),
            };
            let (value, moves) = forced[number(after) as usize];
            assert_eq!(score, (value, moves.into()), "{after}");
        }
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn measures_of_weights_are_proved_again_by_plain_rounds() {
    check_all_plainly(3, Numbers::Weights);
}

#[test]
#[ignore = "slow: every position of four men on the whole board"]
fn measures_of_weights_of_four_men_are_proved_again_by_plain_rounds() {
    check_all_plainly(4, Numbers::Weights);
}

#[test]
#[ignore = "slow: plain values of many quantities in every position"]
fn measures_of_tables_are_proved_again_by_plain_rounds() {
    check_all_plainly(3, Numbers::Tables);
}

/// With the values of the library, since plain values of so many quantities would take hours with four men.
#[test]
#[ignore = "slow: every position of four men on the whole board"]
fn measures_of_tables_of_four_men_are_proved_again_by_plain_rounds_over_their_values() {
    let asked = ["KBNvK", "KQvKR"];
    for (endgame, measures) in listed_with(4, Numbers::Tables) {
        if !asked.contains(&endgame.as_str()) {
            continue;
        }
        let whole = WholeBoard::new(&endgame);
        for one in measures {
            let json = file_of(&one);
            let policy = MeasurePolicy::new(Measure::from_json(json.as_bytes()).unwrap()).unwrap();
            let value = |board: &Board| {
                let squares: Vec<Square> =
                    board.men.iter().map(|man| Square::index(man.at.into())).collect();
                policy.value(&Position::new(material(&endgame), Side::Weak, &squares).unwrap())
            };
            let forced = whole.forced_by(&PlainMeasure::read(&json), value);
            check_plainly(&whole, &one, &forced);
        }
    }
}

#[test]
fn the_measures_that_are_checked_in_are_those_that_are_listed() {
    let listed = listed().into_iter().map(|one| format!("{}.{}.json", one.endgame, one.name));
    let listed: BTreeSet<String> = listed.collect();
    let files = std::fs::read_dir(repository("data/measures")).expect("the folder");
    let names = files.map(|file| file.expect("a file").file_name().into_string().expect("a name"));
    assert_eq!(names.collect::<BTreeSet<_>>(), listed);
    let carried = BuiltIn::all(ModelKind::Measure);
    let carried = carried.map(|one| format!("{}.{}.json", one.material, one.name));
    assert_eq!(carried.collect::<BTreeSet<_>>(), listed);
}
