//! Rule sets from any format, and fields that text has in another form than memory.

use serde::{Deserialize, Deserializer, de::Error};

use super::{RuleOptions, RuleSet};

/// Reads by way of a table whatever the format, so that what reads the options is compiled once and not for each format.
impl<'de> Deserialize<'de> for RuleSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let options = RuleOptions::of_table(toml::Table::deserialize(deserializer)?);
        options.map_err(D::Error::custom)?.validate().map_err(D::Error::custom)
    }
}

impl RuleOptions {
    /// Reads options of which ranges are not yet checked.
    pub(crate) fn of_table(table: toml::Table) -> Result<Self, String> {
        table.try_into().map_err(|error: toml::de::Error| error.message().to_owned())
    }
}

/// Writes `auction.highest` as a number or the word `none`, since TOML has no null.
pub(super) mod highest {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    #[expect(clippy::ref_option, reason = "the form that serde asks for")]
    pub(in crate::rules) fn serialize<S: Serializer>(
        value: &Option<u16>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(points) => serializer.serialize_u16(*points),
            None => serializer.serialize_str("none"),
        }
    }

    pub(in crate::rules) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<u16>, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Points(u16),
            Word(String),
        }
        match Form::deserialize(deserializer)? {
            Form::Points(points) => Ok(Some(points)),
            Form::Word(word) if word == "none" => Ok(None),
            Form::Word(word) => Err(D::Error::custom(format!("expected a number or `none`, not `{word}`"))),
        }
    }
}

/// The form of `belote.multiplied`: true, false or `winner`.
pub(super) mod multiplied {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::rules::Multiplied;

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
    pub(in crate::rules) fn serialize<S: Serializer>(
        value: &Multiplied,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Multiplied::Winner => serializer.serialize_str(value.word()),
            other => serializer.serialize_bool(*other == Multiplied::All),
        }
    }

    pub(in crate::rules) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Multiplied, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            All(bool),
            Word(String),
        }
        match Form::deserialize(deserializer)? {
            Form::All(all) => Ok(if all { Multiplied::All } else { Multiplied::Nobody }),
            Form::Word(word) if word == Multiplied::Winner.word() => Ok(Multiplied::Winner),
            Form::Word(word) => {
                Err(D::Error::custom(format!("expected true, false or `winner`, not `{word}`")))
            }
        }
    }
}
