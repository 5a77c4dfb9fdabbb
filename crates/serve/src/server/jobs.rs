//! Jobs: how they start, report, stop and are forgotten.

use super::job_view::{Chart, JobState, JobView};
use super::refusal::HttpError;
use super::results::{
    JobRecord, ResultsFolder, RunningFolder, SavedPlayer, StoredResults, check_file_name, files_of,
    player_of,
};
use crate::Site;
use crate::job::{JobPlan, OutputLine};
use axum::http::StatusCode;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::Command;
use tokio::sync::{Notify, mpsc, watch};

/// The most jobs that run at a time.
const MAX_RUNNING: usize = 2;

/// The time after which a job without listeners is stopped.
const UNWATCHED_TIMEOUT: Duration = Duration::from_secs(15);

/// The time that a stopping job has for its report.
const EXIT_TIMEOUT: Duration = Duration::from_secs(20);

/// The time that jobs have to stop when the server ends.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(4);

/// The shortest time between two records of a job that is running.
const BETWEEN_RECORDS: Duration = Duration::from_secs(1);

/// The longest name of a job or a player, in characters.
const MAX_NAME: usize = 80;

/// The most lines that wait for a job to read them.
const MAX_LINES: usize = 16;

/// The longest line for a job's standard input, in bytes.
const MAX_INPUT: usize = 200;

/// The longest line of a job's output.
const MAX_LINE: u64 = 1 << 24;

pub(crate) struct Jobs {
    site: Arc<dyn Site>,
    program: PathBuf,
    results: Arc<ResultsFolder>,
    all: Mutex<BTreeMap<u64, Arc<Job>>>,
    players: Mutex<BTreeMap<String, SavedPlayer>>,
}

/// A job and its output so far.
pub(crate) struct Job {
    number: u64,
    results: Arc<ResultsFolder>,
    /// The folder while the job runs; `None` once it has ended.
    running: Mutex<Option<RunningFolder>>,
    begun: Instant,
    record: Mutex<JobRecord>,
    /// The time of the last record in the folder of results.
    stored: Mutex<Instant>,
    /// The number of changes so far.
    changed: watch::Sender<u64>,
    stop: Notify,
    /// The lines for the standard input of a job that this server has started.
    input: Option<mpsc::Sender<String>>,
    listeners: AtomicUsize,
    /// The time of the last request for it.
    heard: Mutex<Instant>,
}

impl Jobs {
    /// The jobs and players of a folder of results. Their players are offered to the site.
    pub(crate) fn new(site: Arc<dyn Site>, program: PathBuf, results: ResultsFolder) -> Self {
        let results = Arc::new(results);
        let StoredResults { jobs, players, unreadable } = results.load().unwrap_or_else(|error| {
            site.warn(&format!("{} cannot be read: {error}", results.path().display()));
            StoredResults::default()
        });
        if !unreadable.is_empty() {
            let (folder, names) = (results.path().display(), unreadable.join(", "));
            site.warn(&format!(
                "{folder} has folders that are no results, and they are left alone: {names}"
            ));
        }
        for (_, record) in &jobs {
            if let Some(player) = &record.view.player {
                site.offer(player, &record.view.name);
            }
        }
        for SavedPlayer { name, player } in &players {
            site.offer(player, name);
        }
        let job =
            |(number, record)| (number, Arc::new(Job::new(number, &results, None, record, None)));
        let all = jobs.into_iter().map(job).collect();
        let players = players.into_iter().map(|saved| (saved.name.clone(), saved)).collect();
        Self { site, program, results, all: Mutex::new(all), players: Mutex::new(players) }
    }

    /// The folder of results.
    pub(crate) fn folder(&self) -> &Path {
        self.results.path()
    }

    /// The saved players, sorted by name.
    pub(crate) fn players(&self) -> Vec<SavedPlayer> {
        lock(&self.players).values().cloned().collect()
    }

    pub(crate) fn all(&self) -> Vec<Arc<Job>> {
        lock(&self.all).values().cloned().collect()
    }

    /// Looks up a job, and marks it as in use.
    pub(crate) fn find(&self, id: &str) -> Option<Arc<Job>> {
        let job = lock(&self.all).get(&id.parse().ok()?).cloned()?;
        job.touch();
        Some(job)
    }

    /// Starts a job.
    pub(crate) fn begin(
        self: &Arc<Self>,
        verb: &str,
        fields: BTreeMap<String, String>,
    ) -> Result<Arc<Job>, HttpError> {
        let broken = |error: std::io::Error| {
            let why = format!("the job cannot be started: {error}");
            HttpError(StatusCode::INTERNAL_SERVER_ERROR, why)
        };
        // The lock is held until the job is in the map, so that no more than [`MAX_RUNNING`] start at
        // once.
        let mut all = lock(&self.all);
        let running = all.values().filter(|job| job.is_running()).count();
        let wrong = |why: String| HttpError(StatusCode::BAD_REQUEST, why);
        if running >= MAX_RUNNING {
            drop(all);
            // Waiting would not mend a wrong field.
            self.site.plan(verb, &fields, self.results.path()).map_err(wrong)?;
            let why = format!(
                "{running} jobs are running, and no more run at a time: stop one, or wait for its end"
            );
            return Err(HttpError(StatusCode::TOO_MANY_REQUESTS, why));
        }
        let folder = self.results.take_number().map_err(broken)?;
        let plan = self.site.plan(verb, &fields, &folder.path);
        let plan = plan.map_err(|why| {
            let _ = self.results.delete_job(folder.number);
            wrong(why)
        })?;
        let JobPlan { title, name, command, arguments, chart, player } = plan;
        let mut child = Command::new(&self.program)
            .args(&arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| {
                let _ = self.results.delete_job(folder.number);
                broken(error)
            })?;
        let number = folder.number;
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let view = JobView {
            id: number.to_string(),
            name: unlike(&name, all.values().map(|job| job.view().name)),
            begun: since.as_secs(),
            verb: verb.into(),
            title,
            command,
            fields,
            makes_player: player.is_some(),
            ..JobView::default()
        };
        let record = JobRecord { view, picture: chart, makes: player };
        let (input, told) = mpsc::channel(MAX_LINES);
        let job = Arc::new(Job::new(number, &self.results, Some(folder), record, Some(input)));
        job.store();
        all.insert(number, Arc::clone(&job));
        drop(all);
        tokio::spawn(Arc::clone(&job).stop_without_listeners());
        let (jobs, running) = (Arc::clone(self), Arc::clone(&job));
        tokio::spawn(async move {
            let stdin = child.stdin.take();
            let stdout = child.stdout.take().expect("it is piped");
            let stderr = child.stderr.take().expect("it is piped");
            let said = tokio::spawn(last_words(stderr));
            let is_stopped = running.read_output(stdin, told, stdout).await;
            let ended = tokio::time::timeout(EXIT_TIMEOUT, child.wait()).await;
            let succeeded = matches!(&ended, Ok(Ok(status)) if status.success());
            drop(child);
            let said = said.await.unwrap_or_default();
            jobs.end(&running, is_stopped, succeeded, &said);
        });
        Ok(job)
    }

    /// Records the end of a job.
    fn end(&self, job: &Job, is_stopped: bool, succeeded: bool, said: &str) {
        let player = player_of(&lock(&job.record).makes, &job.folder());
        // The player can be used as soon as the job is seen to have ended.
        if let Some(player) = &player {
            self.site.offer(player, &job.view().name);
        }
        job.change(|shown| {
            shown.player = player.clone();
            shown.state = match (is_stopped, succeeded || shown.report.is_some()) {
                (true, _) => JobState::Stopped,
                (false, true) => JobState::Done,
                (false, false) => JobState::Failed,
            };
            if shown.state == JobState::Failed && shown.error.is_none() {
                let said = said.trim();
                // The error is the last note, or else the end of standard error.
                let why = shown.notes.pop().or_else(|| (!said.is_empty()).then(|| said.to_owned()));
                shown.error =
                    Some(why.unwrap_or_else(|| "The program has ended without a report.".into()));
            }
        });
        job.store();
        lock(&job.running).take();
    }

    /// Gives a job another name, by which its player is known too.
    pub(crate) fn rename(&self, job: &Job, name: &str) -> Result<(), HttpError> {
        let name = checked_name(name)?;
        job.change(|shown| shown.name = name.into());
        job.store();
        if let Some(player) = &job.view().player {
            self.site.offer(player, name);
        }
        Ok(())
    }

    /// Deletes a job that has ended, with its files.
    pub(crate) fn forget(&self, job: &Job) -> Result<(), HttpError> {
        if job.is_running() {
            return Err(conflict("the job is running: stop it first"));
        }
        self.results.delete_job(job.number).map_err(|error| undeleted(&job.folder(), &error))?;
        lock(&self.all).remove(&job.number);
        if let Some(player) = &job.view().player {
            self.site.withdraw(player);
        }
        Ok(())
    }

    /// Saves the player of a job as it is now, under a name.
    pub(crate) fn save(&self, job: &Job, name: &str) -> Result<SavedPlayer, HttpError> {
        let name = checked_name(name)?;
        let is_fit = |letter: char| letter.is_alphanumeric() || " -_.".contains(letter);
        if !name.chars().all(is_fit) || name.starts_with('.') || check_file_name(name).is_none() {
            let why = format!(
                "{name:?} cannot be the name of a player: use letters, digits, spaces, \"-\", \"_\" and \".\", and no \".\" in front"
            );
            return Err(HttpError(StatusCode::BAD_REQUEST, why));
        }
        let Some((prefix, file)) = lock(&job.record).makes.clone() else {
            return Err(conflict("this experiment makes no player"));
        };
        let file = job.folder().join(file);
        if !file.is_file() {
            return Err(conflict("the job has made no player yet: save it a little later"));
        }
        let saved = self.results.save_player(name, &prefix, &file).map_err(|error| {
            let why = format!("the player cannot be saved: {error}");
            HttpError(StatusCode::INTERNAL_SERVER_ERROR, why)
        })?;
        let Some(saved) = saved else {
            return Err(conflict(&format!(
                "there is a player called {name:?}: choose another name"
            )));
        };
        lock(&self.players).insert(saved.name.clone(), saved.clone());
        self.site.offer(&saved.player, &saved.name);
        Ok(saved)
    }

    /// Deletes a saved player.
    pub(crate) fn forget_player(&self, name: &str) -> Result<SavedPlayer, HttpError> {
        let Some(saved) = lock(&self.players).get(name).cloned() else {
            let why =
                format!("there is no saved player {name:?}: it has been deleted, or never was");
            return Err(HttpError(StatusCode::NOT_FOUND, why));
        };
        self.results
            .delete_player(name)
            .map_err(|error| undeleted(&self.results.path().join(name), &error))?;
        lock(&self.players).remove(name);
        self.site.withdraw(&saved.player);
        Ok(saved)
    }

    /// Stops all jobs, and waits a short time for their end.
    pub(crate) async fn end_all(&self) {
        let running: Vec<_> = self.all().into_iter().filter(|job| job.is_running()).collect();
        running.iter().for_each(|job| job.stop());
        let begun = Instant::now();
        while running.iter().any(|job| job.is_running()) && begun.elapsed() < SHUTDOWN_GRACE {
            tokio::time::sleep(SHUTDOWN_GRACE / 200).await;
        }
    }
}

impl Job {
    fn new(
        number: u64,
        results: &Arc<ResultsFolder>,
        running: Option<RunningFolder>,
        record: JobRecord,
        input: Option<mpsc::Sender<String>>,
    ) -> Self {
        Self {
            number,
            results: Arc::clone(results),
            running: Mutex::new(running),
            begun: Instant::now(),
            record: Mutex::new(record),
            stored: Mutex::new(Instant::now()),
            changed: watch::Sender::new(0),
            stop: Notify::new(),
            input,
            listeners: AtomicUsize::new(0),
            heard: Mutex::new(Instant::now()),
        }
    }

    /// The folder with its files.
    fn folder(&self) -> PathBuf {
        self.results.of_job(self.number)
    }

    /// Stores the record. A job whose record cannot be stored runs on, with a warning.
    fn store(&self) {
        *lock(&self.stored) = Instant::now();
        let record = lock(&self.record).clone();
        if let Err(error) = self.results.store(self.number, &record) {
            let note = format!("The results cannot be stored: {error}.");
            let notes = &mut lock(&self.record).view.notes;
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }

    /// Records that the job is in use.
    fn touch(&self) {
        *lock(&self.heard) = Instant::now();
    }

    pub(crate) fn view(&self) -> JobView {
        let mut shown = lock(&self.record).view.clone();
        if shown.state == JobState::Running {
            shown.seconds = self.begun.elapsed().as_secs_f64();
        }
        shown
    }

    pub(crate) fn is_running(&self) -> bool {
        lock(&self.record).view.state == JobState::Running
    }

    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Asks the job to stop. Its last output is still read.
    pub(crate) fn stop(&self) {
        self.stop.notify_one();
    }

    /// Sends a line to the job's standard input.
    pub(crate) fn tell(&self, line: &str) -> Result<(), HttpError> {
        if line.len() > MAX_INPUT || line.contains(['\n', '\r']) {
            let why = format!(
                "the line is too long, or more than one: send at most {MAX_INPUT} bytes in one line"
            );
            return Err(HttpError(StatusCode::BAD_REQUEST, why));
        }
        let Some(input) = self.input.as_ref().filter(|_| self.is_running()) else {
            return Err(conflict("the job has ended: it reads nothing any more"));
        };
        input
            .try_send(line.to_owned())
            .map_err(|_| conflict("the job does not read its input: wait, or stop it"))
    }

    /// A listener, which counts until it is dropped.
    pub(crate) fn listen(self: &Arc<Self>) -> ListenerGuard {
        self.listeners.fetch_add(1, Ordering::Relaxed);
        ListenerGuard(Arc::clone(self))
    }

    /// The path of a file that the job has written.
    pub(crate) fn file(&self, name: &str) -> Option<PathBuf> {
        let record = lock(&self.record);
        let file = record.view.files.iter().find(|file| file.name == name)?;
        Some(self.folder().join(&file.name))
    }

    /// The path of the job's picture.
    pub(crate) fn chart(&self) -> Option<PathBuf> {
        Some(self.folder().join(lock(&self.record).picture.as_ref()?))
    }

    fn change(&self, change: impl FnOnce(&mut JobView)) {
        let chart = self.chart().and_then(|path| fs::symlink_metadata(path).ok());
        let files = files_of(&self.folder());
        let mut record = lock(&self.record);
        let shown = &mut record.view;
        let was_running = shown.state == JobState::Running;
        change(shown);
        if was_running {
            shown.seconds = self.begun.elapsed().as_secs_f64();
        }
        shown.files = files;
        shown.chart = chart.map(|file| Chart { version: version(&file) });
        drop(record);
        self.changed.send_modify(|version| *version += 1);
        if lock(&self.stored).elapsed() >= BETWEEN_RECORDS {
            self.store();
        }
    }

    /// Reads all output, and passes on what the job is told; returns true if the job was asked to stop. Closing its
    /// standard input stops it.
    async fn read_output(
        &self,
        stdin: Option<tokio::process::ChildStdin>,
        mut told: mpsc::Receiver<String>,
        stdout: impl AsyncRead + Unpin,
    ) -> bool {
        let mut stdin = stdin;
        // After a request to stop, the time until which output is read.
        let mut until: Option<tokio::time::Instant> = None;
        let mut lines = BufReader::new(stdout);
        let mut line = Vec::new();
        loop {
            tokio::select! {
                Some(told) = told.recv(), if stdin.is_some() => {
                    if let Some(stdin) = &mut stdin {
                        // A job that has ended reads nothing; its output tells why.
                        let _ = stdin.write_all(format!("{told}\n").as_bytes()).await;
                    }
                }
                read = next_line(&mut lines, &mut line) => {
                    if !matches!(read, Ok(true)) {
                        return until.is_some();
                    }
                    if let Ok(told) = serde_json::from_slice::<OutputLine>(&line) {
                        self.change(|shown| shown.apply(told));
                    }
                    line.clear();
                }
                () = self.stop.notified(), if until.is_none() => {
                    drop(stdin.take());
                    until = Some(tokio::time::Instant::now() + EXIT_TIMEOUT);
                }
                () = passed(until) => return true,
            }
        }
    }

    /// Stops the job once nobody has listened for a while.
    async fn stop_without_listeners(self: Arc<Self>) {
        while self.is_running() {
            tokio::time::sleep(UNWATCHED_TIMEOUT / 15).await;
            if self.listeners.load(Ordering::Relaxed) > 0 {
                self.touch();
            } else if lock(&self.heard).elapsed() >= UNWATCHED_TIMEOUT {
                return self.stop();
            }
        }
    }
}

/// Waits until a time, or forever if there is none.
async fn passed(until: Option<tokio::time::Instant>) {
    match until {
        Some(until) => tokio::time::sleep_until(until).await,
        None => std::future::pending().await,
    }
}

/// A listener of a job.
pub(crate) struct ListenerGuard(Arc<Job>);

impl ListenerGuard {
    pub(crate) fn job(&self) -> &Job {
        &self.0
    }
}

impl Drop for ListenerGuard {
    fn drop(&mut self) {
        self.0.listeners.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Reads the next line; returns false if there are no more. It is safe to cancel: the bytes read so far
/// stay in `line`.
async fn next_line(
    lines: &mut (impl AsyncBufReadExt + Unpin),
    line: &mut Vec<u8>,
) -> std::io::Result<bool> {
    let room = MAX_LINE.saturating_sub(line.len() as u64);
    let read = lines.take(room).read_until(b'\n', line).await?;
    Ok(read > 0)
}

/// The end of a program's standard error.
async fn last_words(stderr: impl AsyncRead + Unpin) -> String {
    const KEPT: usize = 2_000;
    let (mut stderr, mut kept) = (BufReader::new(stderr), Vec::new());
    let mut part = [0; 1024];
    while let Ok(read @ 1..) = stderr.read(&mut part).await {
        kept.extend_from_slice(&part[..read]);
        let surplus = kept.len().saturating_sub(KEPT);
        kept.drain(..surplus);
    }
    String::from_utf8_lossy(&kept).into_owned()
}

/// A name that people gave, without spaces around it.
fn checked_name(name: &str) -> Result<&str, HttpError> {
    let name = name.trim();
    let why = match name.chars().count() {
        0 => "the name is empty: write one".into(),
        letters if letters > MAX_NAME => {
            format!("the name has {letters} characters: write at most {MAX_NAME}")
        }
        _ if name.chars().any(char::is_control) => {
            "the name has characters that cannot be shown: leave them out".into()
        }
        _ => return Ok(name),
    };
    Err(HttpError(StatusCode::BAD_REQUEST, why))
}

/// The name, with a number behind it if another job has it.
fn unlike(name: &str, others: impl Iterator<Item = String>) -> String {
    let others: Vec<String> = others.collect();
    let numbered = (2..).map(|number| format!("{name} ({number})"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !others.contains(name)).expect("there are more names than jobs")
}

fn conflict(why: &str) -> HttpError {
    HttpError(StatusCode::CONFLICT, why.into())
}

fn undeleted(path: &Path, error: &std::io::Error) -> HttpError {
    let why = format!("{} cannot be deleted: {error}", path.display());
    HttpError(StatusCode::INTERNAL_SERVER_ERROR, why)
}

/// A number that changes when a file is rewritten.
fn version(file: &fs::Metadata) -> u64 {
    let written = file.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    let since = written.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_micros()).unwrap_or(u64::MAX)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
