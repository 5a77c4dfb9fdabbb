//! Formatting numbers for people.

/// Formats a count with its noun: "1 ply", "2 plies".
///
/// ```
/// assert_eq!(lucena_base::plural::count(28_056, "row", "rows"), "28,056 rows");
/// ```
pub fn count(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// Formats a number with a comma between groups of three digits: "175,168".
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a number that can be negative like [`grouped`].
///
/// ```
/// use lucena_base::plural::signed;
///
/// assert_eq!([-4_334, 0, 919].map(signed), ["-4,334", "0", "919"]);
/// ```
pub fn signed(number: i64) -> String {
    let sign = if number < 0 { "-" } else { "" };
    format!("{sign}{}", grouped(number.unsigned_abs()))
}

/// Formats a number with one decimal place, and its whole part like [`grouped`].
///
/// ```
/// use lucena_base::plural::tenths;
///
/// assert_eq!([-1177.24, -0.04, 523.98].map(tenths), ["-1,177.2", "-0.0", "524.0"]);
/// ```
pub fn tenths(number: f64) -> String {
    let text = format!("{:.1}", number.abs());
    let sign = if number.is_sign_negative() { "-" } else { "" };
    match text.split_once('.').and_then(|(whole, rest)| Some((whole.parse().ok()?, rest))) {
        Some((whole, rest)) => format!("{sign}{}.{rest}", grouped(whole)),
        None => format!("{sign}{text}"),
    }
}

/// Formats a share as a percentage that never rounds up to 100 or down to 0.
///
/// ```
/// assert_eq!(lucena_base::plural::percent(0.999_999), "99.99 %");
/// ```
pub fn percent(share: f64) -> String {
    match share {
        1.0 => "100 %".into(),
        0.0 => "0 %".into(),
        share => format!("{:.2} %", (100.0 * share).clamp(0.01, 99.99)),
    }
}

/// Formats a `usize` count with [`grouped`].
pub fn number(count: usize) -> String {
    grouped(count as u64)
}

/// Formats a number of moves: "1 move", "2 moves".
pub fn moves(moves: u64) -> String {
    count(moves, "move", "moves")
}

/// Formats a number of plies: "1 ply", "2 plies".
pub fn plies(plies: u64) -> String {
    count(plies, "ply", "plies")
}

/// An ordinal number in digits: "1st", "22nd", "113th".
///
/// ```
/// use lucena_base::plural::ordinal;
///
/// assert_eq!([1, 2, 3, 4, 11, 12, 13, 21, 112].map(ordinal), ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th"]);
/// ```
pub fn ordinal(number: u64) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// Formats a figure with two decimal places, or "-" if it is absent.
pub fn figure(figure: Option<f64>) -> String {
    figure.map_or("-".into(), |figure| format!("{figure:.2}"))
}

/// Lists words: "a", "a and b", "a, b and c"; empty for an empty list.
///
/// ```
/// use lucena_base::plural::word_list;
///
/// assert_eq!(word_list(&["Kb2", "Kb1", "Re1"]), "Kb2, Kb1 and Re1");
/// ```
pub fn word_list(words: &[impl AsRef<str>]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.split_last() {
        None => String::new(),
        Some((only, [])) => (*only).into(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

/// Capitalises the first letter.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}

/// The greatest number that [`in_words`] writes in words.
pub const LAST_IN_WORDS: u16 = 99;

const SMALL: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen \
                     fourteen fifteen sixteen seventeen eighteen nineteen";
const TENS: &str = "twenty thirty forty fifty sixty seventy eighty ninety";

/// Formats a number in words up to [`LAST_IN_WORDS`], and in digits above.
///
/// ```
/// use lucena_base::plural::in_words;
///
/// assert_eq!([0, 16, 40, 99, 100].map(in_words), ["zero", "sixteen", "forty", "ninety-nine", "100"]);
/// ```
pub fn in_words(number: u16) -> String {
    let word = |list: &'static str, at: u16| list.split(' ').nth(at.into()).unwrap_or_default();
    match number {
        0..20 => word(SMALL, number).into(),
        20..=LAST_IN_WORDS => {
            let tens = word(TENS, number / 10 - 2);
            let ones = word(SMALL, number % 10);
            if number.is_multiple_of(10) { tens.into() } else { format!("{tens}-{ones}") }
        }
        _ => number.to_string(),
    }
}
