//! The hashes of 128 and 256 bits of CityHash 1.0 by G. Pike and J. Alakuijala (Google, 2011) that use CRC-32C.

use crate::crc32c;

const K0: u64 = 0xc3a5_c85c_97cb_3127;
const K1: u64 = 0xb492_b66f_be98_f273;
const K2: u64 = 0x9ae1_6a3b_2f90_404f;
const K3: u64 = 0xc949_d7c7_509e_6557;

/// The factor of the hash of two numbers.
const PAIR_FACTOR: u64 = 0x9ddf_ea08_eb38_2d69;

/// The bytes that one round of the long hash takes.
const ROUND: usize = 240;

/// The bytes that one step of a round takes.
const STEP: usize = 40;

/// The greatest length for which the hash of 128 bits does without CRC-32C.
const MAX_SHORT: usize = 900;

fn load(bytes: &[u8], at: usize) -> u64 {
    bytes[at..].first_chunk().map_or(0, |word| u64::from_le_bytes(*word))
}

fn load_half(bytes: &[u8], at: usize) -> u64 {
    bytes[at..].first_chunk().map_or(0, |word| u32::from_le_bytes(*word).into())
}

const fn shift_mix(value: u64) -> u64 {
    value ^ value >> 47
}

fn hash_pair(low: u64, high: u64) -> u64 {
    let first = shift_mix((low ^ high).wrapping_mul(PAIR_FACTOR));
    shift_mix((high ^ first).wrapping_mul(PAIR_FACTOR)).wrapping_mul(PAIR_FACTOR)
}

/// The hash of 128 bits of bytes.
pub(crate) fn hash128(bytes: &[u8]) -> [u64; 2] {
    if bytes.len() > MAX_SHORT {
        let [_, _, third, fourth] = hash256(bytes);
        return [third, fourth];
    }
    match bytes.len() {
        16.. => hash128_seeded(&bytes[16..], [load(bytes, 0) ^ K3, load(bytes, 8)]),
        8..16 => {
            let length = bytes.len() as u64;
            let seed = load(bytes, 0) ^ length.wrapping_mul(K0);
            hash128_seeded(&[], [seed, load(bytes, bytes.len() - 8) ^ K1])
        }
        _ => hash128_seeded(bytes, [K0, K1]),
    }
}

/// The hash of at most 16 bytes.
fn hash_few(bytes: &[u8]) -> u64 {
    let length = bytes.len() as u64;
    match bytes.len() {
        0 => K2,
        1..4 => {
            let [first, middle, last] =
                [bytes[0], bytes[bytes.len() / 2], bytes[bytes.len() - 1]].map(u64::from);
            let y = (first + (middle << 8)).wrapping_mul(K2);
            let z = (length + (last << 2)).wrapping_mul(K3);
            shift_mix(y ^ z).wrapping_mul(K2)
        }
        4..9 => hash_pair(length + (load_half(bytes, 0) << 3), load_half(bytes, bytes.len() - 4)),
        _ => {
            let (a, b) = (load(bytes, 0), load(bytes, bytes.len() - 8));
            hash_pair(a, b.wrapping_add(length).rotate_right(length as u32)) ^ b
        }
    }
}

/// The hash of less than 128 bytes with a seed.
fn murmur(bytes: &[u8], [mut a, mut b]: [u64; 2]) -> [u64; 2] {
    let length = bytes.len();
    let (mut c, mut d);
    if length <= 16 {
        a = shift_mix(a.wrapping_mul(K1)).wrapping_mul(K1);
        c = b.wrapping_mul(K1).wrapping_add(hash_few(bytes));
        d = shift_mix(a.wrapping_add(if length >= 8 { load(bytes, 0) } else { c }));
    } else {
        c = hash_pair(load(bytes, length - 8).wrapping_add(K1), a);
        let end = load(bytes, length - 16);
        d = hash_pair(b.wrapping_add(length as u64), c.wrapping_add(end));
        a = a.wrapping_add(d);
        // The last bytes are not taken if there are fewer than 16 of them.
        for at in (0..length - 16).step_by(16) {
            let mixed = |at| shift_mix(load(bytes, at).wrapping_mul(K1)).wrapping_mul(K1);
            a = (a ^ mixed(at)).wrapping_mul(K1);
            b ^= a;
            c = (c ^ mixed(at + 8)).wrapping_mul(K1);
            d ^= c;
        }
    }
    a = hash_pair(a, c);
    b = hash_pair(d, b);
    [a ^ b, hash_pair(b, a)]
}

/// A hash of 32 bytes with two seeds, quick and weak.
fn weak_hash(bytes: &[u8], at: usize, mut a: u64, mut b: u64) -> [u64; 2] {
    let [w, x, y, z] = [0, 8, 16, 24].map(|offset| load(bytes, at + offset));
    a = a.wrapping_add(w);
    b = b.wrapping_add(a).wrapping_add(z).rotate_right(21);
    let c = a;
    a = a.wrapping_add(x).wrapping_add(y);
    b = b.wrapping_add(a.rotate_right(44));
    [a.wrapping_add(z), b.wrapping_add(c)]
}

/// The state of a hash of many bytes.
struct State {
    v: [u64; 2],
    w: [u64; 2],
    x: u64,
    y: u64,
    z: u64,
}

impl State {
    fn new(bytes: &[u8], [x, y]: [u64; 2]) -> Self {
        let z = (bytes.len() as u64).wrapping_mul(K1);
        let first = (y ^ K1).rotate_right(49).wrapping_mul(K1).wrapping_add(load(bytes, 0));
        let second = first.rotate_right(42).wrapping_mul(K1).wrapping_add(load(bytes, 8));
        let third = y.wrapping_add(z).rotate_right(35).wrapping_mul(K1).wrapping_add(x);
        let fourth = x.wrapping_add(load(bytes, 88)).rotate_right(53).wrapping_mul(K1);
        Self { v: [first, second], w: [third, fourth], x, y, z }
    }

    /// Takes 64 bytes.
    fn take(&mut self, bytes: &[u8], at: usize) {
        let Self { v, w, x, y, z } = self;
        let next = |offset| load(bytes, at + offset);
        *x = x.wrapping_add(*y).wrapping_add(v[0]).wrapping_add(next(8));
        *x = x.rotate_right(37).wrapping_mul(K1) ^ w[1];
        *y = y.wrapping_add(v[1]).wrapping_add(next(48)).rotate_right(42).wrapping_mul(K1);
        *y = y.wrapping_add(v[0]).wrapping_add(next(40));
        *z = z.wrapping_add(w[0]).rotate_right(33).wrapping_mul(K1);
        *v = weak_hash(bytes, at, v[1].wrapping_mul(K1), x.wrapping_add(w[0]));
        *w = weak_hash(bytes, at + 32, z.wrapping_add(w[1]), y.wrapping_add(next(16)));
        std::mem::swap(z, x);
    }

    /// Takes 32 of the last bytes.
    fn take_last(&mut self, bytes: &[u8], at: usize) {
        let Self { v, w, x, y, z } = self;
        *y = x.wrapping_add(*y).rotate_right(42).wrapping_mul(K0).wrapping_add(v[1]);
        w[0] = w[0].wrapping_add(load(bytes, at + 16));
        *x = x.wrapping_mul(K0).wrapping_add(w[0]);
        *z = z.wrapping_add(w[1]).wrapping_add(load(bytes, at));
        w[1] = w[1].wrapping_add(v[0]);
        *v = weak_hash(bytes, at, v[0].wrapping_add(*z), v[1]);
    }
}

/// The hash of bytes with a seed.
fn hash128_seeded(bytes: &[u8], seed: [u64; 2]) -> [u64; 2] {
    if bytes.len() < 128 {
        return murmur(bytes, seed);
    }
    let mut state = State::new(bytes, seed);
    let whole = bytes.len() / 128 * 128;
    for at in (0..whole).step_by(64) {
        state.take(bytes, at);
    }
    let State { v, w, x, z, .. } = &mut state;
    *x = x.wrapping_add(v[0].wrapping_add(*z).rotate_right(49).wrapping_mul(K0));
    *z = z.wrapping_add(w[0].rotate_right(37).wrapping_mul(K0));
    let rest = bytes.len() - whole;
    for done in (0..rest).step_by(32) {
        // The last of these go back beyond the rest.
        state.take_last(bytes, bytes.len() - done - 32);
    }
    let State { v, w, x, y, z } = state;
    let x = hash_pair(x, v[0]);
    let y = hash_pair(y.wrapping_add(z), w[0]);
    [
        hash_pair(x.wrapping_add(v[1]), w[1]).wrapping_add(y),
        hash_pair(x.wrapping_add(w[1]), y.wrapping_add(v[1])),
    ]
}

/// The hash of 256 bits of bytes.
pub(crate) fn hash256(bytes: &[u8]) -> [u64; 4] {
    if bytes.len() >= ROUND {
        return hash256_long(bytes, 0);
    }
    let mut padded = [0; ROUND];
    padded[..bytes.len()].copy_from_slice(bytes);
    hash256_long(&padded, !(bytes.len() as u32))
}

/// The state of a long hash: six numbers, and five checks.
struct LongState {
    numbers: [u64; 6],
    checks: [u32; 5],
}

impl LongState {
    /// Takes 40 bytes.
    fn take(&mut self, bytes: &[u8], at: usize, factor: u64, flip: u32) {
        let [a, b, c, d, e, t] = self.numbers;
        let rotated = [(b, 41), (c, 27), (d, 41), (e, 33), (t, 25)];
        for (index, (number, by)) in rotated.into_iter().enumerate() {
            let rotated = number.rotate_right(by ^ flip).wrapping_mul(factor);
            self.numbers[index] = rotated.wrapping_add(load(bytes, at + 8 * index));
        }
        self.numbers[5] = a;
        for (check, number) in self.checks.iter_mut().zip(self.numbers) {
            *check = crc32c::update(*check, number);
        }
    }
}

/// The hash of at least 240 bytes with a seed.
fn hash256_long(bytes: &[u8], seed: u32) -> [u64; 4] {
    let length = bytes.len() as u64;
    let b = load(bytes, 96).wrapping_add(K0);
    let c = hash_pair(b, length);
    let d = load(bytes, 120).wrapping_mul(K0).wrapping_add(length);
    let a = load(bytes, 56).wrapping_add(K0);
    let e = load(bytes, 184).wrapping_add(seed.into());
    let numbers = [a, b, c, d, e, c.wrapping_add(d)];
    let mut state = LongState { numbers, checks: [seed, 0, 0, 0, 0] };
    let rounds = bytes.len() / ROUND * ROUND;
    for (number, at) in (0..rounds).step_by(STEP).enumerate() {
        let (factor, flip) = if number % 2 == 0 { (1, 1) } else { (K0, 0) };
        state.take(bytes, at, factor, flip);
    }
    let rest = bytes.len() - rounds;
    for at in (rounds..rounds + rest / STEP * STEP).step_by(STEP) {
        state.take(bytes, at, K0, 0);
    }
    if !rest.is_multiple_of(STEP) {
        state.take(bytes, bytes.len() - STEP, K0, 0);
    }
    finish(&state, [c, d])
}

fn finish(state: &LongState, [first, second]: [u64; 2]) -> [u64; 4] {
    let [a, b, c, d, e, t] = state.numbers;
    let [f, g, h, i, j] = state.checks.map(u64::from);
    let j = j.wrapping_add(i << 32);
    let a = hash_pair(a, j);
    let h = h.wrapping_add(g << 32);
    let b = b.wrapping_add(h);
    let c = hash_pair(c, f).wrapping_add(i);
    let d = hash_pair(d, e.wrapping_add(first));
    let j = j.wrapping_add(e);
    let i = i.wrapping_add(hash_pair(h, t));
    let e = hash_pair(a, d).wrapping_add(j);
    let f = hash_pair(b, c).wrapping_add(a);
    let g = hash_pair(j, i).wrapping_add(c);
    let mix = |value: u64| shift_mix(value.wrapping_mul(K0)).wrapping_mul(K0);
    let result0 = e.wrapping_add(f).wrapping_add(g).wrapping_add(h);
    let a = mix(a.wrapping_add(g)).wrapping_add(b);
    let result1 = second.wrapping_add(a).wrapping_add(result0);
    let a = mix(a).wrapping_add(c);
    let result2 = a.wrapping_add(result1);
    let a = mix(a.wrapping_add(e));
    [result0, result1, result2, a.wrapping_add(result2)]
}
