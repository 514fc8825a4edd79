//! One deal: queries the bots and the person.

use std::fmt::Write as _;

use coinche_engine::{Card, DealState, Play, Rank, Seat, Trick, Turn};
use coinche_selfplay::{Detail, Solvers};

use super::Settings;
use super::desk::{Desk, Stop, Typed};
use super::game::Game;
use crate::advise::{self, Adviser, Budget, Question};
use crate::picture::{Picture, legal_calls};
use crate::texts::{call_error, fill, meld_kind, play_error, typed_error};
use crate::typed::{self, CardReader};

/// A deal in progress.
pub(super) struct Hand<'a, 'd> {
    pub(super) settings: &'a Settings,
    pub(super) solvers: &'a Solvers,
    pub(super) game: &'a mut Game,
    pub(super) desk: &'a mut Desk<'d>,
}

impl Hand<'_, '_> {
    /// Plays the deal to its end.
    pub(super) fn play(&mut self) -> Result<(), Stop> {
        loop {
            let (turn, before) = (self.game.turn(), self.game.state().auction().calls().len());
            match turn {
                Turn::Over => return Ok(()),
                Turn::Call(seat) if seat == self.settings.seat => self.ask_for_call()?,
                Turn::Play(seat) if seat == self.settings.seat => self.ask_for_card()?,
                _ if self.game.ask().is_none() => return Ok(()),
                _ => {}
            }
            let state = self.game.state().clone();
            match turn {
                Turn::Play(seat) => self.tell_card(&state, seat)?,
                _ => self.tell_call(&state, before)?,
            }
        }
    }

    fn picture(&self) -> Picture {
        self.settings.picture()
    }

    /// Prints a call; a declined offer of a coinche is not printed.
    fn tell_call(&mut self, state: &DealState, before: usize) -> Result<(), Stop> {
        let picture = self.picture();
        if let Some((seat, call)) = state.auction().calls().get(before) {
            let said = picture.language.call(*call);
            let line = fill(picture.texts().says, &[("who", &picture.who(*seat)), ("what", &said)]);
            self.desk.say(&format!("{line}\n"))?;
        }
        if let Some(contract) = state.contract() {
            let (texts, first) = (picture.texts(), state.deal().dealer().next());
            let lead = if first == picture.seat {
                texts.you_lead.to_owned()
            } else {
                fill(texts.first_lead, &[("who", &picture.who(first))])
            };
            let contract = picture.contract(&contract);
            let line = fill(texts.contract_is, &[("contract", &contract), ("lead", &lead)]);
            self.desk.say(&format!("{line}\n"))?;
        }
        Ok(())
    }

    /// Prints the announcements with a card, and the result of a trick that it completed.
    fn tell_card(&mut self, state: &DealState, seat: Seat) -> Result<(), Stop> {
        let (picture, view) = (self.picture(), state.view(self.settings.seat));
        let (texts, mut text) = (picture.texts(), String::new());
        let is_first = state.tricks().len() + usize::from(view.cards_in_trick() > 0) == 1;
        let kinds: Vec<&str> =
            view.announced_kinds(seat).map(|kind| meld_kind(picture.language, kind)).collect();
        if (is_first || state.tricks().len() == 1 && view.cards_in_trick() == 0) && !kinds.is_empty() {
            let kinds = kinds.join(texts.and);
            let line = fill(texts.announces, &[("who", &picture.who(seat)), ("kinds", &kinds)]);
            let _ = writeln!(text, "{line}");
        }
        let of_trick = state.tricks().last().filter(|_| view.cards_in_trick() == 0);
        let card = match of_trick {
            Some(trick) => Some(trick.cards[trick.leader.distance_to(seat)]),
            None => view.trick().find(|(player, _)| *player == seat).map(|(_, card)| card),
        };
        if let Some(card) = card.filter(|card| matches!(card.rank(), Rank::King | Rank::Queen)) {
            let said =
                view.belote(card.suit()).is_some_and(|it| it.seat == seat && it.announced == Some(true));
            let other = if card.rank() == Rank::King { Rank::Queen } else { Rank::King };
            let word =
                if view.played().contains(Card::new(card.suit(), other)) { "rebelote" } else { "belote" };
            if said {
                let line = fill(texts.says, &[("who", &picture.who(seat)), ("what", &word)]);
                let _ = writeln!(text, "{line}");
            }
        }
        if let Some(trick) = of_trick {
            text += &self.trick_in_words(state, trick);
        }
        Ok(self.desk.say(&text)?)
    }

    /// Returns the cards of a trick with its winner and its points; after the first trick, the melds that
    /// count.
    fn trick_in_words(&self, state: &DealState, trick: &Trick) -> String {
        let (picture, rules, number) = (self.picture(), state.rules(), state.tricks().len());
        let Some(contract) = state.contract() else { return String::new() };
        let seats = trick.leader.around();
        let cards: Vec<String> = seats
            .iter()
            .zip(trick.cards)
            .map(|(seat, card)| format!("{} {}", picture.who(*seat), picture.language.card(card)))
            .collect();
        let of_cards = trick.cards.iter().map(|card| rules.card_points(contract.strain, *card)).sum::<u16>();
        let points = of_cards + if number == 8 { rules.scoring.last_trick_in(contract.strain) } else { 0 };
        let (texts, who, cards) = (picture.texts(), picture.who(trick.winner), cards.join(", "));
        let mut text = if trick.winner == picture.seat {
            fill(texts.trick_taken_by_you, &[("n", &number), ("cards", &cards), ("points", &points)])
        } else {
            fill(texts.trick_taken, &[("n", &number), ("cards", &cards), ("who", &who), ("points", &points)])
        };
        text.push('\n');
        if let Some(scored) = state.scored_melds().filter(|_| number == 1) {
            for (seat, meld) in
                scored.iter().flat_map(|(seat, melds)| melds.iter().map(move |meld| (seat, meld)))
            {
                let cards = picture.cards(meld.cards, None);
                let (who, points) = (picture.who(seat), meld.points(&rules.melds));
                let kind = meld_kind(picture.language, meld.kind);
                let line = fill(
                    texts.meld_counts,
                    &[("who", &who), ("kind", &kind), ("cards", &cards), ("points", &points)],
                );
                let _ = writeln!(text, "{line}");
            }
        }
        text
    }

    /// Asks the person for a call until it is legal.
    fn ask_for_call(&mut self) -> Result<(), Stop> {
        let (picture, state) = (self.picture(), &self.game.state().clone());
        let legal = state.legal_calls();
        let standing = state.auction().state().contract().map(|contract| contract.strain);
        let texts = picture.texts();
        let legal_text = format!("{}{}\n", texts.legal, legal_calls(picture.language, &legal));
        let hand = picture.hand(state.view(self.settings.seat).hand(), standing);
        let table = format!("{}\n{legal_text}", fill(texts.your_hand, &[("hand", &hand)]));
        self.desk.say(&table)?;
        loop {
            let text = self.answer(state, texts.your_call, &table)?;
            let call = typed::call(&text).map_err(|error| typed_error(picture.language, &error));
            let called = call
                .and_then(|call| self.game.call(call).map_err(|error| call_error(picture.language, error)));
            match called {
                Ok(_) => return Ok(()),
                Err(error) => self.desk.say(&format!("{error}\n{legal_text}"))?,
            }
        }
    }

    /// Asks the person for a card until it is legal, and for announcements with it; the last card is played
    /// automatically.
    fn ask_for_card(&mut self) -> Result<(), Stop> {
        let (picture, state) = (self.picture(), &self.game.state().clone());
        let (seat, legal) = (self.settings.seat, state.legal_plays());
        let (hand, strain) = (state.view(seat).hand(), state.view(seat).strain());
        let texts = picture.texts();
        let legal_text = picture.cards(legal, strain);
        let shown = if legal == hand { texts.any_card } else { &legal_text };
        let own = fill(texts.your_hand, &[("hand", &picture.hand(hand, strain))]);
        let table = format!("{}{own}\n{}{shown}\n", picture.trick(state), texts.legal);
        let last = legal.first().filter(|_| hand.len() == 1);
        if last.is_none() {
            self.desk.say(&table)?;
        }
        let card = loop {
            if let Some(last) = last {
                break last;
            }
            let text = self.answer(state, texts.your_card, &table)?;
            let why = match CardReader::single().card(&text) {
                Ok(card) if legal.contains(card) => break card,
                Ok(card) => {
                    let why = state.play_state().and_then(|play| play.check(card).err());
                    why.map_or_else(String::new, |error| play_error(picture.language, error))
                }
                Err(error) => typed_error(picture.language, &error),
            };
            self.desk.say(&format!("{why}\n{}{legal_text}\n", texts.legal))?;
        };
        let mut play = Play::from(card);
        if state.may_announce_belote(card) {
            play.announce_belote = self.yes_or_no(state, texts.ask_belote)?;
        }
        let options = state.meld_options(seat);
        if state.tricks().is_empty() && options.len() > 1 {
            let listed: Vec<String> = options
                .iter()
                .enumerate()
                .map(|(n, melds)| {
                    let cards = picture.cards(melds.cards(), strain);
                    let text = if melds.is_empty() { texts.nothing } else { &cards };
                    format!("  {}: {text}\n", n + 1)
                })
                .collect();
            let prompt = fill(texts.ask_melds, &[("n", &options.len())]);
            play.melds = loop {
                let text = self.answer(state, &prompt, &listed.concat())?;
                let chosen = text.parse::<usize>().ok().and_then(|n| options.get(n.checked_sub(1)?));
                match chosen {
                    Some(melds) => break Some(*melds),
                    None => self.desk.say(&listed.concat())?,
                }
            };
        }
        self.game.play(play).expect("a legal card with legal announcements is accepted");
        Ok(())
    }

    fn yes_or_no(&mut self, state: &DealState, prompt: &str) -> Result<bool, Stop> {
        loop {
            match self.answer(state, prompt, "")?.to_lowercase().as_str() {
                "y" | "yes" | "o" | "oui" => return Ok(true),
                "n" | "no" | "non" => return Ok(false),
                other => {
                    let line = fill(self.picture().texts().neither_yes_nor_no, &[("text", &other)]);
                    self.desk.say(&format!("{line}\n"))?;
                }
            }
        }
    }

    /// Prompts until the question is answered; handles requests for advice, help and the table.
    fn answer(&mut self, state: &DealState, prompt: &str, table: &str) -> Result<String, Stop> {
        loop {
            match self.desk.ask(prompt)? {
                Typed::Answer(text) => return Ok(text),
                Typed::Again => self.desk.say(table)?,
                Typed::Help => self.desk.say(self.picture().texts().help)?,
                Typed::Advice => {
                    let advice = self.advice(state);
                    self.desk.say(&advice)?;
                }
            }
        }
    }

    /// Returns the advice of `arena advise` for the current decision.
    fn advice(&mut self, state: &DealState) -> String {
        let Settings { seat, models, time, .. } = self.settings;
        let question = Question::at_table(state, *seat);
        let (budget, key) = (Budget::Time(*time), self.game.key(*seat));
        let adviser = Adviser { solvers: self.solvers, budget, by: None, models, key };
        let advice = advise::advise(&question, &adviser);
        format!("\n{}\n", advise::brief(&question, &advice, self.settings.language).render(Detail::Full))
    }
}
