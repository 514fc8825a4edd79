//! The rules of a system, and what they call.

use coinche_engine::{Bid, BidValue, Call, CardSet, LegalCalls, Melds, Strain};

use super::System;
use super::auction::Moment;
use super::code::{Eval, Hand, Id, Op, Values, byte, is_same};
use super::error::Place;
use super::syntax::TRUMP_ORDER;
use super::words::Word;

/// Where the words about a strain are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum In {
    /// In each of these strains, a bit each.
    Strains(u8),
    /// In the partner's last strain.
    Partner,
    /// In my last strain.
    Mine,
    /// In the opponents' last strain.
    Theirs,
    /// In the strain of the last bid.
    Contract,
    /// Nowhere.
    Nowhere,
}

/// What a rule calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Makes {
    Pass,
    Wait,
    Coinche,
    Surcoinche,
    Take,
    Capot,
    Generale,
    /// A bid of this many points.
    Level(Id),
}

/// A rule of a system.
#[derive(Debug, Clone)]
pub struct Rule {
    /// Its name; `rule 3` where the file gives none.
    pub name: String,
    /// What it tells the partner, in the words of the file; empty where it says nothing.
    pub says: String,
    /// The condition, as it is written.
    pub when: String,
    /// The call, as it is written.
    pub call: String,
    /// Where in the file it begins.
    pub place: Place,
    pub(super) condition: Id,
    pub(super) strains: In,
    pub(super) makes: Makes,
    pub(super) best: Option<Id>,
    /// The place of the call in the file, and that of `in`.
    pub(super) call_place: Place,
    pub(super) in_place: Place,
}

/// A rule that applies to a hand: which, in which strain, and what it calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    /// The number of the rule in [`System::rules`].
    pub rule: usize,
    /// The strain in question; none for rules that look at none.
    pub strain: Option<Strain>,
    /// The call, which is legal.
    pub call: Call,
}

/// What bids show that no rule makes: the floor names a strain only with a hand that shows it.
#[derive(Debug, Clone)]
pub struct Promise {
    /// When it holds, as it is written.
    pub when: String,
    /// What such a bid shows, as it is written.
    pub shows: String,
    /// The same in the words of the file; empty where it says nothing.
    pub says: String,
    /// The strains that it is about, a bit each.
    pub(super) strains: u8,
    pub(super) condition: Id,
    pub(super) promised: Id,
}

/// What tells strains of one rule apart: the best is the largest.
type Rank = (i32, u32, u8, bool, u8);

impl System {
    /// Returns the first rule that applies to a hand, with its call; `None` where all is left to the floor.
    ///
    /// `hand` is the eight cards, or the five of the turn-up game. Costs one to some microseconds.
    pub fn decide(&self, moment: &Moment, hand: CardSet) -> Option<Claim> {
        self.decide_by(moment, hand, 0..self.rules.len())
    }

    /// Returns the first of some rules that applies to a hand, with its call.
    pub fn decide_by(
        &self,
        moment: &Moment,
        hand: CardSet,
        mut rules: impl Iterator<Item = usize>,
    ) -> Option<Claim> {
        let eval = self.eval(moment, hand);
        rules.find_map(|rule| self.claim(&eval, rule))
    }

    /// Returns for each rule the number of one of another system that applies to the same hands and makes the same calls, by what
    /// is written; names and what rules say do not count.
    pub fn rules_of(&self, other: &Self) -> Vec<Option<usize>> {
        let best = |of: &Self, rule: &Rule| rule.best.or(of.best);
        let is_same = |ours: &Rule, theirs: &Rule| {
            let of = |a: Option<Id>, b: Option<Id>| match (a, b) {
                (None, None) => true,
                (Some(a), Some(b)) => is_same(&self.ops, a, &other.ops, b),
                _ => false,
            };
            let level = |makes| if let Makes::Level(id) = makes { Some(id) } else { None };
            let makes = level(ours.makes).is_some() || ours.makes == theirs.makes;
            ours.strains == theirs.strains
                && makes
                && of(Some(ours.condition), Some(theirs.condition))
                && of(level(ours.makes), level(theirs.makes))
                && of(best(self, ours), best(other, theirs))
        };
        self.rules.iter().map(|ours| other.rules.iter().position(|theirs| is_same(ours, theirs))).collect()
    }

    /// Returns what every rule that applies to a hand calls, as if it were the first.
    ///
    /// [`SystemAt::claims`](super::SystemAt::claims) answers for many hands in a tenth of the time.
    pub fn claims(&self, moment: &Moment, hand: CardSet) -> Vec<Claim> {
        let eval = self.eval(moment, hand);
        (0..self.rules.len()).filter_map(|rule| self.claim(&eval, rule)).collect()
    }

    /// Returns the calls of the floor: those that are legal, without bids that would break a [`Promise`].
    pub fn keeping_promises(&self, moment: &Moment, hand: CardSet) -> LegalCalls {
        if self.promises.is_empty() {
            return moment.legal;
        }
        let eval = self.eval(moment, hand);
        moment.legal.retain_strains(|strain| {
            let at = Some(strain);
            let about = self.promises.iter().filter(|it| it.strains >> strain.index() & 1 == 1);
            about.into_iter().all(|it| eval.value(it.condition, at) == 0 || eval.value(it.promised, at) != 0)
        })
    }

    fn eval<'a>(&'a self, moment: &'a Moment, hand: CardSet) -> Eval<'a> {
        let cards = moment.cards(hand);
        self.eval_of(moment, Hand { cards, melds: self.melds(moment, cards) })
    }

    pub(super) fn eval_of<'a>(&'a self, moment: &'a Moment, hand: Hand) -> Eval<'a> {
        Eval { ops: &self.ops, moment, card_rules: &moment.rules().cards, hand }
    }

    /// The points of the best melds, if the system looks at them.
    pub(super) fn melds(&self, moment: &Moment, cards: CardSet) -> i32 {
        let rules = moment.rules();
        if self.weighs_melds && rules.melds.enabled {
            Melds::best(&rules.melds, cards).points(&rules.melds).into()
        } else {
            0
        }
    }

    /// Returns what the level of a rule's call is in each strain that the rule looks at, whether or not its condition holds
    /// there; empty of a rule without a level.
    pub fn levels(&self, moment: &Moment, hand: CardSet, rule: usize) -> Vec<(Option<Strain>, i32)> {
        let Makes::Level(level) = self.rules[rule].makes else { return Vec::new() };
        let eval = self.eval(moment, hand);
        strains(self, moment, rule).map(|strain| (strain, eval.value(level, strain))).collect()
    }

    /// What a rule calls with a hand, if it applies.
    fn claim(&self, eval: &Eval<'_>, number: usize) -> Option<Claim> {
        let condition = self.rules[number].condition;
        let holds = strains(self, eval.moment, number).filter(|strain| eval.value(condition, *strain) != 0);
        self.best_of(number, eval, holds)
    }

    /// What a rule calls whose condition holds in these strains: in the best in which the call is legal.
    pub(super) fn best_of(
        &self,
        number: usize,
        eval: &impl Values,
        holds: impl Iterator<Item = Option<Strain>>,
    ) -> Option<Claim> {
        let rule = &self.rules[number];
        let mut best: Option<(Rank, Claim)> = None;
        for strain in holds {
            let called = call(rule.makes, eval, strain).filter(|call| eval.moment().legal.contains(*call));
            let Some(call) = called else { continue };
            let rank = self.rank(eval, rule, strain);
            if best.as_ref().is_none_or(|(other, _)| rank > *other) {
                best = Some((rank, Claim { rule: number, strain, call }));
            }
        }
        best.map(|(_, claim)| claim)
    }

    /// How good a strain is: by the rule's `best`, or the file's; then the longer suit, the stronger one by its cards as trump, the
    /// one turned up, the one that was bid last.
    ///
    /// Suits that are equal in all of this are alike in the hand and in what was said: either may be taken.
    fn rank(&self, eval: &impl Values, rule: &Rule, strain: Option<Strain>) -> Rank {
        let value = if let Some(id) = rule.best.or(self.best) {
            eval.value(id, strain)
        } else {
            let suit = strain.and_then(Strain::trump);
            let cards = suit.map_or(eval.cards(), |suit| eval.cards().of(suit));
            eval.moment().rules.cards.points_of(strain.unwrap_or(Strain::NoTrump), cards).into()
        };
        let Some(suit) = strain.and_then(Strain::trump) else { return (value, 0, 0, false, 0) };
        let cards = byte(eval.cards(), suit);
        let moment = eval.moment();
        let is_turned = moment.turned == Some(suit);
        (value, cards.count_ones(), strength(cards), is_turned, moment.mentioned[suit.index()])
    }

    /// Tests if any expression refers to this word.
    pub fn mentions(&self, word: Word) -> bool {
        self.ops.contains(&Op::Word(word))
    }
}

/// The strains in which a rule is looked at; one `None` for a rule that looks at none.
pub(super) fn strains<'a>(
    system: &System,
    moment: &'a Moment,
    number: usize,
) -> impl Iterator<Item = Option<Strain>> + use<'a> {
    let one = |strain: Option<Strain>| strain.map_or(0, |strain| 1 << strain.index());
    let strains = match system.rules[number].strains {
        In::Strains(strains) => strains,
        In::Partner => one(moment.partner),
        In::Mine => one(moment.mine),
        In::Theirs => one(moment.theirs),
        In::Contract => one(moment.contract),
        In::Nowhere => 1 << 6,
    };
    let any = matches!(system.rules[number].strains, In::Strains(_));
    let allowed = move |strain: &Strain| !any || moment.rules.allows_strain(*strain);
    let is_one = move |strain: &Strain| strains >> strain.index() & 1 == 1;
    let nowhere = (strains >> 6 == 1).then_some(None);
    Strain::ALL.into_iter().filter(is_one).filter(allowed).map(Some).chain(nowhere)
}

/// The cards of a suit as a number that is larger for the stronger: the jack first.
fn strength(cards: u8) -> u8 {
    TRUMP_ORDER.into_iter().fold(0, |sum, rank| sum << 1 | (cards >> rank.index() & 1))
}

/// What a rule calls in a strain; it may not be legal.
fn call(makes: Makes, eval: &impl Values, strain: Option<Strain>) -> Option<Call> {
    let bid = |value| Some(Call::Bid(Bid::new(value, strain?)));
    match makes {
        Makes::Pass => Some(Call::Pass),
        Makes::Wait => Some(Call::Wait),
        Makes::Coinche => Some(Call::Coinche),
        Makes::Surcoinche => Some(Call::Surcoinche),
        Makes::Take => match strain?.trump() {
            Some(suit) if eval.moment().turned == Some(suit) => Some(Call::Take),
            Some(suit) => Some(Call::TakeIn(suit)),
            None => bid(BidValue::NONE),
        },
        Makes::Capot => bid(BidValue::CAPOT),
        Makes::Generale => bid(BidValue::GENERALE),
        Makes::Level(id) => bid(level(eval.moment(), eval.value(id, strain))?),
    }
}

/// The bid of so many points: the tens count, so that 80 is 82 where that is the lowest; above the highest number that one.
fn level(moment: &Moment, points: i32) -> Option<BidValue> {
    let (lowest, highest) = (moment.words[Word::Lowest as usize], moment.words[Word::Highest as usize]);
    let tens = points.min(highest).div_euclid(10) * 10;
    if tens < lowest {
        return None;
    }
    let rung = usize::try_from((tens - lowest) / 10).ok()?;
    moment.ladder.value(rung).filter(|value| value.as_points().is_some())
}
