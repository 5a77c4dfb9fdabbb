//! Prints a program in C99, Python 3 or JavaScript: one printer, and a table of the differences.

use crate::language::ast::{Constant, Expr, Function, Operator, Program, Statement, Type, Value};
use crate::writer::Writer;

/// The syntax of a language, where languages differ. A pair of texts stands before and after something.
#[derive(Clone, Copy)]
pub(crate) struct Dialect {
    /// The start of a comment.
    comment: &'static str,
    /// The end of a simple statement.
    end: &'static str,
    /// The end of a line that opens a block, and the line that closes the block.
    block: [&'static str; 2],
    /// The start of a further condition.
    else_if: &'static str,
    /// The words for false and true.
    truth: [&'static str; 2],
    condition: [&'static str; 2],
    /// True if a block of one short statement may be on the line that opens it.
    is_short: bool,
    /// Writes numeric constants.
    constants: fn(&mut Writer, &[(&str, usize)]),
    /// A constant list, by name, length and items.
    list: fn(&str, usize, &str) -> String,
    parameter: fn(&str, Type) -> String,
    /// True if a function has to be declared before it is called.
    declares: bool,
    /// The line that opens a function, by name, result and parameters.
    function: fn(&str, Type, &str) -> String,
    /// The part of a variable definition before the value, by name; true if the variable is mutable.
    variable: fn(&str, bool, Type) -> String,
    /// The definition of a list of zeros, by its part before the value and its length.
    zeros: fn(&str, &str) -> String,
    /// The line that opens a loop over numbers, by name and bounds, without the block opener.
    counted: fn(&str, &str, &str) -> String,
    /// The part of a board that is a list.
    squares: &'static str,
    /// The operators that are not written as in the small language.
    operators: &'static [(Operator, &'static str)],
    /// The texts before, between and after the operands of a division.
    over: [&'static str; 3],
    not: [&'static str; 2],
    /// The conversion of a truth value to 1 or 0.
    as_number: [&'static str; 2],
    /// A copy of a board.
    copy: [&'static str; 2],
    /// A set of squares.
    bits: fn(u64) -> String,
    /// The definition of a constant set, by its name and value.
    set: fn(&str, &str) -> String,
    /// The texts before and after a set, for all squares but those.
    complement: [&'static str; 2],
    /// The functions that stand for operators on sets, if the language has none.
    functions: &'static [(Operator, &'static str)],
    /// The text after a set that has been moved up, which takes away what is beyond h8.
    up: &'static str,
}

pub(crate) const C: Dialect = Dialect {
    comment: "//",
    end: ";",
    block: [" {", "}"],
    else_if: "} else if ",
    truth: ["0", "1"],
    condition: ["(", ")"],
    is_short: true,
    constants: enumerators,
    list: |name, length, items| format!("static const int {name}[{length}] = {{{items}}};"),
    parameter: |name, kind| match kind {
        Type::List => format!("const int *{name}"),
        Type::Table => format!("int *{name}"),
        kind => format!("{} {name}", c_type(kind)),
    },
    declares: true,
    function: |name, returns, all| format!("static {} {name}({all})", c_type(returns)),
    variable: |name, _, kind| format!("{} {name}", c_type(kind)),
    zeros: |variable, length| format!("{variable}[{length}] = {{0}}"),
    counted: |name, from, to| format!("for (int {name} = {from}; {name} < {to}; {name}++)"),
    squares: ".at",
    operators: &[],
    over: ["", " / ", ""],
    not: ["!", ""],
    as_number: ["(", ")"],
    copy: ["", ""],
    bits: |bits| if bits == 0 { "0".into() } else { format!("{bits:#018x}ULL") },
    set: |name, value| format!("static const Bits {name} = {value};"),
    complement: ["~", ""],
    functions: &[],
    up: "",
};

pub(crate) const JAVASCRIPT: Dialect = Dialect {
    truth: ["false", "true"],
    constants: |out, numbers| {
        numbers.iter().for_each(|(name, value)| out.line(format_args!("const {name} = {value};")));
    },
    list: |name, _, items| format!("const {name} = [{items}];"),
    parameter: |name, _| name.into(),
    declares: false,
    function: |name, _, all| format!("function {name}({all})"),
    variable: |name, is_mutable, _| format!("{} {name}", if is_mutable { "let" } else { "const" }),
    zeros: |variable, length| format!("{variable} = new Array({length}).fill(0)"),
    counted: |name, from, to| format!("for (let {name} = {from}; {name} < {to}; {name}++)"),
    squares: "",
    operators: &[(Operator::Equal, "==="), (Operator::Differs, "!==")],
    // All numbers are non-negative, and JavaScript has no integer division.
    over: ["Math.floor(", " / ", ")"],
    as_number: ["Number(", ")"],
    copy: ["", ".slice()"],
    bits: |bits| format!("bits({}, {})", bits as u32 as i32, (bits >> 32) as u32 as i32),
    set: |name, value| format!("const {name} = {value};"),
    complement: ["not(", ")"],
    functions: &[
        (Operator::Either, "or"),
        (Operator::Both, "and"),
        (Operator::Up, "up"),
        (Operator::Down, "down"),
    ],
    ..C
};

pub(crate) const PYTHON: Dialect = Dialect {
    comment: "#",
    end: "",
    block: [":", ""],
    else_if: "elif ",
    truth: ["False", "True"],
    condition: ["", ""],
    is_short: false,
    constants: |out, numbers| {
        numbers.iter().for_each(|(name, value)| out.line(format_args!("{name} = {value}")));
    },
    list: |name, _, items| format!("{name} = [{items}]"),
    function: |name, _, all| format!("def {name}({all})"),
    variable: |name, _, _| name.into(),
    zeros: |variable, length| format!("{variable} = [0] * {length}"),
    counted: |name, from, to| match from {
        "0" => format!("for {name} in range({to})"),
        _ => format!("for {name} in range({from}, {to})"),
    },
    operators: &[(Operator::Or, "or"), (Operator::And, "and")],
    over: ["", " // ", ""],
    not: ["(not ", ")"],
    as_number: ["int(", ")"],
    copy: ["list(", ")"],
    bits: |bits| if bits == 0 { "0".into() } else { format!("{bits:#018x}") },
    set: |name, value| format!("{name} = {value}"),
    complement: ["~", ""],
    functions: &[],
    up: " & ALL",
    ..JAVASCRIPT
};

/// The list that is a variable of the whole program, not a parameter as in the small language.
const GLOBAL: &str = "table";

/// The greatest width of the enumerators on a line.
const ENUMERATORS: usize = 99;

/// Writes numeric constants of C.
fn enumerators(out: &mut Writer, numbers: &[(&str, usize)]) {
    let mut lines: Vec<String> = Vec::new();
    for (name, value) in numbers {
        let next = format!("{name} = {value}");
        match lines.last_mut() {
            Some(line) if line.len() + next.len() + 2 <= ENUMERATORS => {
                *line += &format!(", {next}");
            }
            _ => lines.push(next),
        }
    }
    lines.iter().for_each(|line| out.line(format_args!("enum {{ {line} }};")));
}

fn c_type(kind: Type) -> &'static str {
    match kind {
        Type::Board => "Board",
        Type::Bits => "Bits",
        _ => "int",
    }
}

impl Dialect {
    /// The text of a whole file: comments, what comes before the program, the program, the entry.
    pub(crate) fn file(
        &self,
        head: &[String],
        before: &str,
        program: &Program,
        entry: &str,
    ) -> String {
        let mut out = Writer::default();
        head.iter().for_each(|text| self.write_comment(&mut out, text));
        out.line("");
        if !before.is_empty() {
            out.line(before);
        }
        self.write_program(&mut out, program);
        out.line("");
        out.line(entry);
        out.finish()
    }

    /// Writes a program, without head and entry.
    fn write_program(&self, out: &mut Writer, program: &Program) {
        let mut numbers = Vec::new();
        let mut lists = Vec::new();
        for Constant { name, value } in &program.constants {
            match value {
                Value::Number(number) => numbers.push((name.as_str(), *number)),
                Value::List(items) => {
                    lists.push((self.list)(name, items.len(), &self.expressions(items)));
                }
                Value::Bits(bits) => lists.push((self.set)(name, &(self.bits)(*bits))),
            }
        }
        (self.constants)(out, &numbers);
        lists.iter().for_each(|list| out.line(list));
        let early: Vec<&Function> = program.called_early().filter(|_| self.declares).collect();
        if !early.is_empty() {
            out.line("");
        }
        early.iter().for_each(|one| out.line(format_args!("{}{}", self.function(one), self.end)));
        let mut is_first = true;
        for one in &program.functions {
            let short = self.short_function(one);
            // Brackets keep functions apart where blocks have them.
            if !self.is_short || is_first {
                out.line("");
            }
            is_first = false;
            if !one.comment.is_empty() {
                self.write_comment(out, &one.comment.join(" "));
            }
            match short {
                Some(line) => out.line(line),
                None => self.write_block(out, &self.function(one), &one.body),
            }
        }
    }

    /// The line that opens a function.
    fn function(&self, Function { name, parameters, returns, .. }: &Function) -> String {
        let parameters: Vec<String> = parameters
            .iter()
            .filter(|(name, _)| name != GLOBAL)
            .map(|(name, kind)| (self.parameter)(name, *kind))
            .collect();
        (self.function)(name, *returns, &parameters.join(", "))
    }

    /// A function on one line, if it is short and the language allows it.
    fn short_function(&self, one: &Function) -> Option<String> {
        if !self.is_short || one.body.len() > 3 {
            return None;
        }
        let body: Option<Vec<String>> = one.body.iter().map(|one| self.inline(one)).collect();
        let ([open, close], body) = (self.block, body?.join(" "));
        let line = format!("{}{open} {body} {close}", self.function(one));
        Writer::default().has_room(&line).then_some(line)
    }

    /// Writes a comment, broken between words.
    fn write_comment(&self, out: &mut Writer, text: &str) {
        let width = out.room() - self.comment.len() - 1;
        wrapped_to(text, width).iter().for_each(|line| out.comment(self.comment, line));
    }

    fn expressions(&self, all: &[Expr]) -> String {
        let is_global = |one: &&Expr| matches!(one, Expr::Name(name, _) if name == GLOBAL);
        all.iter()
            .filter(|one| !is_global(one))
            .map(|one| self.expression(one))
            .collect::<Vec<_>>()
            .join(", ")
    }

    fn write_block(&self, out: &mut Writer, open: &str, body: &[Statement]) {
        if let ([only], true) = (body, self.is_short)
            && self.short_block(out, open, only)
        {
            return;
        }
        if let ([only @ Statement::For { .. }], true) = (body, self.is_short)
            && open.starts_with("for ")
        {
            out.line(open);
            return out.indented(|out| self.write_statement(out, only));
        }
        if let Some(line) = self.one_line(open, body).filter(|line| out.has_room(line)) {
            return out.line(line);
        }
        self.write_body(out, open, body);
        self.close_block(out);
    }

    /// A block of a few statements without blocks as one line, if the language allows it.
    fn one_line(&self, open: &str, body: &[Statement]) -> Option<String> {
        let is_short = self.is_short && (2..=4).contains(&body.len());
        let fits = |one: &Statement| is_simple(one) || matches!(one, Statement::Let { .. });
        (is_short && body.iter().all(fits)).then(|| {
            let body: Vec<String> = body.iter().map(|one| self.simple(one)).collect();
            format!("{open}{} {} {}", self.block[0], body.join(" "), self.block[1])
        })
    }

    /// Writes the line that opens a block, and what is in it.
    fn write_body(&self, out: &mut Writer, open: &str, body: &[Statement]) {
        out.line(format_args!("{open}{}", self.block[0]));
        out.indented(|out| self.write_statements(out, body));
    }

    /// Writes statements; definitions of one type after each other are one statement if they fit on a line.
    fn write_statements(&self, out: &mut Writer, body: &[Statement]) {
        let mut rest = body;
        while let [first, others @ ..] = rest {
            rest = others;
            if let [last] = rest
                && let Some(line) = self.choice(first, last).filter(|line| out.has_room(line))
            {
                return out.line(line);
            }
            if !self.is_short || !matches!(first, Statement::Let { .. }) {
                self.write_statement(out, first);
                continue;
            }
            let mut line = self.simple(first);
            while let [next @ Statement::Let { .. }, others @ ..] = rest
                && let Some(longer) = self.joined(&line, &self.simple(next))
                && out.has_room(&longer)
            {
                line = longer;
                rest = others;
            }
            out.line(line);
        }
    }

    /// A conditional return and the return after it as one, if the language allows it.
    fn choice(&self, first: &Statement, last: &Statement) -> Option<String> {
        let (Statement::If { arms, otherwise }, Statement::Return(other)) = (first, last) else {
            return None;
        };
        let ([(condition, body)], true) = (arms.as_slice(), self.is_short && otherwise.is_empty())
        else {
            return None;
        };
        let [Statement::Return(one)] = body.as_slice() else { return None };
        let [condition, one, other] = [condition, one, other].map(|one| self.expression(one));
        Some(format!("return {condition} ? {one} : {other}{}", self.end))
    }

    /// Two definitions as one, if they begin with the same word.
    fn joined(&self, one: &str, other: &str) -> Option<String> {
        let word = one.split_once(' ')?.0;
        let other = other.strip_prefix(word)?.strip_prefix(' ')?;
        Some(format!("{}, {other}", one.strip_suffix(self.end)?))
    }

    fn close_block(&self, out: &mut Writer) {
        if !self.block[1].is_empty() {
            out.line(self.block[1]);
        }
    }

    /// Writes a block of one statement without brackets, on one or two lines, if it is short; returns true
    /// if it did.
    fn short_block(&self, out: &mut Writer, open: &str, only: &Statement) -> bool {
        if !["if ", "for ", "while "].iter().any(|word| open.starts_with(word)) {
            return false;
        }
        let line = if is_simple(only) {
            let line = self.simple(only);
            let whole = format!("{open} {line}");
            if out.has_room(&whole) {
                out.line(whole);
                return true;
            }
            line
        } else {
            let Some(line) = self.short_if(out, only) else { return false };
            line
        };
        out.line(open);
        out.indented(|out| out.line(line));
        true
    }

    /// A statement without blocks, or a condition and its return, on one line.
    fn inline(&self, one: &Statement) -> Option<String> {
        match one {
            Statement::Let { .. } => Some(self.simple(one)),
            one if is_simple(one) => Some(self.simple(one)),
            Statement::If { arms, otherwise } if otherwise.is_empty() => match arms.as_slice() {
                [(condition, body)] => match body.as_slice() {
                    [only @ Statement::Return(_)] => {
                        let tested = around(self.condition, &self.expression(condition));
                        Some(format!("if {tested} {}", self.simple(only)))
                    }
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// A condition and its statement on one line, if they fit there one step further in.
    fn short_if(&self, out: &mut Writer, one: &Statement) -> Option<String> {
        let Statement::If { arms, otherwise } = one else { return None };
        let ([(condition, body)], []) = (arms.as_slice(), otherwise.as_slice()) else {
            return None;
        };
        let open = format!("if {}", around(self.condition, &self.expression(condition)));
        let line = match body.as_slice() {
            [only] => is_simple(only).then(|| format!("{open} {}", self.simple(only)))?,
            body => self.one_line(&open, body)?,
        };
        let mut fits = false;
        out.indented(|out| fits = out.has_room(&line));
        fits.then_some(line)
    }

    fn write_statement(&self, out: &mut Writer, one: &Statement) {
        let tested = |condition: &Expr| around(self.condition, &self.expression(condition));
        match one {
            Statement::Comment(text) => self.write_comment(out, text),
            Statement::If { arms, otherwise } => {
                if let ([(condition, body)], []) = (arms.as_slice(), otherwise.as_slice()) {
                    return self.write_block(out, &format!("if {}", tested(condition)), body);
                }
                let mut start = "if ";
                for (condition, body) in arms {
                    self.write_body(out, &format!("{start}{}", tested(condition)), body);
                    start = self.else_if;
                }
                if !otherwise.is_empty() {
                    let open = self.block[1].replace('}', "} ") + "else";
                    self.write_body(out, &open, otherwise);
                }
                self.close_block(out);
            }
            Statement::For { name, from, to, body } => {
                let open = (self.counted)(name, &self.expression(from), &self.expression(to));
                self.write_block(out, &open, body);
            }
            Statement::While { condition, body } => {
                self.write_block(out, &format!("while {}", tested(condition)), body);
            }
            simple_one => out.line(self.simple(simple_one)),
        }
    }

    /// A statement without blocks.
    fn simple(&self, statement: &Statement) -> String {
        let text = match statement {
            Statement::Let { name, is_mutable, kind, value } => {
                let variable = (self.variable)(name, *is_mutable, *kind);
                match value {
                    Expr::Zeros(length) => (self.zeros)(&variable, &self.expression(length)),
                    _ => format!("{variable} = {}", self.given(value)),
                }
            }
            Statement::Assign { to, value } => {
                format!("{} = {}", self.expression(to), self.given(value))
            }
            Statement::Change { to, operator, value } => {
                let [to, value] = [to, value].map(|one| self.expression(one));
                match self.functions.iter().find(|(one, _)| one == operator) {
                    Some((_, name)) => format!("{to} = {name}({to}, {value})"),
                    None => format!("{to} {}= {value}", operator.sign()),
                }
            }
            Statement::Return(value) => format!("return {}", self.expression(value)),
            other => unreachable!("{other:?} has blocks"),
        };
        text + self.end
    }

    /// A value to be assigned to a variable.
    fn given(&self, value: &Expr) -> String {
        match value {
            Expr::Name(name, Type::Board) => around(self.copy, name),
            _ => self.expression(value),
        }
    }

    /// An expression.
    fn expression(&self, value: &Expr) -> String {
        match value {
            Expr::Number(number) => number.to_string(),
            Expr::Bool(truth) => self.truth[usize::from(*truth)].into(),
            Expr::Name(name, _) | Expr::Lent(name) => name.clone(),
            Expr::Index { list, kind, at } => {
                let squares = if *kind == Type::Board { self.squares } else { "" };
                format!("{list}{squares}[{}]", self.expression(at))
            }
            Expr::Call(name, arguments) => {
                format!("{name}({})", self.expressions(arguments))
            }
            Expr::AsNumber(inner) => around(self.as_number, &self.expression(inner)),
            Expr::Not(inner) => around(self.not, &self.within(inner, u8::MAX, false)),
            Expr::Zeros(length) => format!("[0; {}]", self.expression(length)),
            Expr::Bits(bits) => (self.bits)(*bits),
            Expr::Complement(inner) => around(self.complement, &self.within(inner, u8::MAX, false)),
            Expr::Binary(operator, left, right) => {
                if let Some((_, name)) = self.functions.iter().find(|(one, _)| one == operator) {
                    let [left, right] = [left, right].map(|operand| self.expression(operand));
                    return format!("{name}({left}, {right})");
                }
                let left = self.within(left, operator.strength(), true);
                let right = self.within(right, operator.strength(), false);
                if *operator == Operator::Over {
                    let [before, between, after] = self.over;
                    return format!("{before}{left}{between}{right}{after}");
                }
                let own = self.operators.iter().find(|(one, _)| one == operator);
                let sign = own.map_or(operator.sign(), |(_, sign)| sign);
                let end = if *operator == Operator::Up { self.up } else { "" };
                format!("{left} {sign} {right}{end}")
            }
        }
    }

    /// An operand, in brackets if needed.
    fn within(&self, operand: &Expr, outer: u8, is_left: bool) -> String {
        let text = self.expression(operand);
        if operand.needs_brackets(outer, is_left) { format!("({text})") } else { text }
    }
}

/// A text between two others.
fn around([before, after]: [&str; 2], text: &str) -> String {
    format!("{before}{text}{after}")
}

/// Returns true if a statement has no blocks.
fn is_simple(one: &Statement) -> bool {
    matches!(one, Statement::Return(_) | Statement::Assign { .. } | Statement::Change { .. })
}

/// The greatest width of a comment of Rust.
const WIDTH: usize = 100;

/// The lines of a comment, broken between words.
pub(crate) fn wrapped(text: &str) -> Vec<String> {
    wrapped_to(text, WIDTH - 3)
}

/// The lines of a comment, broken between words before a width is exceeded.
fn wrapped_to(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is one");
        if line.is_empty() {
            *line = word.into();
        } else if line.len() + word.len() + 1 > width {
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
