//! Prints the small language as C99.

use crate::language::ast::{Expr, Function, Operator, Type};
use crate::language::print::{Dialect, expression, given};
use crate::writer::Writer;

/// The approximate width of a line of constants.
const LINE: usize = 70;

pub(crate) struct C;

impl Dialect for C {
    const COMMENT: &'static str = "//";
    const END: &'static str = ";";
    const BLOCK: [&'static str; 2] = [" {", "}"];
    const ELSE_IF: &'static str = "} else if ";
    const TRUTH: [&'static str; 2] = ["0", "1"];
    const AROUND: [&'static str; 2] = ["(", ")"];
    const IS_SHORT: bool = true;

    fn constants(out: &mut Writer, numbers: &[(&str, usize)]) {
        let mut line = String::new();
        for (at, (name, value)) in numbers.iter().enumerate() {
            line += &format!("{name} = {value}");
            let is_last = at + 1 == numbers.len();
            let next = numbers.get(at + 1).map_or(0, |next| next.0.len());
            if is_last || line.len() + next > LINE {
                out.line(format_args!("enum {{ {line} }};"));
                line.clear();
            } else {
                line += ", ";
            }
        }
    }

    fn list(name: &str, items: &[String]) -> String {
        format!("static const int {name}[{}] = {{{}}};", items.len(), items.join(", "))
    }

    fn function(function: &Function) -> String {
        let parameters: Vec<String> = function
            .parameters
            .iter()
            .map(|(name, kind)| match kind {
                Type::List => format!("const int *{name}"),
                kind => format!("{} {name}", type_name(*kind)),
            })
            .collect();
        let (name, returns) = (&function.name, type_name(function.returns));
        format!("static {returns} {name}({})", parameters.join(", "))
    }

    fn variable(name: &str, _: bool, kind: Type, value: &Expr) -> String {
        match value {
            Expr::Zeros(length) => format!("int {name}[{}] = {{0}}", expression::<Self>(length)),
            _ => format!("{} {name} = {}", type_name(kind), given::<Self>(value)),
        }
    }

    fn counted(name: &str, from: &str, to: &str) -> String {
        format!("for (int {name} = {from}; {name} < {to}; {name}++)")
    }

    fn index(list: &str, kind: Type, at: &str) -> String {
        match kind {
            Type::Board => format!("{list}.at[{at}]"),
            _ => format!("{list}[{at}]"),
        }
    }

    fn operator(operator: Operator) -> &'static str {
        operator.sign()
    }

    fn not(inner: &str) -> String {
        format!("!{inner}")
    }

    fn as_number(inner: &str) -> String {
        format!("({inner})")
    }
}

fn type_name(kind: Type) -> &'static str {
    match kind {
        Type::Board => "Board",
        _ => "int",
    }
}
