//! Parses messages of the arena, for bots written in Rust: `arena engine`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use coinche_bots::ParseBotError;
use coinche_engine::observation::{Observation, ObservationError, ObservedDeal};
use coinche_engine::{
    BySeat, ByTeam, Call, Card, CardSet, Key, Meld, MeldKind, Melds, RuleSet, Seat, Suit, Trick,
};
use coinche_selfplay::base::guard::BotPanic;
use serde::Deserialize;

use crate::message::{VERSION, excerpt};

/// The type of a line.
#[derive(Debug, Deserialize)]
struct LineType<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
}

/// A line of the arena.
#[derive(Debug)]
pub(crate) enum ArenaLine<'a> {
    /// The greeting: the version of its protocol.
    Hello(u32),
    /// The rules of the run and the bot's options.
    Start(Box<StartLine>),
    /// Questions; `true` if in a batch.
    Go(Vec<QuestionLine<'a>>, bool),
    /// A deal is over for one seat.
    Over(OverLine),
    /// The end.
    Quit,
}

#[derive(Debug, Deserialize)]
struct HelloLine {
    protocol: u32,
}

/// The message `start`.
#[derive(Debug, Deserialize)]
pub(crate) struct StartLine {
    pub(crate) rules: RuleSet,
    #[serde(default)]
    pub(crate) options: BTreeMap<String, String>,
}

/// The message `over`, with the fields needed here.
#[derive(Debug, Deserialize)]
pub(crate) struct OverLine {
    pub(crate) deal: String,
    pub(crate) seat: Seat,
}

#[derive(Debug, Deserialize)]
struct BatchLine<'a> {
    #[serde(borrow)]
    go: Vec<QuestionLine<'a>>,
}

/// One question.
#[derive(Debug, Deserialize)]
pub(crate) struct QuestionLine<'a> {
    pub(crate) id: u64,
    #[serde(borrow)]
    pub(crate) deal: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) kind: Cow<'a, str>,
    pub(crate) seat: Seat,
    dealer: Seat,
    #[serde(borrow)]
    seed: Cow<'a, str>,
    first_hand: CardSet,
    turned: Option<Card>,
    auction: Vec<(Seat, Call)>,
    offer: bool,
    tricks: Vec<Trick>,
    trick: Vec<Card>,
    melds: Vec<MeldLine>,
    belotes: Vec<BeloteLine>,
    match_score: ByTeam<i32>,
    held: i32,
    past: Vec<PastLine>,
    card: Option<Card>,
}

#[derive(Debug, Deserialize)]
struct MeldLine {
    seat: Seat,
    kind: MeldKind,
    cards: Option<CardSet>,
}

#[derive(Debug, Deserialize)]
struct BeloteLine {
    seat: Seat,
    suit: Suit,
    announced: bool,
}

#[derive(Debug, Deserialize)]
struct PastLine {
    dealer: Seat,
    hand: CardSet,
    turned: Option<Card>,
    tricks: Vec<Trick>,
}

/// Why a line of the arena cannot be answered.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ArenaLineError {
    #[error("{error}: {line}")]
    Json { error: serde_json::Error, line: String },
    #[error("unknown type {0}")]
    UnknownType(String),
    #[error("seed: {0}")]
    Seed(String),
    #[error("melds: {0}")]
    NoMeld(CardSet),
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
    NotNow(String),
    #[error(transparent)]
    Observation(#[from] ObservationError),
    #[error(transparent)]
    Panic(#[from] BotPanic),
}

impl<'a> ArenaLine<'a> {
    /// Parses a line.
    pub(crate) fn parse(line: &'a [u8]) -> Result<Self, ArenaLineError> {
        let head: LineType<'a> = json(line)?;
        Ok(match &*head.kind {
            "hello" => Self::Hello(json::<HelloLine>(line)?.protocol),
            "start" => Self::Start(Box::new(json(line)?)),
            "go" => Self::Go(vec![json(line)?], false),
            "batch" => Self::Go(json::<BatchLine<'a>>(line)?.go, true),
            "over" => Self::Over(json(line)?),
            "quit" => Self::Quit,
            other => return Err(ArenaLineError::UnknownType(excerpt(other.as_bytes()))),
        })
    }
}

fn json<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Result<T, ArenaLineError> {
    serde_json::from_slice(line).map_err(|error| ArenaLineError::Json { error, line: excerpt(line) })
}

impl QuestionLine<'_> {
    /// Returns what the seat knows.
    pub(crate) fn observation(self) -> Result<Observation, ArenaLineError> {
        let mut observation = Observation::new(self.seat, self.dealer, self.first_hand);
        observation.turned = self.turned;
        observation.calls = self.auction;
        observation.offered = self.offer;
        observation.cards = self.tricks.iter().flat_map(|trick| trick.cards).chain(self.trick).collect();
        let mut scored = BySeat([const { Vec::new() }; 4]);
        for MeldLine { seat, kind, cards } in self.melds {
            observation.announced[seat].push(kind);
            if let Some(cards) = cards {
                scored[seat].push(Meld::of(cards).ok_or(ArenaLineError::NoMeld(cards))?);
            }
        }
        if !self.tricks.is_empty() {
            let mut melds = BySeat([Melds::NONE; 4]);
            for (seat, list) in scored.iter() {
                melds[seat] = Melds::from_melds(list).ok_or(ArenaLineError::TooManyMelds)?;
            }
            observation.scored = Some(melds);
        }
        observation.belotes = self.belotes.iter().map(|it| (it.suit, it.seat, it.announced)).collect();
        observation.match_score = self.match_score;
        observation.held = self.held;
        let past = self.past.into_iter();
        let past = past.map(|PastLine { dealer, hand, turned, tricks }| ObservedDeal {
            dealer,
            turned,
            hand,
            tricks,
        });
        observation.past = past.collect();
        Ok(observation)
    }

    /// Returns the random key of the decision.
    pub(crate) fn key(&self) -> Result<Key, ArenaLineError> {
        let bits = u64::from_str_radix(&self.seed, 16);
        bits.map(Key::from_bits).map_err(|_| ArenaLineError::Seed(excerpt(self.seed.as_bytes())))
    }

    /// Returns the card of a belote question.
    pub(crate) fn belote_card(&self) -> Result<Card, ArenaLineError> {
        self.card.ok_or(ArenaLineError::NoCard)
    }
}
