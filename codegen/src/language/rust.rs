//! Prints the small language as Rust.

use crate::language::ast::{Expr, Function, Operator, Type};
use crate::language::print::{Dialect, given};
use crate::writer::Writer;

pub(crate) struct Rust;

impl Dialect for Rust {
    const COMMENT: &'static str = "//";
    const END: &'static str = ";";
    const BLOCK: [&'static str; 2] = [" {", "}"];
    const ELSE_IF: &'static str = "} else if ";
    const TRUTH: [&'static str; 2] = ["false", "true"];
    const AROUND: [&'static str; 2] = ["", ""];
    const IS_SHORT: bool = false;

    fn constants(out: &mut Writer, numbers: &[(&str, usize)]) {
        for (name, value) in numbers {
            out.line(format_args!("const {name}: usize = {value};"));
        }
    }

    fn list(name: &str, items: &[String]) -> String {
        format!("const {name}: [usize; {}] = [{}];", items.len(), items.join(", "))
    }

    fn before_function(function: &Function) -> Option<&'static str> {
        // Functions of attributes keep their names, capitals included.
        let has_capitals = function.name.contains(|c: char| c.is_ascii_uppercase());
        has_capitals.then_some("#[allow(non_snake_case)]")
    }

    fn function(function: &Function) -> String {
        let parameters: Vec<String> = function
            .parameters
            .iter()
            .map(|(name, kind)| format!("{name}: {}", type_name(*kind)))
            .collect();
        let (name, returns) = (&function.name, type_name(function.returns));
        format!("fn {name}({}) -> {returns}", parameters.join(", "))
    }

    fn variable(name: &str, is_mutable: bool, _: Type, value: &Expr) -> String {
        let mutable = if is_mutable { "mut " } else { "" };
        format!("let {mutable}{name} = {}", given::<Self>(value))
    }

    fn counted(name: &str, from: &str, to: &str) -> String {
        format!("for {name} in {from}..{to}")
    }

    fn index(list: &str, _: Type, at: &str) -> String {
        format!("{list}[{at}]")
    }

    fn operator(operator: Operator) -> &'static str {
        operator.sign()
    }

    fn not(inner: &str) -> String {
        format!("!{inner}")
    }

    fn as_number(inner: &str) -> String {
        format!("usize::from({inner})")
    }
}

fn type_name(kind: Type) -> &'static str {
    match kind {
        Type::Int => "usize",
        Type::Bool => "bool",
        Type::Board => "Board",
        Type::List => "&[usize]",
    }
}
