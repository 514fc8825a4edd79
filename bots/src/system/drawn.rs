//! Systems that are drawn by their number: bidders whom nobody at the table has met.
//!
//! Each has a score of its own for a hand, levels at which it opens, a way to answer, to overcall and to coinche; a few say with a level which
//! honours they hold. Few are good: they are opponents, and who gains against hundreds of them does not owe it to the habits of one.

use core::fmt::Write;

use coinche_engine::{CardSet, Deck, Key, Rank, Suit};

/// How the name of a drawn system begins; its number follows.
const PREFIX: &str = "drawn-";
/// The numbers that there are.
pub(super) const NUMBERS: &str = "0 to 999999999";
/// The hands by which the levels of an opening are set.
const HANDS: u64 = 400;

/// What a hand is worth in a trump suit, as the language writes it and as the levels are set by.
struct Score {
    /// A trump of each rank, in the order of [`Rank::ALL`].
    trumps: [i32; 8],
    /// A trump beyond the second, an ace beside, a void, a singleton.
    more: [i32; 4],
}

/// What is drawn for a system.
struct Draw {
    key: Key,
    count: u64,
}

impl Draw {
    /// Draws a number.
    fn of(&mut self, range: core::ops::RangeInclusive<i32>) -> i32 {
        self.count += 1;
        let among = usize::try_from(range.end() - range.start() + 1).unwrap_or(1);
        range.start() + i32::try_from(self.key.and(self.count).below(among)).unwrap_or_default()
    }

    /// Draws one of these.
    fn one<T: Copy, const N: usize>(&mut self, of: [T; N]) -> T {
        self.count += 1;
        of[self.key.and(self.count).below(N)]
    }
}

impl Score {
    fn draw(draw: &mut Draw) -> Self {
        let mut trumps = [0; 8];
        let most = [(Rank::Jack, 5..=12), (Rank::Nine, 3..=9), (Rank::Ace, 1..=5), (Rank::Ten, 0..=4)];
        for (rank, range) in most {
            trumps[rank.index()] = draw.of(range);
        }
        let court = draw.of(0..=2);
        trumps[Rank::King.index()] = court;
        trumps[Rank::Queen.index()] = court;
        Self { trumps, more: [draw.of(0..=4), draw.of(0..=5), draw.of(0..=3), draw.of(0..=2)] }
    }

    /// Writes it as an expression.
    fn text(&self) -> String {
        let trumps: Vec<_> = Rank::ALL
            .into_iter()
            .filter(|rank| self.trumps[rank.index()] > 0)
            .map(|rank| format!("{}={}", rank.letter(), self.trumps[rank.index()]))
            .collect();
        let [long, aces, voids, singletons] = self.more;
        format!(
            "trump({}) + {long} * max(trumps - 2, 0) + {aces} * aces + {voids} * voids + {singletons} * singletons",
            trumps.join(", ")
        )
    }

    /// Computes it.
    fn of(&self, hand: CardSet, trump: Suit) -> i32 {
        let cards = |suit| hand & CardSet::suit(suit);
        let count = |n: usize| i32::try_from(n).unwrap_or_default();
        let trumps: i32 = cards(trump).into_iter().map(|card| self.trumps[card.rank().index()]).sum();
        let beside = || Suit::ALL.into_iter().filter(|suit| *suit != trump);
        let suits = |len| count(beside().filter(|suit| cards(*suit).len() == len).count());
        let aces = count(((hand & CardSet::rank(Rank::Ace)) - CardSet::suit(trump)).len());
        let long = count(cards(trump).len().saturating_sub(2));
        let [of_long, of_ace, of_void, of_singleton] = self.more;
        trumps + of_long * long + of_ace * aces + of_void * suits(0) + of_singleton * suits(1)
    }

    /// The least scores of the best suit that these shares of all hands reach.
    fn reached<const N: usize>(&self, number: u64, shares: [f64; N]) -> [i32; N] {
        let best = |index| {
            let hand: CardSet = Deck::shuffled(number, index).cards().iter().copied().take(8).collect();
            Suit::ALL.into_iter().map(|suit| self.of(hand, suit)).max().unwrap_or_default()
        };
        let mut scores: Vec<_> = (0..HANDS).map(best).collect();
        scores.sort_unstable_by(|a, b| b.cmp(a));
        let whole = |share: f64| (1..=HANDS).take_while(|n| *n as f64 <= share * HANDS as f64).count();
        shares.map(|share| scores[whole(share)])
    }
}

/// Returns the file of a drawn system by its name, `drawn-` and a number up to 999,999,999.
pub(super) fn text_of(name: &str) -> Option<String> {
    let digits = name.strip_prefix(PREFIX)?;
    let is_plain = !digits.is_empty() && digits.len() <= 9 && (digits == "0" || !digits.starts_with('0'));
    (is_plain && digits.bytes().all(|digit| digit.is_ascii_digit()))
        .then(|| text(digits.parse().unwrap_or_default()))
}

/// Writes the file of a system.
fn text(number: u64) -> String {
    let draw = &mut Draw { key: Key::from_bits(number), count: 0 };
    let score = Score::draw(draw);
    // How many hands open, and what share of those that reach a level reach the next.
    let opens = f64::from(draw.of(18..=75)) / 100.0;
    let next = f64::from(draw.of(25..=70)) / 100.0;
    let shares: [f64; 6] = core::array::from_fn(|n| opens * (0..n).fold(1.0, |share, _| share * next));
    let reached = score.reached(number, shares);
    let floor = draw.one(["pass", "pass", "rules", "rules", "table"]);
    let mut text = format!(
        "name = \"Drawn {number}\"\nabout = \"A system drawn at random by its number.\"\nsource = \"No source: drawn.\"\n\
         floor = \"{floor}\"\nfor = [\"contree\", \"coinche\", \"coinche-melds\", \"coinchee\", \"bga\", \"bga-ja\"]\nbest = \"score\"\n\n\
         [define]\nscore = \"{}\"\nplayable = \"{}\"\nworth = \"{}\"\nhelp = \"{}\"\n",
        score.text(),
        draw.one([
            "J or nine",
            "J or nine or trumps >= 4",
            "J or nine or A or T or trumps >= 3",
            "trumps >= 2"
        ]),
        worth(draw, reached),
        help(draw),
    );
    for [name, when, call] in rules(draw, reached) {
        let place = match &*name {
            "raise" | "compete" => "in = \"partner\"\n",
            "all trump" => "in = \"TA\"\n",
            "no trump" => "in = \"SA\"\n",
            _ => "",
        };
        let call =
            if call.chars().all(|letter| letter.is_ascii_digit()) { call } else { format!("\"{call}\"") };
        let _ = write!(text, "\n[[rule]]\nname = \"{name}\"\n{place}when = \"{when}\"\ncall = {call}\n");
    }
    text
}

/// The level of a hand: by its score, up to one of several; one level for all; or by the honours it holds, in an order of its own.
fn worth(draw: &mut Draw, [eighty, ninety, hundred, more, most, high]: [i32; 6]) -> String {
    let by_score = |levels: &[(i32, i32)]| {
        levels
            .iter()
            .fold("0".to_owned(), |below, (score, level)| format!("if(score >= {score}, {level}, {below})"))
    };
    let opens = |level: String| format!("if(score >= {eighty}, {level}, 0)");
    match draw.of(0..=9) {
        0 => opens(draw.one([80, 80, 90, 100]).to_string()),
        1 | 2 => {
            let mut levels = [80, 90, 100, draw.one([80, 90, 110])];
            for n in 0..3 {
                levels.swap(n, usize::try_from(draw.of(0..=3)).unwrap_or_default());
            }
            let [both, jack, nine, neither] = levels;
            opens(format!("if(J9, {both}, if(J, {jack}, if(nine, {nine}, {neither})))"))
        }
        3 => by_score(&[(eighty, 80), (ninety, 100), (more, 120), (high, 160)]),
        4 => by_score(&[(eighty, 90), (ninety, 100), (hundred, 110), (more, 120)]),
        5 => by_score(&[(eighty, 80), (hundred, 90), (most, 100)]),
        _ => by_score(&[(eighty, 80), (ninety, 90), (hundred, 100), (more, 110), (most, 120), (high, 130)]),
    }
}

/// By how many tens a hand raises.
fn help(draw: &mut Draw) -> String {
    let [jack, nine, ace] = [draw.of(1..=3), draw.of(0..=2), draw.of(0..=2)];
    let (belote, third) = (draw.of(0..=2), draw.of(0..=2));
    format!(
        "if(J, {jack}, 0) + if(nine, {nine}, 0) + {ace} * aces + if(belote, {belote}, 0) + if(trumps >= 3, {third}, 0) + if(trumps >= 1, voids, 0)"
    )
}

fn rule(name: &str, when: impl Into<String>, call: impl Into<String>) -> [String; 3] {
    [name.to_owned(), when.into(), call.into()]
}

/// The rules in order: name, condition, call.
fn rules(draw: &mut Draw, [eighty, ninety, hundred, ..]: [i32; 6]) -> Vec<[String; 3]> {
    let mut rules = Vec::new();
    let (aces, jacks) = (draw.of(3..=5), draw.of(3..=5));
    let sans = draw.one([80, 80, 100]);
    rules.push(rule("no trump", format!("has_sa and opening and aces >= {aces}"), sans.to_string()));
    rules.push(rule("all trump", format!("has_ta and opening and jacks >= {jacks}"), sans.to_string()));
    rules.push(rule("open", "opening and playable and worth >= 80", "worth"));
    rules.push(rule("no opening", "opening", "pass"));
    let (kept, top) = (draw.of(0..=3), draw.one([100, 110, 120, 130, 140, 160]));
    let answers = "partners_bid and my_bids = 0 and not coinched and is_suit";
    match draw.of(0..=4) {
        0 => {}
        1 => rules.push(rule("raise", format!("{answers} and trumps >= {}", draw.of(2..=3)), "next")),
        2 => rules.push(rule("raise", format!("{answers} and worth > partner_level"), "worth")),
        _ => {
            let call = format!("min(partner_level + 10 * (help - {kept}), {top})");
            rules.push(rule("raise", format!("{answers} and help > {kept}"), call));
        }
    }
    if draw.of(0..=2) > 0 {
        rules.push(rule("no raise", "partners_bid and not coinched", "pass"));
    }
    let (level, masters, trumps) = (draw.one([80, 90, 100, 110, 120, 130]), draw.of(2..=5), draw.of(2..=4));
    let coinche = match draw.of(0..=7) {
        0 => None,
        1 | 2 => Some(format!("level >= {level} and contract(J9)")),
        3 => Some(format!("level >= {level} and masters >= {masters}")),
        4 => Some(format!("level >= {level} and aces >= {}", draw.of(1..=3))),
        // Whoever coinches whatever comes.
        5 => Some(format!("level >= {level}")),
        _ => Some(format!("level >= {level} and contract(trumps >= {trumps}) and aces >= 1")),
    };
    let their = "their_bid and not coinched";
    let is_there = |when| format!("has_coinche and {their} and not surcoinched and {when}");
    rules.extend(coinche.map(|when: String| rule("coinche", is_there(when), "coinche")));
    let (least, up_to) = (draw.one([eighty, ninety, hundred]), draw.one([80, 90, 100, 110, 130]));
    let overcall = format!("{their} and my_bids = 0 and is_new and level <= {up_to} and playable");
    match draw.of(0..=3) {
        0 => {}
        1 => rules.push(rule("overcall", format!("{overcall} and score >= {least}"), "next")),
        _ => rules.push(rule("overcall", format!("{overcall} and worth > level"), "worth")),
    }
    if draw.of(0..=1) == 0 {
        let when = format!(
            "{their} and partner_bids >= 1 and my_bids = 0 and is_suit and help > {kept} and level <= {up_to}"
        );
        rules.push(rule("compete", when, "next"));
    }
    rules
}

#[cfg(test)]
mod tests {
    use super::super::System;
    use super::*;
    use coinche_engine::RuleSet;

    #[test]
    fn drawn_systems_are_right_and_unlike_each_other() {
        let mut texts: Vec<String> = (0..100).map(text).collect();
        for text in &texts {
            let system = System::read(text, &[]).unwrap_or_else(|error| panic!("{error}\n{text}"));
            for rules in [
                RuleSet::BGA,
                RuleSet::BGA_JA,
                RuleSet::CONTREE,
                RuleSet::COINCHE,
                RuleSet::COINCHE_MELDS,
                RuleSet::COINCHEE,
            ] {
                system.check(&rules).unwrap();
            }
        }
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), 100);
    }
}
