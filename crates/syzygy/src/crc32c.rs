//! The cyclic redundancy check CRC-32C (Castagnoli).

/// The polynomial, with its bits reversed.
const POLYNOMIAL: u32 = 0x82f6_3b78;

/// For each byte and each of its eight places: its part of the check of eight bytes.
static TABLES: [[u32; 256]; 8] = tables();

const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut check = byte as u32;
        let mut place = 0;
        while place < 8 {
            let mut bit = 0;
            while bit < 8 {
                check = check >> 1 ^ if check & 1 == 1 { POLYNOMIAL } else { 0 };
                bit += 1;
            }
            tables[place][byte] = check;
            place += 1;
        }
        byte += 1;
    }
    tables
}

/// The check after eight more bytes, without an inversion at the beginning or end.
pub(crate) fn update(check: u32, value: u64) -> u32 {
    let bytes = (value ^ u64::from(check)).to_le_bytes();
    let parts = bytes.iter().zip(TABLES.iter().rev());
    parts.fold(0, |check, (byte, table)| check ^ table[usize::from(*byte)])
}
