//! What the first tricks cost: the regret of card players at first leads and in the second trick, each under several yardsticks.
//!
//! `cargo run --release -p coinche-benches --example early_regret -- RULES DEALS SEED 'YARDSTICK;…' PLAYER...`
//!
//! `net` bids and plays at all seats. At the first lead of every deal, and at one choice of its second trick, the players choose; a
//! yardstick is a searching player that rates all cards (`prune=no`), with other random numbers. The regret is what the best
//! card is worth more than the one chosen, by the yardstick; the best is found by another draw of the same yardstick's worlds,
//! so that chance does not make it look better than it is. The last yardstick is the truth: the deal itself, played out by
//! `net` at all seats after each card.
#![allow(clippy::disallowed_methods, reason = "figures of one machine, rounded before they are used")]
#![allow(clippy::cast_possible_truncation, reason = "small numbers")]

use coinche_benches::{act, mean, net, new_deal, play_out};
use coinche_bots::{Agent as _, Bot, Choice, NetPlayer, Registry};
use coinche_engine::{Card, CardSet, DealState, Key, RuleSet, Seat, Turn};

/// Who stands for the first tricks: leads, and choices of the second trick.
const MOMENTS: [&str; 2] = ["first lead", "second trick"];

/// The values of cards by a yardstick; cards that do the same as another are rated as that one.
struct Values(Vec<(Card, f64)>);

impl Values {
    /// What a card is worth. One that was not rated does the same as the next of its suit that was.
    fn of(&self, card: Card) -> f64 {
        let near =
            |other: &Card| (usize::from(other.suit() != card.suit()), card.index().abs_diff(other.index()));
        self.0.iter().min_by_key(|(other, _)| near(other)).map_or(0.0, |(_, value)| *value)
    }

    fn best(&self) -> Option<Card> {
        self.0.iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(card, _)| *card)
    }
}

fn rate(bot: &mut Bot, state: &DealState, seat: Seat, key: Key) -> Values {
    bot.start();
    bot.player.play(state, seat, state.legal_plays(), key);
    let options = bot.player.thought().map(|thought| thought.options.clone()).unwrap_or_default();
    let card = |choice| if let Choice::Card(card) = choice { Some(card) } else { None };
    Values(options.iter().filter_map(|option| Some((card(option.choice)?, option.mean))).collect())
}

/// What the cards come to in the deal itself, played out by `net`.
fn truth(state: &DealState, seat: Seat, cards: CardSet) -> Values {
    let mut player = NetPlayer::default();
    let mut value = |card: Card| {
        let mut state = state.clone();
        state.play(card).expect("a legal card");
        net(play_out(&mut player, &mut state), seat)
    };
    Values(cards.into_iter().map(|card| (card, value(card))).collect())
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut argument = |what: &str| arguments.next().unwrap_or_else(|| panic!("{what} is missing"));
    let rules = RuleSet::preset(&argument("the rules")).expect("a preset");
    let deals: u64 = argument("the number of deals").parse().expect("a number of deals");
    let seed: u64 = argument("the seed").parse().expect("a seed");
    let yardsticks = argument("the yardsticks").split(';').map(str::to_owned).collect::<Vec<_>>();
    let players: Vec<String> = arguments.collect();
    let registry = Registry::builtin();
    let build = |name: &String| registry.parse_player(name).expect("a card player").build();
    let mut rating: Vec<Bot> = yardsticks.iter().map(build).collect();
    let mut playing: Vec<Bot> = players.iter().map(build).collect();
    let mut player = registry.parse("net").expect("a bot").build();
    // By moment, yardstick and player; the best card of each yardstick is a player, too.
    let choices = players.len() + yardsticks.len();
    let mut regrets = vec![vec![vec![Vec::new(); choices]; yardsticks.len() + 1]; MOMENTS.len()];
    for index in 0..deals {
        let mut state = new_deal(&rules, seed, index);
        let asked = 4 + Key::decisions(seed, index, Seat::S0).and(u64::MAX).below(4);
        let mut cards = 0;
        for step in 1.. {
            let (Turn::Call(seat) | Turn::Play(seat)) = state.turn() else { break };
            let key = Key::decisions(seed, index, seat).and(step);
            if let Turn::Play(_) = state.turn() {
                let moment = usize::from(cards > 0);
                if (cards == 0 || cards == asked) && state.legal_plays().len() > 1 {
                    // All cards are rated with one set of random numbers, and the best chosen with another.
                    let rated: Vec<Values> =
                        rating.iter_mut().map(|bot| rate(bot, &state, seat, key.and(1))).collect();
                    if rated.iter().any(|values| values.0.len() < 2) {
                        // There is nothing to choose: all cards do the same.
                    } else {
                        let mut chosen: Vec<Card> = Vec::new();
                        for bot in &mut playing {
                            bot.start();
                            chosen.push(bot.player.play(&state, seat, state.legal_plays(), key.and(2)));
                        }
                        let best = rating.iter_mut().map(|bot| rate(bot, &state, seat, key.and(3)).best());
                        let best: Vec<Card> = best.map(|card| card.expect("a card")).collect();
                        chosen.extend(&best);
                        let open = truth(&state, seat, state.legal_plays());
                        for (at, (values, best)) in rated.iter().zip(&best).enumerate() {
                            for (player, card) in chosen.iter().enumerate() {
                                regrets[moment][at][player].push(values.of(*best) - values.of(*card));
                            }
                        }
                        for (player, card) in chosen.iter().enumerate() {
                            regrets[moment][rated.len()][player].push(open.of(chosen[0]) - open.of(*card));
                        }
                    }
                }
                cards += 1;
                if cards > asked {
                    break;
                }
            }
            act(&mut state, &mut player, key);
        }
        if (index + 1).is_power_of_two() || index + 1 == deals {
            println!("{} deals", index + 1);
            for (moment, regrets) in MOMENTS.iter().zip(&regrets) {
                for (yardstick, regrets) in yardsticks
                    .iter()
                    .map(String::as_str)
                    .chain(["the deal itself, less that of the first player"])
                    .zip(regrets)
                {
                    println!("  {moment}, {} choices, regret by {yardstick}", regrets[0].len());
                    for (player, regrets) in players.iter().chain(&yardsticks).zip(regrets) {
                        println!("    {}  {player}", mean(regrets));
                    }
                }
            }
        }
    }
}
