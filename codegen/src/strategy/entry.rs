//! The entry functions of strategies: squares in, move out, in each language's style. Each function gives
//! what stands before the program and what stands after it.

use crate::language::rust::number;
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn rust(men: usize, has_pawn: bool) -> [TokenStream; 2] {
    let board = number(men + usize::from(has_pawn));
    let (count, squares, pawn) =
        (number(men), (0..men).map(number), has_pawn.then(|| quote!(PAWN)));
    let promotion = if has_pawn {
        quote!([None, Some('q'), Some('r'), Some('b'), Some('n')][chosen / 256])
    } else {
        quote!(None)
    };
    let entry = quote! {
        /// The move: its two squares, and the piece that a pawn becomes; `None` if there is no move.
        pub fn choose(squares: [u8; #count]) -> Option<(u8, u8, Option<char>)> {
            let chosen = choice([#(usize::from(squares[#squares]),)* #pawn]);
            if chosen == NONE {
                return None;
            }
            let promotion = #promotion;
            Some((squares[chosen / 64 % 4], (chosen % 64) as u8, promotion))
        }
    };
    [quote!(type Board = [usize; #board];), entry]
}

/// The items of a board, from the squares that are given.
fn placed(men: usize, has_pawn: bool) -> String {
    let squares = (0..men).map(|man| format!("squares[{man}]"));
    squares.chain(has_pawn.then(|| "PAWN".into())).collect::<Vec<_>>().join(", ")
}

pub(super) fn c(material: &str, men: usize, has_pawn: bool) -> [String; 2] {
    let board = men + usize::from(has_pawn);
    let promotion = if has_pawn { "\"\\0qrbn\"[chosen / 256]" } else { "0" };
    let entry = format!(
        "// Finds the move; promotion is 'q', 'r', 'b', 'n' or 0. Returns 1, or 0 if there is no move.\n\
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
        placed(men, has_pawn)
    );
    [format!("typedef struct {{ int at[{board}]; }} Board;"), entry]
}

pub(super) fn python(men: usize, has_pawn: bool) -> [String; 2] {
    let promotion =
        if has_pawn { "[None, \"q\", \"r\", \"b\", \"n\"][chosen // 256]" } else { "None" };
    let entry = format!(
        "def choose(squares):\n\
         \x20   \"\"\"The move: its two squares, and the piece that a pawn becomes; None if there is no move.\"\"\"\n\
         \x20   chosen = choice([{}])\n\
         \x20   if chosen == NONE:\n\
         \x20       return None\n\
         \x20   return squares[chosen // 64 % 4], chosen % 64, {promotion}",
        placed(men, has_pawn)
    );
    [String::new(), entry]
}

pub(super) fn javascript(men: usize, has_pawn: bool) -> [String; 2] {
    let promotion = if has_pawn {
        "[null, \"q\", \"r\", \"b\", \"n\"][Math.floor(chosen / 256)]"
    } else {
        "null"
    };
    let entry = format!(
        "// The move: its two squares, and the piece that a pawn becomes; null if there is no move.\n\
         export function choose(squares) {{\n\
         \x20   const chosen = choice([{}]);\n\
         \x20   if (chosen === NONE) return null;\n\
         \x20   return [squares[Math.floor(chosen / 64) % 4], chosen % 64, {promotion}];\n\
         }}",
        placed(men, has_pawn)
    );
    [String::new(), entry]
}
