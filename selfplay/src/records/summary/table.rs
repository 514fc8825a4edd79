//! The rows of the deals that are played.

use coinche_engine::{Contract, DealResult, Goal, Outcome, RuleSet, Seat, Suit};

use super::row::{Calls, SummaryRow};
use super::rows::Rows;
use crate::base::columns::{Known, Row as _, Tail};
use crate::play::played::{Ending, PlayedDeal};
use crate::records::write::by_seat;

/// Makes the rows of an encounter.
#[derive(Debug, Clone)]
pub struct SummaryTable {
    rules: Known,
    /// By leg and seat.
    bots: [[Known; 4]; 2],
    encounter: Option<u64>,
}

impl SummaryTable {
    /// Prepares what is the same in every row of an encounter, of the partners of each side; its number where there are several.
    pub fn new(rules: &RuleSet, teams: [[&str; 2]; 2], encounter: Option<usize>) -> Self {
        Self {
            rules: Known::new(rules.preset_name().unwrap_or("custom")),
            bots: by_seat(teams).map(|bots| bots.map(Known::new)),
            encounter: encounter.map(|number| number as u64),
        }
    }

    /// Adds the row of a deal.
    #[inline]
    pub fn push(&self, rows: &mut Rows, deal: &PlayedDeal<'_>) {
        match rows {
            Rows::Text(out) => self.row(deal).print(out),
            Rows::Columns(columns) => columns.push(&self.row(deal)),
        }
    }

    /// Returns the row of a deal.
    #[expect(
        clippy::inline_always,
        reason = "the row is written at once: three times as fast as making it first"
    )]
    #[inline(always)]
    pub fn row<'a>(&'a self, deal: &PlayedDeal<'a>) -> SummaryRow<'a> {
        // Written out: `map` on arrays is not inlined here, which costs the loop of the fastest bots some 4 %.
        let [bot0, bot1, bot2, bot3] = &self.bots[deal.leg.leg as usize & 1];
        let played = Played::of(deal);
        let played = played.as_ref();
        let contract = played.map(|played| played.contract);
        let tricks = |team: usize| played.map(|played| played.tricks[team]);
        let card_points = |team: usize| played.map(|played| u32::from(played.result.card_points.0[team]));
        let melds = |team: usize| {
            let played = played.filter(|played| played.has_melds);
            played.map(|played| u32::from(played.result.melds.0[team]))
        };
        let [score0, score1] = deal.score.0;
        SummaryRow {
            deal: deal.deal,
            leg: deal.leg.leg,
            rules: self.rules.name(),
            dealer: deal.state.deal().dealer(),
            bot0: bot0.name(),
            bot1: bot1.name(),
            bot2: bot2.name(),
            bot3: bot3.name(),
            declarer: contract.map(|contract| contract.declarer),
            contract_value: played.and_then(|played| played.value).map(u32::from),
            strain: contract.map(|contract| contract.strain),
            stake: contract.map(|contract| contract.stake),
            made: played.map(|played| played.made),
            tricks0: tricks(0),
            tricks1: tricks(1),
            card_points0: card_points(0),
            card_points1: card_points(1),
            belote_team: played.and_then(|played| played.belote_team),
            melds0: melds(0),
            melds1: melds(1),
            score0,
            score1,
            calls: Calls::Made(deal.state.auction().calls()),
            faults: u32::try_from(deal.faults.len()).unwrap_or(u32::MAX),
            game: Tail(deal.in_match.map(|place| place.number)),
            deal_in_match: Tail(deal.in_match.map(|place| place.deal)),
            pairing: Tail(self.encounter),
        }
    }
}

/// What the row of a deal that was played to its end says of it.
struct Played<'a> {
    contract: Contract,
    value: Option<u16>,
    made: bool,
    tricks: [u8; 2],
    belote_team: Option<u8>,
    has_melds: bool,
    result: &'a DealResult,
}

impl<'a> Played<'a> {
    #[inline]
    fn of(deal: &'a PlayedDeal<'_>) -> Option<Self> {
        let Ending::Regular(Outcome::Played { result, score }) = &deal.ending else { return None };
        let (contract, rules) = (result.contract, deal.state.rules());
        let belotes = Suit::ALL.into_iter().filter_map(|suit| deal.state.belote(suit));
        let announced = belotes.filter(|belote| belote.announced == Some(true));
        Some(Self {
            contract,
            value: (contract.goal != Goal::Majority).then(|| contract.worth(rules)),
            made: score.made,
            tricks: result.tricks_won().0,
            belote_team: belote_team(announced.map(|belote| belote.seat)),
            has_melds: rules.melds.enabled,
            result,
        })
    }
}

/// The team of the announced belote; none where (in all trump) both teams announced one.
#[inline]
pub(super) fn belote_team(announced: impl Iterator<Item = Seat>) -> Option<u8> {
    let mut teams = [false; 2];
    announced.for_each(|seat| teams[seat.team().index()] = true);
    match teams {
        [true, false] => Some(0),
        [false, true] => Some(1),
        _ => None,
    }
}
