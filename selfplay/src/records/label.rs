//! The deal that a line of records belongs to.

use coinche_engine::record::Record;
use serde::Deserialize;

/// The bytes before the deal number in the records that `arena` writes.
pub const BEFORE_DEAL: &[u8] = b"{\"v\":1,\"deal\":";

/// The fields that identify the deal of a record; all others are skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Label {
    /// The number of the deal in the run.
    pub deal: u64,
    /// The number of the seating, 0 or 1.
    pub leg: Option<u32>,
    /// The number of the match, where matches are played.
    #[serde(rename = "match")]
    pub game: Option<u64>,
    /// The number of the deal in its match, from 0.
    pub deal_in_match: Option<u64>,
    /// The number of the encounter, where a run has several.
    pub pairing: Option<u64>,
}

impl Label {
    /// Returns the label of a record.
    pub fn of_record(record: &Record, pairing: Option<u64>) -> Self {
        let Record { deal, leg, game, deal_in_match, .. } = *record;
        Self { deal, leg: Some(leg), game, deal_in_match, pairing }
    }

    /// Parses the label of a line.
    ///
    /// # Errors
    ///
    /// When it is not JSON, or has no deal number.
    pub fn read(line: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(line)
    }

    /// Returns the number of the independent unit: of the match, or of the deal.
    pub fn unit(&self) -> u64 {
        self.game.unwrap_or(self.deal)
    }

    /// Returns the name of the unit that [`Self::unit`] numbers.
    pub const fn unit_name(&self) -> &'static str {
        if self.game.is_some() { "match" } else { "deal" }
    }
}

/// Returns the deal number of a line, usually without parsing the rest of it.
pub fn deal_of(line: &[u8]) -> Option<u64> {
    number_after(BEFORE_DEAL, line).or_else(|| Label::read(line).ok().map(|label| label.deal))
}

/// Returns the number that follows these first bytes of a line.
pub fn number_after(first: &[u8], line: &[u8]) -> Option<u64> {
    let rest = line.strip_prefix(first)?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::test_lines::lines;

    #[test]
    fn the_number_at_its_usual_place_is_that_of_the_json() {
        let text = lines("bga", ["rules", "random"], 12);
        for line in text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let label = Label::read(line).unwrap();
            assert_eq!(number_after(BEFORE_DEAL, line), Some(label.deal));
            assert_eq!((deal_of(line), label.unit()), (Some(label.deal), label.deal));
        }
        for (line, deal) in [
            (r#"{"v":1,"deal":7,"leg":0}"#, Some(7)),
            (r#"{"v":1,"deal": 7,"leg":0}"#, Some(7)),
            (r#"{"leg":0,"deal":7}"#, Some(7)),
            (r#"{"v":1,"deal":-7}"#, None),
            (r#"{"v":1,"leg":0}"#, None),
            ("", None),
        ] {
            assert_eq!(deal_of(line.as_bytes()), deal, "{line}");
            assert_eq!(Label::read(line.as_bytes()).ok().map(|label| label.deal), deal, "{line}");
        }
    }

    #[test]
    fn the_unit_is_the_match_where_there_is_one() {
        let label = Label::read(br#"{"deal":4100,"leg":1,"match":1,"deal_in_match":4,"pairing":2}"#).unwrap();
        assert_eq!((label.unit(), label.unit_name(), label.pairing), (1, "match", Some(2)));
    }
}
