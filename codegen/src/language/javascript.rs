//! Prints the small language as JavaScript.

use crate::language::ast::{Expr, Function, Operator, Type};
use crate::language::print::{Dialect, expression, given};
use crate::writer::Writer;

pub(crate) struct JavaScript;

impl Dialect for JavaScript {
    const COMMENT: &'static str = "//";
    const END: &'static str = ";";
    const BLOCK: [&'static str; 2] = [" {", "}"];
    const ELSE_IF: &'static str = "} else if ";
    const TRUTH: [&'static str; 2] = ["false", "true"];
    const AROUND: [&'static str; 2] = ["(", ")"];
    const IS_SHORT: bool = true;

    fn constants(out: &mut Writer, numbers: &[(&str, usize)]) {
        for (name, value) in numbers {
            out.line(format_args!("const {name} = {value};"));
        }
    }

    fn list(name: &str, items: &[String]) -> String {
        format!("const {name} = [{}];", items.join(", "))
    }

    fn function(function: &Function) -> String {
        let names: Vec<&str> = function.parameters.iter().map(|(name, _)| name.as_str()).collect();
        format!("function {}({})", function.name, names.join(", "))
    }

    fn variable(name: &str, is_mutable: bool, _: Type, value: &Expr) -> String {
        let word = if is_mutable { "let" } else { "const" };
        match value {
            Expr::Zeros(length) => {
                format!("{word} {name} = new Array({}).fill(0)", expression::<Self>(length))
            }
            _ => format!("{word} {name} = {}", given::<Self>(value)),
        }
    }

    fn counted(name: &str, from: &str, to: &str) -> String {
        format!("for (let {name} = {from}; {name} < {to}; {name}++)")
    }

    fn index(list: &str, _: Type, at: &str) -> String {
        format!("{list}[{at}]")
    }

    fn operator(operator: Operator) -> &'static str {
        match operator {
            Operator::Equal => "===",
            Operator::Differs => "!==",
            other => other.sign(),
        }
    }

    fn binary(operator: Operator, left: &str, right: &str) -> String {
        match operator {
            // All numbers are non-negative, and JavaScript has no integer division.
            Operator::Over => format!("Math.floor({left} / {right})"),
            other => format!("{left} {} {right}", Self::operator(other)),
        }
    }

    fn not(inner: &str) -> String {
        format!("!{inner}")
    }

    fn as_number(inner: &str) -> String {
        format!("Number({inner})")
    }

    fn copy(name: &str) -> String {
        format!("{name}.slice()")
    }
}
