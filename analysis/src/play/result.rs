//! The result of a deal, and the cost of the person's cards.

use std::fmt::{Display, Write as _};

use coinche_engine::{ByTeam, Outcome, Team};
use coinche_selfplay::{Ending, Solvers, Table};

use super::Settings;
use crate::judge::{Decision, one_deal};
use crate::texts::{Texts, fill};

/// Describes how a deal ended, and its score.
pub(super) fn of_deal(settings: &Settings, ending: &Ending, score: ByTeam<i32>) -> String {
    let (picture, own) = (settings.picture(), settings.seat.team());
    let (texts, mut text) = (picture.texts(), String::from("\n"));
    let line = match ending {
        Ending::Forfeit(seat) => fill(texts.forfeit, &[("who", &picture.who(*seat))]),
        Ending::Regular(Outcome::ThrownIn) => texts.passed_out.to_owned(),
        Ending::Regular(Outcome::Played { result, score }) => {
            let verdict = if score.made { texts.made } else { texts.not_made };
            let contract = picture.contract(&result.contract);
            let _ = writeln!(text, "{}", fill(verdict, &[("contract", &contract)]));
            let part = |what: &str, points: ByTeam<i32>| fill(what, &[("pair", &pair(texts, own, points))]);
            let mut parts = vec![
                part(texts.card_points, result.card_points.map(i32::from)),
                part(texts.tricks, result.tricks_won().map(i32::from)),
            ];
            for (what, points) in [(texts.belote, result.belote), (texts.melds, result.melds)] {
                if points.0 != [0, 0] {
                    parts.push(part(what, points.map(i32::from)));
                }
            }
            if score.held != 0 {
                parts.push(fill(texts.held, &[("points", &score.held)]));
            }
            fill(texts.sides, &[("parts", &parts.join(", "))])
        }
    };
    let score = fill(texts.deal_score, &[("pair", &pair(texts, own, score))]);
    let _ = writeln!(text, "{line}\n{score}");
    text
}

/// Formats two numbers, the person's side first, as `90 to 72`.
pub(super) fn pair(texts: &Texts, own: Team, of: ByTeam<i32>) -> String {
    fill(texts.pair, &[("own", &of[own]), ("other", &of[own.other()])])
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
    let texts = picture.texts();
    let mut text = format!("\n{}\n", texts.costs_head);
    if lost.is_empty() {
        let _ = writeln!(text, "{}", fill(texts.costs_none, &[("all", &cards.len())]));
    } else {
        let table = Table::of("costs", "", &lost)
            .count(texts.trick, |cost| cost.trick + 1)
            .text(texts.you_played, |cost| picture.language.card(cost.card))
            .text(texts.better, |cost| picture.language.card(cost.best_card))
            .text(texts.points_lost, |cost| cost.loss().to_string())
            .text(texts.score_lost, |cost| {
                cost.score_loss.map_or_else(|| "–".to_owned(), |score| score.to_string())
            })
            .build();
        let points: i32 = lost.iter().map(|cost| cost.loss()).sum();
        let _ = write!(text, "{}", table.render_in(picture.language));
        let sum = [("points", &points as &dyn Display), ("lost", &lost.len()), ("all", &cards.len())];
        let _ = writeln!(text, "{}", fill(texts.costs_sum, &sum));
    }
    if let Some(auction) = auction {
        let [ours, theirs] = [own.team(), own.team().other()].map(|team| auction[team.index()]);
        let _ = writeln!(text, "{}", fill(texts.costs_auction, &[("own", &ours), ("other", &theirs)]));
    }
    text
}
