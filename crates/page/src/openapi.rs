//! The OpenAPI description of the routes.

use super::api_error::ErrorResponse;
use super::background::SolvingResponse;
use super::route::{ROUTES, Route};
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// The paths of an OpenAPI document, made from the types of queries and answers: see [`ROUTES`].
pub fn paths(generator: &mut SchemaGenerator) -> Map<String, Value> {
    ROUTES.iter().map(|route| (route.path.to_owned(), path(route, generator))).collect()
}

fn path(route: &Route, generator: &mut SchemaGenerator) -> Value {
    let parameters = parameters(&(route.query)(generator));
    let content = match route.answer {
        Some(answer) => json!({ "application/json": { "schema": answer(generator) } }),
        None => json!({ "image/svg+xml": { "schema": { "type": "string" } } }),
    };
    let said = |about: &str, schema: Schema| json!({ "description": about, "content": { "application/json": { "schema": schema } } });
    let solving = said(
        "A table is being solved: ask again a little later.",
        generator.subschema_for::<SolvingResponse>(),
    );
    let nonsense = said("The query makes no sense.", generator.subschema_for::<ErrorResponse>());
    let missing =
        said("The thing asked for does not exist.", generator.subschema_for::<ErrorResponse>());
    json!({
        "get": {
            "summary": route.about,
            "parameters": parameters,
            "responses": {
                "200": { "description": "The answer.", "content": content },
                "202": solving,
                "400": nonsense,
                "404": missing,
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
