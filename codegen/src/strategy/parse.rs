//! A parser for the small language.
//!
//! The text is part of this program: a mistake in it is a bug and causes a panic.

use crate::language::ast::{Constant, Expr, Function, Operator, Program, Statement, Type, Value};
use std::collections::BTreeMap;

/// Parses a program. The language looks like Rust with fewer types: `name: Board` in parameters, `var`
/// for mutable variables, `number(x)` for 1 if `x` holds, else 0. A number can also be written as a `u8`,
/// and a function can end in the expression that it returns. A parameter that is a `Table` is a list that
/// the function changes for its caller. A number that begins with `0x` is a set of squares; `bit(square)`,
/// `has(bits, square)` and `is_empty(bits)` make and ask such sets. `others` are functions that stand elsewhere, and
/// return a number.
///
/// # Panics
/// If the text has a syntax error.
pub(crate) fn parse(text: &str, others: &[&str]) -> Program {
    let known = [("bit", Type::Bits), ("has", Type::Bool), ("is_empty", Type::Bool)];
    let others = others.iter().map(|&name| (name, Type::Int));
    let types = known.into_iter().chain(others).map(|(name, kind)| (name.into(), kind)).collect();
    let mut parser = Parser { tokens: tokens(text), at: 0, types };
    parser.note_results();
    let (mut program, mut comment) = (Program::default(), Vec::new());
    while parser.at < parser.tokens.len() {
        match parser.next().as_str() {
            "const" => program.constants.push(parser.constant()),
            "fn" => program.functions.push(parser.function(std::mem::take(&mut comment))),
            word => match word.strip_prefix("///") {
                Some(text) => comment.push(text.trim().to_owned()),
                None => parser.stop("const, fn or a comment", word),
            },
        }
    }
    program
}

/// Splits a text into words, numbers, operators, and comments.
fn tokens(text: &str) -> Vec<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens = Vec::new();
    for line in text.lines() {
        let mut rest = line.trim();
        while let Some(first) = rest.chars().next() {
            let pairs = ["->", "..", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>"];
            let length = match first {
                _ if rest.starts_with("//") => rest.len(),
                c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
                _ if pairs.iter().any(|pair| rest.starts_with(pair)) => 2,
                c => c.len_utf8(),
            };
            tokens.push(rest[..length].to_owned());
            rest = rest[length..].trim_start();
        }
    }
    tokens
}

/// The set of squares that a word is.
fn bits(word: &str) -> Option<u64> {
    word.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok())
}

struct Parser {
    tokens: Vec<String>,
    at: usize,
    /// The types of constants, of functions' results, and of the variables of the current function.
    types: BTreeMap<String, Type>,
}

impl Parser {
    fn stop(&self, wanted: &str, found: &str) -> ! {
        let before = self.tokens[self.at.saturating_sub(12)..self.at].join(" ");
        panic!("{wanted} is wanted, not {found:?}: {before}");
    }

    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("the end", String::as_str)
    }

    fn next(&mut self) -> String {
        let token = self.peek().to_owned();
        self.at += 1;
        token
    }

    fn takes(&mut self, wanted: &str) -> bool {
        let takes = self.peek() == wanted;
        self.at += usize::from(takes);
        takes
    }

    fn expect(&mut self, wanted: &str) {
        let found = self.next();
        if found != wanted {
            self.stop(wanted, &found);
        }
    }

    fn constant(&mut self) -> Constant {
        let name = self.next();
        self.expect("=");
        let value = if self.takes("[") {
            self.types.insert(name.clone(), Type::List);
            Value::List(self.list("]"))
        } else if let Some(bits) = bits(self.peek()) {
            self.types.insert(name.clone(), Type::Bits);
            self.at += 1;
            Value::Bits(bits)
        } else {
            self.types.insert(name.clone(), Type::Int);
            let number = self.next();
            Value::Number(number.parse().unwrap_or_else(|_| self.stop("a number", &number)))
        };
        self.expect(";");
        Constant { name, value }
    }

    /// Notes what each function returns, since functions may call those after them.
    fn note_results(&mut self) {
        for at in 0..self.tokens.len() {
            if self.tokens[at] == "fn" {
                let arrow = self.tokens[at..].iter().position(|token| token == "->");
                self.at = at + arrow.unwrap_or(0) + 1;
                let kind = self.kind();
                self.types.insert(self.tokens[at + 1].clone(), kind);
            }
        }
        self.at = 0;
    }

    fn function(&mut self, comment: Vec<String>) -> Function {
        let name = self.next();
        let globals = self.types.clone();
        self.expect("(");
        let mut parameters = Vec::new();
        while !self.takes(")") {
            let name = self.next();
            let kind = if self.takes(":") { self.kind() } else { Type::Int };
            self.types.insert(name.clone(), kind);
            parameters.push((name, kind));
            self.takes(",");
        }
        self.expect("->");
        let returns = self.kind();
        let body = self.block();
        self.types = globals;
        Function { name, comment, parameters, returns, body }
    }

    fn kind(&mut self) -> Type {
        match self.next().as_str() {
            "Board" => Type::Board,
            "bool" => Type::Bool,
            "int" | "u8" => Type::Int,
            "Table" => Type::Table,
            "Bits" => Type::Bits,
            other => self.stop("Board, Table, Bits, bool or int", other),
        }
    }

    fn block(&mut self) -> Vec<Statement> {
        self.expect("{");
        let mut statements = Vec::new();
        while !self.takes("}") {
            statements.push(self.statement());
        }
        statements
    }

    fn statement(&mut self) -> Statement {
        let word = self.next();
        if let Some(text) = word.strip_prefix("//") {
            return Statement::Comment(text.trim().into());
        }
        let statement = match word.as_str() {
            "if" => return self.branches(),
            "while" => {
                let condition = self.expression(0);
                return Statement::While { condition, body: self.block() };
            }
            "for" => {
                let name = self.next();
                self.types.insert(name.clone(), Type::Int);
                self.expect("in");
                let from = self.expression(0);
                self.expect("..");
                let to = self.expression(0);
                return Statement::For { name, from, to, body: self.block() };
            }
            "return" => Statement::Return(self.expression(0)),
            "let" | "var" => {
                let name = self.next();
                self.expect("=");
                let value = self.expression(0);
                let kind = self.kind_of(&value);
                self.types.insert(name.clone(), kind);
                Statement::Let { name, is_mutable: word == "var", kind, value }
            }
            _ => {
                self.at -= 1;
                let to = self.expression(0);
                if self.peek() == "}" {
                    return Statement::Return(to);
                }
                self.expect("=");
                match self.expression(0) {
                    Expr::Binary(operator, left, value) if *left == to && operator.changes() => {
                        Statement::Change { to, operator, value: *value }
                    }
                    value => Statement::Assign { to, value },
                }
            }
        };
        self.expect(";");
        statement
    }

    fn branches(&mut self) -> Statement {
        let (mut arms, mut otherwise) = (Vec::new(), Vec::new());
        loop {
            let condition = self.expression(0);
            arms.push((condition, self.block()));
            if !self.takes("else") {
                break;
            }
            if !self.takes("if") {
                otherwise = self.block();
                break;
            }
        }
        Statement::If { arms, otherwise }
    }

    fn kind_of(&self, value: &Expr) -> Type {
        match value {
            Expr::Name(_, kind) => *kind,
            Expr::Call(name, _) => self.types[name],
            Expr::Zeros(_) => Type::List,
            Expr::Bits(_) | Expr::Complement(_) => Type::Bits,
            Expr::Binary(operator, ..) if operator.makes_bits() => Type::Bits,
            Expr::Not(_) | Expr::Bool(_) => Type::Bool,
            Expr::Binary(operator, ..) if operator.strength() < 4 => Type::Bool,
            _ => Type::Int,
        }
    }

    /// Parses an expression whose operators bind more tightly than `above`.
    fn expression(&mut self, above: u8) -> Expr {
        let mut left = self.primary();
        while let Some((operator, _, strength)) = Operator::ALL
            .into_iter()
            .find(|&(_, sign, strength)| sign == self.peek() && strength > above)
        {
            self.at += 1;
            let right = self.expression(strength);
            left = Expr::Binary(operator, left.into(), right.into());
        }
        left
    }

    fn list(&mut self, end: &str) -> Vec<Expr> {
        let mut items = Vec::new();
        while !self.takes(end) {
            items.push(self.expression(0));
            self.takes(",");
        }
        items
    }

    fn primary(&mut self) -> Expr {
        let word = self.next();
        match word.as_str() {
            "!" => return Expr::Not(self.primary().into()),
            "~" => return Expr::Complement(self.primary().into()),
            "true" | "false" => return Expr::Bool(word == "true"),
            "(" => {
                let inner = self.expression(0);
                self.expect(")");
                return inner;
            }
            "[" => {
                self.expect("0");
                self.expect(";");
                let length = self.expression(0);
                self.expect("]");
                return Expr::Zeros(length.into());
            }
            _ => {}
        }
        if let Ok(number) = word.parse() {
            return Expr::Number(number);
        }
        if let Some(bits) = bits(&word) {
            return Expr::Bits(bits);
        }
        if word == "number" && self.takes("(") {
            let inner = self.expression(0);
            self.expect(")");
            return Expr::AsNumber(inner.into());
        }
        let Some(&kind) = self.types.get(&word) else { self.stop("a known name", &word) };
        if self.takes("(") {
            let lent = |value| match value {
                Expr::Name(list, Type::List) => Expr::Lent(list),
                value => value,
            };
            return Expr::Call(word, self.list(")").into_iter().map(lent).collect());
        }
        if self.takes("[") {
            let at = self.expression(0).into();
            self.expect("]");
            return Expr::Index { list: word, kind, at };
        }
        Expr::Name(word, kind)
    }
}
