//! Parquet's hybrid encoding of small numbers: runs of one number, and bit-packed groups of eight
//! numbers.
//!
//! A run is its length times two, followed by the number. Groups are their count times two plus one,
//! followed by eight numbers per group, the first in the lowest bits:
//!
//! ```text
//! 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5   with 3 bits   0010_0000 0000_0101
//! 0 1 2 3 4 5 6 7                   with 3 bits   0000_0011 1000_1000 1100_0110 1111_1010
//! ```

/// The greatest number of bits of a number.
pub(super) const MAX_BITS: u32 = 8;

/// A one in each of eight bytes.
const ONES: u64 = 0x0101_0101_0101_0101;

/// The greatest count of groups that fits in one byte, so that the byte can be reserved before the
/// count is known.
const MAX_GROUPS: u8 = 63;

/// The number of bits for numbers up to `greatest`; at least one, since readers fail on zero.
pub(super) fn bits_for(greatest: u8) -> u32 {
    (u8::BITS - greatest.leading_zeros()).max(1)
}

/// Appends numbers of `bits` bits each. `low` is subtracted from every value and must not exceed any.
/// The last group is filled up with zeros.
///
/// # Panics
/// If `bits` is more than eight.
pub(super) fn pack(values: &[u8], low: u8, bits: u32, packed: &mut Vec<u8>) {
    assert!(bits <= MAX_BITS, "a number is a byte");
    let (groups, rest) = values.as_chunks::<8>();
    let mut literals = Literals { bits, head: None };
    let mut at = 0;
    while let Some(&group) = groups.get(at) {
        let equal = match u64::from_le_bytes(group) == u64::from(group[0]) * ONES {
            true => groups[at..].iter().take_while(|&&next| next == group).count(),
            false => 0,
        };
        // A run takes three or four bytes, including the header of the groups after it.
        if equal * bits as usize > 4 {
            literals.head = None;
            varint(equal << 4, packed);
            packed.push(group[0] - low);
            at += equal;
        } else {
            literals.add(u64::from_le_bytes(group) - u64::from(low) * ONES, packed);
            at += 1;
        }
    }
    if !rest.is_empty() {
        let mut group = [0; 8];
        group.iter_mut().zip(rest).for_each(|(number, value)| *number = value - low);
        literals.add(u64::from_le_bytes(group), packed);
    }
}

/// Consecutive bit-packed groups.
struct Literals {
    bits: u32,
    /// The position and the value of their count.
    head: Option<(usize, u8)>,
}

impl Literals {
    /// Appends a group, given with a number in each byte.
    fn add(&mut self, numbers: u64, packed: &mut Vec<u8>) {
        let (place, count) = match self.head {
            Some((place, count)) if count < MAX_GROUPS => (place, count + 1),
            _ => {
                packed.push(0);
                (packed.len() - 1, 1)
            }
        };
        self.head = Some((place, count));
        packed[place] = count << 1 | 1;
        packed.extend_from_slice(&squeezed(numbers, self.bits).to_le_bytes()[..self.bits as usize]);
    }
}

/// Packs eight bytes into `bits` bits each: first pairs, then fours, then all eight.
fn squeezed(numbers: u64, bits: u32) -> u64 {
    let pairs = numbers & 0x00ff_00ff_00ff_00ff | (numbers >> 8 & 0x00ff_00ff_00ff_00ff) << bits;
    let fours = pairs & 0x0000_ffff_0000_ffff | (pairs >> 16 & 0x0000_ffff_0000_ffff) << (2 * bits);
    fours & 0xffff_ffff | (fours >> 32) << (4 * bits)
}

/// Appends a number in variable-length encoding, seven bits to a byte.
fn varint(mut number: usize, packed: &mut Vec<u8>) {
    while number > 0x7f {
        packed.push(number as u8 | 0x80);
        number >>= 7;
    }
    packed.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::{bits_for, pack};

    /// A plain decoder, following the definition of the format.
    fn unpacked(packed: &[u8], bits: u32, count: usize) -> Vec<u8> {
        let (mut numbers, mut at) = (Vec::new(), 0);
        while numbers.len() < count {
            let (mut head, mut shift) = (0_usize, 0);
            loop {
                let byte = packed[at];
                at += 1;
                head |= usize::from(byte & 0x7f) << shift;
                shift += 7;
                if byte < 0x80 {
                    break;
                }
            }
            if head & 1 == 0 {
                numbers.extend(vec![packed[at]; head >> 1]);
                at += 1;
            } else {
                let bit = |bit: usize| packed[at + bit / 8] >> (bit % 8) & 1;
                let number = |n: usize| {
                    (0..bits as usize).map(|b| bit(n * bits as usize + b) << b).sum::<u8>()
                };
                numbers.extend((0..8 * (head >> 1)).map(number));
                at += (head >> 1) * bits as usize;
            }
        }
        assert_eq!(at, packed.len(), "nothing is left over");
        numbers.truncate(count);
        numbers
    }

    #[test]
    fn what_is_packed_can_be_unpacked() {
        for bits in 1..=8 {
            let greatest = (1_u32 << bits) - 1;
            assert_eq!(bits_for(greatest as u8), bits);
            for length in [0, 1, 7, 8, 9, 64, 503, 504, 505, 520, 4_096, 5_001] {
                for stretch in [1, 3, 8, 20, 100, 10_000] {
                    let number = |at: usize| {
                        ((at / stretch).wrapping_mul(2_654_435_761) >> 7) as u32 % (greatest + 1)
                    };
                    for low in [0, 255 - greatest as u8] {
                        let numbers: Vec<u8> = (0..length).map(|at| number(at) as u8).collect();
                        let values: Vec<u8> = numbers.iter().map(|number| number + low).collect();
                        let mut packed = Vec::new();
                        pack(&values, low, bits, &mut packed);
                        assert_eq!(unpacked(&packed, bits, length), numbers, "{bits} {stretch}");
                    }
                }
            }
        }
    }

    /// The example in the format's definition: 0 to 7 in three bits each.
    #[test]
    fn groups_are_as_parquet_defines_them() {
        let mut packed = Vec::new();
        pack(&[0, 1, 2, 3, 4, 5, 6, 7], 0, 3, &mut packed);
        assert_eq!(packed, [0b11, 0b1000_1000, 0b1100_0110, 0b1111_1010]);
        packed.clear();
        pack(&[9; 16], 4, 3, &mut packed);
        assert_eq!(packed, [32, 5]);
    }
}
