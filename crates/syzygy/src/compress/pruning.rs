//! The removal of symbols that are not worth their place in the header.

use super::alphabet::Symbol;
use super::grammar::Grammar;

/// The cost of one more symbol in the header, in bits.
const SYMBOL_BITS: f64 = 24.0;

/// Finds which symbols are worth keeping, and moves the counts of others to their parts.
pub(crate) fn prune(grammar: &Grammar, counts: &mut [u64]) -> Vec<bool> {
    let rules = usize::from(grammar.first_rule())..counts.len();
    let mut keeps = vec![true; counts.len()];
    let mut uses = vec![0u32; counts.len()];
    for (left, right) in rules.clone().filter_map(|s| grammar.parts(s as Symbol)) {
        uses[usize::from(left)] += 1;
        uses[usize::from(right)] += 1;
    }
    loop {
        let mut order: Vec<usize> = rules.clone().filter(|&s| keeps[s] && uses[s] == 0).collect();
        order.sort_by_key(|&s| counts[s]);
        let mut pruned = false;
        let mut weights = Weights::new(counts);
        for symbol in order {
            let (left, right) = grammar.parts(symbol as Symbol).expect("a rule");
            let (left, right) = (usize::from(left), usize::from(right));
            if weights.find_loss(counts, symbol, left, right) < SYMBOL_BITS {
                let count = std::mem::take(&mut counts[symbol]);
                counts[left] += count;
                counts[right] += count;
                uses[left] -= 1;
                uses[right] -= 1;
                keeps[symbol] = false;
                pruned = true;
                weights = Weights::new(counts);
            }
        }
        if !pruned {
            return keeps;
        }
    }
}

/// What the length of a coded sequence is reckoned from.
#[derive(Clone, Debug)]
struct Weights {
    total: f64,
    /// The sum of `n log n` over the symbols, which occur `n` times each.
    sum: f64,
    /// The most frequent symbols, and how often they occur.
    top: Vec<(u64, usize)>,
}

/// The number of symbols of which the most frequent is known even if a symbol and its two parts change.
const TOP: usize = 4;

impl Weights {
    fn new(counts: &[u64]) -> Self {
        let mut top: Vec<(u64, usize)> = Vec::with_capacity(TOP + 1);
        for (symbol, &count) in counts.iter().enumerate() {
            if top.len() < TOP || count > top[TOP - 1].0 {
                let place = top.iter().position(|&(c, _)| c < count).unwrap_or(top.len());
                top.insert(place, (count, symbol));
                top.truncate(TOP);
            }
        }
        let total = counts.iter().sum::<u64>() as f64;
        Self { total, sum: counts.iter().map(|&count| weigh(count as f64)).sum(), top }
    }

    /// The number of bits by which the sequence gets longer if `symbol` is written as its parts.
    fn find_loss(&self, counts: &[u64], symbol: usize, left: usize, right: usize) -> f64 {
        let count = counts[symbol];
        let mut changed = vec![(symbol, 0)];
        if left == right {
            changed.push((left, counts[left] + 2 * count));
        } else {
            changed.extend([(left, counts[left] + count), (right, counts[right] + count)]);
        }
        let difference: f64 =
            changed.iter().map(|&(s, n)| weigh(n as f64) - weigh(counts[s] as f64)).sum();
        let unchanged = self.top.iter().find(|&&(_, s)| changed.iter().all(|c| c.0 != s));
        let most = changed.iter().map(|c| c.1).chain(unchanged.map(|u| u.0)).max().unwrap_or(0);
        let old = find_bits(self.total, self.sum, self.top[0].0 as f64);
        find_bits(self.total + count as f64, self.sum + difference, most as f64) - old
    }
}

/// The length in bits of a sequence of `total` symbols in a prefix code. It is near the entropy, but for a symbol that
/// occurs `most` times, more than half the total, which takes a whole bit.
fn find_bits(total: f64, sum: f64, most: f64) -> f64 {
    if 2.0 * most <= total {
        return weigh(total) - sum;
    }
    let others = total - most;
    total + (weigh(others) - (sum - weigh(most))).max(0.0)
}

fn weigh(n: f64) -> f64 {
    if n <= 0.0 { 0.0 } else { n * n.log2() }
}
