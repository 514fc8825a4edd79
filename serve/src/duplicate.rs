//! The same cards elsewhere: at other tables of the same seed and rules, and with bots alone.

use coinche_analysis::play::game::{Cards, Game};
use coinche_engine::record::Record;
use coinche_engine::{BySeat, ByTeam, CardSet, Deal, Outcome, Team, Turn};
use coinche_inference::ratio::{Part, Ratio};
use serde_json::{Value, json};

use crate::coach::mean;
use crate::table::Plan;

/// Plays the cards of a record with the bots of a table in all seats; `None` if one cannot.
fn alone(plan: &Plan, record: &Record) -> Option<ByTeam<i32>> {
    let holder = |card| record.hands.iter().find(|(_, hand)| hand.contains(card)).map(|(seat, _)| seat);
    let turned = record.turned.and_then(|card| Some((card, holder(card)?)));
    let deal = Deal::from_hands(&plan.rules.deal, record.dealer, record.hands, turned).ok()?;
    let cards = Cards::One { deal: Box::new(deal), number: record.deal, leg: 0 };
    let mut game = Game::new(&plan.rules, plan.bots.clone(), &plan.seed, cards);
    game.next_deal();
    while game.turn() != Turn::Over {
        game.ask()?;
    }
    Some(match game.state().outcome()? {
        Outcome::Played { score, .. } => score.points,
        Outcome::ThrownIn => ByTeam([0; 2]),
    })
}

/// Returns the mean paired difference of a team's deals over bots in its seats, and over people at other tables.
///
/// `known` keeps what bots scored; `others` are the records of tables where people sit on the same side.
pub(crate) fn compared(
    plan: &Plan,
    team: Team,
    records: &str,
    others: &[String],
    known: &mut Vec<Option<ByTeam<i32>>>,
) -> Value {
    let read = |text: &str| -> Vec<Record> {
        text.lines().filter_map(|line| Record::from_json(line).ok()).collect()
    };
    let own = read(records);
    if !plan.bots.iter().any(|(_, bot)| bot.has_program()) {
        let from = known.len();
        known.extend(own.iter().skip(from).map(|record| alone(plan, record)));
    }
    let cards = |record: &Record| -> (u8, BySeat<CardSet>) { (record.dealer as u8, record.hands) };
    let others: Vec<Record> = others.iter().flat_map(|text| read(text)).collect();
    let gain = |score: ByTeam<i32>| score[team] - score[team.other()];
    let (mut bots, mut people) = (Ratio::default(), Ratio::default());
    for (record, alone) in own.iter().zip(known.iter().copied().chain(std::iter::repeat(None))) {
        let less = |others: &mut dyn Iterator<Item = ByTeam<i32>>| {
            let mut part = Part::default();
            others.for_each(|other| part.add(gain(record.score) - gain(other)));
            part
        };
        bots.add(less(&mut alone.into_iter()));
        let same = others.iter().filter(|other| cards(other) == cards(record));
        people.add(less(&mut same.map(|other| other.score)));
    }
    json!({ "bots": mean(&bots), "people": mean(&people) })
}
