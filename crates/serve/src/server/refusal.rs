//! Errors as responses.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;

/// The error of a request.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Refusal {
    /// The error and how to correct it, in a sentence.
    error: String,
}

/// An error and its status code.
pub(crate) struct HttpError(pub(crate) StatusCode, pub(crate) String);

impl IntoResponse for HttpError {
    fn into_response(self) -> Response {
        (self.0, Json(Refusal { error: self.1 })).into_response()
    }
}
