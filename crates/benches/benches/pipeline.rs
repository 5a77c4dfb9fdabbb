//! The cost of each step of the pipeline for KRvK: `cargo bench`.
//!
//! Steps that take one position at a time are measured on all canonical positions in random order;
//! criterion's throughput reports the time per position.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use lucena::attributes::{AttributeSet, Selection};
use lucena::chess::{Board, Game, Material, Position, Side};
use lucena::dataset::{Dataset, Positions};
use lucena::evaluation::CombinedEvaluation;
use lucena::experiment;
use lucena::learn::{self, CartParams, Id3Params, Learner, LinfaParams};
use lucena::policy::{GeneratedKind, GeneratedPolicy, TablebasePlayer, TreePolicy};
use lucena::progress::NoObserver;
use lucena::proof::prove;
use lucena::roster::BuiltIn;
use lucena::search::{self, Limit, SearchParams};
use lucena::symmetry::{Group, Symmetry};
use lucena::tablebase::{TableFolder, Tablebase};
use lucena::theory::{
    Annealing, Budget, Guarantee, SearchSettings, TheoryError, TheoryGraph, distil,
};
use lucena_generated::krvk_cart;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::hint::black_box;
use std::sync::Arc;

fn material() -> Material {
    "KRvK".parse().expect("a material")
}

/// All canonical positions with Black to move, shuffled.
fn positions(tablebase: &Tablebase) -> Vec<Position> {
    let mut positions: Vec<Position> =
        tablebase.canonical_positions(Side::Weak).map(|(position, _)| position).collect();
    positions.shuffle(&mut ChaCha8Rng::seed_from_u64(1));
    positions
}

fn tables(c: &mut Criterion) {
    let tablebase = Tablebase::solve(material());
    c.bench_function("solve", |b| b.iter(|| Tablebase::solve(black_box(material()))));
    c.bench_function("verify", |b| b.iter(|| tablebase.verify(&NoObserver)));
}

/// Probes a position with all of its moves, from cached blocks of a folder.
fn probing(c: &mut Criterion) {
    let path = tempfile::tempdir().expect("a folder");
    for (name, every) in [("KRvK", 7), ("KBNvK", 997), ("KQvKR", 997)] {
        let material = name.parse().expect("a material");
        let whole = TableFolder::new(path.path()).tablebase(material, &NoObserver);
        let mut positions: Vec<Position> = whole
            .expect("nobody stops it")
            .canonical_positions(Side::Strong)
            .step_by(every)
            .map(|(position, _)| position)
            .collect();
        positions.shuffle(&mut ChaCha8Rng::seed_from_u64(1));
        let folder = TableFolder::new(path.path());
        let probe = |position: &Position| {
            let outcome = folder.probe(position, &NoObserver).expect("nobody stops it");
            (outcome, folder.probe_moves(position, &NoObserver).expect("nobody stops it"))
        };
        positions.iter().for_each(|position| drop(probe(position)));
        let mut next = positions.iter().cycle();
        let mut group = c.benchmark_group("probe with all moves, warm");
        group.bench_function(name, |b| b.iter(|| next.next().map(&probe)));
    }
}

fn one_position(c: &mut Criterion) {
    let tablebase = Tablebase::solve(material());
    let canonical = positions(&tablebase);
    let turned: Vec<Position> = canonical
        .iter()
        .enumerate()
        .map(|(i, position)| Symmetry::ALL[i % 8].apply_to_position(position))
        .collect();
    let set = AttributeSet::new(material(), Selection::Geometric);
    let width = set.attributes().len();

    let mut group = c.benchmark_group("one position");
    group.throughput(Throughput::Elements(canonical.len() as u64));
    group.bench_function("canonicalise", |b| {
        b.iter(|| {
            for position in &turned {
                black_box(Group::Square.canonical(position));
            }
        });
    });
    let mut row = vec![0; width];
    group.bench_function("extract 24 attributes", |b| {
        b.iter(|| {
            for position in &canonical {
                set.extract(position, &mut row);
                black_box(&row);
            }
        });
    });

    let dataset = Dataset::new(&tablebase, &set, Positions::Canonical).expect("a data set");
    let tree = CartParams::default().check().and_then(|cart| cart.learn(&dataset)).expect("a tree");
    let rows: Vec<[u8; 24]> = canonical
        .iter()
        .map(|position| {
            let mut row = [0; 24];
            set.extract(position, &mut row);
            row
        })
        .collect();
    let attributes: Vec<krvk_cart::Attributes> = rows.iter().map(|&row| row.into()).collect();
    group.bench_function("classify, generated code", |b| {
        b.iter(|| {
            for attributes in &attributes {
                black_box(krvk_cart::classify(attributes));
            }
        });
    });
    group.bench_function("classify, interpreted tree", |b| {
        b.iter(|| {
            for row in &rows {
                black_box(tree.classify(row));
            }
        });
    });
    group.bench_function("look up in the table", |b| {
        b.iter(|| {
            for position in &canonical {
                black_box(tablebase.probe(position).expect("a position of the table"));
            }
        });
    });
}

fn learning(c: &mut Criterion) {
    let tablebase = Tablebase::solve(material());
    let set = AttributeSet::new(material(), Selection::Geometric);
    let dataset = Dataset::new(&tablebase, &set, Positions::Canonical).expect("a data set");
    let entropy = CartParams::default();
    let gini = entropy.criterion(learn::Criterion::Gini);
    let learners: [(&str, Box<dyn Learner>); 4] = [
        ("id3", Box::new(Id3Params::default().check().expect("sound"))),
        ("cart, entropy", Box::new(entropy.check().expect("sound"))),
        ("cart, gini", Box::new(gini.check().expect("sound"))),
        ("linfa", Box::new(LinfaParams::default().check().expect("sound"))),
    ];
    let mut group = c.benchmark_group("learn");
    group.sample_size(20);
    for (name, learner) in &learners {
        group.bench_function(*name, |b| {
            b.iter_batched(|| (), |()| learner.learn(&dataset), BatchSize::PerIteration);
        });
    }
}

fn proving(c: &mut Criterion) {
    let tablebase = Tablebase::solve(material());
    let set = AttributeSet::new(material(), Selection::Geometric);
    let dataset = Dataset::new(&tablebase, &set, Positions::Canonical).expect("a data set");
    let tree = CartParams::default().check().and_then(|cart| cart.learn(&dataset)).expect("a tree");
    let mut group = c.benchmark_group("prove");
    group.sample_size(20);
    // A new policy each time, since a policy caches its answers.
    group.bench_function("exact", |b| {
        b.iter(|| {
            prove(
                &GeneratedPolicy::new(GeneratedKind::Exact, &tablebase).expect("it is built in"),
                &tablebase,
            )
        });
    });
    group.bench_function("tree", |b| {
        b.iter(|| {
            let policy = TreePolicy::new(tree.clone(), &tablebase).expect("a tree of depths");
            prove(&policy, &tablebase)
        });
    });
    group.bench_function("theory", |b| {
        b.iter(|| {
            prove(
                &GeneratedPolicy::new(GeneratedKind::Theory, &tablebase).expect("it is built in"),
                &tablebase,
            )
        });
    });
    let look_up = TablebasePlayer(&tablebase);
    group.bench_function("tablebase", |b| b.iter(|| prove(&look_up, &tablebase)));
}

fn distilling(c: &mut Criterion) {
    let tablebase = Tablebase::solve(material());
    let graph =
        TheoryGraph::new(&tablebase, &AttributeSet::new(material(), Selection::All), &NoObserver)
            .expect("KRvK has theories");
    let small =
        BuiltIn::generated(GeneratedKind::Theory, material()).expect("it is in every build");
    let small = small.model().try_into().expect("a tree");
    let search = SearchSettings { seed: 1, budget: Budget::Candidates(20_000), chains: 2 };
    let mut group = c.benchmark_group("distil");
    group.sample_size(10);
    group.throughput(Throughput::Elements(20_000));
    group.bench_function("win, from the theory", |b| {
        b.iter(|| {
            let search = Annealing::new(search, &NoObserver);
            distil(&graph, Guarantee::WIN, Some(&small), search, |_| Ok::<_, TheoryError>(()))
        });
    });
}

/// Counts games of the given number of plies, on boards of cozy-chess alone.
fn perft_of_board(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
            return false;
        }
        for mv in moves {
            let mut after = board.clone();
            after.play_unchecked(mv);
            nodes += perft_of_board(&after, depth - 1);
        }
        false
    });
    nodes
}

/// Counts the same games with [`Game`], which maintains history and clock.
fn perft_of_game(game: &mut Game, depth: u32) -> u64 {
    if depth == 1 {
        return perft_of_board(game.board(), 1);
    }
    let mut nodes = 0;
    game.after_each_move(|game, _| nodes += perft_of_game(game, depth - 1));
    nodes
}

fn counting_games(c: &mut Criterion) {
    let fens = [
        ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4_u32),
        ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3),
    ];
    let mut group = c.benchmark_group("perft");
    for (name, fen, depth) in fens {
        let mut game: Game = fen.parse().expect("a position");
        let nodes = perft_of_board(game.board(), depth);
        assert_eq!(perft_of_game(&mut game, depth), nodes);
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(format!("{name}, cozy-chess"), |b| {
            b.iter(|| perft_of_board(black_box(game.board()), depth));
        });
        group.bench_function(format!("{name}, Game"), |b| {
            b.iter(|| perft_of_game(black_box(&mut game), depth));
        });
    }
}

/// Nodes of a search with all refinements, over the 24 Bratko-Kopec positions, on one thread.
fn searching(c: &mut Criterion) {
    let positions = experiment::Positions::bratko_kopec().positions;
    let evaluation = Arc::new(CombinedEvaluation::default());
    let mut search = search::Search::new(SearchParams::default(), evaluation);
    let mut all = || -> u64 {
        let nodes = positions.iter().map(|position| {
            search.forget();
            search.find(&position.game, Limit::depth(7)).nodes
        });
        nodes.sum()
    };
    let nodes = all();
    let mut group = c.benchmark_group("search");
    group.sample_size(10);
    group.throughput(Throughput::Elements(nodes));
    group.bench_function("Bratko-Kopec, depth 7", |b| b.iter(&mut all));
}

criterion_group!(
    benches,
    counting_games,
    searching,
    tables,
    probing,
    one_position,
    learning,
    proving,
    distilling
);
criterion_main!(benches);
