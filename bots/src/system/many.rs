//! A system at one moment, asked about many hands: each step is computed for 64 hands at once.
//!
//! What the auction decides is folded away when it is made. Tests compare it with [`System::claims`].

use std::collections::HashMap;

use coinche_engine::{CardSet, Strain, Suit};

use super::System;
use super::auction::Moment;
use super::code::{Hand, Id, Op, Values, binary, byte};
use super::rule::{Claim, Makes, strains};
use super::syntax::{Function, Sign};
use super::words::{About, Word};

/// The number of hands computed at once.
const LANES: usize = 64;

/// The values of a step for these hands.
type Column = [i32; LANES];

/// The number of a [`Step`].
type StepId = usize;

/// A step whose strain is fixed; it refers to earlier ones.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Step {
    BySuit(BySuit),
    Melds,
    Binary(Sign, StepId, StepId),
    Min(StepId, StepId),
    Max(StepId, StepId),
    If(StepId, StepId, StepId),
}

/// A number as a function of the four suits of the hand: the sum, or the largest, of `start` and a number for each; a constant if no
/// suit matters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct BySuit {
    largest: bool,
    start: i32,
    /// The suits that matter, in order.
    tables: Vec<(Suit, Box<[i32; 256]>)>,
}

/// Numbers in sums of tables are below this, so that no sum leaves the range where the system's own would stay at its end.
const MOST_OF_TABLES: i32 = 1 << 24;

impl BySuit {
    const fn known(start: i32) -> Self {
        Self { largest: false, start, tables: Vec::new() }
    }

    /// A function of one suit; `None` where a table of differences does not hold it.
    fn of_suit(suit: Suit, of: impl Fn(u8) -> i32) -> Option<Self> {
        let start = of(0);
        let values = (0..=255).map(|byte| of(byte).checked_sub(start)).collect::<Option<Vec<i32>>>()?;
        let table: Box<[i32; 256]> = values.into_boxed_slice().try_into().ok()?;
        Some(Self { largest: false, start, tables: vec![(suit, table)] }.without_idle())
    }

    fn without_idle(mut self) -> Self {
        self.tables.retain(|(_, table)| table.iter().any(|value| *value != 0));
        self
    }

    /// The value if at most one suit matters, and its cards are these.
    fn at(&self, byte: u8) -> i32 {
        self.tables.iter().fold(self.start, |value, (_, table)| self.with(value, table[usize::from(byte)]))
    }

    fn with(&self, value: i32, of_suit: i32) -> i32 {
        if self.largest { value.max(of_suit) } else { value + of_suit }
    }

    fn is_small(&self) -> bool {
        let tables = self.tables.iter().flat_map(|(_, table)| table.iter());
        !self.largest && tables.chain([&self.start]).all(|value| value.abs() < MOST_OF_TABLES)
    }

    /// The sum with so many times another.
    fn plus(&self, other: &Self, times: i32) -> Option<Self> {
        if !(self.is_small() && other.is_small() && times.abs() < 100) {
            return None;
        }
        let table = |suit: Suit| {
            let of = |it: &Self, byte: usize| {
                it.tables.iter().find(|(its, _)| *its == suit).map_or(0, |(_, table)| table[byte])
            };
            (suit, Box::new(std::array::from_fn(|byte| of(self, byte) + times * of(other, byte))))
        };
        let start = self.start + times * other.start;
        let sum = Self { largest: false, start, tables: Suit::ALL.map(table).into() }.without_idle();
        sum.is_small().then_some(sum)
    }

    fn fill(&self, suits: &[[u8; LANES]; 4], column: &mut Column) {
        *column = [self.start; LANES];
        for (suit, table) in &self.tables {
            for (value, byte) in column.iter_mut().zip(&suits[suit.index()]) {
                *value = self.with(*value, table[usize::from(*byte)]);
            }
        }
    }
}

impl Step {
    /// The steps that it refers to.
    fn parts(&self) -> Vec<StepId> {
        match *self {
            Self::BySuit(_) | Self::Melds => vec![],
            Self::Binary(_, a, b) | Self::Min(a, b) | Self::Max(a, b) => vec![a, b],
            Self::If(condition, a, b) => vec![condition, a, b],
        }
    }

    /// Its value where those of its parts are given.
    fn value(&self, of: impl Fn(StepId) -> i32) -> i32 {
        match *self {
            Self::BySuit(_) | Self::Melds => 0,
            Self::Binary(sign, a, b) => binary(sign, of(a), of(b)),
            Self::Min(a, b) => of(a).min(of(b)),
            Self::Max(a, b) => of(a).max(of(b)),
            Self::If(condition, a, b) => of(if of(condition) == 0 { b } else { a }),
        }
    }
}

/// A rule in a strain in which it can apply.
#[derive(Debug, Clone, Copy)]
struct Case {
    strain: Option<Strain>,
    condition: StepId,
}

/// A system at a moment.
#[derive(Debug)]
pub struct SystemAt<'a> {
    system: &'a System,
    moment: &'a Moment,
    steps: Vec<Step>,
    numbers: HashMap<Step, StepId>,
    /// The step for one of the system in a strain.
    of: HashMap<(Id, Option<Strain>), StepId>,
    /// The same as a table, for levels and preferences, which are looked up for each hand.
    wanted: Vec<[StepId; 7]>,
    rules: Vec<(usize, Vec<Case>)>,
    columns: Vec<Column>,
}

/// The place of a strain in a table.
fn place(strain: Option<Strain>) -> usize {
    strain.map_or(6, Strain::index)
}

impl System {
    /// Prepares questions about many hands at a moment. Costs some tenths of a millisecond.
    pub fn at<'a>(&'a self, moment: &'a Moment) -> SystemAt<'a> {
        let mut at = SystemAt {
            system: self,
            moment,
            steps: Vec::new(),
            numbers: HashMap::new(),
            of: HashMap::new(),
            wanted: vec![[0; 7]; self.ops.len()],
            rules: Vec::new(),
            columns: Vec::new(),
        };
        for number in 0..self.rules.len() {
            let cases: Vec<Case> =
                strains(self, moment, number).filter_map(|strain| at.case(number, strain)).collect();
            if !cases.is_empty() {
                at.rules.push((number, cases));
            }
        }
        at.forget_unused();
        at.columns = vec![[0; LANES]; at.steps.len()];
        for (column, kind) in at.columns.iter_mut().zip(&at.steps) {
            if let Step::BySuit(by_suit) = kind {
                *column = [by_suit.start; LANES];
            }
        }
        at
    }
}

impl SystemAt<'_> {
    /// Prepares a rule in a strain; `None` if the auction rules it out.
    fn case(&mut self, number: usize, strain: Option<Strain>) -> Option<Case> {
        let rule = &self.system.rules[number];
        let condition = self.step(rule.condition, strain);
        if self.known(condition) == Some(0) {
            return None;
        }
        let level = if let Makes::Level(id) = rule.makes { Some(id) } else { None };
        for id in level.into_iter().chain(rule.best.or(self.system.best)) {
            let step = self.step(id, strain);
            self.wanted[usize::from(id)][place(strain)] = step;
        }
        Some(Case { strain, condition })
    }

    /// Empties the steps that no rule needs: those that were folded away.
    fn forget_unused(&mut self) {
        let mut used = vec![false; self.steps.len()];
        let conditions = self.rules.iter().flat_map(|(_, cases)| cases.iter().map(|case| case.condition));
        for step in conditions.chain(self.wanted.iter().flatten().copied()) {
            // Of a system without rules there is no step at all.
            used.get_mut(step).into_iter().for_each(|used| *used = true);
        }
        for step in (0..self.steps.len()).rev() {
            if used[step] {
                self.steps[step].parts().into_iter().for_each(|part| used[part] = true);
            } else {
                self.steps[step] = Step::BySuit(BySuit::known(0));
            }
        }
    }

    fn known(&self, step: StepId) -> Option<i32> {
        self.by_suit(step).filter(|it| it.tables.is_empty()).map(|it| it.start)
    }

    fn by_suit(&self, step: StepId) -> Option<&BySuit> {
        if let Step::BySuit(by_suit) = &self.steps[step] { Some(by_suit) } else { None }
    }

    fn add(&mut self, kind: Step) -> StepId {
        let kind = self.folded(&kind).map_or(kind, Step::BySuit);
        if let Some(step) = self.numbers.get(&kind) {
            return *step;
        }
        self.steps.push(kind.clone());
        self.numbers.insert(kind, self.steps.len() - 1);
        self.steps.len() - 1
    }

    fn add_known(&mut self, value: i32) -> StepId {
        self.add(Step::BySuit(BySuit::known(value)))
    }

    /// The step as a table of one suit, or as a sum of tables.
    fn folded(&self, kind: &Step) -> Option<BySuit> {
        let parts: Vec<&BySuit> =
            kind.parts().into_iter().map(|part| self.by_suit(part)).collect::<Option<_>>()?;
        let mut suits: Vec<Suit> =
            parts.iter().flat_map(|part| part.tables.iter().map(|(suit, _)| *suit)).collect();
        suits.dedup();
        match (kind, suits[..].first()) {
            (Step::BySuit(_) | Step::Melds, _) => None,
            (_, suit) if suits.len() <= 1 => {
                let suit = suit.copied().unwrap_or(Suit::Clubs);
                BySuit::of_suit(suit, |byte| {
                    kind.value(|part| self.by_suit(part).map_or(0, |it| it.at(byte)))
                })
            }
            (Step::Binary(Sign::Plus, ..), _) => parts[0].plus(parts[1], 1),
            (Step::Binary(Sign::Minus, ..), _) => parts[0].plus(parts[1], -1),
            (Step::Binary(Sign::Times, a, b), _) => match (self.known(*a), self.known(*b)) {
                (Some(times), _) => BySuit::known(0).plus(parts[1], times),
                (_, Some(times)) => BySuit::known(0).plus(parts[0], times),
                _ => None,
            },
            _ => None,
        }
    }

    /// What a word says of each suit alone: from its definition for hands of one suit.
    fn word(&self, word: Word, strain: Option<Strain>) -> BySuit {
        let of =
            |cards: CardSet| self.system.eval_of(self.moment, Hand { cards, melds: 0 }).word(word, strain);
        let largest = word == Word::Longest;
        let start = of(CardSet::EMPTY);
        let table = |suit: Suit| {
            let of = |byte: u32| of(CardSet::from_bits(byte << (8 * suit as u32)));
            let mut bytes = 0..256;
            let difference = |byte| of(byte) - if largest { 0 } else { start };
            Box::new(std::array::from_fn(|_| bytes.next().map_or(0, difference)))
        };
        BySuit { largest, start, tables: Suit::ALL.map(|suit| (suit, table(suit))).into() }.without_idle()
    }

    fn binary(&mut self, sign: Sign, a: StepId, b: StepId) -> StepId {
        match (sign, self.known(a), self.known(b)) {
            (Sign::And, Some(0), _) | (Sign::And, _, Some(1)) | (Sign::Or, _, Some(0)) => a,
            (Sign::And, _, Some(0)) | (Sign::And, Some(1), _) | (Sign::Or, Some(0), _) => b,
            _ => self.add(Step::Binary(sign, a, b)),
        }
    }

    fn held(&mut self, suit: Suit, ranks: u8) -> StepId {
        let held = BySuit::of_suit(suit, |byte| i32::from(byte & ranks == ranks));
        self.add(Step::BySuit(held.expect("0 and 1 are near")))
    }

    fn not(&mut self, a: StepId) -> StepId {
        let zero = self.add_known(0);
        self.binary(Sign::Equal, a, zero)
    }

    /// Returns the step that computes one of the system in a strain.
    fn step(&mut self, id: Id, strain: Option<Strain>) -> StepId {
        if let Some(step) = self.of.get(&(id, strain)) {
            return *step;
        }
        let trump = strain.and_then(Strain::trump);
        let zero = self.add_known(0);
        let step = match self.system.ops[usize::from(id)] {
            Op::Number(number) => self.add_known(number),
            Op::Cards(ranks) => trump.map_or(zero, |suit| self.held(suit, ranks)),
            Op::Word(Word::Melds) => {
                let weighs = self.moment.rules().melds.enabled;
                if weighs { self.add(Step::Melds) } else { zero }
            }
            Op::Word(word) => match word.about() {
                About::Auction | About::Rules => self.add_known(self.moment.words[word as usize]),
                _ => {
                    let by_suit = self.word(word, strain);
                    self.add(Step::BySuit(by_suit))
                }
            },
            Op::Not(a) => {
                let a = self.step(a, strain);
                self.not(a)
            }
            Op::Minus(a) => {
                let a = self.step(a, strain);
                self.binary(Sign::Minus, zero, a)
            }
            Op::Binary(sign, a, b) => {
                let (a, b) = (self.step(a, strain), self.step(b, strain));
                self.binary(sign, a, b)
            }
            Op::In(what, low, high) => {
                let [what, low, high] = [what, low, high].map(|id| self.step(id, strain));
                let (above, below) =
                    (self.binary(Sign::AtMost, low, what), self.binary(Sign::AtMost, what, high));
                self.binary(Sign::And, above, below)
            }
            Op::Look(function, id) => self.look(function, id, strain),
            Op::Min(a, b) => {
                let (a, b) = (self.step(a, strain), self.step(b, strain));
                self.add(Step::Min(a, b))
            }
            Op::Max(a, b) => {
                let (a, b) = (self.step(a, strain), self.step(b, strain));
                self.add(Step::Max(a, b))
            }
            Op::If(condition, a, b) => {
                let condition = self.step(condition, strain);
                match self.known(condition) {
                    Some(0) => self.step(b, strain),
                    Some(_) => self.step(a, strain),
                    None => {
                        let (a, b) = (self.step(a, strain), self.step(b, strain));
                        self.add(Step::If(condition, a, b))
                    }
                }
            }
            Op::Trump(rank, weight) => match trump {
                Some(suit) => {
                    let held = self.held(suit, 1 << rank.index());
                    let weight = self.step(weight, strain);
                    self.add(Step::If(held, weight, zero))
                }
                None => zero,
            },
            Op::Side(rank, weight) => {
                let beside = Suit::ALL.into_iter().filter(|suit| Some(*suit) != trump);
                let held: Vec<StepId> = beside.map(|suit| self.held(suit, 1 << rank.index())).collect();
                let (weight, count) = (self.step(weight, strain), self.fold(Sign::Plus, held));
                self.binary(Sign::Times, weight, count)
            }
        };
        self.of.insert((id, strain), step);
        step
    }

    /// Combines steps from the left; there is at least one.
    fn fold(&mut self, sign: Sign, steps: Vec<StepId>) -> StepId {
        let folded = steps.into_iter().reduce(|a, b| self.binary(sign, a, b));
        folded.unwrap_or_else(|| self.add_known(0))
    }

    fn look(&mut self, function: Function, id: Id, strain: Option<Strain>) -> StepId {
        let own = strain.and_then(Strain::trump);
        let beside = matches!(function, Function::Others | Function::MostOther);
        let suits = || Suit::ALL.into_iter().filter(|suit| !beside || Some(*suit) != own);
        let at = |strain: Option<Strain>, it: &mut Self| match strain {
            Some(strain) => it.step(id, Some(strain)),
            None => it.add_known(0),
        };
        match function {
            Function::Any | Function::Every | Function::Count | Function::Others => {
                let sign = match function {
                    Function::Any => Sign::Or,
                    Function::Every => Sign::And,
                    _ => Sign::Plus,
                };
                let zero = self.add_known(0);
                let held: Vec<StepId> = suits()
                    .map(|suit| {
                        let value = self.step(id, Some(Strain::of(suit)));
                        self.binary(Sign::Unequal, value, zero)
                    })
                    .collect();
                self.fold(sign, held)
            }
            Function::Most | Function::MostOther => {
                let values: Vec<StepId> = suits().map(|suit| self.step(id, Some(Strain::of(suit)))).collect();
                let most = values.into_iter().reduce(|a, b| self.add(Step::Max(a, b)));
                most.unwrap_or_else(|| self.add_known(0))
            }
            Function::Partner => at(self.moment.partner, self),
            Function::Mine => at(self.moment.mine, self),
            Function::Theirs => at(self.moment.theirs, self),
            Function::Contract => at(self.moment.contract, self),
            Function::Turned => at(self.moment.turned.map(Strain::of), self),
            Function::Min | Function::Max | Function::If => self.add_known(0),
        }
    }

    /// Marks the suits, as bytes with a seven and no eight, that no step distinguishes from the same cards with the eight instead.
    pub fn sevens_are_eights(&self) -> [bool; 256] {
        let alike = |seven: usize, step: &Step| match step {
            Step::Melds => false,
            Step::BySuit(it) => it.tables.iter().all(|(_, table)| table[seven] == table[seven ^ 0b11]),
            _ => true,
        };
        std::array::from_fn(|byte| byte & 0b11 == 0b01 && self.steps.iter().all(|step| alike(byte, step)))
    }

    /// Calls `look` with each hand, by number, and what [`System::claims`] returns for it.
    ///
    /// Costs 0.05 to 0.2 µs a hand.
    pub fn claims(&mut self, hands: &[CardSet], mut look: impl FnMut(CardSet, &[Claim])) {
        let mut claims = Vec::new();
        for block in hands.chunks(LANES) {
            self.compute(block);
            let masks: Vec<u64> = self.rules.iter().map(|(_, cases)| self.applies(cases)).collect();
            for (lane, hand) in block.iter().enumerate() {
                claims.clear();
                let values = Lane { at: self, cards: self.moment.cards(*hand), of: lane };
                for ((number, cases), _) in
                    self.rules.iter().zip(&masks).filter(|(_, mask)| *mask >> lane & 1 == 1)
                {
                    let holds = cases.iter().filter(|case| self.columns[case.condition][lane] != 0);
                    claims.extend(self.system.best_of(*number, &values, holds.map(|case| case.strain)));
                }
                look(*hand, &claims);
            }
        }
    }

    /// Returns the hands to which a rule applies in any strain, a bit each.
    fn applies(&self, cases: &[Case]) -> u64 {
        let mut any = [0; LANES];
        for case in cases {
            for (any, value) in any.iter_mut().zip(&self.columns[case.condition]) {
                *any |= value;
            }
        }
        any.iter().rev().fold(0, |mask, value| mask << 1 | u64::from(*value != 0))
    }

    fn compute(&mut self, hands: &[CardSet]) {
        let mut suits = [[0_u8; LANES]; 4];
        for (lane, hand) in hands.iter().enumerate() {
            let cards = self.moment.cards(*hand);
            for suit in Suit::ALL {
                suits[suit.index()][lane] = byte(cards, suit);
            }
        }
        for (number, kind) in self.steps.iter().enumerate() {
            let (before, after) = self.columns.split_at_mut(number);
            let column = &mut after[0];
            match kind {
                Step::BySuit(it) if it.tables.is_empty() => {}
                Step::BySuit(it) => it.fill(&suits, column),
                Step::Melds => {
                    for (value, hand) in column.iter_mut().zip(hands) {
                        *value = self.system.melds(self.moment, self.moment.cards(*hand));
                    }
                }
                Step::Binary(sign, a, b) => combine(*sign, column, &before[*a], &before[*b]),
                Step::Min(a, b) => zip(column, &before[*a], &before[*b], i32::min),
                Step::Max(a, b) => zip(column, &before[*a], &before[*b], i32::max),
                Step::If(condition, a, b) => {
                    let (condition, a, b) = (&before[*condition], &before[*a], &before[*b]);
                    for (lane, value) in column.iter_mut().enumerate() {
                        *value = if condition[lane] == 0 { b[lane] } else { a[lane] };
                    }
                }
            }
        }
    }
}

fn zip(column: &mut Column, a: &Column, b: &Column, f: impl Fn(i32, i32) -> i32) {
    for (value, (a, b)) in column.iter_mut().zip(a.iter().zip(b)) {
        *value = f(*a, *b);
    }
}

/// Each sign by a loop of its own: the sign is no question inside.
fn combine(sign: Sign, column: &mut Column, a: &Column, b: &Column) {
    macro_rules! loops {
        ($($sign:ident)*) => {
            match sign { $(Sign::$sign => zip(column, a, b, |a, b| binary(Sign::$sign, a, b))),* }
        };
    }
    loops!(Or And Less AtMost More AtLeast Equal Unequal Plus Minus Times Over);
}

/// The values computed for one hand.
struct Lane<'a> {
    at: &'a SystemAt<'a>,
    cards: CardSet,
    /// The place of the hand in the columns.
    of: usize,
}

impl Values for Lane<'_> {
    fn value(&self, id: Id, strain: Option<Strain>) -> i32 {
        self.at.columns[self.at.wanted[usize::from(id)][place(strain)]][self.of]
    }

    fn cards(&self) -> CardSet {
        self.cards
    }

    fn moment(&self) -> &Moment {
        self.at.moment
    }
}
