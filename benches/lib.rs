//! What the benchmarks have in common: a fixed set of deals; what the examples do: positions of played deals, intervals.

use coinche_bots::worlds::Worlds;
use coinche_bots::{Bot, BotSpec, CardPlayer, Registry, play_on};
use coinche_engine::encoding::Action;
use coinche_engine::{
    BySeat, Deal, DealScore, DealState, Deck, Key, PlayState, RuleSet, Seat, Strain, Turn, View,
};

/// The seed of the benchmark deals.
pub const SEED: u64 = 20_260_101;

/// Returns the first `n` benchmark deals at the start of play in a strain, led by the dealer's left.
pub fn positions(strain: Strain, n: u64) -> Vec<PlayState> {
    let rules = RuleSet::BGA;
    (0..n)
        .map(|index| {
            let deal = Deal::new(&rules.deal, Deck::shuffled(SEED, index), Seat::S3);
            PlayState::new(&rules.play, strain, *deal.hands(), Seat::S0)
        })
        .collect()
}

/// Makes the decision of a bot.
///
/// # Panics
///
/// When the deal is over, or the bot makes an illegal one.
pub fn act(state: &mut DealState, bot: &mut Bot, key: Key) {
    match bot.act(state, key).expect("the deal is not over") {
        Action::Call(call) => state.call(call).expect("a legal call"),
        card => state.play(card.play().expect("a card")).expect("a legal card"),
    };
}

/// The state of a new deal of a seed.
pub fn new_deal(rules: &RuleSet, seed: u64, index: u64) -> DealState {
    let dealer = Seat::from_index(usize::from(index.to_le_bytes()[0]));
    DealState::new(rules, &Deal::new(&rules.deal, Deck::shuffled(seed, index), dealer))
}

/// Has a card player play a deal to its end at all seats; `None` of a deal that was passed out.
pub fn play_out(player: &mut impl CardPlayer, state: &mut DealState) -> Option<DealScore> {
    play_on(player, state, 8, Key::from_bits(0));
    state.outcome()?.score()
}

/// What the side of a seat scores more than the other; 0 of a deal that was passed out.
pub fn net(score: Option<DealScore>, seat: Seat) -> f64 {
    let own = seat.team();
    score.map_or(0.0, |score| f64::from(score.points[own] - score.points[own.other()]))
}

/// Lets bots play deals, and reports the view of every fifth decision to play a card where it leaves many worlds, the true deal and
/// 400 that fit the view.
///
/// # Panics
///
/// When there is no bot of a name.
pub fn with_worlds(
    rules: &RuleSet,
    names: &[String],
    deals: u64,
    mut report: impl FnMut(&View<'_>, &Deal, &[Deal]),
) {
    let spec = |name: &String| Registry::builtin().parse(name).expect("a bot");
    let specs: Vec<BotSpec> = names.iter().map(spec).collect();
    for index in 0..deals {
        let turn = usize::try_from(index).unwrap_or_default();
        let mut bots: Vec<Bot> = (0..4).map(|seat| specs[(seat + turn) % specs.len()].build()).collect();
        let mut state = new_deal(rules, 777, index);
        for step in 1.. {
            let (Turn::Call(seat) | Turn::Play(seat)) = state.turn() else { break };
            let key = Key::decisions(777, index, seat).and(step);
            if let (Turn::Play(_), true) = (state.turn(), (step + index).is_multiple_of(5)) {
                let (view, mut rng) = (state.view(seat), key.and(1).rng());
                let worlds = Worlds::of(&view);
                if worlds.total() > 50 {
                    let hands = BySeat::from_fn(|seat| state.view(seat).hand());
                    let truth = worlds.deal_of(&hands, &mut rng);
                    let drawn: Vec<Deal> = (0..400).map(|_| worlds.deal(&mut rng)).collect();
                    report(&view, &truth, &drawn);
                }
            }
            act(&mut state, &mut bots[seat.index()], key);
        }
    }
}

/// Returns the 95 % interval of a share of `k` in `n` (Wilson), in percent.
pub fn interval(k: f64, n: f64) -> [f64; 2] {
    let z = 1.96;
    let (middle, spread) = (k + z * z / 2.0, z * (k * (n - k) / n + z * z / 4.0).sqrt());
    [middle - spread, middle + spread].map(|x| 100.0 * x / (n + z * z))
}

/// Returns the mean of values with its 95 % interval, to be printed; of fewer than two without.
pub fn mean(values: &[f64]) -> String {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    if n < 2.0 {
        return format!("{mean:6.2}");
    }
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    format!("{mean:6.2} ± {:4.2}", 1.96 * (variance / n).sqrt())
}
