//! Rules found from what other calls would have gained: conditions that select turns at which one call gains most.
//!
//! At each turn of the current system other calls are made, and the auction goes on by the same bidders. A search over
//! conjunctions of words then looks for those under which a call gains most, less what chance and length are worth: a beam
//! of a few conditions, which grow by one word at a time.

use coinche_bots::system::System;
use coinche_engine::{Bid, Call, LegalCalls, Strain};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::draft::{Called, Draft, Rule};
use super::ground::{Ground, Own};
use super::linear::{self, Score};

/// The moments of an auction that rules are found for, with the condition of each.
const MOMENTS: [(&str, &str); 6] = [
    ("open", "opening"),
    ("answer", "partners_bid and my_bids = 0"),
    ("continue", "partners_bid and my_bids >= 1"),
    ("overcall", "their_bid and partner_bids = 0 and my_bids = 0"),
    ("support", "their_bid and partner_bids >= 1 and my_bids = 0"),
    ("compete", "their_bid and my_bids >= 1"),
];

/// Where a rule looks. In `suits` it is the best one that nobody has bid.
const PLACES: [&str; 6] = ["suits", "partner", "mine", "SA", "TA", "contract"];
/// The last place, where nothing is bid.
const CONTRACT: usize = 5;

/// The words of conditions: what of the hand a person counts, and what was said.
const WORDS: [&str; 39] = [
    "trumps",
    "J",
    "nine",
    "A",
    "T",
    "K",
    "Q",
    "belote",
    "J9",
    "J + nine",
    "J + nine + A",
    "aces",
    "tens",
    "guarded_tens",
    "voids",
    "singletons",
    "voids + singletons",
    "masters",
    "side_masters",
    "losers",
    "longest",
    "position",
    "round",
    "bids",
    "level",
    "partner_level",
    "my_level",
    "partner_jump",
    "their_bids",
    "partner_bids",
    "their_passes",
    "partner_raised",
    "is_suit",
    "points",
    "jacks",
    "nines",
    "level / 10",
    "partner_level / 10",
    "my_level / 10",
];

/// The conditions among them.
const FLAGS: [&str; 10] = ["J", "nine", "A", "T", "K", "Q", "belote", "J9", "partner_raised", "is_suit"];

/// Words that no score counts: they say what others do.
const UNCOUNTED: [&str; 9] = [
    "J9",
    "J + nine",
    "J + nine + A",
    "voids + singletons",
    "level",
    "partner_level",
    "my_level",
    "points",
    "longest",
];

/// How many levels are tried: the lowest legal one and those above.
const LEVELS: usize = 5;

/// How many conditions are kept while they grow, and the most words of one.
const BEAM: usize = 5;
const MOST_WORDS: usize = 4;
/// The fewest turns of a moment, and of a condition, that are looked at.
const FEWEST: [usize; 2] = [200, 30];
/// How many standard errors a sum is lowered by: it is the best of many.
const CAUTION: f64 = 1.5;

/// A turn: what can be seen, and what each call gains.
struct Row {
    moment: Option<usize>,
    /// By place: the strain in question, and the words there.
    places: [Option<(Strain, Vec<i16>)>; 6],
    /// By place and level.
    bids: [[Option<i32>; LEVELS]; 5],
    pass: Option<i32>,
    coinche: Option<i32>,
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
            WORDS.into_iter().map(str::to_owned).chain(draft.define.keys().cloned()).collect();
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

    /// The calls that are tried at a turn.
    fn options(&self, own: &Own) -> Vec<Call> {
        let legal = own.moment.legal();
        let mut calls: Vec<Call> =
            [Call::Pass, Call::Coinche].into_iter().filter(|call| legal.contains(*call)).collect();
        let mut strains: Vec<Strain> =
            (0..CONTRACT).filter_map(|place| Some(self.place(own, place)?.0)).collect();
        strains.dedup();
        for strain in strains {
            calls.extend(levels(legal, strain).into_iter().flatten());
        }
        calls
    }

    fn row(&self, own: &Own, gains: &[(Call, i32)]) -> Row {
        let gain = |call: Call| gains.iter().find(|(other, _)| *other == call).map(|(_, gain)| *gain);
        let places: [Option<(Strain, Vec<i16>)>; 6] = std::array::from_fn(|place| self.place(own, place));
        let bids = std::array::from_fn(|place| {
            let levels = places[place].as_ref().map(|(strain, _)| levels(own.moment.legal(), *strain));
            std::array::from_fn(|n| levels.and_then(|levels| levels[n]).and_then(gain))
        });
        Row { moment: self.moment(own), places, bids, pass: gain(Call::Pass), coinche: gain(Call::Coinche) }
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

/// A condition on a word.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Atom {
    word: usize,
    least: bool,
    value: i16,
}

impl Atom {
    fn holds(self, words: &[i16]) -> bool {
        if self.least { words[self.word] >= self.value } else { words[self.word] <= self.value }
    }

    fn text(self, words: &[String]) -> String {
        let word = &words[self.word];
        match (FLAGS.contains(&word.as_str()), self.least) {
            (true, true) => word.clone(),
            (true, false) => format!("not {word}"),
            (false, true) => format!("{word} >= {}", self.value),
            (false, false) => format!("{word} <= {}", self.value),
        }
    }
}

/// A rule found, and its value on the deals on which it was found.
struct Found {
    moment: usize,
    place: usize,
    call: usize,
    atoms: Vec<Atom>,
    score: Option<Score>,
    value: f64,
}

/// The calls that are no bid, numbered after the levels.
const PASS: usize = LEVELS;
const COINCHE: usize = LEVELS + 1;

impl Found {
    fn rule(&self, words: &[String], name: &str) -> Rule {
        let mut parts = vec![MOMENTS[self.moment].1.to_owned()];
        if self.place == 0 && self.call < LEVELS && self.moment > 0 {
            parts.push("is_new".to_owned());
        }
        parts.extend(self.atoms.iter().map(|atom| atom.text(words)));
        parts.extend(self.score.iter().map(|score| score.text(words)));
        let above = 10 * i32::try_from(self.call).unwrap_or_default();
        let call = match self.call {
            PASS => Called::Text("pass".to_owned()),
            COINCHE => Called::Text("coinche".to_owned()),
            _ if self.moment == 0 => Called::Level(80 + above),
            0 => Called::Text("next".to_owned()),
            _ => Called::Text(format!("next + {above}")),
        };
        Rule::new(name, PLACES[self.place], Some(parts.join(" and ")), call)
    }
}

/// Returns rules that promise a gain over the current system, the best first; `price` is what a word costs in points.
pub(super) fn induce(ground: &mut Ground, draft: &Draft, price: f64, round: u64) -> Vec<Rule> {
    let (Some(probe), Ok(system)) = (Probe::new(draft), draft.system()) else { return Vec::new() };
    let rows = ground.deviations(&system, |own| probe.options(own), |own, gains| probe.row(own, gains));
    let legs = 2.0 * ground.len() as f64;
    let calls = |place| if place == CONTRACT { PASS..COINCHE + 1 } else { 0..PASS + 1 };
    let of_moment =
        |moment| (0..PLACES.len()).flat_map(move |place| calls(place).map(move |call| (moment, place, call)));
    let jobs: Vec<_> = (0..MOMENTS.len()).flat_map(of_moment).collect();
    let search = |(moment, place, call)| search(&rows, [moment, place, call], legs, price);
    let mut found: Vec<Found> = jobs.into_par_iter().flat_map_iter(search).collect();
    found.sort_by(|a, b| b.value.total_cmp(&a.value));
    let name = |n: usize, found: &Found| format!("{} {round}.{}", MOMENTS[found.moment].0, n + 1);
    found.iter().enumerate().map(|(n, it)| it.rule(&probe.words, &name(n, it))).collect()
}

/// A condition with the turns at which it holds, all bits of a number or none.
struct Held {
    atoms: Vec<Atom>,
    mask: Vec<i32>,
    value: f64,
}

/// Looks for the two best conditions for a call at a moment in a place.
fn search(rows: &[Row], [moment, place, call]: [usize; 3], legs: f64, price: f64) -> Vec<Found> {
    let gain = |row: &Row| match call {
        PASS => row.pass,
        COINCHE => row.coinche,
        level => row.bids[place][level],
    };
    let picked: Vec<(i32, &[i16])> = rows
        .iter()
        .filter(|row| row.moment == Some(moment))
        .filter_map(|row| Some((gain(row)?, &*row.places[place].as_ref()?.1)))
        .collect();
    if picked.len() < FEWEST[0] {
        return Vec::new();
    }
    let gains: Vec<i32> = picked.iter().map(|(gain, _)| *gain).collect();
    let atoms = atoms(&picked);
    let value = |of: &[i32], and: &[i32], words: usize| {
        let (mut sum, mut squares) = (0_i64, 0_i64);
        for ((gain, of), and) in gains.iter().zip(of).zip(and) {
            let gain = i64::from(gain & of & and);
            sum += gain;
            squares += gain * gain;
        }
        (sum as f64 - CAUTION * (squares as f64).sqrt()) / legs - price * (4 + words) as f64
    };
    let mut beam = vec![Held { atoms: Vec::new(), mask: vec![-1; gains.len()], value: f64::MIN }];
    let mut best: Vec<Found> = Vec::new();
    for words in 1..=MOST_WORDS {
        let mut next: Vec<(f64, usize, usize)> = Vec::new();
        for (b, held) in beam.iter().enumerate() {
            let new = atoms.iter().enumerate().filter(|(_, (atom, _))| !held.atoms.contains(atom));
            next.extend(new.map(|(a, (_, mask))| (value(&held.mask, mask, words), b, a)));
        }
        next.retain(|(value, b, _)| *value > beam[*b].value);
        next.sort_by(|a, b| b.0.total_cmp(&a.0));
        next.dedup_by(|a, b| a.0.total_cmp(&b.0).is_eq());
        next.truncate(BEAM);
        let grown = next.iter().map(|&(value, b, a)| {
            let (atom, mask) = &atoms[a];
            let atoms = beam[b].atoms.iter().chain([atom]).copied().collect();
            let mask = beam[b].mask.iter().zip(mask).map(|(of, and)| of & and).collect();
            Held { atoms, mask, value }
        });
        beam = grown.collect();
        let found = beam.iter().filter(|held| held.value > 0.0);
        best.extend(found.map(|held| Found {
            moment,
            place,
            call,
            atoms: held.atoms.clone(),
            score: None,
            value: held.value,
        }));
    }
    best.sort_by(|a, b| b.value.total_cmp(&a.value));
    best.truncate(2);
    let value = |sum: f64, squares: f64, words: usize| {
        (sum - CAUTION * squares.sqrt()) / legs - price * (4 + 3 * words) as f64
    };
    let counted: Vec<usize> = (0..picked[0].1.len())
        .filter(|word| !UNCOUNTED.contains(&WORDS.get(*word).copied().unwrap_or("")))
        .collect();
    let scores = linear::scores(&picked, &counted, value);
    let scores = scores.into_iter().filter(|(score, value)| *value > 0.0 && score.terms.len() > 1);
    let mut scores: Vec<Found> = scores
        .map(|(score, value)| Found { moment, place, call, atoms: Vec::new(), score: Some(score), value })
        .collect();
    scores.sort_by(|a, b| b.value.total_cmp(&a.value));
    scores.truncate(2);
    best.extend(scores);
    best
}

/// Returns the conditions on one word that hold at some of the turns and not at all, with the turns at which they do.
fn atoms(picked: &[(i32, &[i16])]) -> Vec<(Atom, Vec<i32>)> {
    let mut atoms = Vec::new();
    for word in 0..picked[0].1.len() {
        let mut values: Vec<i16> = picked.iter().map(|(_, words)| words[word]).collect();
        values.sort_unstable();
        let last = values.len() - 1;
        let mut cuts: Vec<i16> = (0..=12).map(|n| values[n * last / 12]).collect();
        cuts.dedup();
        for (value, least) in cuts.into_iter().flat_map(|value| [(value, true), (value, false)]) {
            let atom = Atom { word, least, value };
            let mask: Vec<i32> = picked.iter().map(|(_, words)| -i32::from(atom.holds(words))).collect();
            let count = mask.iter().filter(|held| **held != 0).count();
            if (FEWEST[1]..picked.len()).contains(&count) {
                atoms.push((atom, mask));
            }
        }
    }
    atoms
}
