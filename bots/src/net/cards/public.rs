//! What everybody sees of a position beside the cards: calls, contract, announcements, and what is still to be had.

use coinche_engine::encoding::SuitOrder;
use coinche_engine::{
    Belote, BidValue, BySeat, ByTeam, Call, Card, CardSet, Contract, DealResult, Goal, Ladder, Melds,
    RuleSet, Seat, Stake, Suit, Team, View,
};

/// How many numbers tell what the contract scores.
pub const NUMBERS: usize = 5;

/// What a second pass is among what a player [`said`], the last.
pub(in crate::net) const SECOND_PASS: usize = 6 * LEVELS + 4;

const AT_DECLARER: usize = 0;
const AT_STRAIN: usize = AT_DECLARER + 4;
const AT_STAKE: usize = AT_STRAIN + 3;
const AT_GOAL: usize = AT_STAKE + 2;
const AT_WINNING: usize = AT_GOAL + 2;
const AT_MELDS: usize = AT_WINNING + 4;
const AT_BELOTES: usize = AT_MELDS + 16;
const AT_FINISHED: usize = AT_BELOTES + 16;
const AT_SAID: usize = AT_FINISHED + 8;
const LEVELS: usize = 8;
/// What a player said, without a second pass.
const SAID: usize = SECOND_PASS;
const AT_VALUE: usize = AT_SAID + 4 * SAID;
const VALUES: usize = 16;
const AT_POINTS: usize = AT_VALUE + VALUES;
/// Tens of points.
const TENS: usize = 17;
const AT_ALL: usize = AT_POINTS + 4 * TENS;
/// How many inputs these are.
pub(in crate::net) const INPUTS: usize = AT_ALL + 2;

/// The number of an input.
#[inline]
pub(in crate::net) fn place(at: usize) -> u16 {
    u16::try_from(at).unwrap_or_default()
}

/// Calls `add` with the inputs that are one, and returns what the contract scores, in hundreds of points.
///
/// `own` are the cards of the own hand that count for what is to be had: a belote that was not announced yet.
pub(super) fn encode(
    view: &View<'_>,
    order: SuitOrder,
    own: CardSet,
    known: &mut KnownWorths,
    mut add: impl FnMut(usize),
) -> [f32; NUMBERS] {
    let Some(contract) = view.contract() else { return [0.0; NUMBERS] };
    announcements(view, order, &mut add);
    said(view, order, |place, what| {
        if what < SAID {
            add(AT_SAID + SAID * place + what);
        }
    });
    situation(view, order, contract, &mut add);
    payoff(view, contract, own, known, &mut add)
}

/// Melds and belotes.
fn announcements(view: &View<'_>, order: SuitOrder, add: &mut impl FnMut(usize)) {
    if view.rules().melds.enabled {
        for (place, seat) in view.seat().around().into_iter().enumerate() {
            let mut kinds = 0u32;
            view.announced_kinds(seat).for_each(|kind| kinds |= 1 << kind as u32);
            (0..4).filter(|kind| kinds >> kind & 1 == 1).for_each(|kind| add(AT_MELDS + 4 * place + kind));
        }
    }
    for suit in Suit::ALL {
        if let Some(belote) = view.belote(suit)
            && belote.announced == Some(true)
        {
            add(AT_BELOTES + 4 * view.seat().distance_to(belote.seat) + order.slot(suit));
        }
    }
}

/// Calls `add` with the place of each player who said something, seen from the seat, and with what it said: bids by strain and
/// level, then a first pass or signal, coinche, surcoinche and a second pass.
#[inline]
pub(in crate::net) fn said(view: &View<'_>, order: SuitOrder, mut add: impl FnMut(usize, usize)) {
    const PLAIN: usize = 6 * LEVELS;
    let ladder = Ladder::new(view.rules());
    let mut times = [0u32; 4];
    for (seat, call) in view.auction().calls() {
        let place = view.seat().distance_to(*seat);
        times[place] += 1;
        let what = match (call, times[place]) {
            (Call::Bid(bid), _) => {
                let level = ladder.index_of(bid.value).unwrap_or(LEVELS).min(LEVELS - 1);
                LEVELS * order.strain_slot(bid.strain) + level
            }
            (Call::Take, _) => LEVELS * order.slot(view.turned().map_or(Suit::Clubs, Card::suit)),
            (Call::TakeIn(suit), _) => LEVELS * order.slot(*suit) + 1,
            (Call::Pass, 1) => PLAIN,
            (Call::Wait, 1) => PLAIN + 1,
            (Call::Pass, 2) => SECOND_PASS,
            (Call::Pass | Call::Wait, _) => continue,
            (Call::Coinche, _) => PLAIN + 2,
            (Call::Surcoinche, _) => PLAIN + 3,
        };
        add(place, what);
    }
}

/// The contract, the trick and how far the play is.
fn situation(view: &View<'_>, order: SuitOrder, contract: Contract, add: &mut impl FnMut(usize)) {
    add(AT_DECLARER + view.seat().distance_to(contract.declarer));
    let strain = match contract.strain.trump() {
        Some(suit) => order.slot(suit),
        None => contract.strain as usize - 3,
    };
    add(AT_STRAIN + strain);
    match contract.stake {
        Stake::Plain => {}
        Stake::Coinche => add(AT_STAKE),
        Stake::Surcoinche => add(AT_STAKE + 1),
    }
    match contract.goal {
        Goal::Majority => {}
        Goal::Bid(BidValue::CAPOT) => add(AT_GOAL),
        Goal::Bid(BidValue::GENERALE) => add(AT_GOAL + 1),
        Goal::Bid(value) => {
            let tens = usize::from(value.as_points().unwrap_or_default() / 10).saturating_sub(8);
            (0..tens.min(VALUES)).for_each(|n| add(AT_VALUE + n));
        }
    }
    if let Some((seat, _)) = view.winning() {
        add(AT_WINNING + view.seat().distance_to(seat));
    }
    add(AT_FINISHED + view.tricks().len().min(7));
}

/// How far the contract is from being made or lost, and what that scores.
fn payoff(
    view: &View<'_>,
    contract: Contract,
    own: CardSet,
    known: &mut KnownWorths,
    add: &mut impl FnMut(usize),
) -> [f32; NUMBERS] {
    let mut numbers = [0.0; NUMBERS];
    let side = contract.declarer.team();
    let rest = Rest::of(view, contract, own);
    let worths = known.of(view.rules(), rest);
    let taken = view.points_taken();
    let missing = worths.need.saturating_sub(taken[side]);
    let open = rest.all - taken[side] - taken[side.other()].min(rest.all - taken[side]);
    let is_own = side == view.seat().team();
    let at = AT_POINTS + if is_own { 0 } else { 2 * TENS };
    (0..TENS).filter(|ten| usize::from(missing) > 10 * ten).for_each(|ten| add(at + ten));
    if let Some(slack) = open.checked_sub(missing) {
        (0..TENS).filter(|ten| usize::from(slack) >= 10 * ten).for_each(|ten| add(at + TENS + ten));
    }
    numbers[..3].copy_from_slice(&worths.differences);
    let finished = view.tricks().len();
    for (n, team) in [view.seat().team(), view.seat().team().other()].into_iter().enumerate() {
        let won = |seat: Seat| view.tricks_by(seat);
        let [first, second] = team.seats();
        if usize::from(won(first) + won(second)) == finished {
            add(AT_ALL + n);
            numbers[3 + n] = worths.slam[team];
        }
    }
    numbers
}

/// What the rest of a deal may score.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Rest {
    contract: Contract,
    all: u16,
    belote: ByTeam<u16>,
    melds: ByTeam<u16>,
}

/// What comes of that.
#[derive(Debug, Clone, Copy)]
struct Worths {
    /// The least number of points with which the contract is made; one more than all if none does.
    need: u16,
    /// In hundreds of points: what making it is worth, all points more than that, and failing with as many points as possible more than
    /// with none.
    differences: [f32; 3],
    /// By team, what it gains by winning all tricks beside all points.
    slam: ByTeam<f32>,
}

/// What the contracts of one rule set were worth lately: it takes longer to compute than all else here.
#[derive(Debug, Clone, Default)]
pub(super) struct KnownWorths {
    rules: Option<RuleSet>,
    worths: Vec<(Rest, Worths)>,
}

/// How many are kept: those of one contract differ by the belotes that a seat knows.
const KEPT: usize = 4;

impl KnownWorths {
    fn of(&mut self, rules: &RuleSet, rest: Rest) -> Worths {
        if self.rules.as_ref() != Some(rules) {
            *self = Self { rules: Some(*rules), worths: Vec::with_capacity(KEPT) };
        }
        if let Some((_, worths)) = self.worths.iter().find(|(other, _)| *other == rest) {
            return *worths;
        }
        if self.worths.len() == KEPT {
            self.worths.remove(0);
        }
        let worths = rest.worths(rules);
        self.worths.push((rest, worths));
        worths
    }
}

impl Rest {
    fn of(view: &View<'_>, contract: Contract, own: CardSet) -> Self {
        let (rules, strain) = (view.rules(), contract.strain);
        let all = rules.cards.points_of(strain, CardSet::FULL) + rules.scoring.last_trick_in(strain);
        let held = BySeat::from_fn(|seat| {
            view.played_by(seat) | if seat == view.seat() { own } else { view.known(seat) }
        });
        let belote = Belote::points(rules, strain, &held);
        let melds = view.scored_melds();
        let melds = melds.map_or(ByTeam([0; 2]), |melds| Melds::points_of(&rules.melds, melds));
        Self { contract, all, belote, melds }
    }

    fn worths(&self, rules: &RuleSet) -> Worths {
        let side = self.contract.declarer.team();
        let need = self.need(rules, side);
        let score = |points: u16, slam: Option<Team>| self.score(rules, side, points, slam).0;
        let (most, none) = (score(self.all, None), score(0, None));
        let (made, failed) = if need > self.all {
            (most, most)
        } else {
            (score(need, None), if need == 0 { none } else { score(need - 1, None) })
        };
        let slam = ByTeam::from_fn(|team: Team| {
            let points = if team == side { self.all } else { 0 };
            let gain = score(points, Some(team)) - score(points, None);
            hundreds(if team == side { gain } else { -gain })
        });
        Worths { need, differences: [made - failed, most - made, failed - none].map(hundreds), slam }
    }

    /// What the declarers score more than the others with so many card points, and whether the contract is made; slams as said.
    fn score(&self, rules: &RuleSet, side: Team, points: u16, slam: Option<Team>) -> (i32, bool) {
        let mut card_points = ByTeam([self.all - points; 2]);
        card_points[side] = points;
        let result = DealResult {
            contract: self.contract,
            card_points,
            tricks: DealResult::tricks_of_slam(slam),
            belote: self.belote,
            melds: self.melds,
        };
        let score = result.score(rules);
        (score.points[side] - score.points[side.other()], score.made)
    }

    fn need(&self, rules: &RuleSet, side: Team) -> u16 {
        let (mut from, mut to) = (0, self.all + 1);
        while from < to {
            let middle = u16::midpoint(from, to);
            if self.score(rules, side, middle, None).1 {
                to = middle;
            } else {
                from = middle + 1;
            }
        }
        from
    }
}

fn hundreds(points: i32) -> f32 {
    f32::from(i16::try_from(points.clamp(-30_000, 30_000)).unwrap_or_default()) / 100.0
}
