//! The bodies of the fuzz targets: each takes any bytes and panics only when the engine has a bug.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use coinche_engine::record::{Record, RecordContext, RulesRecord, replay};
use coinche_engine::rules::FIELDS;
use coinche_engine::{
    Bid, BidValue, BySeat, Call, Card, CardSet, Deal, DealState, Deck, MatchState, Outcome, Play, Rank,
    RuleSet, Seat, Strain, Suit, Team, Turn, parse_hands,
};

/// What can be read is printed and read back; what cannot has a message.
fn round_trip<T>(text: &str)
where
    T: FromStr<Err: Display> + Display + PartialEq + Debug,
{
    match text.parse::<T>() {
        Ok(value) => assert_eq!(value.to_string().parse::<T>().ok(), Some(value), "{text:?}"),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Cards, hands, deals, bids, calls, seats.
pub fn notation(data: &[u8]) {
    let Ok(text) = core::str::from_utf8(data) else { return };
    round_trip::<Card>(text);
    round_trip::<CardSet>(text);
    round_trip::<Suit>(text);
    round_trip::<Rank>(text);
    round_trip::<Strain>(text);
    round_trip::<Seat>(text);
    round_trip::<BidValue>(text);
    round_trip::<Bid>(text);
    round_trip::<Call>(text);
    match parse_hands(text) {
        Ok(hands) => {
            let printed = hands.0.map(|hand| hand.to_string()).join(" | ");
            assert_eq!(parse_hands(&printed), Ok(hands));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// A rule file, and the argument of `--set`.
pub fn rules_toml(data: &[u8]) {
    let Ok(text) = core::str::from_utf8(data) else { return };
    match RuleSet::from_toml(text) {
        Ok(rules) => {
            assert_eq!(rules.options().validate(), Ok(rules));
            assert_eq!(RuleSet::from_toml(&rules.to_toml()), Ok(rules));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    let mut rules = RuleSet::BGA;
    match rules.set(text) {
        Ok(()) => assert_eq!(rules.options().validate(), Ok(rules)),
        Err(error) => {
            assert!(!error.to_string().is_empty());
            assert_eq!(rules, RuleSet::BGA);
        }
    }
}

/// A deal record: reading and replay never panic.
pub fn record_json(data: &[u8]) {
    let Ok(text) = core::str::from_utf8(data) else { return };
    match Record::from_json(text) {
        Ok(record) => {
            assert_eq!(Record::from_json(&record.to_json()).as_ref(), Ok(&record));
            for disagreement in replay(&record) {
                assert!(!disagreement.to_string().is_empty());
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Bytes as a source of choices; zeros when they are used up.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => 0,
        }
    }

    fn word(&mut self) -> usize {
        usize::from(u16::from_le_bytes([self.byte(), self.byte()]))
    }

    /// A number below `n`.
    fn below(&mut self, n: usize) -> usize {
        if n <= 256 { usize::from(self.byte()) % n } else { self.word() % n }
    }
}

/// A preset with some fields set to anything that is accepted.
fn chosen_rules(choices: &mut Choices<'_>) -> RuleSet {
    let (_, mut rules) = RuleSet::ALL[choices.below(RuleSet::ALL.len())];
    for _ in 0..choices.below(12) {
        let field = FIELDS[choices.below(FIELDS.len())];
        let words: Vec<&str> = field.legal.split('`').skip(1).step_by(2).collect();
        let value = match choices.below(4) {
            0 => ["true", "false"][choices.below(2)].to_owned(),
            1 => choices.word().to_string(),
            _ if words.is_empty() => choices.byte().to_string(),
            _ => words[choices.below(words.len())].to_owned(),
        };
        // A method needs its packets.
        let packets = match value.as_str() {
            "full" => ["deal.packets=[8]", "deal.packets=[1,5,2]"][choices.below(2)],
            "turn-up" => ["deal.packets=[5]", "deal.packets=[1,1,3]"][choices.below(2)],
            _ => "auction.lowest=80",
        };
        let setting = format!("{}={value}", field.path);
        let alone = rules.with_settings([setting.as_str()]);
        rules = alone.or_else(|_| rules.with_settings([setting.as_str(), packets])).unwrap_or(rules);
    }
    assert_eq!(rules.options().validate(), Ok(rules));
    rules
}

fn chosen_deck(choices: &mut Choices<'_>) -> Deck {
    let mut cards = *Deck::sorted().cards();
    for at in (1..32).rev() {
        cards.swap(at, choices.below(at + 1));
    }
    Deck::from_cards(cards).expect("swaps make a permutation")
}

/// Plays one deal by choices, checking the laws on the way.
fn played(rules: &RuleSet, deck: Deck, dealer: Seat, choices: &mut Choices<'_>) -> DealState {
    let deal = Deal::new(&rules.deal, deck, dealer);
    let mut state = DealState::new(rules, &deal);
    loop {
        check_cards(&state);
        match state.turn() {
            Turn::Over => return state,
            Turn::Call(seat) => {
                let legal = state.legal_calls();
                // Passes and doubles as often as bids.
                let others = legal.len() - legal.bids();
                let n = if others > 0 && choices.below(2) == 0 {
                    choices.below(others)
                } else {
                    choices.below(legal.len())
                };
                let call = legal.nth(n).expect("there is a legal call");
                assert!(legal.contains(call));
                assert_eq!(state.call(call), Ok(seat));
            }
            Turn::Play(seat) => {
                let legal = state.legal_plays();
                let card = legal.nth(choices.below(legal.len())).expect("there is a legal card");
                let options = state.meld_options(seat);
                let melds = Some(options[choices.below(options.len())]);
                let play = Play { card, announce_belote: choices.below(2) == 0, melds };
                assert_eq!(state.play(play), Ok(seat));
            }
        }
    }
}

/// Cards are neither lost nor doubled, and views tell the truth.
fn check_cards(state: &DealState) {
    let Some(play) = state.play_state() else { return };
    let mut parts: Vec<CardSet> = Seat::ALL.map(|seat| play.hand(seat)).to_vec();
    parts.extend(Team::ALL.map(|team| play.taken(team)));
    parts.push(play.trick().map(|(_, card)| card).collect());
    assert_eq!(parts.iter().fold(CardSet::EMPTY, |all, part| all | *part), CardSet::FULL);
    assert_eq!(parts.iter().map(|part| part.len()).sum::<usize>(), 32);
    for card in Card::all() {
        assert_eq!(play.check(card).is_ok(), state.legal_plays().contains(card));
    }
    let view = state.view(play.to_play());
    for seat in Seat::ALL {
        assert!(play.hand(seat).is_subset(view.could_hold(seat)));
        assert!(view.known(seat).is_subset(play.hand(seat)));
    }
}

fn check_outcome(state: &DealState, game: &mut MatchState) {
    let rules = state.rules();
    match state.outcome().expect("the deal is over") {
        Outcome::ThrownIn => game.add_thrown_in(),
        Outcome::Played { result, score } => {
            let [even, odd] = result.card_points.0;
            assert_eq!(even + odd, rules.all_points(result.contract.strain));
            assert_eq!(result.tricks.0.iter().sum::<u8>(), 8);
            let before = game.score().0.iter().sum::<i32>() + game.held();
            game.add(&score, result.contract.declarer.team());
            let after = game.score().0.iter().sum::<i32>() + game.held();
            assert_eq!(after - before, score.points.0.iter().sum::<i32>() + score.held);
        }
    }
}

/// Byte-driven deals of a match over byte-driven rules; then the last record with bytes changed.
pub fn deal_bytes(data: &[u8]) {
    let mut choices = Choices(data);
    let rules = chosen_rules(&mut choices);
    let mut game = MatchState::new(&rules, Seat::from_index(choices.below(4)));
    let mut deck = chosen_deck(&mut choices);
    for number in 0..=choices.below(3) {
        let state = played(&rules, deck, game.dealer(), &mut choices);
        check_outcome(&state, &mut game);
        deck = state.to_past().gather().cut(2 + choices.below(29));
        assert_eq!(Deck::from_cards(*deck.cards()), Some(deck));
        let named = RulesRecord::new(&rules);
        let context = RecordContext {
            deal: u64::try_from(number).expect("a small number"),
            leg: 0,
            rules: &named,
            bots: BySeat(["a"; 4]),
            faults: &[],
            game: None,
        };
        let record = Record::new(&state, &context).expect("the deal is over");
        assert_eq!(replay(&record), []);
        let mut text = record.to_json().into_bytes();
        for _ in 0..choices.below(4) {
            let at = choices.below(text.len());
            text[at] = b"0123456789TJQKACDHSPWX\",:[]{}-nul "[choices.below(34)];
        }
        record_json(&text);
    }
}
