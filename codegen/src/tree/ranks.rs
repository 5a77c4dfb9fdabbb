//! The classes of a tree that plays, as ranks of moves.

use lucena_base::plural::{LAST_IN_WORDS, in_words};

/// The rank of the position after a move: less is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Grade {
    /// The weak side is mated after this many moves.
    Mated(u16),
    /// An order of preference.
    Nth(u16),
    /// No answer.
    Unknown,
    Draw,
    Lost,
}

impl Grade {
    /// The grade that a class is; `None` if it is none.
    fn parse(class: &str) -> Option<Self> {
        let in_digits = || class.parse().ok().filter(|&moves| moves > LAST_IN_WORDS);
        Some(match class {
            "draw" => Self::Draw,
            "lost" => Self::Lost,
            _ => match class.strip_prefix("grade ") {
                Some(number) => Self::Nth(number.parse().ok()?),
                None => {
                    let mut numbers = 0..=LAST_IN_WORDS;
                    let in_words = numbers.find(|&moves| in_words(moves) == class);
                    Self::Mated(in_words.or_else(in_digits)?)
                }
            },
        })
    }
}

/// The ranks of the classes.
pub(super) struct Ranks {
    /// By class.
    classes: Vec<usize>,
    /// The rank of a position without an answer.
    pub(super) unknown: usize,
    /// The rank of a draw.
    pub(super) draw: usize,
}

impl Ranks {
    /// The ranks of classes; `None` if one of them is no grade. Rank 0 is mate. Behind it, `between` ranks are left out for
    /// moves that the tree does not grade.
    pub(super) fn new(classes: &[String], between: usize) -> Option<Self> {
        let grades: Option<Vec<Grade>> = classes.iter().map(|class| Grade::parse(class)).collect();
        let grades = grades?;
        let mut all = vec![Grade::Mated(0), Grade::Unknown, Grade::Draw];
        all.extend(&grades);
        all.sort_unstable();
        all.dedup();
        let rank = |grade: Grade| match all.partition_point(|one| *one < grade) {
            0 => 0,
            place => place + between,
        };
        let classes = grades.into_iter().map(rank).collect();
        Some(Self { classes, unknown: rank(Grade::Unknown), draw: rank(Grade::Draw) })
    }

    /// Statements of the small language that return the rank of the class `answer`.
    pub(super) fn text(&self) -> String {
        let (mut text, mut first) = (String::new(), 0);
        for run in self.classes.chunk_by(|one, next| *next == one + 1) {
            let (rank, end) = (run[0], first + run.len());
            let value = match run.len() {
                1 => rank.to_string(),
                _ if rank < first => format!("answer - {}", first - rank),
                _ => format!("answer + {}", rank - first),
            };
            text += &match end == self.classes.len() {
                true => format!("return {value};\n"),
                false => format!("if answer < {end} {{ return {value}; }}\n"),
            };
            first = end;
        }
        text
    }
}
