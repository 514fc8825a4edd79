//! A deal as people read it.

use std::fmt::Write as _;

use coinche_engine::encoding::Action;
use coinche_engine::{BySeat, CardSet, DealState, Outcome, Seat, Suit, Team, Turn};

/// What each seat holds now.
pub(crate) fn hands(state: &DealState) -> BySeat<CardSet> {
    BySeat::from_fn(|seat| state.play_state().map_or(state.hands()[seat], |play| play.hand(seat)))
}

/// Rules, contract and what is to be done, in a line.
fn headline(state: &DealState) -> String {
    let mut text = state.rules().preset_name().unwrap_or("custom rules").to_owned();
    let _ = write!(text, ", dealer {}", state.deal().dealer());
    if let Some(card) = state.deal().turned() {
        let _ = write!(text, ", turned {card}");
    }
    if let Some(contract) = state.auction().state().contract() {
        let _ = write!(text, ", {} by {}", contract.bid_code(), contract.declarer);
        if contract.stake != coinche_engine::Stake::Plain {
            let _ = write!(text, " ({})", contract.stake);
        }
    }
    if state.contract().is_some() {
        let points = state.view(Seat::S0).points_taken();
        let _ = write!(text, ", points {}\u{2013}{}", points[Team::Even], points[Team::Odd]);
    }
    match (state.turn(), state.outcome()) {
        (Turn::Call(seat), _) => drop(write!(text, ", seat {seat} to call")),
        (Turn::Play(seat), _) => drop(write!(text, ", seat {seat} to play")),
        (Turn::Over, Some(Outcome::Played { score, .. })) => {
            let made = if score.made { "made" } else { "failed" };
            let _ = write!(
                text,
                ", {made}, score {}\u{2013}{}",
                score.points[Team::Even],
                score.points[Team::Odd]
            );
        }
        (Turn::Over, _) => text.push_str(", passed out"),
    }
    text
}

/// The calls, and the tricks, each a line: the seat that began, then the calls or cards.
fn lines(decisions: &[(Seat, Action)], state: &DealState) -> Vec<String> {
    let mut lines = Vec::new();
    let calls: Vec<String> = decisions
        .iter()
        .filter(|(_, action)| matches!(action, Action::Call(_)))
        .map(|(seat, action)| format!("{seat}:{action}"))
        .collect();
    if !calls.is_empty() {
        lines.push(format!("auction  {}", calls.join("  ")));
    }
    let cards: Vec<&(Seat, Action)> =
        decisions.iter().filter(|(_, action)| !matches!(action, Action::Call(_))).collect();
    for (number, trick) in cards.chunks(4).enumerate() {
        let cards: Vec<String> = trick.iter().map(|(seat, action)| format!("{seat}:{action}")).collect();
        let winner = state.tricks().get(number).map(|trick| format!("  won by {}", trick.winner));
        lines.push(format!("trick {}  {}{}", number + 1, cards.join("  "), winner.unwrap_or_default()));
    }
    lines
}

/// A deal as text: a headline, the hands, the auction, the tricks.
pub(crate) fn text(state: &DealState, known_by: Option<Seat>, decisions: &[(Seat, Action)]) -> String {
    let mut text = headline(state);
    for (seat, hand) in
        hands(state).iter().filter(|(seat, _)| known_by.is_none_or(|known_by| known_by == *seat))
    {
        let _ = write!(text, "\n  seat {seat}   {hand}");
    }
    for line in lines(decisions, state) {
        let _ = write!(text, "\n  {line}");
    }
    text
}

/// A deal as a table for a notebook.
pub(crate) fn html(state: &DealState, known_by: Option<Seat>, decisions: &[(Seat, Action)]) -> String {
    let mut html = format!("<div><b>{}</b><table>", headline(state));
    for (seat, hand) in
        hands(state).iter().filter(|(seat, _)| known_by.is_none_or(|known_by| known_by == *seat))
    {
        let _ = write!(html, "<tr><td>seat {seat}</td>");
        for suit in Suit::ALL {
            let ranks: String = hand.of(suit).into_iter().map(|card| card.rank().letter()).collect();
            let colour = if matches!(suit, Suit::Diamonds | Suit::Hearts) { "#c00" } else { "inherit" };
            let _ = write!(
                html,
                "<td style=\"text-align:left\"><span style=\"color:{colour}\">{}</span> {ranks}</td>",
                suit.symbol()
            );
        }
        html.push_str("</tr>");
    }
    html.push_str("</table><pre>");
    html.push_str(&lines(decisions, state).join("\n"));
    html.push_str("</pre></div>");
    html
}
