//! Parses messages of the arena, for bots written in Rust: `arena engine`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::error::Error;
use std::str::FromStr;

use coinche_bots::ParseBotError;
use coinche_engine::observation::{Observation, ObservationError, ObservedDeal};
use coinche_engine::{BySeat, ByTeam, Card, Key, Meld, MeldKind, Melds, RuleSet, Seat, Suit, Trick};
use coinche_selfplay::base::guard::BotPanic;
use serde::Deserialize;

use super::message::{Shown, VERSION};

/// The type of a line.
#[derive(Debug, Deserialize)]
struct Head<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
}

/// A line of the arena.
#[derive(Debug)]
pub(crate) enum ArenaLine<'a> {
    /// The greeting: the version of its protocol.
    Hello(u32),
    /// The rules of the run and the bot's options.
    Start(Box<Start>),
    /// Questions; `true` if in a batch.
    Go(Vec<Go<'a>>, bool),
    /// A deal is over for one seat.
    Over(Ended),
    /// The end.
    Quit,
}

#[derive(Debug, Deserialize)]
struct Greeting {
    protocol: u32,
}

/// The message `start`.
#[derive(Debug, Deserialize)]
pub(crate) struct Start {
    pub(crate) rules: RuleSet,
    #[serde(default)]
    pub(crate) options: BTreeMap<String, String>,
}

/// The message `over`, with the fields needed here.
#[derive(Debug, Deserialize)]
pub(crate) struct Ended {
    pub(crate) deal: String,
    pub(crate) seat: u8,
}

#[derive(Debug, Deserialize)]
struct BatchLine<'a> {
    #[serde(borrow)]
    go: Vec<Go<'a>>,
}

/// One question.
#[derive(Debug, Deserialize)]
pub(crate) struct Go<'a> {
    pub(crate) id: u64,
    #[serde(borrow)]
    pub(crate) deal: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) kind: Cow<'a, str>,
    pub(crate) seat: u8,
    dealer: u8,
    #[serde(borrow)]
    seed: Cow<'a, str>,
    #[serde(borrow)]
    first_hand: Cow<'a, str>,
    #[serde(borrow)]
    turned: Option<Cow<'a, str>>,
    #[serde(borrow)]
    auction: Vec<(u8, Cow<'a, str>)>,
    offer: bool,
    #[serde(borrow)]
    tricks: Vec<TrickLine<'a>>,
    #[serde(borrow)]
    trick: Vec<Cow<'a, str>>,
    #[serde(borrow)]
    melds: Vec<MeldLine<'a>>,
    #[serde(borrow)]
    belotes: Vec<BeloteLine<'a>>,
    match_score: [i32; 2],
    held: i32,
    #[serde(borrow)]
    past: Vec<PastLine<'a>>,
    #[serde(borrow)]
    pub(crate) card: Option<Cow<'a, str>>,
}

#[derive(Debug, Deserialize)]
struct TrickLine<'a> {
    leader: u8,
    #[serde(borrow)]
    cards: [Cow<'a, str>; 4],
    winner: u8,
}

#[derive(Debug, Deserialize)]
struct MeldLine<'a> {
    seat: u8,
    #[serde(borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    cards: Option<Cow<'a, str>>,
}

#[derive(Debug, Deserialize)]
struct BeloteLine<'a> {
    seat: u8,
    #[serde(borrow)]
    suit: Cow<'a, str>,
    announced: bool,
}

#[derive(Debug, Deserialize)]
struct PastLine<'a> {
    dealer: u8,
    #[serde(borrow)]
    hand: Cow<'a, str>,
    #[serde(borrow)]
    turned: Option<Cow<'a, str>>,
    #[serde(borrow)]
    tricks: Vec<TrickLine<'a>>,
}

/// Why a line of the arena cannot be answered.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ArenaLineError {
    #[error("{error}: {line}")]
    Json { error: serde_json::Error, line: Shown },
    #[error("unknown type {0}")]
    UnknownType(Shown),
    /// A wrong word of the notation, such as a card or a call.
    #[error("{field}: {error}")]
    Notation {
        field: &'static str,
        #[source]
        error: Box<dyn Error + Send + Sync>,
    },
    #[error("{field}: {found}")]
    Field { field: &'static str, found: Shown },
    #[error("{field}: seat {number} is not in 0 to 3")]
    Seat { field: &'static str, number: u8 },
    #[error("melds: more than two for one seat")]
    TooManyMelds,
    #[error("belote without `card`")]
    NoCard,
    #[error("protocol {0}: this program speaks protocol {VERSION}")]
    OtherProtocol(u32),
    #[error("there is no option `{0}`: put parameters in the bot's name")]
    NoOption(String),
    #[error("a question before `start`")]
    NotStarted,
    /// The bot does not support the rules.
    #[error(transparent)]
    Rules(#[from] ParseBotError),
    #[error("kind: {0} cannot be asked now")]
    NotNow(Shown),
    #[error(transparent)]
    Observation(#[from] ObservationError),
    #[error(transparent)]
    Panic(#[from] BotPanic),
}

impl<'a> ArenaLine<'a> {
    /// Parses a line.
    pub(crate) fn parse(line: &'a [u8]) -> Result<Self, ArenaLineError> {
        let head: Head<'a> = json(line)?;
        Ok(match &*head.kind {
            "hello" => Self::Hello(json::<Greeting>(line)?.protocol),
            "start" => Self::Start(Box::new(json(line)?)),
            "go" => Self::Go(vec![json(line)?], false),
            "batch" => Self::Go(json::<BatchLine<'a>>(line)?.go, true),
            "over" => Self::Over(json(line)?),
            "quit" => Self::Quit,
            other => return Err(ArenaLineError::UnknownType(Shown::new(other.as_bytes()))),
        })
    }
}

fn json<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Result<T, ArenaLineError> {
    serde_json::from_slice(line).map_err(|error| ArenaLineError::Json { error, line: Shown::new(line) })
}

impl Go<'_> {
    /// Returns what the seat knows.
    pub(crate) fn observation(&self) -> Result<Observation, ArenaLineError> {
        let mut observation = Observation::new(
            seat("seat", self.seat)?,
            seat("dealer", self.dealer)?,
            read("hand", &self.first_hand)?,
        );
        observation.turned = self.turned.as_deref().map(|card| read("turned", card)).transpose()?;
        for (from, call) in &self.auction {
            observation.calls.push((seat("auction", *from)?, read("auction", call)?));
        }
        observation.offered = self.offer;
        for trick in &self.tricks {
            for card in &trick.cards {
                observation.cards.push(read("tricks", card)?);
            }
        }
        for card in &self.trick {
            observation.cards.push(read("trick", card)?);
        }
        let mut scored = BySeat([const { Vec::new() }; 4]);
        for meld in &self.melds {
            let from = seat("melds", meld.seat)?;
            let kind = MeldKind::ALL.into_iter().find(|kind| kind.name() == meld.kind);
            observation.announced[from].push(kind.ok_or_else(|| wrong("melds", &meld.kind))?);
            if let Some(cards) = &meld.cards {
                scored[from].push(Meld::of(read("melds", cards)?).ok_or_else(|| wrong("melds", cards))?);
            }
        }
        if !self.tricks.is_empty() {
            let mut melds = BySeat([Melds::NONE; 4]);
            for (from, list) in scored.iter() {
                melds[from] = Melds::from_melds(list).ok_or(ArenaLineError::TooManyMelds)?;
            }
            observation.scored = Some(melds);
        }
        for belote in &self.belotes {
            let suit: Suit = read("belotes", &belote.suit)?;
            observation.belotes.push((suit, seat("belotes", belote.seat)?, belote.announced));
        }
        observation.match_score = ByTeam(self.match_score);
        observation.held = self.held;
        for past in &self.past {
            observation.past.push(past.read()?);
        }
        Ok(observation)
    }

    /// Returns the random key of the decision.
    pub(crate) fn key(&self) -> Result<Key, ArenaLineError> {
        u64::from_str_radix(&self.seed, 16).map(Key::from_bits).map_err(|_| wrong("seed", &self.seed))
    }

    /// Returns the card of a belote question.
    pub(crate) fn belote_card(&self) -> Result<Card, ArenaLineError> {
        read("card", self.card.as_deref().ok_or(ArenaLineError::NoCard)?)
    }
}

impl PastLine<'_> {
    fn read(&self) -> Result<ObservedDeal, ArenaLineError> {
        let trick = |line: &TrickLine<'_>| {
            let mut cards = [Card::all().next().expect("there are cards"); 4];
            for (card, text) in cards.iter_mut().zip(&line.cards) {
                *card = read("past", text)?;
            }
            Ok(Trick { leader: seat("past", line.leader)?, cards, winner: seat("past", line.winner)? })
        };
        Ok(ObservedDeal {
            dealer: seat("past", self.dealer)?,
            turned: self.turned.as_deref().map(|card| read("past", card)).transpose()?,
            hand: read("past", &self.hand)?,
            tricks: self.tricks.iter().map(trick).collect::<Result<_, ArenaLineError>>()?,
        })
    }
}

fn wrong(field: &'static str, text: &str) -> ArenaLineError {
    ArenaLineError::Field { field, found: Shown::new(text.as_bytes()) }
}

fn read<T: FromStr<Err: Error + Send + Sync + 'static>>(
    field: &'static str,
    text: &str,
) -> Result<T, ArenaLineError> {
    text.parse().map_err(|error: T::Err| ArenaLineError::Notation { field, error: error.into() })
}

fn seat(field: &'static str, number: u8) -> Result<Seat, ArenaLineError> {
    Seat::ALL.get(usize::from(number)).copied().ok_or(ArenaLineError::Seat { field, number })
}
