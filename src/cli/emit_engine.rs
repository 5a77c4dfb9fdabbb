use super::output::{check_outputs, write, write_out};
use super::{Result, one_of};
use lucena::chess::Material;
use lucena::named::Named;
use lucena_codegen::EngineEndgames;
use lucena_files::make_folder;
use std::path::PathBuf;

/// Write source code that plays endgames exactly, for other engines to include
///
/// The code takes a few kilobytes and needs no files. It fills a table in memory when an endgame is first looked up, and
/// then tells the outcome, the distance to mate in plies and the best move. Endgames that captures and promotions lead to
/// are included. The C header is C++ as well; the crate is no_std.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena emit-engine KRvK,KQvK,KPvK --out lucena_endgames.h
  lucena emit-engine KBNvK --format rust > lucena_endgames.rs
  lucena emit-engine KRvK,KQvK,KPvK,KBBvK,KBNvK,KQvKR --crate lucena-endgames")]
pub(super) struct EmitEngine {
    /// The endgames, of up to four men, separated by commas; at most one side has a pawn
    #[arg(value_name = "MATERIALS", value_delimiter = ',', required = true)]
    materials: Vec<Material>,
    /// The language: c, a header with the implementation, or rust
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
            let source = folder.join("src");
            make_folder(&source)?;
            write(&folder.join("Cargo.toml"), endgames.to_cargo().as_bytes())?;
            return Ok(write(&source.join("lib.rs"), endgames.to_rust().as_bytes())?);
        }
        check_outputs(&[("--out", self.out.as_deref())])?;
        let source = match self.format {
            Format::C => endgames.to_c(),
            Format::Rust => endgames.to_rust(),
        };
        write_out(self.out.as_deref(), source.as_bytes())
    }
}
