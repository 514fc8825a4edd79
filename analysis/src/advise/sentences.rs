//! An answer in words: the situation, what others did, the advice.

use std::fmt::Write as _;

use coinche_bots::Choice;
use coinche_engine::rules::Rotation;
use coinche_engine::{AuctionTurn, Call, Card, Seat, Suit, View};
use coinche_selfplay::{plain, signed, thousands, with_half};

use super::agreed::Agreed;
use super::question::in_words;
use super::{Advice, Assumed, Weighed};

/// Returns the other seats with their places: the next to play is on the left if play is clockwise, else on the
/// right.
pub(super) fn others(view: &View<'_>) -> [(Seat, &'static str); 3] {
    let seat = view.seat();
    let [left, right] = match view.rules().deal.rotation {
        Rotation::Clockwise => [seat.next(), seat.plus(3)],
        Rotation::Counterclockwise => [seat.plus(3), seat.next()],
    };
    [(seat.partner(), "partner"), (left, "left"), (right, "right")]
}

/// Describes the position: the seat to play, its hand, and what has happened.
pub(super) fn situation(view: &View<'_>) -> String {
    let rules = view.rules().preset_name().unwrap_or("of one's own");
    let score = view.match_score();
    let mut text = format!("Seat {}, dealer {}, rules {rules}: {}", view.seat(), view.dealer(), view.hand());
    if let Some(turned) = view.turned().filter(|_| view.contract().is_none()) {
        let _ = write!(text, ", turned up {turned}");
    }
    if let Some(contract) = view.auction().state().contract() {
        let what = if view.contract().is_some() { "contract" } else { "standing" };
        let _ = write!(text, "; {what} {}", in_words(&contract));
    }
    if view.contract().is_some() {
        let taken = view.points_taken();
        let _ = write!(text, ", trick {}", view.tricks().len() + 1);
        let on_table: Vec<_> = view.trick().map(|(_, card)| card.to_string()).collect();
        if !on_table.is_empty() {
            let _ = write!(text, ": {}", on_table.join(" "));
        }
        let team = view.seat().team();
        let _ = write!(text, ", points so far {} to {}", taken[team], taken[team.other()]);
    } else if matches!(view.auction().state().turn(), AuctionTurn::OfferCoinche(_)) {
        text.push_str("; offered a coinche");
    } else if matches!(view.auction().state().turn(), AuctionTurn::OfferSurcoinche(_)) {
        text.push_str("; offered a surcoinche");
    }
    let own = view.seat().team();
    if score[own] != 0 || score[own.other()] != 0 {
        let _ = write!(text, "; match {} to {}", score[own], score[own.other()]);
    }
    text
}

/// Lists what the others did, one line each, and by which rules the partner called.
pub(super) fn evidence(view: &View<'_>, advice: &Advice) -> Vec<String> {
    let line = |(seat, name): (Seat, &str)| {
        let calls = view.auction().calls().iter().filter(|(other, _)| *other == seat);
        let calls: Vec<_> = calls.map(|(_, call)| call.to_string()).collect();
        let said = if calls.is_empty() { "nothing yet".to_owned() } else { calls.join(", ") };
        let mut line = format!("{name}, seat {seat}: {said}");
        let is_out_of = |suit: &Suit| view.contract().is_some() && view.is_void(seat, *suit);
        let voids: Vec<_> = Suit::ALL.into_iter().filter(is_out_of).map(|suit| suit.to_string()).collect();
        if !voids.is_empty() {
            let _ = write!(line, "; out of {}", voids.join(" "));
        }
        line
    };
    others(view).map(line).into_iter().chain(advice.agreed.iter().map(Agreed::line)).collect()
}

/// Fewer deals of equal weight than this are said to be few.
const FEW: u64 = 20;

/// Describes how the evidence is weighted.
pub(super) fn source(view: &View<'_>, advice: &Advice) -> String {
    let cards = if view.contract().is_some() { " and the cards played" } else { "" };
    let effective = advice.holdings.effective();
    let few = if effective < FEW { "; these are few, more --time gives better figures" } else { "" };
    format!(
        "What the others hold (inferred from their calls{cards}; {} deals that fit, worth {} of equal weight{few}):",
        thousands(advice.holdings.draws.into()),
        thousands(effective),
    )
}

/// Returns the recommendation in words.
pub(super) fn sentences(view: &View<'_>, advice: &Advice) -> Vec<String> {
    let find = |choice: Choice| advice.options.iter().find(|option| option.choice == choice);
    let chosen = find(advice.choice);
    let mut sentence = match advice.choice {
        Choice::Card(card) => of_card(card, chosen, advice),
        Choice::Call(call) => of_call(view, call, chosen, advice),
    };
    if advice.figures_of_others {
        let _ = write!(
            sentence,
            " The choice is that of {}, which gives no figures; the figures are those of sampled deals.",
            advice.by
        );
    }
    sentence.extend(advice.assumed.as_ref().map(|assumed| against(advice.choice, assumed, &advice.options)));
    std::iter::once(sentence).chain(why_not_the_best_in_most(advice)).collect()
}

/// Compares the recommended call with that of the assumed bidder.
fn against(choice: Choice, assumed: &Assumed, options: &[Weighed]) -> String {
    let is_alone = options.len() < 2;
    if choice != Choice::Call(assumed.call) {
        let [gain, half] = assumed.gain;
        format!(
            " A bidder of the kind assumed would call {}, which scores {} less.",
            assumed.call,
            estimate(gain, half)
        )
    } else if is_alone {
        String::new()
    } else {
        " A bidder of the kind assumed would call so; no other call is clearly better.".to_owned()
    }
}

/// Explains why the recommended choice is not the one that is best in most deals.
pub(super) fn why_not_the_best_in_most(advice: &Advice) -> Option<String> {
    let chosen = advice.options.iter().find(|option| option.choice == advice.choice)?;
    let share = |option: &&Weighed| option.best.unwrap_or_default();
    let other = advice.options.iter().max_by(|a, b| share(a).total_cmp(&share(b)))?;
    let ([mean, _], [other_mean, _]) = (chosen.score?, other.score?);
    if share(&other) <= share(&chosen) {
        return None;
    }
    let facts = format!(
        "{} is best in more of the deals ({} against {} for {})",
        other.choice,
        percent(share(&other)),
        percent(share(&chosen)),
        chosen.choice
    );
    let scores = format!("{} against {}", signed(other_mean), signed(mean));
    // Means that print alike are no reason.
    let less = (plain(mean) != plain(other_mean)).then_some(mean > other_mean);
    Some(match (advice.figures_of_others, less) {
        (true, _) => format!("{facts}; the choice is the bot's own."),
        (_, None) => format!("{facts}; the average scores are alike ({scores})."),
        (_, Some(false)) => format!("{facts}, and scores more on average ({scores}), but not clearly."),
        (_, Some(true)) => {
            format!("{facts}, but scores less on average ({scores}): its losses are larger than its gains.")
        }
    })
}

fn of_card(card: Card, chosen: Option<&Weighed>, advice: &Advice) -> String {
    if advice.options.len() == 1 {
        return format!("Play {card}: no other card is legal.");
    }
    let mut text = format!("Play {card}");
    if let Some(chance) = chosen.and_then(|option| option.chance) {
        let _ = write!(
            text,
            ": double dummy, the contract is then made in {} of the deals that fit",
            percent(chance)
        );
    }
    if let Some([score, half]) = chosen.and_then(|option| option.score) {
        let _ = write!(text, ", for an expected score of {}", estimate(score, half));
    }
    text.push('.');
    text
}

fn of_call(view: &View<'_>, call: Call, chosen: Option<&Weighed>, advice: &Advice) -> String {
    let standing = view.auction().state().contract().map(|contract| in_words(&contract));
    let chance = chosen.and_then(|option| option.chance).map(percent);
    let mut text = match call {
        Call::Pass | Call::Wait => if call == Call::Wait { "Wait" } else { "Pass" }.to_owned(),
        Call::Coinche => "Coinche".to_owned(),
        Call::Surcoinche => "Surcoinche".to_owned(),
        Call::Bid(_) => format!("Bid {call}"),
        Call::Take | Call::TakeIn(_) => format!("Call {call}"),
    };
    match (call, chance, standing) {
        (Call::Bid(_) | Call::Take | Call::TakeIn(_), Some(chance), _) => {
            let _ = write!(text, ": made with a probability of {chance}, coinched or not");
            if let Some(share) = chosen.and_then(|option| option.is_final) {
                let _ = write!(text, ", if it becomes the contract ({} of the deals)", percent(share));
            }
        }
        (_, Some(chance), Some(standing)) => {
            let comma = if standing.contains(',') { "," } else { "" };
            let _ = write!(text, ": {standing}{comma} is made with a probability of {chance}");
        }
        _ => {}
    }
    if let Some([gain, half]) = chosen.and_then(|option| option.gain) {
        let _ = write!(text, ", {} points per deal more than a pass", estimate(gain, half));
    }
    // The options are sorted: this is the best one other than a pass.
    let other = advice.options.iter().find(|it| !matches!(it.choice, Choice::Call(other) if other.is_pass()));
    if let (true, Some(other)) = (call.is_pass(), other)
        && let Some([gain, half]) = other.gain
    {
        let _ = write!(text, ". {}: {} points per deal", other.choice, estimate(gain, half));
    }
    text.push('.');
    text
}

/// Formats a share of 0 to 1.
pub(super) fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// Formats an estimate, with half of its interval if it has one.
pub(super) fn estimate(mean: f64, half: f64) -> String {
    with_half(mean, Some(half).filter(|half| half.is_finite()))
}
