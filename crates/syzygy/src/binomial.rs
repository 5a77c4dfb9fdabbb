//! Binomial coefficients, and the numbers of sets of squares that are made of them.

const MAX_CHOSEN: usize = 6;

static BINOMIALS: [[u32; 65]; MAX_CHOSEN + 1] = binomials();

const fn binomials() -> [[u32; 65]; MAX_CHOSEN + 1] {
    let mut table = [[0; 65]; MAX_CHOSEN + 1];
    let mut n = 0;
    while n < 65 {
        table[0][n] = 1;
        let mut k = 1;
        while n > 0 && k <= MAX_CHOSEN {
            table[k][n] = table[k][n - 1] + table[k - 1][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
}

/// The number of ways to choose `k` of `n` things, for at most 64 things of which 6 are chosen.
pub(crate) fn binomial(n: usize, k: usize) -> u64 {
    BINOMIALS[k][n].into()
}

/// The largest `n` of which there are at most `number` ways to choose `k`.
pub(crate) fn largest(number: u64, k: usize) -> usize {
    BINOMIALS[k].partition_point(|ways| u64::from(*ways) <= number) - 1
}
