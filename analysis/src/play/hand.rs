//! One deal: queries the bots and the person.

use std::fmt::Write as _;

use coinche_engine::{Card, DealState, Play, Rank, Seat, Trick, Turn};
use coinche_selfplay::{Detail, Solvers};

use super::Settings;
use super::desk::{Desk, Stop, Typed};
use super::game::Game;
use super::picture::Picture;
use crate::advise::{self, Adviser, Budget, Question};
use crate::typed::{self, CardReader};

/// The help text on inputs.
const HELP: &str = concat!(
    "  A call   pass, 90H, 90 hearts, capot S, coinche, take; passe, 90 cœur, capot pique, je prends\n",
    "  A card   JS, J♠, 10D, jack of spades; V♠, RP (roi de pique), 10 carreau, dame de cœur\n",
    "  ?        advice for this decision\n",
    "  Enter    the table and your hand again\n",
    "  quit     stop, as Ctrl-D and Ctrl-C do; finished deals are kept\n",
    "C is clubs (trèfle). VC, DC and RC could also be hearts (cœur): write V♣ or V♥. There is no undo.\n",
);

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
            let line = format!("  {}: {}\n", picture.who(*seat), picture.language.call(*call));
            self.desk.say(&line)?;
        }
        if let Some(contract) = state.contract() {
            let first = picture.who(state.deal().dealer().next());
            let lead =
                if first == "you" { "You lead".to_owned() } else { format!("The first lead: {first}") };
            self.desk.say(&format!("Contract: {}. {lead}.\n", picture.contract(&contract)))?;
        }
        Ok(())
    }

    /// Prints the announcements with a card, and the result of a trick that it completed.
    fn tell_card(&mut self, state: &DealState, seat: Seat) -> Result<(), Stop> {
        let (picture, view) = (self.picture(), state.view(self.settings.seat));
        let mut text = String::new();
        let is_first = state.tricks().len() + usize::from(view.cards_in_trick() > 0) == 1;
        let kinds: Vec<String> = view.announced_kinds(seat).map(|kind| kind.to_string()).collect();
        if (is_first || state.tricks().len() == 1 && view.cards_in_trick() == 0) && !kinds.is_empty() {
            let _ = writeln!(text, "  {}: announces {}", picture.who(seat), kinds.join(" and "));
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
                let _ = writeln!(text, "  {}: {word}", picture.who(seat));
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
        let winner = picture.who(trick.winner);
        let takes = if winner == "you" { "take" } else { "takes" };
        let mut text = format!("Trick {number}: {}. {winner} {takes} {points}.\n", cards.join(", "));
        if let Some(scored) = state.scored_melds().filter(|_| number == 1) {
            for (seat, meld) in
                scored.iter().flat_map(|(seat, melds)| melds.iter().map(move |meld| (seat, meld)))
            {
                let cards = picture.cards(meld.cards, None);
                let (who, points) = (picture.who(seat), meld.points(&rules.melds));
                let _ = writeln!(text, "  {who}: {} {cards} counts {points}", meld.kind);
            }
        }
        text
    }

    /// Asks the person for a call until it is legal.
    fn ask_for_call(&mut self) -> Result<(), Stop> {
        let (picture, state) = (self.picture(), &self.game.state().clone());
        let legal = state.legal_calls();
        let standing = state.auction().state().contract().map(|contract| contract.strain);
        let legal_text = picture.calls(&legal);
        let hand = picture.hand(state.view(self.settings.seat).hand(), standing);
        let table = format!("Your hand: {hand}\nLegal: {legal_text}\n");
        self.desk.say(&table)?;
        loop {
            let text = self.answer(state, "Your call", &table)?;
            let call = typed::call(&text).map_err(|error| error.to_string());
            match call.and_then(|call| self.game.call(call).map_err(|error| error.to_string())) {
                Ok(_) => return Ok(()),
                Err(error) => self.desk.say(&format!("{error}\nLegal: {legal_text}\n"))?,
            }
        }
    }

    /// Asks the person for a card until it is legal, and for announcements with it; the last card is played
    /// automatically.
    fn ask_for_card(&mut self) -> Result<(), Stop> {
        let (picture, state) = (self.picture(), &self.game.state().clone());
        let (seat, legal) = (self.settings.seat, state.legal_plays());
        let (hand, strain) = (state.view(seat).hand(), state.view(seat).strain());
        let legal_text = picture.cards(legal, strain);
        let shown = if legal == hand { "any card" } else { &legal_text };
        let table =
            format!("{}Your hand: {}\nLegal: {shown}\n", picture.trick(state), picture.hand(hand, strain));
        let last = legal.first().filter(|_| hand.len() == 1);
        if last.is_none() {
            self.desk.say(&table)?;
        }
        let card = loop {
            if let Some(last) = last {
                break last;
            }
            let text = self.answer(state, "Your card", &table)?;
            let why = match CardReader::single().card(&text) {
                Ok(card) if legal.contains(card) => break card,
                Ok(card) => {
                    let why = state.play_state().and_then(|play| play.check(card).err());
                    why.map_or_else(String::new, |error| error.to_string())
                }
                Err(error) => error.to_string(),
            };
            self.desk.say(&format!("{why}\nLegal: {legal_text}\n"))?;
        };
        let mut play = Play::from(card);
        if state.may_announce_belote(card) {
            play.announce_belote = self.yes_or_no(state, "Announce the belote (yes or no)")?;
        }
        let options = state.meld_options(seat);
        if state.tricks().is_empty() && options.len() > 1 {
            let listed: Vec<String> = options
                .iter()
                .enumerate()
                .map(|(n, melds)| {
                    let cards = picture.cards(melds.cards(), strain);
                    let text = if melds.is_empty() { "none" } else { &cards };
                    format!("  {}: {text}\n", n + 1)
                })
                .collect();
            let prompt = format!("Which melds do you announce (1 to {})", options.len());
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
                other => self.desk.say(&format!("`{other}` is neither yes nor no\n"))?,
            }
        }
    }

    /// Prompts until the question is answered; handles requests for advice, help and the table.
    fn answer(&mut self, state: &DealState, prompt: &str, table: &str) -> Result<String, Stop> {
        loop {
            match self.desk.ask(prompt)? {
                Typed::Answer(text) => return Ok(text),
                Typed::Again => self.desk.say(table)?,
                Typed::Help => self.desk.say(HELP)?,
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
        format!("\n{}\n", advise::brief(&question, &advice).render(Detail::Full))
    }
}
