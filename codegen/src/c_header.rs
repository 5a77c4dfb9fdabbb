//! The header of the C source of a model.

use crate::{EmitError, Language, emit};
use lucena_model::ModelRef;

/// Constants of the source of a measure that its callers need, if it has them.
const CONSTANTS: [&str; 4] = ["MOST_MOVES", "HELD", "LOST", "UNSAFE"];

/// The header of a model's C source, for C and C++: the prototypes of its functions, and what a caller needs besides. Its names
/// begin with the endgame, so that headers of several endgames can be included together.
///
/// ```
/// use lucena_codegen::c_header;
/// use lucena_model::{Aim, Column, Key, Origin, Strategy, StrategyRule};
///
/// let sides = Column::new("RBoxSides", 2, 16, "files and ranks of the rook's box");
/// let least = Key { attribute: 0, aim: Aim::Least };
/// let rule = StrategyRule { guard: vec![], keys: vec![least] };
/// let strategy = Strategy::new(Origin::new("KRvK"), vec![sides], vec![rule])?;
/// let header = c_header(&strategy)?;
/// assert!(header.contains("\nint krvk_move(const int squares[3], int *from, int *to, int *promotion);\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the model has no source code: see [`emit`].
pub fn c_header<'m>(model: impl Into<ModelRef<'m>>) -> Result<String, EmitError> {
    let model = model.into();
    let source = emit(model, Language::C)?;
    let name = model.origin().material.to_lowercase();
    let upper = name.to_uppercase();
    let guard = format!("LUCENA_{upper}_{}_H", model.kind().name().to_uppercase());
    let head: Vec<&str> = source.lines().take_while(|line| line.starts_with("// ")).collect();
    let declarations = declarations(&source, &name);
    Ok(format!(
        "{}\n\n#ifndef {guard}\n#define {guard}\n\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n{}{}\n\n\
         #ifdef __cplusplus\n}}\n#endif\n\n#endif\n",
        head.join("\n"),
        constants(&source, &upper),
        declarations.join("\n\n"),
    ))
}

/// The constants that callers need, with the endgame before their names.
fn constants(source: &str, prefix: &str) -> String {
    let value = |name: &str| {
        let (_, rest) = source.split_once(&format!(" {name} = "))?;
        let digits = rest.find(|letter: char| !letter.is_ascii_digit())?;
        Some(format!("{prefix}_{name} = {}", &rest[..digits]))
    };
    let is_for_callers = source.contains(&format!("{}_moves(", prefix.to_lowercase()));
    let constants = CONSTANTS.iter().filter(|_| is_for_callers).filter_map(|name| value(name));
    match constants.collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => none,
        some => format!("enum {{ {some} }};\n\n"),
    }
}

/// The public declarations, each with the comment above it.
fn declarations(source: &str, name: &str) -> Vec<String> {
    let lines: Vec<&str> = source.lines().collect();
    let functions = ["int", "void"].map(|result| format!("{result} {name}_"));
    let lists = format!("const char *const {name}_");
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let declared = match line.strip_suffix(" = {") {
            Some(start) if start.starts_with(&lists) => format!("extern {start};"),
            _ if line.ends_with(';') && functions.iter().any(|start| line.starts_with(start)) => {
                (*line).to_owned()
            }
            _ if line.ends_with("} Move;") => (*line).to_owned(),
            _ => continue,
        };
        let above = lines[..at].iter().rev().take_while(|line| line.starts_with("// "));
        let mut text: Vec<String> = above.map(|line| (*line).to_owned()).collect();
        text.reverse();
        text.push(renamed(&declared, name));
        found.push(text.join("\n"));
    }
    found
}

/// A declaration with the names of the header.
fn renamed(declaration: &str, name: &str) -> String {
    let upper = name.to_uppercase();
    let moves = declaration.replace("[MOST_MOVES]", &format!("[{upper}_MOST_MOVES]"));
    moves
        .replace("} Move;", &format!("}} {name}_move_t;"))
        .replace(" Move ", &format!(" {name}_move_t "))
}
