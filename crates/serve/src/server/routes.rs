//! The routes of the server.

use super::guard;
use super::job_view::JobView;
use super::jobs::{Job, Jobs};
use super::refusal::HttpError;
use super::results::SavedPlayer;
use crate::assets::Asset;
use crate::{Reply, Site};
use axum::body::{Bytes, to_bytes};
use axum::extract::{DefaultBodyLimit, FromRequest, FromRequestParts, Path, Request, State};
use axum::http::header::{
    ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_TYPE,
    ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::stream;
use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// The longest body, in bytes.
const MAX_BODY: usize = 1 << 16;

/// The longest query in an address, in bytes.
const MAX_QUESTION: usize = 1 << 15;

/// The longest query in a body, in bytes: room for a file of games.
const MAX_FORM: usize = 1 << 24;

/// The longest time in which the form of a query has to arrive.
const FORM_TIME: Duration = Duration::from_secs(20);

/// The media type of a query in a body.
const FORM: &str = "application/x-www-form-urlencoded";

/// The most queries that are answered at the same time; others wait.
const AT_ONCE: usize = 32;

/// The most of those that any page may send.
const AT_ONCE_OPEN: usize = 8;

/// The shortest time between two events.
const BETWEEN_EVENTS: Duration = Duration::from_millis(100);

#[derive(Clone)]
pub(crate) struct AppState {
    pub(crate) site: Arc<dyn Site>,
    pub(crate) jobs: Arc<Jobs>,
    pub(crate) bound: SocketAddr,
    pub(crate) at_once: Arc<Semaphore>,
    /// For queries that any page may send, so that our page does not wait for them.
    pub(crate) at_once_open: Arc<Semaphore>,
}

impl AppState {
    pub(crate) fn new(site: Arc<dyn Site>, jobs: Arc<Jobs>, bound: SocketAddr) -> Self {
        let [at_once, at_once_open] =
            [AT_ONCE, AT_ONCE_OPEN].map(|seats| Arc::new(Semaphore::new(seats)));
        Self { site, jobs, bound, at_once, at_once_open }
    }
}

pub(crate) fn routes(state: AppState) -> Router {
    Router::new()
        .route("/", get(index))
        .route("/page/{*name}", get(asset))
        .route("/api/jobs", get(all_jobs).post(begin))
        .route("/api/jobs/{id}", get(one_job))
        .route("/api/jobs/{id}/events", get(events))
        .route("/api/jobs/{id}/chart.svg", get(chart))
        .route("/api/jobs/{id}/files/{name}", get(file))
        .route("/api/jobs/{id}/input", post(tell))
        .route("/api/jobs/{id}/stop", post(stop))
        .route("/api/jobs/{id}/forget", post(forget))
        .route("/api/jobs/{id}/rename", post(rename))
        .route("/api/jobs/{id}/save", post(save))
        .route("/api/players/{name}/forget", post(forget_player))
        .fallback(question)
        .method_not_allowed_fallback(other_method)
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(from_fn_with_state(state.clone(), guarded))
        .with_state(state)
}

/// Refuses forbidden requests, and adds the security headers to every response.
async fn guarded(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    let mut response = match guard::check(&path, request.headers(), state.bound) {
        Ok(()) => next.run(request).await,
        Err(why) => HttpError(StatusCode::FORBIDDEN, why).into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in guard::HEADERS.into_iter().chain([guard::sharing_header(&path)]) {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

async fn index(headers: HeaderMap) -> Result<Response, HttpError> {
    send(&headers, "index.html")
}

async fn asset(headers: HeaderMap, Path(name): Path<String>) -> Result<Response, HttpError> {
    send(&headers, &name)
}

/// Sends a file of the page. Browsers revalidate their cached copy each time.
fn send(headers: &HeaderMap, name: &str) -> Result<Response, HttpError> {
    let asset = Asset::named(&format!("page/{name}")).ok_or_else(|| {
        let why = format!("the page has no file {name:?}: open / for the page");
        HttpError(StatusCode::NOT_FOUND, why)
    })?;
    let tag = format!("\"{}-{}\"", env!("CARGO_PKG_VERSION"), asset.sum);
    let told = [(ETAG, tag.clone()), (CACHE_CONTROL, "no-cache".into())];
    if headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return Ok((StatusCode::NOT_MODIFIED, told).into_response());
    }
    let kind = [(CONTENT_TYPE, asset.media_type()), (VARY, "accept-encoding")];
    if takes_gzip(headers) {
        return Ok((told, kind, [(CONTENT_ENCODING, "gzip")], asset.gzipped).into_response());
    }
    Ok((told, kind, asset.bytes).into_response())
}

/// Returns true if the client accepts gzip.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let taken =
        headers.get(ACCEPT_ENCODING).and_then(|taken| taken.to_str().ok()).unwrap_or_default();
    taken.split(',').any(|one| one.trim() == "gzip" || one.trim().starts_with("gzip;q=1"))
}

/// Refuses a request with a wrong method.
async fn other_method() -> HttpError {
    let why = "this path expects another method: see /api/openapi.json";
    HttpError(StatusCode::METHOD_NOT_ALLOWED, why.into())
}

/// The query of a request: that of its address, or, for one of the page that is too long for an address, a form in its
/// body.
async fn query_of(request: Request) -> Result<String, Response> {
    let refused = |status, why: &str| HttpError(status, why.into()).into_response();
    let query = request.uri().query().unwrap_or_default();
    let takes_form = request.uri().path().starts_with("/api/");
    match *request.method() {
        Method::GET | Method::HEAD if query.len() <= MAX_QUESTION => Ok(query.to_owned()),
        Method::GET | Method::HEAD => {
            let why = match takes_form {
                true => "the query is too long for an address: send it as a form, with POST",
                false => "the query is too long: request less at a time",
            };
            Err(refused(StatusCode::URI_TOO_LONG, why))
        }
        Method::POST if takes_form => {
            let kind = request.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes);
            if !kind.is_some_and(|kind| kind.starts_with(FORM.as_bytes())) {
                let why = format!("a query is sent as a form: give it the type {FORM}");
                return Err(refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, &why));
            }
            if !query.is_empty() {
                let why = "a query is sent as a form or in the address: give one of them";
                return Err(refused(StatusCode::BAD_REQUEST, why));
            }
            let body = timeout(FORM_TIME, to_bytes(request.into_body(), MAX_FORM)).await;
            let body = body.map_err(|_| {
                refused(
                    StatusCode::REQUEST_TIMEOUT,
                    "the form takes too long to arrive: send it again",
                )
            })?;
            let body = body.map_err(|_| {
                let why = "the query is too long, or was cut off: send at most 16 MiB";
                refused(StatusCode::PAYLOAD_TOO_LARGE, why)
            })?;
            String::from_utf8(body.into()).map_err(|_| {
                refused(StatusCode::BAD_REQUEST, "the form is no text: escape its bytes with %")
            })
        }
        _ => {
            let (why, allowed) = match takes_form {
                true => ("queries use GET, or POST with a form", "GET, HEAD, POST"),
                false => ("queries use GET", "GET, HEAD"),
            };
            let refused = refused(StatusCode::METHOD_NOT_ALLOWED, why);
            Err(([(ALLOW, allowed)], refused).into_response())
        }
    }
}

/// Passes a query to the site.
async fn question(State(state): State<AppState>, request: Request) -> Result<Response, Response> {
    let path = request.uri().path().to_owned();
    let seats = if guard::is_open_to_all(&path) { &state.at_once_open } else { &state.at_once };
    // Forms are held in memory, so that a seat comes first.
    let permit = Arc::clone(seats).acquire_owned().await.map_err(|_| {
        let why = "the server is ending".into();
        HttpError(StatusCode::SERVICE_UNAVAILABLE, why).into_response()
    })?;
    let query = query_of(request).await?;
    // The task must not own the state, which owns the folder of all jobs and would keep it after the server
    // ends.
    let site = Arc::clone(&state.site);
    let answered = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        site.answer(&path, &query)
    });
    answered.await.map(IntoResponse::into_response).map_err(|_| {
        let why = "the query has crashed: please report it to the project";
        HttpError(StatusCode::INTERNAL_SERVER_ERROR, why.into()).into_response()
    })
}

impl IntoResponse for Reply {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        (status, [(CONTENT_TYPE, self.media_type)], self.body).into_response()
    }
}

/// All jobs.
#[derive(Serialize, JsonSchema)]
pub(crate) struct AllJobs {
    /// The jobs, the oldest first, without their points, summaries and reports, which a request for the job itself has.
    jobs: Vec<JobView>,
    /// The players that were saved, sorted by name.
    players: Vec<SavedPlayerView>,
    /// The folder that has a folder for each job, named by its id, with its files.
    folder: String,
}

/// A player that was saved from a job.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SavedPlayer")]
pub(crate) struct SavedPlayerView {
    /// The name that it was given.
    name: String,
    /// The name by which other queries take it.
    player: String,
}

impl From<SavedPlayer> for SavedPlayerView {
    fn from(SavedPlayer { name, player }: SavedPlayer) -> Self {
        Self { name, player }
    }
}

async fn all_jobs(State(state): State<AppState>) -> Json<AllJobs> {
    Json(AllJobs {
        jobs: state.jobs.all().iter().map(|job| job.view().without_results()).collect(),
        players: state.jobs.players().into_iter().map(Into::into).collect(),
        folder: state.jobs.folder().display().to_string(),
    })
}

/// A job to start.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StartJob {
    /// The experiment.
    verb: String,
    /// The values of its form.
    #[serde(default, deserialize_with = "texts")]
    fields: BTreeMap<String, String>,
}

/// Parses the values of a form, which are texts.
fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, String>, D::Error> {
    let fields = BTreeMap::<String, Value>::deserialize(deserializer)?;
    let text = |(name, value): (String, Value)| match value {
        Value::String(text) => Ok((name, text)),
        _ => Err(D::Error::custom(format!("the value of {name:?} is {}: quote it", kind(&value)))),
    };
    fields.into_iter().map(text).collect()
}

/// A name for a job or a player.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewName {
    /// The name.
    name: String,
}

/// A line for a job to read.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InputLine {
    /// The line. For a series of games it is a move in UCI notation, or resign; with the number of the game and that of
    /// the plies in front, as in `2/5 e7e5`, it is dropped if it comes too late.
    line: String,
}

/// A body of JSON. It is parsed by hand, so that errors have the same format as all others.
struct JsonBody<T>(T);

/// The content of a body of JSON.
trait Requested: serde::de::DeserializeOwned {
    /// The noun for people.
    const NOUN: &str;
    /// An example.
    const EXAMPLE: &str;
}

impl Requested for StartJob {
    const NOUN: &str = "a job";
    const EXAMPLE: &str = r#"{"verb":"prove","fields":{}}"#;
}

impl Requested for NewName {
    const NOUN: &str = "a name";
    const EXAMPLE: &str = r#"{"name":"my learner"}"#;
}

impl Requested for InputLine {
    const NOUN: &str = "a line";
    const EXAMPLE: &str = r#"{"line":"e7e5"}"#;
}

impl<T: Requested> FromRequest<AppState> for JsonBody<T> {
    type Rejection = HttpError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, HttpError> {
        let kind = request.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes);
        if !kind.is_some_and(|kind| kind.starts_with(b"application/json")) {
            let why = format!("{} is sent as JSON: give it the type application/json", T::NOUN);
            return Err(HttpError(StatusCode::UNSUPPORTED_MEDIA_TYPE, why));
        }
        let body = Bytes::from_request(request, state).await.map_err(|error| {
            let why = "the body is too long, or was cut off: send at most 64 KiB";
            HttpError(error.status(), why.into())
        })?;
        let read = match wrong_type(&body, T::EXAMPLE) {
            None => serde_json::from_slice(&body).map_err(|error| error.to_string()),
            Some(wrong) => Err(wrong),
        };
        read.map(Self).map_err(|error| {
            let why = format!("the body is not {}: {error}; it looks like {}", T::NOUN, T::EXAMPLE);
            HttpError(StatusCode::BAD_REQUEST, why)
        })
    }
}

/// The error for a body that is no object, or for its first field that the example does not have or whose type is
/// another; `None` if there is none.
fn wrong_type(body: &[u8], example: &str) -> Option<String> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let Value::Object(body) = body else {
        return Some(format!("it is {}, and has to be an object", kind(&body)));
    };
    let example: Map<String, Value> = serde_json::from_str(example).ok()?;
    let values = example.iter().find(|(_, value)| value.is_object());
    if let (Some((values, _)), Some(strange)) =
        (values, body.keys().find(|name| !example.contains_key(*name)))
    {
        return Some(format!(
            "unknown field {strange:?}: the values of a form belong in {values:?}"
        ));
    }
    let both = body.iter().filter_map(|(name, value)| Some((name, value, example.get(name)?)));
    let mut kinds = both.map(|(name, value, right)| (name, kind(value), kind(right)));
    let (name, found, expected) = kinds.find(|(_, found, expected)| found != expected)?;
    Some(format!("the field {name:?} is {found}, and has to be {expected}"))
}

/// The type of a value, in words.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// Starts a job.
async fn begin(
    State(state): State<AppState>,
    JsonBody(wanted): JsonBody<StartJob>,
) -> Result<(StatusCode, Json<JobView>), HttpError> {
    let job = state.jobs.begin(&wanted.verb, wanted.fields)?;
    Ok((StatusCode::CREATED, Json(job.view())))
}

/// The job whose id is in the path.
struct JobOfPath(Arc<Job>);

impl FromRequestParts<AppState> for JobOfPath {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Response> {
        let path = Path::<BTreeMap<String, String>>::from_request_parts(parts, state).await;
        let id = &path.map_err(IntoResponse::into_response)?["id"];
        state.jobs.find(id).map(Self).ok_or_else(|| {
            let why = format!("there is no job {id:?}: it has been deleted, or never was");
            HttpError(StatusCode::NOT_FOUND, why).into_response()
        })
    }
}

async fn one_job(JobOfPath(job): JobOfPath) -> Json<JobView> {
    Json(job.view())
}

async fn stop(JobOfPath(job): JobOfPath) -> Json<JobView> {
    job.stop();
    Json(job.view())
}

async fn tell(
    JobOfPath(job): JobOfPath,
    JsonBody(wanted): JsonBody<InputLine>,
) -> Result<Json<JobView>, HttpError> {
    job.tell(&wanted.line)?;
    Ok(Json(job.view()))
}

async fn forget(
    State(state): State<AppState>,
    JobOfPath(job): JobOfPath,
) -> Result<Json<JobView>, HttpError> {
    state.jobs.forget(&job)?;
    Ok(Json(job.view()))
}

async fn rename(
    State(state): State<AppState>,
    JobOfPath(job): JobOfPath,
    JsonBody(wanted): JsonBody<NewName>,
) -> Result<Json<JobView>, HttpError> {
    state.jobs.rename(&job, &wanted.name)?;
    Ok(Json(job.view()))
}

async fn save(
    State(state): State<AppState>,
    JobOfPath(job): JobOfPath,
    JsonBody(wanted): JsonBody<NewName>,
) -> Result<(StatusCode, Json<SavedPlayerView>), HttpError> {
    let saved = state.jobs.save(&job, &wanted.name)?;
    Ok((StatusCode::CREATED, Json(saved.into())))
}

async fn forget_player(
    State(state): State<AppState>,
    Path(name): Path<String>,
) -> Result<Json<SavedPlayerView>, HttpError> {
    state.jobs.forget_player(&name).map(|saved| Json(saved.into()))
}

/// Streams a job's changes as events.
async fn events(JobOfPath(job): JobOfPath) -> impl IntoResponse {
    let listening = job.listen();
    let mut changes = listening.job().changes();
    changes.mark_changed();
    let told = stream::unfold(Some((listening, changes)), |state| async {
        let (listening, mut changes) = state?;
        if changes.changed().await.is_err() {
            return None;
        }
        changes.mark_unchanged();
        let shown = listening.job().view();
        let is_running = shown.state == super::job_view::JobState::Running;
        let event = Event::default().json_data(&shown).expect("texts and numbers become JSON");
        if is_running {
            tokio::time::sleep(BETWEEN_EVENTS).await;
        }
        Some((Ok::<_, Infallible>(event), is_running.then_some((listening, changes))))
    });
    let alive = KeepAlive::new().interval(Duration::from_secs(3));
    Sse::new(told).keep_alive(alive)
}

async fn chart(JobOfPath(job): JobOfPath) -> Result<impl IntoResponse, HttpError> {
    let svg = job.chart().and_then(|path| std::fs::read(path).ok());
    let missing = || HttpError(StatusCode::NOT_FOUND, "the job has drawn nothing yet".into());
    Ok(([(CONTENT_TYPE, "image/svg+xml")], svg.ok_or_else(missing)?))
}

async fn file(
    JobOfPath(job): JobOfPath,
    Path((_, name)): Path<(String, String)>,
) -> Result<impl IntoResponse, HttpError> {
    let missing = || HttpError(StatusCode::NOT_FOUND, "the job has no such file".into());
    let path = job.file(&name).ok_or_else(missing)?;
    let read = tokio::task::spawn_blocking(move || std::fs::read(path)).await;
    let bytes = read.ok().and_then(Result::ok).ok_or_else(missing)?;
    let kind = HeaderValue::from_static("application/octet-stream");
    let saved = format!("attachment; filename=\"{}\"", name.replace(['"', '\\'], "_"));
    let saved = HeaderValue::try_from(saved).unwrap_or(HeaderValue::from_static("attachment"));
    Ok(([(CONTENT_TYPE, kind), (CONTENT_DISPOSITION, saved)], bytes))
}
