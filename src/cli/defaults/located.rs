//! Paths in files of defaults: relative ones count from the folder of the file, and `~` is the home folder. Those of
//! other users are refused.

use clap::Arg;
use lucena::roster::{EvaluationName, PlayerName};
use std::any::TypeId;
use std::env::{join_paths, split_paths};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The values of an option as they stand in a file in this folder, with the paths in them made absolute.
pub(super) fn located(argument: &Arg, values: &[String], folder: &Path) -> Vec<String> {
    if is_folder_list(argument) {
        let folders = values.iter().flat_map(|value| split_paths(value).collect::<Vec<_>>());
        let folders = folders.map(|path| absolute(&path, folder));
        return join_paths(folders).map_or_else(|_| values.to_vec(), |all| vec![text(all)]);
    }
    let is_word = |value: &str| value.is_empty() || value == "-" || is_word_of(argument, value);
    let located = |value: &String| match () {
        () if is_word(value) => value.clone(),
        () if argument.get_long() == Some("engine") => engine_in(value, folder),
        () if is_of::<PathBuf>(argument) => text(absolute(Path::new(value), folder)),
        () if is_of::<PlayerName>(argument) => located_in(value, folder, file_of),
        () if is_of::<EvaluationName>(argument) => {
            located_in(value, folder, |name| file_of(&format!("search:depth=1,eval={name}")))
        }
        () => value.clone(),
    };
    values.iter().map(located).collect()
}

/// The file in the name of a player.
fn file_of(player: &str) -> Option<PathBuf> {
    Some(player.parse::<PlayerName>().ok()?.file()?.to_path_buf())
}

/// Returns true if the value of an option is a list of folders, separated as in PATH.
pub(super) fn is_folder_list(argument: &Arg) -> bool {
    is_of::<OsString>(argument)
}

fn is_of<T: 'static>(argument: &Arg) -> bool {
    argument.get_value_parser().type_id() == TypeId::of::<T>()
}

/// Returns true if an option takes a word in place of a file, as in `FILE|published`.
fn is_word_of(argument: &Arg, value: &str) -> bool {
    let mut names = argument.get_value_names().unwrap_or_default().iter();
    names.any(|name| name.split('|').skip(1).any(|word| word == value))
}

/// Makes the path in the name of a player or an evaluation absolute; `file` finds it.
fn located_in(name: &str, folder: &Path, file: impl Fn(&str) -> Option<PathBuf>) -> String {
    let replaced = || {
        let path = file(name)?;
        let (old, new) = (path.to_str()?, absolute(&path, folder));
        let places = name.rmatch_indices(old);
        let mut names = places.map(|(at, _)| {
            let (before, after) = (&name[..at], &name[at + old.len()..]);
            format!("{before}{}{after}", new.display())
        });
        names.find(|name| file(name).is_some_and(|found| found == new))
    };
    replaced().unwrap_or_else(|| name.to_owned())
}

/// Makes the paths in the settings of an engine absolute: its working directory, and its program unless that is a bare
/// name, which stands for one of the programs that are installed.
fn engine_in(engine: &str, folder: &Path) -> String {
    let Some(settings) = shlex::split(engine) else { return engine.to_owned() };
    let located = settings.iter().map(|setting| match setting.split_once('=') {
        Some((key @ ("cmd" | "dir"), path))
            if key == "dir" || Path::new(path).components().nth(1).is_some() =>
        {
            format!("{key}={}", text(absolute(Path::new(path), folder)))
        }
        _ => setting.clone(),
    });
    let located: Vec<String> = located.collect();
    let words = located.iter().map(String::as_str);
    shlex::try_join(words).unwrap_or_else(|_| engine.to_owned())
}

/// Returns true if an argument takes paths, and one of its values begins with the home folder of another user.
pub(super) fn is_in_other_home(argument: &Arg, values: &[String]) -> bool {
    let is_other = |path: &Path| {
        let first = path.components().next().map(|first| first.as_os_str().to_string_lossy());
        first.is_some_and(|first| first.len() > 1 && first.starts_with('~'))
    };
    values.iter().any(|value| match is_folder_list(argument) {
        true => split_paths(value).any(|path| is_other(&path)),
        false => is_of::<PathBuf>(argument) && is_other(Path::new(value)),
    })
}

fn absolute(path: &Path, folder: &Path) -> PathBuf {
    match path.strip_prefix("~") {
        Ok(below) => etcetera::home_dir().map_or_else(|_| path.into(), |home| home.join(below)),
        Err(_) => folder.join(path),
    }
}

fn text(path: impl Into<OsString>) -> String {
    path.into().to_string_lossy().into_owned()
}
