use super::output::{check_outputs, write, write_out};
use super::{Failure, Result, one_of};
use lucena::chess::Material;
use lucena::named::Named;
use lucena_codegen::EngineEndgames;
use lucena_files::{check_folder, make_folder};
use std::path::{Path, PathBuf};

/// Write source code that plays endgames exactly, for other engines to include
///
/// The source has less than 32 KB and needs no files. It fills a table in memory when an endgame is first looked up, and
/// then tells the outcome, the distance to mate in plies and the best move. Endgames that captures and promotions lead to
/// are included. The C header is C++ as well; the code in Rust needs only core.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena emit-engine KRvK,KQvK,KPvK --out lucena_endgames.h
  lucena emit-engine KBNvK --format rust > lucena_endgames.rs
  lucena emit-engine KRvK,KQvK,KPvK,KBBvK,KBNvK,KQvKR --crate lucena-endgames")]
pub(super) struct EmitEngine {
    /// The endgames, of up to four men, separated by commas; at most one side has a pawn
    #[arg(value_name = "MATERIALS", value_delimiter = ',', required = true)]
    materials: Vec<Material>,
    /// The language: c, a header with the implementation, or rust, a file for mod or include!
    #[arg(long, default_value = "c", value_parser = one_of::<Format>())]
    format: Format,
    /// Write it to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write a Rust crate into a folder: Cargo.toml and src/lib.rs
    #[arg(long = "crate", value_name = "DIR", conflicts_with_all = ["format", "out"])]
    folder: Option<PathBuf>,
}

/// The language of the code.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    C,
    Rust,
}

impl Named for Format {
    const ALL: &'static [(&'static str, Self)] = &[("c", Self::C), ("rust", Self::Rust)];
}

impl EmitEngine {
    pub(super) fn run(self) -> Result<()> {
        let endgames = EngineEndgames::new(&self.materials)?;
        if let Some(folder) = &self.folder {
            return write_crate(folder, &endgames);
        }
        check_outputs(&[("--out", self.out.as_deref())])?;
        let source = match self.format {
            Format::C => endgames.to_c(),
            Format::Rust => endgames.to_rust_module(),
        };
        write_out(self.out.as_deref(), source.as_bytes())
    }
}

/// Writes a crate into a folder. A crate of another name is never replaced.
fn write_crate(folder: &Path, endgames: &EngineEndgames) -> Result<()> {
    check_folder(folder)?;
    let (manifest, source) = (folder.join("Cargo.toml"), folder.join("src"));
    let is_own = |text: String| text.contains(&format!("name = {:?}", EngineEndgames::CRATE));
    if manifest.exists() && !std::fs::read_to_string(&manifest).is_ok_and(is_own) {
        return Err(Failure::usage(format!(
            "{} is another crate: name a folder of its own with --crate DIR",
            folder.display()
        )));
    }
    make_folder(&source)?;
    write(&source.join("lib.rs"), endgames.to_rust().as_bytes())?;
    Ok(write(&manifest, endgames.to_cargo().as_bytes())?)
}
