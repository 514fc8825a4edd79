//! What the network of the card player knows of a position: about seventy of [`INPUTS`] bits, and some numbers.
//!
//! Suits stand in the order of [`SuitOrder::canonical`], so that renaming them changes nothing.

use coinche_engine::encoding::SuitOrder;
use coinche_engine::{BySeat, CardSet, Contract, Suit, View};

pub use super::public::NUMBERS;
use super::public::{self, KnownWorths};

/// The number of inputs.
pub const INPUTS: usize = AT_NUMBERS + NUMBERS;

const AT_HAND: usize = 0;
const AT_TRICK: usize = AT_HAND + 32;
const AT_PLAYED: usize = AT_TRICK + 3 * 32;
const AT_LED: usize = AT_PLAYED + 4 * 32;
const AT_SHOWN: usize = AT_LED + 4 * 32;
const AT_EXCLUDED: usize = AT_SHOWN + 3 * 32;
const AT_PUBLIC: usize = AT_EXCLUDED + 3 * 32;
const AT_GONE: usize = AT_PUBLIC + public::INPUTS;
const AT_MASTERS: usize = AT_GONE + 32;
const AT_TAKING: usize = AT_MASTERS + 32;
const AT_OWN: usize = AT_TAKING + 32;
const AT_UNSEEN: usize = AT_OWN + 4 * 8;
const AT_RUFFS: usize = AT_UNSEEN + 4 * 8;
const AT_ON_TABLE: usize = AT_RUFFS + 3 * 4;
const TENS: u16 = 5;
const AT_SAFE: usize = AT_ON_TABLE + TENS as usize;
const AT_PLACE: usize = AT_SAFE + 2;
pub(super) const AT_NUMBERS: usize = AT_PLACE + 4;

/// A fingerprint of what the inputs mean: a network that was trained on others is refused, since it would play badly, and nobody would know why.
///
/// A test plays deals of all presets, adds up what [`encode`] writes, and has the new fingerprint when that changes.
pub const FINGERPRINT: &str = "c19cbf24c032c0c9";

/// The inputs that are not zero.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CardInput {
    /// Those that are one.
    pub ones: Vec<u16>,
    /// What the contract scores, in hundreds of points.
    pub numbers: [f32; NUMBERS],
}

impl CardInput {
    /// Iterates over all inputs with their values.
    pub fn iter(&self) -> impl Iterator<Item = (usize, f32)> + Clone + '_ {
        inputs(&self.ones, &self.numbers)
    }
}

/// What takes the inputs that are one.
trait Ones {
    fn add(&mut self, at: usize);
    /// Adds the inputs of some cards, from `at` on.
    fn add_cards(&mut self, at: usize, cards: CardSet);
}

impl Ones for Vec<u16> {
    fn add(&mut self, at: usize) {
        self.push(public::place(at));
    }

    fn add_cards(&mut self, at: usize, cards: CardSet) {
        self.extend(cards.into_iter().map(|card| public::place(at + card.index())));
    }
}

/// Words of a bit for each input that can be one.
const WORDS: usize = AT_NUMBERS.div_ceil(64);

/// The inputs that are one as a set, which takes a fraction of the time of a list.
#[derive(Debug, Clone, Default)]
pub(super) struct InputSet {
    pub(super) words: [u64; WORDS],
    /// Those that are there once more.
    pub(super) again: Vec<u16>,
}

impl InputSet {
    /// How many they are.
    pub(super) fn count(&self) -> i16 {
        let again = self.again.len().try_into().unwrap_or(0);
        self.words.iter().map(|word| word.count_ones()).sum::<u32>().try_into().unwrap_or(0) + again
    }
}

impl FromIterator<u16> for InputSet {
    fn from_iter<I: IntoIterator<Item = u16>>(ones: I) -> Self {
        let mut this = Self::default();
        ones.into_iter().for_each(|at| this.add(at.into()));
        this
    }
}

impl Ones for InputSet {
    #[inline]
    fn add(&mut self, at: usize) {
        let (word, bit) = (&mut self.words[at / 64], 1 << (at % 64));
        if *word & bit == 0 {
            *word |= bit;
        } else {
            self.again.push(public::place(at));
        }
    }

    #[inline]
    fn add_cards(&mut self, at: usize, cards: CardSet) {
        let (word, bits) = (at / 64, u128::from(cards.bits()) << (at % 64));
        #[expect(clippy::cast_possible_truncation, reason = "its halves")]
        let [low, high] = [bits as u64, (bits >> 64) as u64];
        self.words[word] |= low;
        if high != 0 {
            self.words[word + 1] |= high;
        }
    }
}

/// Iterates over inputs of one, and those with values.
pub fn inputs<'a>(
    ones: &'a [u16],
    numbers: &'a [f32; NUMBERS],
) -> impl Iterator<Item = (usize, f32)> + Clone + 'a {
    let numbers = numbers.iter().enumerate().map(|(n, value)| (AT_NUMBERS + n, *value));
    ones.iter().map(|at| (usize::from(*at), 1.0)).chain(numbers)
}

/// Writes the inputs of a position in the play, and returns the order of the suits in it.
///
/// Costs about half a microsecond.
pub fn encode(view: &View<'_>, input: &mut CardInput) -> SuitOrder {
    input.ones.clear();
    let (order, numbers) = write(view, &mut input.ones, &mut KnownWorths::default());
    input.numbers = numbers;
    order
}

/// Collects the inputs of a position, remembering what contracts are worth; returns the order of the suits, and the numbers.
pub(super) fn collect(
    view: &View<'_>,
    ones: &mut InputSet,
    known: &mut KnownWorths,
) -> (SuitOrder, [f32; NUMBERS]) {
    ones.words = [0; WORDS];
    ones.again.clear();
    write(view, ones, known)
}

fn write(view: &View<'_>, ones: &mut impl Ones, known: &mut KnownWorths) -> (SuitOrder, [f32; NUMBERS]) {
    let order = SuitOrder::canonical(view);
    cards(view, order, ones);
    if let Some(contract) = view.contract() {
        tactics(view, order, contract, ones);
    }
    (order, public::encode(view, order, view.hand(), known, |at| ones.add(AT_PUBLIC + at)))
}

/// Cards that were played, shown and excluded, as they lie around the own seat.
fn cards(view: &View<'_>, order: SuitOrder, ones: &mut impl Ones) {
    ones.add_cards(AT_HAND, order.rename(view.hand()));
    for (seat, card) in view.trick() {
        let place = view.seat().distance_to(seat);
        ones.add_cards(AT_TRICK + 32 * (place - 1), order.rename(CardSet::only(card)));
    }
    for (place, seat) in view.seat().around().into_iter().enumerate() {
        ones.add_cards(AT_PLAYED + 32 * place, order.rename(view.played_by(seat)));
        if place > 0 {
            let at = 32 * (place - 1);
            ones.add_cards(AT_SHOWN + at, order.rename(view.known(seat)));
            let excluded = view.unseen() - view.could_hold(seat);
            ones.add_cards(AT_EXCLUDED + at, order.rename(excluded));
        }
    }
    let mut led = BySeat([CardSet::EMPTY; 4]);
    for trick in view.tricks() {
        led[trick.leader] = led[trick.leader].with(trick.cards[0]);
    }
    for (place, seat) in view.seat().around().into_iter().enumerate() {
        ones.add_cards(AT_LED + 32 * place, order.rename(led[seat]));
    }
}

/// What follows from the cards and would take a network long to find: masters, what would take the trick, how many cards are out, who may ruff.
fn tactics(view: &View<'_>, order: SuitOrder, contract: Contract, ones: &mut impl Ones) {
    let (strain, hand, unseen) = (contract.strain, view.hand(), view.unseen());
    let trumps = strain.trump().map_or(CardSet::EMPTY, CardSet::suit);
    ones.add_cards(AT_GONE, order.rename(view.played()));
    ones.add_cards(AT_MASTERS, order.rename(strain.masters(hand, unseen)));
    for suit in Suit::ALL {
        let at = 8 * order.slot(suit);
        let count = |cards: CardSet| CardSet::from_bits((1 << cards.of(suit).len()) - 1);
        ones.add_cards(AT_OWN + at, count(hand));
        ones.add_cards(AT_UNSEEN + at, count(unseen));
    }
    for (place, seat) in view.seat().around().into_iter().enumerate().skip(1) {
        let may_ruff =
            !(unseen & trumps).is_empty() && !strain.trump().is_some_and(|suit| view.is_void(seat, suit));
        if may_ruff {
            let voids = Suit::ALL.into_iter().filter(|suit| view.is_void(seat, *suit));
            voids.for_each(|suit| ones.add(AT_RUFFS + 4 * (place - 1) + order.slot(suit)));
        }
    }
    ones.add(AT_PLACE + view.cards_in_trick());
    if let Some((winner, best)) = view.winning() {
        let above = strain.above(best);
        let taking = if trumps.contains(best) { above } else { above | trumps };
        let points: u16 = view.trick().map(|(_, card)| view.rules().cards.points(strain, card)).sum();
        (0..TENS).filter(|ten| points > 10 * ten).for_each(|ten| ones.add(AT_ON_TABLE + usize::from(ten)));
        if (unseen & above).is_empty() {
            ones.add(AT_SAFE + usize::from(winner.team() != view.seat().team()));
        }
        ones.add_cards(AT_TAKING, order.rename(hand & taking));
    }
}
