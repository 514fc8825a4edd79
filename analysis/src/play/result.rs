//! The result of a deal, and the cost of the person's cards.

use std::fmt::Write as _;

use coinche_engine::{ByTeam, Outcome, Team};
use coinche_selfplay::{Ending, Solvers, Table};

use super::Settings;
use crate::judge::{Decision, one_deal};

/// Describes how a deal ended, and its score.
pub(super) fn of_deal(settings: &Settings, ending: &Ending, score: ByTeam<i32>) -> String {
    let (picture, own) = (settings.picture(), settings.seat.team());
    let mut text = String::from("\n");
    let _ = match ending {
        Ending::Forfeit(seat) => {
            writeln!(text, "The bot at {} failed and forfeits the deal.", picture.who(*seat))
        }
        Ending::Regular(Outcome::ThrownIn) => writeln!(text, "The deal is passed out."),
        Ending::Regular(Outcome::Played { result, score }) => {
            let verdict = if score.made { "made" } else { "not made" };
            let _ = writeln!(text, "{}: {verdict}.", picture.contract(&result.contract));
            let tricks = result.tricks_won();
            let mut parts = vec![
                format!("card points {}", pair(own, result.card_points.map(i32::from))),
                format!("tricks {}", pair(own, tricks.map(i32::from))),
            ];
            for (what, points) in [("belote", result.belote), ("melds", result.melds)] {
                if points.0 != [0, 0] {
                    parts.push(format!("{what} {}", pair(own, points.map(i32::from))));
                }
            }
            let held = score.held;
            if held != 0 {
                parts.push(format!("{held} points wait for the winner of the next deal"));
            }
            writeln!(text, "Your side to theirs: {}.", parts.join(", "))
        }
    };
    let _ = writeln!(text, "The deal: {}.", pair(own, score));
    text
}

/// Formats two numbers, the person's side first, as `90 to 72`.
pub(super) fn pair(own: Team, of: ByTeam<i32>) -> String {
    format!("{} to {}", of[own], of[own.other()])
}

/// Formats the double-dummy cost of the person's cards: a row for each that lost something; empty if the deal
/// was not played.
pub(super) fn costs(settings: &Settings, solvers: &Solvers, record: &[u8]) -> String {
    let judged = solvers.map(vec![record], one_deal).pop().flatten();
    let Some((cards, auction)) = judged else { return String::new() };
    let (picture, own) = (settings.picture(), settings.seat);
    let cards: Vec<Decision> = cards.into_iter().filter(|cost| cost.seat == own).collect();
    let lost: Vec<&Decision> =
        cards.iter().filter(|it| it.loss() > 0 || it.score_loss.unwrap_or(0) > 0).collect();
    let mut text = String::from("\nCompared with double-dummy play (all hands known):\n");
    if lost.is_empty() {
        let _ = writeln!(text, "None of your {} choices of a card cost anything.", cards.len());
    } else {
        let table = Table::of("costs", "", &lost)
            .count("trick", |cost| cost.trick + 1)
            .text("you played", |cost| picture.language.card(cost.card))
            .text("better", |cost| picture.language.card(cost.best_card))
            .text("points lost", |cost| cost.loss().to_string())
            .text("score lost", |cost| {
                cost.score_loss.map_or_else(|| "–".to_owned(), |score| score.to_string())
            })
            .build();
        let points: i32 = lost.iter().map(|cost| cost.loss()).sum();
        let _ = write!(text, "{}", table.render());
        let (lost, all) = (lost.len(), cards.len());
        let _ = writeln!(text, "{points} card points in {lost} of your {all} choices of a card.");
    }
    if let Some(auction) = auction {
        let [ours, theirs] = [own.team(), own.team().other()].map(|team| auction[team.index()]);
        let _ = writeln!(text, "The auction cost your side {ours} points of score, the other side {theirs}.");
    }
    text
}
