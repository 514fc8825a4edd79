//! Random playouts: the measure of the engine's speed, and the simplest policy for sampling.
#![expect(clippy::inline_always, reason = "what is run is one function for each form")]

mod lanes;

pub use lanes::{LANES, LaneRng, playout_lanes};

use rand_xoshiro::rand_core::Rng;

use crate::bits::{Form, Work, run};
use crate::play::{legal_ranked, suit_mask};
use crate::random::below;
use crate::{ByTeam, PlayState, RuleSet};

impl PlayState {
    /// Plays uniformly random legal cards to the end of the deal.
    ///
    /// The bias of a choice is below `2^-29`. The cards are those that a loop over
    /// [`PlayState::legal_plays`] would allow; whole tricks are played in registers.
    #[inline]
    pub fn play_randomly(&mut self, rng: &mut impl Rng) {
        run((self, rng), (), (), ());
    }

    /// The same, compiled into the function that runs it.
    #[inline(always)]
    fn play_randomly_here(&mut self, form: impl Form, rng: &mut impl Rng) {
        while self.cards_in_trick() > 0 || self.no_undertrump && !self.is_over() {
            let legal = self.legal_ranked();
            let bit = pick(form, legal, upper(rng.next_u64()));
            self.play_ranked(bit);
        }
        while !self.is_over() {
            let words = if self.tricks_played() < 7 { [rng.next_u64(), rng.next_u64()] } else { [0; 2] };
            self.play_random_trick(form, words);
        }
    }

    /// Plays a whole trick, its four choices made by 32 bits each.
    #[inline(always)]
    fn play_random_trick(&mut self, form: impl Form, words: [u64; 2]) {
        let choices = [upper(words[0]), lower(words[0]), upper(words[1]), lower(words[1])];
        let leader = self.leader() as usize;
        let (trumps, duty) = (self.layout().cut, self.layout().duty);
        let mut best = pick(form, self.hands[leader], choices[0]);
        let mut best_place = 0;
        let mut cards = best;
        self.hands[leader] ^= best;
        let led = suit_mask(best);
        let wins = led | trumps;
        for (place, choice) in choices.into_iter().enumerate().skip(1) {
            let hand = &mut self.hands[(leader + place) & 3];
            let legal = legal_ranked(
                *hand,
                led,
                best,
                place == best_place + usize::from(self.released_at),
                trumps,
                duty,
                self.free_undertrump,
                self.overtrump_partner,
            );
            let bit = pick(form, legal, choice);
            *hand ^= bit;
            cards |= bit;
            if bit & wins > best {
                best = bit;
                best_place = place;
            }
        }
        let winner = (leader + best_place) & 3;
        self.finish_random_trick(winner, cards);
    }
}

/// Chooses a bit of a word uniformly.
#[inline(always)]
fn pick(form: impl Form, word: u32, choice: u32) -> u32 {
    form.nth_bit(word, below(choice, word.count_ones()))
}

const fn upper(word: u64) -> u32 {
    (word >> 32) as u32
}

#[expect(clippy::cast_possible_truncation, reason = "the lower half is what is asked for")]
const fn lower(word: u64) -> u32 {
    word as u32
}

/// Plays a deal to its end with uniformly random legal cards and returns the card points by team, last
/// trick included.
///
/// ```
/// use coinche_engine::{Deal, Deck, Key, PlayState, RuleSet, Seat, Strain};
/// use coinche_engine::playout::playout;
///
/// let rules = RuleSet::BGA;
/// let deal = Deal::new(&rules.deal, Deck::shuffled(0, 0), Seat::S0);
/// let state = PlayState::new(&rules.play, Strain::Hearts, *deal.hands(), Seat::S1);
/// let points = playout(&rules, &state, &mut Key::decisions(0, 0, Seat::S0).rng());
/// assert_eq!(points.0[0] + points.0[1], 162);
/// ```
#[inline]
pub fn playout(rules: &RuleSet, state: &PlayState, rng: &mut impl Rng) -> ByTeam<u16> {
    run((state, rng), rules, (), ())
}

impl<R: Rng> Work for (&mut PlayState, &mut R) {
    type A = ();
    type B = ();
    type C = ();
    type Output = ();

    #[inline(always)]
    fn run(self, form: impl Form, (): (), (): (), (): ()) {
        self.0.play_randomly_here(form, self.1);
    }
}

impl<'a, R: Rng> Work for (&PlayState, &'a mut R) {
    type A = &'a RuleSet;
    type B = ();
    type C = ();
    type Output = ByTeam<u16>;

    #[inline(always)]
    fn run(self, form: impl Form, rules: &RuleSet, (): (), (): ()) -> ByTeam<u16> {
        let (mut state, rng) = (*self.0, self.1);
        state.play_randomly_here(form, rng);
        state.card_points(rules)
    }
}
