//! Parses records from tags, auction and tricks.

use std::io::{self, BufRead};
use std::str::FromStr;

use coinche_engine::record::{BeloteRecord, Fault, MeldRecord, Record, RulesRecord};
use coinche_engine::{BySeat, ByTeam, Call, Card, Contract, Seat, Trick};

use super::Kept;
use crate::base::Why;
use crate::play::tally::FAULT_KINDS;

/// Reads records one at a time.
pub struct Reader<R> {
    input: R,
    line: u64,
}

/// The error of a text that is not a record.
#[derive(Debug, thiserror::Error)]
pub enum ReadPbnError {
    #[error("{name}: expected {expected}, found `{found}`")]
    Expected { name: String, expected: &'static str, found: String },
    /// A wrong word of the notation, such as a card or a call.
    #[error("{name}: {why}")]
    Notation {
        name: String,
        #[source]
        why: Why,
    },
    #[error("expected a tag like [Deal \"17\"], found `{0}`")]
    NoTag(String),
    #[error("expected a trick like `1: 7C JC 9C AC > 3`, found `{0}`")]
    NoTrick(String),
    #[error("{0}: a backslash must be followed by \", \\, n or r")]
    Backslash(String),
    #[error("{0}: write a quote inside a value as \\\"")]
    Quote(String),
    #[error("Hands: expected four, joined by ` | `")]
    HandCount,
    #[error("{0} is given twice: separate records by a blank line")]
    Twice(String),
    #[error("a record of more than {MOST_LINES} lines: separate records by a blank line")]
    TooLong,
    #[error("the record above this line has no tag {0}")]
    Missing(&'static str),
    #[error(transparent)]
    Read(#[from] io::Error),
}

fn expected(name: &str, expected: &'static str, found: &str) -> ReadPbnError {
    ReadPbnError::Expected { name: name.to_owned(), expected, found: found.to_owned() }
}

fn notation(name: &str, why: impl Into<Why>) -> ReadPbnError {
    ReadPbnError::Notation { name: name.to_owned(), why: why.into() }
}

/// The section that the lines below a tag belong to.
enum Section {
    Tags,
    Auction(Seat),
    Play,
}

fn number<T: FromStr>(text: &str, what: &str) -> Result<T, ReadPbnError> {
    text.parse().map_err(|_| expected(what, "a number", text))
}

fn seat(text: &str, what: &str) -> Result<Seat, ReadPbnError> {
    text.parse().map_err(|_| expected(what, "a seat from 0 to 3", text))
}

/// Parses a value of the notation; the error names what was expected.
fn read<T: FromStr<Err: Into<Why>>>(text: &str, what: &str) -> Result<T, ReadPbnError> {
    text.parse().map_err(|error| notation(what, error))
}

fn pair<T: FromStr>(text: &str, what: &str) -> Result<ByTeam<T>, ReadPbnError> {
    let (first, second) = text.split_once(' ').ok_or_else(|| expected(what, "two numbers", text))?;
    Ok(ByTeam([number(first, what)?, number(second, what)?]))
}

/// Parses `[Name "value"]`.
fn tag(line: &str) -> Result<(&str, String), ReadPbnError> {
    let wrong = || ReadPbnError::NoTag(line.to_owned());
    let inner = line.strip_prefix('[').and_then(|line| line.strip_suffix("\"]")).ok_or_else(wrong)?;
    let (name, text) = inner.split_once(" \"").ok_or_else(wrong)?;
    let mut value = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some('n') => value.push('\n'),
                Some('r') => value.push('\r'),
                Some(letter @ ('"' | '\\')) => value.push(letter),
                _ => return Err(ReadPbnError::Backslash(name.to_owned())),
            },
            '"' => return Err(ReadPbnError::Quote(name.to_owned())),
            letter => value.push(letter),
        }
    }
    Ok((name, value))
}

fn belote(value: &str, name: &str) -> Result<BeloteRecord, ReadPbnError> {
    let words: Vec<_> = value.split(' ').collect();
    let (who, said, suit) = match words[..] {
        [who, said] => (who, said, None),
        [who, said, suit] => (who, said, Some(read(suit, name)?)),
        _ => return Err(expected(name, "`0 announced` or `0 silent`", value)),
    };
    let announced = match said {
        "announced" => true,
        "silent" => false,
        _ => return Err(expected(name, "announced or silent", said)),
    };
    Ok(BeloteRecord { seat: seat(who, name)?, announced, suit })
}

fn meld(value: &str) -> Result<MeldRecord, ReadPbnError> {
    let wrong = || expected("Meld", "`0 tierce 20 counts 7C 8C 9C`", value);
    let mut words = value.splitn(5, ' ');
    let mut next = || words.next().ok_or_else(wrong);
    let (who, kind, points, counts, cards) = (next()?, next()?, next()?, next()?, next()?);
    let counts = match counts {
        "counts" => true,
        "lost" => false,
        _ => return Err(wrong()),
    };
    Ok(MeldRecord {
        seat: seat(who, "Meld")?,
        kind: read(kind, "Meld")?,
        cards: read(cards, "Meld")?,
        points: number(points, "Meld")?,
        counts,
    })
}

fn fault(value: &str) -> Result<Fault, ReadPbnError> {
    let wrong = || expected("Fault", "`1 illegal the card 7C`", value);
    let mut words = value.splitn(3, ' ');
    let mut next = || words.next().ok_or_else(wrong);
    let (who, kind, detail) = (next()?, next()?, next()?);
    let kind = FAULT_KINDS.iter().find(|(_, name)| *name == kind).ok_or_else(wrong)?.0;
    Ok(Fault { seat: seat(who, "Fault")?, kind, detail: detail.to_owned() })
}

fn trick(line: &str) -> Result<Trick, ReadPbnError> {
    let wrong = || ReadPbnError::NoTrick(line.to_owned());
    let (leader, rest) = line.split_once(": ").ok_or_else(wrong)?;
    let (cards, winner) = rest.split_once(" > ").ok_or_else(wrong)?;
    let cards: Vec<Card> = cards.split(' ').map(|card| read(card, "trick")).collect::<Result<_, _>>()?;
    let cards = cards.try_into().map_err(|_| wrong())?;
    Ok(Trick { leader: seat(leader, "trick")?, cards, winner: seat(winner, "trick")? })
}

/// Parses the calls of a line; `turn` is the seat to call.
fn calls(line: &str, turn: &mut Seat, auction: &mut Vec<(Seat, Call)>) -> Result<(), ReadPbnError> {
    let mut words = line.split(' ').peekable();
    while let Some(word) = words.next() {
        let (who, call) = match word.split_once(':') {
            Some((who, call)) => (seat(who, "auction")?, call),
            None => (*turn, word),
        };
        let mut call = call.to_owned();
        if call == "TAKE"
            && let Some(suit) = words.next_if(|word| matches!(*word, "C" | "D" | "H" | "S"))
        {
            call = format!("TAKE {suit}");
        }
        auction.push((who, read(&call, "auction")?));
        *turn = who.next();
    }
    Ok(())
}

/// Returns an empty record.
fn blank() -> Record {
    Record {
        v: 1,
        deal: 0,
        leg: 0,
        rules: RulesRecord::Preset("bga".to_owned()),
        dealer: Seat::S0,
        bots: BySeat::default(),
        hands: BySeat::default(),
        turned: None,
        auction: Vec::new(),
        contract: None,
        melds: Vec::new(),
        belote: None,
        belotes: Vec::new(),
        tricks: Vec::new(),
        tricks_won: ByTeam::default(),
        card_points: ByTeam::default(),
        made: None,
        score: ByTeam::default(),
        held: 0,
        faults: Vec::new(),
        game: None,
        deal_in_match: None,
        match_score: None,
        misdeals: 0,
    }
}

/// The most lines of a record: the longest have some hundred.
const MOST_LINES: u64 = 10_000;

/// The tags that every record must have.
const NEEDED: [&str; 6] = ["Deal", "Leg", "Dealer", "Hands", "Auction", "Score"];

impl Kept {
    /// Stores the value of a tag that has a field of its own.
    fn set(&mut self, name: &str, value: String) -> Result<(), ReadPbnError> {
        let record = &mut self.record;
        match name {
            "Deal" => record.deal = number(&value, name)?,
            "Leg" => record.leg = number(&value, name)?,
            "Rules" if value.starts_with('{') => {
                record.rules = serde_json::from_str(&value).map_err(|error| notation(name, error))?;
            }
            "Rules" => record.rules = RulesRecord::Preset(value),
            "Match" => record.game = Some(number(&value, name)?),
            "DealInMatch" => record.deal_in_match = Some(number(&value, name)?),
            "MatchScore" => record.match_score = Some(pair(&value, name)?),
            "Misdeals" => record.misdeals = number(&value, name)?,
            "Dealer" => record.dealer = seat(&value, name)?,
            "Bot0" | "Bot1" | "Bot2" | "Bot3" => {
                record.bots[seat(&name[3..], name)?] = value;
            }
            "Hands" => {
                let hands: Vec<_> = value.split(" | ").collect();
                let hands: [&str; 4] = hands.try_into().map_err(|_| ReadPbnError::HandCount)?;
                for (hand, text) in record.hands.0.iter_mut().zip(hands) {
                    *hand = read(text, name)?;
                }
            }
            "Turned" => record.turned = Some(read(&value, name)?),
            "Pairing" => self.pairing = Some(number(&value, name)?),
            "Contract" => {
                let words: Vec<_> = value.split(' ').collect();
                let [bid, declarer, stake] = words[..] else {
                    return Err(expected(name, "`100S 2 coinche`", &value));
                };
                let stake = read(stake, name)?;
                record.contract = Some(
                    Contract::from_code(bid, seat(declarer, name)?, stake)
                        .map_err(|error| notation(name, error))?,
                );
            }
            "Meld" => record.melds.push(meld(&value)?),
            "Belote" => record.belote = Some(belote(&value, name)?),
            "BeloteOf" => record.belotes.push(belote(&value, name)?),
            "TricksWon" => record.tricks_won = pair(&value, name)?,
            "CardPoints" => record.card_points = pair(&value, name)?,
            "Made" => {
                record.made = Some(match &*value {
                    "yes" => true,
                    "no" => false,
                    _ => return Err(expected(name, "yes or no", &value)),
                });
            }
            "Score" => record.score = pair(&value, name)?,
            "Held" => record.held = number(&value, name)?,
            "Fault" => record.faults.push(fault(&value)?),
            // Tags of other programs are ignored.
            _ => {}
        }
        Ok(())
    }
}

impl<R: BufRead> Reader<R> {
    /// Starts with the first line.
    pub fn new(input: R) -> Self {
        Self { input, line: 0 }
    }

    /// Returns the number of the line that was read last, from 1.
    pub const fn line(&self) -> u64 {
        self.line
    }

    /// Reads the next record: `None` at the end.
    ///
    /// # Errors
    ///
    /// The first error in it; see [`Self::line`].
    pub fn next_record(&mut self) -> Result<Option<Kept>, ReadPbnError> {
        let mut kept = Kept { record: blank(), pairing: None };
        let mut seen: Vec<String> = Vec::new();
        let mut section = Section::Tags;
        let mut text = String::new();
        let mut lines = 0;
        loop {
            text.clear();
            if self.input.read_line(&mut text)? == 0 {
                break;
            }
            self.line += 1;
            lines += u64::from(!text.trim_end().is_empty());
            if lines > MOST_LINES {
                return Err(ReadPbnError::TooLong);
            }
            let line = text.trim_end();
            if line.is_empty() {
                if seen.is_empty() {
                    continue;
                }
                break;
            }
            if line.starts_with('%') {
                continue;
            }
            if line.starts_with('[') {
                let (name, value) = tag(line)?;
                section = match name {
                    "Auction" => Section::Auction(seat(&value, name)?),
                    "Play" => Section::Play,
                    _ => Section::Tags,
                };
                let many = matches!(name, "Meld" | "BeloteOf" | "Fault");
                if !many && seen.iter().any(|seen| seen == name) {
                    return Err(ReadPbnError::Twice(name.to_owned()));
                }
                seen.push(name.to_owned());
                kept.set(name, value)?;
                continue;
            }
            match &mut section {
                Section::Tags => return Err(ReadPbnError::NoTag(line.to_owned())),
                Section::Auction(turn) => calls(line, turn, &mut kept.record.auction)?,
                Section::Play => kept.record.tricks.push(trick(line)?),
            }
        }
        if seen.is_empty() {
            return Ok(None);
        }
        match NEEDED.iter().find(|needed| !seen.iter().any(|seen| seen == *needed)) {
            Some(needed) => Err(ReadPbnError::Missing(needed)),
            None => Ok(Some(kept)),
        }
    }
}
