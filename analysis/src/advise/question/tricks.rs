//! The cards played so far, one by one.

use coinche_engine::observation::Observation;
use coinche_engine::rules::DealMethod;
use coinche_engine::{BySeat, Card, CardSet, PlayState, Seat, Suit};

use super::error::CardPlace;
use super::{Asked, Checked, PlayStart, QuestionError, add, is_of_size, spoken};
use crate::typed::CardReader;

/// Plays the cards and finds whose turn it is: that seat is advised and holds the hand.
pub(super) fn play(
    table: &PlayStart<'_>,
    asked: &Asked<'_>,
    text: &str,
    observation: &mut Observation,
) -> Checked {
    let cards = read(text)?;
    let seats = seats(table, &cards);
    let turn = seats[cards.len()];
    if let Some(wanted) = asked.seat.filter(|wanted| *wanted != turn) {
        return Err(QuestionError::NotTheTurn { wanted, turn, plays: true });
    }
    is_of_size(table.hand, 8)?;
    took_what_was_turned(table, turn)?;
    check(table, turn, &cards, &seats)?;
    observation.seat = turn;
    spoken::hear(table, asked, &cards, &seats, observation)?;
    observation.cards = cards;
    Ok(())
}

/// Parses tricks, separated by `/`; the last may be incomplete.
fn read(text: &str) -> Checked<Vec<Card>> {
    let mut cards: Vec<Card> = Vec::new();
    let reader = CardReader::of(text);
    let tricks: Vec<&str> = text.split('/').collect();
    for (n, trick) in tricks.iter().enumerate() {
        let before = cards.len();
        for (m, card) in reader.cards(trick).into_iter().enumerate() {
            add(&mut cards, card, CardPlace::Trick(n + 1, m + 1), CardPlace::of_played)?;
        }
        let (found, is_last) = (cards.len() - before, n + 1 == tricks.len());
        if found > 4 || (found < 4 && !is_last) {
            return Err(QuestionError::TrickSize { trick: n + 1, cards: found });
        }
    }
    if cards.len() == 32 { Err(QuestionError::AllPlayed(32)) } else { Ok(cards) }
}

/// Returns the state before the first card. Only the hand of the seat to play matters, and is filled in.
fn start(table: &PlayStart<'_>) -> PlayState {
    PlayState::new(&table.rules.play, table.contract.strain, any_hands(), table.dealer.next())
}

fn any_hands() -> BySeat<CardSet> {
    BySeat::from_fn(|seat| CardSet::suit(Suit::from_index(seat.index())))
}

/// Lays a hand before the seat to play.
fn with_hand(play: &PlayState, hand: CardSet) -> PlayState {
    let mut hands = any_hands();
    hands[play.to_play()] = hand;
    play.with_hands_unchecked(&hands)
}

/// Returns the seat that plays each card, and the next to play.
fn seats(table: &PlayStart<'_>, cards: &[Card]) -> Vec<Seat> {
    let mut seats = Vec::new();
    let next = follow(start(table), cards, |seat, _, _| seats.push(seat));
    seats.push(next);
    seats
}

/// Plays cards, whatever the hands are, and returns the next seat to play. `see` gets the seat of each card, the card, and the
/// cards that it shows not to be in that hand.
pub fn follow(mut play: PlayState, cards: &[Card], mut see: impl FnMut(Seat, Card, CardSet)) -> Seat {
    for card in cards {
        play = with_hand(&play, CardSet::only(*card));
        see(play.to_play(), *card, play.excluded_by(*card));
        play.play_unchecked(*card);
    }
    play.to_play()
}

/// Gives the turned card to its taker.
fn took_what_was_turned(table: &PlayStart<'_>, asker: Seat) -> Checked {
    let taker = table.contract.declarer;
    match table.turned {
        Some(card) if table.hand.contains(card) != (taker == asker) => {
            Err(QuestionError::TurnedTaken { card, taker, asker })
        }
        _ => Ok(()),
    }
}

/// Checks each card against what its player holds, or has shown not to hold.
fn check(table: &PlayStart<'_>, asker: Seat, cards: &[Card], seats: &[Seat]) -> Checked {
    let taker = table.contract.declarer;
    let mut play = start(table);
    let mut held = table.hand;
    // By seat: the cards that a play has shown not to be in the hand, with the trick number.
    let mut shown: [Vec<(CardSet, usize)>; 4] = Default::default();
    for (n, (card, seat)) in cards.iter().copied().zip(seats.iter().copied()).enumerate() {
        let place = CardPlace::of_played(n);
        play = with_hand(&play, if seat == asker { held } else { CardSet::only(card) });
        if seat == asker {
            if !held.remove(card) {
                return Err(QuestionError::NotInHand { place, card, seat });
            }
            play.check(card).map_err(|error| QuestionError::IllegalCard {
                place,
                seat,
                error,
                legal: play.legal_plays(),
            })?;
        } else if table.hand.contains(card) {
            return Err(QuestionError::Held { place, card, seat, asker });
        } else if let Some((_, trick)) = shown[seat.index()].iter().find(|(cards, _)| cards.contains(card)) {
            return Err(QuestionError::Excluded { place, card, seat, shown: *trick });
        } else if table.turned == Some(card) && seat != taker && table.rules.deal.method == DealMethod::TurnUp
        {
            return Err(QuestionError::TurnedPlayed { place, card, seat, taker });
        }
        shown[seat.index()].push((play.excluded_by(card), n / 4 + 1));
        play.play_unchecked(card);
    }
    Ok(())
}
