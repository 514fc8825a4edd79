//! Announced belotes and melds.

use coinche_engine::observation::Observation;
use coinche_engine::rules::{Announce, BeloteAllTrump};
use coinche_engine::{BySeat, Card, CardSet, Meld, MeldKind, Melds, Rank, Seat, Strain, Suit};

use super::error::CardPlace;
use super::{Asked, Checked, PlayStart, QuestionError, words};
use crate::typed::{CardReader, suit};

/// Records the announcements.
pub(super) fn hear(
    table: &PlayStart<'_>,
    asked: &Asked<'_>,
    cards: &[Card],
    seats: &[Seat],
    observation: &mut Observation,
) -> Checked {
    let mut played = BySeat([CardSet::EMPTY; 4]);
    for (card, seat) in cards.iter().zip(seats) {
        played[*seat] = played[*seat].with(*card);
    }
    let heard = Heard { table, played, asker: observation.seat, first_trick_is_over: cards.len() >= 4 };
    heard.belotes(asked, observation)?;
    if table.rules.melds.enabled {
        heard.melds(asked, observation)
    } else if asked.melds.is_some() {
        Err(QuestionError::NoMelds("--melds"))
    } else if asked.shown.is_some() {
        Err(QuestionError::NoMelds("--shown"))
    } else {
        Ok(())
    }
}

struct Heard<'a> {
    table: &'a PlayStart<'a>,
    played: BySeat<CardSet>,
    asker: Seat,
    first_trick_is_over: bool,
}

fn couple(suit: Suit) -> CardSet {
    CardSet::suit(suit) & (CardSet::rank(Rank::King) | CardSet::rank(Rank::Queen))
}

impl Heard<'_> {
    /// Returns the cards that seats other than this one must hold or have held.
    fn elsewhere(&self, seat: Seat) -> CardSet {
        let others = Seat::ALL.into_iter().filter(|other| *other != seat && *other != self.asker);
        let own = if seat == self.asker { !self.table.hand } else { self.table.hand };
        others.fold(own, |cards, other| cards | self.played[other])
    }

    /// Returns the belotes of the others: those named, and those shown by both cards. The own ones follow from
    /// the hand.
    fn belotes(&self, asked: &Asked<'_>, observation: &mut Observation) -> Checked {
        let strain = self.table.contract.strain;
        let of_any_suit =
            strain == Strain::AllTrump && self.table.rules.belote.all_trump != BeloteAllTrump::None;
        for word in asked.belotes.iter().flat_map(|words_of| words(words_of)) {
            let form = "SEAT, or SEAT:SUIT in all trump";
            let error = || QuestionError::Word { flag: "--belote", word: word.to_owned(), form };
            let (seat, suit) = word.split_once(':').map_or((word, None), |(seat, suit)| (seat, Some(suit)));
            let seat: Seat = seat.parse().map_err(|_| error())?;
            let suit: Option<Suit> = suit.map(|name| self::suit(name).map_err(|_| error())).transpose()?;
            let suit = match (strain.trump(), suit) {
                (Some(trump), None) => trump,
                (Some(trump), Some(suit)) if trump == suit => trump,
                (None, Some(suit)) if of_any_suit => suit,
                (None, None) if of_any_suit => return Err(error()),
                _ => return Err(QuestionError::Belote("there is none in this contract or suit")),
            };
            if seat == self.asker {
                return Err(QuestionError::Belote("that of the seat that is asked follows from the hand"));
            }
            let is_played = !self.played[seat].is_disjoint(couple(suit));
            if !is_played || !self.elsewhere(seat).is_disjoint(couple(suit)) {
                return Err(QuestionError::NoBelote { seat, suit });
            }
            observation.belotes.push((suit, seat, true));
        }
        if self.table.rules.belote.announce == Announce::Automatic {
            for (seat, suit) in Seat::ALL.into_iter().flat_map(|seat| Suit::ALL.map(|suit| (seat, suit))) {
                let is_one = of_any_suit || strain.trump() == Some(suit);
                let is_new = !observation.belotes.iter().any(|(other, ..)| *other == suit);
                if seat != self.asker && is_one && is_new && couple(suit).is_subset(self.played[seat]) {
                    observation.belotes.push((suit, seat, true));
                }
            }
        }
        Ok(())
    }

    /// Returns the melds: kinds by seat, and after the first trick the cards of those that score.
    fn melds(&self, asked: &Asked<'_>, observation: &mut Observation) -> Checked {
        let own = self.asker;
        let mut announced = BySeat([const { Vec::new() }; 4]);
        for word in asked.melds.into_iter().flat_map(words) {
            let form = "SEAT:tierce, SEAT:fifty, SEAT:hundred or SEAT:carre";
            let error = || QuestionError::Word { flag: "--melds", word: word.to_owned(), form };
            let (seat, name) = word.split_once(':').ok_or_else(error)?;
            let seat: Seat = seat.parse().map_err(|_| error())?;
            let is_called = |kind: &MeldKind| kind.name().eq_ignore_ascii_case(name);
            let kind = MeldKind::ALL.into_iter().find(is_called).ok_or_else(error)?;
            if self.played[seat].is_empty() {
                return Err(QuestionError::TooEarly(seat));
            }
            announced[seat].push(kind);
            if announced[seat].len() > 2 {
                return Err(QuestionError::TooMany(seat));
            }
        }
        let shown = self.shown(asked)?;
        for seat in Seat::ALL {
            let has_shown = shown.as_ref().is_some_and(|shown| !shown[seat].is_empty());
            if announced[seat].is_empty() && has_shown {
                announced[seat] =
                    shown.iter().flat_map(|shown| shown[seat].iter()).map(|meld| meld.kind).collect();
            }
        }
        let options = Melds::options(&self.table.rules.melds, self.table.hand);
        let kinds = |melds: &Melds| melds.iter().map(|meld| meld.kind).collect::<Vec<_>>();
        let mut of_hand = None;
        if !self.played[own].is_empty() {
            let wanted = if announced[own].is_empty() { kinds(&options[0]) } else { announced[own].clone() };
            of_hand = options.iter().find(|option| kinds(option) == wanted);
            if of_hand.is_none() {
                let expected: Vec<_> = options.iter().map(|option| names(&kinds(option))).collect();
                let (hand, expected) = (self.table.hand, expected.join(", or "));
                return Err(QuestionError::OwnMelds { seat: own, hand, expected });
            }
            announced[own] = wanted;
        }
        if self.first_trick_is_over {
            observation.scored = Some(match shown {
                Some(shown) => shown,
                None => self.unopposed(&announced, of_hand)?,
            });
        }
        observation.announced = announced;
        Ok(())
    }

    /// Returns what scores by default: the own melds, if no other player has announced any.
    fn unopposed(
        &self,
        announced: &BySeat<Vec<MeldKind>>,
        of_hand: Option<&Melds>,
    ) -> Checked<BySeat<Melds>> {
        if announced.iter().any(|(seat, kinds)| seat != self.asker && !kinds.is_empty()) {
            return Err(QuestionError::WhoScored);
        }
        let mut scored = BySeat([Melds::NONE; 4]);
        scored[self.asker] = of_hand.copied().unwrap_or(Melds::NONE);
        Ok(scored)
    }

    /// Returns the melds that were shown: `None` if the question does not say.
    fn shown(&self, asked: &Asked<'_>) -> Checked<Option<BySeat<Melds>>> {
        let Some(text) = asked.shown else { return Ok(None) };
        if !self.first_trick_is_over {
            return Err(QuestionError::NotShownYet);
        }
        let reader = CardReader::of(&text.replace(':', " "));
        let mut melds: Vec<(Seat, CardSet)> = Vec::new();
        for (n, word) in words(text).enumerate().filter(|_| !text.trim().eq_ignore_ascii_case("none")) {
            let form = "SEAT:CARD CARD …, such as `1:9H TH JH 3:QC KC AC`, or none";
            let error = || QuestionError::Word { flag: "--shown", word: word.to_owned(), form };
            let card = match word.split_once(':') {
                Some((seat, card)) => {
                    melds.push((seat.parse().map_err(|_| error())?, CardSet::EMPTY));
                    card
                }
                None => word,
            };
            let place = CardPlace::Shown(n + 1);
            let card = reader.card(card).map_err(|error| QuestionError::Card { place, error })?;
            let (_, cards) = melds.last_mut().ok_or_else(error)?;
            *cards = cards.with(card);
        }
        let mut by_seat = BySeat([const { Vec::new() }; 4]);
        for (seat, cards) in melds {
            let Meld { kind, .. } = Meld::of(cards).ok_or(QuestionError::NoMeld(cards))?;
            if !cards.is_disjoint(self.elsewhere(seat)) {
                return Err(QuestionError::ShownElsewhere { seat, kind, cards, own: seat == self.asker });
            }
            by_seat[seat].push(Meld { kind, cards });
        }
        let mut shown = BySeat([Melds::NONE; 4]);
        for seat in Seat::ALL {
            shown[seat] = Melds::from_melds(&by_seat[seat]).ok_or(QuestionError::TooMany(seat))?;
        }
        Ok(Some(shown))
    }
}

/// Names kinds of melds, or `none`.
fn names(kinds: &[MeldKind]) -> String {
    let names: Vec<_> = kinds.iter().map(MeldKind::to_string).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(" ") }
}
