//! A record, replayed and taken apart.

use coinche_engine::{
    Bid, BySeat, ByTeam, Card, CardSet, Contract, ContractRecord, DealMethod, FaultKind, Goal, PlayState,
    Record, RuleSet, Seat, Stake, Strain, replay,
};

/// What there is to judge in a record.
#[derive(Debug)]
pub(super) enum Judged {
    Played(Box<Played>),
    /// Nobody bid; the deal, unless the hands were not dealt out.
    ThrownIn(Option<Box<Dealt>>),
    /// A bot crashed: the deal has no end.
    Forfeit,
}

/// The cards of a deal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dealt {
    pub(crate) rules: RuleSet,
    pub(crate) hands: BySeat<CardSet>,
    /// Who leads the first trick.
    pub(crate) leader: Seat,
}

/// A deal that was played to its end, in agreement with its rules.
#[derive(Debug, Clone)]
pub(super) struct Played {
    pub(super) dealt: Dealt,
    pub(super) contract: Contract,
    /// The 32 cards in the order played.
    pub(super) cards: Vec<Card>,
    /// The points of the announced belotes.
    pub(super) belote: ByTeam<u16>,
    /// The points of the melds that counted.
    pub(super) melds: ByTeam<u16>,
}

impl Played {
    /// Reads a record and checks it against its rules.
    ///
    /// # Errors
    ///
    /// Says what is wrong with the line, the place in it included.
    pub(super) fn read(line: &[u8]) -> Result<(Record, Judged), String> {
        let text = std::str::from_utf8(line).map_err(|_| "not a deal record: not UTF-8 text".to_owned())?;
        let record = Record::from_json(text).map_err(|error| error.to_string())?;
        if record.faults.iter().any(|fault| fault.kind == FaultKind::Crash) {
            return Ok((record, Judged::Forfeit));
        }
        if let Some(first) = replay(&record).first() {
            return Err(format!("{first}; `arena verify` tells of the whole file"));
        }
        let judged = Self::take_apart(&record).ok_or("the record cannot be read after its replay")?;
        Ok((record, judged))
    }

    /// Takes a record apart that has been found right.
    fn take_apart(record: &Record) -> Option<Judged> {
        let rules = record.rules.rules().ok()?;
        let mut hands = BySeat([CardSet::EMPTY; 4]);
        for seat in Seat::ALL {
            hands[seat] = record.hands[seat.index()].parse().ok()?;
        }
        let leader = Seat::from_index(record.dealer.into()).next();
        let dealt = Dealt { rules, hands, leader };
        let Some(contract) = &record.contract else {
            let known = rules.deal.method == DealMethod::Full;
            return Some(Judged::ThrownIn(known.then(|| Box::new(dealt))));
        };
        let mut cards = Vec::with_capacity(32);
        for trick in &record.tricks {
            for card in &trick.cards {
                cards.push(card.parse().ok()?);
            }
        }
        let mut belote = ByTeam([0; 2]);
        for said in record.belote.iter().chain(&record.belotes).filter(|belote| belote.announced) {
            belote[Seat::from_index(said.seat.into()).team()] += 20;
        }
        let mut melds = ByTeam([0; 2]);
        for meld in record.melds.iter().filter(|meld| meld.counts) {
            melds[Seat::from_index(meld.seat.into()).team()] += meld.points;
        }
        let contract = read_contract(contract)?;
        Some(Judged::Played(Box::new(Self { dealt, contract, cards, belote, melds })))
    }

    /// The first state of the play.
    pub(super) fn start(&self) -> PlayState {
        let Dealt { rules, hands, leader } = &self.dealt;
        PlayState::new(&rules.play, self.contract.strain, *hands, *leader)
    }
}

fn read_contract(record: &ContractRecord) -> Option<Contract> {
    let bid: String = record.bid.to_uppercase().split_whitespace().collect();
    let (strain, goal) = if let Some(suit) = bid.strip_prefix("TAKE") {
        (suit.parse::<Strain>().ok()?, Goal::Majority)
    } else {
        let Bid { value, strain } = bid.parse().ok()?;
        (strain, Goal::Bid(value))
    };
    let stake = Stake::ALL.into_iter().find(|stake| stake.name() == record.stake)?;
    Some(Contract { declarer: Seat::from_index(record.declarer.into()), strain, goal, stake })
}
