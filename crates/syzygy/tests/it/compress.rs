use lucena_syzygy::compress::{Alphabet, Options, Packed, Section, SectionValues, compress};

/// Numbers that look random, the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

fn packed(section: &Section) -> &Packed {
    match section {
        Section::Blocks(packed) => packed,
        Section::Constant(value) => panic!("all values are {value}"),
    }
}

/// Compresses cells and checks that what is read back may stand for them, in order and by index.
fn check(cells: &[u16], alphabet: &Alphabet, options: &Options) -> Section {
    let section = compress(cells, alphabet, options);
    let read = SectionValues::new(section.to_bytes(), cells.len() as u64).expect("a section");
    let values = read.all().expect("the values of a section");
    assert_eq!(values.len(), cells.len());
    for (i, (&cell, &value)) in cells.iter().zip(&values).enumerate() {
        assert!(alphabet.allows(cell, value), "{value} for {cell} at {i}");
    }
    if let Section::Blocks(packed) = &section {
        check_parts(packed, options);
    }
    for i in (0..cells.len()).step_by(cells.len().div_ceil(3000)).chain([cells.len() - 1]) {
        assert_eq!(read.value(i as u64).expect("a value"), values[i], "at {i}");
    }
    section
}

fn check_parts(packed: &Packed, options: &Options) {
    assert!(packed.symbols.len() <= 4095);
    assert!(packed.block_log2 <= options.block_log2);
    assert!(packed.word_bits.0 <= packed.word_bits.1 && packed.word_bits.1 <= 32);
    assert_eq!(packed.offsets.len(), usize::from(packed.word_bits.1 - packed.word_bits.0) + 1);
    assert_eq!(packed.data.len(), (packed.blocks as usize) << packed.block_log2);
    assert!(packed.lengths.len() >= packed.blocks as usize);
    let header = packed.header(5);
    assert_eq!(header[0], 5);
    assert_eq!(header.len() % 2, 0);
    let bytes =
        header.len() + packed.index_bytes().len() + packed.length_bytes().len() + packed.data.len();
    assert_eq!(packed.size(), bytes);
}

/// Runs of values with noise in between, and of free cells of all classes.
fn build_runs(count: usize, alphabet: &Alphabet, noise: u64, seed: u64) -> Vec<u16> {
    let mut numbers = Numbers(seed);
    let mut cells = Vec::new();
    while cells.len() < count {
        let settled = numbers.below(3) > 0 || alphabet.cells() == alphabet.values();
        let bound = if settled { alphabet.values() } else { alphabet.cells() };
        let cell = numbers.below(u64::from(bound)) as u16;
        let longest = 1 + numbers.below(60);
        let length = 1 + numbers.below(longest);
        for _ in 0..length {
            let strays = numbers.below(100) < noise;
            cells.push(if strays {
                numbers.below(u64::from(alphabet.cells())) as u16
            } else {
                cell
            });
        }
    }
    cells.truncate(count);
    cells
}

#[test]
fn random_values_come_back() {
    let mut numbers = Numbers(1);
    for (count, values) in
        [(1, 2), (2, 2), (3, 3), (17, 5), (1000, 5), (70_000, 5), (50_000, 200), (20_000, 600)]
    {
        let cells: Vec<u16> = (0..count).map(|_| numbers.below(values) as u16).collect();
        let alphabet = Alphabet::settled(values as u16);
        check(&cells, &alphabet, &Options::RESULTS);
        check(&cells, &alphabet, &Options::DISTANCES);
    }
}

#[test]
fn runs_come_back() {
    for (seed, noise) in [(1, 0), (2, 1), (3, 20)] {
        let results = Alphabet::settled(5);
        check(&build_runs(100_000, &results, noise, seed), &results, &Options::RESULTS);
        let distances = Alphabet::settled(90);
        check(&build_runs(100_000, &distances, noise, seed), &distances, &Options::DISTANCES);
    }
}

#[test]
fn free_cells_become_allowed_values_and_cost_little() {
    for (alphabet, options) in [
        (Alphabet::with_at_most(5), Options::RESULTS),
        (Alphabet::with_any(90), Options::DISTANCES),
    ] {
        for (seed, noise) in [(4, 0), (5, 1), (6, 20)] {
            let cells = build_runs(100_000, &alphabet, noise, seed);
            let free = check(&cells, &alphabet, &options).size();
            let mut numbers = Numbers(seed);
            let settle = |&cell: &u16| {
                let allowed: Vec<u16> =
                    (0..alphabet.values()).filter(|&v| alphabet.allows(cell, v)).collect();
                allowed[numbers.below(allowed.len() as u64) as usize]
            };
            let settled: Vec<u16> = cells.iter().map(settle).collect();
            let settled = check(&settled, &Alphabet::settled(alphabet.values()), &options).size();
            assert!(free < settled, "{free} and {settled} bytes");
        }
    }
}

#[test]
fn cells_that_one_value_serves_take_no_blocks() {
    assert!(matches!(
        compress(&[3u8; 1000], &Alphabet::settled(5), &Options::RESULTS),
        Section::Constant(3)
    ));
    let alphabet = Alphabet::with_at_most(5);
    // Free up to 2, and up to 1.
    assert!(matches!(compress(&[7u8, 6, 0], &alphabet, &Options::RESULTS), Section::Constant(0)));
    assert!(matches!(compress(&[1u8, 9, 6], &alphabet, &Options::RESULTS), Section::Constant(1)));
    assert!(matches!(
        compress(&[8u16], &Alphabet::with_any(8), &Options::DISTANCES),
        Section::Constant(0)
    ));
    assert_eq!(Section::Constant(3).header(1), [0x81, 3]);
}

#[test]
fn long_runs_take_few_blocks_of_no_more_than_65536_values() {
    let mut cells = vec![2; 3_000_000];
    cells[1_234_567] = 4;
    let section = check(&cells, &Alphabet::settled(5), &Options::RESULTS);
    let packed = packed(&section);
    assert!(packed.blocks >= 3_000_000_u32.div_ceil(65_536));
    assert!(packed.size() < 2000, "{} bytes", packed.size());
}

#[test]
fn a_period_of_two_values_takes_a_word_of_one_bit() {
    let cells: Vec<u16> = (0..4096).map(|i| i % 2).collect();
    let section = check(&cells, &Alphabet::settled(2), &Options::RESULTS);
    assert_eq!(packed(&section).word_bits, (1, 1));
    assert_eq!(packed(&section).blocks, 1);
}

#[test]
fn symbols_fit_twelve_bits() {
    // Many different pairs, each of which occurs often enough to become a symbol.
    let mut numbers = Numbers(7);
    let words: Vec<[u16; 4]> =
        (0..9000).map(|_| [(); 4].map(|()| numbers.below(250) as u16)).collect();
    let cells: Vec<u16> =
        (0..150_000).flat_map(|_| words[numbers.below(words.len() as u64) as usize]).collect();
    let section = check(&cells, &Alphabet::settled(250), &Options::DISTANCES);
    assert!(packed(&section).symbols.len() > 3500);
}

#[test]
fn as_many_values_as_symbols_come_back() {
    let cells: Vec<u16> = (0..40_000u32).map(|i| (i * i % 4095) as u16).collect();
    check(&cells, &Alphabet::with_any(4095), &Options::DISTANCES);
}

#[test]
fn small_cells_compress_like_large_ones() {
    let alphabet = Alphabet::with_at_most(5);
    let large = build_runs(50_000, &alphabet, 3, 8);
    let small: Vec<u8> = large.iter().map(|&cell| cell as u8).collect();
    let sections = [
        compress(&large, &alphabet, &Options::RESULTS),
        compress(&small, &alphabet, &Options::RESULTS),
    ];
    assert_eq!(packed(&sections[0]).data, packed(&sections[1]).data);
}

#[test]
fn a_value_that_only_free_cells_allow_is_brought_in() {
    // Free up to 1 among 3 and 4.
    let cells: Vec<u16> = (0..5000).map(|i| [3, 4, 4, 6, 9, 3, 3][i * i % 7]).collect();
    check(&cells, &Alphabet::with_at_most(5), &Options::RESULTS);
}

/// A reader of a damaged section returns an error or other values, and never more or fewer.
#[test]
fn damaged_sections_are_read_without_harm() {
    let alphabet = Alphabet::settled(90);
    let cells = build_runs(20_000, &alphabet, 10, 9);
    let sound = compress(&cells, &alphabet, &Options::DISTANCES).to_bytes();
    let [mut refused, mut other] = [0, 0];
    let places = (0..400).chain((400..sound.len()).step_by(61));
    for (place, bit) in places.flat_map(|place| [0, 3, 7].map(|bit| (place, bit))) {
        let mut bytes = sound.clone();
        bytes[place] ^= 1 << bit;
        let Ok(section) = SectionValues::new(bytes, cells.len() as u64) else {
            refused += 1;
            continue;
        };
        for number in [0, 1, 12_345, 19_999] {
            drop(section.value(number));
        }
        match section.all() {
            Ok(values) => {
                assert_eq!(values.len(), cells.len());
                other += usize::from(values != cells);
            }
            Err(_) => refused += 1,
        }
        assert!(section.value(20_000).is_err(), "there is no such value");
    }
    assert!(refused > 100 && other > 100, "{refused} refused, {other} with other values");
    for len in (0..sound.len()).step_by(13) {
        assert!(SectionValues::new(&sound[..len], cells.len() as u64).is_err(), "{len} bytes");
    }
    let longer = [&sound[..], b"x"].concat();
    assert!(SectionValues::new(longer, cells.len() as u64).is_err());
    let constant = Section::Constant(3).to_bytes();
    let read = |bytes: &[u8]| SectionValues::new(bytes, 5).and_then(|section| section.all());
    assert_eq!(read(&constant).expect("a section"), [3; 5]);
    assert!(read(&constant[..1]).is_err() && read(&[0x80, 3, 0]).is_err());
    for count in [19_999, 20_001, 1 << 40] {
        assert!(SectionValues::new(&sound[..], count).is_err(), "{count} values");
    }
}
