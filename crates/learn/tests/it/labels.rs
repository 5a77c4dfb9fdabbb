//! Classes under the fifty-move rule, from tables and from Syzygy files.

use lucena_attributes::{AttributeSet, Selection};
use lucena_base::progress::NoObserver;
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Position, Side};
use lucena_dataset::{
    Dataset, DivisionError, Label, LabelParams, LabelSource, PartLabels, Positions, Sample,
    SampleParams, SyzygyLabels, SyzygyLabelsError, Target, WdlLabels,
};
use lucena_learn::{CartParams, Learner};
use lucena_syzygy::{SyzygyTables, Wdl5};
use lucena_tablebase::{Metric, TableFolder, Tablebase};
use lucena_test_support::tables::material;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::sync::LazyLock;

/// Tables of the endgames that the tests need, of distances to zeroing.
static ZEROING: LazyLock<TableFolder> =
    LazyLock::new(|| TableFolder::in_memory().of_metric(Metric::Dtz));

fn tablebase(name: &str) -> Tablebase {
    ZEROING.tablebase(material(name), &NoObserver).expect("nobody stops it")
}

/// Syzygy files of KPvK and KRvKN, and of what they lead to.
static SYZYGY: LazyLock<(tempfile::TempDir, SyzygyTables)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["KPvK", "KRvKN"] {
        tablebase(name).save_syzygy(folder.path(), &NoObserver, |_| {}).expect("files");
    }
    let tables = SyzygyTables::open(&[folder.path()]).expect("a list");
    (folder, tables)
});

fn params(orbits: usize, seed: u64) -> SampleParams {
    SampleParams { orbits: NonZeroUsize::new(orbits).expect("some"), seed }
}

fn syzygy(
    material: Material,
    target: Target,
    turn: Side,
    sample: Option<SampleParams>,
) -> Result<SyzygyLabels, SyzygyLabelsError> {
    SyzygyLabels::new(
        &SYZYGY.1,
        material,
        LabelParams { target, turns: &[turn], sample },
        &NoObserver,
    )
}

/// The positions of a source with a side to move, in FEN, each with its class.
fn by_fen(source: &dyn LabelSource, turn: Side) -> BTreeMap<String, Label> {
    let position = |place| {
        let placement = source.placement(place);
        placement.with(turn, *placement.squares()).to_string()
    };
    let labels: BTreeMap<String, Label> =
        source.orbits(turn).map(|(place, label)| (position(place), label)).collect();
    assert_eq!(labels.len(), source.orbits_len(turn));
    labels
}

/// The count of won positions is that of bitbases.
#[test]
fn as_many_pawn_endings_are_won_as_in_bitbases() {
    let outcomes = WdlLabels::new(tablebase("KPvK"));
    let labels = by_fen(&outcomes, Side::Strong);
    let won = labels.values().filter(|label| **label == Label::Wdl(Wdl5::Win)).count();
    assert_eq!((won, labels.len()), (62_480, 81_664));
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn syzygy_files_give_the_classes_of_tables() {
    for name in ["KPvK", "KRvK"] {
        for turn in Side::ALL {
            let table = WdlLabels::new(tablebase(name));
            let files = syzygy(material(name), Target::Wdl, turn, None).expect("files");
            assert!(by_fen(&files, turn) == by_fen(&table, turn), "{name}, {turn:?}");
            assert_eq!(files.labels(&[turn]), table.labels(&[turn]));
            // A file may round a distance down by a ply.
            let distances = tablebase(name);
            let files = syzygy(material(name), Target::Dtz, turn, None).expect("files");
            let exact = by_fen(&distances, turn);
            for (fen, label) in by_fen(&files, turn) {
                let (Label::Dtz(file), Label::Dtz(table)) = (label, exact[&fen]) else {
                    panic!("{fen} has a distance")
                };
                let apart = table.abs() - file.abs();
                assert!((0..=1).contains(&apart) && table.signum() == file.signum(), "{fen}");
            }
        }
    }
}

/// A sample of an endgame of many positions is drawn, one of few is chosen from a list.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn samples_are_legal_positions_up_to_symmetry() {
    let all: BTreeMap<String, Label> = by_fen(
        &syzygy(material("KRvKN"), Target::Wdl, Side::Weak, None).expect("files"),
        Side::Weak,
    );
    for (name, orbits, of) in [("KPvK", 40_000, Some(84_012)), ("KRvKN", 30_000, None)] {
        let draw = |seed| {
            let sample = Some(params(orbits, seed));
            let labels = syzygy(material(name), Target::Wdl, Side::Weak, sample).expect("files");
            assert_eq!(labels.sample(), Some(Sample { orbits, of, seed }));
            by_fen(&labels, Side::Weak)
        };
        let (one, other) = (draw(1), draw(2));
        assert_eq!((one.len(), other.len()), (orbits, orbits));
        assert!(one == draw(1) && one != other);
        let group = Group::new(material(name));
        for fen in one.keys() {
            let position: Position = fen.parse().expect("a legal position");
            assert_eq!(group.canonical(&position), position);
        }
        if name == "KRvKN" {
            assert!(one.iter().all(|(fen, label)| all.get(fen) == Some(label)));
            // Each half of the list has its share: three standard deviations are 260.
            let half: BTreeSet<&String> = all.keys().take(all.len() / 2).collect();
            let in_half = one.keys().filter(|fen| half.contains(fen)).count();
            assert!(in_half.abs_diff(orbits / 2) < 260, "{in_half}");
        }
    }
    let refused = syzygy(material("KRvK"), Target::Wdl, Side::Weak, Some(params(28_057, 1)));
    let expected = DivisionError::Sample { sample: 28_057, orbits: 28_056 };
    assert!(matches!(refused, Err(SyzygyLabelsError::Sample(error)) if error == expected));
}

#[test]
fn what_syzygy_files_do_not_have_is_refused() {
    let refused = |name, target| {
        let material = Material::from_name(name).expect("a name");
        syzygy(material, target, Side::Weak, None).err().expect("an error").to_string()
    };
    assert!(refused("KRvK", Target::Dtm).contains("no distances to mate"));
    assert!(refused("KRPvKRP", Target::Wdl).contains("draw a sample"));
    assert!(refused("KQvKR", Target::Wdl).contains("KQvKR.rtbw is missing"));
}

#[test]
fn a_tree_says_whose_move_it_is_and_what_its_classes_are() {
    let outcomes = WdlLabels::new(tablebase("KPvK"));
    let set = AttributeSet::new(material("KPvK"), Selection::All);
    let rows = Dataset::with_turn(&outcomes, &set, Positions::Canonical, Side::Strong);
    let rows = rows.expect("rows");
    let tree = CartParams::default().check().expect("parameters").learn(&rows).expect("rows");
    let head = tree.head();
    assert_eq!(head.classes, ["loss", "blessed-loss", "draw", "cursed-win", "win"]);
    assert_eq!(
        (&tree.origin().parameters["class"][..], &tree.origin().parameters["turn"][..]),
        ("wdl", "white")
    );
    assert!(head.has_strong_side_to_move());
    assert!((0..rows.rows()).all(|row| {
        let mut values = vec![0; set.attributes().len()];
        rows.row(row, &mut values);
        tree.classify(&values) == Some(rows.targets()[row])
    }));
}

#[test]
fn a_part_has_the_positions_of_the_whole_that_lie_in_it() {
    // The pawn is the third man.
    let is_on_seventh = |position: &Position| position.squares()[2].rank() as usize == 6;
    let whole = WdlLabels::new(tablebase("KPvK"));
    let conditions = vec!["PRank = 7".to_owned()];
    let boxed = Box::new(WdlLabels::new(tablebase("KPvK")));
    let part = PartLabels::new(boxed, &Side::ALL, conditions.clone(), &is_on_seventh, &NoObserver)
        .expect("nobody stops it");
    for turn in Side::ALL {
        let mut wanted = by_fen(&whole, turn);
        wanted.retain(|fen, _| is_on_seventh(&fen.parse().expect("a position")));
        assert!(!wanted.is_empty());
        assert_eq!(by_fen(&part, turn), wanted);
        assert_eq!(part.orbits_len(turn), wanted.len());
        let attributes = AttributeSet::new(material("KPvK"), Selection::Location);
        let sampled =
            Dataset::sampled(&part, &attributes, Positions::Canonical, turn, params(100, 1))
                .expect("there are more");
        let of = Some(wanted.len());
        assert_eq!(sampled.sample(), Some(Sample { orbits: 100, of, seed: 1 }));
        assert_eq!(sampled.parameters()["where"], "PRank = 7");
        let rank = sampled.attributes().iter().position(|column| column.name == "PRank");
        assert!(sampled.column(rank.expect("it is there")).iter().all(|&rank| rank == 7));
    }
}
