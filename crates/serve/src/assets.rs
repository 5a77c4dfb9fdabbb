//! The files of the page, compiled in.

/// A file of the page.
pub(crate) struct Asset {
    /// The path in this crate: `page/...` for the page, `lesson/...` for the other files of a lesson.
    pub(crate) name: &'static str,
    pub(crate) bytes: &'static [u8],
    /// The content, compressed with gzip.
    #[cfg(feature = "server")]
    pub(crate) gzipped: &'static [u8],
    /// A checksum of the content.
    #[cfg(feature = "server")]
    pub(crate) sum: u64,
}

include!(concat!(env!("OUT_DIR"), "/assets.rs"));

impl Asset {
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        ASSETS.iter().find(|asset| asset.name == name)
    }

    /// The media type.
    #[cfg(feature = "server")]
    pub(crate) fn media_type(&self) -> &'static str {
        match self.name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("html") => "text/html; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("svg") => "image/svg+xml",
            Some("woff2") => "font/woff2",
            _ => "application/octet-stream",
        }
    }
}

/// The text of a file that is compiled in, such as `page/board.js` or `lesson/lesson.css`.
///
/// ```
/// assert!(lucena_serve::part("page/board.js").is_some_and(|code| code.contains("class Board")));
/// assert_eq!(lucena_serve::part("page/nothing.js"), None);
/// ```
pub fn part(name: &str) -> Option<&'static str> {
    str::from_utf8(Asset::named(name)?.bytes).ok()
}
