//! Jobs: how they start, report, stop and are forgotten.

use super::job_view::{Chart, File, JobState, JobView};
use super::refusal::HttpError;
use crate::Site;
use crate::job::{JobPlan, OutputLine};
use axum::http::StatusCode;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, BufReader};
use tokio::process::Command;
use tokio::sync::{Notify, watch};

/// The most jobs that run at a time.
const MOST_RUNNING: usize = 2;

/// The most jobs that are kept after their end, the latest ones.
const MOST_KEPT: usize = 30;

/// The time after which a job without listeners is stopped.
const UNHEARD: Duration = Duration::from_secs(15);

/// The time that a stopping job has for its report.
const LAST_WORDS: Duration = Duration::from_secs(20);

/// The time that jobs have to stop when the server ends.
const FAREWELL: Duration = Duration::from_secs(4);

/// The longest line of a job's output.
const LONGEST_LINE: u64 = 1 << 24;

pub(crate) struct Jobs {
    site: Arc<dyn Site>,
    program: PathBuf,
    /// The folder that has a folder for each job.
    folder: PathBuf,
    next: AtomicU64,
    all: Mutex<BTreeMap<u64, Arc<Job>>>,
}

/// A job and its output so far.
pub(crate) struct Job {
    number: u64,
    folder: PathBuf,
    plan: JobPlan,
    begun: Instant,
    shown: Mutex<JobView>,
    /// The number of changes so far.
    changed: watch::Sender<u64>,
    stop: Notify,
    listeners: AtomicUsize,
    /// The time of the last request for it.
    heard: Mutex<Instant>,
}

impl Jobs {
    pub(crate) fn new(site: Arc<dyn Site>, program: PathBuf, folder: PathBuf) -> Self {
        Self { site, program, folder, next: AtomicU64::new(1), all: Mutex::default() }
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
        // The lock is held until the job is in the map, so that no more than [`MOST_RUNNING`] start at
        // once.
        let mut all = lock(&self.all);
        let running = all.values().filter(|job| job.is_running()).count();
        if running >= MOST_RUNNING {
            let why = format!(
                "{running} jobs are running, and no more run at a time: stop one, or wait for its end"
            );
            return Err(HttpError(StatusCode::TOO_MANY_REQUESTS, why));
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let folder = self.folder.join(number.to_string());
        let plan = self.site.plan(verb, &fields, &folder);
        let plan = plan.map_err(|why| HttpError(StatusCode::BAD_REQUEST, why))?;
        fs::create_dir(&folder).map_err(broken)?;
        let mut child = Command::new(&self.program)
            .args(&plan.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(broken)?;
        let shown = JobView {
            id: number.to_string(),
            verb: verb.into(),
            title: plan.title.clone(),
            command: plan.command.clone(),
            fields,
            ..JobView::default()
        };
        let job = Arc::new(Job {
            number,
            folder,
            plan,
            begun: Instant::now(),
            shown: Mutex::new(shown),
            changed: watch::Sender::new(0),
            stop: Notify::new(),
            listeners: AtomicUsize::new(0),
            heard: Mutex::new(Instant::now()),
        });
        all.insert(number, Arc::clone(&job));
        drop(all);
        self.forget_old();
        tokio::spawn(Arc::clone(&job).stop_without_listeners());
        let (jobs, running) = (Arc::clone(self), Arc::clone(&job));
        tokio::spawn(async move {
            let stdin = child.stdin.take();
            let stdout = child.stdout.take().expect("it is piped");
            let stderr = child.stderr.take().expect("it is piped");
            let said = tokio::spawn(last_words(stderr));
            let is_stopped = running.read_output(stdin, stdout).await;
            let ended = tokio::time::timeout(LAST_WORDS, child.wait()).await;
            let succeeded = matches!(&ended, Ok(Ok(status)) if status.success());
            drop(child);
            let said = said.await.unwrap_or_default();
            jobs.end(&running, is_stopped, succeeded, &said);
        });
        Ok(job)
    }

    /// Records the end of a job.
    fn end(&self, job: &Job, is_stopped: bool, succeeded: bool, said: &str) {
        let player = job.plan.player.as_ref().filter(|(_, file)| job.folder.join(file).is_file());
        let player =
            player.map(|(kind, file)| format!("{kind}:{}", job.folder.join(file).display()));
        if let Some(player) = &player {
            self.site.offer(player);
        }
        job.change(|shown| {
            shown.player = player;
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
    }

    /// Forgets a job that has ended; returns true if it had ended.
    pub(crate) fn forget(&self, job: &Job) -> bool {
        if job.is_running() {
            return false;
        }
        lock(&self.all).remove(&job.number);
        if let Some(player) = &lock(&job.shown).player {
            self.site.withdraw(player);
        }
        // Files that cannot be deleted now go with the folder of all jobs.
        let _ = fs::remove_dir_all(&job.folder);
        true
    }

    /// Asks all jobs to stop, and waits for their end, but not for long.
    pub(crate) async fn end_all(&self) {
        let running: Vec<_> = self.all().into_iter().filter(|job| job.is_running()).collect();
        running.iter().for_each(|job| job.stop());
        let begun = Instant::now();
        while running.iter().any(|job| job.is_running()) && begun.elapsed() < FAREWELL {
            tokio::time::sleep(FAREWELL / 200).await;
        }
    }

    fn forget_old(&self) {
        let ended: Vec<_> = self.all().into_iter().filter(|job| !job.is_running()).collect();
        let old = ended.len().saturating_sub(MOST_KEPT);
        for job in &ended[..old] {
            self.forget(job);
        }
    }
}

impl Job {
    /// Records that the job is in use.
    fn touch(&self) {
        *lock(&self.heard) = Instant::now();
    }

    pub(crate) fn view(&self) -> JobView {
        let mut shown = lock(&self.shown).clone();
        if shown.state == JobState::Running {
            shown.seconds = self.begun.elapsed().as_secs_f64();
        }
        shown
    }

    pub(crate) fn is_running(&self) -> bool {
        lock(&self.shown).state == JobState::Running
    }

    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Asks the job to stop. Its last output is still read.
    pub(crate) fn stop(&self) {
        self.stop.notify_one();
    }

    /// A listener, which counts until it is dropped.
    pub(crate) fn listen(self: &Arc<Self>) -> ListenerGuard {
        self.listeners.fetch_add(1, Ordering::Relaxed);
        ListenerGuard(Arc::clone(self))
    }

    /// The path of a file that the job has written.
    pub(crate) fn file(&self, name: &str) -> Option<PathBuf> {
        let shown = lock(&self.shown);
        let file = shown.files.iter().find(|file| file.name == name)?;
        Some(self.folder.join(&file.name))
    }

    /// The path of the job's picture.
    pub(crate) fn chart(&self) -> Option<PathBuf> {
        Some(self.folder.join(self.plan.chart.as_ref()?))
    }

    fn change(&self, change: impl FnOnce(&mut JobView)) {
        let mut shown = lock(&self.shown);
        change(&mut shown);
        shown.seconds = self.begun.elapsed().as_secs_f64();
        shown.files = files(&self.folder);
        let chart = self.chart().and_then(|path| fs::metadata(path).ok());
        shown.chart = chart.map(|file| Chart { version: version(&file) });
        drop(shown);
        self.changed.send_modify(|version| *version += 1);
    }

    /// Reads all output; returns true if the job was asked to stop. Closing its standard input stops it.
    async fn read_output(
        &self,
        stdin: Option<tokio::process::ChildStdin>,
        stdout: impl AsyncRead + Unpin,
    ) -> bool {
        let mut stdin = stdin;
        // After a request to stop, the time until which output is read.
        let mut until: Option<tokio::time::Instant> = None;
        let mut lines = BufReader::new(stdout);
        let mut line = Vec::new();
        loop {
            tokio::select! {
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
                    until = Some(tokio::time::Instant::now() + LAST_WORDS);
                }
                () = passed(until) => return true,
            }
        }
    }

    /// Stops the job once nobody has listened for a while.
    async fn stop_without_listeners(self: Arc<Self>) {
        while self.is_running() {
            tokio::time::sleep(UNHEARD / 15).await;
            if self.listeners.load(Ordering::Relaxed) > 0 {
                self.touch();
            } else if lock(&self.heard).elapsed() >= UNHEARD {
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
    let room = LONGEST_LINE.saturating_sub(line.len() as u64);
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

/// The files of a folder, sorted by name, without unfinished ones, whose names begin with a dot.
fn files(folder: &Path) -> Vec<File> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<File> = entries
        .filter_map(|entry| {
            let (name, file) = (entry.file_name().into_string().ok()?, entry.metadata().ok()?);
            (file.is_file() && !name.starts_with('.')).then_some(File { name, bytes: file.len() })
        })
        .collect();
    files.sort_by(|one, other| one.name.cmp(&other.name));
    files
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
