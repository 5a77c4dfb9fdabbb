use super::Result;
use super::distil::Distil;
use super::measure::Measure;
use super::strategy::Strategy;

/// Find a small model of an endgame that always wins, and prove it: a tree, a strategy or a measure
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena find tree KQvK --seconds 60 --out theory.json
  lucena find strategy KRvK --out strategy.json
  lucena find measure KBNvK --look 8 --out measure.json")]
pub(super) struct Find {
    #[command(subcommand)]
    what: FindVerb,
}

verbs! { FindVerb []:
    Tree(Distil),
    Strategy(Box<Strategy>),
    Measure(Box<Measure>),
}

impl Find {
    pub(super) fn run(self) -> Result<()> {
        self.what.run()
    }
}
