//! Lists the files of the page for the crate to compile in.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let mut files = Vec::new();
    for folder in ["page", "lesson"].map(|name| root.join(name)) {
        println!("cargo::rerun-if-changed={}", folder.display());
        collect(&folder, &mut files)?;
    }
    files.sort();
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let mut text = String::from("pub(crate) const ASSETS: &[Asset] = &[\n");
    for path in &files {
        let name: Vec<_> = path
            .strip_prefix(&root)
            .expect("it lies below")
            .components()
            .map(|part| part.as_os_str().to_string_lossy())
            .collect();
        let _ =
            write!(text, "Asset {{ name: {:?}, bytes: include_bytes!({path:?})", name.join("/"));
        #[cfg(feature = "server")]
        {
            let bytes = fs::read(path)?;
            let small = out.join(format!("{}.gz", name.join("_")));
            fs::write(&small, server::gzipped(&bytes)?)?;
            let sum = server::sum(&bytes);
            let _ = write!(text, ", gzipped: include_bytes!({small:?}), sum: {sum}");
        }
        text += " },\n";
    }
    text += "];\n";
    fs::write(out.join("assets.rs"), text)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// The parts of a file that only the server sends.
#[cfg(feature = "server")]
mod server {
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::{self, Write};

    pub(super) fn gzipped(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes)?;
        encoder.finish()
    }

    /// The checksum of a file: the FNV-1a hash.
    pub(super) fn sum(bytes: &[u8]) -> u64 {
        let step = |sum: u64, &byte: &u8| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
    }
}
