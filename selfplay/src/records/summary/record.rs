//! The row that a deal record stands for.

use coinche_engine::ParseRulesError;
use coinche_engine::record::Record;
use coinche_engine::{Goal, Team};

use super::row::{Calls, SummaryRow};
use super::table::belote_team;
use crate::base::columns::{Name, Tail};

impl<'a> SummaryRow<'a> {
    /// Returns the row of a record.
    ///
    /// # Errors
    ///
    /// When there are no rules of the record's name.
    pub fn of_record(record: &'a Record, pairing: Option<u64>) -> Result<Self, ParseRulesError> {
        let rules = record.rules.rules()?;
        let contract = record.contract.as_ref();
        let belotes = record.belote.iter().chain(&record.belotes).filter(|belote| belote.announced);
        let melds = |team: Team| {
            let counted = record.melds.iter().filter(|meld| meld.counts && meld.seat.team() == team);
            let sum: u32 = counted.map(|meld| u32::from(meld.points)).sum();
            contract.filter(|_| rules.melds.enabled).map(|_| sum)
        };
        let [tricks0, tricks1] = record.tricks_won.0.map(|tricks| contract.map(|_| tricks));
        let [card_points0, card_points1] = record.card_points.0.map(|points| contract.map(|_| points.into()));
        let [bot0, bot1, bot2, bot3] = record.bots.0.each_ref().map(|bot| Name::new(bot));
        let [score0, score1] = record.score.0;
        Ok(Self {
            deal: record.deal,
            leg: record.leg,
            rules: Name::new(rules.preset_name().unwrap_or("custom")),
            dealer: record.dealer,
            bot0,
            bot1,
            bot2,
            bot3,
            declarer: contract.map(|contract| contract.declarer),
            contract_value: contract
                .filter(|contract| contract.goal != Goal::Majority)
                .map(|contract| contract.worth(&rules).into()),
            strain: contract.map(|contract| contract.strain),
            stake: contract.map(|contract| contract.stake),
            made: contract.and(record.made),
            tricks0,
            tricks1,
            card_points0,
            card_points1,
            belote_team: contract.and(belote_team(belotes.map(|belote| belote.seat))),
            melds0: melds(Team::Even),
            melds1: melds(Team::Odd),
            score0,
            score1,
            calls: Calls::Made(&record.auction),
            faults: u32::try_from(record.faults.len()).unwrap_or(u32::MAX),
            game: Tail(record.game),
            deal_in_match: Tail(record.deal_in_match),
            pairing: Tail(pairing),
        })
    }
}
