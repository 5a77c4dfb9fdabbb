use super::defaults::MOVED;
use super::output::{check_outputs, write_out};
use super::{Arguments, Failure, Result};
use clap::CommandFactory;
use lucena::named::nearest;
use lucena::report::{MakeSchema, SCHEMAS};
use schemars::Schema as JsonSchema;
use std::path::PathBuf;

/// Print the JSON Schema of a verb's report: every field, its meaning and its unit
///
/// Without a verb, the verbs with a report are listed.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena schema
  lucena schema --chapter > schemas.md
  lucena schema prove > prove.schema.json
  lucena schema find tree")]
pub(super) struct Schema {
    /// The verb, as written after lucena
    verb: Vec<String>,
    /// Print all schemas as a chapter in Markdown
    #[arg(long, conflicts_with = "verb")]
    chapter: bool,
    /// Write it to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Schema {
    pub(super) fn run(self) -> Result<()> {
        check_outputs(&[("--out", self.out.as_deref())])?;
        if self.chapter {
            return write_out(self.out.as_deref(), chapter().as_bytes());
        }
        let mut text = match self.verb.is_empty() {
            true => names().collect::<Vec<_>>().join("\n"),
            false => pretty(&schema_of(&self.verb)?()),
        };
        text.push('\n');
        write_out(self.out.as_deref(), text.as_bytes())
    }
}

/// The verbs with a report.
fn names() -> impl Iterator<Item = &'static str> {
    SCHEMAS.iter().map(|&(verb, _)| verb)
}

/// The schema of a verb, for one of the old names too, or of the verb that it is below.
fn schema_of(words: &[String]) -> Result<MakeSchema> {
    let asked = words.join(" ");
    let moved = MOVED.iter().find(|(old, _)| *old == asked).map(|(_, now)| now.join(" "));
    let name = match asked.as_str() {
        "check" => "dataset",
        asked => moved.as_deref().unwrap_or(asked),
    };
    let is_below = |verb: &str| name.starts_with(&format!("{verb} ")) && is_verb(name);
    let is_asked = |verb: &str| name == verb || is_below(verb);
    let found = SCHEMAS.iter().find(|&&(verb, _)| is_asked(verb));
    found.map(|&(_, schema)| schema).ok_or_else(|| {
        let mend = nearest(name, names())
            .map_or("see lucena schema".into(), |meant| format!("perhaps {meant} is meant"));
        Failure::usage(format!("{asked:?} has no report; {mend}"))
    })
}

/// Returns true if words name a verb, as they are written after lucena.
fn is_verb(words: &str) -> bool {
    let lucena = Arguments::command();
    words.split(' ').try_fold(&lucena, |command, word| command.find_subcommand(word)).is_some()
}

fn pretty(schema: &JsonSchema) -> String {
    serde_json::to_string_pretty(schema).expect("a schema has only string keys")
}

/// The schema of each verb under a heading, as Markdown.
fn chapter() -> String {
    let mut chapter =
        String::from("# JSON Schemas\n\nWhat `--format json` answers, verb by verb.\n");
    for (verb, schema) in SCHEMAS {
        chapter.push_str(&format!("\n## {verb}\n\n```json\n{}\n```\n", pretty(&schema())));
    }
    chapter
}
