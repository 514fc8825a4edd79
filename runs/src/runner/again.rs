//! Plays a sample of the deals again, with each bot of another crate in processes of its own, one for each seat of each leg.
//!
//! What such a bot remembers of other seats, legs and deals in this process, in a `static` for example, it does not know there: where
//! its answer is another one, that is a fault. Where this process cannot be started once more, fresh objects are asked here.

use coinche_bots::{BotSpec, Registry};
use coinche_engine::record::{Fault, FaultKind};
use coinche_engine::{Purpose, Seat};
use coinche_protocol::{MixedTable, ProgramLost, StderrLog, own_engine};
use coinche_selfplay::play::schedule::Leg;
use coinche_selfplay::{Ending, FinishedDeal, Lineup, PlayedDeal, Scribe, Side};

use crate::config::RunConfig;

/// Deals that were played, before they are reported.
#[derive(Default)]
pub(super) struct Kept(pub(super) Vec<(Leg, FinishedDeal)>);

impl Scribe for Kept {
    fn deal(&mut self, deal: &PlayedDeal<'_>) {
        self.0.push((*deal.leg, deal.into()));
    }
}

/// Tests if a pair is played again: of a thousand some twelve, of a million some 26, always the first ones.
pub(super) fn is_sampled(config: &RunConfig, index: u64) -> bool {
    let one_in = usize::try_from(index / 2 + 1).unwrap_or(usize::MAX);
    config.schedule().secrets.key(Purpose::Sample, index, 1).below(one_in) == 0
}

/// Tests if anything but its word says that a bot forgets the other hands of a deal.
pub(super) fn is_doubted(lineup: &Lineup) -> bool {
    bots(lineup).any(|bot| bot.may_remember() != [None, None])
}

fn bots(lineup: &Lineup) -> impl Iterator<Item = &BotSpec> {
    Side::ALL.into_iter().flat_map(|side| Seat::ALL.map(|seat| lineup.bot(side, seat)))
}

/// Sets the table at which pairs are played again.
pub(super) fn table(config: &RunConfig, lineup: &Lineup) -> MixedTable {
    let apart = |spec: Option<String>| Registry::empty().parse(&own_engine(&spec?)?).ok();
    let lineup = lineup.clone().map(|bot| {
        let [bidder, player] = bot.may_remember().map(apart);
        let bot = bidder.map_or_else(|| bot.clone(), |bidder| bot.with_bidder_of(&bidder));
        player.map_or_else(|| bot.clone(), |player| bot.with_player_of(&player))
    });
    MixedTable::set(&config.rules, config.schedule(), lineup, &StderrLog::none()).forfeit()
}

/// Plays a pair again, and adds the faults that this shows to what was played before.
pub(super) fn compare(
    table: &mut MixedTable,
    lineup: &Lineup,
    index: u64,
    kept: &mut Kept,
) -> Result<(), Box<ProgramLost>> {
    let mut again = Kept::default();
    table.play_pair(index, &mut again)?;
    for number in [0, 1] {
        let of_leg = |(leg, _): &&(Leg, FinishedDeal)| leg.leg == number;
        let pairs = kept.0.iter_mut().filter(|(leg, _)| leg.leg == number).zip(again.0.iter().filter(of_leg));
        for ((leg, deal), (_, again)) in pairs {
            let Some((seat, detail)) = difference(deal, again) else { continue };
            if lineup.bot(leg.sides[seat], seat).may_remember() != [None, None] {
                deal.faults.push(Fault { seat, kind: FaultKind::Inconsistent, detail });
            }
            // What follows in a match is another game.
            break;
        }
    }
    Ok(())
}

/// Returns the seat whose decision is the first that differs.
fn difference(deal: &FinishedDeal, again: &FinishedDeal) -> Option<(Seat, String)> {
    let [here, there] = [deal, again].map(decisions);
    let at = here.iter().zip(&there).position(|(here, there)| here != there);
    let at = at.or_else(|| (here.len() != there.len()).then(|| here.len().min(there.len())))?;
    let failed = match again.ending {
        Ending::Forfeit(seat) => {
            let fault = again.faults.iter().find(|fault| fault.kind.forfeits());
            Some((seat, fault.map_or_else(String::new, |fault| format!("failed ({})", fault.detail))))
        }
        Ending::Regular(_) => None,
    };
    let answer = |decisions: &[(Seat, String)]| {
        decisions.get(at).map(|(seat, answer)| (*seat, format!("answered {answer}")))
    };
    let (seat, there) = answer(&there).or(failed)?;
    let here = answer(&here).map_or_else(|| "failed".to_owned(), |(_, here)| here);
    let decision = decisions(again).iter().take(at).filter(|(other, _)| *other == seat).count() + 1;
    let detail = format!(
        "decision {decision} of the seat: it {here}, and {there} when asked again, alone, by a copy that knew no other hand: its \
         answers depend on more than the question"
    );
    Some((seat, detail))
}

/// Returns the calls and cards of a deal.
fn decisions(deal: &FinishedDeal) -> Vec<(Seat, String)> {
    let calls = deal.state.auction().calls().iter().map(|(seat, call)| (*seat, call.to_string()));
    let cards = deal.state.tricks().iter().flat_map(|trick| {
        let seats = (0..4).map(|n| trick.leader.plus(n));
        seats.zip(trick.cards.map(|card| card.to_string()))
    });
    calls.chain(cards).collect()
}
