//! The player that sees all hands: it reaches what the solver says, and knows what the deal will come to.

use coinche_bots::{Agent as _, Bot, Choice, Registry};
use coinche_engine::solver::Solver;
use coinche_engine::{ByTeam, Deal, DealState, Deck, Key, Outcome, Seat, Team, Turn};

use crate::common::rule_sets;

#[test]
fn four_of_them_reach_what_the_solver_says_and_know_the_score() {
    let spec = Registry::builtin().parse("random:pass=0.7+open").unwrap();
    let mut bots = Seat::ALL.map(|_| spec.build());
    let mut solver = Solver::new();
    solver.set_prizes(ByTeam([1; 2]));
    for (name, rules) in rule_sets() {
        let (mut deals, mut thoughts) = (0, 0);
        for index in 0..12 {
            let dealer = Seat::from_index(usize::try_from(index % 4).unwrap());
            let mut state = DealState::new(&rules, &Deal::new(&rules.deal, Deck::shuffled(9, index), dealer));
            bots.iter_mut().for_each(Bot::start);
            // What the solver says at the first lead, and what was thought last.
            let (mut at_first, mut thought_last) = (None, None);
            for step in 0.. {
                match state.turn() {
                    Turn::Call(seat) => {
                        let (legal, key) = (state.legal_calls(), Key::decisions(9, index, seat).and(step));
                        let call = bots[seat.index()].bidder.call(&state.view(seat), &legal, key);
                        state.call(call).unwrap();
                    }
                    Turn::Play(seat) => {
                        if at_first.is_none() {
                            let play = state.play_state().unwrap();
                            at_first = Some((seat.team(), solver.value(&rules, play)));
                        }
                        let player = &mut bots[seat.index()].player;
                        let key = Key::decisions(9, index, seat).and(step);
                        let card = player.play(&state, seat, state.legal_plays(), key);
                        if let Some(thought) = player.thought() {
                            let chosen = thought.options.iter().find(|it| it.choice == Choice::Card(card));
                            assert_eq!(chosen.map(|it| it.mean), thought.points, "{name}, deal {index}");
                            thought_last = Some((seat.team(), thought.points, thought.chance));
                            thoughts += 1;
                        }
                        state.play(card).unwrap();
                    }
                    Turn::Over => break,
                }
            }
            let Some(Outcome::Played { result, score }) = state.outcome() else { continue };
            let slam =
                |team: Team| i32::from(team.seats().iter().map(|seat| result.tricks[*seat]).sum::<u8>() == 8);
            let (side, value) = at_first.unwrap();
            let taken = i32::from(result.card_points[side]) + slam(side) - slam(side.other());
            assert_eq!(taken, value, "{name}, deal {index}");
            let (side, points, chance) = thought_last.unwrap();
            let difference = score.points[side] - score.points[side.other()];
            assert_eq!(points, Some(difference.into()), "{name}, deal {index}");
            assert_eq!(chance, Some(f64::from(u8::from(score.made))), "{name}, deal {index}");
            deals += 1;
        }
        assert!(deals > 2 && thoughts > 20, "{name}: {deals}, {thoughts}");
    }
}
