//! Passes the commit that the program is built from to the compiler, for `lucena --version`, and has the program linked
//! so that it starts quickly.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    // Only these affect the build, so a commit alone does not trigger a rebuild. `data` and `generated`
    // are left out because the program itself writes there. A package has no members beside it.
    let members = ["codegen", "crates"];
    let inputs = ["build.rs", "src", "Cargo.toml", "Cargo.lock"].into_iter().chain(members);
    for path in inputs.filter(|path| Path::new(path).exists()) {
        println!("cargo::rerun-if-changed={path}");
    }
    if let Some(commit) = commit() {
        println!("cargo::rustc-env=COMMIT_BUILT_FROM={commit}");
    }
    if has_fixed_place() {
        println!("cargo::rustc-link-arg-bin=lucena=-no-pie");
    }
}

/// Returns true if the program is linked for a fixed place in memory. Otherwise the system must correct its hundred
/// thousand pointers at every start, which takes as long as a whole `lucena probe`. Elsewhere linkers do not know the
/// option, or link all programs alike.
fn has_fixed_place() -> bool {
    let target = |of: &str| env::var(format!("CARGO_CFG_TARGET_{of}")).unwrap_or_default();
    target("OS") == "linux" && target("ENV") == "gnu"
}

/// The commit with its date, and a note if the source has changed since; `None` outside a checkout.
fn commit() -> Option<String> {
    let root = env::var("CARGO_MANIFEST_DIR").ok()?;
    // A package unpacked within another project's checkout does not belong to that project.
    let checkout = git(&root, &["rev-parse", "--show-toplevel"])?;
    if Path::new(&checkout).canonicalize().ok()? != Path::new(&root).canonicalize().ok()? {
        return None;
    }
    let commit = git(&root, &["log", "-1", "--format=%h %cs"])?;
    let changes = git(&root, &["status", "--porcelain", "--untracked-files=no"])?;
    Some(if changes.is_empty() { commit } else { format!("{commit}, changed since") })
}

/// Runs git and returns its trimmed output; `None` if it fails.
fn git(root: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(root).args(arguments).output().ok()?;
    let answer = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| answer.trim().to_owned())
}
