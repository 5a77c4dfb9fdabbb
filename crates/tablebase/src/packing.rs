//! Entries packed by deflate, a block at a time.

use super::entries::Entries;
use flate2::{Compress, Compression, Crc, Decompress, FlushCompress, FlushDecompress, Status};
use rayon::prelude::*;

/// So many entries are packed together. Larger blocks are packed tighter, smaller ones are read
/// sooner. In blocks of this size a table takes some 5 % more than in one piece, and a block is read
/// in some tens of microseconds.
pub(super) const BLOCK: usize = 8192;

/// How hard deflate tries, from 0 to 9: more makes tables 1 % smaller and takes much longer.
const LEVEL: u32 = 6;

/// Entries in packed blocks, of [`BLOCK`] entries each but for the last.
pub(super) fn pack_all(entries: &Entries) -> Vec<Vec<u8>> {
    let packer = || Compress::new(Compression::new(LEVEL), false);
    let firsts: Vec<usize> = (0..entries.len()).step_by(BLOCK).collect();
    let bytes = |first: usize| entries.to_bytes(first..entries.len().min(first + BLOCK));
    let pack = |packer: &mut Compress, first: usize| pack(packer, &bytes(first));
    firsts.into_par_iter().map_init(packer, pack).collect()
}

fn pack(packer: &mut Compress, bytes: &[u8]) -> Vec<u8> {
    packer.reset();
    // Deflate adds a few bytes at most to what it cannot make smaller.
    let mut packed = Vec::with_capacity(bytes.len() + bytes.len() / 1000 + 1024);
    let status = packer.compress_vec(bytes, &mut packed, FlushCompress::Finish);
    assert!(matches!(status, Ok(Status::StreamEnd)), "there is room for all of it: {status:?}");
    packed.shrink_to_fit();
    packed
}

/// Bytes packed in haste: for what is soon thrown away.
pub(super) fn pack_fast(bytes: &[u8]) -> Vec<u8> {
    pack(&mut Compress::new(Compression::fast(), false), bytes)
}

/// CRC-32: it finds accidents.
pub(super) fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// So many entries; nothing if the bytes are not theirs.
pub(super) fn unpack(packed: &[u8], len: usize) -> Option<Entries> {
    // Most blocks have entries of a byte: no more room than that is asked for at first.
    let bytes = unpack_at_most(packed, len).or_else(|| unpack_at_most(packed, 2 * len))?;
    Entries::from_bytes(bytes, len)
}

/// So many bytes; nothing if what is packed is something else.
pub(super) fn unpack_bytes(packed: &[u8], len: usize) -> Option<Vec<u8>> {
    unpack_at_most(packed, len).filter(|bytes| bytes.len() == len)
}

fn unpack_at_most(packed: &[u8], most: usize) -> Option<Vec<u8>> {
    // One byte more than there is, so that too much shows.
    let mut bytes = vec![0; most + 1];
    let mut unpacker = Decompress::new(false);
    let status = unpacker.decompress(packed, &mut bytes, FlushDecompress::Finish).ok()?;
    let is_all = status == Status::StreamEnd && unpacker.total_in() == packed.len() as u64;
    bytes.truncate(unpacker.total_out() as usize);
    is_all.then_some(bytes)
}
