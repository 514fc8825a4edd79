//! The file of a system as it is written, with the place of each value.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

/// A file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Form {
    pub(super) name: Spanned<String>,
    pub(super) about: Option<Spanned<String>>,
    pub(super) source: Option<Spanned<String>>,
    pub(super) floor: Option<Spanned<String>>,
    pub(super) best: Option<Spanned<String>>,
    #[serde(default, rename = "for")]
    pub(super) presets: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) numbers: BTreeMap<String, Spanned<NumberForm>>,
    #[serde(default)]
    pub(super) define: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    pub(super) rule: Vec<Spanned<RuleForm>>,
    #[serde(default)]
    pub(super) promise: Vec<Spanned<PromiseForm>>,
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected a whole number, or a table { value = 3, from = 0, to = 5, about = \"…\" }"
)]
pub(super) enum NumberForm {
    Plain(i32),
    Full(FullNumber),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FullNumber {
    pub(super) value: i32,
    pub(super) from: i32,
    pub(super) to: i32,
    #[serde(default)]
    pub(super) about: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleForm {
    pub(super) name: Option<Spanned<String>>,
    pub(super) says: Option<Spanned<String>>,
    pub(super) when: Option<Spanned<String>>,
    #[serde(rename = "in")]
    pub(super) strains: Option<Spanned<String>>,
    pub(super) best: Option<Spanned<String>>,
    pub(super) call: Spanned<CallForm>,
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected a call: a level such as 80, or a text such as \"partner_level + 10\" or \"pass\""
)]
pub(super) enum CallForm {
    Level(i32),
    Text(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PromiseForm {
    #[serde(rename = "in")]
    pub(super) strains: Option<Spanned<String>>,
    pub(super) when: Option<Spanned<String>>,
    pub(super) shows: Spanned<String>,
    pub(super) says: Option<Spanned<String>>,
}
