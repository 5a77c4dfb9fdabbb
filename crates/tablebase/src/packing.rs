//! Compression of short-lived data by deflate, and checksums.

use flate2::{Compress, Compression, Crc, Decompress, FlushCompress, FlushDecompress, Status};
use std::cell::RefCell;

/// Packs bytes at the fastest level, for short-lived data.
pub(super) fn pack_fast(bytes: &[u8]) -> Vec<u8> {
    thread_local! {
        /// There are many short records, and a packer takes hundreds of kilobytes.
        static PACKER: RefCell<Compress> =
            RefCell::new(Compress::new(Compression::fast(), false));
    }
    // Deflate adds only a few bytes to incompressible data.
    let mut packed = Vec::with_capacity(bytes.len() + bytes.len() / 1000 + 1024);
    let status = PACKER.with_borrow_mut(|packer| {
        packer.reset();
        packer.compress_vec(bytes, &mut packed, FlushCompress::Finish)
    });
    assert!(matches!(status, Ok(Status::StreamEnd)), "there is room for all of it: {status:?}");
    packed.shrink_to_fit();
    packed
}

/// The CRC-32 checksum of some bytes.
pub(super) fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// Unpacks `len` bytes; `None` if there are more, fewer, or invalid ones.
pub(super) fn unpack_bytes(packed: &[u8], len: usize) -> Option<Vec<u8>> {
    // Deflate shortens nothing further. So a length that is wrong costs little memory.
    const MOST_TO_ONE: usize = 1032;
    if len / MOST_TO_ONE > packed.len() {
        return None;
    }
    // One byte more than allowed, to detect an excess.
    let mut bytes = vec![0; len + 1];
    let mut unpacker = Decompress::new(false);
    let status = unpacker.decompress(packed, &mut bytes, FlushDecompress::Finish).ok()?;
    let is_all = status == Status::StreamEnd && unpacker.total_in() == packed.len() as u64;
    bytes.truncate(len);
    (is_all && unpacker.total_out() == len as u64).then_some(bytes)
}
