//! A quick estimate of the size of a section.

use super::alphabet::Alphabet;

/// The bytes that cells take if each value is coded by what it follows. Free cells take the value before them where
/// they may. It is too much by far, but sequences that compress better have less.
pub(crate) fn estimate(cells: &[u16], alphabet: &Alphabet) -> f64 {
    let values = usize::from(alphabet.values());
    let mut counts = vec![0_u32; values * values];
    let mut before = 0;
    for &cell in cells {
        let value = match cell.checked_sub(alphabet.values()) {
            None => cell,
            Some(_) if alphabet.allows(cell, before) => before,
            Some(class) => class.min(alphabet.values() - 1),
        };
        counts[usize::from(before) * values + usize::from(value)] += 1;
        before = value;
    }
    let bits = |counts: &[u32]| {
        let sum: u32 = counts.iter().sum();
        let each = counts.iter().filter(|&&count| count > 0);
        each.map(|&count| f64::from(count) * (f64::from(sum) / f64::from(count)).log2())
            .sum::<f64>()
    };
    counts.chunks(values).map(bits).sum::<f64>() / 8.0
}
