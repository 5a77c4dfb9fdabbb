//! Prints the small language as Python 3.

use crate::language::ast::{Expr, Function, Operator, Type};
use crate::language::print::{Dialect, expression, given};
use crate::writer::Writer;

pub(crate) struct Python;

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
