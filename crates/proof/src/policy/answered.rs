//! External players: asked about all positions in advance, in batches, and then played by their answers.

use super::Policy;
use super::asking::{AskError, ask_all};
use super::grade::Grade;
use super::grades::{Grades, PlayedOn};
use super::meaning::Meaning;
use super::turning::{choose_canonically, representative};
use lucena_attributes::AttributeSet;
use lucena_base::work::Watch;
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Move, Position, Side};
use lucena_tablebase::{Index, Tablebase};
use lucena_tree::Class;
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};

/// A player outside this library, such as a classifier of another library or a function of another language.
///
/// It is asked about positions in batches, and about a sample a second time: if the answers differ, it is no
/// function of the position, and nothing can be proved of it.
///
/// ```
/// use lucena_proof::policy::{Outsider, PlayedOn};
/// use lucena_proof::prove;
/// use lucena_tablebase::Tablebase;
/// use lucena_base::work::Unwatched;
/// use std::convert::Infallible;
///
/// let tablebase = Tablebase::solve("KRvK".parse()?);
/// let outsider = Outsider {
///     name: "the first that comes to mind".into(),
///     played_on: PlayedOn::Board,
///     tablebase: &tablebase,
///     watch: &Unwatched,
/// };
/// let policy = outsider.by_moves(|positions| {
///     let first = positions.iter().map(|position| Some(position.moves()[0].to_string()));
///     Ok::<_, Infallible>(first.collect())
/// })?;
/// let proof = prove(&policy, &tablebase)?;
/// assert!(proof.won < proof.winnable && proof.refutation.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Outsider<'w, 't> {
    /// Its name for people.
    pub name: String,
    /// The positions it is asked about: the representatives of the orbits, or every position of the board.
    pub played_on: PlayedOn,
    /// The table of the endgame that it plays; it gives the outcomes of captures and promotions.
    pub tablebase: &'t Tablebase,
    /// The watch is told the progress of the questions, and may stop them.
    pub watch: &'w dyn Watch,
}

impl<'t> Outsider<'_, 't> {
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
    ) -> Result<AnsweredPolicy<'t>, AskError<E>> {
        let Self { name, played_on, tablebase, watch } = self;
        let material = tablebase.material();
        if attributes.material() != material {
            let attributes = attributes.material();
            return Err(AskError::OtherMaterial { attributes, table: material });
        }
        let index = Index::new(material, group(played_on, material));
        let (places, positions): (Vec<usize>, Vec<Position>) = (0..index.len())
            .into_par_iter()
            .filter_map(|at| Some((at, index.position(at, Side::Weak)?)))
            .unzip();
        let classes =
            ask_all(&positions, watch, |positions| classify(&rows(attributes, positions)))?;
        let mut answers = vec![None; index.len()];
        for ((at, class), position) in places.into_iter().zip(classes).zip(&positions) {
            let grade = grades.get(usize::from(class));
            let unknown =
                || AskError::UnknownClass { position: *position, class, classes: grades.len() };
            answers[at] = Some(*grade.ok_or_else(unknown)?);
        }
        let meaning = Meaning::of(attributes.clone(), grades);
        let grades = Grades::answered(meaning, tablebase, played_on, index, &answers);
        Ok(AnsweredPolicy { name, played_on, answers: Answers::Grades(grades) })
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
    ) -> Result<AnsweredPolicy<'t>, AskError<E>> {
        let Self { name, played_on, tablebase, watch } = self;
        let material = tablebase.material();
        let group = group(played_on, material);
        let index = Index::new(material, group);
        let positions = questions(&index, group);
        let answers = ask_all(&positions, watch, choose)?;
        let mut moves = Moves {
            material,
            group,
            placed: vec![None; index.len()],
            passed: HashMap::new(),
            index,
        };
        for (position, answer) in positions.iter().zip(answers) {
            let Some(text) = answer else { continue };
            let mv = position.parse_move(&text)?;
            match position.en_passant() {
                None => moves.placed[moves.index.of(position)] = Some(mv),
                Some(_) => drop(moves.passed.insert(*position, mv)),
            }
        }
        Ok(AnsweredPolicy { name, played_on, answers: Answers::Moves(moves) })
    }
}

/// Returns the symmetries under which positions are the same to the player.
fn group(played_on: PlayedOn, material: Material) -> Group {
    match played_on {
        PlayedOn::Board => Group::Identity,
        PlayedOn::Representative => Group::of(material),
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
    let mut positions: Vec<Position> = all(Side::Strong).filter(Position::has_moves).collect();
    let passing = all(Side::Weak).flat_map_iter(|position| {
        let mut passing = Vec::new();
        position.visit_steps(|step| {
            let after = position.after(step);
            if !step.departs() && after.en_passant().is_some() {
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

/// A policy that plays by the answers of a player outside this library; see [`Outsider`].
pub struct AnsweredPolicy<'t> {
    name: String,
    played_on: PlayedOn,
    answers: Answers<'t>,
}

enum Answers<'t> {
    Grades(Grades<'t>),
    Moves(Moves),
}

/// A move for each position, if there was one.
struct Moves {
    material: Material,
    group: Group,
    index: Index,
    placed: Vec<Option<Move>>,
    /// Moves in positions where a pawn can be captured en passant.
    passed: HashMap<Position, Move>,
}

impl Moves {
    fn choose(&self, position: &Position) -> Option<Move> {
        if position.turn() != Side::Strong || position.material() != self.material {
            return None;
        }
        choose_canonically(self.group, position, |position| match position.en_passant() {
            None => self.placed[self.index.of(position)],
            Some(_) => self.passed.get(position).copied(),
        })
    }
}

impl Policy for AnsweredPolicy<'_> {
    fn name(&self) -> String {
        match self.played_on {
            PlayedOn::Board => format!("{} on the board as it stands", self.name),
            PlayedOn::Representative => self.name.clone(),
        }
    }

    fn material(&self) -> Material {
        match &self.answers {
            Answers::Grades(grades) => grades.material(),
            Answers::Moves(moves) => moves.material,
        }
    }

    fn symmetries(&self) -> Group {
        group(self.played_on, self.material())
    }

    fn choose(&self, position: &Position) -> Option<Move> {
        match &self.answers {
            // All positions have been answered.
            Answers::Grades(grades) => grades.choose(position, &|_| None),
            Answers::Moves(moves) => moves.choose(position),
        }
    }
}
