//! The question `go`: everything that the seat knows and its legal answers, as one JSON object.
//!
//! It is written by hand into a buffer, because a question consists of some hundred short strings.

use coinche_bots::Budget;
use coinche_engine::{
    AuctionTurn, Call, Card, CardSet, DealState, Key, LegalCalls, Melds, SeenDeal, Suit, Team, Trick, View,
};
use coinche_selfplay::records::write::{
    CardCodes, push_call, push_number, push_pair, push_seat, push_signed, push_str,
};

/// The kind of question, with the legal answers.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Choice<'a> {
    /// A call, at a turn or to an offer.
    Call(&'a LegalCalls),
    /// A card.
    Play(CardSet),
    /// Whether to announce a belote with this card.
    Belote(Card),
    /// Which melds to announce.
    Melds(&'a [Melds]),
}

impl Choice<'_> {
    /// Returns its name in the protocol.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Call(_) => "call",
            Self::Play(_) => "play",
            Self::Belote(_) => "belote",
            Self::Melds(_) => "melds",
        }
    }
}

/// The content of a question.
#[derive(Debug)]
pub(crate) struct Question<'a> {
    /// The identifier of the deal for this seat; it does not reveal its number in the run.
    pub(crate) deal: u64,
    /// What is asked.
    pub(crate) choice: Choice<'a>,
    /// What the seat knows.
    pub(crate) view: View<'a>,
    /// The randomness of the decision.
    pub(crate) key: Key,
    /// The budget for the decision.
    pub(crate) budget: Option<Budget>,
}

/// Writes questions.
#[derive(Debug, Clone)]
pub(crate) struct Writer {
    cards: CardCodes,
}

impl Writer {
    /// Prepares the codes of the cards.
    pub(crate) fn new() -> Self {
        Self { cards: CardCodes::default() }
    }

    /// Appends a question from behind its id, which its link gives it.
    pub(crate) fn question(&self, out: &mut Vec<u8>, question: &Question<'_>) {
        let view = &question.view;
        push_str(out, ",\"deal\":\"");
        push_hex(out, question.deal);
        push_str(out, "\",\"kind\":\"");
        push_str(out, question.choice.name());
        push_str(out, "\",\"seat\":");
        push_seat(out, view.seat());
        push_str(out, ",\"dealer\":");
        push_seat(out, view.dealer());
        push_str(out, ",\"seed\":\"");
        push_hex(out, question.key.bits());
        push_str(out, "\"");
        match question.budget {
            None => {}
            Some(Budget::Count(count)) => {
                push_str(out, ",\"budget\":{\"count\":");
                push_number(out, count);
                out.push(b'}');
            }
            Some(Budget::Time(time)) => {
                push_str(out, ",\"budget\":{\"ms\":");
                push_number(out, u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
                out.push(b'}');
            }
        }
        self.cards_of(out, view);
        Self::auction(out, view);
        self.play(out, view);
        push_str(out, ",\"match_score\":");
        push_pair(out, view.match_score().0);
        push_str(out, ",\"held\":");
        push_signed(out, view.held());
        if view.deals_left() > 0 {
            push_str(out, ",\"deals_left\":");
            push_signed(out, view.deals_left().into());
        }
        list(out, "past", view.past(), |out, past| self.past(out, &past));
        self.legal(out, question.choice);
        out.push(b'}');
    }

    fn text(&self, out: &mut Vec<u8>, cards: CardSet) {
        out.push(b'"');
        self.cards.push_set(out, cards);
        out.push(b'"');
    }

    fn card(&self, out: &mut Vec<u8>, card: Card) {
        out.push(b'"');
        self.cards.push(out, card);
        out.push(b'"');
    }

    fn turned(&self, out: &mut Vec<u8>, turned: Option<Card>) {
        push_str(out, ",\"turned\":");
        match turned {
            None => push_str(out, "null"),
            Some(card) => self.card(out, card),
        }
    }

    fn cards_of(&self, out: &mut Vec<u8>, view: &View<'_>) {
        push_str(out, ",\"hand\":");
        self.text(out, view.hand());
        push_str(out, ",\"first_hand\":");
        self.text(out, view.first_hand());
        self.turned(out, view.turned());
    }

    fn auction(out: &mut Vec<u8>, view: &View<'_>) {
        let auction = view.auction();
        list(out, "auction", auction.calls(), |out, (seat, call)| {
            out.push(b'[');
            push_seat(out, *seat);
            out.push(b',');
            push_quoted(out, *call);
            out.push(b']');
        });
        let turn = auction.state().turn();
        let offered = matches!(turn, AuctionTurn::OfferCoinche(_) | AuctionTurn::OfferSurcoinche(_));
        push_str(out, if offered { ",\"offer\":true" } else { ",\"offer\":false" });
        push_str(out, ",\"contract\":");
        match view.contract() {
            None => push_str(out, "null"),
            Some(contract) => {
                push_str(out, "{\"bid\":\"");
                push_str(out, &contract.bid_code());
                push_str(out, "\",\"declarer\":");
                push_seat(out, contract.declarer);
                push_str(out, ",\"stake\":\"");
                push_str(out, contract.stake.name());
                push_str(out, "\"}");
            }
        }
    }

    fn tricks(&self, out: &mut Vec<u8>, tricks: &[Trick]) {
        list(out, "tricks", tricks, |out, trick| {
            push_str(out, "{\"leader\":");
            push_seat(out, trick.leader);
            list(out, "cards", trick.cards, |out, card| self.card(out, card));
            push_str(out, ",\"winner\":");
            push_seat(out, trick.winner);
            out.push(b'}');
        });
    }

    fn play(&self, out: &mut Vec<u8>, view: &View<'_>) {
        self.tricks(out, view.tricks());
        list(out, "trick", view.trick(), |out, (_, card)| self.card(out, card));
        push_str(out, ",\"points\":");
        push_pair(out, view.points_taken().0.map(i32::from));
        let has_melds = view.rules().melds.enabled && view.contract().is_some();
        let seats = coinche_engine::Seat::ALL.into_iter().filter(|_| has_melds);
        let melds = seats.flat_map(|seat| {
            let scored = view.scored_melds().map_or(Melds::NONE, |scored| scored[seat]);
            let mut scored = scored.iter().peekable();
            let kinds = view.announced_kinds(seat);
            kinds.map(move |kind| (seat, kind, scored.next_if(|meld| meld.kind == kind)))
        });
        list(out, "melds", melds, |out, (seat, kind, scored)| {
            push_str(out, "{\"seat\":");
            push_seat(out, seat);
            push_str(out, ",\"kind\":\"");
            push_str(out, kind.name());
            out.push(b'"');
            if let Some(meld) = scored {
                push_str(out, ",\"cards\":");
                self.text(out, meld.cards);
                push_str(out, ",\"points\":");
                push_number(out, meld.points(&view.rules().melds).into());
            }
            out.push(b'}');
        });
        let belotes = Suit::ALL.into_iter().filter_map(|suit| Some((suit, view.belote(suit)?)));
        let belotes = belotes.filter_map(|(suit, belote)| Some((suit, belote.seat, belote.announced?)));
        list(out, "belotes", belotes, |out, (suit, seat, announced)| {
            push_str(out, "{\"seat\":");
            push_seat(out, seat);
            push_str(out, ",\"suit\":\"");
            out.push(suit.letter() as u8);
            push_str(out, if announced { "\",\"announced\":true}" } else { "\",\"announced\":false}" });
        });
    }

    fn past(&self, out: &mut Vec<u8>, past: &SeenDeal<'_>) {
        push_str(out, "{\"dealer\":");
        push_seat(out, past.dealer());
        push_str(out, ",\"hand\":");
        self.text(out, past.hand());
        self.turned(out, past.turned());
        self.tricks(out, past.tricks());
        out.push(b'}');
    }

    fn legal(&self, out: &mut Vec<u8>, choice: Choice<'_>) {
        if let Choice::Belote(card) = choice {
            push_str(out, ",\"card\":");
            self.card(out, card);
        }
        match choice {
            Choice::Call(legal) => list(out, "legal", legal.iter(), push_quoted),
            Choice::Play(legal) => list(out, "legal", legal.natural(), |out, card| self.card(out, card)),
            Choice::Belote(_) => push_str(out, ",\"legal\":[\"yes\",\"no\"]"),
            Choice::Melds(options) => list(out, "legal", options, |out, option| {
                out.push(b'"');
                push_str(out, &melds_text(option));
                out.push(b'"');
            }),
        }
    }

    /// Appends the message that a deal is over for one seat, with the public information.
    pub(crate) fn over(&self, out: &mut Vec<u8>, over: &Over<'_>) {
        let state = over.state;
        push_str(out, "{\"type\":\"over\",\"deal\":\"");
        push_hex(out, over.deal);
        push_str(out, "\",\"seat\":");
        push_seat(out, over.view.seat());
        Self::auction(out, &over.view);
        self.play(out, &over.view);
        push_str(out, ",\"tricks_won\":");
        let won = |team: Team| team.seats().iter().map(|seat| i32::from(over.view.tricks_by(*seat))).sum();
        push_pair(out, Team::ALL.map(won));
        push_str(out, ",\"made\":");
        push_str(
            out,
            match state.outcome().filter(|_| !over.forfeited) {
                Some(coinche_engine::Outcome::Played { score, .. }) if score.made => "true",
                Some(coinche_engine::Outcome::Played { .. }) => "false",
                _ => "null",
            },
        );
        push_str(out, ",\"score\":");
        push_pair(out, over.score);
        push_str(out, if over.forfeited { ",\"forfeited\":true}" } else { ",\"forfeited\":false}" });
    }
}

/// The end of a deal, for one seat.
#[derive(Debug)]
pub(crate) struct Over<'a> {
    /// The identifier of the deal for this seat; it does not reveal its number in the run.
    pub(crate) deal: u64,
    /// The deal.
    pub(crate) state: &'a DealState,
    /// What the seat knows of it.
    pub(crate) view: View<'a>,
    /// The score of each team.
    pub(crate) score: [i32; 2],
    /// Whether a bot forfeited it.
    pub(crate) forfeited: bool,
}

/// Formats an announcement: the cards of its melds, joined by ` + `.
pub(crate) fn melds_text(melds: &Melds) -> String {
    let cards: Vec<String> = melds.iter().map(|meld| meld.cards.to_string()).collect();
    cards.join(" + ")
}

fn push_quoted(out: &mut Vec<u8>, call: Call) {
    out.push(b'"');
    push_call(out, call);
    out.push(b'"');
}

fn push_hex(out: &mut Vec<u8>, number: u64) {
    for digit in (0..16).rev() {
        out.push(b"0123456789abcdef"[(number >> (4 * digit) & 15) as usize]);
    }
}

/// Appends a field that is a list.
fn list<T>(
    out: &mut Vec<u8>,
    name: &str,
    items: impl IntoIterator<Item = T>,
    mut push: impl FnMut(&mut Vec<u8>, T),
) {
    for part in [",\"", name, "\":["] {
        push_str(out, part);
    }
    for (n, item) in items.into_iter().enumerate() {
        if n > 0 {
            out.push(b',');
        }
        push(out, item);
    }
    out.push(b']');
}
