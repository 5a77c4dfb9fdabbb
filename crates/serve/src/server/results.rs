//! The folder of results. Each job has a folder there, named by its number, with its files and a record of the job
//! itself; `players` has a folder for each player that people have saved. So results outlive the server.
//!
//! Several servers may use one folder: a number is taken by making its folder, and the server that runs a job holds a
//! lock in it, which ends with the server in any case. Links are never followed.

use super::job_view::{File, JobState, JobView};
use lucena_files::{WriteError, make_folder, write_file};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The record of a job in its folder.
const RECORD: &str = "job.json";

/// The file that is locked while a job runs.
const RUNNING: &str = ".running";

/// The folder of saved players.
const PLAYERS: &str = "players";

/// The record of a saved player in its folder.
const PLAYER_RECORD: &str = "player.json";

/// The file with the last number that was given to a job, so that no number is given twice.
const LAST: &str = ".last";

/// The error of a job that the server did not see to its end.
const CUT_OFF: &str = "The server ended while the job ran.";

/// The folder in which the results of jobs are kept.
pub struct ResultsFolder {
    path: PathBuf,
}

impl Drop for RunningFolder {
    fn drop(&mut self) {
        // If the server is killed, the file stays, but the lock ends.
        let _ = fs::remove_file(self.path.join(RUNNING));
    }
}

/// A job as it is stored.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct JobRecord {
    #[serde(flatten)]
    pub(crate) view: JobView,
    /// The file that is a picture of its results.
    pub(crate) picture: Option<String>,
    /// The player that a file makes: the prefix of its name, and the file.
    pub(crate) makes: Option<(String, String)>,
}

/// A player as it is stored.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct PlayerRecord {
    /// The prefix of its name.
    prefix: String,
    /// The file that makes it.
    file: String,
}

/// A saved player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SavedPlayer {
    /// The name that it was given.
    pub(crate) name: String,
    /// The name by which players are looked up.
    pub(crate) player: String,
}

/// The folder of a job that is running, locked by this server.
pub(crate) struct RunningFolder {
    pub(crate) number: u64,
    pub(crate) path: PathBuf,
    _lock: fs::File,
}

/// The content of a folder when the server starts.
#[derive(Default)]
pub(crate) struct StoredResults {
    pub(crate) jobs: Vec<(u64, JobRecord)>,
    pub(crate) players: Vec<SavedPlayer>,
    /// The names of folders that cannot be read as results. They are left alone.
    pub(crate) unreadable: Vec<String>,
}

impl ResultsFolder {
    /// Opens a folder of results, and makes it if there is none.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn open(path: PathBuf) -> Result<Self, WriteError> {
        make_folder(&path.join(PLAYERS))?;
        Ok(Self { path })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn of_job(&self, number: u64) -> PathBuf {
        self.path.join(number.to_string())
    }

    /// Takes a number for a job that begins, and makes its folder.
    pub(crate) fn take_number(&self) -> io::Result<RunningFolder> {
        let last = fs::read_to_string(self.path.join(LAST)).ok();
        let last = last.and_then(|text| text.trim().parse().ok()).unwrap_or(0);
        let mut number = self.numbers()?.into_iter().max().unwrap_or(0).max(last) + 1;
        let path = loop {
            match fs::create_dir(self.of_job(number)) {
                Ok(()) => break self.of_job(number),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error),
            }
        };
        let lock = fs::File::create(path.join(RUNNING))?;
        lock.lock()?;
        write_file(&self.path.join(LAST), format!("{number}\n").as_bytes())
            .map_err(io::Error::other)?;
        Ok(RunningFolder { number, path, _lock: lock })
    }

    /// The numbers of all folders of jobs.
    fn numbers(&self) -> io::Result<Vec<u64>> {
        let names = fs::read_dir(&self.path)?.flatten().map(|entry| entry.file_name());
        Ok(names.filter_map(|name| name.to_str()?.parse().ok()).collect())
    }

    /// Reads all results that no other server is working on.
    pub(crate) fn load(&self) -> io::Result<StoredResults> {
        let mut stored = StoredResults::default();
        let mut numbers = self.numbers()?;
        numbers.sort_unstable();
        for number in numbers {
            let folder = self.of_job(number);
            if !is_folder(&folder) || runs_elsewhere(&folder) {
                continue;
            }
            match read_record(&folder.join(RECORD)) {
                Some(record) => {
                    stored.jobs.push((number, record_of_ended(record, number, &folder)));
                }
                None => stored.unreadable.push(number.to_string()),
            }
        }
        let mut entries: Vec<_> = fs::read_dir(self.path.join(PLAYERS))?.flatten().collect();
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let name = entry.file_name().to_string_lossy().into_owned();
            match self.saved_player(&name) {
                Some(saved) => stored.players.push(saved),
                None => stored.unreadable.push(format!("{PLAYERS}/{name}")),
            }
        }
        Ok(stored)
    }

    /// Stores the record of a job.
    pub(crate) fn store(&self, number: u64, record: &JobRecord) -> io::Result<()> {
        let bytes = serde_json::to_vec_pretty(record)?;
        write_file(&self.of_job(number).join(RECORD), &bytes).map(drop).map_err(io::Error::other)
    }

    /// Deletes a job with its files.
    pub(crate) fn delete_job(&self, number: u64) -> io::Result<()> {
        fs::remove_dir_all(self.of_job(number))
    }

    /// Saves a copy of a job's player under a name; `None` if there is a player of that name.
    pub(crate) fn save_player(
        &self,
        name: &str,
        prefix: &str,
        file: &Path,
    ) -> io::Result<Option<SavedPlayer>> {
        let folder = self.path.join(PLAYERS).join(name);
        // The bytes are read first, so that no empty folder is left behind if there are none.
        let bytes = fs::read(file)?;
        match fs::create_dir(&folder) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(None),
            Err(error) => return Err(error),
        }
        let file = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let write = |file: &str, bytes: &[u8]| write_file(&folder.join(file), bytes);
        let record = PlayerRecord { prefix: prefix.into(), file: file.clone() };
        let written = write(&file, &bytes)
            .and_then(|_| write(PLAYER_RECORD, &serde_json::to_vec(&record).unwrap_or_default()));
        if let Err(error) = written {
            let _ = fs::remove_dir_all(&folder);
            return Err(io::Error::other(error));
        }
        Ok(self.saved_player(name))
    }

    /// The saved player of a name; `None` if there is none, or it cannot be read.
    pub(crate) fn saved_player(&self, name: &str) -> Option<SavedPlayer> {
        let folder = self.path.join(PLAYERS).join(check_file_name(name)?);
        if !is_folder(&folder) {
            return None;
        }
        let bytes = fs::read(folder.join(PLAYER_RECORD)).ok()?;
        let PlayerRecord { prefix, file } = serde_json::from_slice(&bytes).ok()?;
        let file = folder.join(check_file_name(&file)?);
        is_file(&file).then(|| SavedPlayer {
            name: name.into(),
            player: format!("{prefix}{}", file.display()),
        })
    }

    /// Deletes a saved player.
    pub(crate) fn delete_player(&self, name: &str) -> io::Result<()> {
        fs::remove_dir_all(self.path.join(PLAYERS).join(name))
    }
}

/// A record as it is now that the job has ended.
fn record_of_ended(mut record: JobRecord, number: u64, folder: &Path) -> JobRecord {
    let view = &mut record.view;
    view.id = number.to_string();
    if view.state == JobState::Running {
        view.state = JobState::Stopped;
        view.error = Some(CUT_OFF.into());
    }
    view.files = files_of(folder);
    record.picture = record.picture.filter(|name| check_file_name(name).is_some());
    record.makes = record.makes.filter(|(_, name)| check_file_name(name).is_some());
    // A record may have been moved together with its folder.
    view.player = player_of(&record.makes, folder);
    record
}

/// The player that a job has made; `None` if there is none yet.
pub(crate) fn player_of(makes: &Option<(String, String)>, folder: &Path) -> Option<String> {
    let (prefix, file) = makes.as_ref()?;
    let path = folder.join(file);
    is_file(&path).then(|| format!("{prefix}{}", path.display()))
}

/// Reads the record of a job; `None` if it is no record.
fn read_record(path: &Path) -> Option<JobRecord> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// Returns true if another server runs the job of a folder.
fn runs_elsewhere(folder: &Path) -> bool {
    fs::File::open(folder.join(RUNNING)).is_ok_and(|file| file.try_lock().is_err())
}

/// The files of a job, sorted by name, without its record and without unfinished ones, whose names begin with a dot.
pub(crate) fn files_of(folder: &Path) -> Vec<File> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<File> = entries
        .filter_map(|entry| {
            let (name, file) = (entry.file_name().into_string().ok()?, entry.metadata().ok()?);
            let is_own = file.is_file() && !name.starts_with('.') && name != RECORD;
            is_own.then_some(File { name, bytes: file.len() })
        })
        .collect();
    files.sort_by(|one, other| one.name.cmp(&other.name));
    files
}

/// A name if it is that of a file or folder in a folder, and of nothing outside it.
pub(crate) fn check_file_name(name: &str) -> Option<&str> {
    let mut parts = Path::new(name).components();
    match (parts.next(), parts.next()) {
        (Some(std::path::Component::Normal(part)), None) if part == name => Some(name),
        _ => None,
    }
}

fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|about| about.is_dir())
}

fn is_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|about| about.is_file())
}
