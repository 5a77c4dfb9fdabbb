//! Where what is asked, and who answers.

use super::lesson::LessonQuery;
use super::lesson_file::{Parts, lesson_file};
use super::picture::Svg;
use super::refusal::{Refusal, Refused};
use super::{
    Shelf, about, attributes, chosen, confusion, game, histogram, leaf, lesson, position, practice,
    query, random, rows, rules, setup, standard, sufficiency, tree, turned, why,
};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

/// A question that the page asks.
pub struct Route {
    /// Its path.
    pub path: &'static str,
    /// What is answered, in a sentence.
    pub about: &'static str,
    /// Makes the schema of the query, an object with a property for each of its parts.
    pub query: fn(&mut SchemaGenerator) -> Schema,
    /// Makes the schema of the answer; nothing where the answer is a picture.
    pub answer: Option<fn(&mut SchemaGenerator) -> Schema>,
    ask: fn(&Shelf, &str) -> Result<Reply, Refusal>,
}

/// An answer, as HTTP has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// 200, or why there is no answer: see [`Refusal::status`].
    pub status: u16,
    /// What kind of data the body is.
    pub media_type: &'static str,
    /// The data.
    pub body: Vec<u8>,
}

impl Reply {
    fn json(status: u16, data: &impl Serialize) -> Self {
        let body = serde_json::to_vec(data).expect("texts and numbers become JSON");
        Self { status, media_type: "application/json", body }
    }

    fn refused(refusal: &Refusal) -> Self {
        match refusal {
            Refusal::Solving(told) => Self::json(refusal.status(), told),
            _ => Self::json(refusal.status(), &Refused { error: refusal.to_string() }),
        }
    }
}

/// What can be answered.
trait Told {
    /// Makes its schema; nothing for a picture.
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
        Reply { status: 200, media_type: "image/svg+xml", body: self.0.clone().into_bytes() }
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

/// Every question that can be asked.
pub const ROUTES: &[Route] = routes! {
    "/api/about", "What there is to choose from: endgames, players, sets of attributes.":
        about::about, about::AboutQuery => about::AboutTold;
    "/api/game", "How a game stands, and what can be played in it.":
        game::game, game::GameQuery => game::GameTold;
    "/api/setup", "What is wrong with a position that is being set up.":
        setup::setup, setup::SetupQuery => setup::SetupTold;
    "/api/turned", "A position mirrored, flipped, or with the other side to move.":
        turned::turned, turned::TurnedQuery => turned::Turned;
    "/api/position", "What best play makes of a position, and what each move does.":
        position::position, position::PositionQuery => position::PositionTold;
    "/api/why", "Why a player plays its move, and what other moves cost.":
        why::why, why::WhyQuery => why::WhyTold;
    "/api/answer", "A player's move in a game.":
        chosen::chosen, chosen::ChosenQuery => chosen::ChosenTold;
    "/standard", "What is known of a position, as the Lichess tablebase answers.":
        standard::standard, standard::StandardQuery => lucena_report::Probed;
    "/api/rules", "The rules of a player, searched and page by page.":
        rules::rules, rules::RulesQuery => rules::RulesTold;
    "/api/tree", "A part of a player's tree, for a picture that opens level by level.":
        tree::tree, tree::TreeQuery => tree::TreeTold;
    "/api/leaf", "A leaf of a player's tree, with boards that end there.":
        leaf::leaf, leaf::LeafQuery => leaf::LeafTold;
    "/api/lesson", "A player's lesson: its rules, boards, a game and exercises.":
        lesson::lesson, lesson::LessonQuery => lesson::LessonTold;
    "/api/practice", "Positions to practise an endgame with, the easiest first.":
        practice::practice, practice::PracticeQuery => practice::PracticeTold;
    "/api/data/rows", "The positions of an endgame by attributes, as learners see them.":
        rows::rows, rows::RowsQuery => rows::RowsTold;
    "/api/data/attributes", "What attributes say of a position.":
        attributes::attributes, attributes::AttributesQuery => attributes::AttributesTold;
    "/api/data/histogram", "How many positions of an endgame are how far from mate.":
        histogram::histogram, histogram::HistogramQuery => histogram::HistogramTold;
    "/api/data/histogram.svg", "The same as a picture.":
        histogram::picture, histogram::HistogramQuery => Svg;
    "/api/data/confusion", "Which class a tree answers for which.":
        confusion::confusion, confusion::ConfusionQuery => confusion::ConfusionTold;
    "/api/data/confusion/boards", "Positions of one class that get one answer.":
        confusion::cell, confusion::CellQuery => confusion::CellTold;
    "/api/data/sufficiency", "Whether attributes are enough to tell positions apart.":
        sufficiency::sufficiency, sufficiency::SufficiencyQuery => sufficiency::SufficiencyTold;
    "/api/random", "A position drawn by lot.":
        random::random, random::RandomQuery => leaf::BoardTold;
};

/// Answers a question: its path, and what stands behind the question mark.
pub fn answer(shelf: &Shelf, path: &str, query: &str) -> Reply {
    let Some(route) = ROUTES.iter().find(|route| route.path == path) else {
        let missing = Refusal::Missing(format!("{path} is no question: see /api/openapi.json"));
        return Reply::refused(&missing);
    };
    (route.ask)(shelf, query).unwrap_or_else(|refusal| Reply::refused(&refusal))
}

/// Answers with a player's lesson as one HTML file: the query is that of `/api/lesson`.
pub fn answer_with_lesson_file(shelf: &Shelf, query: &str, parts: Parts<'_>) -> Reply {
    let file = query::read(query)
        .and_then(|LessonQuery { player, material }| lesson_file(shelf, &player, material, parts));
    match file {
        Ok(file) => {
            Reply { status: 200, media_type: "text/html; charset=utf-8", body: file.into_bytes() }
        }
        Err(refusal) => Reply::refused(&refusal),
    }
}
