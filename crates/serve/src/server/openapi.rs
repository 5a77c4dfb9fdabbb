//! The OpenAPI description of the routes for jobs.

use super::job_view::JobView;
use super::refusal::Refusal;
use super::routes::{AllJobs, InputLine, NewName, SavedPlayerView, StartJob};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// The schema of a body that the server reads: what has a default may be left out.
fn body_schema<T: JsonSchema>(generator: &SchemaGenerator) -> Schema {
    let mut settings = generator.settings().clone().for_deserialize();
    settings.inline_subschemas = true;
    T::json_schema(&mut settings.into_generator())
}

/// The paths of an OpenAPI document: how to start, watch, stop, name and delete jobs, and how to save players.
pub fn paths(generator: &mut SchemaGenerator) -> Map<String, Value> {
    let job = generator.subschema_for::<JobView>();
    let all = generator.subschema_for::<AllJobs>();
    let wanted = body_schema::<StartJob>(generator);
    let refused = generator.subschema_for::<Refusal>();
    let id =
        json!([{ "name": "id", "in": "path", "required": true, "schema": { "type": "string" } }]);
    let said = |about: &str, schema: &Schema| json!({ "description": about, "content": { "application/json": { "schema": schema } } });
    let missing = said("There is no such job.", &refused);
    let one = |about: &str, method: &str| {
        json!({ method: { "summary": about, "parameters": id, "responses": {
            "200": said("The job.", &job), "404": missing } } })
    };
    let file = |about: &str, kind: &str, parameters: &Value| {
        json!({ "get": { "summary": about, "parameters": parameters, "responses": {
            "200": { "description": "The file.", "content": { kind: { "schema": { "type": "string" } } } },
            "404": missing } } })
    };
    let named = json!([id[0], { "name": "name", "in": "path", "required": true, "schema": { "type": "string" } }]);
    let jobs = json!({
        "get": { "summary": "All jobs.", "responses": { "200": said("The jobs.", &all) } },
        "post": {
            "summary": "Starts a job.",
            "requestBody": { "required": true, "content": { "application/json": { "schema": wanted } } },
            "responses": {
                "201": said("The job.", &job),
                "400": said("The request makes no sense.", &refused),
                "413": said("The body is too long.", &refused),
                "415": said("The body is not JSON.", &refused),
                "429": said("Too many jobs are running.", &refused),
            },
        },
    });
    let mut forget = one("Deletes a job that has ended, and its files.", "post");
    forget["post"]["responses"]["409"] = said("The job is running.", &refused);
    let name = body_schema::<NewName>(generator);
    let name = json!({ "required": true, "content": { "application/json": { "schema": name } } });
    let saved = generator.subschema_for::<SavedPlayerView>();
    let mut rename = one("Gives a job another name.", "post");
    rename["post"]["requestBody"] = name.clone();
    rename["post"]["responses"]["400"] = said("The name makes no sense.", &refused);
    let line = body_schema::<InputLine>(generator);
    let line = json!({ "required": true, "content": { "application/json": { "schema": line } } });
    let mut input = one("Sends a job a line to read, such as a move of the one who plays.", "post");
    input["post"]["requestBody"] = line;
    input["post"]["responses"]["400"] = said("The line is too long, or more than one.", &refused);
    input["post"]["responses"]["409"] = said("The job has ended, or does not read.", &refused);
    let mut save = one("Saves a job's player as it is now, under a name.", "post");
    save["post"]["requestBody"] = name;
    save["post"]["responses"] = json!({
        "201": said("The player.", &saved),
        "400": said("The name makes no sense.", &refused),
        "404": missing,
        "409": said("There is a player of that name, or the job has made none yet.", &refused),
    });
    let players = json!({ "post": { "summary": "Deletes a player that was saved.", "parameters": [named[1]], "responses": {
        "200": said("The player.", &saved), "404": said("There is no such player.", &refused) } } });
    let changes = "The changes of a job, as server-sent events that each hold the job.";
    let picture = "A picture of a job's results so far.";
    let written = "A file that a job has written.";
    let paths = [
        ("/api/jobs", jobs),
        ("/api/jobs/{id}", one("A job.", "get")),
        ("/api/jobs/{id}/events", file(changes, "text/event-stream", &id)),
        ("/api/jobs/{id}/chart.svg", file(picture, "image/svg+xml", &id)),
        ("/api/jobs/{id}/files/{name}", file(written, "application/octet-stream", &named)),
        ("/api/jobs/{id}/input", input),
        ("/api/jobs/{id}/stop", one("Stops a job.", "post")),
        ("/api/jobs/{id}/forget", forget),
        ("/api/jobs/{id}/rename", rename),
        ("/api/jobs/{id}/save", save),
        ("/api/players/{name}/forget", players),
    ];
    paths.into_iter().map(|(path, described)| (path.to_owned(), described)).collect()
}
