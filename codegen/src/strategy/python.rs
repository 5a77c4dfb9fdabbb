//! The small language as Python 3.

use super::ast::{Expr, Function, Operator, Type};
use super::print::{Dialect, expression, given};
use crate::writer::Writer;

pub(super) struct Python;

impl Dialect for Python {
    const COMMENT: &'static str = "#";
    const END: &'static str = "";
    const BLOCK: [&'static str; 2] = [":", ""];
    const ELSE_IF: &'static str = "elif ";
    const TRUTH: [&'static str; 2] = ["False", "True"];
    const AROUND: [&'static str; 2] = ["", ""];
    const IS_SHORT: bool = false;

    fn constants(out: &mut Writer, numbers: &[(&str, usize)]) {
        for (name, value) in numbers {
            out.line(format_args!("{name} = {value}"));
        }
    }

    fn list(name: &str, items: &[String]) -> String {
        format!("{name} = [{}]", items.join(", "))
    }

    fn function(function: &Function) -> String {
        let names: Vec<&str> = function.parameters.iter().map(|(name, _)| name.as_str()).collect();
        format!("def {}({})", function.name, names.join(", "))
    }

    fn variable(name: &str, _: bool, _: Type, value: &Expr) -> String {
        match value {
            Expr::Zeros(length) => format!("{name} = [0] * {}", expression::<Self>(length)),
            _ => format!("{name} = {}", given::<Self>(value)),
        }
    }

    fn counted(name: &str, from: &str, to: &str) -> String {
        match from {
            "0" => format!("for {name} in range({to})"),
            _ => format!("for {name} in range({from}, {to})"),
        }
    }

    fn index(list: &str, _: Type, at: &str) -> String {
        format!("{list}[{at}]")
    }

    fn operator(operator: Operator) -> &'static str {
        match operator {
            Operator::Or => "or",
            Operator::And => "and",
            Operator::Over => "//",
            other => other.sign(),
        }
    }

    fn not(inner: &str) -> String {
        format!("(not {inner})")
    }

    fn as_number(inner: &str) -> String {
        format!("int({inner})")
    }

    fn copy(name: &str) -> String {
        format!("list({name})")
    }
}

/// The entry.
pub(super) fn entry(men: usize, has_pawn: bool) -> String {
    let mut squares: Vec<String> = (0..men).map(|man| format!("squares[{man}]")).collect();
    squares.extend(has_pawn.then(|| "PAWN".to_owned()));
    let promotion =
        if has_pawn { "[None, \"q\", \"r\", \"b\", \"n\"][chosen // 256]" } else { "None" };
    format!(
        "def choose(squares):\n\
         \x20   \"\"\"The move: from where, to where, and what a pawn becomes; None where there is none.\"\"\"\n\
         \x20   chosen = choice([{}])\n\
         \x20   if chosen == NONE:\n\
         \x20       return None\n\
         \x20   return squares[chosen // 64 % 4], chosen % 64, {promotion}",
        squares.join(", ")
    )
}
