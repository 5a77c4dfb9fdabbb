use super::Result;
use super::output::write_out;
use lucena::report::SCHEMAS;
use schemars::Schema as JsonSchema;
use std::path::PathBuf;

/// Print the JSON Schema of a verb's report: every field, its meaning and its unit
///
/// Without a verb, the verbs with a report are listed.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena schema
  lucena schema --chapter > schemas.md
  lucena schema prove > prove.schema.json")]
pub(super) struct Schema {
    /// The verb, as written after lucena
    #[arg(value_parser = SCHEMAS.iter().map(|&(verb, _)| verb).collect::<Vec<_>>())]
    verb: Option<String>,
    /// Print all schemas as a chapter in Markdown
    #[arg(long, conflicts_with = "verb")]
    chapter: bool,
    /// Write it to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Schema {
    pub(super) fn run(self) -> Result<()> {
        if self.chapter {
            return write_out(self.out.as_deref(), chapter().as_bytes());
        }
        let asked = |verb: &str| self.verb.as_deref() == Some(verb);
        let mut text = match SCHEMAS.iter().find(|&&(verb, _)| asked(verb)) {
            Some((_, schema)) => pretty(&schema()),
            None => SCHEMAS.iter().map(|&(verb, _)| verb).collect::<Vec<_>>().join("\n"),
        };
        text.push('\n');
        write_out(self.out.as_deref(), text.as_bytes())
    }
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
