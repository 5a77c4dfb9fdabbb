//! External players: asked about all positions in advance, in batches, and then played by their answers.

use super::Policy;
use super::canonical_choice::{choose_canonically, representative};
use super::external_query::{QueryError, query_all};
use super::grade::Grade;
use super::grades::{Grades, OrientedBoard};
use super::tree_binding::TreeBinding;
use lucena_attributes::AttributeSet;
use lucena_base::progress::Observer;
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Move, Position, Side};
use lucena_model::Class;
use lucena_tablebase::{Index, Tablebase};
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};

/// A player outside this library, such as a classifier of another library or a function of another language.
///
/// The player is asked about positions in batches, and about a sample a second time. If the answers differ,
/// the player is not a function of the position, and nothing can be proved about it.
///
/// ```
/// use lucena_proof::policy::{ExternalPlayer, OrientedBoard};
/// use lucena_proof::prove;
/// use lucena_tablebase::Tablebase;
/// use lucena_base::progress::NoObserver;
/// use std::convert::Infallible;
///
/// let tablebase = Tablebase::solve("KRvK".parse()?);
/// let player = ExternalPlayer {
///     name: "the first that comes to mind".into(),
///     played_on: OrientedBoard::Board,
///     tablebase: &tablebase,
///     observer: &NoObserver,
/// };
/// let policy = player.by_moves(|positions| {
///     let first = positions.iter().map(|position| Some(position.moves()[0].to_string()));
///     Ok::<_, Infallible>(first.collect())
/// })?;
/// let proof = prove(&policy, &tablebase)?;
/// assert!(proof.won < proof.winnable && proof.refutation.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ExternalPlayer<'w, 't> {
    /// Its name for people.
    pub name: String,
    /// The positions it is asked about: the representatives of the orbits, or every position of the board.
    pub played_on: OrientedBoard,
    /// The table of the endgame that it plays; it gives the outcomes of captures and promotions.
    pub tablebase: &'t Tablebase,
    /// The observer, which receives the progress of the queries and may stop them.
    pub observer: &'w dyn Observer,
}

impl<'t> ExternalPlayer<'_, 't> {
    /// Creates a policy from a classifier, which is played like a tree: the position after each move is
    /// described by attributes, and the move of the best class is played. See
    /// [`TreePolicy`](super::TreePolicy).
    ///
    /// The classifier gets rows of attribute values, one after the other, and returns for each row the index
    /// of its class among the grades.
    ///
    /// # Errors
    /// If the attributes are for another material than the table, or if the classifier fails, returns the
    /// wrong number of classes or an unknown class, or gives different answers to the same question.
    pub fn by_classes<E>(
        self,
        attributes: &AttributeSet,
        grades: Vec<Grade>,
        mut classify: impl FnMut(&[u8]) -> Result<Vec<Class>, E>,
    ) -> Result<ExternalPolicy<'t>, QueryError<E>> {
        let Self { name, played_on, tablebase, observer } = self;
        let material = tablebase.material();
        if attributes.material() != material {
            let attributes = attributes.material();
            return Err(QueryError::OtherMaterial { attributes, table: material });
        }
        let index = Index::new(material, played_on.group(material));
        let (places, positions): (Vec<usize>, Vec<Position>) = (0..index.len())
            .into_par_iter()
            .filter_map(|at| Some((at, index.position(at, Side::Weak)?)))
            .unzip();
        let words = |class| format!("class {class}");
        let classify = |positions: &[Position]| classify(&rows(attributes, positions));
        let classes = query_all(&positions, observer, words, classify)?;
        let mut answers = vec![None; index.len()];
        for ((at, class), position) in places.into_iter().zip(classes).zip(&positions) {
            let grade = grades.get(usize::from(class));
            let unknown =
                || QueryError::UnknownClass { position: *position, class, classes: grades.len() };
            answers[at] = Some(*grade.ok_or_else(unknown)?);
        }
        let binding = TreeBinding { attributes: attributes.clone(), classes: grades };
        let grades = Grades::answered(binding, tablebase, played_on, index, &answers);
        Ok(ExternalPolicy { name, played_on, answers: Answers::Grades(grades.into()) })
    }

    /// Creates a policy from a function that chooses moves.
    ///
    /// The function gets positions with the strong side to move that have legal moves. For each it returns a
    /// move, in UCI or standard algebraic notation, or `None`.
    ///
    /// # Errors
    /// If the function fails, returns the wrong number of moves or an illegal move, or gives different
    /// answers to the same question.
    pub fn by_moves<E>(
        self,
        choose: impl FnMut(&[Position]) -> Result<Vec<Option<String>>, E>,
    ) -> Result<ExternalPolicy<'t>, QueryError<E>> {
        let Self { name, played_on, tablebase, observer } = self;
        let material = tablebase.material();
        let group = played_on.group(material);
        let positions = questions(&Index::new(material, group), group);
        let words = |answer: Option<String>| answer.unwrap_or_else(|| "nothing".into());
        let answers = query_all(&positions, observer, words, choose)?;
        let mut moves = HashMap::new();
        for (position, answer) in positions.into_iter().zip(answers) {
            if let Some(text) = answer {
                moves.insert(position, position.parse_move(&text)?);
            }
        }
        Ok(ExternalPolicy { name, played_on, answers: Answers::Moves(material, moves) })
    }
}

/// Returns the attribute values of positions, one row after the other.
fn rows(attributes: &AttributeSet, positions: &[Position]) -> Vec<u8> {
    let width = attributes.attributes().len();
    let mut rows = vec![0; positions.len() * width];
    if width > 0 {
        let rows = rows.par_chunks_mut(width).zip(positions).with_min_len(256);
        rows.for_each(|(row, position)| attributes.extract(position, row));
    }
    rows
}

/// Returns the positions in which the strong side has to choose: those of the index, and others in which a
/// pawn can be captured en passant.
fn questions(index: &Index, group: Group) -> Vec<Position> {
    let all =
        |turn| (0..index.len()).into_par_iter().filter_map(move |at| index.position(at, turn));
    let placed = all(Side::Strong).filter(Position::has_moves);
    let mut positions: Vec<Position> =
        placed.map(|position| representative(group, &position).0).collect();
    let passing = all(Side::Weak).flat_map_iter(|position| {
        let mut passing = Vec::new();
        position.visit_steps(|step| {
            let after = position.after(step);
            if !step.converts() && after.en_passant().is_some() {
                passing.push(representative(group, &after).0);
            }
        });
        passing
    });
    let passing: Vec<Position> = passing.collect();
    let mut known: HashSet<Position> = HashSet::new();
    let is_new = |position: &Position| known.insert(*position);
    positions.extend(passing.into_iter().filter(is_new));
    positions
}

/// A policy that plays by the answers of a player outside this library; see [`ExternalPlayer`].
pub struct ExternalPolicy<'t> {
    name: String,
    played_on: OrientedBoard,
    answers: Answers<'t>,
}

enum Answers<'t> {
    Grades(Box<Grades<'t>>),
    /// A move for each representative, if there was one.
    Moves(Material, HashMap<Position, Move>),
}

impl Policy for ExternalPolicy<'_> {
    fn name(&self) -> String {
        self.played_on.label(&self.name)
    }

    fn material(&self) -> Material {
        match &self.answers {
            Answers::Grades(grades) => grades.material(),
            Answers::Moves(material, _) => *material,
        }
    }

    fn symmetries(&self) -> Group {
        self.played_on.group(self.material())
    }

    fn choose(&self, position: &Position) -> Option<Move> {
        match &self.answers {
            // All positions have been answered.
            Answers::Grades(grades) => grades.choose(position, &|_| None),
            Answers::Moves(material, moves) if position.material() == *material => {
                choose_canonically(self.symmetries(), position, |turned| moves.get(turned).copied())
            }
            Answers::Moves(..) => None,
        }
    }
}
