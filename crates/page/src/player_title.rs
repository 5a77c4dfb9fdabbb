//! The titles of players.

use lucena_roster::PlayerName;

/// The title of a player: the name of its file without folder and extension.
pub(super) fn title(name: &PlayerName) -> String {
    let text = name.to_string();
    // A player without a file keeps its name.
    let Some((_, path)) = text.rsplit_once(['=', ':']) else { return text };
    let path = std::path::Path::new(path);
    path.file_stem().map_or_else(|| text.clone(), |stem| stem.to_string_lossy().into_owned())
}
