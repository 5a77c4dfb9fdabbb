//! Options that have no effect beside a value of another option. A user who gives one expects an effect, so it is
//! refused.

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Command, Error};

/// An option of a verb that has no effect if another argument has one of these values. Arguments are named by their
/// ids.
struct Idle {
    verb: &'static str,
    option: &'static str,
    other: &'static str,
    values: &'static [&'static str],
}

/// Lists idle options: verb, option, the other argument and its values.
macro_rules! idle {
    ($($verb:literal $option:literal: $other:literal $($value:literal)+;)*) => {
        &[$(Idle { verb: $verb, option: $option, other: $other, values: &[$($value),+] },)*]
    };
}

const IDLE: &[Idle] = idle! {
    "learn" "criterion": "learner" "id3";
    "experiment curve" "games": "class" "wdl" "dtz";
    "experiment curve" "games": "turn" "white";
    "experiment curve" "defence": "class" "wdl" "dtz";
    "experiment curve" "defence": "turn" "white";
    "train" "hidden": "kind" "linear" "pairs";
    "evolve" "material": "subject" "men" "parts";
    "evolve" "most_games": "subject" "mop-up";
};

impl Idle {
    /// Returns true if it belongs to a verb, written with the verb that it is under or, as it was before, without.
    fn is_of(&self, verb: &str) -> bool {
        self.verb == verb || self.verb.strip_prefix("experiment ") == Some(verb)
    }

    /// The value of the other argument that takes the effect away, if the option is on the command line.
    fn value(&self, matches: &ArgMatches) -> Option<&'static str> {
        if matches.value_source(self.option) != Some(ValueSource::CommandLine) {
            return None;
        }
        let mut found = matches.get_raw(self.other).into_iter().flatten();
        found.find_map(|found| self.values.iter().find(|value| found == **value)).copied()
    }
}

/// Checks that every option on the command line has an effect.
pub(super) fn check(lucena: &mut Command, matches: &ArgMatches) -> Result<(), Error> {
    let (mut verb, mut matches, mut path) = (lucena, matches, Vec::new());
    while let Some((name, inner)) = matches.subcommand() {
        verb = verb.find_subcommand_mut(name).expect("it has been parsed");
        matches = inner;
        path.push(name);
    }
    let path = path.join(" ");
    let of_verb = IDLE.iter().filter(|idle| idle.is_of(&path));
    let Some((idle, value)) = of_verb.filter_map(|idle| Some((idle, idle.value(matches)?))).next()
    else {
        return Ok(());
    };
    let name = |id: &str, verb: &Command| {
        let argument = verb.get_arguments().find(|argument| argument.get_id() == id);
        argument.and_then(|argument| argument.get_long()).map(|long| format!("--{long} "))
    };
    let option = name(idle.option, verb).unwrap_or_default();
    let other = name(idle.other, verb).unwrap_or_default();
    let message = format!("{option}has no effect with {other}{value}: leave {option}out");
    Err(verb.error(ErrorKind::ArgumentConflict, message))
}
