//! How the scores and chances that bidders report are corrected, so that they come true.
//!
//! The best of many calls looks better than it is (winner's curse), and a bidder that learned or samples among others than its equals is
//! off at its own table. So a line corrects the score of the call that is made, by bidder, rules and kind of call; another call scores as much
//! less than that as reported, times a factor. The calls stay as they are. The numbers are in `data/scores.txt`: `told_fit` (benches/examples)
//! fits them to what came of calls at tables of four of a kind, whose cards `rules` plays.

use std::sync::LazyLock;

use coinche_engine::rules::DealMethod;
use coinche_engine::{Call, RuleSet};

use crate::families::family;
use crate::{Choice, Thought};

/// The corrections of a bidder under a preset: a summand and a factor after a pass, a bid and a coinche; a factor of what other calls score
/// less; where its chances are corrected, what is added to those of 5, 15, … 95 %, in per cent, of bids and of other calls.
#[derive(Debug)]
struct Row {
    bidder: &'static str,
    rules: RuleSet,
    lines: [[f64; 2]; 3],
    less: f64,
    chances: [[f64; 10]; 2],
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let lines = include_str!("../data/scores.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| row(line).expect("the corrections of the repository are whole")).collect()
});

fn row(line: &'static str) -> Option<Row> {
    let mut words = line.split_whitespace();
    let (bidder, preset) = (words.next()?, words.next()?);
    let numbers: Result<Vec<f64>, _> = words.map(str::parse).collect();
    let numbers = numbers.ok()?;
    let (scores, chances) = numbers.split_at_checked(7)?;
    let lines = [0, 2, 4].map(|at| [scores[at], scores[at + 1]]);
    let of_kind = |n: usize| {
        if chances.is_empty() { Some([0.0; 10]) } else { chances.get(10 * n..10 * n + 10)?.try_into().ok() }
    };
    let chances = [of_kind(0)?, of_kind(1)?];
    Some(Row { bidder, rules: RuleSet::preset(preset)?, lines, less: scores[6], chances })
}

impl Row {
    /// Corrects the chance of a call: between those of the table by a line, and 0 and 1 stay.
    fn chance(&self, call: Choice, told: f64) -> f64 {
        let chances = &self.chances[usize::from(!matches!(call, Choice::Call(Call::Bid(_))))];
        let known = |n: usize| match n {
            0 => [0.0, 0.0],
            11 => [1.0, 0.0],
            n => [(n as f64 - 0.5) / 10.0, chances[n - 1] / 100.0],
        };
        let n = (0..11).rfind(|n| known(*n)[0] <= told).unwrap_or(0);
        let [[from, add], [to, other]] = [n, n + 1].map(known);
        told + add + (other - add) * (told - from) / (to - from)
    }
}

/// Finds the corrections of a bidder: those of the preset if the rules are one, else those of a preset of the same family.
fn find(bidder: &str, rules: &RuleSet) -> Option<&'static Row> {
    let kind = |rules: &RuleSet| (family(rules), rules.deal.method == DealMethod::TurnUp);
    let of = || ROWS.iter().filter(|row| row.bidder == bidder);
    of().find(|row| row.rules == *rules).or_else(|| of().find(|row| kind(&row.rules) == kind(rules)))
}

/// Corrects the chances of a thought of a network or a table, after which a call is made; bidders that search have lines of their own.
pub(crate) fn correct_chances(thought: &mut Thought, bidder: &str, rules: &RuleSet, made: Call) {
    let Some(row) = find(bidder, rules) else { return };
    let chances = thought.options.iter_mut().map(|option| (option.choice, &mut option.chance));
    for (choice, chance) in chances.chain([(made.into(), &mut thought.chance)]) {
        *chance = chance.map(|chance| row.chance(choice, chance));
    }
}

/// Corrects the scores of a thought, after which a call is made.
pub(crate) fn correct(thought: &mut Thought, bidder: &str, rules: &RuleSet, made: Call) {
    let Some(row) = find(bidder, rules) else { return };
    let Some(best) = thought.options.iter().find(|it| it.choice == made.into()).map(|it| it.mean) else {
        return;
    };
    let [shift, factor] = row.lines[match made {
        Call::Pass | Call::Wait => 0,
        Call::Bid(_) | Call::Take | Call::TakeIn(_) => 1,
        Call::Coinche | Call::Surcoinche => 2,
    }];
    let corrected = shift + factor * best;
    thought.points = Some(corrected);
    for option in &mut thought.options {
        let scale = if option.choice == made.into() { factor } else { row.less };
        option.mean = corrected - row.less * (best - option.mean);
        option.half_width *= scale;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Considered, Registry};

    #[test]
    fn every_bidder_that_reports_scores_is_corrected_under_every_preset() {
        for bot in Registry::builtin().bots().filter(|bot| bot.bids()) {
            let thinks = Registry::builtin().parse_bidder(bot.name()).unwrap().build().bidder.thinks();
            for (name, rules) in RuleSet::PRESETS {
                // In the turn-up game the networks are `table`.
                let is_own =
                    !["champion", "net"].contains(&bot.name()) || rules.deal.method != DealMethod::TurnUp;
                let row = find(bot.name(), &rules);
                assert_eq!(row.is_some(), thinks && is_own, "{} {name}", bot.name());
                // Its bids in a style are those of another network.
                let styled = find("natural", &rules).is_some();
                assert_eq!(styled, rules.deal.method != DealMethod::TurnUp, "{name}");
                // What scores more is reported to score more.
                assert!(row.is_none_or(|row| row.lines.iter().all(|line| line[1] >= 0.0) && row.less > 0.0));
            }
        }
        // The same of chances, and they remain chances.
        for row in ROWS.iter() {
            for call in ["P", "90H"].map(|text| text.parse::<Call>().unwrap()) {
                let chances: Vec<_> =
                    (0..=100).map(|n| row.chance(call.into(), 0.01 * f64::from(n))).collect();
                let ends = chances[0].abs().max((chances[100] - 1.0).abs());
                assert!(chances.is_sorted() && ends < 1e-9, "{} {chances:?}", row.bidder);
            }
        }
    }

    #[test]
    fn the_call_is_corrected_by_its_line_and_others_keep_their_order() {
        let rules = RuleSet::BGA;
        let call = |text: &str| text.parse::<Call>().unwrap();
        let calls = [("P", 10.0), ("90H", 60.0), ("X", -40.0)].map(|(text, mean)| (call(text), mean));
        let option = |(call, mean): (Call, f64)| Considered {
            choice: call.into(),
            mean,
            half_width: 8.0,
            chance: None,
            best: 0.5,
            worlds: 40,
        };
        let row = find("mc", &rules).unwrap();
        for (line, (made, mean)) in row.lines.iter().zip(calls) {
            let mut thought = Thought { options: calls.map(option).to_vec(), ..Thought::default() };
            correct(&mut thought, "mc", &rules, made);
            let told = line[0] + line[1] * mean;
            assert_eq!(thought.points, Some(told));
            for (option, (_, other)) in thought.options.iter().zip(calls) {
                let is_made = option.choice == made.into();
                assert!((option.mean - (told + row.less * (other - mean))).abs() < 1e-9, "{option:?}");
                assert!((option.half_width - 8.0 * if is_made { line[1] } else { row.less }).abs() < 1e-9);
            }
        }
        // A chance is corrected as the table says, in between by a line; those of bidders without numbers stay.
        let row = find("net", &rules).unwrap();
        let told = |chance: f64, bidder| {
            let option = Considered { chance: Some(chance), ..option(calls[1]) };
            let mut thought = Thought { options: vec![option], chance: Some(chance), ..Thought::default() };
            correct_chances(&mut thought, bidder, &rules, calls[1].0);
            assert_eq!(thought.chance, thought.options[0].chance);
            thought.chance.unwrap() - chance
        };
        assert!((told(0.75, "net") - row.chances[0][7] / 100.0).abs() < 1e-9 && row.chances[0][7] < -3.0);
        assert!((told(0.8, "net") - (row.chances[0][7] + row.chances[0][8]) / 200.0).abs() < 1e-9);
        assert!(told(0.75, "mc").abs() < 1e-9);
        // A bidder without corrections is left alone.
        let mut thought = Thought { options: calls.map(option).to_vec(), ..Thought::default() };
        correct(&mut thought, "rules", &rules, calls[0].0);
        assert_eq!(thought.points, None);
    }
}
