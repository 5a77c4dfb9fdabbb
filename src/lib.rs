//! lucena mines knowledge from small chess endgames: it solves an endgame exactly, describes every
//! position by attributes that a player would name, learns decision trees from them, writes the
//! trees out as source code, plays with that code, and proves what the player is worth against
//! every defence, from every position.
//!
//! # The pipeline
//!
//! | module | what goes in | what comes out |
//! |---|---|---|
//! | [`named`] | a value of a small enum | its name, and the other way round |
//! | [`work`] | long work | how far it has come, and whether to go on |
//! | [`chess`] | a FEN, a move | legal positions, moves and unmoves of a handful of men |
//! | [`evaluation`] | a board | what it is worth, as far as can be seen without searching |
//! | [`search`] | a game and an evaluation | the best move, as far as can be looked ahead |
//! | [`book`] | games | what to play in openings, and Polyglot's files of that |
//! | [`symmetry`] | a position | the representative of its orbit |
//! | [`tablebase`] | a material | the exact outcome of every position |
//! | [`attributes`] | a position | small integers that a player has names for |
//! | [`dataset`] | a table and attributes | rows with a class each |
//! | [`sufficiency`] | rows | whether their attributes are enough, and how few are |
//! | [`learn`] | rows | a [`DecisionTree`] |
//! | [`lucena_codegen`] | trees, which are [`lucena_tree`]'s | the source of [`lucena_generated`] |
//! | [`player`] | a tree, generated or not, and a table | moves |
//! | [`proof`] | a policy | what it is worth against every defence |
//! | [`certificate`] | a proof | the same in writing, to be proved again and compared |
//! | [`validation`] | a player | what it is worth in games |
//! | [`arena`] | players | games between every two of them, and how strong each is |
//! | `train` | games | weights that are learned by TD(λ) or evolved; with the feature of that name |
//! | [`roster`] | a player's name | the player |
//! | [`experiment`] | positions and searches | what each part of a search is worth |
//! | [`theory`] | a table, attributes, perhaps a tree | a smaller tree, under a guarantee that is proved |
//! | [`strategy`] | a table and attributes | ordered rules about moves, searched for and proved |
//! | [`curve`] | a table and a learner | what trees are worth that have seen a part of it |
//! | [`study`] | a table | what trees that are right on what they learned are worth on the board |
//! | [`frontier`] | a table, trees and strategies | how little will do: players of all sizes, each proved |
//! | `chart` | series of points | a drawing for print, as SVG; with the feature of that name |
//! | [`diagram`] | a position | a picture |
//! | [`export`] | a tree | the same as other people's tools take it |
//! | [`explain`] | a tree and a position | why the tree's move is played, in sentences |
//! | [`lesson`] | a tree | rules in order, to be printed and taught |
//! | [`uci`] | what a chess program says | what an engine answers, and the other way round |
//! | [`engine`] | what to start | chess programs that others wrote, as players |
//! | [`report`] | any of these | what each verb of the command line answers, as data with a schema |
//! | `page` | what a page asks | the answer, as data; with the feature of that name |
//! | `cli` | a command line | the same, printed; with the feature of that name |
//!
//! Data goes one way, from the top to the bottom: no module asks for one further down.
//!
//! # All of it at once
//!
//! ```
//! use lucena::attributes::{AttributeSet, Selection};
//! use lucena::dataset::{Dataset, Positions};
//! use lucena::learn::{CartParams, Learner};
//! use lucena::policy::TreePolicy;
//! use lucena::proof::prove;
//! use lucena::tablebase::Tablebase;
//!
//! let material = "KRvK".parse()?;
//! let tablebase = Tablebase::solve(material);
//! let attributes = AttributeSet::new(material, Selection::Geometric);
//! let dataset = Dataset::new(&tablebase, &attributes, Positions::Canonical)?;
//! let tree = CartParams::default().check()?.learn(&dataset)?;
//! let source = lucena_codegen::emit(&tree, lucena_codegen::FunctionSize::default());
//! assert!(source.contains("pub fn classify"));
//!
//! let policy = TreePolicy::new(tree, &tablebase)?;
//! let proof = prove(&policy, &tablebase)?;
//! assert_eq!(proof.won, 175_168); // all there are
//! assert_eq!(proof.longest_moves, Some(16));
//! assert_eq!(proof.mean_excess_moves, Some(0.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "cli")]
pub mod cli;

pub use lucena_attributes as attributes;
pub use lucena_base::{named, work};
pub use lucena_chess::{self as chess, symmetry};
pub use lucena_dataset::sufficiency;
pub use lucena_experiments::{curve, experiment, frontier, roster, study};
pub use lucena_explain::{self as explain, chart, diagram, export, lesson};
pub use lucena_learn as learn;
#[cfg(feature = "page")]
pub use lucena_page as page;
pub use lucena_play::{arena, book, validation};
pub use lucena_proof::{self as proof, certificate, guarantee, policy};
pub use lucena_report as report;
pub use lucena_search::{self as search, evaluation};
pub use lucena_strategy as strategy;
pub use lucena_tablebase as tablebase;
pub use lucena_theory as theory;
pub use lucena_train as train;
pub use lucena_tree::DecisionTree;
pub use lucena_uci::{self as uci, engine};

/// Rows of attribute values with a class each, and the files that they are written in.
pub mod dataset {
    pub use lucena_dataset::*;
    pub use lucena_formats::*;
}

/// Policies and players: whoever chooses moves.
pub mod player {
    pub use lucena_experiments::roster::{BuiltIn, BuiltInStrategy};
    pub use lucena_play::*;
    pub use lucena_proof::policy::*;
}

/// Lets [`GeneratedPolicy`](policy::GeneratedPolicy) play by the generated code that this package links. The
/// program `lucena` calls it first; another program calls it before it asks for such a player.
pub fn install_generated() {
    policy::install_generated(lucena_generated::TREES.iter().map(|tree| policy::GeneratedTree {
        name: tree.name,
        material: tree.material,
        tree_sha256: tree.tree_sha256,
        leaves: tree.leaves,
        attributes: tree.attributes,
        classes: tree.classes,
        classify: tree.classify,
    }));
}

// The command line names the library as every other program does.
#[cfg(feature = "cli")]
extern crate self as lucena;

/// The code in the pages, run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../docs/engine.md")]
struct Engine;
