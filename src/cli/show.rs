use super::file_kind::{MODELS, read_as};
use super::number::number_of;
use super::output::{BinaryFormat, ProgressDisplay, check_outputs, file_of, write_out};
use super::player_args::{default_endgame, resolve_endgame};
use super::tables::TableArgs;
use super::{Failure, Result, one_of};
use lucena::chess::Material;
use lucena::explain::{Form, ShowError, ShownModel, show};
use lucena::named::Named;
use lucena::report::size_in_words;
use lucena::roster::{BuiltIn, PlayerName, default_player};
use lucena_codegen::{Language, c_header, emit};
use lucena_files::load_text;
use lucena_model::{Model, ModelKind};
use std::path::{Path, PathBuf};

/// Print a tree, a strategy or a measure: as text, rules, a lesson or source code, and in other tools' formats
///
/// It is read from a file, or it is one that this program carries: --list names them all, and an endgame with --player
/// chooses one.
///
/// The text of a tree is in the style of scikit-learn's export_text, with values as people write them;
/// export-text is exactly what scikit-learn prints. The rules are Markdown for printing. They are read from
/// the top: the first rule whose conditions all hold gives the class. Rules are short, because a rule does
/// not repeat what earlier rules have settled. The arrays are those of scikit-learn's tree_, as JSON; onnx
/// is a model with a single TreeEnsembleClassifier. Both have only thresholds and always answer: if a tree
/// that splits by value has no answer, the class is "no answer". The picture shows 4 tests on a path unless
/// --max-depth is given, and a board for each leaf. Source code has no dependencies: that of a tree or
/// a strategy maps squares to a move, and that of a measure finds all moves that are equally good, by a search. The lesson of a strategy has a board for each point
/// at which it decides, the longest game that it wins, and exercises. That of a measure shows the number that White makes
/// smaller, on boards and in the longest game, and has exercises. To make a lesson of either, the endgame is
/// solved and the player is proved.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena learn KRvK --out tree.json
  lucena show tree.json --max-depth 4
  lucena show --list
  lucena show KRvK --player strategy --format c > krvk.c
  lucena show KBNvK --player measure:near
  lucena show data/trees/KRvK.cart.json --max-depth 4
  lucena show data/trees/KRvK.cart.json --format rules > lesson.md
  lucena show data/trees/KRvK.win.json --format svg > tree.svg
  lucena show data/trees/KRvK.win.json --format dot --max-depth 5 | dot -Tsvg > graph.svg
  lucena show data/trees/KRvK.cart.json --format onnx > krvk.onnx
  lucena show data/trees/KRvK.cart.json --format javascript > krvk.mjs
  lucena show KRvK --player strategy --format lesson > lesson.md
  lucena show KRvK --player measure --format c > krvk_measure.c
  lucena show id3.json | less")]
pub(super) struct Show {
    /// A file with a tree, as written by learn --out and mine, with a strategy, or with a measure; or an endgame, to show
    /// what this program carries for it
    #[arg(value_name = "FILE", required_unless_present_any = ["list", "player"])]
    what: Option<PathBuf>,
    /// For an endgame, the player whose tree, strategy or measure is shown: strategy, strategy:NAME, measure,
    /// measure:NAME, theory, exact, learned, or tree:NAME [default: the first that this program has]
    #[arg(long, value_name = "PLAYER")]
    player: Option<PlayerName>,
    /// List the trees, strategies and measures that this program carries, for one endgame or for all
    #[arg(long, conflicts_with_all = ["player", "max_depth", "format"])]
    list: bool,
    /// Cut off everything below this many tests on a path
    #[arg(long, value_name = "N", value_parser = number_of::<usize>("tests", ..))]
    max_depth: Option<usize>,
    /// The format: text, for the terminal; rules, an ordered list of rules in Markdown, which is also the
    /// lesson of a tree; lesson, for a strategy or a measure, with boards, a game and exercises; for a tree also
    /// export-text and arrays, scikit-learn's text and arrays; dot, for Graphviz; svg, a picture; onnx, for
    /// ONNX runtimes; or source code in a language; c-header is the header of the C source
    #[arg(long, default_value = "text", value_parser = one_of::<Format>())]
    format: Format,
    /// Write it to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    tables: TableArgs,
}

/// The form in which a tree, a strategy or a measure is printed; the option's help has their meanings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Shown(Form),
    Code(Language),
    CHeader,
}

const ONNX: BinaryFormat = BinaryFormat { name: "ONNX", file_option: "--out FILE" };

impl Named for Format {
    const ALL: &'static [(&'static str, Self)] = &[
        ("text", Self::Shown(Form::Text)),
        ("rules", Self::Shown(Form::Rules)),
        ("lesson", Self::Shown(Form::Lesson)),
        ("export-text", Self::Shown(Form::ExportText)),
        ("arrays", Self::Shown(Form::Arrays)),
        ("dot", Self::Shown(Form::Dot)),
        ("svg", Self::Shown(Form::Svg)),
        ("onnx", Self::Shown(Form::Onnx)),
        ("c", Self::Code(Language::C)),
        ("c-header", Self::CHeader),
        ("python", Self::Code(Language::Python)),
        ("rust", Self::Code(Language::Rust)),
        ("javascript", Self::Code(Language::JavaScript)),
    ];
}

impl Show {
    pub(super) fn run(self) -> Result<()> {
        check_outputs(&[("--out", self.out.as_deref())])?;
        if self.list {
            return self.write_list();
        }
        let shown = self.shown(self.model()?)?;
        self.write(&shown)
    }

    /// The model in the format.
    fn shown(&self, model: Model) -> Result<Vec<u8>> {
        let form = match self.format {
            Format::Shown(form) => form,
            format if self.max_depth.is_some() => {
                return Err(ShowError::uncut(model.kind(), format.name()).into());
            }
            Format::Code(language) => return Ok(emit(&model, language)?.into_bytes()),
            Format::CHeader => return Ok(c_header(&model)?.into_bytes()),
        };
        let bytes = match show(model, form, self.max_depth)? {
            ShownModel::Bytes(bytes) => bytes,
            ShownModel::Lesson(lesson) => {
                // The lesson of a part visits few positions, so the endgame may have more men.
                if !lesson.is_made_for_part() {
                    TableArgs::check_quick(lesson.material())?;
                }
                let tablebase = self.tables.solve(lesson.material())?;
                lesson.to_markdown(&tablebase, &ProgressDisplay::new())?.into_bytes()
            }
        };
        if form == Form::Onnx && file_of(self.out.as_deref()).is_none() {
            ONNX.check_stdout()?;
        }
        Ok(bytes)
    }

    fn write(&self, bytes: &[u8]) -> Result<()> {
        write_out(self.out.as_deref(), bytes)
    }

    /// The endgame that was named instead of a file.
    fn endgame(&self) -> Option<Material> {
        let what = self.what.as_deref()?;
        if what.exists() { None } else { what.to_str()?.parse().ok() }
    }

    /// The model in the file, or that of a player in an endgame.
    fn model(&self) -> Result<Model> {
        let material = match (&self.what, self.endgame(), &self.player) {
            (Some(path), None, None) => return read(path),
            (Some(path), None, Some(player)) => {
                return Err(Failure::usage(format!(
                    "{} is no endgame, so --player {player} has no effect: leave it out, or name an endgame such as KRvK",
                    path.display()
                )));
            }
            (None, ..) => default_endgame(),
            (Some(_), Some(material), _) => material,
        };
        let player = self.player.clone().unwrap_or_else(|| default_player(material));
        if let PlayerName::ModelFile(_, path) = &player {
            let model = read(path)?;
            let asked = self.what.as_ref().map(|_| material);
            resolve_endgame(asked, model.origin().material.parse().ok())?;
            return Ok(model);
        }
        player.check_built_in(material)?;
        match player.built_in(material) {
            Some(built_in) => Ok(built_in.model()),
            None => Err(Failure::usage(format!(
                "{player} has no tree, strategy or measure to show for {material}: choose one that \"lucena show --list\" names"
            ))),
        }
    }

    /// Lists the models of this program: endgame, player, size.
    fn write_list(&self) -> Result<()> {
        let endgame = match (&self.what, self.endgame()) {
            (Some(path), None) => {
                return Err(Failure::usage(format!(
                    "{} is no endgame: leave it out, or name one such as KRvK",
                    path.display()
                )));
            }
            (_, endgame) => endgame.map(|endgame| endgame.to_string()),
        };
        let built_in = ModelKind::ALL.into_iter().flat_map(BuiltIn::all);
        let shown =
            built_in.filter(|one| endgame.as_deref().is_none_or(|name| name == one.material));
        let mut lines: Vec<String> = shown.map(line).collect();
        lines.sort();
        self.write(lines.concat().as_bytes())
    }
}

/// The model in a file.
fn read(path: &Path) -> Result<Model> {
    match path.to_str().map(str::parse::<PlayerName>) {
        Some(Ok(player)) if !path.exists() && player.file().is_none() => {
            Err(Failure::usage(format!(
                "{player} is a player: write \"lucena show KRvK --player {player}\", with your endgame"
            )))
        }
        _ => read_as(path, MODELS, || load_text(path, Model::from_json)),
    }
}

/// The line of a model in the list.
fn line(built_in: &BuiltIn) -> String {
    let size = size_in_words(built_in.model().figures());
    format!("{:6} {:18} {size}\n", built_in.material, built_in.player().to_string())
}
