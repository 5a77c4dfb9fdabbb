//! Where what is asked, and who answers.

use super::refusal::{Refusal, Refused};
use super::{Shelf, leaf, query, random, rules, setup, tree};
use crate::report::MakeSchema;
use schemars::schema_for;
use serde::Serialize;

/// A question that the page asks.
pub struct Route {
    /// Its path.
    pub path: &'static str,
    /// What is answered, in a sentence.
    pub about: &'static str,
    /// Makes the schema of the query, an object with a property for each of its parts.
    pub query: MakeSchema,
    /// Makes the schema of the answer.
    pub answer: MakeSchema,
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

macro_rules! routes {
    ($($path:literal, $about:literal: $answer:path, $Query:ty => $Answer:ty;)*) => {
        &[$(Route {
            path: $path,
            about: $about,
            query: || schema_for!($Query),
            answer: || schema_for!($Answer),
            ask: |shelf, text| {
                let answer: $Answer = $answer(shelf, query::read::<$Query>(text)?)?;
                Ok(Reply::json(200, &answer))
            },
        }),*]
    };
}

/// Every question that can be asked.
pub const ROUTES: &[Route] = routes! {
    "/api/setup", "What is wrong with a position that is being set up.":
        setup::setup, setup::SetupQuery => setup::SetupTold;
    "/api/rules", "The rules of a player, searched and page by page.":
        rules::rules, rules::RulesQuery => rules::RulesTold;
    "/api/tree", "A part of a player's tree, for a picture that opens level by level.":
        tree::tree, tree::TreeQuery => tree::TreeTold;
    "/api/leaf", "A leaf of a player's tree, with boards that end there.":
        leaf::leaf, leaf::LeafQuery => leaf::LeafTold;
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
