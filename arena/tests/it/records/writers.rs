//! What is written of deals: the lines made by hand are those of the engine's own records, and the
//! summary says the same.

use coinche_arena::Unit;
use coinche_engine::record::{Record, RecordContext, RulesRecord};
use coinche_engine::{BySeat, Outcome, RuleSet};
use coinche_selfplay::play::table::Table;
use coinche_selfplay::records::summary::{Rows, SummaryTable, schema};
use coinche_selfplay::{Ending, JsonLines, PlayedDeal, Schedule, Scribe};

const BOTS: [&str; 2] = ["random:pass=0.6", "random"];

/// Writes each deal in all ways and compares.
struct Comparison {
    json: JsonLines,
    summary: SummaryTable,
    rules: RulesRecord,
    rows: Rows,
    records: Vec<Record>,
    forms: [usize; 3],
}

impl Scribe for Comparison {
    fn deal(&mut self, deal: &PlayedDeal<'_>) {
        let [a, b] = BOTS;
        let context = RecordContext {
            deal: deal.deal,
            leg: deal.leg.leg,
            rules: &self.rules,
            bots: if deal.leg.leg == 0 { BySeat([a, b, a, b]) } else { BySeat([b, a, b, a]) },
            faults: deal.faults,
            game: deal.in_match.map(|place| (place.number, place.deal, place.score)),
        };
        let record = Record::new(deal.state, &context).unwrap();
        let mut line = Vec::new();
        self.json.push(&mut line, deal);
        assert_eq!(String::from_utf8(line).unwrap(), record.to_json() + "\n");
        self.summary.push(&mut self.rows, deal);
        self.forms[match deal.ending {
            Ending::Regular(Outcome::ThrownIn) => 0,
            Ending::Regular(Outcome::Played { .. }) => 1,
            Ending::Forfeit(_) => 2,
        }] += 1;
        self.records.push(record);
    }
}

fn compare(rules: &RuleSet, unit: Unit, pairs: u64) -> Comparison {
    let schedule = Schedule { secrets: 11.into(), unit, pairs };
    let mut table =
        Table::new(rules, schedule, BOTS.map(|bot| coinche_bots::Registry::builtin().parse(bot).unwrap()));
    let mut comparison = Comparison {
        json: JsonLines::new(rules, BOTS, None),
        summary: SummaryTable::new(rules, BOTS.map(|bot| [bot; 2]), None),
        rules: RulesRecord::new(rules),
        rows: Rows::Text(schema(unit, false).header().into_bytes()),
        records: Vec::new(),
        forms: [0; 3],
    };
    for index in 0..pairs {
        table.play_pair(index, &mut comparison);
    }
    comparison
}

/// The rule sets under which something is written that no preset has.
fn rule_sets() -> Vec<RuleSet> {
    let mut all: Vec<RuleSet> = RuleSet::ALL.iter().map(|(_, rules)| *rules).collect();
    all.push(RuleSet::BGA_JA.with_settings(["belote.all_trump=each-suit"]).unwrap());
    all.push(RuleSet::BELOTE.with_settings(["match.tie=held"]).unwrap());
    all
}

#[test]
fn lines_by_hand_are_the_engines_records() {
    for rules in rule_sets() {
        let deals = compare(&rules, Unit::Deal, 400);
        assert!(deals.forms[0] > 10 && deals.forms[1] > 100 && deals.forms[2] == 0, "{:?}", deals.forms);
        compare(&rules, Unit::Match, 4);
    }
}

#[test]
fn the_summary_says_what_the_records_say() {
    for rules in rule_sets() {
        let comparison = compare(&rules, Unit::Deal, 200);
        let Rows::Text(rows) = &comparison.rows else { panic!("text was asked for") };
        let mut reader = csv::Reader::from_reader(&rows[..]);
        let columns = reader.headers().unwrap().clone();
        assert_eq!(
            columns.iter().collect::<Vec<_>>().join(", "),
            "deal, leg, rules, dealer, bot0, bot1, bot2, bot3, declarer, contract_value, strain, stake, \
             made, tricks0, tricks1, card_points0, card_points1, belote_team, melds0, melds1, score0, \
             score1, calls, faults"
        );
        let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
        assert_eq!(rows.len(), comparison.records.len());
        for (row, record) in rows.iter().zip(&comparison.records) {
            let cell =
                |name: &str| row.get(columns.iter().position(|column| column == name).unwrap()).unwrap();
            check_row(&cell, record, &rules);
        }
    }
}

fn check_row<'a>(cell: &impl Fn(&str) -> &'a str, record: &Record, rules: &RuleSet) {
    assert_eq!(cell("deal"), record.deal.to_string());
    assert_eq!(cell("leg"), record.leg.to_string());
    assert_eq!(cell("rules"), rules.preset_name().unwrap_or("custom"));
    assert_eq!(cell("dealer"), record.dealer.to_string());
    assert_eq!(
        [cell("bot0"), cell("bot1"), cell("bot2"), cell("bot3")],
        record.bots.0.each_ref().map(|bot| &**bot)
    );
    assert_eq!([cell("score0"), cell("score1")], record.score.0.map(|score| score.to_string()));
    let calls: Vec<_> = record.auction.iter().map(|(_, call)| call.to_string()).collect();
    assert_eq!(cell("calls"), calls.join(" "));
    assert_eq!(cell("faults"), "0");
    let Some(contract) = &record.contract else {
        assert!(
            ["declarer", "contract_value", "made", "tricks0", "belote_team", "melds1"]
                .map(cell)
                .concat()
                .is_empty()
        );
        return;
    };
    assert_eq!(cell("declarer"), contract.declarer.to_string());
    let bid = contract.bid_code();
    let value = match bid.as_str() {
        bid if bid.starts_with("CAPOT") => "250".to_owned(),
        bid if bid.starts_with("GENERALE") => "500".to_owned(),
        bid => bid.chars().take_while(char::is_ascii_digit).collect(),
    };
    assert_eq!(cell("contract_value"), value);
    assert!(bid.ends_with(cell("strain")));
    assert_eq!(cell("stake"), contract.stake.name());
    assert_eq!(cell("made"), record.made.unwrap().to_string());
    assert_eq!([cell("tricks0"), cell("tricks1")], record.tricks_won.0.map(|tricks| tricks.to_string()));
    assert_eq!(
        [cell("card_points0"), cell("card_points1")],
        record.card_points.0.map(|points| points.to_string())
    );
    let belotes = record.belote.iter().chain(&record.belotes).filter(|belote| belote.announced);
    let mut teams: Vec<_> = belotes.map(|belote| belote.seat.team().to_string()).collect();
    teams.sort();
    teams.dedup();
    assert_eq!(cell("belote_team"), if teams.len() == 1 { &*teams[0] } else { "" });
    for (team, name) in ["melds0", "melds1"].into_iter().enumerate() {
        let counted = record.melds.iter().filter(|meld| meld.counts && meld.seat.team().index() == team);
        let points: u16 = counted.map(|meld| meld.points).sum();
        assert_eq!(cell(name), if rules.melds.enabled { points.to_string() } else { String::new() });
    }
}

#[test]
fn matches_have_two_columns_more() {
    let comparison = compare(&RuleSet::COINCHEE, Unit::Match, 3);
    let Rows::Text(rows) = &comparison.rows else { panic!("text was asked for") };
    let mut reader = csv::Reader::from_reader(&rows[..]);
    assert_eq!(reader.headers().unwrap().iter().skip(24).collect::<Vec<_>>(), ["match", "deal_in_match"]);
    for (row, record) in reader.records().map(Result::unwrap).zip(&comparison.records) {
        assert_eq!(row.get(24).unwrap(), record.game.unwrap().to_string());
        assert_eq!(row.get(25).unwrap(), record.deal_in_match.unwrap().to_string());
        assert_eq!(record.deal, 1000 * record.game.unwrap() + record.deal_in_match.unwrap());
    }
}
