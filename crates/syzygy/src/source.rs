//! The bytes of a file: all in memory, or read in chunks into a cache of a fixed size.

use crate::error::{Damage, Fault};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The size of a chunk.
const CHUNK: u64 = 1 << 15;

/// The number of parts of the cache that can be used at the same time.
const SHARDS: usize = 16;

/// The number of chunks that compete for the same places.
const WAYS: usize = 8;

/// The greatest size of a file that is held in memory as a whole.
pub(crate) const MAX_WHOLE: u64 = 32 << 20;

/// The size of the cache for larger files.
pub(crate) const CACHE_BYTES: u64 = 128 << 20;

/// The bytes of a file.
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    length: u64,
    content: Content,
}

enum Content {
    Whole(Box<[u8]>),
    Chunks { id: u32, cache: Arc<ChunkCache> },
}

impl Source {
    /// Opens a file. If it has more than `most_whole` bytes, it is only read when it is used; it is then opened for
    /// each chunk, so that any number of tables can be in use.
    pub(crate) fn open(path: &Path, most_whole: u64, cache: &Arc<ChunkCache>) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let length = metadata.len();
        if length > most_whole {
            let id = cache.next_id.fetch_add(1, Ordering::Relaxed);
            let content = Content::Chunks { id, cache: Arc::clone(cache) };
            return Ok(Self { path: path.into(), length, content });
        }
        let mut bytes = Vec::new();
        Read::by_ref(&mut file).take(most_whole + 1).read_to_end(&mut bytes)?;
        let length = bytes.len() as u64;
        let content = Content::Whole(bytes.into());
        Ok(Self { path: path.into(), length, content })
    }

    /// The number of bytes.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Returns whether all bytes are in memory.
    pub(crate) fn is_whole(&self) -> bool {
        matches!(self.content, Content::Whole(_))
    }

    pub(crate) fn view(&self) -> View<'_> {
        match &self.content {
            Content::Whole(bytes) => View::Whole(bytes),
            Content::Chunks { id, cache } => {
                View::Chunks(ChunkView { source: self, id: *id, cache, last: None, joined: vec![] })
            }
        }
    }

    fn read(&self, from: u64, len: usize) -> io::Result<Box<[u8]>> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = vec![0; len];
        file.read_exact(&mut bytes)?;
        Ok(bytes.into())
    }
}

/// A way to look at the bytes of a file for the time of one probe.
pub(crate) enum View<'a> {
    Whole(&'a [u8]),
    Chunks(ChunkView<'a>),
}

/// A look at a file that is read in chunks.
pub(crate) struct ChunkView<'a> {
    source: &'a Source,
    id: u32,
    cache: &'a ChunkCache,
    last: Option<(u64, Arc<[u8]>)>,
    /// Bytes from several chunks.
    joined: Vec<u8>,
}

impl View<'_> {
    /// The bytes from one place on.
    pub(crate) fn slice(&mut self, at: u64, len: usize) -> Result<&[u8], Fault> {
        match self {
            View::Whole(bytes) => {
                let end = at.saturating_add(len as u64);
                let short = Damage::Short { needed: end, length: bytes.len() as u64 };
                if end > bytes.len() as u64 {
                    return Err(short.into());
                }
                Ok(&bytes[at as usize..end as usize])
            }
            View::Chunks(chunks) => chunks.slice(at, len),
        }
    }

    /// A fixed number of bytes from one place on.
    pub(crate) fn array<const N: usize>(&mut self, at: u64) -> Result<[u8; N], Fault> {
        let mut array = [0; N];
        array.copy_from_slice(self.slice(at, N)?);
        Ok(array)
    }
}

impl ChunkView<'_> {
    fn slice(&mut self, at: u64, len: usize) -> Result<&[u8], Fault> {
        let end = at.saturating_add(len as u64);
        if end > self.source.length {
            return Err(Damage::Short { needed: end, length: self.source.length }.into());
        }
        let from = (at % CHUNK) as usize;
        if from + len <= CHUNK as usize {
            return Ok(&self.chunk(at / CHUNK)?[from..from + len]);
        }
        self.joined.clear();
        let mut at = at;
        while at < end {
            let from = (at % CHUNK) as usize;
            let count = (end - at).min(CHUNK - at % CHUNK) as usize;
            self.chunk(at / CHUNK)?;
            if let Some((_, chunk)) = &self.last {
                self.joined.extend_from_slice(&chunk[from..from + count]);
            }
            at += count as u64;
        }
        Ok(&self.joined)
    }

    fn chunk(&mut self, number: u64) -> io::Result<&[u8]> {
        let chunk = match self.last.take() {
            Some((last, chunk)) if last == number => chunk,
            _ => self.cache.get((self.id, number), || {
                let from = number * CHUNK;
                self.source.read(from, (self.source.length - from).min(CHUNK) as usize)
            })?,
        };
        Ok(&self.last.insert((number, chunk)).1)
    }
}

type ChunkKey = (u32, u64);

struct Place {
    key: ChunkKey,
    used: u64,
    chunk: Arc<[u8]>,
}

struct Shard {
    time: u64,
    /// The places of each set, at most as many as compete.
    sets: Box<[Vec<Place>]>,
}

/// Chunks of files, of which the least recently used are replaced.
pub(crate) struct ChunkCache {
    next_id: AtomicU32,
    shards: [Mutex<Shard>; SHARDS],
}

impl ChunkCache {
    /// A cache of at most the given number of bytes, or of a few chunks if that is less.
    pub(crate) fn new(bytes: u64) -> Self {
        let sets = (bytes / CHUNK) as usize / (SHARDS * WAYS);
        let shard = || Shard { time: 0, sets: (0..sets.max(1)).map(|_| Vec::new()).collect() };
        let shards = std::array::from_fn(|_| Mutex::new(shard()));
        Self { next_id: AtomicU32::new(0), shards }
    }

    fn get(
        &self,
        key: ChunkKey,
        read: impl FnOnce() -> io::Result<Box<[u8]>>,
    ) -> io::Result<Arc<[u8]>> {
        let hash = (key.1 ^ u64::from(key.0) << 40).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        let shard = &self.shards[hash as usize % SHARDS];
        let number = hash as usize / SHARDS;
        if let Some(chunk) = lock(shard).find(number, key) {
            return Ok(chunk);
        }
        // Two threads can read the same chunk at the same time; that is better than one that waits for the disk with
        // the lock in its hands.
        let chunk: Arc<[u8]> = read()?.into();
        lock(shard).insert(number, key, Arc::clone(&chunk));
        Ok(chunk)
    }
}

fn lock(shard: &Mutex<Shard>) -> std::sync::MutexGuard<'_, Shard> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shard {
    fn set(&mut self, number: usize) -> &mut Vec<Place> {
        self.time += 1;
        let len = self.sets.len();
        &mut self.sets[number % len]
    }

    fn find(&mut self, number: usize, key: ChunkKey) -> Option<Arc<[u8]>> {
        let time = self.time;
        let place = self.set(number).iter_mut().find(|place| place.key == key)?;
        place.used = time;
        Some(Arc::clone(&place.chunk))
    }

    fn insert(&mut self, number: usize, key: ChunkKey, chunk: Arc<[u8]>) {
        let used = self.time;
        let set = self.set(number);
        let oldest = set.iter().enumerate().min_by_key(|(_, place)| place.used);
        if let Some((index, _)) = oldest.filter(|_| set.len() >= WAYS) {
            set.swap_remove(index);
        }
        set.push(Place { key, used, chunk });
    }
}
