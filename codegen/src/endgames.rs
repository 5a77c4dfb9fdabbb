//! Source code that solves endgames by itself, for engines.
//!
//! The texts beside this file hold one algorithm in two languages. Only the list of endgames is filled in: their men, the
//! places of their tables in memory, and the endgames that captures and promotions lead to.

use crate::writer::filled;
use lucena_chess::{Material, Role, Side};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The most men of an endgame, kings included: a table of five men would need hundreds of megabytes.
const MOST_MEN: usize = 4;

const C: &str = concat!(
    include_str!("endgames/c/interface.txt"),
    include_str!("endgames/c/board.txt"),
    include_str!("endgames/c/fill.txt"),
    include_str!("endgames/c/look_up.txt"),
);

const RUST: &str = concat!(
    include_str!("endgames/rust/interface.txt"),
    include_str!("endgames/rust/board.txt"),
    include_str!("endgames/rust/tables.txt"),
    include_str!("endgames/rust/fill.txt"),
);

/// The attributes of the crate, which stand between its description and its items.
const CRATE_ATTRIBUTES: &str = "#![no_std]\n#![forbid(unsafe_code)]\n";

/// The end of the description of the module.
const MODULE: &str = "\
// This file is a module; \"lucena emit-engine --crate DIR\" writes a crate. It needs only core, and has no unsafe code:
//
//     #[allow(dead_code)] // for what you do not call
//     mod lucena_endgames;
";

const CARGO: &str = "\
[package]
name = \"$crate\"
version = \"0.1.0\"
edition = \"2021\"
rust-version = \"1.81\"
description = \"Exact play in $names\"
publish = false

# The tables are filled at run time, and debug builds would need seconds.
[profile.dev]
opt-level = 2
";

/// Endgames whose exact play can be written as source code that another engine includes.
///
/// The code holds no tables. It fills them in memory when an endgame is first looked up, and then answers with the outcome,
/// the distance to mate in plies and the best move.
///
/// ```
/// use lucena_codegen::EngineEndgames;
///
/// let endgames = EngineEndgames::new(&["KPvK".parse()?])?;
/// assert_eq!(endgames.all().len(), 6); // it leads to KQvK, KRvK, KBvK, KNvK and KvK
/// assert!(endgames.to_c().contains("lucena_best_move"));
/// assert!(endgames.to_rust().contains("#![no_std]"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct EngineEndgames {
    named: Vec<Material>,
    /// The named endgames and their successors, each after those that it leads to.
    all: Vec<Material>,
}

/// The error for a list of endgames that cannot be written for engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineEndgamesError {
    /// The list is empty.
    #[error("no endgame is named: name at least one, such as KRvK")]
    Empty,
    /// An endgame is in the list twice.
    #[error("{0} is named twice: name it once")]
    Twice(Material),
    /// An endgame has more than four men.
    #[error("{0} has {men} men, and there is source code for up to {MOST_MEN}: name smaller endgames", men = .0.men())]
    Men(Material),
    /// Both sides have a pawn.
    #[error("{0} needs captures en passant, which the source code does not have: leave it out")]
    EnPassant(Material),
}

impl EngineEndgames {
    /// The name of the crate.
    pub const CRATE: &'static str = "lucena-endgames";

    /// Takes the endgames, and all that captures and promotions lead to.
    ///
    /// # Errors
    /// If there are none, if one is named twice, has more than four men, or if both its sides have a pawn.
    pub fn new(named: &[Material]) -> Result<Self, EngineEndgamesError> {
        use EngineEndgamesError::{Empty, EnPassant, Men, Twice};
        let mut seen = BTreeSet::new();
        for &material in named {
            if !seen.insert(material) {
                return Err(Twice(material));
            } else if material.men() > MOST_MEN {
                return Err(Men(material));
            } else if Side::ALL.into_iter().all(|side| material.has_pawns_of(side)) {
                return Err(EnPassant(material));
            }
        }
        if named.is_empty() {
            return Err(Empty);
        }
        let all: BTreeSet<Material> = named.iter().flat_map(|one| one.with_successors()).collect();
        let mut all: Vec<Material> = all.into_iter().collect();
        all.sort_by_key(|material| (material.men(), material.pawns()));
        Ok(Self { named: named.to_vec(), all })
    }

    /// The endgames that the code answers for, each after those that it leads to.
    pub fn all(&self) -> &[Material] {
        &self.all
    }

    /// The bytes of memory that the tables need at run time.
    pub fn bytes(&self) -> usize {
        self.all.iter().map(table_bytes).sum()
    }

    /// A header with the implementation in C99, which is C++ as well.
    pub fn to_c(&self) -> String {
        self.filled(C, " * ", |row, name| format!("    {{{row}}}, /* {name} */\n"))
    }

    /// The library of a crate in Rust that needs nothing but `core`.
    pub fn to_rust(&self) -> String {
        self.filled(RUST, "//! ", |row, name| format!("    endgame({row}), // {name}\n"))
    }

    /// The code as a file for `mod`. It has no attributes of a crate and no inner comments, so `include!`
    /// takes it too.
    pub fn to_rust_module(&self) -> String {
        let source = self.to_rust();
        let (head, items) = source.split_once(CRATE_ATTRIBUTES).expect("the template has them");
        let head = head.replace("//! ", "// ").replace("//!", "//");
        format!("{head}{MODULE}{items}")
    }

    /// The manifest of the crate.
    pub fn to_cargo(&self) -> String {
        filled(CARGO, [("$names", self.names().join(", ").as_str()), ("$crate", Self::CRATE)])
    }

    fn names(&self) -> Vec<String> {
        self.named.iter().map(Material::to_string).collect()
    }

    /// A template with the endgames in it.
    fn filled(
        &self,
        template: &str,
        comment: &str,
        line: impl Fn(&str, &Material) -> String,
    ) -> String {
        let mut offset = 0;
        let mut lines = String::new();
        for material in &self.all {
            let [x, y] = men(material);
            lines += &line(&format!("{x}, {y}, {offset}, {:#x}", self.needs(material)), material);
            offset += table_bytes(material);
        }
        let names = self.names();
        let names: Vec<String> = names.chunks(12).map(|names| names.join(", ")).collect();
        let values = [
            ("$names", names.join(&format!(",\n{comment}"))),
            ("$bytes", offset.to_string()),
            ("$count", self.all.len().to_string()),
            ("$endgames", lines),
        ];
        filled(template, values.iter().map(|(name, value)| (*name, value.as_str())))
    }

    /// A bit for each endgame that one move leads to.
    fn needs(&self, material: &Material) -> u64 {
        let next: BTreeSet<Material> = material.conversions().into_iter().collect();
        let numbers = (0..).zip(&self.all).filter(|(_, one)| next.contains(one));
        numbers.fold(0, |bits, (number, _)| bits | 1_u64 << number)
    }
}

/// The men beside the kings: their kinds, plus 8 for the second side, 0 for none. The first side is the one with the pawn,
/// or else the strong side; a pawn comes first.
fn men(material: &Material) -> [u8; 2] {
    let first = if material.has_pawns_of(Side::Weak) { Side::Weak } else { Side::Strong };
    let slots = material.slots().skip(2);
    let mut men: Vec<u8> = slots
        .map(|slot| kind(material.role(slot)) + 8 * u8::from(material.side(slot) != first))
        .collect();
    let pawn = kind(Role::Pawn);
    men.sort_by_key(|&man| (man > 8, man != pawn, Reverse(man)));
    men.resize(2, 0);
    [men[0], men[1]]
}

fn kind(role: Role) -> u8 {
    match role {
        Role::Pawn => 1,
        Role::Knight => 2,
        Role::Bishop => 3,
        Role::Rook => 4,
        Role::Queen => 5,
        Role::King => 6,
    }
}

/// A byte for each side to move, for the squares of the lead (a king in a corner, or a pawn on the left half of the board),
/// and for those of the other men.
fn table_bytes(material: &Material) -> usize {
    let lead = if material.has_pawns() { 24 } else { 10 };
    2 * lead * 64_usize.pow(material.men().saturating_sub(1) as u32)
}
