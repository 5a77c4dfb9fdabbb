//! lucena mines knowledge from small chess endgames. It solves an endgame exactly, describes every
//! position by attributes that a player would name, learns decision trees from them, generates
//! source code from the trees, plays with that code, and proves the quality of the player: against
//! every defence, from every position.
//!
//! # The pipeline
//!
//! | module | input | output |
//! |---|---|---|
//! | [`named`] | a value of a small enum | its name, and the other way round |
//! | [`work`] | a long computation | progress reports, and a way to stop it |
//! | [`chess`] | a FEN, a move | legal positions, moves and unmoves of a handful of men |
//! | [`evaluation`] | a board | a static score |
//! | [`search`] | a game and an evaluation | the best move found |
//! | [`book`] | games | opening books in the Polyglot format |
//! | [`symmetry`] | a position | the representative of its orbit |
//! | [`tablebase`] | a material | the exact outcome of every position |
//! | [`attributes`] | a position | small integers that a player has names for |
//! | [`dataset`] | a table and attributes | rows, each with a class |
//! | [`sufficiency`] | rows | whether their attributes determine the class, and the fewest that do |
//! | [`learn`] | rows | a [`DecisionTree`] |
//! | [`lucena_codegen`] | trees of [`lucena_tree`] | the source of [`lucena_generated`] |
//! | [`player`] | a tree, generated or not, and a table | moves |
//! | [`proof`] | a policy | its results against every defence |
//! | [`certificate`] | a proof | a file by which the proof can be repeated and compared |
//! | [`validation`] | a player | its results in sampled games |
//! | [`arena`] | players | games between every two of them, and their ratings |
//! | `train` | games | weights learned by TD(λ) or evolution (feature `train`) |
//! | [`roster`] | a player's name | the player |
//! | [`experiment`] | positions and searches | the value of each part of a search |
//! | [`theory`] | a table, attributes, perhaps a tree | a smaller tree with a proved guarantee |
//! | [`strategy`] | a table and attributes | ordered rules about moves, searched for and proved |
//! | [`curve`] | a table and a learner | the learning curve: trees learned from ever larger samples |
//! | [`study`] | a table | how well trees that fit their training data play |
//! | [`frontier`] | a table, trees and strategies | proved players of all sizes, from the smallest up |
//! | `chart` | series of points | a chart for print, as SVG (feature `chart`) |
//! | [`diagram`] | a position | a picture |
//! | [`export`] | a tree | the tree in formats of other tools |
//! | [`explain`] | a tree and a position | the reasons for the tree's move, in sentences |
//! | [`lesson`] | a tree | ordered rules, to be printed and taught |
//! | [`uci`] | commands of a chess GUI | an engine's answers, and the other way round |
//! | [`engine`] | a command line | an external UCI engine, as a player |
//! | [`report`] | any of these | the report of each command, as data with a schema |
//! | `page` | a request of the web page | the response, as data (feature `page`) |
//! | `cli` | a command line | the report, printed (feature `cli`) |
//!
//! Data flows one way, from top to bottom: no module depends on one below it.
//!
//! # Example
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

// The command line imports the library by the same paths as any other program.
#[cfg(feature = "cli")]
extern crate self as lucena;

/// Runs the code blocks of `docs/engine.md` as doctests.
#[cfg(doctest)]
#[doc = include_str!("../docs/engine.md")]
struct Engine;
