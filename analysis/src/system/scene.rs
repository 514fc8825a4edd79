//! Turns at which the calls of a system are counted.

use coinche_bots::system::{Moment, System, Word};
use coinche_engine::rules::DealMethod;
use coinche_engine::{Auction, Bid, ByTeam, Call, Card, Rank, RuleSet, Seat, Strain, Suit, View};

use super::hands::Hands;

/// The turn of a seat after some calls.
#[derive(Debug, Clone)]
pub(crate) struct Scene {
    /// The preceding calls, as typed.
    pub calls: String,
    /// The display title.
    pub title: String,
    pub moment: Moment,
    /// The suits that were bid or turned up.
    pub suits: Vec<Suit>,
    /// The possible hands.
    pub hands: Hands,
}

/// The dealer of the auctions examined: seat 0 speaks first.
const DEALER: Seat = Seat::S3;

impl Scene {
    /// Returns the turn after these calls; `None` if they are illegal or end the auction.
    fn after(rules: &RuleSet, turned: Option<Card>, calls: &[Call], title: &str) -> Option<Self> {
        let mut auction = Auction::new(rules, DEALER, turned.map(Card::suit));
        for call in calls {
            auction.call(*call).ok()?;
            // Any-time coinche offers are declined.
            while auction.state().turn().is_offer() {
                auction.call(Call::Pass).ok()?;
            }
        }
        let seat = auction.state().turn().seat()?;
        let legal = auction.state().legal_calls();
        let moment = Moment::new(rules, &auction, DEALER, turned, seat, ByTeam([0; 2]), &legal);
        Some(Self::new(&auction, turned, title, moment))
    }

    /// Returns the turn of a view.
    pub(crate) fn of(view: &View<'_>) -> Self {
        let moment = Moment::of(view, &view.auction().state().legal_calls());
        Self::new(view.auction(), view.turned(), "", moment)
    }

    fn new(auction: &Auction, turned: Option<Card>, title: &str, moment: Moment) -> Self {
        let calls = auction.calls().iter().map(|(_, call)| call.to_string()).collect::<Vec<_>>().join(" ");
        let suits = named(auction, turned);
        let hands = Hands::new(if turned.is_some() { 5 } else { 8 }, turned, &suits);
        Self { calls, title: title.to_owned(), moment, suits, hands }
    }
}

/// Returns the suits that were bid, named or turned up.
fn named(auction: &Auction, turned: Option<Card>) -> Vec<Suit> {
    let bids = auction.calls().iter().filter_map(|(_, call)| match call {
        Call::Bid(bid) => bid.strain.trump(),
        _ => None,
    });
    bids.chain(turned.map(Card::suit)).collect()
}

/// Tests if the system distinguishes opening seats by the passes before.
fn looks_at_passes(system: &System) -> bool {
    let words = [
        Word::Position,
        Word::PartnerPassed,
        Word::TheirPasses,
        Word::IPassed,
        Word::Round,
        Word::PartnerWaited,
    ];
    words.into_iter().any(|word| system.mentions(word))
}

/// Returns the turns before any bid.
pub(crate) fn openings(system: &System, rules: &RuleSet) -> Vec<Scene> {
    if rules.deal.method == DealMethod::TurnUp {
        // The turned card matters: each rank, in both rounds.
        let ranks = Rank::ALL.into_iter().rev();
        let scenes = ranks.flat_map(|rank| {
            let card = Card::new(Suit::Hearts, rank);
            [(0, "first round"), (4, "second round")].map(|(passes, round)| {
                let title = format!("{card} turned up, {round}");
                Scene::after(rules, Some(card), &vec![Call::Pass; passes], &title)
            })
        });
        return scenes.flatten().collect();
    }
    let titles = ["first to speak", "after one pass", "after two passes", "last to speak"];
    let count = if looks_at_passes(system) { 4 } else { 1 };
    let scene = |passes: usize| Scene::after(rules, None, &vec![Call::Pass; passes], titles[passes]);
    (0..count).filter_map(scene).collect()
}

/// Returns the turns after these bids: the partner's after an opponent's pass, and the opponent's before.
///
/// Bids are in hearts; spades and other suits are equivalent.
pub(crate) fn answers(rules: &RuleSet, openings: &[Call]) -> Vec<Scene> {
    let in_hearts = |call: &Call| match call {
        Call::Bid(bid) if bid.strain.trump().is_some() => Call::Bid(Bid::new(bid.value, Strain::Hearts)),
        other => *other,
    };
    let mut bids: Vec<Call> = Vec::new();
    for call in openings.iter().filter(|call| matches!(call, Call::Bid(_))).map(in_hearts) {
        if !bids.contains(&call) {
            bids.push(call);
        }
    }
    let partner = bids.iter().filter_map(|bid| {
        Scene::after(rules, None, &[*bid, Call::Pass], &format!("the partner opened {bid}, no other bid"))
    });
    let others = bids
        .iter()
        .take(2)
        .filter_map(|bid| Scene::after(rules, None, &[*bid], &format!("the opponent before opened {bid}")));
    partner.chain(others).collect()
}
