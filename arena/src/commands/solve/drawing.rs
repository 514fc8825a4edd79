//! One position with all its values, drawn for people.

use std::fmt::Write as _;

use coinche_engine::rules::Undertrump;
use coinche_engine::solver::{Position, PositionError, Solver, points_to_come, takes_all};
use coinche_engine::{CardSet, PlayState, RuleSet, Seat, Strain, Suit, Team};
use coinche_selfplay::{Cell, Table};

use super::answer::cards;

/// Draws a position: hands, the value of each card with the best marked, slams, a line of best play.
pub(super) fn draw(
    solver: &mut Solver,
    rules: &RuleSet,
    position: &Position,
) -> Result<String, PositionError> {
    let state = position.to_state(&rules.play)?;
    let mut text = head(rules, &state);
    text.push_str(&hands(position, &state));
    text.push_str("\n\n");
    text.push_str(&values(solver, rules, &state));
    text.push_str("\n\n");
    text.push_str(&slams(solver, rules, &state));
    text.push_str("One line of best play:\n");
    text.push_str(&line(solver, rules, &state));
    Ok(text)
}

fn side(team: Team) -> &'static str {
    ["seats 0 and 2", "seats 1 and 3"][team.index()]
}

fn head(rules: &RuleSet, state: &PlayState) -> String {
    let strain = match state.strain() {
        Strain::NoTrump => "no trump (SA)".to_owned(),
        Strain::AllTrump => "all trump (TA)".to_owned(),
        suit => format!("{} are trump", suit.symbol()),
    };
    let undertrump = match rules.play.undertrump {
        Undertrump::Forced => "must undertrump",
        Undertrump::Free => "need not undertrump",
        Undertrump::Forbidden => "may not undertrump",
    };
    let turn = if state.cards_in_trick() == 0 {
        format!("seat {} leads", state.leader())
    } else {
        format!("seat {} has led, seat {} is to play", state.leader(), state.to_play())
    };
    let name = rules.preset_name().unwrap_or("custom");
    format!("{strain}, {turn}; rules {name}: who cannot overtrump {undertrump}\n\n")
}

/// Formats the cards of a suit in a hand, strongest first.
fn suit_text(strain: Strain, mut cards: CardSet) -> String {
    let mut text = String::new();
    while let Some(card) = strain.highest(cards) {
        cards = cards.without(card);
        text.push(card.rank().letter());
    }
    if text.is_empty() { "–".to_owned() } else { text }
}

fn hands(position: &Position, state: &PlayState) -> String {
    let mut hands =
        Table::of("hands", "", position.hands().iter()).text("", |(seat, _)| format!("seat {seat}"));
    for suit in Suit::ALL {
        hands = hands.shown(suit.symbol().to_string(), move |(_, hand)| {
            Cell::Figures(suit_text(state.strain(), hand.of(suit)))
        });
    }
    let played = |seat: Seat| state.trick().find(|(player, _)| *player == seat);
    let hands = hands.shown("played", |(seat, _)| {
        played(*seat).map_or(Cell::Blank, |(_, card)| Cell::Figures(card.to_string()))
    });
    hands.build().render()
}

fn values(solver: &mut Solver, rules: &RuleSet, state: &PlayState) -> String {
    let (side_of_leader, all) = (state.leader().team(), i32::from(points_to_come(rules, state)));
    let cards = cards(solver, rules, state);
    let points = cards.iter().map(|(_, points)| *points);
    let best = if state.to_play().team() == side_of_leader { points.max() } else { points.min() };
    let even = |points: i32| if side_of_leader == Team::Even { points } else { all - points };
    let values = Table::of("values", "", cards)
        .text(format!("seat {} plays", state.to_play()), |(card, _)| card.to_string())
        .number(side(Team::Even), |(_, points)| Cell::Number(even(*points).into(), 0))
        .number(side(Team::Odd), |(_, points)| Cell::Number((all - even(*points)).into(), 0))
        .text("", |(_, points)| if Some(*points) == best { "best" } else { "" })
        .build();
    format!(
        "Points still to come for each side, last trick included, after each card:\n\n{}",
        values.render()
    )
}

fn slams(solver: &mut Solver, rules: &RuleSet, state: &PlayState) -> String {
    let mut text = String::new();
    for team in Team::ALL {
        let can = if takes_all(solver, rules, state, team) { "can" } else { "cannot" };
        let _ = writeln!(text, "Capot: {} {can} take every trick.", side(team));
    }
    text.push('\n');
    text
}

fn line(solver: &mut Solver, rules: &RuleSet, state: &PlayState) -> String {
    let mut state = *state;
    let mut text = String::new();
    let mut plays = Vec::with_capacity(32);
    solver.line(rules, &state, |seat, card| plays.push((seat, card)));
    let mut begun: Vec<_> = state.trick().map(|(seat, card)| format!("{seat}: {card}")).collect();
    for (seat, card) in plays {
        begun.push(format!("{seat}: {card}"));
        if let Some(finished) = state.play_unchecked(card) {
            let seat: Seat = finished.winner;
            let points = rules.cards.points_of(state.strain(), finished.cards)
                + if state.is_over() { rules.scoring.last_trick_in(state.strain()) } else { 0 };
            let _ = writeln!(text, "  {}   seat {seat} wins {points}", begun.join("  "));
            begun.clear();
        }
    }
    text
}
