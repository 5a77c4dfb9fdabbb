use super::Result;
use super::distil::Distil;
use super::measure::Measure;
use super::strategy::Strategy;

/// Find a small tree, strategy or measure that always wins, and prove it
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

    /// The values of options that are left out, by id.
    #[cfg(feature = "serve")]
    pub(super) fn defaults(&self) -> Vec<(&'static str, String)> {
        match &self.what {
            FindVerb::Tree(tree) => tree.defaults(),
            FindVerb::Strategy(strategy) => strategy.defaults(),
            FindVerb::Measure(measure) => measure.defaults(),
        }
    }

    /// Checks the search, without solving anything.
    #[cfg(feature = "serve")]
    pub(super) fn check(&self) -> Result<()> {
        match &self.what {
            FindVerb::Tree(tree) => tree.check(),
            FindVerb::Strategy(strategy) => strategy.check(),
            FindVerb::Measure(measure) => measure.check(),
        }
    }
}
