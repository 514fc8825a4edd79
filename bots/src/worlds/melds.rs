//! Announced melds: which cards they may be, and whether a hand is consistent with them.

use coinche_engine::{BySeat, CardSet, Meld, MeldKind, Melds, Rank, Seat, Suit, View};

/// What was announced in the first trick, and what it says about the hidden hands.
#[derive(Debug, Clone)]
pub(super) struct Announced {
    /// Whether a seat has made its announcement, even an empty one.
    spoken: BySeat<bool>,
    kinds: BySeat<Vec<MeldKind>>,
}

impl Announced {
    /// Collects what a view shows; `None` if nothing was announced.
    pub(super) fn of(view: &View<'_>, played: &BySeat<CardSet>) -> Option<Self> {
        let strain = view.strain()?;
        if !view.rules().melds.in_strain(strain) {
            return None;
        }
        let spoken = BySeat::from_fn(|seat| !played[seat].is_empty());
        let kinds = BySeat::from_fn(|seat| view.announced_kinds(seat).collect());
        spoken.iter().any(|(seat, spoken)| *spoken && seat != view.seat()).then_some(Self { spoken, kinds })
    }

    /// Returns the sets of cards of which the melds of a seat may be made, out of those it may have been dealt;
    /// one empty set where it announced nothing.
    pub(super) fn candidates(&self, view: &View<'_>, seat: Seat, could: CardSet) -> Vec<CardSet> {
        let shown = view.scored_melds().map_or(CardSet::EMPTY, |scored| scored[seat].cards());
        let mut unions = vec![CardSet::EMPTY];
        for kind in &self.kinds[seat] {
            let melds = melds(*kind).into_iter().filter(|meld| meld.is_subset(could));
            let melds: Vec<CardSet> = melds.collect();
            unions = unions
                .iter()
                .flat_map(|union| {
                    melds.iter().filter(|meld| meld.is_disjoint(*union)).map(|meld| *meld | *union)
                })
                .collect();
        }
        unions.retain(|union| shown.is_subset(*union));
        unions.sort_unstable_by_key(|union| union.bits());
        unions.dedup();
        unions
    }

    /// Tests if seats with these first hands announce what was announced, with these cards, and if the melds
    /// that score are those that do.
    pub(super) fn agrees(&self, view: &View<'_>, hands: &BySeat<CardSet>, cards: &BySeat<CardSet>) -> bool {
        let rules = &view.rules().melds;
        let mut melds = BySeat([Melds::NONE; 4]);
        for (seat, hand) in hands.iter().filter(|(seat, _)| self.spoken[*seat]) {
            let fits =
                |melds: &Melds| melds.iter().map(|meld| meld.kind).eq(self.kinds[seat].iter().copied());
            if self.kinds[seat].is_empty() && Melds::best(rules, *hand).is_empty() {
                continue;
            }
            let Some(option) = Melds::options(rules, *hand).into_iter().find(fits) else { return false };
            if seat != view.seat() && option.cards() != cards[seat] {
                return false;
            }
            melds[seat] = option;
        }
        let (Some(scored), Some(strain)) = (view.scored_melds(), view.strain()) else { return true };
        let kinds = |melds: &Melds| melds.iter().map(|meld| meld.kind).collect::<Vec<_>>();
        Melds::contest(rules, strain, view.dealer().next(), melds).iter().all(|(seat, melds)| {
            // Only the kinds of the seat's own melds are public: another choice may have had the same.
            let same = melds.cards() == scored[seat].cards();
            same || (seat == view.seat() && kinds(melds) == kinds(&scored[seat]))
        })
    }
}

/// All melds of a kind.
fn melds(kind: MeldKind) -> Vec<CardSet> {
    if kind == MeldKind::Carre {
        return Rank::ALL.into_iter().map(CardSet::rank).collect();
    }
    let mut runs = Vec::new();
    for suit in Suit::ALL {
        let cards: Vec<_> = CardSet::suit(suit).natural().collect();
        for len in 3..=8 {
            let sets = cards.windows(len).map(|run| run.iter().copied().collect::<CardSet>());
            runs.extend(sets.filter(|set| Meld::of(*set).is_some_and(|meld| meld.kind == kind)));
        }
    }
    runs
}
