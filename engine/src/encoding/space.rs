//! Calls and cards as numbers.

use super::{Action, IllegalAction, SuitOrder, spread};
use crate::{
    Bid, BidValue, Call, Card, DealState, Ladder, LegalCalls, Rank, RuleSet, Seat, Strain, Suit, Turn, View,
};

/// The numbers of all calls and cards of a rule set.
///
/// The first [`ActionSpace::FIXED`] are the same under all rules:
///
/// | actions | meaning |
/// |---|---|
/// | 0–31 | the cards, by [`Card::index`]: 8 × suit + rank, suits C D H S, ranks 7 8 9 J Q K T A |
/// | 32–39 | queen and king of each suit, played without announcing the belote: 32 + 2 × suit, + 1 of the king |
/// | 40–44 | pass, signal pass, coinche, surcoinche, take |
/// | 45–48 | take in clubs, diamonds, hearts, spades |
/// | from 49 | the bids: 49 + 6 × level + strain, levels from the lowest of the [`Ladder`], strains C D H S NT AT |
///
/// Each level has all six strains, whether the rules have them or not: those that they do not have are never legal.
/// In a turn-up game without SA and TA there are 49 actions.
///
/// ```
/// use coinche_engine::encoding::ActionSpace;
/// use coinche_engine::{Deal, DealState, Deck, RuleSet, Seat};
///
/// let rules = RuleSet::BGA;
/// let space = ActionSpace::new(&rules);
/// let mut state = DealState::new(&rules, &Deal::new(&rules.deal, Deck::sorted(), Seat::S3));
/// let mut mask = vec![0; space.len()];
/// space.mask(&state, &mut mask);
/// let bid = space.index("82S".parse()?).expect("a bid of these rules");
/// assert_eq!(mask[bid], 1);
/// space.apply(&mut state, bid)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionSpace {
    ladder: Ladder,
    /// For each bid, whether the rules have its strain: the end of a mask when everything may be bid.
    bids: Box<[u8]>,
    fingerprint: u64,
}

/// Where the parts begin.
const SILENT: usize = ActionSpace::SILENT;
/// Those of [`LegalCalls::OTHERS`].
const CALLS: usize = 40;
const TAKE_IN: usize = 45;

impl ActionSpace {
    /// The version of the layout; another one means other numbers.
    pub const VERSION: u32 = 1;

    /// The first of the eight cards that are played without announcing a belote.
    pub const SILENT: usize = 32;

    /// How many actions, from 0, are the same under all rules.
    pub const FIXED: usize = 49;

    /// Numbers the actions of a rule set.
    pub fn new(rules: &RuleSet) -> Self {
        let ladder = Ladder::new(rules);
        let takes_suits = rules.deal.method == crate::rules::DealMethod::TurnUp
            && !(rules.auction.no_trump || rules.auction.all_trump);
        let levels = if takes_suits { 0 } else { ladder.len() };
        let strains = Strain::ALL.map(|strain| u8::from(rules.allows_strain(strain)));
        let mut space = Self { ladder, bids: strains.repeat(levels).into_boxed_slice(), fingerprint: 0 };
        space.fingerprint = space.hash_of_names();
        space
    }

    /// Returns the number of actions, at least [`ActionSpace::FIXED`].
    #[inline]
    pub const fn len(&self) -> usize {
        Self::FIXED + self.bids.len()
    }

    /// Tests if there is no action: never so.
    pub const fn is_empty(&self) -> bool {
        false
    }

    /// Returns a number that is equal for spaces in which every number means the same, whatever else their rules say: the
    /// 64-bit FNV-1a hash of the version and the names of all actions.
    pub const fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    fn hash_of_names(&self) -> u64 {
        let mut text = Self::VERSION.to_string();
        for action in (0..self.len()).filter_map(|index| self.action(index)) {
            text.push(' ');
            text.push_str(&action.to_string());
        }
        text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    }

    /// Returns the number of an action, `None` of a bid whose value these rules do not have, and of a silent card that is
    /// neither king nor queen.
    #[inline]
    pub fn index(&self, action: Action) -> Option<usize> {
        match action {
            Action::Card(card) => Some(card.index()),
            Action::SilentCard(card) => match card.rank() {
                Rank::Queen => Some(SILENT + 2 * card.suit().index()),
                Rank::King => Some(SILENT + 2 * card.suit().index() + 1),
                _ => None,
            },
            Action::Call(Call::Bid(bid)) => {
                let index = 6 * self.ladder.index_of(bid.value)? + bid.strain as usize;
                (index < self.bids.len()).then_some(Self::FIXED + index)
            }
            Action::Call(Call::TakeIn(suit)) => Some(TAKE_IN + suit.index()),
            Action::Call(call) => {
                LegalCalls::OTHERS.iter().position(|plain| *plain == call).map(|place| CALLS + place)
            }
        }
    }

    /// Returns the action of a number, `None` above the last.
    #[inline]
    pub fn action(&self, index: usize) -> Option<Action> {
        match index {
            0..SILENT => Card::try_from_index(index).map(Action::Card),
            SILENT..CALLS => {
                let rank = if index.is_multiple_of(2) { Rank::Queen } else { Rank::King };
                Some(Action::SilentCard(Card::new(Suit::from_index((index - SILENT) / 2), rank)))
            }
            CALLS..TAKE_IN => Some(Action::Call(LegalCalls::OTHERS[index - CALLS])),
            TAKE_IN..Self::FIXED => Some(Action::Call(Call::TakeIn(Suit::from_index(index - TAKE_IN)))),
            _ => {
                let bid = index - Self::FIXED;
                let value = if bid < self.bids.len() { self.ladder.value(bid / 6)? } else { return None };
                Some(Action::Call(Call::Bid(Bid::new(value, Strain::ALL[bid % 6]))))
            }
        }
    }

    /// Writes 1 for each action that is legal now and 0 for all others; nothing is legal when the deal is over.
    ///
    /// Some ten nanoseconds: cards by a table, bids as one copied piece.
    ///
    /// # Panics
    ///
    /// Panics when the mask has not [`ActionSpace::len`] places. Of a state under other rules the mask is wrong.
    #[inline]
    pub fn mask(&self, state: &DealState, mask: &mut [u8]) {
        assert_eq!(mask.len(), self.len(), "a place for each action");
        let (fixed, bids) = mask.split_at_mut(Self::FIXED);
        if state.play_state().is_some() {
            let legal = state.legal_plays();
            fixed[..SILENT].copy_from_slice(&spread(legal.bits()));
            fixed[SILENT..CALLS].copy_from_slice(&spread(u32::from(silent(state)))[..8]);
            fixed[CALLS..].fill(0);
            bids.fill(0);
        } else {
            let legal = state.legal_calls();
            fixed[..CALLS].fill(0);
            let calls = u32::from(legal.others) | u32::from(legal.take_suits) << LegalCalls::OTHERS.len();
            fixed[CALLS..].copy_from_slice(&spread(calls)[..Self::FIXED - CALLS]);
            self.mask_bids(&legal, bids);
        }
    }

    /// Writes the same for a seat that must act; nothing is legal for another seat.
    ///
    /// # Panics
    ///
    /// Panics when the mask has not [`ActionSpace::len`] places.
    #[inline]
    pub fn mask_of(&self, view: &View<'_>, mask: &mut [u8]) {
        match view.turn() {
            Turn::Call(seat) | Turn::Play(seat) if seat == view.seat() => self.mask(view.state(), mask),
            _ => {
                assert_eq!(mask.len(), self.len(), "a place for each action");
                mask.fill(0);
            }
        }
    }

    #[inline]
    fn mask_bids(&self, legal: &LegalCalls, mask: &mut [u8]) {
        let from = if legal.strains == 0 { mask.len() } else { mask.len().min(6 * legal.from) };
        mask[..from].fill(0);
        mask[from..].copy_from_slice(&self.bids[from..]);
        if self.ranks_strains() {
            for (strain, place) in Strain::ALL.into_iter().zip(mask) {
                *place = u8::from(legal.has_strain(strain));
            }
        }
    }

    /// Tests if strains alone are bid, of which then not all are legal together.
    #[inline]
    fn ranks_strains(&self) -> bool {
        self.ladder.value(0) == Some(BidValue::NONE)
    }

    /// Returns whether an action is legal now; of a number above the last, false.
    #[inline]
    pub fn is_legal(&self, state: &DealState, index: usize) -> bool {
        let in_play = state.play_state().is_some();
        match self.action(index) {
            Some(Action::Card(card)) => state.legal_plays().contains(card),
            Some(Action::SilentCard(_)) => in_play && silent(state) >> (index - SILENT) & 1 != 0,
            Some(Action::Call(call)) => !in_play && state.legal_calls().contains(call),
            None => false,
        }
    }

    /// Takes the action of a number for the seat whose turn it is, and returns that seat.
    ///
    /// # Errors
    ///
    /// Says which rule the action breaks; the state is then unchanged.
    #[inline]
    pub fn apply(&self, state: &mut DealState, index: usize) -> Result<Seat, IllegalAction> {
        // Cards come first: they are nine tenths of all actions.
        if let Some(card) = Card::try_from_index(index)
            && state.legal_plays().contains(card)
        {
            return Ok(state.play(card)?);
        }
        let action =
            self.action(index).ok_or(IllegalAction::OutOfRange { action: index, len: self.len() })?;
        match (state.turn(), action) {
            (Turn::Over, _) => Err(IllegalAction::Over(action)),
            (Turn::Call(_), Action::Call(call)) => Ok(state.call(call)?),
            (Turn::Call(_), _) => Err(IllegalAction::NotPlaying(action)),
            (Turn::Play(_), Action::Call(_)) => Err(IllegalAction::NotBidding(action)),
            (Turn::Play(_), Action::Card(card)) => Ok(state.play(card)?),
            (Turn::Play(_), Action::SilentCard(card)) => {
                if state.legal_plays().contains(card) && !state.may_announce_belote(card) {
                    return Err(IllegalAction::NoBelote(action));
                }
                Ok(state.play(crate::Play { announce_belote: false, ..card.into() })?)
            }
        }
    }

    /// Returns the number that an action has when suits are renamed: when [`SuitOrder::IDENTITY`] becomes `order`.
    ///
    /// `None` above the last action.
    #[inline]
    pub fn rename(&self, index: usize, order: SuitOrder) -> Option<usize> {
        let slot = |suit: usize| order.slot(Suit::from_index(suit));
        match index {
            0..SILENT => Some(8 * slot(index / 8) + index % 8),
            SILENT..CALLS => Some(SILENT + 2 * slot((index - SILENT) / 2) + index % 2),
            CALLS..TAKE_IN => Some(index),
            TAKE_IN..Self::FIXED => Some(TAKE_IN + slot(index - TAKE_IN)),
            _ if index >= self.len() => None,
            _ => {
                let (level, strain) = ((index - Self::FIXED) / 6, (index - Self::FIXED) % 6);
                let strain = if strain < 4 { slot(strain) } else { strain };
                Some(Self::FIXED + 6 * level + strain)
            }
        }
    }

    /// Renames the suits of a mask in place, as [`ActionSpace::rename`] does with a number.
    ///
    /// # Panics
    ///
    /// Panics when the mask has not [`ActionSpace::len`] places.
    #[inline]
    pub fn rename_mask(&self, mask: &mut [u8], order: SuitOrder) {
        assert_eq!(mask.len(), self.len(), "a place for each action");
        if order == SuitOrder::IDENTITY {
            return;
        }
        // In each level of the bids the four suits are legal together: nothing to rename, where bids have a value.
        if let (true, Some(bids)) = (self.ranks_strains(), mask.get_mut(Self::FIXED..Self::FIXED + 4)) {
            let old = [bids[0], bids[1], bids[2], bids[3]];
            for suit in Suit::ALL {
                bids[order.slot(suit)] = old[suit.index()];
            }
        }
        let old: [u8; Self::FIXED] = mask[..Self::FIXED].try_into().expect("at least the fixed actions");
        for suit in Suit::ALL {
            let (from, to) = (suit.index(), order.slot(suit));
            mask[8 * to..8 * to + 8].copy_from_slice(&old[8 * from..8 * from + 8]);
            mask[SILENT + 2 * to..SILENT + 2 * to + 2]
                .copy_from_slice(&old[SILENT + 2 * from..SILENT + 2 * from + 2]);
            mask[TAKE_IN + to] = old[TAKE_IN + from];
        }
    }
}

/// The silent cards that are legal now, a bit for each from [`SILENT`] on.
#[inline]
fn silent(state: &DealState) -> u8 {
    if state.rules().belote.announce != crate::rules::Announce::Voluntary {
        return 0;
    }
    let mut bits = 0;
    for suit in Suit::ALL {
        for (place, rank) in [Rank::Queen, Rank::King].into_iter().enumerate() {
            let card = Card::new(suit, rank);
            if state.legal_plays().contains(card) && state.may_announce_belote(card) {
                bits |= 1 << (2 * suit.index() + place);
            }
        }
    }
    bits
}
