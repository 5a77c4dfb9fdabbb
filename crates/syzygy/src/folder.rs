//! The tables in folders.

use crate::composition::{Composition, MAX_MEN};
use crate::error::{FileError, FolderError, SyzygyError};
use crate::source::{CACHE_BYTES, ChunkCache, MAX_WHOLE, Source};
use crate::table::{Table, TableKind};
use lucena_files::ReadError;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::hash::{BuildHasherDefault, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The memory that files may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryUse {
    /// The greatest size of a file that is held as a whole, in bytes. It can take an eighth more, for marks by which values
    /// are found quickly.
    pub most_whole: u64,
    /// The size of the cache for parts of larger files, in bytes.
    pub cache: u64,
}

impl Default for MemoryUse {
    /// Files of up to 32 MiB as a whole, and 128 MiB of larger files.
    fn default() -> Self {
        Self { most_whole: MAX_WHOLE, cache: CACHE_BYTES }
    }
}

/// The tables in folders. Several threads can use them at the same time.
///
/// The folders are listed when they are opened; a file is opened when a position with its men is first probed.
pub struct SyzygyTables {
    pairs: HashMap<u64, Arc<Pair>, BuildHasherDefault<KeyHasher>>,
    memory: MemoryUse,
    cache: Arc<ChunkCache>,
    most_men: usize,
}

/// The two files of the same men.
struct Pair {
    composition: Composition,
    wdl: Option<Lazy>,
    dtz: Option<Lazy>,
}

/// A file that is opened when it is used.
struct Lazy {
    path: PathBuf,
    table: OnceLock<Result<Table, Arc<FileError>>>,
}

impl SyzygyTables {
    /// Lists the tables in folders. If a table is in several folders, the first is used. Other files are left alone.
    ///
    /// # Errors
    /// If a folder cannot be read, or there are none.
    pub fn open<P: AsRef<Path>>(folders: &[P]) -> Result<Self, FolderError> {
        Self::open_with(folders, MemoryUse::default())
    }

    /// Lists the tables in folders, as [`open`](Self::open) does, and limits the memory that is used.
    ///
    /// # Errors
    /// If a folder cannot be read, or there are none.
    pub fn open_with<P: AsRef<Path>>(
        folders: &[P],
        memory: MemoryUse,
    ) -> Result<Self, FolderError> {
        if folders.is_empty() {
            return Err(FolderError::Empty);
        }
        let mut found = BTreeMap::new();
        for folder in folders {
            let path = folder.as_ref();
            list(path, &mut found).map_err(|source| ReadError { path: path.into(), source })?;
        }
        let most_men = found.keys().map(|composition| composition.len()).max().unwrap_or(2);
        let mut pairs = HashMap::default();
        for (composition, [wdl, dtz]) in found {
            let lazy =
                |path: Option<PathBuf>| path.map(|path| Lazy { path, table: OnceLock::new() });
            let pair = Arc::new(Pair { composition, wdl: lazy(wdl), dtz: lazy(dtz) });
            pairs.insert(composition.flipped().key(), Arc::clone(&pair));
            pairs.insert(composition.key(), pair);
        }
        let cache = Arc::new(ChunkCache::new(memory.cache));
        Ok(Self { pairs, memory, cache, most_men })
    }

    /// The greatest number of men that there is a file of, or 2.
    pub fn most_men(&self) -> usize {
        self.most_men
    }

    /// The files, ordered by the men.
    pub fn files(&self) -> Vec<&Path> {
        let mut pairs: Vec<_> =
            self.pairs.iter().filter(|(key, pair)| **key == pair.composition.key()).collect();
        pairs.sort_unstable_by_key(|(key, pair)| (pair.composition.len(), **key));
        let files = pairs.into_iter().flat_map(|(_, pair)| [&pair.wdl, &pair.dtz]);
        files.flatten().map(|lazy| lazy.path.as_path()).collect()
    }

    /// The path of a file; `None` if there is none.
    pub fn file(&self, men: Composition, kind: TableKind) -> Option<&Path> {
        Some(&self.pairs.get(&men.key())?.lazy(kind)?.path)
    }

    /// Returns whether there is a file for men.
    pub fn has(&self, men: Composition, kind: TableKind) -> bool {
        self.pairs.get(&men.key()).is_some_and(|pair| pair.lazy(kind).is_some())
    }

    /// Opens the file of men, if it has not been opened.
    ///
    /// # Errors
    /// If the file is missing or cannot be used.
    pub fn require(&self, men: Composition, kind: TableKind) -> Result<(), SyzygyError> {
        self.table(men, kind).map(drop)
    }

    /// The opened table of men.
    pub(crate) fn table(&self, men: Composition, kind: TableKind) -> Result<&Table, SyzygyError> {
        let pair = self.pairs.get(&men.key());
        let Some((pair, lazy)) = pair.and_then(|pair| Some((pair, pair.lazy(kind)?))) else {
            let file = format!("{}.{}", men.normalized(), kind.extension());
            return Err(SyzygyError::Missing { file });
        };
        let table = lazy.table.get_or_init(|| self.open_table(&lazy.path, kind, pair.composition));
        table.as_ref().map_err(|error| Arc::clone(error).into())
    }

    fn open_table(
        &self,
        path: &Path,
        kind: TableKind,
        composition: Composition,
    ) -> Result<Table, Arc<FileError>> {
        let source = Source::open(path, self.memory.most_whole, &self.cache)
            .map_err(|source| FileError::from(ReadError { path: path.into(), source }))?;
        Ok(Table::open(source, kind, composition)?)
    }
}

impl Pair {
    fn lazy(&self, kind: TableKind) -> Option<&Lazy> {
        match kind {
            TableKind::Wdl => self.wdl.as_ref(),
            TableKind::Dtz => self.dtz.as_ref(),
        }
    }
}

/// The men and the kind in the name of a file, if it is the name of a table.
pub(crate) fn parse_file_name(path: &Path) -> Option<(Composition, TableKind)> {
    let extension = path.extension()?;
    let kinds = [TableKind::Wdl, TableKind::Dtz];
    let kind = kinds.into_iter().find(|kind| kind.extension() == extension)?;
    let composition: Composition = path.file_stem()?.to_str()?.parse().ok()?;
    let is_table =
        composition.normalized() == composition && (3..=MAX_MEN).contains(&composition.len());
    is_table.then_some((composition, kind))
}

fn list(folder: &Path, found: &mut BTreeMap<Composition, [Option<PathBuf>; 2]>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let Some((composition, kind)) = parse_file_name(&path) else { continue };
        found.entry(composition).or_default()[kind as usize].get_or_insert(path);
    }
    Ok(())
}

/// A hash of a composition's key, by multiplication.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64((*byte).into());
        }
    }

    fn write_u64(&mut self, key: u64) {
        let product = (self.0 ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = product ^ product >> 32;
    }
}
