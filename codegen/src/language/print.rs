//! Prints a program: the parts that are common to all languages, and a trait for the differences.

use crate::language::ast::{Constant, Expr, Function, Operator, Program, Statement, Type, Value};
use crate::writer::Writer;

/// The syntax of a language, where languages differ.
pub(crate) trait Dialect {
    /// The start of a comment.
    const COMMENT: &'static str;
    /// The end of a simple statement.
    const END: &'static str;
    /// The end of a line that opens a block, and the line that closes the block.
    const BLOCK: [&'static str; 2];
    /// The start of a further condition.
    const ELSE_IF: &'static str;
    /// The words for false and true.
    const TRUTH: [&'static str; 2];
    /// The text before and after conditions.
    const AROUND: [&'static str; 2];
    /// True if a block of one short statement may be on the line that opens it.
    const IS_SHORT: bool;

    /// Writes numeric constants.
    fn constants(out: &mut Writer, numbers: &[(&str, usize)]);
    fn list(name: &str, items: &[String]) -> String;
    /// The line that opens a function.
    fn function(function: &Function) -> String;
    /// A variable definition.
    fn variable(name: &str, is_mutable: bool, kind: Type, value: &Expr) -> String;
    /// The line that opens a loop over numbers, without the block opener.
    fn counted(name: &str, from: &str, to: &str) -> String;
    /// An element of a list or board.
    fn index(list: &str, kind: Type, at: &str) -> String;
    fn operator(operator: Operator) -> &'static str;
    /// A binary operator with its operands.
    fn binary(operator: Operator, left: &str, right: &str) -> String {
        format!("{left} {} {right}", Self::operator(operator))
    }
    fn not(inner: &str) -> String;
    /// The conversion of a truth value to 1 or 0.
    fn as_number(inner: &str) -> String;
    /// A copy of a board.
    fn copy(name: &str) -> String {
        name.into()
    }
}

/// Writes a program, without head and entry.
pub(crate) fn program<D: Dialect>(out: &mut Writer, program: &Program) {
    let mut numbers = Vec::new();
    let mut lists = Vec::new();
    for Constant { name, value } in &program.constants {
        match value {
            Value::Number(number) => numbers.push((name.as_str(), *number)),
            Value::List(items) => lists.push(D::list(name, &expressions::<D>(items))),
        }
    }
    D::constants(out, &numbers);
    lists.iter().for_each(|list| out.line(list));
    let mut was_short = false;
    for one in &program.functions {
        let short = short_function::<D>(one);
        if !(was_short && short.is_some() && one.comment.is_empty()) {
            out.line("");
        }
        if !one.comment.is_empty() {
            comment::<D>(out, &one.comment.join(" "));
        }
        was_short = short.is_some();
        match short {
            Some(line) => out.line(line),
            None => block::<D>(out, &D::function(one), &one.body),
        }
    }
}

/// A function on one line, if it is short and the language allows it.
fn short_function<D: Dialect>(one: &Function) -> Option<String> {
    let ([only @ Statement::Return(_)], true) = (one.body.as_slice(), D::IS_SHORT) else {
        return None;
    };
    let line = format!("{}{} {} {}", D::function(one), D::BLOCK[0], simple::<D>(only), D::BLOCK[1]);
    (line.len() <= WIDTH).then_some(line)
}

/// The greatest width of a comment, and of a function on one line.
const WIDTH: usize = 100;

/// Writes a comment, broken between words.
pub(crate) fn comment<D: Dialect>(out: &mut Writer, text: &str) {
    wrapped(text).iter().for_each(|line| out.comment(D::COMMENT, line));
}

/// The lines of a comment, broken between words.
pub(crate) fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is one");
        if line.is_empty() {
            *line = word.into();
        } else if line.len() + word.len() + 4 > WIDTH {
            lines.push(word.into());
        } else {
            *line += " ";
            *line += word;
        }
    }
    lines.into_iter().map(ended).collect()
}

/// Makes sure that a comment line ends at its end: C would continue it after a backslash, also one
/// written as `??/`.
fn ended(line: String) -> String {
    if line.ends_with('\\') || line.ends_with("??/") { line + " ." } else { line }
}

fn expressions<D: Dialect>(all: &[Expr]) -> Vec<String> {
    all.iter().map(expression::<D>).collect()
}

fn block<D: Dialect>(out: &mut Writer, open: &str, body: &[Statement]) {
    if let ([only], true) = (body, D::IS_SHORT)
        && short_block::<D>(out, open, only)
    {
        return;
    }
    out.line(format_args!("{open}{}", D::BLOCK[0]));
    out.indented(|out| body.iter().for_each(|one| statement::<D>(out, one)));
    if !D::BLOCK[1].is_empty() {
        out.line(D::BLOCK[1]);
    }
}

/// Writes a block of one statement without brackets, on one or two lines, if it is short; returns true
/// if it did.
fn short_block<D: Dialect>(out: &mut Writer, open: &str, only: &Statement) -> bool {
    let is_if = open.starts_with("if ");
    if !is_if && !open.starts_with("for ") {
        return false;
    }
    if is_simple(only) {
        let (line, whole) = (simple::<D>(only), format!("{open} {}", simple::<D>(only)));
        if is_if && out.fits(&whole) {
            out.line(whole);
        } else {
            out.line(open);
            out.indented(|out| out.line(line));
        }
        return true;
    }
    let Some(line) = short_if::<D>(out, only) else { return false };
    out.line(open);
    out.indented(|out| out.line(line));
    true
}

/// Returns true if a statement has no blocks.
fn is_simple(one: &Statement) -> bool {
    matches!(one, Statement::Return(_) | Statement::Assign { .. } | Statement::Add { .. })
}

/// A condition and its statement on one line, if they fit there one step further in.
fn short_if<D: Dialect>(out: &mut Writer, one: &Statement) -> Option<String> {
    let Statement::If { arms, otherwise } = one else { return None };
    let ([(condition, body)], []) = (arms.as_slice(), otherwise.as_slice()) else { return None };
    let [only] = body.as_slice() else { return None };
    let [left, right] = D::AROUND;
    let open = format!("if {left}{}{right}", expression::<D>(condition));
    let line = is_simple(only).then(|| format!("{open} {}", simple::<D>(only)))?;
    let mut fits = false;
    out.indented(|out| fits = out.fits(&line));
    fits.then_some(line)
}

fn statement<D: Dialect>(out: &mut Writer, one: &Statement) {
    let [left, right] = D::AROUND;
    let around = |condition: &Expr| format!("{left}{}{right}", expression::<D>(condition));
    match one {
        Statement::Comment(text) => comment::<D>(out, text),
        Statement::If { arms, otherwise } => {
            if let ([(condition, body)], []) = (arms.as_slice(), otherwise.as_slice()) {
                return block::<D>(out, &format!("if {}", around(condition)), body);
            }
            let mut start = "if ";
            for (condition, body) in arms {
                out.line(format_args!("{start}{}{}", around(condition), D::BLOCK[0]));
                out.indented(|out| body.iter().for_each(|one| statement::<D>(out, one)));
                start = D::ELSE_IF;
            }
            if !otherwise.is_empty() {
                out.line(format_args!("{}else{}", D::BLOCK[1].replace('}', "} "), D::BLOCK[0]));
                out.indented(|out| otherwise.iter().for_each(|one| statement::<D>(out, one)));
            }
            if !D::BLOCK[1].is_empty() {
                out.line(D::BLOCK[1]);
            }
        }
        Statement::For { name, from, to, body } => {
            let open = D::counted(name, &expression::<D>(from), &expression::<D>(to));
            block::<D>(out, &open, body);
        }
        Statement::While { condition, body } => {
            block::<D>(out, &format!("while {}", around(condition)), body);
        }
        simple_one => out.line(simple::<D>(simple_one)),
    }
}

/// A statement without blocks.
fn simple<D: Dialect>(statement: &Statement) -> String {
    let text = match statement {
        Statement::Let { name, is_mutable, kind, value } => {
            D::variable(name, *is_mutable, *kind, value)
        }
        Statement::Assign { to, value } => {
            format!("{} = {}", expression::<D>(to), given::<D>(value))
        }
        Statement::Add { to, value } => {
            format!("{} += {}", expression::<D>(to), expression::<D>(value))
        }
        Statement::Return(value) => format!("return {}", expression::<D>(value)),
        other => unreachable!("{other:?} has blocks"),
    };
    text + D::END
}

/// A value to be assigned to a variable.
pub(crate) fn given<D: Dialect>(value: &Expr) -> String {
    match value {
        Expr::Name(name, Type::Board) => D::copy(name),
        _ => expression::<D>(value),
    }
}

/// An expression.
pub(crate) fn expression<D: Dialect>(value: &Expr) -> String {
    match value {
        Expr::Number(number) => number.to_string(),
        Expr::Bool(truth) => D::TRUTH[usize::from(*truth)].into(),
        Expr::Name(name, _) => name.clone(),
        Expr::Index { list, kind, at } => D::index(list, *kind, &expression::<D>(at)),
        Expr::Call(name, arguments) => {
            format!("{name}({})", expressions::<D>(arguments).join(", "))
        }
        Expr::AsNumber(inner) => D::as_number(&expression::<D>(inner)),
        Expr::Not(inner) => D::not(&within::<D>(inner, u8::MAX, false)),
        Expr::Zeros(length) => format!("[0; {}]", expression::<D>(length)),
        Expr::Binary(operator, left, right) => D::binary(
            *operator,
            &within::<D>(left, operator.strength(), true),
            &within::<D>(right, operator.strength(), false),
        ),
    }
}

/// An operand, in brackets if needed.
fn within<D: Dialect>(operand: &Expr, outer: u8, is_left: bool) -> String {
    let text = expression::<D>(operand);
    if operand.needs_brackets(outer, is_left) { format!("({text})") } else { text }
}
