//! The files of the page, compiled in.

/// A file of the page.
pub(crate) struct Asset {
    /// Its path below `/page/`.
    pub(crate) name: &'static str,
    pub(crate) bytes: &'static [u8],
    /// Another number where the file is another one.
    pub(crate) sum: u64,
}

include!(concat!(env!("OUT_DIR"), "/assets.rs"));

impl Asset {
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        ASSETS.iter().find(|asset| asset.name == name)
    }

    /// What kind of data it is.
    pub(crate) fn media_type(&self) -> &'static str {
        match self.name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("html") => "text/html; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("svg") => "image/svg+xml",
            _ => "application/octet-stream",
        }
    }
}
