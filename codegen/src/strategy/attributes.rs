//! The values of attributes, as expressions of the small language: those of `sources.txt`, and those of the
//! table that the library shares.

use super::man::Man;

/// Functions that the expressions call, besides those of chess.
pub(crate) const HELPERS: &str =
    concat!(include_str!("attributes.txt"), "\n", include_str!("endgames.txt"));

/// The candidates for `X` and `Y`; if there is only one man, it is both. `sources.txt` explains the words.
fn choices<'m>(words: &str, men: &'m [Man]) -> Vec<[&'m Man; 2]> {
    let one = |is: fn(&Man) -> bool| men.iter().filter(move |man| is(man)).map(|man| [man; 2]);
    let pairs = || {
        let after = |(at, one)| men[at + 1..].iter().map(move |other| [one, other]);
        men.iter().enumerate().flat_map(after)
    };
    let pairs_with = |kind| -> Vec<[&Man; 2]> {
        pairs().filter(|pair| pair.iter().any(|man| man.kind == kind)).collect()
    };
    match words {
        "None" => vec![[&men[0]; 2]],
        "Man" => one(|_| true).collect(),
        "Piece" | "PieceGroup" => one(|man| man.is_strong && man.kind != 'K').collect(),
        "AnyPiece" => one(|man| man.kind != 'K').collect(),
        "Heavy" | "HeavyGroup" => one(|man| man.is_strong && "QR".contains(man.kind)).collect(),
        "KingOrGroup" => one(|man| man.is_strong || man.kind == 'K').collect(),
        "Pawn" => one(|man| man.kind == 'P').collect(),
        "Twins" | "Bishops" => pairs()
            .filter(|[one, other]| one.is_twin() && one.is_strong && other.is_strong)
            .filter(|[one, other]| one.kind == other.kind)
            .filter(|[one, _]| words == "Twins" || one.kind == 'B')
            .collect(),
        "WithBishop" => match choices("Bishop", men).as_slice() {
            &[[bishop, _]] => men.iter().map(|man| [man, bishop]).collect(),
            _ => Vec::new(),
        },
        "OneBishop" => match choices("Bishop", men).as_slice() {
            &[[bishop, _]] if !men.iter().any(|man| man.is_strong && "QRP".contains(man.kind)) => {
                vec![[bishop; 2]]
            }
            _ => Vec::new(),
        },
        "Bishop" => one(|man| man.is_strong && man.kind == 'B').collect(),
        "WeakRook" => one(|man| !man.is_strong && man.kind == 'R').collect(),
        "QueenAndRook" => pairs()
            .filter(|[queen, rook]| queen.is_strong && queen.kind == 'Q' && rook.letters == "r")
            .collect(),
        "Pair" => pairs().collect(),
        "PairWithBishop" => pairs_with('B'),
        "PairWithKnight" => pairs_with('N'),
        "PairWithPawn" => pairs_with('P'),
        "KingAndBishop" => pairs()
            .filter(|[one, other]| one.kind == 'K' && other.kind == 'B' && other.is_strong)
            .collect(),
        _ => panic!("{words} is not a choice of men"),
    }
}

macro_rules! shared {
    (
        $K:ident, $k:ident, $X:ident, $Y:ident;
        $($name:literal $of:ident { $value:expr })*
    ) => {
        /// The attributes whose values the library takes from the same table.
        const SHARED: &[(&str, &str, &str)] = &[$(($name, stringify!($of), stringify!($value))),*];
    };
}

lucena_model::attribute_values!(shared, SQUARE_K, SQUARE_k, SQUARE_X, SQUARE_Y);

/// The attributes whose values need the rules of chess.
const SOURCES: &str = include_str!("sources.txt");

/// Every attribute with its men and its expression.
fn sources() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let lines = SOURCES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let parts = |line: &'static str| {
        let mut parts = line.splitn(3, " | ");
        let mut part = || parts.next().expect("a name, men and a value");
        (part(), part(), part())
    };
    SHARED.iter().copied().chain(lines.map(parts))
}

/// The expression for an attribute, or `None` if it is not supported.
pub(crate) fn source(name: &str, men: &[Man]) -> Option<String> {
    sources().find_map(|(pattern, of, text)| {
        let text = &text.replace("SQUARE_", "$");
        let choices = choices(of, men);
        let is_it = |&[one, other]: &[&Man; 2]| {
            let written = pattern.replace("{X}", &one.letters).replace("{Y}", &other.letters);
            written.replace("{T}", &one.kind.to_string()) == name
        };
        if let Some(pair) = choices.iter().copied().find(is_it) {
            return Some(about(text, pair, men));
        }
        if !matches!(of, "PieceGroup" | "HeavyGroup" | "KingOrGroup") {
            return None;
        }
        // Combine the values of two equal men.
        let twins: Vec<&Man> =
            choices.iter().map(|[man, _]| *man).filter(|man| man.is_twin()).collect();
        let &[first, second] = twins.as_slice() else { return None };
        let [one, other] = [first, second].map(|man| about(text, [man, man], men));
        let (before, behind) = pattern.split_once("{X}")?;
        let word = name.strip_prefix(before)?.strip_prefix(first.kind)?.strip_suffix(behind)?;
        match word {
            "Least" => Some(format!("least({one}, {other})")),
            "Greatest" => Some(format!("greatest({one}, {other})")),
            "Sum" => Some(format!("{one} + {other}")),
            _ => None,
        }
    })
}

/// Fills the men into an expression.
fn about(text: &str, [one, other]: [&Man; 2], men: &[Man]) -> String {
    let named = [("X", one), ("Y", other), ("K", &men[0]), ("k", &men[1])];
    named.iter().fold(text.to_owned(), |text, (letter, man)| {
        text.replace(&format!("${letter}"), &format!("board[{}]", man.constant))
            .replace(&format!("#{letter}"), &man.constant)
    })
}
