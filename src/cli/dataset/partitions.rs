//! Data sets in parts: a Parquet file for each, in folders as query engines read them.

use super::super::output::{note_written, write};
use super::{Dataset, Failure, Labels, Result};
use lucena::attributes::AttributeSet;
use lucena::dataset::{
    Card, CardFiles, Division, DivisionPart, FileSummary, Format, PartitionedRows, Rows,
};
use lucena_files::{add_folder, check_writable, is_stream, write_folder_with};
use std::fs::File;
use std::io::{self, BufWriter};
use std::num::NonZeroUsize;
use std::path::Path;

impl Dataset {
    /// Writes the parts of every side to move, completely or not at all, with their card.
    pub(super) fn write_parts(&self, number: NonZeroUsize, out: &Path) -> Result<()> {
        if self.format() != Format::Parquet {
            return Err(Failure::usage(format!(
                "partitions are Parquet files, not {}: leave --format out, or write one file without --partitions",
                self.format()
            )));
        }
        let inner = PartitionedRows::folder(self.material);
        let folder = out.join(&inner);
        // These mistakes are reported before a table is solved.
        let refuse = |path: &Path, complaint: &str| {
            Err(Failure::usage(format!("{} is {complaint}", path.display())))
        };
        if is_stream(out) || out.exists() && !out.is_dir() {
            return refuse(out, "a file, not a folder: name another one with --out DIR");
        }
        if folder.symlink_metadata().is_ok() {
            let mend = "remove it first, or name another folder with --out DIR";
            return refuse(&folder, &format!("there already: {mend}"));
        }
        if !out.is_dir() {
            check_writable(out)?;
        }
        let turns = self.turn().0;
        let Labels { source, sample } = self.labels(turns)?;
        let attributes = AttributeSet::new(self.material, self.selections());
        let divisions = turns.iter().map(|&turn| self.division(sample, source.orbits_len(turn)));
        let divisions: Vec<Division> = divisions.collect::<Result<_, _>>()?;
        let sides = Rows::of_sides(&*source, &attributes, self.positions, turns)?;
        let sides = sides.into_iter().zip(&divisions);
        let sides = sides.map(|(rows, division)| rows.part(division, DivisionPart::Train));
        let sides: Vec<Rows<'_>> = sides.collect();
        let parts = sides.iter().map(|rows| PartitionedRows::new(rows, number));
        let parts: Vec<PartitionedRows<'_>> = parts.collect::<Result<_, _>>()?;
        add_folder(out)?;
        let written = write_folder_with(&folder, |unfinished| {
            let create = |name: &str| -> io::Result<BufWriter<File>> {
                let name = Path::new(name).strip_prefix(&inner).expect("it is of this folder");
                let path = unfinished.join(name);
                std::fs::create_dir_all(path.parent().expect("the folder of a side"))?;
                Ok(BufWriter::new(File::create(path)?))
            };
            let written = parts.iter().map(|parts| parts.write(create));
            Ok(written.collect::<io::Result<Vec<Vec<FileSummary>>>>()?.concat())
        })?;
        note_written(&folder);
        let card = self.card(&sides[0], turns, CardFiles::Parts(&written));
        write(&out.join(Card::name_for_parts(self.material)), card.as_bytes())?;
        Ok(())
    }
}
