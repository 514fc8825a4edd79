//! Rules that call as a teacher would, by what it thinks each call is worth.
//!
//! A teacher that reports its thoughts (`net`, say) is asked at many turns. In each moment of an auction a list of sums is
//! then fitted: the first one that reaches its threshold makes the call. It is the value of the whole list that grows:
//! rules are added and fitted anew one at a time, each given those before it and what those after it would call.
//! The teacher's values have little noise where results of deals have much, and they suit partners who bid as it does:
//! all parts of an auction change together.

use coinche_bots::system::System;
use coinche_bots::{BotSpec, Considered};
use coinche_engine::{Bid, Call, LegalCalls, Strain};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::draft::{Called, Draft, Rule};
use super::ground::{Ground, Own};
use super::sum::{Climb, Sum};

/// The moments of an auction that rules are found for, with the condition of each.
const MOMENTS: [(&str, &str); 8] = [
    ("open", "opening"),
    ("answer", "partners_bid and my_bids = 0"),
    ("continue", "partners_bid and my_bids >= 1"),
    ("overcall", "their_bid and partner_bids = 0 and my_bids = 0"),
    ("support", "their_bid and partner_bids >= 1 and my_bids = 0"),
    ("compete", "their_bid and my_bids >= 1 and partner_bids = 0"),
    ("agreed", "their_bid and my_bids >= 1 and partner_raised"),
    ("two suits", "their_bid and my_bids >= 1 and partner_bids >= 1 and not partner_raised"),
];

/// Where a rule looks. In `suits` it is the best one that nobody has bid.
const PLACES: [&str; 6] = ["suits", "partner", "mine", "SA", "TA", "contract"];
/// The last place, where nothing is bid.
const CONTRACT: usize = 5;

/// The words that sums count, besides the definitions of the system: what of the hand a person counts, and what was said. A rule may set a
/// bound on some of them (`true`), beside its sum.
const WORDS: [(&str, bool); 29] = [
    ("trumps", true),
    ("J", true),
    ("nine", true),
    ("A", true),
    ("T", false),
    ("K", false),
    ("Q", false),
    ("belote", true),
    ("aces", true),
    ("tens", false),
    ("guarded_tens", false),
    ("voids", false),
    ("singletons", false),
    ("masters", false),
    ("side_masters", false),
    ("losers", false),
    ("position", true),
    ("round", true),
    ("bids", false),
    ("partner_jump", true),
    ("their_bids", true),
    ("partner_bids", true),
    ("their_passes", true),
    ("partner_raised", false),
    ("jacks", false),
    ("nines", false),
    ("level / 10", true),
    ("partner_level / 10", true),
    ("my_level / 10", true),
];

/// The conditions among them.
const FLAGS: [&str; 4] = ["J", "nine", "A", "belote"];

/// The calls of rules: a pass, a coinche, and in each place but the last the lowest legal level and those above.
const PASS: usize = 0;
const COINCHE: usize = 1;
const BIDS: usize = 2;
const LEVELS: usize = 5;
const CALLS: usize = BIDS + CONTRACT * LEVELS;

/// What a call gains that is not legal.
const NEVER: i16 = i16::MIN;
/// Points are counted in sixteenths.
const POINT: f64 = 16.0;
/// What a legal call gains that the teacher does not consider, and the least and most that counts.
const NOT_CONSIDERED: i16 = -30 * 16;
const RANGE: [f64; 2] = [-80.0, 200.0];

/// The fewest turns of a moment that are looked at, and the most.
const TURNS: [usize; 2] = [200, 40_000];
/// The most rules of a moment.
const MOST_RULES: usize = 6;
/// What a rule costs besides its words: the condition of its moment and its call.
const RULE_WORDS: usize = 6;
/// What a bound costs.
const BOUND_WORDS: usize = 3;

/// Returns the place that a rule with a call looks at.
const fn place(call: usize) -> usize {
    if call < BIDS { CONTRACT } else { (call - BIDS) / LEVELS }
}

/// A turn: what can be seen in each place, and what each call gains over a pass.
struct Row {
    moment: Option<usize>,
    places: [Option<Vec<i16>>; 6],
    gains: [i16; CALLS],
}

/// A system whose rules are the words, in each place.
struct Probe {
    system: System,
    words: Vec<String>,
}

impl Probe {
    fn new(draft: &Draft) -> Option<Self> {
        let mut probe = draft.clone();
        probe.rules.clear();
        let words: Vec<String> =
            WORDS.into_iter().map(|(word, _)| word.to_owned()).chain(draft.define.keys().cloned()).collect();
        let number =
            |name: String, place: &str, call: String| Rule::new(&name, place, None, Called::Text(call));
        for (name, when) in MOMENTS {
            probe.rules.push(number(name.to_owned(), "suits", format!("if({when}, 1, 0)")));
        }
        let best = draft.best.as_deref().unwrap_or("trump_points");
        probe.rules.push(number("best".to_owned(), "suits", format!("if(is_new, 1000 + {best}, 0)")));
        for place in PLACES {
            for word in &words {
                let named = |call| number(format!("{place} {word}"), place, call);
                let mut alone = draft.clone();
                alone.rules = vec![named(format!("0 + ({word})"))];
                // What is about a trump suit says nothing in SA and TA.
                let says = alone.system().is_ok();
                probe.rules.push(if says { alone.rules.remove(0) } else { named("0 + 0".to_owned()) });
            }
        }
        Some(Self { system: probe.system().ok()?, words })
    }

    fn value(&self, own: &Own, rule: usize) -> Vec<(Option<Strain>, i32)> {
        self.system.levels(&own.moment, own.hand, rule)
    }

    fn place(&self, own: &Own, place: usize) -> Option<(Strain, Vec<i16>)> {
        let first = MOMENTS.len() + 1 + place * self.words.len();
        let strain = if place == 0 {
            let best = self.value(own, MOMENTS.len()).into_iter().filter(|(_, value)| *value > 0);
            best.max_by_key(|(_, value)| *value)?.0?
        } else {
            self.value(own, first).first()?.0?
        };
        let word = |n| {
            let values = self.value(own, first + n);
            let value =
                values.iter().find(|(other, _)| *other == Some(strain)).map_or(0, |(_, value)| *value);
            i16::try_from(value.clamp(-1000, 1000)).unwrap_or_default()
        };
        Some((strain, (0..self.words.len()).map(word).collect()))
    }

    fn moment(&self, own: &Own) -> Option<usize> {
        (0..MOMENTS.len())
            .find(|moment| self.value(own, *moment).first().is_some_and(|(_, value)| *value != 0))
    }

    /// What is seen at a turn, and what the teacher thinks of it.
    fn row(&self, own: &Own, thought: &[Considered]) -> Row {
        let legal = own.moment.legal();
        let mean = |call: Call| thought.iter().find(|it| it.choice == call.into()).map(|it| it.mean);
        let pass = mean(Call::Pass).unwrap_or_default();
        let gain = |call: Option<Call>| match call.filter(|call| legal.contains(*call)) {
            None => NEVER,
            #[expect(clippy::cast_possible_truncation, reason = "it is in the range")]
            Some(call) => mean(call).map_or(NOT_CONSIDERED, |mean| {
                ((mean - pass).clamp(RANGE[0], RANGE[1]) * POINT).round() as i16
            }),
        };
        let mut gains = [NEVER; CALLS];
        gains[PASS] = 0;
        gains[COINCHE] = gain(Some(Call::Coinche));
        let places = std::array::from_fn(|place| {
            let (strain, words) = self.place(own, place)?;
            if place < CONTRACT {
                for (n, call) in levels(legal, strain).into_iter().enumerate() {
                    gains[BIDS + place * LEVELS + n] = gain(call);
                }
            }
            Some(words)
        });
        Row { moment: self.moment(own), places, gains }
    }
}

/// The lowest legal bids of a strain.
fn levels(legal: &LegalCalls, strain: Strain) -> [Option<Call>; LEVELS] {
    let mut values = legal.values();
    std::array::from_fn(|_| {
        let call = Call::Bid(Bid { value: values.next()?, strain });
        legal.contains(call).then_some(call)
    })
}

/// The turns of a moment: by place and word what is seen at each, and what each call gains there.
struct Turns {
    columns: [Vec<Vec<i16>>; 6],
    gains: Vec<[i16; CALLS]>,
    /// What a gain of a sixteenth at one of them is in points per deal.
    scale: f64,
    /// What a word costs, in points per deal.
    price: f64,
}

/// A bound on a word.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bound {
    word: usize,
    least: bool,
    value: i16,
}

impl Bound {
    const fn holds(self, value: i16) -> bool {
        if self.least { value >= self.value } else { value <= self.value }
    }

    fn text(self) -> String {
        let (word, _) = WORDS[self.word];
        // A level is said as it is called.
        let (word, value) = match word.strip_suffix(" / 10") {
            Some(level) => (level, 10 * i32::from(self.value)),
            None => (word, i32::from(self.value)),
        };
        match (FLAGS.contains(&word), self.least) {
            (true, true) => word.to_owned(),
            (true, false) => format!("not {word}"),
            (false, true) => format!("{word} >= {value}"),
            (false, false) => format!("{word} <= {value}"),
        }
    }
}

/// A rule of a moment: a call where a sum is enough, and perhaps a word within a bound.
#[derive(Debug, Clone)]
struct Taught {
    call: usize,
    sum: Sum,
    bound: Option<Bound>,
}

impl Turns {
    fn new(rows: &[Row], moment: usize, words: usize, legs: f64, price: f64) -> Option<Self> {
        let of_moment: Vec<&Row> = rows.iter().filter(|row| row.moment == Some(moment)).collect();
        let count = of_moment.len();
        if count < TURNS[0] {
            return None;
        }
        let picked: Vec<&Row> = of_moment.into_iter().step_by(count.div_ceil(TURNS[1])).collect();
        let column = |place: usize, word: usize| {
            picked.iter().map(|row| row.places[place].as_ref().map_or(0, |words| words[word])).collect()
        };
        let columns = std::array::from_fn(|place| (0..words).map(|word| column(place, word)).collect());
        let share = count as f64 / picked.len() as f64;
        let gains = picked.into_iter().map(|row| row.gains).collect();
        Some(Self { columns, gains, scale: share / (POINT * legs), price })
    }

    /// Which rule decides each turn, if any, and what its call gains.
    fn decided(&self, rules: &[Taught]) -> Vec<(Option<usize>, i16)> {
        let decided = |row: usize| {
            let rule = rules.iter().position(|rule| {
                let word = |word: usize| self.columns[place(rule.call)][word][row];
                self.gains[row][rule.call] != NEVER
                    && rule.bound.is_none_or(|bound| bound.holds(word(bound.word)))
                    && rule.sum.holds(word)
            });
            (rule, rule.map_or(0, |rule| self.gains[row][rules[rule].call]))
        };
        (0..self.gains.len()).map(decided).collect()
    }

    /// What a list of rules gains over passes in points per deal, less what its words cost.
    fn value(&self, rules: &[Taught]) -> f64 {
        let gain: i64 = self.decided(rules).into_iter().map(|(_, gain)| i64::from(gain)).sum();
        let words = |rule: &Taught| {
            RULE_WORDS + 3 * rule.sum.terms.len() + if rule.bound.is_some() { BOUND_WORDS } else { 0 }
        };
        let words: usize = rules.iter().map(words).sum();
        gain as f64 * self.scale - self.price * words as f64
    }

    /// Fits one rule of a list anew.
    fn fit_one(&self, rules: &mut [Taught], at: usize) {
        let (before, rest) = rules.split_at_mut(at);
        let Some((rule, after)) = rest.split_first_mut() else { return };
        let (before, after) = (self.decided(before), self.decided(after));
        let reached: Vec<usize> = (0..self.gains.len())
            .filter(|row| before[*row].0.is_none() && self.gains[*row][rule.call] != NEVER)
            .collect();
        let columns = &self.columns[place(rule.call)];
        let price = 3.0 * self.price / self.scale;
        let of = |bound: Option<Bound>| {
            let rows =
                || reached.iter().filter(|row| bound.is_none_or(|it| it.holds(columns[it.word][**row])));
            let gain = |row: &usize| i32::from(self.gains[*row][rule.call]) - i32::from(after[*row].1);
            let columns: Vec<Vec<i16>> =
                columns.iter().map(|column| rows().map(|row| column[*row]).collect()).collect();
            Climb { columns, gains: rows().map(gain).collect(), price }
        };
        let all = of(None);
        let (sum, value) = all.from(&rule.sum);
        let bounds = (0..WORDS.len()).filter(|word| WORDS[*word].1).flat_map(|word| {
            let bounds = all.bounds(&sum, word).into_iter();
            bounds.map(move |(least, value, gain)| (gain, Bound { word, least, value }))
        });
        let bound = bounds.reduce(|a, b| if b.0 > a.0 { b } else { a }).map(|(_, bound)| bound);
        let bounded = bound.map(|bound| (of(Some(bound)).from(&sum), bound));
        (rule.sum, rule.bound) = (sum, None);
        if let Some(((sum, with), bound)) = bounded
            && with - price / 3.0 * BOUND_WORDS as f64 > value
        {
            (rule.sum, rule.bound) = (sum, Some(bound));
        }
    }

    /// The calls that are the best one at so many turns that a rule may be worth its words.
    fn calls(&self) -> Vec<usize> {
        let useful = |call: &usize| {
            let gain: i64 = self.gains.iter().map(|gains| i64::from(gains[*call].max(0))).sum();
            *call == PASS || gain as f64 * self.scale > (RULE_WORDS + 3) as f64 * self.price
        };
        (0..CALLS).filter(useful).collect()
    }

    /// Fits a list of rules.
    fn fit(&self) -> Vec<Taught> {
        let calls = self.calls();
        let (mut rules, mut value) = (Vec::<Taught>::new(), 0.0);
        while rules.len() < MOST_RULES {
            let mut places = vec![0, rules.len()];
            places.dedup();
            let jobs: Vec<_> =
                calls.iter().flat_map(|call| places.iter().map(move |at| (*call, *at))).collect();
            let with = |(call, at)| {
                let mut rules = rules.clone();
                rules.insert(at, Taught { call, sum: Sum::default(), bound: None });
                self.fit_one(&mut rules, at);
                (self.value(&rules), rules)
            };
            let longer: Vec<_> = jobs.into_par_iter().map(with).collect();
            let Some((more, longer)) = longer.into_iter().reduce(|a, b| if b.0 > a.0 { b } else { a }) else {
                break;
            };
            if more <= value {
                break;
            }
            (value, rules) = (more, longer);
            for at in (0..rules.len()).chain(0..rules.len()) {
                let mut other = rules.clone();
                self.fit_one(&mut other, at);
                let with = self.value(&other);
                if with > value {
                    (value, rules) = (with, other);
                }
            }
        }
        rules
    }
}

impl Taught {
    fn rule(&self, words: &[String], moment: usize, name: &str) -> Rule {
        let (place, level) = (place(self.call), self.call.saturating_sub(BIDS) % LEVELS);
        let mut parts = vec![MOMENTS[moment].1.to_owned()];
        if place == 0 && moment > 0 {
            parts.push("is_new".to_owned());
        }
        parts.extend(self.bound.map(Bound::text));
        parts.push(self.sum.text(words));
        let above = 10 * i32::try_from(level).unwrap_or_default();
        let call = match self.call {
            PASS => Called::Text("pass".to_owned()),
            COINCHE => Called::Text("coinche".to_owned()),
            _ if moment == 0 => Called::Level(80 + above),
            _ if above == 0 => Called::Text("next".to_owned()),
            _ => Called::Text(format!("next + {above}")),
        };
        Rule::new(name, PLACES[place], Some(parts.join(" and ")), call)
    }
}

/// Asks a teacher on deals that it bids itself and, but in the first round, again as the system bids them; returns what it teaches of each
/// moment. `price` is what a word costs in points per deal.
pub(super) fn teach(
    ground: &mut Ground,
    draft: &Draft,
    teacher: &BotSpec,
    price: f64,
    round: u64,
) -> Vec<Vec<Rule>> {
    let (Some(probe), Ok(system)) = (Probe::new(draft), draft.system()) else { return Vec::new() };
    let row = |own: &Own, thought: &[Considered]| probe.row(own, thought);
    let mut rows = ground.asked(&system, teacher, true, row);
    let mut legs = 2.0 * ground.len() as f64;
    if round > 1 {
        rows.extend(ground.asked(&system, teacher, false, row));
        legs *= 2.0;
    }
    let teach = |moment: usize| {
        let (name, condition) = MOMENTS[moment];
        let turns = Turns::new(&rows, moment, probe.words.len(), legs, price)?;
        let taught = turns.fit();
        let named = |(n, rule): (usize, &Taught)| {
            rule.rule(&probe.words, moment, &format!("{name} {round}.{}", n + 1))
        };
        let mut rules: Vec<Rule> = taught.iter().enumerate().map(named).collect();
        let pass = Called::Text("pass".to_owned());
        rules.push(Rule::new(&format!("{name} {round}: pass"), "suits", Some(condition.to_owned()), pass));
        Some(rules)
    };
    (0..MOMENTS.len()).into_par_iter().filter_map(teach).collect()
}
