//! The syntax tree of the small language, in which a tree or the chess of a strategy is written once
//! before it is printed as Rust, C, Python or JavaScript: non-negative numbers, boards, lists, sets of
//! squares, functions, loops.

use std::collections::BTreeSet;

/// The type of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type {
    /// A non-negative integer.
    Int,
    /// A truth value.
    Bool,
    /// The squares of all men; copied, never shared.
    Board,
    /// A list of numbers of fixed length.
    List,
    /// A list of numbers that a function changes for its caller.
    Table,
    /// A set of squares.
    Bits,
}

/// Constants, each before its uses, and functions.
#[derive(Debug, Default)]
pub(crate) struct Program {
    pub(crate) constants: Vec<Constant>,
    pub(crate) functions: Vec<Function>,
}

/// A number, a list of numbers or a set of squares.
#[derive(Debug)]
pub(crate) struct Constant {
    pub(crate) name: String,
    pub(crate) value: Value,
}

#[derive(Debug)]
pub(crate) enum Value {
    Number(usize),
    List(Vec<Expr>),
    Bits(u64),
}

#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    /// The doc comment, by line.
    pub(crate) comment: Vec<String>,
    pub(crate) parameters: Vec<(String, Type)>,
    pub(crate) returns: Type,
    pub(crate) body: Vec<Statement>,
}

#[derive(Debug)]
pub(crate) enum Statement {
    Comment(String),
    Let {
        name: String,
        is_mutable: bool,
        kind: Type,
        value: Expr,
    },
    Assign {
        to: Expr,
        value: Expr,
    },
    /// `to = to operator value`.
    Change {
        to: Expr,
        operator: Operator,
        value: Expr,
    },
    If {
        arms: Vec<(Expr, Vec<Statement>)>,
        otherwise: Vec<Statement>,
    },
    For {
        name: String,
        from: Expr,
        to: Expr,
        body: Vec<Statement>,
    },
    While {
        condition: Expr,
        body: Vec<Statement>,
    },
    Return(Expr),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Expr {
    Number(usize),
    Bool(bool),
    Name(String, Type),
    Index {
        list: String,
        kind: Type,
        at: Box<Expr>,
    },
    Call(String, Vec<Expr>),
    /// 1 for true, 0 for false.
    AsNumber(Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    /// A set of squares, a1 being the lowest bit.
    Bits(u64),
    /// All squares but those of a set.
    Complement(Box<Expr>),
    /// A list of zeros, with its length.
    Zeros(Box<Expr>),
    /// A list of the caller, for a function that changes it.
    Lent(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Or,
    And,
    Equal,
    Differs,
    AtMost,
    AtLeast,
    Less,
    Greater,
    Plus,
    Minus,
    Times,
    Over,
    Modulo,
    /// A square mirrored: 7 turns its file, 56 its rank.
    Xor,
    /// The squares that are in either set.
    Either,
    /// The squares that are in both sets.
    Both,
    /// A set of squares moved towards h8.
    Up,
    /// A set of squares moved towards a1.
    Down,
}

impl Operator {
    /// All operators in the order of the enum, each before those whose text begins its own, with its text
    /// in this language, Rust and C, and its precedence.
    pub(crate) const ALL: [(Self, &'static str, u8); 18] = [
        (Self::Or, "||", 1),
        (Self::And, "&&", 2),
        (Self::Equal, "==", 3),
        (Self::Differs, "!=", 3),
        (Self::AtMost, "<=", 3),
        (Self::AtLeast, ">=", 3),
        (Self::Less, "<", 3),
        (Self::Greater, ">", 3),
        (Self::Plus, "+", 4),
        (Self::Minus, "-", 4),
        (Self::Times, "*", 5),
        (Self::Over, "/", 5),
        (Self::Modulo, "%", 5),
        (Self::Xor, "^", 6),
        (Self::Either, "|", 6),
        (Self::Both, "&", 7),
        (Self::Up, "<<", 8),
        (Self::Down, ">>", 8),
    ];

    /// The text.
    pub(crate) fn sign(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// The precedence.
    pub(crate) fn strength(self) -> u8 {
        Self::ALL[self as usize].2
    }

    /// Returns true if it can be written together with an assignment.
    pub(crate) fn changes(self) -> bool {
        matches!(self, Self::Plus | Self::Minus | Self::Either | Self::Both)
    }

    /// Returns true if the result is a set of squares.
    pub(crate) fn makes_bits(self) -> bool {
        matches!(self, Self::Either | Self::Both | Self::Up | Self::Down)
    }
}

impl Expr {
    /// Returns true if an operand needs brackets. An "or" within an "and" and an "and" within an "or" get
    /// them for the reader, also those of sets; comparisons within comparisons get them because languages
    /// parse them differently.
    pub(crate) fn needs_brackets(&self, outer: u8, is_left: bool) -> bool {
        let Self::Binary(operator, ..) = self else { return false };
        let inner = operator.strength();
        let is_mixed = (outer, inner) == (Operator::Either.strength(), Operator::Both.strength());
        let is_plain = inner > outer && outer > 2 && !is_mixed || inner > 2 && outer <= 2;
        let goes_on = inner == outer && is_left && inner != 3;
        !is_plain && !goes_on
    }

    /// Calls `seen` with every name in the expression.
    fn visit(&self, seen: &mut impl FnMut(&str)) {
        match self {
            Self::Number(_) | Self::Bool(_) | Self::Bits(_) => {}
            Self::Name(name, _) | Self::Lent(name) => seen(name),
            Self::Index { list, at, .. } => {
                seen(list);
                at.visit(seen);
            }
            Self::Call(name, arguments) => {
                seen(name);
                arguments.iter().for_each(|argument| argument.visit(seen));
            }
            Self::Binary(_, left, right) => {
                left.visit(seen);
                right.visit(seen);
            }
            Self::AsNumber(inner)
            | Self::Not(inner)
            | Self::Complement(inner)
            | Self::Zeros(inner) => inner.visit(seen),
        }
    }
}

/// Calls `seen` with every name in the statements.
fn visit_all(statements: &[Statement], seen: &mut impl FnMut(&str)) {
    for statement in statements {
        match statement {
            Statement::Comment(_) => {}
            Statement::Let { value, .. } | Statement::Return(value) => value.visit(seen),
            Statement::Assign { to, value } | Statement::Change { to, value, .. } => {
                to.visit(seen);
                value.visit(seen);
            }
            Statement::If { arms, otherwise } => {
                for (condition, body) in arms {
                    condition.visit(seen);
                    visit_all(body, seen);
                }
                visit_all(otherwise, seen);
            }
            Statement::For { from, to, body, .. } => {
                from.visit(seen);
                to.visit(seen);
                visit_all(body, seen);
            }
            Statement::While { condition, body } => {
                condition.visit(seen);
                visit_all(body, seen);
            }
        }
    }
}

impl Function {
    /// Returns true if it calls a function.
    pub(crate) fn calls(&self, other: &str) -> bool {
        let mut calls = false;
        visit_all(&self.body, &mut |name| calls |= name == other);
        calls
    }
}

impl Program {
    /// The functions that are called by one before them.
    pub(crate) fn called_early(&self) -> impl Iterator<Item = &Function> {
        let all = self.functions.iter().enumerate();
        let is_early = |at: usize, one: &Function| {
            self.functions[..at].iter().any(|other| other.calls(&one.name))
        };
        all.filter(move |(at, one)| is_early(*at, one)).map(|(_, one)| one)
    }

    /// Returns true if a function calls another, which may be one that every language has.
    pub(crate) fn calls(&self, other: &str) -> bool {
        self.functions.iter().any(|function| function.calls(other))
    }

    /// Removes everything that the functions and constants named in `roots` do not need.
    pub(crate) fn needed_by(mut self, roots: &[&str]) -> Self {
        let mut needed: BTreeSet<String> = roots.iter().map(|&root| root.into()).collect();
        // Functions that call each other can stand in any order.
        let mut known = 0;
        while known < needed.len() {
            known = needed.len();
            for function in self.functions.iter().rev() {
                if needed.contains(&function.name) {
                    visit_all(&function.body, &mut |name| _ = needed.insert(name.into()));
                }
            }
        }
        self.functions.retain(|function| needed.contains(&function.name));
        let mut constants = Vec::new();
        for constant in self.constants.drain(..).rev() {
            if needed.contains(&constant.name) {
                if let Value::List(items) = &constant.value {
                    let mut need = |name: &str| _ = needed.insert(name.into());
                    items.iter().for_each(|item| item.visit(&mut need));
                }
                constants.push(constant);
            }
        }
        constants.reverse();
        Self { constants, functions: self.functions }
    }
}
