//! Compression of entries by deflate, a block at a time.

use super::entries::Entries;
use flate2::{Compress, Compression, Crc, Decompress, FlushCompress, FlushDecompress, Status};
use rayon::prelude::*;

/// The number of entries in a block. Larger blocks compress better, smaller ones are faster to read: a block of
/// this size takes some tens of microseconds.
pub(super) const BLOCK: usize = 8192;

/// The deflate level, from 0 to 9. Higher levels make tables 1 % smaller but take much longer.
const LEVEL: u32 = 6;

/// Packs entries into blocks of [`BLOCK`] entries each; the last may be shorter.
pub(super) fn pack_all(entries: &Entries) -> Vec<Vec<u8>> {
    let packer = || Compress::new(Compression::new(LEVEL), false);
    let firsts: Vec<usize> = (0..entries.len()).step_by(BLOCK).collect();
    let bytes = |first: usize| entries.to_bytes(first..entries.len().min(first + BLOCK));
    let pack = |packer: &mut Compress, first: usize| pack(packer, &bytes(first));
    firsts.into_par_iter().map_init(packer, pack).collect()
}

fn pack(packer: &mut Compress, bytes: &[u8]) -> Vec<u8> {
    packer.reset();
    // Deflate adds only a few bytes to incompressible data.
    let mut packed = Vec::with_capacity(bytes.len() + bytes.len() / 1000 + 1024);
    let status = packer.compress_vec(bytes, &mut packed, FlushCompress::Finish);
    assert!(matches!(status, Ok(Status::StreamEnd)), "there is room for all of it: {status:?}");
    packed.shrink_to_fit();
    packed
}

/// Packs bytes at the fastest level, for short-lived data.
pub(super) fn pack_fast(bytes: &[u8]) -> Vec<u8> {
    pack(&mut Compress::new(Compression::fast(), false), bytes)
}

/// The CRC-32 checksum of some bytes.
pub(super) fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// Unpacks `len` entries; `None` if the bytes do not hold as many.
pub(super) fn unpack(packed: &[u8], len: usize) -> Option<Entries> {
    // Most blocks have entries of one byte, so try that size first.
    let bytes = unpack_at_most(packed, len).or_else(|| unpack_at_most(packed, 2 * len))?;
    Entries::from_bytes(bytes, len)
}

/// Unpacks `len` bytes; `None` if there are more, fewer, or invalid ones.
pub(super) fn unpack_bytes(packed: &[u8], len: usize) -> Option<Vec<u8>> {
    // Deflate shortens nothing further. So a length that is wrong costs little memory.
    const MOST_TO_ONE: usize = 1032;
    if len / MOST_TO_ONE > packed.len() {
        return None;
    }
    unpack_at_most(packed, len).filter(|bytes| bytes.len() == len)
}

fn unpack_at_most(packed: &[u8], most: usize) -> Option<Vec<u8>> {
    // One byte more than allowed, to detect an excess.
    let mut bytes = vec![0; most + 1];
    let mut unpacker = Decompress::new(false);
    let status = unpacker.decompress(packed, &mut bytes, FlushDecompress::Finish).ok()?;
    let is_all = status == Status::StreamEnd && unpacker.total_in() == packed.len() as u64;
    bytes.truncate(unpacker.total_out() as usize);
    is_all.then_some(bytes)
}
