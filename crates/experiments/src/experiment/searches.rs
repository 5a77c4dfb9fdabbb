use super::Positions;
use lucena_base::named::{Named, named};
use lucena_base::progress::{Observer, Progress, Stopped};
use lucena_base::wilson::share;
use lucena_search::evaluation::Evaluation;
use lucena_search::{
    Algorithm, Limit, Refinement, Refinements, Search, SearchParams, TreeCounts, Value,
};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;

/// A group of settings that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Group {
    /// An algorithm without refinements.
    Plain,
    /// Alpha-beta with one refinement, and those it depends on.
    Alone,
    /// NegaScout with all refinements.
    All,
    /// NegaScout with all refinements but one.
    Without,
}

named!(Group { "plain": Plain, "alone": Alone, "all": All, "without": Without });

/// A search to be measured.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchSetting {
    /// The group that it belongs to.
    pub group: Group,
    /// The algorithm or refinement that is on or off.
    pub name: String,
    /// The search.
    pub params: SearchParams,
}

/// The parameters of the experiment.
#[derive(Clone)]
pub struct SearchExperiment {
    /// The positions to search.
    pub positions: Positions,
    /// The evaluation.
    pub evaluation: Arc<dyn Evaluation>,
    /// The greatest depth, in plies.
    pub depth: u8,
    /// The node limit: a setting does not search a depth that would exceed it, as estimated from
    /// the two depths before.
    pub most_nodes: u64,
}

/// The work of a setting at a depth, over all positions.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "SearchAblationRow")]
pub struct SearchRow {
    /// plain: a bare algorithm; alone: alpha-beta with this refinement; all: every refinement;
    /// without: every refinement but this.
    pub group: Group,
    /// The refinement that is on or off.
    pub setting: String,
    /// The depth, in plies.
    pub depth: u8,
    /// Nodes searched.
    pub nodes: u64,
    /// Positions at the full depth.
    pub leaves: u64,
    /// The branching factor W: that of a uniform tree with as many leaves as minimax has at this depth; null if minimax was
    /// not searched so deep.
    pub branching_factor: Option<f64>,
    /// The leaves that alpha-beta must search at least in such a tree, W^⌈D/2⌉ + W^⌊D/2⌋ − 1 for each position; null
    /// likewise.
    pub least_leaves: Option<f64>,
    /// The share of positions with a best move in which it was searched first, from 0 to 1; null for an algorithm that
    /// searches all moves.
    pub first_is_best: Option<f64>,
    /// Moves searched that give check.
    pub checks: u64,
    /// The share of them that lead nowhere: another move was at least as good, from 0 to 1; null without such moves.
    pub vain_checks: Option<f64>,
    /// Nodes relative to plain alpha-beta at the same depth; null if that was not searched so deep.
    pub of_alpha_beta: Option<f64>,
    /// Nodes relative to the search with every refinement at the same depth; null if that was not
    /// searched so deep.
    pub of_all: Option<f64>,
    /// Elapsed time in seconds.
    pub seconds: f64,
    /// Nodes per second.
    pub nodes_per_second: f64,
    /// The number of positions that were solved: a best move was found, no move to avoid, and the mate.
    pub solved: usize,
    /// The number of positions whose value equals that of plain alpha-beta; null if that was not
    /// searched so deep.
    pub same_value: Option<usize>,
}

/// All settings: four plain algorithms, each refinement alone, all refinements, and all but each
/// one.
pub fn search_settings() -> Vec<SearchSetting> {
    let setting = |group, name: &str, params| SearchSetting { group, name: name.into(), params };
    let all = SearchParams::default();
    use Algorithm::{AlphaBeta, Minimax, NegaScout, Negamax};
    // Alpha-beta comes first: the others are compared with it.
    let plain = [AlphaBeta, NegaScout, Negamax, Minimax]
        .map(|algorithm| setting(Group::Plain, algorithm.name(), all.plain(algorithm)));
    let mut settings = Vec::from(plain);
    for &(name, refinement) in Refinement::ALL {
        let refinements =
            rests_on(refinement).fold(Refinements::NONE, Refinements::with).with(refinement);
        let params = SearchParams { refinements, ..all.plain(Algorithm::AlphaBeta) };
        settings.push(setting(Group::Alone, name, params));
    }
    settings.push(setting(Group::All, "all", all));
    for &(name, refinement) in Refinement::ALL {
        let params = SearchParams { refinements: all.refinements.without(refinement), ..all };
        settings.push(setting(Group::Without, name, params));
    }
    let params = SearchParams { algorithm: Algorithm::AlphaBeta, ..all };
    settings.push(setting(Group::Without, "negascout", params));
    settings
}

/// The refinements without which another one has no effect.
fn rests_on(refinement: Refinement) -> impl Iterator<Item = Refinement> {
    let needs: &[Refinement] = match refinement {
        Refinement::Aspiration | Refinement::HashMove => {
            &[Refinement::Deepening, Refinement::HashTable]
        }
        Refinement::QuietChecks => &[Refinement::Quiescence],
        _ => &[],
    };
    needs.iter().copied()
}

/// Searches all positions with every setting, depth by depth, on one thread. Node counts are the
/// same on every machine; times are not.
///
/// # Errors
/// If the work is stopped.
pub fn compare_searches(
    experiment: &SearchExperiment,
    settings: &[SearchSetting],
    observer: &dyn Observer,
) -> Result<Vec<SearchRow>, Stopped> {
    let mut rows = Vec::new();
    let mut plain: Vec<Vec<Value>> = Vec::new();
    let total = Some(settings.len() as u64);
    for (done, setting) in (0..).zip(settings) {
        let mut before: Vec<u64> = Vec::new();
        for depth in 1..=experiment.depth {
            if would_take(&before) > experiment.most_nodes {
                break;
            }
            let what = format!("searching by {} {}, depth {depth}", setting.group, setting.name);
            observer.report(Progress { what: &what, done, total });
            let (mut row, values) = row(experiment, setting, depth, &plain, observer)?;
            before.push(row.nodes);
            if setting.group == Group::Plain && setting.params.algorithm == Algorithm::AlphaBeta {
                row.same_value = Some(values.len());
                plain.push(values);
            }
            rows.push(row);
        }
        let nodes = before.last().map_or(0.0, |&nodes| nodes as f64);
        let depth = before.len() as f64;
        observer.point(&[
            ("settings", (done + 1) as f64),
            ("depth reached", depth),
            ("nodes there", nodes),
        ]);
    }
    let nodes = |rows: &[SearchRow], group, name: &str| -> Vec<f64> {
        let rows = rows.iter().filter(|row| row.group == group && row.setting == name);
        rows.map(|row| row.nodes as f64).collect()
    };
    let alpha_beta = nodes(&rows, Group::Plain, Algorithm::AlphaBeta.name());
    let all = nodes(&rows, Group::All, "all");
    let count = experiment.positions.positions.len() as f64;
    let whole = rows
        .iter()
        .filter(|row| row.group == Group::Plain && row.setting == Algorithm::Minimax.name());
    let factors: Vec<f64> =
        whole.map(|row| (row.leaves as f64 / count).powf(1.0 / f64::from(row.depth))).collect();
    for row in &mut rows {
        let (nodes, depth) = (row.nodes as f64, usize::from(row.depth));
        row.of_alpha_beta = alpha_beta.get(depth - 1).map(|plain| nodes / plain);
        row.branching_factor = factors.get(depth - 1).copied();
        row.least_leaves =
            row.branching_factor.map(|factor| count * least_leaves(factor, row.depth));
        row.of_all = all.get(depth - 1).map(|all| nodes / all);
    }
    Ok(rows)
}

/// The leaves of a uniform tree that alpha-beta searches with the best order of moves, as D. Knuth and R. Moore have shown
/// (1975).
fn least_leaves(factor: f64, depth: u8) -> f64 {
    let half = i32::from(depth / 2);
    factor.powi(i32::from(depth) - half) + factor.powi(half) - 1.0
}

/// The estimated number of nodes at the next depth, with the growth of the last one.
fn would_take(before: &[u64]) -> u64 {
    match before {
        [.., earlier, last] => last.saturating_mul(*last) / (*earlier).max(1),
        _ => 0,
    }
}

fn row(
    experiment: &SearchExperiment,
    setting: &SearchSetting,
    depth: u8,
    plain: &[Vec<Value>],
    observer: &dyn Observer,
) -> Result<(SearchRow, Vec<Value>), Stopped> {
    let (mut nodes, mut time, mut solved, mut values) = (0, Duration::ZERO, 0, Vec::new());
    let mut counts = TreeCounts::default();
    let mut search = Search::new(setting.params, Arc::clone(&experiment.evaluation));
    for position in &experiment.positions.positions {
        observer.check()?;
        search.forget();
        let found = search.find(&position.game, Limit::depth(depth));
        nodes += found.nodes;
        counts += found.counts;
        time += found.time;
        solved += usize::from(position.is_solved_by(&found));
        values.push(found.value);
    }
    let same_value = plain
        .get(usize::from(depth) - 1)
        .map(|plain| plain.iter().zip(&values).filter(|(plain, value)| plain == value).count());
    let seconds = time.as_secs_f64();
    let row = SearchRow {
        group: setting.group,
        setting: setting.name.clone(),
        depth,
        nodes,
        leaves: counts.leaves,
        branching_factor: None,
        least_leaves: None,
        first_is_best: share(counts.first_is_best, counts.decided),
        checks: counts.checks,
        vain_checks: share(counts.vain_checks, counts.checks),
        of_alpha_beta: None,
        of_all: None,
        seconds,
        nodes_per_second: nodes as f64 / seconds.max(1e-9),
        solved,
        same_value,
    };
    Ok((row, values))
}
