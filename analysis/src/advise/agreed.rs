//! The rules of the partner's system by which the partner called.

use coinche_bots::system::{Moment, System};
use coinche_bots::worlds::{Worlds, retell};
use coinche_bots::{Bidder, Choice};
use coinche_engine::{Call, CardSet, Deal, DealState, Key, View};
use serde_json::{Value, json};

use super::models::Models;
use super::sentences::percent;
use crate::system::print::{condition, is_shipped};
use crate::texts::{fill, texts};
use crate::typed::Language;

/// Number of deals drawn to estimate how often each rule applies.
const DRAWS: u32 = 2_000;
/// Upper limit on the draws when a call has not come up.
const MOST: u32 = 20_000;
/// A printed line quotes at most this many rules; the JSON has all of them.
const QUOTED: usize = 3;

/// The rules by which the partner made a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Agreed {
    call: Call,
    /// The name of the system.
    system: String,
    /// The rules that make the call with some compatible hand, most frequent first.
    rules: Vec<Quoted>,
    /// The share of the hands making this call for which the fallback makes it, 0 to 1.
    floor: f64,
}

/// A rule, quoted as in its file.
#[derive(Debug, Clone, PartialEq)]
struct Quoted {
    number: usize,
    name: String,
    says: String,
    when: String,
    /// What it says in French: in the words of the file, which may be in French, unless it came with the program.
    in_french: String,
    /// The share of the hands making this call for which this rule makes it, 0 to 1.
    share: f64,
}

/// How often each rule (by number) and the fallback made a call.
#[derive(Debug, Clone)]
struct Tally {
    call: Call,
    rules: Vec<u32>,
    floor: u32,
}

impl Tally {
    fn total(&self) -> u32 {
        self.rules.iter().sum::<u32>() + self.floor
    }

    /// Formats the tally with the rule texts of the system.
    fn quote(&self, system: &System) -> Agreed {
        let share = |count: u32| f64::from(count) / f64::from(self.total().max(1));
        let is_english = is_shipped(system);
        let quoted = |(number, count): (usize, &u32)| {
            let rule = &system.rules()[number];
            let is_said = !rule.says.is_empty() && !is_english;
            let in_french =
                if is_said { rule.says.clone() } else { condition(system, number, Language::French) };
            Quoted {
                number: number + 1,
                name: rule.name.clone(),
                says: rule.says.clone(),
                when: rule.when.clone(),
                in_french,
                share: share(*count),
            }
        };
        let made = self.rules.iter().enumerate().filter(|(_, count)| **count > 0);
        let mut rules: Vec<Quoted> = made.map(quoted).collect();
        rules.sort_by(|a, b| b.share.total_cmp(&a.share));
        Agreed { call: self.call, system: system.name().to_owned(), rules, floor: share(self.floor) }
    }
}

/// Finds the rules by which the partner may have made each of its calls; empty if the partner has no system.
///
/// The hands come from deals compatible with what the seat knows, not weighted by the calls. This takes some
/// tens of milliseconds, ten times as much after a call that hardly any hand makes.
pub(super) fn find(view: &View<'_>, models: &Models, key: Key) -> Vec<Agreed> {
    let mut bidder = models.partners_bidder();
    // A copy, since the bidder is asked for its fallback calls.
    let Some(system) = System::of(&*bidder).cloned() else { return Vec::new() };
    let partner = view.seat().partner();
    let made = view.auction().calls().iter().filter(|(seat, _)| *seat == partner);
    let tally = |(_, call): &(_, Call)| Tally { call: *call, rules: vec![0; system.rules().len()], floor: 0 };
    let mut tallies: Vec<Tally> = made.map(tally).collect();
    if tallies.is_empty() {
        return Vec::new();
    }
    let (worlds, mut rng) = (Worlds::of(view), key.rng());
    for n in 0..MOST {
        if n >= DRAWS && tallies.iter().all(|tally| tally.total() > 0) {
            break;
        }
        count(view, &worlds.deal(&mut rng), &system, &mut *bidder, &mut tallies);
    }
    tallies.iter().map(|tally| tally.quote(&system)).collect()
}

/// Counts which rule makes the partner's calls in a sampled deal.
fn count(view: &View<'_>, deal: &Deal, system: &System, bidder: &mut dyn Bidder, tallies: &mut [Tally]) {
    let partner = view.seat().partner();
    let mut tallies = tallies.iter_mut();
    let _ = retell(view, deal, |state: &DealState, seat, choice| {
        let Choice::Call(call) = choice else { return };
        let declines = call == Call::Pass && state.auction().state().turn().is_offer();
        if seat != partner || declines {
            return;
        }
        let Some(tally) = tallies.next() else { return };
        let (of_partner, legal) = (state.view(seat), state.legal_calls());
        let hand: CardSet = of_partner.first_hand();
        match system.decide(&Moment::of(&of_partner, &legal), hand) {
            Some(claim) if claim.call == call => tally.rules[claim.rule] += 1,
            Some(_) => {}
            // The key is not used: systems and their fallbacks are deterministic.
            None => {
                let floor = bidder.call(&of_partner, &legal, Key::from_bits(0));
                tally.floor += u32::from(floor == call);
            }
        }
    });
}

impl Agreed {
    /// Returns the answer as one line.
    pub(super) fn line(&self, language: Language) -> String {
        let texts = texts(language);
        let call = language.typed(self.call);
        let told = |text: &str, rules: &str| {
            fill(text, &[("call", &call), ("system", &self.system), ("rules", &rules)])
        };
        if self.rules.is_empty() {
            return told(if self.floor > 0.0 { texts.agreed_floor } else { texts.agreed_none }, "");
        }
        let one = self.rules.len() == 1 && self.floor <= 0.0;
        let quote = |rule: &Quoted| {
            let share = if one { String::new() } else { format!(" ({})", percent(rule.share)) };
            let meaning = match language {
                Language::French => &rule.in_french,
                Language::English if rule.says.is_empty() => &rule.when,
                Language::English => &rule.says,
            };
            fill(
                texts.agreed_quote,
                &[("rule", &rule.name), ("share", &share), ("meaning", &meaning.trim_end_matches('.'))],
            )
        };
        let mut parts: Vec<String> = self.rules.iter().take(QUOTED).map(quote).collect();
        if self.rules.len() > QUOTED {
            parts.push(fill(texts.agreed_others, &[("n", &(self.rules.len() - QUOTED))]));
        }
        if self.floor > 0.0 {
            parts.push(fill(texts.agreed_its_floor, &[("share", &percent(self.floor))]));
        }
        told(
            if self.rules.len() == 1 { texts.agreed_rule } else { texts.agreed_rules },
            &parts.join(language.of("; ", "\u{a0}; ")),
        )
    }

    /// Returns the answer as JSON.
    pub(super) fn json(&self) -> Value {
        let rule = |rule: &Quoted| {
            json!({
                "rule": rule.name, "number": rule.number, "when": rule.when, "says": rule.says, "share": rule.share,
            })
        };
        json!({
            "call": self.call.to_string(), "system": self.system,
            "rules": self.rules.iter().map(rule).collect::<Vec<_>>(), "floor": self.floor,
        })
    }
}

#[cfg(test)]
mod tests {
    use coinche_bots::Registry;
    use coinche_engine::{Deck, RuleSet, Seat, Turn};

    use super::*;

    #[test]
    fn the_rule_that_made_the_call_is_among_those_quoted() {
        let registry = Registry::builtin();
        let bot = registry.parse("system:name=sound-beginner+rules").unwrap();
        let models = Models::new(bot.clone(), registry.parse("rules").unwrap());
        let mut bidder = bot.build().bidder;
        let system = System::of(&*bidder).unwrap().clone();
        let (mut of_rules, mut of_floor) = (0, 0);
        for index in 0..30 {
            let deal = Deal::new(&RuleSet::BGA.deal, Deck::shuffled(5, index), Seat::S3);
            let mut state = DealState::new(&RuleSet::BGA, &deal);
            let mut made = Vec::new();
            while let Turn::Call(seat) = state.turn() {
                let (view, legal) = (state.view(seat), state.legal_calls());
                let claim = system.decide(&Moment::of(&view, &legal), view.first_hand());
                let call = bidder.call(&view, &legal, Key::from_bits(0));
                made.push((seat, call, claim.map(|claim| claim.rule + 1)));
                state.call(call).unwrap();
            }
            let (seat, key) = (Seat::S0, Key::from_bits(index));
            let agreed = find(&state.view(seat), &models, key);
            let made: Vec<_> = made.iter().filter(|(other, ..)| *other == seat.partner()).collect();
            assert_eq!(agreed.len(), made.len());
            for (agreed, (_, call, rule)) in agreed.iter().zip(made) {
                assert_eq!(agreed.call, *call);
                let shares: f64 = agreed.rules.iter().map(|rule| rule.share).sum();
                assert!((shares + agreed.floor - 1.0).abs() < 1e-9, "{agreed:?}");
                match rule {
                    Some(rule) => assert!(agreed.rules.iter().any(|it| it.number == *rule), "{agreed:?}"),
                    None => assert!(agreed.floor > 0.0, "{agreed:?}"),
                }
                *(if rule.is_some() { &mut of_rules } else { &mut of_floor }) += 1;
            }
        }
        assert!(of_rules > 10 && of_floor > 3, "{of_rules}, {of_floor}");
    }

    #[test]
    fn a_partner_without_a_system_has_no_rules() {
        let registry = Registry::builtin();
        let rules = registry.parse("rules").unwrap();
        let deal = Deal::new(&RuleSet::BGA.deal, Deck::shuffled(5, 0), Seat::S3);
        let mut state = DealState::new(&RuleSet::BGA, &deal);
        state.call(Call::Pass).unwrap();
        state.call(Call::Pass).unwrap();
        let models = Models::new(rules.clone(), rules);
        assert_eq!(find(&state.view(Seat::S2), &models, Key::from_bits(0)), []);
    }
}
