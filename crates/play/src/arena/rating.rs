use super::CrossTable;
use lucena_base::wilson::Z_95;

/// The strength of a player relative to the others, in Elo points: a lead of 100 points means an
/// expected score of 64 %, a lead of 200 means 76 %.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rating {
    /// The maximum-likelihood rating; the mean of all rated players is 0.
    pub elo: f64,
    /// The 95 % confidence interval: low and high. Draws count as half a win and half a loss, so
    /// the interval is too wide rather than too narrow.
    pub elo_95: (f64, f64),
}

/// The Elo points that multiply the odds by e.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// The maximum-likelihood ratings for a table (the model of E. Zermelo, 1929, and R. Bradley and M.
/// Terry, 1952, with a draw as half a win), with intervals from the Fisher information.
///
/// If one group of players has taken all points against another, no finite rating separates them.
/// Only the largest set of players without such a split is rated; if it has fewer than two players,
/// nobody is.
///
/// ```
/// use lucena_play::arena::{CrossTable, Tally, ratings};
///
/// let mut table = CrossTable::new(2);
/// table.add(0, 1, Tally { won: 60, drawn: 30, lost: 10 });
/// let rated = ratings(&table);
/// let difference = rated[0].unwrap().elo - rated[1].unwrap().elo;
/// assert!((difference - 190.85).abs() < 0.01); // 75 % of the points
///
/// table = CrossTable::new(2);
/// table.add(0, 1, Tally { won: 100, drawn: 0, lost: 0 });
/// assert_eq!(ratings(&table), [None, None]);
/// ```
pub fn ratings(table: &CrossTable) -> Vec<Option<Rating>> {
    let rated = comparable(table);
    let mut all = vec![None; table.players()];
    if rated.len() < 2 {
        return all;
    }
    let games = Games::new(table, &rated);
    let strengths = games.most_likely();
    let variances = games.variances(&strengths);
    for ((&player, strength), variance) in rated.iter().zip(&strengths).zip(&variances) {
        let (elo, off) = (SCALE * strength, SCALE * Z_95 * variance.max(0.0).sqrt());
        all[player] = Some(Rating { elo, elo_95: (elo - off, elo + off) });
    }
    all
}

/// The largest set of players that reach each other through points scored (a strongly connected
/// component); the first of equally large ones.
fn comparable(table: &CrossTable) -> Vec<usize> {
    let players = table.players();
    let mut reaches: Vec<Vec<bool>> = (0..players)
        .map(|one| (0..players).map(|other| table.between(one, other).points() > 0.0).collect())
        .collect();
    for by in 0..players {
        for from in 0..players {
            for to in 0..players {
                reaches[from][to] |= reaches[from][by] && reaches[by][to];
            }
        }
    }
    let of = |one: usize| -> Vec<usize> {
        (0..players).filter(|&two| one == two || reaches[one][two] && reaches[two][one]).collect()
    };
    let sets = (0..players).map(of);
    sets.reduce(|best, set| if set.len() > best.len() { set } else { best }).unwrap_or_default()
}

/// The games between the rated players.
struct Games {
    players: usize,
    /// The points of one player against another.
    points: Vec<Vec<f64>>,
}

impl Games {
    fn new(table: &CrossTable, rated: &[usize]) -> Self {
        let of = |&one: &usize| -> Vec<f64> {
            // Nobody plays against themselves.
            let points = |&other: &usize| match one == other {
                true => 0.0,
                false => table.between(one, other).points(),
            };
            rated.iter().map(points).collect()
        };
        Self { players: rated.len(), points: rated.iter().map(of).collect() }
    }

    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let players = self.players;
        (0..players).flat_map(move |one| (one + 1..players).map(move |two| (one, two)))
    }

    /// The log-likelihood of the points.
    fn likelihood(&self, strengths: &[f64]) -> f64 {
        self.pairs()
            .map(|(one, two)| {
                let ahead = strengths[one] - strengths[two];
                -self.points[one][two] * (-ahead).exp().ln_1p()
                    - self.points[two][one] * ahead.exp().ln_1p()
            })
            .sum()
    }

    /// The Fisher information of the games, with a term that fixes the mean.
    fn information(&self, strengths: &[f64]) -> Vec<Vec<f64>> {
        let mut information = vec![vec![1.0 / self.players as f64; self.players]; self.players];
        for (one, two) in self.pairs() {
            let share = expected(strengths[one] - strengths[two]);
            let games = self.points[one][two] + self.points[two][one];
            let weight = games * share * (1.0 - share);
            information[one][one] += weight;
            information[two][two] += weight;
            information[one][two] -= weight;
            information[two][one] -= weight;
        }
        information
    }

    /// Maximises the likelihood by Newton's method, halving steps that overshoot.
    fn most_likely(&self) -> Vec<f64> {
        let mut strengths = vec![0.0; self.players];
        let mut likelihood = self.likelihood(&strengths);
        for _ in 0..200 {
            let mut gradient = vec![0.0; self.players];
            for (one, two) in self.pairs() {
                let games = self.points[one][two] + self.points[two][one];
                let expected = games * expected(strengths[one] - strengths[two]);
                let more = self.points[one][two] - expected;
                gradient[one] += more;
                gradient[two] -= more;
            }
            let mut step = solved(self.information(&strengths), vec![gradient]).remove(0);
            if step.iter().all(|by| by.abs() < 1e-12) {
                break;
            }
            loop {
                let next: Vec<f64> = strengths.iter().zip(&step).map(|(at, by)| at + by).collect();
                let found = self.likelihood(&next);
                if found >= likelihood {
                    (strengths, likelihood) = (next, found);
                    break;
                }
                step.iter_mut().for_each(|by| *by /= 2.0);
                if step.iter().all(|by| by.abs() < 1e-12) {
                    return strengths;
                }
            }
        }
        strengths
    }

    /// The variance of each strength, with their mean fixed at 0.
    fn variances(&self, strengths: &[f64]) -> Vec<f64> {
        let unit = |one: usize| (0..self.players).map(|two| f64::from(one == two)).collect();
        let units = (0..self.players).map(unit).collect();
        let inverse = solved(self.information(strengths), units);
        (0..self.players).map(|one| inverse[one][one] - 1.0 / self.players as f64).collect()
    }
}

/// The expected score of a player who is ahead by a difference in strength.
fn expected(ahead: f64) -> f64 {
    1.0 / (1.0 + (-ahead).exp())
}

/// Solves a system of linear equations for several right-hand sides by Gaussian elimination.
fn solved(mut matrix: Vec<Vec<f64>>, mut sides: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    for at in 0..size {
        let largest =
            |&one: &usize, &two: &usize| matrix[one][at].abs().total_cmp(&matrix[two][at].abs());
        let pivot = (at..size).max_by(largest).unwrap_or(at);
        matrix.swap(at, pivot);
        sides.iter_mut().for_each(|side| side.swap(at, pivot));
        let row = matrix[at].clone();
        for below in at + 1..size {
            let factor = matrix[below][at] / row[at];
            for (entry, above) in matrix[below].iter_mut().zip(&row) {
                *entry -= factor * above;
            }
            sides.iter_mut().for_each(|side| side[below] -= factor * side[at]);
        }
    }
    for side in &mut sides {
        for at in (0..size).rev() {
            let known: f64 = (at + 1..size).map(|right| matrix[at][right] * side[right]).sum();
            side[at] = (side[at] - known) / matrix[at][at];
        }
    }
    sides
}
