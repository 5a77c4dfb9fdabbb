use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;
use std::str::FromStr;

/// A description of how to start an engine.
///
/// The text form is `cmd=stockfish option.UCI_Elo=1500`: settings separated by spaces, with quotes
/// around settings that contain spaces, as in a shell.
///
/// | key | value |
/// |---|---|
/// | `cmd` | the program |
/// | `args` | its arguments, separated by spaces |
/// | `dir` | its working directory |
/// | `name` | its name in tables and games; by default its own name with its options |
/// | `depth`, `nodes` | the search limits for each move |
/// | `option.NAME` | the value of an option |
///
/// ```
/// use lucena_uci::engine::EngineSpec;
///
/// let spec: EngineSpec = r#"cmd=stockfish "option.Skill Level=3" name=weak"#.parse()?;
/// assert_eq!(spec.options, [("Skill Level".to_owned(), "3".to_owned())]);
/// assert!("option.Hash=16".parse::<EngineSpec>().is_err());
/// # Ok::<(), lucena_uci::engine::ParseEngineError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EngineSpec {
    /// The program.
    pub command: PathBuf,
    /// The arguments of the program.
    pub arguments: Vec<String>,
    /// The working directory; `None` for that of this program.
    pub folder: Option<PathBuf>,
    /// The name of the engine in tables and games.
    pub name: Option<String>,
    /// The search depth, in plies.
    pub depth: Option<u32>,
    /// The number of positions to search.
    pub nodes: Option<u64>,
    /// The options and their values.
    pub options: Vec<(String, String)>,
}

/// An error in parsing the description of an engine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseEngineError {
    /// A quote is not closed.
    #[error("{0:?} has a quote that is not closed: close it, or put a backslash in front of it")]
    Quotes(String),
    /// The setting is unknown.
    #[error(
        "{0:?} is not a setting of an engine: there are cmd=, args=, dir=, name=, depth=, nodes= and option.NAME=, with quotes around what has spaces"
    )]
    Key(String),
    /// A program stands where settings should be.
    #[error(
        "{0:?} is not a setting of an engine, perhaps cmd={0} is meant: settings are KEY=VALUE, with quotes around what has spaces"
    )]
    Program(String),
    /// The value is invalid for its key.
    #[error("{0} makes no sense: write a whole number, at least 1")]
    Number(String),
    /// The program is missing.
    #[error("{0:?} does not name a program: write cmd=PROGRAM")]
    NoCommand(String),
}

impl EngineSpec {
    /// A program without arguments or options.
    pub fn new(command: impl Into<PathBuf>) -> Self {
        Self { command: command.into(), ..Self::default() }
    }
}

impl FromStr for EngineSpec {
    type Err = ParseEngineError;

    fn from_str(text: &str) -> Result<Self, ParseEngineError> {
        let split =
            |text: &str| shlex::split(text).ok_or_else(|| ParseEngineError::Quotes(text.into()));
        let mut spec = Self::default();
        for setting in split(text)? {
            let unknown = || match spec.command.as_os_str().is_empty() && !setting.contains('=') {
                true => ParseEngineError::Program(setting.clone()),
                false => ParseEngineError::Key(setting.clone()),
            };
            let (key, value) = setting.split_once('=').ok_or_else(unknown)?;
            let wrong = |_| ParseEngineError::Number(setting.clone());
            match key {
                "cmd" => spec.command = value.into(),
                "args" => spec.arguments = split(value)?,
                "dir" => spec.folder = Some(value.into()),
                "name" => spec.name = Some(value.into()),
                "depth" => {
                    spec.depth = Some(value.parse::<NonZeroU32>().map_err(wrong)?.into());
                }
                "nodes" => {
                    spec.nodes = Some(value.parse::<NonZeroU64>().map_err(wrong)?.into());
                }
                _ => {
                    let name = key.strip_prefix("option.").filter(|name| !name.is_empty());
                    let name = name.ok_or_else(unknown)?;
                    spec.options.push((name.into(), value.into()));
                }
            }
        }
        if spec.command.as_os_str().is_empty() {
            return Err(ParseEngineError::NoCommand(text.into()));
        }
        Ok(spec)
    }
}
