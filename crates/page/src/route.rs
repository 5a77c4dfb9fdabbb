//! The routes of the API.

use super::lesson::LessonQuery;
use super::lesson_file::{Parts, lesson_file};
use super::refusal::{Refusal, Refused};
use super::{
    Shelf, about, attributes, chosen, confusion, game, histogram, leaf, lesson, position, practice,
    query, random, rows, rules, setup, standard, sufficiency, tree, turned, why,
};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

/// A route of the API.
pub struct Route {
    /// The path.
    pub path: &'static str,
    /// A description of the answer, in a sentence.
    pub about: &'static str,
    /// Makes the schema of the query, an object with a property for each parameter.
    pub query: fn(&mut SchemaGenerator) -> Schema,
    /// Makes the schema of the answer; `None` if it is a picture.
    pub answer: Option<fn(&mut SchemaGenerator) -> Schema>,
    ask: fn(&Shelf, &str) -> Result<Reply, Refusal>,
}

/// An HTTP response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The status code: 200, or that of the error, see [`Refusal::status`].
    pub status: u16,
    /// The media type of the body.
    pub media_type: &'static str,
    /// The body.
    pub body: Vec<u8>,
}

impl Reply {
    /// Data as JSON.
    ///
    /// # Panics
    /// If the data is no JSON: a map with keys that are not text.
    pub fn json(status: u16, data: &impl Serialize) -> Self {
        let body = serde_json::to_vec(data).expect("texts and numbers become JSON");
        Self { status, media_type: "application/json", body }
    }

    fn text(media_type: &'static str, text: String) -> Self {
        Self { status: 200, media_type, body: text.into_bytes() }
    }

    fn refused(refusal: &Refusal) -> Self {
        match refusal {
            Refusal::Solving(told) => Self::json(refusal.status(), told),
            _ => Self::json(refusal.status(), &Refused { error: refusal.to_string() }),
        }
    }
}

/// A picture, as SVG.
pub(super) struct Svg(pub(super) String);

/// A type that can be an answer.
trait Told {
    /// Makes its schema; `None` for a picture.
    const SCHEMA: Option<fn(&mut SchemaGenerator) -> Schema>;

    fn reply(&self) -> Reply;
}

impl<T: Serialize + JsonSchema> Told for T {
    const SCHEMA: Option<fn(&mut SchemaGenerator) -> Schema> =
        Some(|generator| generator.subschema_for::<T>());

    fn reply(&self) -> Reply {
        Reply::json(200, self)
    }
}

impl Told for Svg {
    const SCHEMA: Option<fn(&mut SchemaGenerator) -> Schema> = None;

    fn reply(&self) -> Reply {
        Reply::text("image/svg+xml", self.0.clone())
    }
}

macro_rules! routes {
    ($($path:literal, $about:literal: $answer:path, $Query:ty => $Answer:ty;)*) => {
        &[$(Route {
            path: $path,
            about: $about,
            query: |generator| <$Query as JsonSchema>::json_schema(generator),
            answer: <$Answer as Told>::SCHEMA,
            ask: |shelf, text| {
                let answer: $Answer = $answer(shelf, query::read::<$Query>(text)?)?;
                Ok(answer.reply())
            },
        }),*]
    };
}

/// All routes.
pub const ROUTES: &[Route] = routes! {
    "/api/about", "The choices: endgames, players, sets of attributes.":
        about::about, about::AboutQuery => about::AboutTold;
    "/api/game", "The state of a game, and its legal moves.":
        game::game, game::GameQuery => game::GameTold;
    "/api/setup", "The problems of a position that is being set up.":
        setup::setup, setup::SetupQuery => setup::SetupTold;
    "/api/turned", "A position mirrored, flipped, or with the other side to move.":
        turned::turned, turned::TurnedQuery => turned::Turned;
    "/api/position", "The outcome of a position, and of each move.":
        position::position, position::PositionQuery => position::PositionTold;
    "/api/why", "The reasons for a player's move, and the cost of other moves.":
        why::why, why::WhyQuery => why::WhyTold;
    "/api/answer", "A player's move in a game.":
        chosen::chosen, chosen::ChosenQuery => chosen::ChosenTold;
    "/standard", "The outcome of a position, in the format of the Lichess tablebase.":
        standard::standard, standard::StandardQuery => lucena_report::Probed;
    "/api/rules", "The rules of a player, with search and paging.":
        rules::rules, rules::RulesQuery => rules::RulesTold;
    "/api/tree", "A part of a player's tree, for a picture that opens level by level.":
        tree::tree, tree::TreeQuery => tree::TreeTold;
    "/api/leaf", "A leaf of a player's tree, with positions that reach it.":
        leaf::leaf, leaf::LeafQuery => leaf::LeafTold;
    "/api/lesson", "A player's lesson: its rules, boards, a game and exercises.":
        lesson::lesson, lesson::LessonQuery => lesson::LessonTold;
    "/api/practice", "Positions to practise an endgame with, the easiest first.":
        practice::practice, practice::PracticeQuery => practice::PracticeTold;
    "/api/data/rows", "The positions of an endgame with their attributes, as learners see them.":
        rows::rows, rows::RowsQuery => rows::RowsTold;
    "/api/data/attributes", "The values of attributes in a position.":
        attributes::attributes, attributes::AttributesQuery => attributes::AttributesTold;
    "/api/data/histogram", "The number of positions of an endgame at each distance from mate.":
        histogram::histogram, histogram::HistogramQuery => histogram::HistogramTold;
    "/api/data/histogram.svg", "The histogram as a picture.":
        histogram::picture, histogram::HistogramQuery => Svg;
    "/api/data/confusion", "The confusion matrix of a tree.":
        confusion::confusion, confusion::ConfusionQuery => confusion::ConfusionTold;
    "/api/data/confusion/boards", "Positions of a cell of the confusion matrix.":
        confusion::cell, confusion::CellQuery => confusion::CellTold;
    "/api/data/sufficiency", "A check of whether attributes tell positions apart.":
        sufficiency::sufficiency, sufficiency::SufficiencyQuery => sufficiency::SufficiencyTold;
    "/api/random", "A random position.":
        random::random, random::RandomQuery => leaf::BoardTold;
};

/// Answers a request, given the path and the query string of its URL.
pub fn answer(shelf: &Shelf, path: &str, query: &str) -> Reply {
    let Some(route) = ROUTES.iter().find(|route| route.path == path) else {
        let missing = Refusal::Missing(format!("{path} is not a path here: see /api/openapi.json"));
        return Reply::refused(&missing);
    };
    (route.ask)(shelf, query).unwrap_or_else(|refusal| Reply::refused(&refusal))
}

/// Answers with a player's lesson as one HTML file; the query is that of `/api/lesson`.
pub fn answer_with_lesson_file(shelf: &Shelf, query: &str, parts: Parts<'_>) -> Reply {
    let file = query::read(query).and_then(|LessonQuery { player, material }| {
        lesson_file(shelf, &player, material.0, parts)
    });
    match file {
        Ok(file) => Reply::text("text/html; charset=utf-8", file),
        Err(refusal) => Reply::refused(&refusal),
    }
}
