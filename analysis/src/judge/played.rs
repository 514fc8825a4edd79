//! A record, replayed and decomposed.

use coinche_engine::record::{Disagreement, FaultKind, Record, replay};
use coinche_engine::rules::DealMethod;
use coinche_engine::{BySeat, ByTeam, Card, CardSet, Contract, ParseRulesError, PlayState, RuleSet, Seat};
use coinche_selfplay::records::json::{self, ReadJsonError};

/// What can be judged in a record.
#[derive(Debug)]
pub(super) enum Judged {
    Played(Box<Played>),
    /// Passed out; with the deal if all cards were dealt.
    ThrownIn(Option<Box<Dealt>>),
    /// A bot crashed: the deal is unfinished.
    Forfeit,
}

/// The cards of a deal.
#[derive(Debug, Clone, Copy)]
pub struct Dealt {
    /// The rules.
    pub rules: RuleSet,
    /// The hands as dealt.
    pub hands: BySeat<CardSet>,
    /// The leader of the first trick.
    pub leader: Seat,
}

/// A deal played to its end according to its rules.
#[derive(Debug, Clone)]
pub(super) struct Played {
    pub(super) dealt: Dealt,
    pub(super) contract: Contract,
    /// The 32 cards in playing order.
    pub(super) cards: Vec<Card>,
    /// The points of the announced belotes.
    pub(super) belote: ByTeam<u16>,
    /// The points of the melds that counted.
    pub(super) melds: ByTeam<u16>,
}

/// Why a record cannot be judged.
#[derive(Debug, thiserror::Error)]
pub(super) enum ReadPlayedError {
    #[error(transparent)]
    Json(#[from] ReadJsonError),
    #[error("{0}; `arena verify` checks the whole file")]
    AgainstTheRules(Disagreement),
    #[error(transparent)]
    Rules(#[from] ParseRulesError),
}

impl Played {
    /// Reads a record and checks it against its rules.
    pub(super) fn read(line: &[u8]) -> Result<(Record, Judged), ReadPlayedError> {
        let record = json::record(line)?;
        if record.faults.iter().any(|fault| fault.kind == FaultKind::Crash) {
            return Ok((record, Judged::Forfeit));
        }
        if let Some(first) = replay(&record).into_iter().next() {
            return Err(ReadPlayedError::AgainstTheRules(first));
        }
        let rules = record.rules.rules()?;
        let judged = Self::take_apart(&record, rules);
        Ok((record, judged))
    }

    /// Decomposes a valid record.
    fn take_apart(record: &Record, rules: RuleSet) -> Judged {
        let dealt = Dealt { rules, hands: record.hands, leader: record.dealer.next() };
        let Some(contract) = record.contract else {
            let known = rules.deal.method == DealMethod::Full;
            return Judged::ThrownIn(known.then(|| Box::new(dealt)));
        };
        let cards = record.tricks.iter().flat_map(|trick| trick.cards).collect();
        let mut belote = ByTeam([0; 2]);
        for said in record.belote.iter().chain(&record.belotes).filter(|belote| belote.announced) {
            belote[said.seat.team()] += 20;
        }
        let mut melds = ByTeam([0; 2]);
        for meld in record.melds.iter().filter(|meld| meld.counts) {
            melds[meld.seat.team()] += meld.points;
        }
        Judged::Played(Box::new(Self { dealt, contract, cards, belote, melds }))
    }

    /// The first state of the play.
    pub(super) fn start(&self) -> PlayState {
        let Dealt { rules, hands, leader } = &self.dealt;
        PlayState::new(&rules.play, self.contract.strain, *hands, *leader)
    }
}
