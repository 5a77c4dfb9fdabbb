//! The version of lucena.

/// The version, and the commit that it was built from, if known.
pub(super) fn version() -> String {
    let version = env!("CARGO_PKG_VERSION");
    match option_env!("COMMIT_BUILT_FROM") {
        Some(commit) => format!("{version} ({commit})"),
        None => version.to_owned(),
    }
}
