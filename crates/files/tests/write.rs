//! Writing files: completely or not at all, never without need, and with a message if it fails.

use lucena_files::{
    TemporaryFolder, WriteError, WriteOutcome, add_folder, check_folder, check_writable,
    is_same_file, is_standard_output, is_stream, update_file, write_file, write_file_with,
    write_folder_with,
};
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Writes a file at once, or in pieces.
type WriteFn = fn(&Path, &[u8]) -> Result<WriteOutcome, WriteError>;

/// Both ways of writing a file must give the same result.
const WAYS: [WriteFn; 2] = [write_file, in_pieces];

fn in_pieces(path: &Path, content: &[u8]) -> Result<WriteOutcome, WriteError> {
    let pieces =
        |file: &mut dyn Write| content.chunks(3).try_for_each(|piece| file.write_all(piece));
    write_file_with(path, pieces)
}

/// The names in a folder: no temporary file may be left.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn files_are_made_and_replaced() {
    let many = vec![b'x'; 100_000];
    for write in WAYS {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for content in [&b"one"[..], b"two", b"", b"longer than before", &many] {
            assert_eq!(write(&path, content).unwrap(), WriteOutcome::Changed);
            assert_eq!(fs::read(&path).unwrap(), content);
            assert_eq!(names(folder.path()), ["file"]);
        }
    }
}

#[test]
fn a_file_that_would_not_change_is_not_touched() {
    let same = vec![b'x'; 100_000];
    let mut other = same.clone();
    other[99_999] = b'y';
    for write in WAYS {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        write(&path, &same).unwrap();
        let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(long_ago).unwrap();
        drop(file);
        assert_eq!(write(&path, &same).unwrap(), WriteOutcome::Unchanged);
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), long_ago);
        assert_eq!(names(folder.path()), ["file"]);
        assert_eq!(write(&path, &other).unwrap(), WriteOutcome::Changed);
        assert_ne!(fs::metadata(&path).unwrap().modified().unwrap(), long_ago);
        assert_eq!(fs::read(&path).unwrap(), other);
    }
}

#[test]
fn what_breaks_off_leaves_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    write_file(&path, b"old").unwrap();
    let broken = |file: &mut dyn Write| {
        file.write_all(b"new")?;
        Err(io::ErrorKind::Other.into())
    };
    let error = write_file_with(&path, broken).expect_err("it breaks off");
    assert_eq!(error.source.kind(), ErrorKind::Other);
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(names(folder.path()), ["file"]);
}

/// The kind of an error and its message, which names the file.
fn refused(path: &Path) -> (ErrorKind, String) {
    let [at_once, in_pieces] = WAYS.map(|write| {
        let error = write(path, b"new").expect_err("it cannot be written");
        assert_eq!(error.path, path);
        let message = error.to_string();
        assert!(message.contains(&path.display().to_string()), "{message}");
        (error.source.kind(), message)
    });
    assert_eq!(at_once, in_pieces);
    at_once
}

#[test]
fn a_directory_is_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let (kind, message) = refused(folder.path());
    assert_eq!(kind, ErrorKind::IsADirectory);
    assert!(message.contains("directory"), "{message}");
}

#[test]
fn a_missing_folder_is_not_made() {
    let folder = tempfile::tempdir().unwrap();
    let (kind, message) = refused(&folder.path().join("missing").join("file"));
    assert_eq!(kind, ErrorKind::NotFound);
    assert!(message.contains("directory does not exist"), "{message}");
    assert!(names(folder.path()).is_empty());
}

#[test]
fn a_file_is_no_folder() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, b"old").unwrap();
    let (kind, message) = refused(&file.join("inside"));
    assert_eq!(kind, ErrorKind::NotADirectory);
    assert!(message.contains("not a directory"), "{message}");
    assert_eq!(fs::read(&file).unwrap(), b"old");
}

#[test]
fn an_empty_path_is_refused() {
    refused(Path::new(""));
}

#[cfg(unix)]
mod unix {
    use super::{WAYS, fs, names, refused};
    use lucena_files::{WriteOutcome, write_file};
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};

    #[test]
    fn links_are_followed() {
        for write in WAYS {
            let folder = tempfile::tempdir().unwrap();
            let [file, link] = ["file", "link"].map(|name| folder.path().join(name));
            fs::write(&file, b"old").unwrap();
            symlink("file", &link).unwrap();
            assert_eq!(write(&link, b"new").unwrap(), WriteOutcome::Changed);
            assert_eq!(fs::read(&file).unwrap(), b"new");
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink(), "the link is still one");
            assert_eq!(write(&link, b"new").unwrap(), WriteOutcome::Unchanged);
            assert_eq!(names(folder.path()), ["file", "link"]);
        }
    }

    #[test]
    fn permissions_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, b"old").unwrap();
        for mode in [0o600, 0o640, 0o755] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            for (number, write) in WAYS.into_iter().enumerate() {
                write(&path, format!("{mode} {number}").as_bytes()).unwrap();
                assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode);
            }
        }
    }

    #[test]
    fn new_files_have_the_usual_permissions() {
        let folder = tempfile::tempdir().unwrap();
        let [ours, usual] = ["ours", "usual"].map(|name| folder.path().join(name));
        write_file(&ours, b"x").unwrap();
        fs::write(&usual, b"x").unwrap();
        let mode = |path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&ours), mode(&usual));
    }

    /// As on a full disk or in a read-only folder: no temporary file can be made, and the old file
    /// stays. The superuser may write anywhere, and then the file is written completely.
    #[test]
    fn what_cannot_be_replaced_stays_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, b"old").unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
        let written = write_file(&path, b"new");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let expected: &[u8] = if written.is_ok() { b"new" } else { b"old" };
        assert_eq!(fs::read(&path).unwrap(), expected);
        assert_eq!(names(folder.path()), ["file"]);
        if let Err(error) = written {
            assert_eq!(error.source.kind(), std::io::ErrorKind::PermissionDenied);
        }
    }

    /// Always full, and not a regular file.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_told() {
        let full = std::path::Path::new("/dev/full");
        let (kind, message) = refused(full);
        assert_eq!(kind, std::io::ErrorKind::StorageFull);
        assert!(message.contains("full"), "{message}");
        assert!(fs::metadata(full).unwrap().file_type().is_char_device(), "it is still a device");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_are_written_to() {
        let null = std::path::Path::new("/dev/null");
        for write in WAYS {
            assert_eq!(write(null, b"gone").unwrap(), WriteOutcome::Changed);
        }
        assert!(fs::metadata(null).unwrap().file_type().is_char_device());
    }
}

#[test]
fn folders_are_written_whole_or_not_at_all() {
    let outside = tempfile::tempdir().unwrap();
    let path = outside.path().join("folder");
    let broken = |folder: &Path| -> io::Result<()> {
        fs::create_dir(folder.join("inner"))?;
        fs::write(folder.join("inner/file"), "half")?;
        Err(io::ErrorKind::StorageFull.into())
    };
    let error = write_folder_with(&path, broken).expect_err("it breaks off");
    assert!(error.to_string().contains("the disk is full"), "{error}");
    assert_eq!(names(outside.path()), [""; 0]);
    let whole = |folder: &Path| {
        assert!(!path.exists(), "nobody sees what is not whole");
        fs::create_dir(folder.join("inner"))?;
        fs::write(folder.join("inner/file"), "whole")
    };
    write_folder_with(&path, whole).unwrap();
    assert_eq!(names(outside.path()), ["folder"]);
    assert_eq!(fs::read(path.join("inner/file")).unwrap(), b"whole");
    let error = write_folder_with(&path, |_| Ok(())).expect_err("it is there");
    assert!(error.to_string().contains("it is there already; remove it first"), "{error}");
    assert_eq!(names(&path), ["inner"]);
}

/// A killed program holds no lock on its leftovers; a running one does.
#[test]
#[cfg(target_os = "linux")]
fn unfinished_folders_of_killed_programs_are_taken_away() {
    let outside = tempfile::tempdir().unwrap();
    let left = outside.path().join(".lucena-abc.part");
    fs::create_dir_all(left.join("inner")).unwrap();
    fs::write(left.join("inner/file"), "half").unwrap();
    let path = outside.path().join("folder");
    write_folder_with(&path, |folder| {
        assert!(!left.exists());
        let own = folder.file_name().expect("a name").to_string_lossy().into_owned();
        lucena_files::remove_abandoned(outside.path());
        assert_eq!(names(outside.path()), [own], "it is in the making");
        Ok(())
    })
    .unwrap();
    assert_eq!(names(outside.path()), ["folder"]);
}

/// A folder that another process holds is left alone; what nobody holds is removed.
#[test]
#[cfg(target_os = "linux")]
fn temporary_folders_of_killed_programs_are_taken_away() {
    let prefix = format!("lucena-files-test-{}-", std::process::id());
    let left = std::env::temp_dir().join(format!("{prefix}left"));
    fs::create_dir_all(left.join("inner")).unwrap();
    let file = left.with_file_name(format!("{prefix}file"));
    fs::write(&file, "a file is no temporary folder").unwrap();
    let first = TemporaryFolder::new(&prefix).unwrap();
    assert!(!left.exists());
    fs::remove_file(&file).unwrap();
    let second = TemporaryFolder::new(&prefix).unwrap();
    assert!(first.path().exists() && first.path() != second.path());
    let paths = [&first, &second].map(|folder| folder.path().to_path_buf());
    drop((first, second));
    assert!(paths.iter().all(|path| !path.exists()));
}

#[test]
fn a_check_finds_what_a_write_would_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let [file, missing] = ["file", "missing"].map(|name| folder.path().join(name));
    fs::write(&file, "old").unwrap();
    for wrong in [folder.path().to_owned(), missing.join("file"), file.join("file")] {
        let [checked, written] =
            [check_writable(&wrong), write_file(&wrong, b"new").map(drop)].map(Result::unwrap_err);
        assert_eq!(checked.to_string(), written.to_string());
    }
    for right in [&file, &missing] {
        check_writable(right).unwrap();
    }
    assert_eq!(names(folder.path()), ["file"]);
    assert_eq!(fs::read(&file).unwrap(), b"old");
}

#[cfg(unix)]
#[test]
fn links_lead_to_the_same_file_even_before_it_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let [file, link, other] = ["file", "link", "other"].map(|name| folder.path().join(name));
    std::os::unix::fs::symlink("file", &link).unwrap();
    for _ in 0..2 {
        assert!(is_same_file(&file, &link));
        assert!(is_same_file(&file, &folder.path().join(".").join("file")));
        assert!(!is_same_file(&file, &other));
        write_file(&link, b"through the link").unwrap();
    }
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&file).unwrap(), b"through the link");
    let nowhere = Path::new("/dev/null");
    assert!(!is_same_file(nowhere, nowhere), "a device can be written twice");
}

#[test]
fn a_folder_is_checked_with_its_parents_and_added_without() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("one").join("two");
    check_folder(&below).unwrap();
    assert!(names(folder.path()).is_empty());
    assert_eq!(add_folder(&below).unwrap_err().source.kind(), ErrorKind::NotFound);
    for path in [folder.path().join("one"), below.clone(), below] {
        add_folder(&path).unwrap();
        check_folder(&path).unwrap();
        assert!(path.is_dir() && names(&path).is_empty());
    }
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    for (wrong, words) in [
        (file.clone(), "not a folder"),
        (file.join("one"), "not a directory"),
        ("-".into(), "standard output: - stands for it, and a folder is needed here"),
    ] {
        for error in [check_folder(&wrong), add_folder(&wrong)].map(Result::unwrap_err) {
            assert!(error.to_string().contains(words), "{error}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn standard_output_pipes_and_devices_are_streams() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink("/dev/stdout", &link).unwrap();
    let own = [Path::new("-"), Path::new("/dev/stdout"), Path::new("/dev/fd/1"), &link];
    for path in own {
        assert!(is_stream(path) && is_standard_output(path), "{}", path.display());
        assert!(own.iter().all(|other| is_same_file(path, other)));
    }
    let null = Path::new("/dev/null");
    assert!(is_stream(null) && !is_standard_output(null));
    for path in [folder.path(), &folder.path().join("-"), Path::new("./-")] {
        assert!(!is_stream(path), "{}", path.display());
    }
}

/// A pipe gets what is written at last, and its reader sees no end before that.
#[cfg(unix)]
#[test]
fn a_pipe_is_written_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe");
    make_pipe(&path);
    assert!(is_stream(&path));
    for write in WAYS {
        let reader = std::thread::spawn({
            let path = path.clone();
            move || fs::read(path).unwrap()
        });
        check_writable(&path).unwrap();
        update_file(&path, b"so far").unwrap();
        write(&path, b"whole").unwrap();
        assert_eq!(reader.join().unwrap(), b"whole");
    }
    let error = check_writable(&path).unwrap_err().to_string();
    assert!(error.contains("no program reads this pipe"), "{error}");
}

#[cfg(unix)]
fn make_pipe(path: &Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[cfg(unix)]
#[test]
fn a_pipe_under_two_names_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let [pipe, link, hard, other] =
        ["pipe", "link", "hard", "other"].map(|name| folder.path().join(name));
    make_pipe(&pipe);
    make_pipe(&other);
    std::os::unix::fs::symlink("pipe", &link).unwrap();
    fs::hard_link(&pipe, &hard).unwrap();
    for name in [&pipe, &link, &hard] {
        assert!(is_same_file(&pipe, name), "{}", name.display());
        assert!(!is_same_file(&other, name), "{}", name.display());
    }
}

/// A reader that goes away, before or while the pipe is written, is an error, and nothing waits for another one.
#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe");
    make_pipe(&path);
    for at_once in [true, false] {
        let reader = std::thread::spawn({
            let path = path.clone();
            move || fs::File::open(path).unwrap()
        });
        check_writable(&path).unwrap();
        let reader = reader.join().unwrap();
        // More than a pipe holds: the rest waits until the reader goes.
        let gone = std::thread::spawn(move || {
            if !at_once {
                std::thread::sleep(std::time::Duration::from_millis(100));
            }
            drop(reader);
        });
        if at_once {
            gone.join().unwrap();
        }
        let error = write_file(&path, &[0; 1 << 20]).unwrap_err().to_string();
        assert!(error.contains("its reader has gone away"), "{error}");
    }
}

#[test]
fn a_result_so_far_is_written_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    for content in [b"one", b"two"] {
        update_file(&path, content).unwrap();
        assert_eq!(fs::read(&path).unwrap(), content);
    }
}
