//! Evolution of weights: selection, inheritance, and resuming from a file; and the strength of the evolved
//! mop-up.

use lucena_base::named::Named;
use lucena_base::progress::{NoObserver, Observer, Progress, Stopped};
use lucena_chess::Side;
use lucena_chess::symmetry::{Group, Symmetry};
use lucena_play::SearchPolicy;
use lucena_proof::prove;
use lucena_search::SearchParams;
use lucena_search::evaluation::{
    Evaluation, MenValues, MopUp, MopUpTerm, MopUpWeights, ParseWeightsError, Weights, load_json,
};
use lucena_tablebase::{Index, Tablebase};
use lucena_test_support::tables::{KRVK, material};
use lucena_train::{
    DuelParams, Duels, Evolution, EvolutionEnd, EvolutionError, EvolutionLimits, EvolutionParams,
    EvolutionResult, EvolvedWeights, Fitness, Gene, InitialPopulation, PositionsWon, Selection,
    crossover,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The fitness of a genome is its nearness to a target.
struct DistanceFitness;

const TARGET: [i32; 4] = [300, -120, 7, 999];

impl Fitness for DistanceFitness {
    fn measure(&self, genome: &[i32], _: &dyn Observer) -> Result<u64, Stopped> {
        let off = genome.iter().zip(TARGET).map(|(gene, target)| u64::from(gene.abs_diff(target)));
        Ok(10_000 - off.sum::<u64>())
    }
}

fn toy_genes() -> Vec<Gene> {
    vec![
        Gene::new("a", 0, -1000, 1000),
        Gene::new("b", 0, -1000, 1000),
        Gene::fixed("c", 7),
        Gene::new("d", 0, -1000, 1000),
    ]
}

const TOY: EvolutionParams = EvolutionParams {
    limits: EvolutionLimits { time: None, patience: None },
    population: 9,
    generations: 120,
    mutation: 0.4,
    start: InitialPopulation::Random,
    seed: 5,
};

fn toy(params: EvolutionParams) -> Evolution<'static> {
    Evolution::new("toy", toy_genes(), params, Selection::ByFitness(&DistanceFitness)).unwrap()
}

#[test]
fn the_better_stays() {
    for start in [InitialPopulation::Random, InitialPopulation::Nothing, InitialPopulation::Usual] {
        let evolved = toy(EvolutionParams { start, ..TOY }).run(None, &NoObserver).unwrap();
        assert_eq!(evolved.records.len(), 121);
        let best: Vec<u64> =
            evolved.records.iter().filter_map(|record| record.best_worth).collect();
        assert!(best.is_sorted(), "{best:?}");
        assert!(best[120] > 9_950, "{best:?}");
        let worth = |genome: &[i32]| DistanceFitness.measure(genome, &NoObserver).unwrap();
        for member in &evolved.members {
            assert_eq!(member.worth, Some(worth(&member.genome)));
            assert!(worth(&member.genome) <= worth(&evolved.best().genome));
        }
    }
}

#[test]
fn fixed_genes_keep_their_value_and_others_their_range() {
    let evolved = toy(EvolutionParams { mutation: 1.0, ..TOY }).run(None, &NoObserver).unwrap();
    for record in &evolved.records {
        assert_eq!((record.best[2], record.mean[2], record.spread[2]), (7, 7.0, 0.0));
        for (value, gene) in record.best.iter().zip(&evolved.genes) {
            assert!((gene.least..=gene.most).contains(value));
        }
    }
    let genes = EvolvedWeights::Men.genes();
    let fixed: Vec<(&str, i32)> =
        genes.iter().filter(|gene| gene.is_fixed()).map(|gene| (&*gene.name, gene.usual)).collect();
    assert_eq!(fixed, [("pawn", 100), ("queen", 1000)]);
}

#[test]
fn a_child_has_the_first_genes_of_one_and_the_last_of_the_other() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for _ in 0..500 {
        let count = rng.gen_range(1..20_usize);
        let [one, other] =
            [0, 1].map(|_| (0..count).map(|_| rng.gen_range(-9..9)).collect::<Vec<i32>>());
        let point = rng.gen_range(0..=count);
        let child = crossover(&one, &other, point);
        assert_eq!(child.len(), count);
        assert_eq!((&child[..point], &child[point..]), (&one[..point], &other[point..]));
    }
}

/// A mutation adds from -50 to 50, so no child is further away from both parents.
#[test]
fn mutations_are_small() {
    let params = EvolutionParams { population: 2, generations: 200, ..TOY };
    let evolved = toy(params).run(None, &NoObserver).unwrap();
    for two in evolved.records.windows(2) {
        for (before, after) in two[0].best.iter().zip(&two[1].best) {
            assert!(before.abs_diff(*after) <= 50, "{two:?}");
        }
    }
}

fn duels(file: Option<&Path>, generations: u64) -> EvolutionResult {
    let params =
        DuelParams { depth: 1, wins: 1, most_games: 2, most_plies: 60, ..DuelParams::default() };
    let duels = Duels { subject: EvolvedWeights::Men, params };
    let params = EvolutionParams { population: 5, generations, ..EvolutionParams::default() };
    let selection = Selection::Duels(&duels);
    let evolution = Evolution::new("men", EvolvedWeights::Men.genes(), params, selection).unwrap();
    evolution.run(file, &NoObserver).unwrap()
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| (duels(None, 3), toy(TOY).run(None, &NoObserver).unwrap()))
    };
    assert!(with(1) == with(2));
}

/// Stops the work at a given generation.
struct StopAt(u64, AtomicU64);

impl Observer for StopAt {
    fn report(&self, progress: Progress<'_>) {
        self.1.store(progress.done, Ordering::Relaxed);
    }

    fn warn(&self, _: &str) {}

    fn is_stopped(&self) -> bool {
        self.1.load(Ordering::Relaxed) >= self.0
    }
}

#[test]
fn what_is_gone_on_from_comes_to_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let whole = toy(TOY).run(Some(&file("whole")), &NoObserver).unwrap();
    let short = EvolutionParams { generations: 30, ..TOY };
    toy(short).run(Some(&file("parts")), &NoObserver).unwrap();
    let stopped = toy(TOY).run(Some(&file("parts")), &StopAt(70, AtomicU64::new(0)));
    assert!(matches!(stopped, Err(EvolutionError::Stopped(_))));
    let parts = toy(TOY).run(Some(&file("parts")), &NoObserver).unwrap();
    assert!(parts == whole);
    let read = |name| std::fs::read(file(name)).unwrap();
    assert_eq!(read("parts"), read("whole"));
    // The result is already there: nothing is left to do.
    assert!(toy(short).run(Some(&file("parts")), &NoObserver).unwrap() == whole);
    assert!(duels(Some(&file("duels")), 1) != duels(None, 2));
    assert!(duels(Some(&file("duels")), 2) == duels(None, 2));
}

#[test]
fn what_cannot_evolve_is_refused() {
    let refused = |params| {
        Evolution::new("toy", toy_genes(), params, Selection::ByFitness(&DistanceFitness))
            .err()
            .unwrap()
    };
    assert!(matches!(
        refused(EvolutionParams { population: 1, ..TOY }),
        EvolutionError::Population(1)
    ));
    assert!(matches!(
        refused(EvolutionParams { generations: 0, ..TOY }),
        EvolutionError::Generations
    ));
    for mutation in [-0.1, 1.1, f64::NAN] {
        let error = refused(EvolutionParams { mutation, ..TOY });
        assert!(matches!(error, EvolutionError::Mutation(_)));
    }
    let fixed = vec![Gene::fixed("a", 1)];
    let nothing = Evolution::new("toy", fixed, TOY, Selection::ByFitness(&DistanceFitness));
    assert!(matches!(nothing.err(), Some(EvolutionError::NothingFree)));
}

#[test]
fn a_damaged_state_and_one_of_other_settings_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    let short = EvolutionParams { generations: 2, ..TOY };
    toy(short).run(Some(&path), &NoObserver).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let others = [
        EvolutionParams { seed: 6, ..short },
        EvolutionParams { population: 10, ..short },
        EvolutionParams { mutation: 0.5, ..short },
        EvolutionParams { start: InitialPopulation::Usual, ..short },
    ];
    for other in others {
        let error = toy(other).run(Some(&path), &NoObserver).unwrap_err();
        assert!(matches!(error, EvolutionError::Other { .. }), "{error}");
    }
    let text = String::from_utf8(bytes.clone()).unwrap();
    let damaged = [
        bytes[..bytes.len() / 2].to_vec(),
        Vec::new(),
        text.replacen("\"born\":0", "\"born\":77", 1).into_bytes(),
        text.replacen("\"generation\":1", "\"generation\":3", 1).into_bytes(),
        text.replacen("\"records\":[", "\"records\":[],\"others\":[", 1).into_bytes(),
    ];
    for bytes in damaged {
        std::fs::write(&path, &bytes).unwrap();
        let error = toy(short).run(Some(&path), &NoObserver).unwrap_err();
        assert!(matches!(error, EvolutionError::Damaged { .. }), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), bytes, "nothing is lost");
    }
}

#[test]
fn a_mop_up_sees_the_same_on_a_turned_board_and_with_colors_exchanged() {
    let mop_up = MopUp::default();
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let mut seen = 0;
    for name in ["KRvK", "KQvK", "KBNvK", "KBBvK", "KPvK", "KQvKR"] {
        let index = Index::new(material(name), Group::Identity);
        for _ in 0..300 {
            let side = if rng.gen_bool(0.5) { Side::Strong } else { Side::Weak };
            let Some(position) = index.position(rng.gen_range(0..index.len()), side) else {
                continue;
            };
            let value = mop_up.evaluate(&position.board());
            assert_eq!(
                value,
                mop_up.evaluate(&position.with_colors_exchanged().board()),
                "{position}"
            );
            let group: &[Symmetry] = match name {
                "KPvK" => Group::Mirror.symmetries(),
                _ => &Symmetry::ALL,
            };
            for symmetry in group {
                let turned = symmetry.apply_to_position(&position);
                assert_eq!(value, mop_up.evaluate(&turned.board()), "{position} {turned}");
            }
            let told: i32 = mop_up.terms(&position.board()).iter().map(|term| term.value).sum();
            assert_eq!(told.abs(), value.abs(), "{position}");
            seen += 1;
        }
    }
    assert!(seen > 1000);
}

/// The published count is that of all positions with White to move.
#[test]
fn one_ply_with_the_mop_up_wins_all_of_king_and_rook_against_king() {
    assert_eq!(PositionsWon::new(&KRVK, 1).of(&MopUp::default(), &NoObserver), Ok(175_168));
    assert_eq!(PositionsWon::winnable(&KRVK), 175_168);
    // No search looks less far ahead.
    assert!("depth=0".parse::<SearchParams>().is_err());
}

#[test]
#[ignore = "slow without optimisation"]
fn the_search_itself_is_proved_to_win_them_all() {
    let params: SearchParams = "depth=1,algorithm=alpha-beta,off=all".parse().unwrap();
    let policy = SearchPolicy::new(KRVK.material(), params, Arc::new(MopUp::default())).unwrap();
    let proof = prove(&policy, &KRVK).unwrap();
    assert_eq!((proof.won, proof.positions), (175_168, 175_168));
    assert!(proof.fifty_move_safe);
}

/// The precomputed results for all positions agree with the search.
#[test]
#[ignore = "slow without optimisation"]
fn positions_won_are_those_that_a_proof_counts() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for (name, depths) in [("KRvK", 1..=3), ("KQvK", 1..=2), ("KPvK", 1..=1)] {
        let tablebase = Tablebase::solve(material(name));
        for depth in depths {
            let usual = MopUpWeights::default().numbers();
            let numbers: Vec<i32> = usual.iter().map(|n| n + rng.gen_range(-20..=20)).collect();
            let weights = MopUpWeights::from_numbers(&numbers).unwrap();
            let mop_up = MopUp { men: MenValues::DEFAULT, weights };
            let positions = PositionsWon::new(&tablebase, depth);
            let evaluation = Arc::new(mop_up.clone());
            let policy =
                SearchPolicy::new(tablebase.material(), positions.search(), evaluation).unwrap();
            let proof = prove(&policy, &tablebase).unwrap();
            assert_eq!(positions.of(&mop_up, &NoObserver), Ok(proof.won), "{name} at {depth}");
            assert_eq!(PositionsWon::winnable(&tablebase), proof.winnable);
        }
    }
}

#[test]
fn files_of_weights_say_what_they_are_for() {
    let mop_up = MopUp::default();
    let json = mop_up.to_json();
    assert_eq!(MopUp::from_json(json.as_bytes()).unwrap(), mop_up);
    let name = |json: &str| load_json(json.as_bytes()).unwrap().name();
    assert_eq!(
        (name(&json), name(&Weights::default().to_json())),
        ("mop-up".into(), "parts".into())
    );
    let refused = |from: &str, to: &str| {
        assert!(json.contains(from), "{from}");
        load_json(json.replacen(from, to, 1).as_bytes()).err().unwrap()
    };
    let nameless = refused("\"evaluation\": \"mop-up\",", "");
    assert!(matches!(nameless, ParseWeightsError::Evaluation { found: None, .. }), "{nameless}");
    let other = refused("mop-up", "network");
    assert!(matches!(other, ParseWeightsError::Evaluation { found: Some(_), .. }), "{other}");
    let parts = refused("mop-up", "parts");
    assert!(matches!(parts, ParseWeightsError::Json(_)), "{parts}");
    let term = refused("\"centre\"", "\"center\"");
    assert!(
        matches!(term, ParseWeightsError::Values { term: MopUpTerm::Centre, found: 0 }),
        "{term}"
    );
    let more = refused("\"centre\"", "\"tempo\": 3, \"centre\"");
    assert!(matches!(more, ParseWeightsError::Unknown { .. }), "{more}");
    let values = refused("\"kings\": [", "\"kings\": [1, ");
    assert!(matches!(values, ParseWeightsError::Values { term: MopUpTerm::Kings, found: 7 }));
    let large = refused("\"kings\": [", "\"kings\": [99999, ");
    assert!(matches!(large, ParseWeightsError::Values { .. }), "{large}");
    let large = refused("\"check\": ", "\"check\": 99");
    assert!(matches!(large, ParseWeightsError::TooLarge(..)), "{large}");
    let half = load_json(&json.as_bytes()[..json.len() / 2]).err().unwrap();
    assert!(matches!(half, ParseWeightsError::Json(_)));
}

#[test]
fn numbers_become_the_weights_that_they_come_from() {
    for subject in [EvolvedWeights::Men, EvolvedWeights::Parts, EvolvedWeights::MopUp] {
        let genes = subject.genes();
        let usual: Vec<i32> = genes.iter().map(|gene| gene.usual).collect();
        let json = subject.to_json(&usual);
        let expected = match subject {
            EvolvedWeights::MopUp => MopUp::default().to_json(),
            EvolvedWeights::Men | EvolvedWeights::Parts => Weights::default().to_json(),
        };
        assert_eq!(json, expected);
    }
    let numbers = MopUpWeights::default().numbers();
    assert_eq!(numbers.len(), MopUpWeights::names().len());
    assert_eq!(numbers.len(), MopUpTerm::ALL.iter().map(|(_, term)| term.values()).sum::<usize>());
    assert_eq!(MopUpWeights::from_numbers(&numbers[1..]), None);
}

/// All genomes are equally fit, so there is never a gain.
struct NoDifference;

impl Fitness for NoDifference {
    fn measure(&self, _: &[i32], _: &dyn Observer) -> Result<u64, Stopped> {
        Ok(1)
    }
}

#[test]
fn an_evolution_ends_at_its_first_limit() {
    let run = |limits| {
        let params = EvolutionParams { generations: 7, limits, ..TOY };
        let selection = Selection::ByFitness(&NoDifference);
        let evolution = Evolution::new("equal", toy_genes(), params, selection).unwrap();
        let evolved = evolution.run(None, &NoObserver).unwrap();
        (evolved.end, evolved.records.len())
    };
    let unlimited = EvolutionLimits::default();
    let patient = |most| EvolutionLimits { patience: Some(most), ..unlimited };
    assert_eq!(run(unlimited), (EvolutionEnd::Generations, 8));
    assert_eq!(run(patient(3)), (EvolutionEnd::NoGain, 4));
    assert_eq!(run(patient(7)), (EvolutionEnd::Generations, 8));
    let at_once = EvolutionLimits { time: Some(Duration::ZERO), ..unlimited };
    assert_eq!(run(at_once), (EvolutionEnd::Time, 1));
}
