//! The answer for one position, as text and as JSON.

use std::fmt::Write as _;

use coinche_engine::solver::{DealPoints, ParContract, Position, Solver, points_to_come};
use coinche_engine::{Card, PlayState, RuleSet, Seat, Strain, Team};
use serde_json::{Value, json};

use super::PositionFault;

/// The question for each position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    /// The points of the leader's side.
    Points,
    /// The same after each legal card.
    Cards,
    /// Whether the leader's side reaches this many points.
    Target(u16),
    /// The points of all strains and leaders, and the best contracts.
    Par,
    /// A line of best play.
    Line,
}

/// The result; points are those of the leader's side.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Answer {
    Points(i32),
    Cards(Vec<(Card, i32)>),
    Reaches(bool),
    Par(Box<Par>),
    Line(Vec<(Seat, Card)>),
}

/// The points of a deal, and the best contract of each team.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Par {
    points: DealPoints,
    best: [Option<ParContract>; 2],
}

impl Question {
    /// Answers the question for a position.
    pub(super) fn answer(
        self,
        solver: &mut Solver,
        rules: &RuleSet,
        position: &Position,
    ) -> Result<Answer, PositionFault> {
        let state = position.to_state(&rules.play)?;
        Ok(match self {
            Self::Points => Answer::Points(leader_points(rules, &state, solver.value(rules, &state))),
            Self::Cards => Answer::Cards(cards(solver, rules, &state)),
            Self::Target(points) => Answer::Reaches(reaches(solver, rules, &state, points.into())),
            Self::Par => Answer::Par(Box::new(par(solver, rules, position)?)),
            Self::Line => {
                let mut line = Vec::with_capacity(32);
                solver.line(rules, &state, |seat, card| line.push((seat, card)));
                Answer::Line(line)
            }
        })
    }
}

/// Converts the points of the side to play to those of the leader's side.
pub(super) fn leader_points(rules: &RuleSet, state: &PlayState, value: i32) -> i32 {
    if state.to_play().team() == state.leader().team() {
        value
    } else {
        i32::from(points_to_come(rules, state)) - value
    }
}

/// Returns the points of the leader's side after each legal card, in print order.
pub(super) fn cards(solver: &mut Solver, rules: &RuleSet, state: &PlayState) -> Vec<(Card, i32)> {
    let mut cards = Vec::with_capacity(8);
    solver.values(rules, state, |card, value| cards.push((card, leader_points(rules, state, value))));
    cards.sort_by_key(|(card, _)| (card.suit().index(), card.rank().natural_index()));
    cards
}

fn reaches(solver: &mut Solver, rules: &RuleSet, state: &PlayState, points: i32) -> bool {
    if state.to_play().team() == state.leader().team() {
        solver.reaches(rules, state, points)
    } else {
        !solver.reaches(rules, state, i32::from(points_to_come(rules, state)) - points + 1)
    }
}

fn par(solver: &mut Solver, rules: &RuleSet, position: &Position) -> Result<Par, PositionFault> {
    if !position.is_deal() {
        return Err(PositionFault::ParOfPart);
    }
    let points = DealPoints::solve(solver, rules, *position.hands(), &Strain::ALL, &Seat::ALL);
    let best = Team::ALL.map(|team| points.best_contract(rules, position.leader(), team));
    Ok(Par { points, best })
}

impl Par {
    /// Returns the points of seats 0 and 2 by leader.
    fn by_leader(&self, strain: Strain) -> Vec<u16> {
        let of = |leader| self.points.get(strain, leader).map(|solved| solved.points[Team::Even]);
        Seat::ALL.into_iter().filter_map(of).collect()
    }

    fn to_json(&self) -> Value {
        let points: Vec<_> = Strain::ALL
            .into_iter()
            .map(|strain| json!({ "strain": strain.code(), "points": self.by_leader(strain) }))
            .collect();
        let best: Vec<_> = self.best.iter().map(|best| best.as_ref().map(contract_json)).collect();
        json!({ "strains": points, "best": best })
    }
}

fn contract_json(best: &ParContract) -> Value {
    json!({
        "bid": best.contract.bid_code(), "declarer": best.contract.declarer as u8,
        "card_points": best.result.card_points.0, "score": best.score.points.0,
    })
}

impl Answer {
    /// Returns the line of the answer, without its newline.
    pub(super) fn to_text(&self) -> String {
        match self {
            Self::Points(points) => points.to_string(),
            Self::Cards(cards) => join(cards.iter().map(|(card, points)| format!("{card}={points}"))),
            Self::Reaches(reached) => (if *reached { "yes" } else { "no" }).to_owned(),
            Self::Line(line) => join(line.iter().map(|(_, card)| card.to_string())),
            Self::Par(par) => {
                let mut text = join(Strain::ALL.into_iter().map(|strain| {
                    let points: Vec<_> = par.by_leader(strain).iter().map(u16::to_string).collect();
                    format!("{strain}={}", points.join(","))
                }));
                for best in &par.best {
                    let _ = match best {
                        Some(best) => {
                            let [even, odd] = best.score.points.0;
                            write!(text, " | {} {even} {odd}", best.contract.bid_code())
                        }
                        None => write!(text, " | -"),
                    };
                }
                text
            }
        }
    }

    /// Returns the answer as the fields of a JSON object.
    pub(super) fn to_json(&self) -> Value {
        match self {
            Self::Points(points) => json!({ "points": points }),
            Self::Cards(cards) => {
                let cards: Vec<_> =
                    cards.iter().map(|(card, points)| json!([card.to_string(), points])).collect();
                json!({ "cards": cards })
            }
            Self::Reaches(reached) => json!({ "reaches": reached }),
            Self::Par(par) => par.to_json(),
            Self::Line(line) => {
                let play: Vec<_> =
                    line.iter().map(|(seat, card)| json!([*seat as u8, card.to_string()])).collect();
                json!({ "play": play })
            }
        }
    }
}

fn join(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(" ")
}
