//! The routes of the API, and their OpenAPI description.

use super::answer_folder::JsonAnswer;
use super::api_error::{ApiError, ErrorResponse, Result, SolvingResponse};
use super::histogram::{self, Svg};
use super::lesson::{self, LessonFileQuery};
use super::lesson_file::{PartLookup, lesson_file};
use super::query::OfParameter;
use super::{
    PageState, about, attributes, compare, confusion, game, move_numbers, node, node_search,
    position, query, random, refutation, rows, rules, setup, source, stages, tree, verdicts, why,
};
use lucena_explain::Reasons;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value, json};

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
    ask: fn(&PageState, &str) -> Result<HttpReply>,
}

const JSON: &str = "application/json";

/// An HTTP response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpReply {
    /// The status code: 200, or that of the error, see [`ApiError::status`].
    pub status: u16,
    /// The media type of the body.
    pub media_type: &'static str,
    /// The body.
    pub body: Vec<u8>,
}

impl HttpReply {
    /// Data as JSON.
    ///
    /// # Panics
    /// If the data is no JSON: a map with keys that are not text.
    pub fn json(status: u16, data: &impl Serialize) -> Self {
        let body = serde_json::to_vec(data).expect("texts and numbers become JSON");
        Self { status, media_type: JSON, body }
    }

    fn text(media_type: &'static str, text: String) -> Self {
        Self { status: 200, media_type, body: text.into_bytes() }
    }

    fn refused(refusal: &ApiError) -> Self {
        match refusal {
            ApiError::Solving(told) => Self::json(refusal.status(), told),
            _ => Self::json(refusal.status(), &ErrorResponse::from(refusal)),
        }
    }
}

/// A type that can be an answer.
trait Response {
    /// Makes its schema; `None` for a picture.
    const SCHEMA: Option<fn(&mut SchemaGenerator) -> Schema>;

    fn reply(&self) -> HttpReply;
}

impl<T: Serialize + JsonSchema> Response for T {
    const SCHEMA: Option<fn(&mut SchemaGenerator) -> Schema> =
        Some(|generator| generator.subschema_for::<T>());

    fn reply(&self) -> HttpReply {
        HttpReply::json(200, self)
    }
}

impl<T: Serialize + JsonSchema> Response for JsonAnswer<T> {
    const SCHEMA: Option<fn(&mut SchemaGenerator) -> Schema> = T::SCHEMA;

    fn reply(&self) -> HttpReply {
        HttpReply { status: 200, media_type: JSON, body: self.body.clone() }
    }
}

impl Response for Svg {
    const SCHEMA: Option<fn(&mut SchemaGenerator) -> Schema> = None;

    fn reply(&self) -> HttpReply {
        HttpReply::text("image/svg+xml", self.0.clone())
    }
}

macro_rules! routes {
    ($($path:literal, $about:literal: $answer:path, $Query:ty => $Answer:ty;)*) => {
        &[$(Route {
            path: $path,
            about: $about,
            query: |generator| <$Query as JsonSchema>::json_schema(generator),
            answer: <$Answer as Response>::SCHEMA,
            ask: |state, text| {
                let answer: $Answer = $answer(state, query::read::<$Query>(text)?)?;
                Ok(answer.reply())
            },
        }),*]
    };
}

/// All routes.
pub const ROUTES: &[Route] = routes! {
    "/api/about", "The choices: endgames, players, sets of attributes.":
        about::about, about::AboutQuery => about::AboutResponse;
    "/api/game", "The state of a game, and its legal moves.":
        game::game, game::GameQuery => game::GameResponse;
    "/api/setup", "The problems of a position that is being set up.":
        setup::setup, setup::SetupQuery => setup::SetupResponse;
    "/api/turned", "A position mirrored, flipped, or with the other side to move.":
        setup::turned, setup::TransformQuery => setup::TransformedBoard;
    "/api/position", "The outcome of a position, and of each move.":
        position::position, position::PositionQuery => position::PositionResponse;
    "/api/why", "The reasons for a player's move, and the cost of other moves.":
        why::why, why::WhyQuery => Reasons;
    "/api/answer", "A player's move in a game.":
        game::chosen, game::PlayerMoveQuery => game::PlayerMoveResponse;
    "/standard", "The outcome of a position, in the format of the Lichess tablebase.":
        position::standard, position::StandardQuery => lucena_report::ProbeReport;
    "/standard/mainline", "The line of best play, in the format of the Lichess tablebase.":
        position::mainline, position::StandardQuery => position::MainlineResponse;
    "/api/rules", "The rules of a player, with search and paging.":
        rules::rules, rules::RulesQuery => rules::RulesResponse;
    "/api/tree", "A part of a player's tree, for a picture that opens level by level.":
        tree::tree, tree::TreeQuery => tree::TreeResponse;
    "/api/leaf", "A leaf of a player's tree, with positions that reach it.":
        tree::leaf, tree::LeafQuery => tree::LeafResponse;
    "/api/node", "A node of a player's tree, with positions that reach it.":
        node::node, node::NodeQuery => node::NodeResponse;
    "/api/tree/search", "The nodes of a player's tree that match words.":
        node_search::search, node_search::NodeSearchQuery => node_search::NodeSearchResponse;
    "/api/compare", "Two players beside each other, and positions in which they move differently.":
        compare::compare, compare::CompareQuery => compare::CompareResponse;
    "/api/source", "A player as source code, for another chess program.":
        source::source, source::SourceQuery => source::SourceResponse;
    "/api/lesson", "A player's lesson: its rules, boards, a game and exercises.":
        lesson::lesson, lesson::LessonQuery => JsonAnswer<lesson::LessonResponse>;
    "/api/lesson/rules", "The lesson of an endgame that rules about who wins teach.":
        lesson::rule_lesson, lesson::RuleLessonQuery => lesson::LessonResponse;
    "/api/stages", "The lesson of an endgame in stages, as far as it needs no table.":
        stages::stages, stages::StagesQuery => stages::StagesResponse;
    "/api/stages/answers", "The counts and the right moves of a lesson in stages.":
        stages::answers, stages::StagesQuery => stages::StageAnswersResponse;
    "/api/verdicts", "The verdicts on the rules about who wins an endgame.":
        verdicts::verdicts, verdicts::VerdictsQuery => verdicts::VerdictsResponse;
    "/api/measured", "The number of the smallest measure in a position and after each move.":
        move_numbers::move_numbers, move_numbers::MoveNumbersQuery => move_numbers::MoveNumbersResponse;
    "/api/refutation", "Why a move is wrong: the line that punishes it.":
        refutation::refutation, refutation::RefutationQuery => refutation::RefutationResponse;
    "/api/practice", "Positions to practise an endgame with, the easiest first.":
        random::practice, random::PracticeQuery => random::PracticeResponse;
    "/api/data/rows", "The positions of an endgame with their attributes, as learners see them.":
        rows::rows, rows::RowsQuery => rows::RowsResponse;
    "/api/data/attributes", "The values of attributes in a position.":
        attributes::attributes, attributes::AttributesQuery => attributes::AttributesResponse;
    "/api/data/histogram", "The number of positions of an endgame at each distance from mate.":
        histogram::histogram, histogram::HistogramQuery => histogram::HistogramResponse;
    "/api/data/histogram.svg", "The histogram as a picture.":
        histogram::picture, histogram::HistogramQuery => Svg;
    "/api/data/confusion", "The confusion matrix of a tree.":
        confusion::confusion, confusion::ConfusionQuery => confusion::ConfusionResponse;
    "/api/data/confusion/boards", "Positions of a cell of the confusion matrix.":
        confusion::cell, confusion::CellQuery => confusion::CellResponse;
    "/api/data/sufficiency", "A check of whether attributes separate positions.":
        attributes::sufficiency, attributes::SufficiencyQuery => attributes::SufficiencyResponse;
    "/api/random", "A random position.":
        random::random, random::RandomQuery => tree::BoardView;
};

/// Answers a request, given the path and the query string of its URL.
pub fn answer(state: &PageState, path: &str, query: &str) -> HttpReply {
    let Some(route) = ROUTES.iter().find(|route| route.path == path) else {
        let missing =
            ApiError::NotFound(format!("{path} is not a path here: see /api/openapi.json"));
        return HttpReply::refused(&missing);
    };
    (route.ask)(state, query).unwrap_or_else(|refusal| HttpReply::refused(&refusal))
}

/// Answers with a lesson as one HTML file; the query is that of `/api/lesson`, and without a player the endgame's stages
/// come first.
pub fn answer_with_lesson_file(state: &PageState, query: &str, parts: PartLookup<'_>) -> HttpReply {
    let file = query::read(query).and_then(|LessonFileQuery { player, material }| {
        player.0.as_deref().map(|name| state.player(name)).transpose().of_parameter("player")?;
        lesson_file(state, player.0.as_deref(), material.0, parts)
    });
    match file {
        Ok(file) => HttpReply::text("text/html; charset=utf-8", file),
        Err(refusal) => HttpReply::refused(&refusal),
    }
}

/// The paths of an OpenAPI document, made from the types of queries and answers: see [`ROUTES`].
pub fn paths(generator: &mut SchemaGenerator) -> Map<String, Value> {
    ROUTES.iter().map(|route| (route.path.to_owned(), path(route, generator))).collect()
}

fn path(route: &Route, generator: &mut SchemaGenerator) -> Value {
    // Queries are read, so that what has a default may be left out.
    let mut settings = generator.settings().clone().for_deserialize();
    settings.inline_subschemas = true;
    let parameters = parameters(&(route.query)(&mut settings.into_generator()));
    let content = match route.answer {
        Some(answer) => json!({ "application/json": { "schema": answer(generator) } }),
        None => json!({ "image/svg+xml": { "schema": { "type": "string" } } }),
    };
    let said = |about: &str, schema: &Schema| json!({ "description": about, "content": { "application/json": { "schema": schema } } });
    let solving = generator.subschema_for::<SolvingResponse>();
    let error = generator.subschema_for::<ErrorResponse>();
    json!({
        "get": {
            "summary": route.about,
            "parameters": parameters,
            "responses": {
                "200": { "description": "The answer.", "content": content },
                "202": said("A table is being solved: repeat the request a little later.", &solving),
                "400": said("The query makes no sense.", &error),
                "404": said("The requested thing does not exist.", &error),
                "500": said("A table cannot be read.", &error),
            },
        },
    })
}

/// Converts each property of a query to a parameter.
fn parameters(query: &Schema) -> Vec<Value> {
    let properties =
        query.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    let required = query.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let parameter = |(name, mut schema): (String, Value)| {
        let about = schema.as_object_mut().and_then(|schema| schema.remove("description"));
        remove_null(&mut schema);
        json!({
            "name": name,
            "in": "query",
            "required": required.contains(&Value::from(name.as_str())),
            "description": about,
            "schema": schema,
        })
    };
    properties.into_iter().map(parameter).collect()
}

/// Removes null from the values of a parameter: a query leaves a parameter out instead.
fn remove_null(schema: &mut Value) {
    let Some(schema) = schema.as_object_mut() else { return };
    for of_values in ["type", "enum"] {
        let Some(Value::Array(values)) = schema.get_mut(of_values) else { continue };
        values.retain(|value| !value.is_null() && value != "null");
        if let ("type", [one]) = (of_values, values.as_slice()) {
            let one = one.clone();
            schema.insert(of_values.into(), one);
        }
    }
    schema.retain(|name, value| name != "default" || !value.is_null());
}
