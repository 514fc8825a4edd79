//! Errors as answers: a status and a sentence.

use std::fmt::Display;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use coinche_analysis::advise::QuestionError;
use coinche_analysis::typed::Language;
use serde_json::json;

/// What is answered when a request cannot be served.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub(crate) struct Refusal {
    /// The status.
    pub(crate) status: StatusCode,
    /// What is wrong, and the remedy.
    pub(crate) text: String,
    /// The same in French, where the catalogue of the page does not have it.
    pub(crate) french: Option<String>,
}

impl Refusal {
    /// Refuses with a status.
    pub(crate) fn new(status: StatusCode, why: impl Display) -> Self {
        Self { status, text: why.to_string(), french: None }
    }

    /// The request is wrong.
    pub(crate) fn wrong(why: impl Display) -> Self {
        Self::new(StatusCode::BAD_REQUEST, why)
    }

    /// The request does not fit the state of the table.
    pub(crate) fn conflict(why: impl Display) -> Self {
        Self::new(StatusCode::CONFLICT, why)
    }

    /// There is no such thing.
    pub(crate) fn none(why: impl Display) -> Self {
        Self::new(StatusCode::NOT_FOUND, why)
    }

    /// The program failed: a file cannot be written.
    pub(crate) fn failed(why: impl Display) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, why)
    }
}

impl From<coinche_selfplay::ArenaError> for Refusal {
    fn from(error: coinche_selfplay::ArenaError) -> Self {
        Self::failed(error)
    }
}

impl From<QuestionError> for Refusal {
    fn from(error: QuestionError) -> Self {
        let french = in_fields(error.told(Language::French), |(_, french)| french);
        Self { french: Some(french), ..Self::wrong(in_fields(error.to_string(), |(english, _)| english)) }
    }
}

/// The flags of `arena advise` that a position has fields for, and these in both languages.
const FIELDS: [(&str, (&str, &str)); 5] = [
    ("--auction", ("auction", "enchères")),
    ("--tricks", ("tricks", "plis")),
    ("--turned", ("turned", "retourne")),
    ("--seat", ("seat", "place")),
    ("--hand", ("hands", "mains")),
];

/// Says the fields of a position where an error says flags.
fn in_fields(text: String, name: impl Fn((&'static str, &'static str)) -> &'static str) -> String {
    FIELDS.iter().fold(text, |text, (flag, names)| text.replace(flag, name(*names)))
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(json!({ "error": self.text, "french": self.french }))).into_response()
    }
}

/// What most functions of the server return.
pub(crate) type Answer<T> = Result<T, Refusal>;
