//! The rules of a strategy as text of the small language: the attributes, the guards, the preferences,
//! and the choice.

use super::chess::{for_men, kind_constant};
use super::columns::{self, UsedAttribute};
use super::man::Man;
use lucena_model::{
    Aim, Change, Column, Condition, Key, MoveCondition, Strategy, StrategyRule, role_word,
};

/// The attributes that a strategy uses, and the text for its rules.
///
/// # Errors
/// The name of the first attribute that cannot be emitted.
pub(super) fn text(
    strategy: &Strategy,
    men: &[Man],
) -> Result<(Vec<UsedAttribute>, String), String> {
    let rules = Rules { columns: strategy.attributes(), rules: reached(strategy.rules()) };
    let asked = rules.attributes(men)?;
    let mut text = columns::text(&asked, men);
    text += &(rules.fits() + &rules.is_better() + &for_men(men, &rules.choice()));
    Ok((asked, text))
}

/// The beginning of the function that chooses: all moves in order, the king's first, then man by man, each
/// from a1 to h8.
const ALL_MOVES: &str = include_str!("choice.txt");

/// The selection if the only rule is about all moves.
const BEST_OF_ALL: &str = "\
    var chosen = moves[0];
    for at in 1..count {
        if is_better(after(board, moves[at]), after(board, chosen)) { chosen = moves[at]; }
    }
";

/// The rules that can be used: those up to the first without a guard, which some move always fulfils.
fn reached(rules: &[StrategyRule]) -> &[StrategyRule] {
    let last = rules.iter().position(|rule| rule.guard.is_empty());
    &rules[..last.map_or(rules.len(), |last| last + 1)]
}

struct Rules<'s> {
    columns: &'s [Column],
    rules: &'s [StrategyRule],
}

impl Rules<'_> {
    fn name(&self, attribute: usize) -> &str {
        &self.columns[attribute].name
    }

    /// The attributes that the rules use.
    fn attributes(&self, men: &[Man]) -> Result<Vec<UsedAttribute>, String> {
        let is_used = |number: usize| {
            self.rules.iter().any(|rule| rule.attributes().any(|used| used == number))
        };
        let columns = self.columns.iter().enumerate().filter(|(number, _)| is_used(*number));
        columns.map(|(_, column)| UsedAttribute::new(column, men)).collect()
    }

    /// The function that chooses, with marks: it lists all moves and selects among them.
    fn choice(&self) -> String {
        let (selection, chosen) = match (self.has_guards(), self.has_keys()) {
            (true, _) => (self.selection(), "moves[0]"),
            (false, true) => (BEST_OF_ALL.into(), "chosen"),
            (false, false) => (String::new(), "moves[0]"),
        };
        format!("{ALL_MOVES}{selection}return {chosen};\n}}\n")
    }

    /// The statements that return the best of the moves that fulfil the first possible guard.
    fn selection(&self) -> String {
        let (fits, has_keys) = (self.parameters(false), self.has_keys());
        let rule = if self.is_one() { "" } else { "rule, " };
        let better = format!("(chosen == NONE || is_better({rule}next, best))");
        let [first, wanted, keep] = match has_keys {
            true => ["var best = board;\n", &better, "best = next;\n"],
            false => ["", "chosen == NONE", ""],
        };
        let line = |is_needed, line: &'static str| if is_needed { line } else { "" };
        let man = line(fits.contains("man"), "let man = moves[at] / 64 % 4;\n");
        let has_next = has_keys || fits.contains("next");
        let next = line(has_next, "let next = after(board, moves[at]);\n");
        let choice = format!(
            "var chosen = NONE;\n{first}for at in 0..count {{\n{man}{next}if fits({fits}) && {wanted} {{\nchosen = moves[at];\n{keep}}}\n}}\nif chosen != NONE {{ return chosen; }}\n"
        );
        match self.rules.len() {
            1 => choice,
            rules => format!("for rule in 0..{rules} {{\n{choice}}}\n"),
        }
    }

    fn has_guards(&self) -> bool {
        self.rules.iter().any(|rule| !rule.guard.is_empty())
    }

    fn has_keys(&self) -> bool {
        self.rules.iter().any(|rule| !rule.keys.is_empty())
    }

    fn is_one(&self) -> bool {
        self.rules.len() == 1
    }

    /// Lines for each rule; if there are several, in a block that tests for the rule's number.
    fn by_rule(&self, lines: impl Fn(&StrategyRule) -> String) -> String {
        let mut text = String::new();
        for (number, rule) in self.rules.iter().enumerate() {
            let words = format!("// Rule {}: {}.\n", number + 1, self.words(rule));
            text += &match self.is_one() {
                true => format!("{words}{}", lines(rule)),
                false => format!("if rule == {number} {{\n{words}{}}}\n", lines(rule)),
            };
        }
        text
    }

    /// The function for the guards.
    fn fits(&self) -> String {
        if !self.has_guards() {
            return String::new();
        }
        let body = self.by_rule(|rule| {
            let test =
                |one: &MoveCondition| format!("if !({}) {{ return false; }}\n", self.asks(*one));
            let tests: String = rule.guard.iter().map(test).collect();
            // With several rules, each returns as soon as it is fulfilled.
            tests + if self.is_one() { "" } else { "return true;\n" }
        });
        let last = if self.is_one() { "return true;\n" } else { "return false;\n" };
        format!(
            "/// Returns true if a rule applies to the move of a man from one board to the next.\nfn fits({}) -> bool {{\n{body}{last}}}\n",
            self.parameters(true)
        )
    }

    /// The parameters, with or without types, of the functions that depend on the rules.
    fn parameters(&self, is_typed: bool) -> String {
        let asks = |is: fn(&MoveCondition) -> bool| {
            self.rules.iter().any(|rule| rule.guard.iter().any(is))
        };
        let mut names = Vec::new();
        let board = |name: &str| if is_typed { format!("{name}: Board") } else { name.into() };
        if !self.is_one() {
            names.push("rule".to_owned());
        }
        if asks(|one| matches!(one, MoveCondition::Before(_) | MoveCondition::Change { .. })) {
            names.push(board("board"));
        }
        if asks(|one| matches!(one, MoveCondition::After(_) | MoveCondition::Change { .. })) {
            names.push(board("next"));
        }
        if asks(|one| matches!(one, MoveCondition::Mover(_))) {
            names.push("man".into());
        }
        names.join(", ")
    }

    /// A condition as an expression.
    fn asks(&self, condition: MoveCondition) -> String {
        match condition {
            MoveCondition::Before(asked) => self.within(asked, "board"),
            MoveCondition::After(asked) => self.within(asked, "next"),
            MoveCondition::Change { attribute, change } => {
                let name = self.name(attribute);
                let sign = match change {
                    Change::Falls => "<",
                    Change::Rises => ">",
                    Change::Stays => "==",
                    Change::DoesNotRise => "<=",
                    Change::DoesNotFall => ">=",
                };
                format!("{name}(next) {sign} {name}(board)")
            }
            MoveCondition::Mover(letter) => format!("KIND[man] == {}", kind_constant(letter)),
        }
    }

    fn within(&self, asked: Condition, board: &str) -> String {
        let Column { name, low, high, .. } = &self.columns[asked.attribute];
        let (from, to) = (asked.low, asked.high);
        match (from > *low, to < *high) {
            (true, true) if from == to => format!("{name}({board}) == {from}"),
            (true, true) => format!("{name}({board}) >= {from} && {name}({board}) <= {to}"),
            (true, false) => format!("{name}({board}) >= {from}"),
            (false, true) if to == 0 => format!("{name}({board}) == 0"),
            (false, true) => format!("{name}({board}) <= {to}"),
            (false, false) => "true".into(),
        }
    }

    /// The function for the preferences.
    fn is_better(&self) -> String {
        if !self.has_keys() {
            return String::new();
        }
        let body = self.by_rule(|rule| match rule.keys.as_slice() {
            [] => "return false;\n".into(),
            keys => keys.iter().map(|key| self.prefers(key)).collect(),
        });
        let rule = if self.is_one() { "" } else { "rule, " };
        format!(
            "/// Returns true if a rule prefers the move to one board over the move to another.\nfn is_better({rule}one: Board, other: Board) -> bool {{\n{body}return false;\n}}\n"
        )
    }

    fn prefers(&self, key: &Key) -> String {
        let name = self.name(key.attribute);
        let sign = if key.aim == Aim::Least { "<" } else { ">" };
        format!("if {name}(one) != {name}(other) {{ return {name}(one) {sign} {name}(other); }}\n")
    }

    /// A rule in words.
    fn words(&self, rule: &StrategyRule) -> String {
        let condition = |condition: &MoveCondition| match *condition {
            MoveCondition::Before(asked) => format!("{} before", self.in_figures(asked)),
            MoveCondition::After(asked) => format!("{} afterwards", self.in_figures(asked)),
            MoveCondition::Change { attribute, change } => {
                format!("{} {}", self.name(attribute), change.words())
            }
            MoveCondition::Mover(letter) => format!("the {} moves", role_word(letter)),
        };
        let guard: Vec<String> = rule.guard.iter().map(condition).collect();
        let key = |key: &Key| format!("the {} {}", key.aim.word(), self.name(key.attribute));
        let keys: Vec<String> = rule.keys.iter().map(key).collect();
        let when = if guard.is_empty() { "any move".into() } else { guard.join(" and ") };
        if keys.is_empty() { when } else { format!("{when}; {}", keys.join(", then ")) }
    }

    fn in_figures(&self, asked: Condition) -> String {
        let Column { name, low, high, .. } = &self.columns[asked.attribute];
        asked.text(name, (*low, *high), |value| value.to_string())
    }
}
