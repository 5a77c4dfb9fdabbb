//! The entry functions of strategies: squares in, move out, in each language's style.

use crate::language::Language;

/// The text before and the text after the program.
pub(super) fn ends(language: Language, material: &str, men: usize, has_pawn: bool) -> [String; 2] {
    let board = men + usize::from(has_pawn);
    match language {
        Language::Rust => [format!("type Board = [usize; {board}];"), rust(men, has_pawn)],
        Language::C => {
            let before = format!("typedef struct {{ int at[{board}]; }} Board;");
            [before, c(material, men, has_pawn)]
        }
        Language::Python => [String::new(), python(men, has_pawn)],
        Language::JavaScript => [String::new(), javascript(men, has_pawn)],
    }
}

fn rust(men: usize, has_pawn: bool) -> String {
    let mut squares: Vec<String> =
        (0..men).map(|man| format!("usize::from(squares[{man}])")).collect();
    squares.extend(has_pawn.then(|| "PAWN".to_owned()));
    let promotion = if has_pawn {
        "[None, Some('q'), Some('r'), Some('b'), Some('n')][chosen / 256]"
    } else {
        "None"
    };
    format!(
        "/// The move: from where, to where, and what a pawn becomes; nothing where there is none.\n\
         pub fn choose(squares: [u8; {men}]) -> Option<(u8, u8, Option<char>)> {{\n\
         \x20   let chosen = choice([{}]);\n\
         \x20   if chosen == NONE {{\n\
         \x20       return None;\n\
         \x20   }}\n\
         \x20   let promotion = {promotion};\n\
         \x20   Some((squares[chosen / 64 % 4], (chosen % 64) as u8, promotion))\n\
         }}",
        squares.join(", ")
    )
}

fn c(material: &str, men: usize, has_pawn: bool) -> String {
    let mut squares: Vec<String> = (0..men).map(|man| format!("squares[{man}]")).collect();
    squares.extend(has_pawn.then(|| "PAWN".to_owned()));
    let promotion = if has_pawn { "\"\\0qrbn\"[chosen / 256]" } else { "0" };
    format!(
        "// The move; promotion is 'q', 'r', 'b', 'n' or 0. Returns 1, or 0 where there is no move.\n\
         int {}_move(const int squares[{men}], int *from, int *to, int *promotion) {{\n\
         \x20   Board board = {{{{{}}}}};\n\
         \x20   int chosen = choice(board);\n\
         \x20   if (chosen == NONE) return 0;\n\
         \x20   *from = squares[chosen / 64 % 4];\n\
         \x20   *to = chosen % 64;\n\
         \x20   *promotion = {promotion};\n\
         \x20   return 1;\n\
         }}",
        material.to_lowercase(),
        squares.join(", ")
    )
}

fn python(men: usize, has_pawn: bool) -> String {
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

fn javascript(men: usize, has_pawn: bool) -> String {
    let mut squares: Vec<String> = (0..men).map(|man| format!("squares[{man}]")).collect();
    squares.extend(has_pawn.then(|| "PAWN".to_owned()));
    let promotion = if has_pawn {
        "[null, \"q\", \"r\", \"b\", \"n\"][Math.floor(chosen / 256)]"
    } else {
        "null"
    };
    format!(
        "// The move: from where, to where, and what a pawn becomes; null where there is none.\n\
         export function choose(squares) {{\n\
         \x20   const chosen = choice([{}]);\n\
         \x20   if (chosen === NONE) return null;\n\
         \x20   return [squares[Math.floor(chosen / 64) % 4], chosen % 64, {promotion}];\n\
         }}",
        squares.join(", ")
    )
}
