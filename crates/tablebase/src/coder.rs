//! Arithmetic coding of yes-or-no questions, each with a chance that follows the answers before.
//!
//! A *chance* is how likely it is that a question is answered with yes. It begins even, or with what is known of the
//! answers to come, and moves toward each answer: far after few answers, little after many. The better the chances, the
//! fewer bits the answers take. The same code asks the questions when it writes and when it reads: see [`Answers`].

use std::array;

/// The binary logarithm of one in a chance as the coder uses it.
const ONE_LOG2: u32 = 12;

/// The bits of a chance that count answers.
const COUNT_BITS: u32 = 10;

/// The binary logarithm of one in a chance as it is kept.
const FINE_LOG2: u32 = 32 - COUNT_BITS;

/// By number of answers so far, how far a chance moves toward the next one: of 65,536 parts of the way.
const MOVES: [u32; 1 << COUNT_BITS] = {
    let mut moves = [0; 1 << COUNT_BITS];
    let mut count = 0;
    while count < moves.len() {
        moves[count] = (1 << 17) / (2 * count as u32 + 3);
        count += 1;
    }
    moves
};

/// The likelihood of a yes, with the number of answers that it follows from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Chance(u32);

impl Chance {
    /// Yes and no are as likely, for all that is known.
    pub(super) const EVEN: Self = Self(1 << 31);

    /// The number of [levels](Self::level).
    pub(super) const LEVELS: u16 = 128;

    /// The number of answers that a chance of a level counts as.
    const ANSWERS_OF_LEVEL: u32 = 20;

    /// The nearest chance of a level: an even level for less than a half, an odd one for the same chance of a no.
    pub(super) fn of_level(level: u16) -> Self {
        let (halvings, rest) = (u32::from(level >> 4), u32::from(level >> 1 & 7));
        // In the middle of the level.
        let less = (2 * (8 + rest) + 1) << (FINE_LOG2 - 6 - halvings);
        let fine = if level & 1 == 0 { less } else { (1 << FINE_LOG2) - less };
        Self(fine << COUNT_BITS | Self::ANSWERS_OF_LEVEL)
    }

    /// The level of the chance: the number of times that it is halved, an eighth of that, and whether it is over a half.
    pub(super) fn level(self) -> u16 {
        let fine = self.0 >> COUNT_BITS;
        let is_over = fine >= 1 << (FINE_LOG2 - 1);
        let less = if is_over { (1 << FINE_LOG2) - fine } else { fine };
        let least = 8 << (FINE_LOG2 - 5 - 7);
        let less = less.clamp(least, (1 << (FINE_LOG2 - 1)) - 1);
        let halvings = less.leading_zeros() - (32 - FINE_LOG2 + 1);
        let rest = less >> (FINE_LOG2 - 5 - halvings) & 7;
        (halvings << 4 | rest << 1 | u32::from(is_over)) as u16
    }

    /// Returns true if there has been no answer.
    pub(super) fn is_unknown(self) -> bool {
        self == Self::EVEN
    }

    /// The chance for the coder, neither 0 nor 1.
    #[inline(always)]
    fn coarse(self) -> u32 {
        (self.0 >> (32 - ONE_LOG2)).max(1)
    }

    /// Moves toward an answer, not counting more than `most` answers.
    #[inline(always)]
    fn learn(&mut self, answer: bool, most: u32) {
        let (fine, count) = (self.0 >> COUNT_BITS, self.0 & ((1 << COUNT_BITS) - 1));
        let part = u64::from(MOVES[count as usize]);
        let fine = if answer {
            fine + ((u64::from((1 << FINE_LOG2) - 1 - fine) * part) >> 16) as u32
        } else {
            fine - ((u64::from(fine) * part) >> 16) as u32
        };
        self.0 = fine << COUNT_BITS | (count + 1).min(most);
    }
}

/// Where the answers go, or come from.
pub(super) trait Answers {
    /// Gives the answer to a question with a chance. `answer` is called if it is not known otherwise.
    fn ask(&mut self, chance: &mut Chance, answer: impl FnOnce() -> bool) -> bool;
}

/// The number of answers that chances count at most, so that they follow a change.
const MEMORY: u32 = 60;

/// The range below which the coder goes on to the next byte.
const LEAST_RANGE: u32 = 1 << 24;

/// Writes answers.
pub(super) struct Encoder {
    bytes: Vec<u8>,
    /// The least number that stands for the answers so far, of which the bytes are the beginning.
    low: u64,
    /// The number of numbers that do.
    range: u32,
}

impl Encoder {
    pub(super) fn new() -> Self {
        Self { bytes: Vec::new(), low: 0, range: u32::MAX }
    }

    /// The bytes of all answers.
    pub(super) fn finish(mut self) -> Vec<u8> {
        // The number that ends in most zeros, which are left out.
        let end = self.low + u64::from(self.range);
        let rounded = |bits: u32| self.low.next_multiple_of(1 << bits);
        self.low = (0..32).rev().map(rounded).find(|&low| low < end).unwrap_or(self.low);
        for _ in 0..4 {
            self.push_byte();
        }
        let len = self.bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        self.bytes.truncate(len);
        self.bytes
    }

    fn push_byte(&mut self) {
        if self.low > u64::from(u32::MAX) {
            let carried = self.bytes.iter_mut().rev();
            for byte in carried {
                *byte = byte.wrapping_add(1);
                if *byte != 0 {
                    break;
                }
            }
        }
        let low = self.low as u32;
        self.bytes.push((low >> 24) as u8);
        self.low = u64::from(low << 8);
    }
}

impl Answers for Encoder {
    #[inline(always)]
    fn ask(&mut self, chance: &mut Chance, answer: impl FnOnce() -> bool) -> bool {
        let answer = answer();
        let bound = (self.range >> ONE_LOG2) * chance.coarse();
        if answer {
            self.range = bound;
        } else {
            self.low += u64::from(bound);
            self.range -= bound;
        }
        chance.learn(answer, MEMORY);
        while self.range < LEAST_RANGE {
            self.push_byte();
            self.range <<= 8;
        }
        answer
    }
}

/// Reads answers. Behind the end of the bytes there are zeros.
pub(super) struct Decoder<'a> {
    bytes: &'a [u8],
    /// The number that stands for the answers, less the least one that does for those so far.
    number: u32,
    range: u32,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let (first, rest) = bytes.split_at(bytes.len().min(4));
        let first = array::from_fn(|at| first.get(at).copied().unwrap_or(0));
        Self { bytes: rest, number: u32::from_be_bytes(first), range: u32::MAX }
    }
}

impl Answers for Decoder<'_> {
    #[inline(always)]
    fn ask(&mut self, chance: &mut Chance, _: impl FnOnce() -> bool) -> bool {
        let bound = (self.range >> ONE_LOG2) * chance.coarse();
        let answer = self.number < bound;
        if answer {
            self.range = bound;
        } else {
            self.number -= bound;
            self.range -= bound;
        }
        chance.learn(answer, MEMORY);
        while self.range < LEAST_RANGE {
            let (byte, rest) = self.bytes.split_first().map_or((0, self.bytes), |(&b, r)| (b, r));
            self.bytes = rest;
            self.number = self.number << 8 | u32::from(byte);
            self.range <<= 8;
        }
        answer
    }
}

/// Measures answers without writing them. The chances learn for longer, and in the end are near the mean.
#[derive(Default)]
pub(super) struct Meter {
    /// The length of the answers, in 256ths of a bit.
    pub(super) size: u64,
}

impl Answers for Meter {
    #[inline(always)]
    fn ask(&mut self, chance: &mut Chance, answer: impl FnOnce() -> bool) -> bool {
        let answer = answer();
        let of_answer = if answer { chance.coarse() } else { (1 << ONE_LOG2) - chance.coarse() };
        self.size += u64::from(LENGTHS[of_answer as usize]);
        chance.learn(answer, (1 << COUNT_BITS) - 1);
        answer
    }
}

/// The length in 256ths of a bit of an answer with a chance.
const LENGTHS: [u16; (1 << ONE_LOG2) + 1] = {
    let mut lengths = [0; (1 << ONE_LOG2) + 1];
    let mut chance = 1;
    while chance < lengths.len() {
        // Each squaring gives one more bit of the logarithm.
        let (mut number, mut log) = (chance as u64, 0);
        let whole = number.ilog2();
        number <<= 31 - whole;
        let mut bits = 0;
        while bits < 8 {
            number = (number * number) >> 31;
            log <<= 1;
            if number >= 1 << 32 {
                number >>= 1;
                log |= 1;
            }
            bits += 1;
        }
        lengths[chance] = ((ONE_LOG2 - whole) * 256) as u16 - log;
        chance += 1;
    }
    lengths
};

/// The chances for numbers.
pub(super) struct NumberChances([Chance; 64]);

impl NumberChances {
    pub(super) const EVEN: Self = Self([Chance::EVEN; 64]);

    /// Writes `number`, or reads one: its length in bits as so many times yes, and then its bits.
    pub(super) fn ask(&mut self, answers: &mut impl Answers, number: u32) -> u32 {
        let (written, mut bits) = (u64::from(number) + 1, 0);
        while bits < 32 && answers.ask(&mut self.0[bits], || written >> (bits + 1) != 0) {
            bits += 1;
        }
        let mut read = 1_u64;
        for bit in (0..bits).rev() {
            // Only the first bits can be foreseen.
            let mut even = Chance::EVEN;
            let chance = if bit + 1 == bits { &mut self.0[32 + bit] } else { &mut even };
            read = read << 1 | u64::from(answers.ask(chance, || written >> bit & 1 == 1));
        }
        (read - 1) as u32
    }
}
