use super::ParseEngineError;
use std::path::PathBuf;
use std::str::FromStr;

/// What to start, and how.
///
/// It is written as `cmd=stockfish option.UCI_Elo=1500`: settings with spaces between them, with quotes
/// around what has spaces, as in a shell.
///
/// | key | value |
/// |---|---|
/// | `cmd` | the program |
/// | `args` | its arguments, with spaces between them |
/// | `dir` | the folder in which it works |
/// | `name` | what it is called in tables and games; else what it calls itself, with its options |
/// | `depth`, `nodes` | how far it may look for each move |
/// | `option.NAME` | what one of its options is set to |
///
/// ```
/// use lucena::engine::EngineSpec;
///
/// let spec: EngineSpec = r#"cmd=stockfish "option.Skill Level=3" name=weak"#.parse()?;
/// assert_eq!(spec.options, [("Skill Level".to_owned(), "3".to_owned())]);
/// assert!("option.Hash=16".parse::<EngineSpec>().is_err());
/// # Ok::<(), lucena::engine::ParseEngineError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineSpec {
    /// The program.
    pub command: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The folder in which it works; else that of whoever starts it.
    pub folder: Option<PathBuf>,
    /// What it is called.
    pub name: Option<String>,
    /// How deep it may look, in plies.
    pub depth: Option<u32>,
    /// How many positions it may look at.
    pub nodes: Option<u64>,
    /// Options and what they are set to.
    pub options: Vec<(String, String)>,
}

impl EngineSpec {
    /// A program without arguments, as it is.
    pub fn new(command: impl Into<PathBuf>) -> Self {
        Self {
            command: command.into(),
            arguments: Vec::new(),
            folder: None,
            name: None,
            depth: None,
            nodes: None,
            options: Vec::new(),
        }
    }
}

impl FromStr for EngineSpec {
    type Err = ParseEngineError;

    fn from_str(text: &str) -> Result<Self, ParseEngineError> {
        let split =
            |text: &str| shlex::split(text).ok_or_else(|| ParseEngineError::Quotes(text.into()));
        let mut spec = Self::new("");
        for setting in split(text)? {
            let unknown = || match spec.command.as_os_str().is_empty() && !setting.contains('=') {
                true => ParseEngineError::Program(setting.clone()),
                false => ParseEngineError::Key(setting.clone()),
            };
            let (key, value) = setting.split_once('=').ok_or_else(unknown)?;
            let wrong = || ParseEngineError::Number(setting.clone());
            match key {
                "cmd" => spec.command = value.into(),
                "args" => spec.arguments = split(value)?,
                "dir" => spec.folder = Some(value.into()),
                "name" => spec.name = Some(value.into()),
                "depth" => {
                    let depth = value.parse().ok().filter(|&depth| depth > 0);
                    spec.depth = Some(depth.ok_or_else(wrong)?);
                }
                "nodes" => {
                    let nodes = value.parse().ok().filter(|&nodes| nodes > 0);
                    spec.nodes = Some(nodes.ok_or_else(wrong)?);
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
