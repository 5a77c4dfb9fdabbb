use super::output::write_with;
use super::tables::Tables;
use super::{Failure, one_of};
use lucena::attributes::{AttributeSet, Selection};
use lucena::chess::{Material, Side};
use lucena::dataset::{
    Card, Day, Division, DivisionParams, Format, FormatError, Layout, Part, Positions, Proportion,
    Rows,
};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Write positions with their attributes and depth as a data set, in the format of other programs
///
/// A row for each position with Black (the weak side) to move; the last column, optimalDepth, is
/// draw, lost (Black mates), or the number of moves to mate in words. Files are letters, all else is
/// numbers. Rows are written as they are made, so that memory does not grow with their number.
///
/// Beside each file stands its card, FILE.croissant.json, in the format of OpenML, Hugging Face and Kaggle:
/// what the columns mean, how many rows are of which class, the command, the seed and the sum.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena dataset > KRvK.csv
  lucena dataset KQvK --positions full --attributes all --out KQvK.csv
  lucena dataset --format arff-nominal --out KRvK.arff
  lucena dataset KBNvK --format parquet --sample 1000000 --split 0.8 --out KBNvK.parquet
                                  writes KBNvK.train.parquet and KBNvK.test.parquet
  lucena dataset --folds 10 --seed 7 --out KRvK.csv

Formats:
  csv           a line of names, then the rows
  arff          numbers are numeric, letters and yes or no nominal: Weka's J48, OpenML
  arff-nominal  all attributes are nominal: Weka's Id3
  parquet       numbers are bytes, letters and classes text: pandas, Arrow, DuckDB
  libsvm        the number of the class, then what is not zero: scikit-learn, XGBoost
  krkopt        that of the UCI data set: the six squares and the depth

Files are letters, and numbers with a sign are text, as +2. libsvm alone has the numbers that trees, arrays
and exported code go by: a file is 1 to 8, and the least number with a sign is 0.")]
pub(super) struct Dataset {
    /// The endgame
    #[arg(default_value = "KRvK")]
    material: Material,
    /// The format; more about each below
    #[arg(long, default_value = "csv", value_parser = one_of::<Format>())]
    format: Format,
    /// One position of each orbit, or the full board
    #[arg(long, default_value = "canonical", value_parser = one_of::<Positions>())]
    positions: Positions,
    /// Which attributes: where the men stand (location), how they stand to one another (geometric), both
    /// (published), turned towards a corner (oriented), what a player thinks of (strategic), all of
    /// these, what plans speak of (concepts), or what they can come to (ahead) [default: geometric; of
    /// krkopt location]
    #[arg(long, value_parser = one_of::<Selection>(), hide_default_value = true)]
    attributes: Option<Selection>,
    /// Draw so many positions up to symmetry, by the seed
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// Write this share into FILE.train and the rest into FILE.test, as in 0.8: a position and its mirror
    /// images are always in the same file
    #[arg(long, value_name = "SHARE", requires = "out")]
    split: Option<Proportion>,
    /// Number the folds of a cross-validation in a column `fold`, from 0: a position and its mirror images are
    /// always in the same fold. With --split what is learned from is divided. libsvm and krkopt have no room
    /// for a column: each fold is a file, FILE.fold0 and so on
    #[arg(long, value_name = "N")]
    folds: Option<usize>,
    /// The seed of --sample, --split and --folds
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    tables: Tables,
    /// Write to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The day of publication that the card tells, as in 2026-01-31
    #[arg(long, value_name = "DAY", requires = "out")]
    published: Option<Day>,
}

impl Dataset {
    pub(super) fn run(self) -> Result<(), Failure> {
        let tablebase = self.tables.solve(self.material)?;
        let attributes = AttributeSet::new(self.material, self.selection());
        let Self { sample, split, folds, seed, .. } = self;
        let params = DivisionParams { sample, split, folds, seed };
        let division = Division::new(params, tablebase.canonical_len(Side::Weak))?;
        let rows = |(part, _): &(Part, Option<String>)| {
            let rows = Rows::new(&tablebase, &attributes, self.positions)?;
            Ok::<_, Failure>(rows.part(&division, *part))
        };
        let parts = self.parts();
        let rows: Vec<Rows<'_>> = parts.iter().map(rows).collect::<Result<_, _>>()?;
        let layouts = rows.iter().map(|rows| Ok((rows, rows.laid_out(self.format)?)));
        let layouts: Vec<(&Rows<'_>, Layout<'_>)> = layouts.collect::<Result<_, Failure>>()?;
        for ((_, name), (rows, layout)) in parts.iter().zip(&layouts) {
            match (&self.out, name) {
                (None, None) => self.print(layout)?,
                (None, Some(_)) => return Err(FormatError::NoFolds(self.format).into()),
                (Some(path), None) => self.write(path, rows, layout)?,
                (Some(path), Some(name)) => self.write(&beside(path, name), rows, layout)?,
            }
        }
        Ok(())
    }

    /// The files that are asked for, each with what is added to its name. Folds are a column where there is
    /// room for one, and files otherwise.
    fn parts(&self) -> Vec<(Part, Option<String>)> {
        let side = self.split.map(|_| "train");
        let folds = self.folds.filter(|_| !self.format.has_room_for_folds());
        let mut parts: Vec<(Part, Option<String>)> = match folds {
            None => vec![(Part::Train, side.map(String::from))],
            Some(folds) => (0..folds)
                .map(|fold| {
                    let name = side.into_iter().map(String::from).chain([format!("fold{fold}")]);
                    (Part::Fold(fold as u8), Some(name.collect::<Vec<_>>().join(".")))
                })
                .collect(),
        };
        parts.extend(side.map(|_| (Part::Test, Some("test".into()))));
        parts
    }

    fn selection(&self) -> Selection {
        let usual = match self.format {
            Format::Krkopt => Selection::Location,
            _ => Selection::Geometric,
        };
        self.attributes.unwrap_or(usual)
    }

    fn print(&self, layout: &Layout<'_>) -> Result<(), Failure> {
        let mut out = std::io::stdout().lock();
        if self.format == Format::Parquet && out.is_terminal() {
            return Err(Failure::usage("Parquet is not text: name a file with --out FILE"));
        }
        layout.write(&mut out)?;
        Ok(())
    }

    /// Writes a file and, beside it, its card. A pipe or a device has no card.
    fn write(&self, path: &Path, rows: &Rows<'_>, layout: &Layout<'_>) -> Result<(), Failure> {
        let mut written = None;
        write_with(path, |file| {
            written = Some(layout.write(file)?);
            Ok(())
        })?;
        let name = path.file_name().map(|name| name.to_string_lossy());
        if let (Some(written), Some(name), true) = (written, name, path.is_file()) {
            let command = self.command();
            let card = Card {
                heading: rows.heading(),
                format: self.format,
                written: &written,
                file: &name,
                command: &command,
                seed: self.seed,
                published: self.published,
            };
            let beside = path.with_file_name(Card::name_for(&name));
            super::output::write(&beside, card.to_json().as_bytes())?;
        }
        Ok(())
    }

    /// The command in full, so that it says the same to later versions; without folders, which are this
    /// machine's.
    fn command(&self) -> String {
        let Self { material, format, positions, seed, .. } = self;
        let mut command = format!(
            "lucena dataset {material} --format {format} --positions {positions} --attributes {}",
            self.selection()
        );
        let options = [
            self.sample.map(|sample| format!(" --sample {sample}")),
            self.split.map(|split| format!(" --split {split}")),
            self.folds.map(|folds| format!(" --folds {folds}")),
            Some(format!(" --seed {seed}")),
            self.out
                .as_ref()
                .and_then(|path| path.file_name())
                .map(|name| format!(" --out {}", quoted(&name.to_string_lossy()))),
            self.published.map(|day| format!(" --published {day}")),
        ];
        command.extend(options.into_iter().flatten());
        command
    }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), Into::into)
}

/// `KRvK.csv` is `KRvK.train.csv` for a part of it.
fn beside(path: &Path, part: &str) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(".");
    name.push(part);
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}
