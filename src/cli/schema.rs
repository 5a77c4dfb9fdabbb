use super::Failure;
use super::output::write_data;
use lucena::report::SCHEMAS;

/// Print the JSON Schema of what a verb reports: every field, what it means and in which unit
///
/// Without a verb, those that report are listed.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena schema
  lucena schema prove > prove.schema.json")]
pub(super) struct Schema {
    /// The verb, as it is written after lucena
    #[arg(value_parser = SCHEMAS.iter().map(|&(verb, _)| verb).collect::<Vec<_>>())]
    verb: Option<String>,
}

impl Schema {
    pub(super) fn run(self) -> Result<(), Failure> {
        let asked = |verb: &str| self.verb.as_deref() == Some(verb);
        let mut text = match SCHEMAS.iter().find(|&&(verb, _)| asked(verb)) {
            Some((_, schema)) => {
                serde_json::to_string_pretty(&schema()).expect("a schema has only string keys")
            }
            None => SCHEMAS.iter().map(|&(verb, _)| verb).collect::<Vec<_>>().join("\n"),
        };
        text.push('\n');
        write_data(text.as_bytes())
    }
}
