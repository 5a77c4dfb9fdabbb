//! Tables of distances to zeroing, under the fifty-move rule.

use lucena_base::progress::{Deadline, NoObserver, Observer, Progress, Stopped};
use lucena_chess::{Game, Material};
use lucena_tablebase::{Category, Metric, ProbeTables, Standing, TableFolder};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

fn is_verified(material: &str) {
    let material: Material = material.parse().expect("an endgame");
    let folder = TableFolder::in_memory().of_metric(Metric::Dtz);
    let tablebase = folder.tablebase(material, &NoObserver).expect("nobody stops it");
    let checked = tablebase.verify_own(&NoObserver).expect("nobody stops it");
    assert!(checked.is_ok(), "{material}: {checked:?}");
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn entries_without_pawns_follow_from_the_rules() {
    is_verified("KRvKN");
}

#[test]
fn entries_with_a_pawn_follow_from_the_rules() {
    is_verified("KPvK");
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn entries_with_pawns_that_can_be_taken_in_passing_follow_from_the_rules() {
    is_verified("KPvKP");
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn every_entry_of_up_to_four_men_follows_from_the_rules() {
    let materials = [2, 3, 4].into_iter().flat_map(Material::of_men);
    materials.for_each(|material| is_verified(&material.to_string()));
}

/// Counts the reports of work.
#[derive(Default)]
struct Reports(AtomicUsize);

impl Observer for Reports {
    fn report(&self, _: Progress<'_>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn folders_that_stay_in_use_solve_a_table_once() {
    let mate = TableFolder::in_memory();
    let zeroing = Arc::new(mate.beside(Metric::Dtz));
    // The mate comes too late, unless the pawn moves in time: the distance to zeroing tells.
    let game: Game = "8/8/8/1P6/8/8/6k1/K7 w - - 96 100".parse().expect("a FEN");
    let reports = [(); 2].map(|()| {
        let (tables, reports) =
            (ProbeTables::in_folders(&mate, Arc::clone(&zeroing), None), Reports::default());
        let endless = Deadline::new(&reports, None);
        let standing =
            Standing::new(&game, &tables.decisive_lookup(&endless)).expect("it is known");
        assert_eq!(standing.category, Category::Win);
        assert!(standing.zeroing.is_some());
        reports.0.into_inner()
    });
    assert!(reports[0] > 0, "both tables are solved");
    assert_eq!(reports[1], 0);
}

/// Counts how often work asks whether to go on.
#[derive(Default)]
struct Asked(AtomicUsize);

impl Observer for Asked {
    fn is_stopped(&self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed);
        false
    }
}

#[test]
fn a_table_is_tried_again_with_twice_the_time() {
    let mate = TableFolder::in_memory();
    let (tables, asked) = (ProbeTables::new(&mate, None), Asked::default());
    let game: Game = "8/8/8/8/8/2k5/4P3/K7 w - - 0 1".parse().expect("a FEN");
    let standing = |time| {
        let until = Instant::now().checked_add(time).expect("a time");
        let deadline = Deadline::new(&asked, Some(until));
        let standing = Standing::new(&game, &tables.decisive_lookup(&deadline));
        (standing.map(|standing| standing.category), asked.0.swap(0, Ordering::Relaxed))
    };
    let (too_late, times) = standing(Duration::ZERO);
    assert!(matches!(too_late, Err(Stopped::Request)) && times > 0, "{too_late:?} {times}");
    // Nothing is begun in the same time.
    let (too_late, times) = standing(Duration::ZERO);
    assert!(matches!(too_late, Err(Stopped::Request)) && times == 0, "{too_late:?} {times}");
    // Nothing is known without work.
    let at_hand = Standing::new(&game, &tables.lookup_at_hand(&asked)).expect("not stopped");
    assert_eq!((at_hand.category, asked.0.swap(0, Ordering::Relaxed)), (Category::Unknown, 0));
    let (known, _) = standing(Duration::from_secs(3_600));
    assert_eq!(known.expect("solved"), Category::Draw);
    let at_hand = Standing::new(&game, &tables.lookup_at_hand(&asked)).expect("not stopped");
    assert_eq!(at_hand.category, Category::Draw);
}
