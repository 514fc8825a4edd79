//! Sixteen random playouts at once, one in each lane of a vector.
//!
//! One playout is a chain of small dependent steps, so a processor spends most of it waiting. Here the
//! same step is made for sixteen deals before the next one: plain loops over arrays without a branch,
//! which the compiler turns into vector instructions (with AVX-512 all lanes in one register). The
//! hands are kept relative to the leader of the trick, so that every lane does the same thing at the
//! same time.
#![expect(clippy::inline_always, reason = "the loop over the lanes is vectorised only around inlined code")]

use crate::bits::{Form, Work, byte_of, run};
use crate::play::legal_ranked;
use crate::strain::Layout;
use crate::{ByTeam, CardSet, Key, PlayState, Rank, RuleSet, Seat, Suit};

/// The number of playouts that are made at once.
pub const LANES: usize = 16;

/// Sixteen generators `xoshiro128++` (Blackman & Vigna 2021) side by side.
#[derive(Debug, Clone)]
pub struct LaneRng {
    state: [[u32; LANES]; 4],
}

impl LaneRng {
    /// Seeds all lanes from a key; each has a stream of its own.
    pub fn new(key: Key) -> Self {
        let word = |lane: usize, half: u64| key.and(2 * lane as u64 + half).bits();
        Self {
            state: [
                core::array::from_fn(|lane| super::upper(word(lane, 0))),
                // A state of zeros only would stay so.
                core::array::from_fn(|lane| super::lower(word(lane, 0)) | 1),
                core::array::from_fn(|lane| super::upper(word(lane, 1))),
                core::array::from_fn(|lane| super::lower(word(lane, 1))),
            ],
        }
    }

    #[inline]
    fn load(&self, lane: usize) -> [u32; 4] {
        [0, 1, 2, 3].map(|word: usize| self.state[word][lane])
    }

    #[inline]
    fn store(&mut self, lane: usize, state: [u32; 4]) {
        for (words, word) in self.state.iter_mut().zip(state) {
            words[lane] = word;
        }
    }
}

/// Draws 32 bits from the generator of one lane.
#[inline(always)]
const fn next(state: &mut [u32; 4]) -> u32 {
    let [a, b, c, d] = *state;
    let result = a.wrapping_add(d).rotate_left(7).wrapping_add(a);
    let (c1, d1) = (c ^ a, d ^ b);
    *state = [a ^ d1, b ^ c1, c1 ^ (b << 9), d1.rotate_left(11)];
    result
}

/// Chooses one of at most `MOST` set bits of a word; the bias is below `2^-25`.
#[inline(always)]
const fn pick<const MOST: u32>(mut word: u32, random: u32) -> u32 {
    let n = ((random >> 4) * word.count_ones()) >> 28;
    let mut cleared = 1;
    while cleared < MOST {
        word = if n >= cleared { word & word.wrapping_sub(1) } else { word };
        cleared += 1;
    }
    word & word.wrapping_neg()
}

/// What all lanes have in common.
#[derive(Clone, Copy)]
struct Common {
    trumps: u32,
    duty: u32,
    free_undertrump: bool,
    overtrump_partner: bool,
    released_at: u32,
}

impl Common {
    #[inline]
    fn of(state: &PlayState) -> Self {
        Self {
            trumps: state.layout().cut,
            duty: state.layout().duty,
            free_undertrump: state.free_undertrump,
            overtrump_partner: state.overtrump_partner,
            released_at: state.released_at.into(),
        }
    }
}

/// The state of sixteen deals at the start of a trick.
struct Lanes {
    /// By place from the leader, ranked.
    hands: [[u32; LANES]; 4],
    /// The cards that seats 0 and 2 have taken, ranked.
    taken_even: [u32; LANES],
    /// The seat that leads, `0..4`.
    leader: [u32; LANES],
}

impl Lanes {
    /// Plays a trick in which each hand has at most `MOST` cards.
    #[inline(always)]
    fn trick<const MOST: u32>(&mut self, common: Common, rng: &mut LaneRng) {
        let Common { trumps, duty, free_undertrump, overtrump_partner, released_at } = common;
        for lane in 0..LANES {
            let mut random = rng.load(lane);
            let mut hands = [0, 1, 2, 3].map(|place: usize| self.hands[place][lane]);
            let mut best = pick::<MOST>(hands[0], next(&mut random));
            let mut cards = best;
            let mut best_place = 0u32;
            hands[0] ^= best;
            let led = byte_of(best);
            let wins = led | trumps;
            macro_rules! follow {
                ($place:literal) => {
                    let legal = legal_ranked(
                        hands[$place],
                        led,
                        best,
                        best_place + released_at == $place,
                        trumps,
                        duty,
                        free_undertrump,
                        overtrump_partner,
                    );
                    let bit = pick::<MOST>(legal, next(&mut random));
                    hands[$place] ^= bit;
                    cards |= bit;
                    let better = bit & wins > best;
                    best = if better { bit } else { best };
                    best_place = if better { $place } else { best_place };
                };
            }
            follow!(1);
            follow!(2);
            follow!(3);
            rng.store(lane, random);
            let leader = (self.leader[lane] + best_place) & 3;
            self.leader[lane] = leader;
            self.taken_even[lane] |= if leader & 1 == 0 { cards } else { 0 };
            // The hands of the next trick, by place from its leader.
            let [a, b, c, d] = hands;
            let odd = best_place & 1 != 0;
            let turned = if odd { [b, c, d, a] } else { [a, b, c, d] };
            let [a, b, c, d] = turned;
            let half = best_place & 2 != 0;
            let turned = if half { [c, d, a, b] } else { [a, b, c, d] };
            for (hands, hand) in self.hands.iter_mut().zip(turned) {
                hands[lane] = hand;
            }
        }
    }
}

impl<'a> Work for &'a mut Lanes {
    type A = u8;
    type B = Common;
    type C = &'a mut LaneRng;
    type Output = ();

    /// Plays all tricks from number `tricks_played` on.
    #[inline(always)]
    fn run(self, _: impl Form, tricks_played: u8, common: Common, rng: &mut LaneRng) {
        for trick in tricks_played..8 {
            match trick {
                0 => self.trick::<8>(common, rng),
                1 => self.trick::<7>(common, rng),
                2 => self.trick::<6>(common, rng),
                3 => self.trick::<5>(common, rng),
                4 => self.trick::<4>(common, rng),
                5 => self.trick::<3>(common, rng),
                6 => self.trick::<2>(common, rng),
                _ => self.trick::<1>(common, rng),
            }
        }
    }
}

/// Plays sixteen deals to their ends with uniformly random legal cards and returns the card points by
/// team, last trick included.
///
/// The states must have the same strain, rules and number of finished tricks; where some of them are
/// inside a trick, that trick is finished one card at a time, as are all where undertrumping is forbidden. A policy's many playouts of one decision
/// are such states.
///
/// ```
/// use coinche_engine::{Deal, Deck, Key, PlayState, RuleSet, Seat, Strain};
/// use coinche_engine::playout::{LaneRng, playout_lanes};
///
/// let rules = RuleSet::BGA;
/// let deal = Deal::new(&rules.deal, Deck::shuffled(0, 0), Seat::S0);
/// let state = PlayState::new(&rules.play, Strain::Hearts, *deal.hands(), Seat::S1);
/// let mut rng = LaneRng::new(Key::decisions(0, 0, Seat::S0));
/// for points in playout_lanes(&rules, &[state; 16], &mut rng) {
///     assert_eq!(points.0[0] + points.0[1], 162);
/// }
/// ```
///
/// # Panics
///
/// Panics when the states differ in strain, in the rules of play or in the number of finished tricks.
#[inline]
pub fn playout_lanes(
    rules: &RuleSet,
    states: &[PlayState; LANES],
    rng: &mut LaneRng,
) -> [ByTeam<u16>; LANES] {
    let mut lanes = Lanes { hands: [[0; LANES]; 4], taken_even: [0; LANES], leader: [0; LANES] };
    let mut all = [0; LANES];
    let mut tricks_played = 0;
    for (lane, state) in states.iter().enumerate() {
        let mut state = *state;
        while state.cards_in_trick() > 0 || state.no_undertrump && !state.is_over() {
            let mut random = rng.load(lane);
            let bit = pick::<8>(state.legal_ranked(), next(&mut random));
            rng.store(lane, random);
            state.play_ranked(bit);
        }
        let same = state.strain() == states[0].strain() && state.duties() == states[0].duties();
        assert!(same, "the lanes have one strain and one set of rules");
        assert!(lane == 0 || state.tricks_played() == tricks_played, "the lanes go trick by trick");
        tricks_played = state.tricks_played();
        for place in 0..4 {
            lanes.hands[place][lane] = state.hands[(state.leader() as usize + place) & 3];
        }
        lanes.leader[lane] = state.leader() as u32;
        lanes.taken_even[lane] = state.taken[0];
        all[lane] = state.taken[0] | state.taken[1] | state.hands.iter().fold(0, |all, hand| all | hand);
    }
    run(&mut lanes, tricks_played, Common::of(&states[0]), rng);
    points(rules, states[0], &lanes, &all)
}

/// The card points of both teams in every lane. Inlined, so that rules known to the compiler cost nothing.
#[inline]
fn points(rules: &RuleSet, first: PlayState, lanes: &Lanes, all: &[u32; LANES]) -> [ByTeam<u16>; LANES] {
    let strain = first.strain();
    let layout = Layout::new(strain);
    let plain_suit = if strain.trump() == Some(Suit::Clubs) { Suit::Diamonds } else { Suit::Clubs };
    let table = rules.cards.by_rank(strain, plain_suit);
    let trump = strain.trump().map(|trump| rules.cards.by_rank(strain, trump));
    let mut even = [0u32; LANES];
    let mut odd = [0u32; LANES];
    let mut weigh = |mask: CardSet, weight: u8| {
        let (mask, weight) = (layout.rank_set(mask), u32::from(weight));
        for lane in 0..LANES {
            let taken = lanes.taken_even[lane];
            even[lane] += weight * (taken & mask).count_ones();
            odd[lane] += weight * (all[lane] & !taken & mask).count_ones();
        }
    };
    let trumps = strain.trump().map_or(CardSet::EMPTY, CardSet::suit);
    for rank in Rank::ALL {
        if table[rank.index()] > 0 {
            weigh(CardSet::rank(rank) - trumps, table[rank.index()]);
        }
        if let Some(trump) = trump
            && trump[rank.index()] > 0
        {
            weigh(CardSet::rank(rank) & trumps, trump[rank.index()]);
        }
    }
    let last = rules.scoring.last_trick_in(strain);
    let mut points = [ByTeam([0; 2]); LANES];
    for (lane, points) in points.iter_mut().enumerate() {
        *points = ByTeam([(even[lane] & 0xffff) as u16, (odd[lane] & 0xffff) as u16]);
        points[Seat::from_index(lanes.leader[lane] as usize).team()] += last;
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Deal, Deck, RuleSet, Strain};

    #[test]
    fn helpers() {
        for bit in (0..32).map(|index| 1u32 << index) {
            assert_eq!(byte_of(bit), crate::play::suit_mask(bit));
        }
        for n in 0..5u32 {
            let random = ((n << 28) / 5 + 1000) << 4;
            assert_eq!(pick::<8>(0b1_0110_0101, random), crate::bits::nth_bit(0b1_0110_0101, n));
        }
    }

    /// Playouts without the instructions of [`crate::bits::Fast`] are the same.
    #[test]
    fn plain_code_plays_the_same() {
        use crate::bits::Plain;
        for (name, rules) in RuleSet::ALL {
            for strain in Strain::ALL {
                let hands = *Deal::new(&RuleSet::BGA.deal, Deck::shuffled(3, 6), Seat::S0).hands();
                let state = PlayState::new(&rules.play, strain, hands, Seat::S1);
                let mut rngs = [7, 7].map(|seed| Key::decisions(seed, 0, Seat::S0).rng());
                for _ in 0..100 {
                    let plain = Plain.run((&state, &mut rngs[0]), &rules, (), ());
                    assert_eq!(
                        plain,
                        crate::playout::playout(&rules, &state, &mut rngs[1]),
                        "{name} {strain}"
                    );
                }
                let common = Common::of(&state);
                let lanes = || Lanes {
                    hands: state.hands.map(|hand| [hand; LANES]),
                    taken_even: [0; LANES],
                    leader: [0; LANES],
                };
                let (mut plain, mut best) = (lanes(), lanes());
                let mut rngs = [7, 7].map(|seed| LaneRng::new(Key::decisions(seed, 0, Seat::S0)));
                Plain.run(&mut plain, 0, common, &mut rngs[0]);
                run(&mut best, 0, common, &mut rngs[1]);
                assert_eq!(
                    (plain.taken_even, plain.leader),
                    (best.taken_even, best.leader),
                    "{name} {strain}"
                );
            }
        }
    }

    /// Both forms have the same distribution: means and second moments of many playouts agree, and so
    /// does the frequency with which the last trick is won.
    #[test]
    fn lanes_agree_with_single_playouts() {
        for (name, rules) in RuleSet::ALL {
            for strain in [Strain::Hearts, Strain::Clubs, Strain::NoTrump, Strain::AllTrump] {
                let hands = *Deal::new(&RuleSet::BGA.deal, Deck::shuffled(3, 5), Seat::S0).hands();
                let mut state = PlayState::new(&rules.play, strain, hands, Seat::S1);
                state.play_unchecked(state.legal_plays().first().unwrap());
                let n = 32_000;
                let moments = |points: &[u16]| {
                    let sum: f64 = points.iter().map(|p| f64::from(*p)).sum();
                    let squares: f64 = points.iter().map(|p| f64::from(*p).powi(2)).sum();
                    let mean = sum / f64::from(n);
                    (mean, (squares / f64::from(n) - mean * mean).sqrt())
                };
                let mut lane_rng = LaneRng::new(Key::decisions(1, 2, Seat::S0));
                let lanes: Vec<u16> = (0..n / 16)
                    .flat_map(|_| playout_lanes(&rules, &[state; 16], &mut lane_rng))
                    .map(|points| points.0[0])
                    .collect();
                let mut rng = Key::decisions(4, 5, Seat::S0).rng();
                let single: Vec<u16> =
                    (0..n).map(|_| crate::playout::playout(&rules, &state, &mut rng).0[0]).collect();
                let mut slow_rng = Key::decisions(7, 8, Seat::S0).rng();
                let slow: Vec<u16> = (0..n).map(|_| slow_playout(&rules, state, &mut slow_rng)).collect();
                let (mean, deviation) = moments(&slow);
                for other in [lanes, single] {
                    let (other_mean, other_deviation) = moments(&other);
                    let error = deviation * (2.0 / f64::from(n)).sqrt();
                    assert!((mean - other_mean).abs() < 4.5 * error, "{name} {strain}");
                    assert!((deviation / other_deviation - 1.0).abs() < 0.03, "{name} {strain}");
                }
            }
        }
    }

    /// The literal twin: a card at a time through the public interface.
    fn slow_playout(
        rules: &RuleSet,
        mut state: PlayState,
        rng: &mut impl rand_xoshiro::rand_core::Rng,
    ) -> u16 {
        while !state.is_over() {
            let cards: Vec<_> = state.legal_plays().into_iter().collect();
            let n = usize::try_from(rng.next_u64() >> 32).unwrap() % cards.len();
            state = state.play(cards[n]).unwrap().0;
        }
        state.card_points(rules).0[0]
    }
}
