mod against;
#[cfg(feature = "parquet")]
mod partitions;

pub(super) use against::Comparison;

use super::labels::{LabelArgs, Labels, PartArgs, any_endgame, quoted};
use super::number::{number, number_of};
use super::output::{BinaryFormat, ComparisonArgs, check_outputs, file_of, write_with};
use super::tables::TableArgs;
use super::{Failure, Result, one_of};
use lucena::attributes::{AttributeSet, Selection, Selections};
use lucena::chess::{Material, Side};
use lucena::dataset::{Card, CardFiles, Day, Format, FormatError, FormattedRows};
use lucena::dataset::{
    Division, DivisionParams, DivisionPart, FileSummary, LabelSource, Positions, Proportion, Rows,
    SampleParams,
};
use lucena::named::Named;
use lucena_files::is_stream;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Write positions with their attributes and classes as a data set, in formats of other programs
///
/// There is a row for each position with Black (the weak side) to move. The last column is draw, lost (Black mates), or
/// the number of White's moves to mate in words; with --class wdl or dtz it is that of the side to move, from tables (up to
/// five men) or Syzygy files (up to seven). Beside each file a card is written, FILE.croissant.json, with the columns, the
/// counts of the classes, the command and the checksum. With --against nothing is written: a file in krkopt's format is
/// compared row by row, or, with --against published, the data set with the SHA-256 of the UCI file. The exit code is 1 if
/// anything differs.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena dataset > KRvK.csv
  lucena dataset KRPvKR --class wdl --syzygy tables --sample 1000000 --out KRPvKR.csv
  lucena dataset KRPvKR@d7 --class wdl --sample 1000000 --out d7.csv    from one square of the pawn
  lucena dataset KBNvK --format parquet --sample 1000000 --split 0.8 --out KBNvK.parquet
  lucena dataset --format krkopt --against krkopt.data
  lucena dataset KBNvK --partitions 8 --out parts

Sets of attributes: location, where the men stand; geometric, how they stand to one another;
  published, both; oriented, turned towards a corner; strategic, what a player considers;
  all, all of these; concepts, plans; ahead, what moves lead to; region, for measures;
  fight, if both sides have men
Formats:
  csv           a line of names, then the rows
  arff          numbers are numeric, letters and yes or no nominal: Weka's J48, OpenML
  arff-nominal  all attributes are nominal: Weka's Id3
  parquet       numbers are bytes, letters and classes text: pandas, Arrow, DuckDB
  libsvm        the number of the class, then all values that are not zero: scikit-learn, XGBoost
  krkopt        the format of the UCI data set: the six squares and the depth")]
pub(super) struct Dataset {
    /// The endgame; with --syzygy of up to seven men
    #[arg(default_value = "KRvK", value_parser = any_endgame)]
    material: Material,
    /// The format: see below [default: csv; with --partitions parquet]
    #[arg(long, hide_possible_values = true, value_parser = one_of::<Format>(), hide_default_value = true)]
    format: Option<Format>,
    /// The side to move: white is the strong side [default: black; with --partitions both]
    #[arg(long, value_parser = one_of::<Turn>())]
    turn: Option<Turn>,
    /// Write the rows of each side as N Parquet files below --out DIR
    #[arg(long, value_name = "N", requires = "out", conflicts_with = "split", value_parser = number_of::<NonZeroUsize>("parts", ..))]
    partitions: Option<NonZeroUsize>,
    /// One position of each orbit, or the full board
    #[arg(long, default_value = "canonical", value_parser = one_of::<Positions>())]
    positions: Positions,
    /// The sets of attributes, separated by commas: see below [default: geometric; for krkopt location]
    #[arg(long, value_delimiter = ',', hide_possible_values = true, value_parser = one_of::<Selection>(), hide_default_value = true)]
    attributes: Vec<Selection>,
    /// Only write a random sample of N positions up to symmetry
    #[arg(long, value_name = "N", value_parser = number_of::<NonZeroUsize>("positions", ..))]
    sample: Option<NonZeroUsize>,
    /// Write this share, such as 0.8, into FILE.train and the rest into FILE.test, by orbits
    #[arg(long, value_name = "SHARE", requires = "out")]
    split: Option<Proportion>,
    /// Number the folds of a cross-validation by orbits, in a column or, for libsvm and krkopt, in files FILE.fold0 ...
    #[arg(long, value_name = "N", value_parser = number_of::<usize>("folds", ..))]
    folds: Option<usize>,
    /// The seed of --sample, --split and --folds
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(..))]
    seed: u64,
    #[command(flatten)]
    labels: LabelArgs,
    #[command(flatten)]
    part: PartArgs,
    #[command(flatten)]
    tables: TableArgs,
    /// Write to a file, or with --partitions into a folder
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The day of publication for the card, such as 2026-01-31
    #[arg(long, value_name = "DAY", requires = "out")]
    published: Option<Day>,
    /// Compare a file, or the published one, with the data set
    #[arg(
        long,
        value_name = "FILE|published",
        conflicts_with_all = ["turn", "partitions", "positions", "attributes", "sample", "split", "folds", "seed", "class", "syzygy", "within", "out", "published"]
    )]
    against: Option<PathBuf>,
    #[command(flatten)]
    comparison: ComparisonArgs,
}

const PARQUET: BinaryFormat = BinaryFormat { name: "Parquet", file_option: "--out FILE" };

/// The sides to move in the rows.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Turn(&'static [Side]);

impl Turn {
    const BLACK: Self = Self(&[Side::Weak]);
    const BOTH: Self = Self(&[Side::Strong, Side::Weak]);
}

impl Named for Turn {
    const ALL: &'static [(&'static str, Self)] =
        &[("white", Self(&[Side::Strong])), ("black", Self::BLACK), ("both", Self::BOTH)];
}

impl Dataset {
    pub(super) fn run(self) -> Result<()> {
        if let Some(file) = &self.against {
            return self.compare(file);
        }
        match (self.partitions, &self.out) {
            #[cfg(feature = "parquet")]
            (Some(number), Some(folder)) => self.write_parts(number, folder),
            #[cfg(not(feature = "parquet"))]
            (Some(_), _) => Err(FormatError::NoParquet.into()),
            #[cfg(not(feature = "parquet"))]
            _ if self.format() == Format::Parquet => Err(FormatError::NoParquet.into()),
            _ => self.write_files(),
        }
    }

    fn write_files(&self) -> Result<()> {
        let &[turn] = self.turn().0 else {
            return Err(Failure::usage(
                "in one file nobody could tell who is to move: choose --turn white or --turn black, or add --partitions 1 and a folder, --out DIR",
            ));
        };
        if self.file().is_none() && self.format() == Format::Parquet {
            PARQUET.check_stdout()?;
        }
        self.check_files()?;
        let Labels { source, sample } = self.labels(&[turn])?;
        let attributes = AttributeSet::new(self.material, self.selections());
        let division = self.division(sample, source.orbits_len(turn))?;
        let rows = |(part, _): &(DivisionPart, Option<String>)| {
            let mut sides = Rows::of_sides(&*source, &attributes, self.positions, &[turn])?;
            Ok::<_, Failure>(sides.swap_remove(0).part(&division, *part))
        };
        let parts = self.parts();
        let rows: Vec<Rows<'_>> = parts.iter().map(rows).collect::<Result<_, _>>()?;
        let layouts = rows.iter().map(|rows| FormattedRows::new(rows, self.format()));
        let layouts: Vec<FormattedRows<'_>> = layouts.collect::<Result<_, _>>()?;
        for ((_, name), (rows, layout)) in parts.iter().zip(rows.iter().zip(&layouts)) {
            match (self.file(), name) {
                (None, None) => {
                    layout.write(&mut io::stdout().lock())?;
                }
                (None, Some(_)) => return Err(FormatError::NoFolds(self.format()).into()),
                (Some(path), None) => self.write(path, rows, layout)?,
                (Some(path), Some(name)) => self.write(&beside(path, name), rows, layout)?,
            }
        }
        Ok(())
    }

    /// The file of --out; `None` for standard output.
    fn file(&self) -> Option<&Path> {
        file_of(self.out.as_deref())
    }

    /// Checks that the files of all parts and their cards can be written.
    fn check_files(&self) -> Result<()> {
        let Some(path) = self.out.as_deref() else { return Ok(()) };
        let parts = self.parts();
        if is_stream(path) {
            if parts.iter().any(|(_, name)| name.is_some()) {
                return Err(Failure::usage(format!(
                    "--split and --folds write several files, and {} is none: name a file with --out",
                    path.display()
                )));
            }
            return check_outputs(&[("--out", Some(path))]);
        }
        for (_, name) in parts {
            let file = name.map_or_else(|| path.to_owned(), |name| beside(path, &name));
            let card = card_of(&file);
            check_outputs(&[("--out", Some(&file)), ("--out", card.as_deref())])?;
        }
        Ok(())
    }

    fn format(&self) -> Format {
        let usual = if self.partitions.is_some() { Format::Parquet } else { Format::Csv };
        self.format.unwrap_or(usual)
    }

    fn turn(&self) -> Turn {
        let usual = if self.partitions.is_some() { Turn::BOTH } else { Turn::BLACK };
        self.turn.unwrap_or(usual)
    }

    /// The positions with some sides to move, classified.
    fn labels(&self, turns: &[Side]) -> Result<Labels> {
        let &Self { seed, .. } = self;
        let sample = self.sample.map(|orbits| SampleParams { orbits, seed });
        let part = self.part.part(self.material)?;
        self.labels.labels_of_part(self.material, part.as_ref(), &self.tables, turns, sample)
    }

    /// The division of this many orbits into sample, split and folds.
    fn division(&self, sample: Option<SampleParams>, orbits: usize) -> Result<Division> {
        let &Self { split, folds, seed, .. } = self;
        let sample = sample.map(|sample| sample.orbits.get());
        Ok(Division::new(DivisionParams { sample, split, folds, seed }, orbits)?)
    }

    /// The files to write, each with the suffix of its name. Folds are a column if the format can have one,
    /// and files otherwise.
    fn parts(&self) -> Vec<(DivisionPart, Option<String>)> {
        let side = self.split.map(|_| "train");
        let folds = self.folds.filter(|_| !self.format().has_room_for_folds());
        let fold = |fold: usize| {
            let name =
                side.map_or(String::new(), |side| format!("{side}.")) + &format!("fold{fold}");
            (DivisionPart::Fold(fold as u8), Some(name))
        };
        let mut parts: Vec<(DivisionPart, Option<String>)> = match folds {
            None => vec![(DivisionPart::Train, side.map(String::from))],
            Some(folds) => (0..folds).map(fold).collect(),
        };
        parts.extend(side.map(|_| (DivisionPart::Test, Some("test".into()))));
        parts
    }

    fn selections(&self) -> Selections {
        match (self.attributes.as_slice(), self.format()) {
            ([], Format::Krkopt) => Selection::Location.into(),
            ([], _) => Selection::Geometric.into(),
            (selections, _) => selections.iter().copied().collect(),
        }
    }

    /// Writes a file and, beside it, its card. A pipe or a device gets no card.
    fn write(&self, path: &Path, rows: &Rows<'_>, layout: &FormattedRows<'_>) -> Result<()> {
        let mut written = None;
        write_with(path, |file| {
            written = Some(layout.write(file)?);
            Ok(())
        })?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let beside = card_of(path).filter(|_| !is_stream(path));
        if let (Some(written), Some(name), Some(beside)) = (written, name, beside) {
            let file = FileSummary { name, written };
            let card = self.card(rows, &[rows.turn()], CardFiles::One(&file));
            super::output::write(&beside, card.as_bytes())?;
        }
        Ok(())
    }

    fn card(&self, rows: &Rows<'_>, turns: &[Side], files: CardFiles<'_>) -> String {
        let (&Self { seed, published, .. }, format) = (self, self.format());
        let (heading, command) = (rows.heading(), &self.command(rows.source()));
        Card { heading, turns, format, files, command, seed, published }.to_json()
    }

    /// The command with all its options, so that it means the same to later versions. Folders are left out,
    /// since they are only valid on this machine.
    fn command(&self, source: &dyn LabelSource) -> String {
        let (Self { material, positions, seed, .. }, format) = (self, self.format());
        let turn = match self.turn() {
            Turn::BLACK if self.partitions.is_none() => String::new(),
            turn => format!(" --turn {}", turn.name()),
        };
        let mut command = format!(
            "lucena dataset {material}{} --format {format}{turn} --positions {positions} --attributes {}",
            self.labels.command(source),
            self.selections()
        );
        let out = self.out.as_deref().and_then(Path::file_name);
        let options = [
            Some(self.part.command()),
            self.sample.map(|sample| format!(" --sample {sample}")),
            self.split.map(|split| format!(" --split {split}")),
            self.folds.map(|folds| format!(" --folds {folds}")),
            Some(format!(" --seed {seed}")),
            self.partitions.map(|number| format!(" --partitions {number}")),
            out.map(|name| format!(" --out {}", quoted(&name.to_string_lossy()))),
            self.published.map(|day| format!(" --published {day}")),
        ];
        command.extend(options.into_iter().flatten());
        command
    }
}

/// The path of the card beside a file.
fn card_of(path: &Path) -> Option<PathBuf> {
    Some(path.with_file_name(Card::name_for(&path.file_name()?.to_string_lossy())))
}

/// Adds the name of a part to a path: `KRvK.csv` becomes `KRvK.train.csv`.
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
