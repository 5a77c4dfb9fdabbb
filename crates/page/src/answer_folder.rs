//! A folder beside the tables for answers that take long to find.

use lucena_files::{make_folder, write_file};
use serde::Serialize;
use serde::de::IgnoredAny;
use std::fs;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use tracing::warn;

/// An answer as the JSON of its body.
pub(super) struct JsonAnswer<T> {
    pub(super) body: Vec<u8>,
    answer: PhantomData<T>,
}

/// The folder of the answers, and a name for this build of the program. Without them, nothing is kept.
#[derive(Default)]
pub(super) struct AnswerFolder(Option<(PathBuf, String)>);

impl<T: Serialize> JsonAnswer<T> {
    /// An answer as JSON.
    pub(super) fn new(answer: &T) -> Self {
        let body = serde_json::to_vec(answer).expect("texts and numbers become JSON");
        Self { body, answer: PhantomData }
    }
}

impl AnswerFolder {
    /// The answers in a folder of the folder of tables.
    pub(super) fn beside(tables: Option<&Path>, build: &str) -> Self {
        Self(tables.map(|tables| (tables.join("answers"), build.to_owned())))
    }

    /// The answer to a question, which is found if it is not kept. The question is what its name begins with; `what` is
    /// what the answer depends on besides.
    pub(super) fn get<T: Serialize, E>(
        &self,
        question: &str,
        what: &str,
        find: impl FnOnce() -> Result<T, E>,
    ) -> Result<JsonAnswer<T>, E> {
        let Some((folder, build)) = &self.0 else { return Ok(JsonAnswer::new(&find()?)) };
        let path = folder.join(format!("{question}-{what}-{build}.json"));
        // A file that was damaged is written again.
        let kept = fs::read(&path).ok();
        let kept = kept.filter(|body| serde_json::from_slice::<IgnoredAny>(body).is_ok());
        if let Some(body) = kept {
            return Ok(JsonAnswer { body, answer: PhantomData });
        }
        let answer = JsonAnswer::new(&find()?);
        keep(folder, question, &path, &answer.body);
        Ok(answer)
    }
}

/// Writes an answer, and removes those of other builds to the same question.
fn keep(folder: &Path, question: &str, path: &Path, body: &[u8]) {
    let outdated = fs::read_dir(folder).into_iter().flatten().flatten().filter(|entry| {
        let name = entry.file_name();
        name.to_str().is_some_and(|name| name.starts_with(&format!("{question}-")))
    });
    outdated.for_each(|entry| drop(fs::remove_file(entry.path())));
    if let Err(error) = make_folder(folder).and_then(|()| write_file(path, body).map(drop)) {
        warn!(target: "lucena::page::answer_folder", %error, "an answer is not kept");
    }
}
