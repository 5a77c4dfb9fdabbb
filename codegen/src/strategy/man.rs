//! The men of a material, with their letters and their names in the source.

use lucena_model::ManName;

/// A man of a material.
#[derive(Debug, Clone)]
pub(crate) struct Man {
    /// One of `KQRBNP`.
    pub(crate) kind: char,
    pub(crate) is_strong: bool,
    /// The letters in attribute names: `R`, `k`, `B1`.
    pub(crate) letters: String,
    /// The name in the source: `STRONG_ROOK`.
    pub(crate) constant: String,
    /// The words: "strong rook".
    pub(crate) words: String,
}

impl Man {
    /// Returns true if its side has two of its kind.
    pub(crate) fn is_twin(&self) -> bool {
        self.letters.len() > 1
    }
}

/// The men of a material: the kings, then the others as it is written, strong ones first. `None` if the
/// name is not a material.
pub(crate) fn men(material: &str) -> Option<Vec<Man>> {
    let (strong, weak) = material.split_once('v')?;
    let [strong, weak] = [strong.strip_prefix('K')?, weak.strip_prefix('K')?];
    let mut men = vec![man("", 'K', true, 0), man("", 'K', false, 0)];
    for (side, is_strong) in [(strong, true), (weak, false)] {
        for (at, kind) in side.char_indices() {
            if !"QRBNP".contains(kind) {
                return None;
            }
            men.push(man(side, kind, is_strong, at));
        }
    }
    Some(men)
}

/// The names of men, in order.
pub(crate) fn names(men: &[Man]) -> String {
    men.iter().map(|man| man.words.as_str()).collect::<Vec<_>>().join(", ")
}

fn man(side: &str, kind: char, is_strong: bool, at: usize) -> Man {
    let has_equal = side.matches(kind).count() > 1;
    let number = has_equal.then(|| side[..=at].matches(kind).count());
    let name = ManName { role: kind, is_strong, number };
    let words = format!("{name:#}");
    Man {
        kind,
        is_strong,
        letters: name.to_string(),
        constant: words.replace(' ', "_").to_uppercase(),
        words,
    }
}
