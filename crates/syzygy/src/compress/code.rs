//! Canonical prefix codes of bounded length.

/// The longest code word, in bits.
pub(crate) const MAX_WORD: u8 = 32;

/// The lengths in bits of the words of the best prefix code for `frequencies`, by package-merge; 0 for a symbol that
/// does not occur. A sole symbol gets a word of one bit.
pub(crate) fn find_word_lengths(frequencies: &[u64]) -> Vec<u8> {
    let mut lengths = vec![0; frequencies.len()];
    let mut present: Vec<usize> = (0..frequencies.len()).filter(|&s| frequencies[s] > 0).collect();
    present.sort_by_key(|&s| frequencies[s]);
    if let [sole] = present[..] {
        lengths[sole] = 1;
    }
    if present.len() < 2 {
        return lengths;
    }
    let levels = build_levels(&present.iter().map(|&s| frequencies[s]).collect::<Vec<_>>());
    let mut taken = 2 * present.len() - 2;
    for level in levels.iter().rev() {
        let packages = level[..taken].iter().filter(|&&(_, package)| package).count();
        for &symbol in &present[..taken - packages] {
            lengths[symbol] += 1;
        }
        taken = 2 * packages;
    }
    lengths
}

/// The coins of each level, sorted by weight: symbols, and packages of two coins of the level before.
fn build_levels(weights: &[u64]) -> Vec<Vec<(u64, bool)>> {
    let mut levels: Vec<Vec<(u64, bool)>> = Vec::new();
    for _ in 0..MAX_WORD {
        let mut coins: Vec<(u64, bool)> = weights.iter().map(|&weight| (weight, false)).collect();
        if let Some(before) = levels.last() {
            coins.extend(before.chunks_exact(2).map(|two| (two[0].0 + two[1].0, true)));
        }
        coins.sort_unstable();
        coins.truncate(2 * weights.len() - 2);
        levels.push(coins);
    }
    levels
}

/// A canonical code: the order of its symbols, and the place where each length starts.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    /// The symbols by falling length of their words, the rarest of a length first, the absent ones last.
    pub(crate) order: Vec<usize>,
    /// The word of each symbol and its length in bits.
    pub(crate) words: Vec<(u32, u8)>,
    /// The length of the shortest word.
    pub(crate) shortest: u8,
    /// The length of the longest word.
    pub(crate) longest: u8,
    /// The place in [`order`](Self::order) of the first symbol of each length, from the shortest on.
    pub(crate) offsets: Vec<u16>,
}

impl Code {
    /// The canonical code for `frequencies`, one of which at least is not 0.
    pub(crate) fn new(frequencies: &[u64]) -> Self {
        let lengths = find_word_lengths(frequencies);
        let mut order: Vec<usize> = (0..lengths.len()).collect();
        order.sort_by_key(|&s| (std::cmp::Reverse(lengths[s]), frequencies[s]));
        let used = lengths.iter().filter(|&&length| length > 0).count();
        let (longest, shortest) = (lengths[order[0]], lengths[order[used - 1]]);
        let mut offsets = Vec::new();
        let mut words = vec![(0, 0); lengths.len()];
        let mut base = 0u64;
        let mut place = 0;
        for length in (shortest..=longest).rev() {
            if length < longest {
                base = (base + u64::from(count_words(&lengths, length + 1))) / 2;
            }
            offsets.push(u16::try_from(place).expect("fewer symbols than 2^16"));
            let mut word = base;
            while place < used && lengths[order[place]] == length {
                words[order[place]] = (u32::try_from(word).expect("a word fits 32 bits"), length);
                word += 1;
                place += 1;
            }
        }
        offsets.reverse();
        Self { order, words, shortest, longest, offsets }
    }
}

/// The number of words of `length` bits.
fn count_words(lengths: &[u8], length: u8) -> u32 {
    u32::try_from(lengths.iter().filter(|&&l| l == length).count()).expect("few symbols")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_no_longer_than_the_limit() {
        let mut frequencies = vec![1u64, 1];
        for i in 2..60 {
            frequencies.push(frequencies[i - 1] + frequencies[i - 2]);
        }
        let lengths = find_word_lengths(&frequencies);
        assert_eq!(lengths.iter().max(), Some(&MAX_WORD));
        let space: u64 = lengths.iter().map(|&length| 1 << (MAX_WORD - length)).sum();
        assert_eq!(space, 1 << MAX_WORD);
    }

    #[test]
    fn lengths_are_those_of_huffman() {
        assert_eq!(find_word_lengths(&[45, 13, 12, 16, 9, 5, 0]), [1, 3, 3, 3, 4, 4, 0]);
        assert_eq!(find_word_lengths(&[0, 7]), [0, 1]);
    }

    #[test]
    fn the_shortest_words_are_the_largest() {
        let code = Code::new(&[45, 13, 12, 16, 9, 5]);
        assert_eq!(code.order, [5, 4, 2, 1, 3, 0]);
        assert_eq!(
            code.words,
            [(1, 1), (0b010, 3), (0b001, 3), (0b011, 3), (0b0001, 4), (0b0000, 4)]
        );
        assert_eq!(code.offsets, [5, 5, 2, 0]);
    }
}
