//! A fast path for the records that `arena` writes, parsed byte by byte.
//!
//! Their fields have a fixed order and no whitespace between them, which a general JSON parser cannot exploit. Whatever
//! is unexpected here is left to the general parser, so this one never rejects a record.

use std::borrow::Cow;
use std::cell::RefCell;

use memchr::{memchr, memmem, memrchr};

use coinche_engine::record::{BeloteRecord, Record, RulesRecord};
use coinche_engine::{BySeat, ByTeam, Call, Card, CardSet, Contract, Goal, Seat, Stake, Trick};
use serde_json::value::RawValue;

use super::line::{BeloteLine, ContractLine, Line, NO_TRICK, Raw, Tricks};
use super::words::{Aim, As, Name, SeatNumber, Word, bid, card};

/// A record, its pairing and the text of its thoughts.
pub type Whole<'a> = (Record, Option<u64>, Option<&'a str>);

/// The rest of a line.
struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    /// Consumes the expected bytes, of a size known at compile time.
    #[inline]
    fn expect<const N: usize>(&mut self, bytes: &[u8; N]) -> Option<()> {
        let (next, rest) = self.0.split_first_chunk::<N>()?;
        if next != bytes {
            return None;
        }
        self.0 = rest;
        Some(())
    }

    /// Consumes the bytes if they come next, and returns whether they did.
    #[inline]
    fn skip<const N: usize>(&mut self, bytes: &[u8; N]) -> bool {
        self.expect(bytes).is_some()
    }

    /// Parses a number of at most 18 digits.
    #[inline]
    fn number(&mut self) -> Option<u64> {
        let digits = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = self.0.split_at(digits);
        // JSON has no leading zeros; longer numbers are left to the general parser.
        if digits.is_empty() || digits.len() > 18 || (digits[0] == b'0' && digits.len() > 1) {
            return None;
        }
        self.0 = rest;
        Some(digits.iter().fold(0, |number, digit| 10 * number + u64::from(digit - b'0')))
    }

    #[inline]
    fn signed(&mut self) -> Option<i32> {
        let negative = self.skip(b"-");
        let number = i32::try_from(self.number()?).ok()?;
        Some(if negative { -number } else { number })
    }

    /// Parses a list of two values.
    #[inline]
    fn pair<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<[T; 2]> {
        self.expect(b"[")?;
        let first = read(self)?;
        self.expect(b",")?;
        let second = read(self)?;
        self.expect(b"]")?;
        Some([first, second])
    }

    /// Parses four values separated by commas.
    #[inline]
    fn four<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<[T; 4]> {
        let mut next = |last: bool| {
            let one = read(self)?;
            if !last {
                self.expect(b",")?;
            }
            Some(one)
        };
        Some([next(false)?, next(false)?, next(false)?, next(true)?])
    }

    #[inline]
    fn seat(&mut self) -> Option<SeatNumber> {
        let (seat, rest) = self.0.split_first()?;
        if !(b'0'..=b'3').contains(seat) {
            return None;
        }
        self.0 = rest;
        Some(SeatNumber(Seat::from_index(usize::from(seat - b'0'))))
    }

    #[inline]
    fn truth(&mut self) -> Option<bool> {
        if self.skip(b"true") { Some(true) } else { self.expect(b"false").map(|()| false) }
    }

    /// Parses any value, and keeps its text.
    fn raw(&mut self) -> Option<Raw<'a>> {
        let mut values = serde_json::Deserializer::from_slice(self.0).into_iter::<&'a RawValue>();
        let value = values.next()?.ok()?;
        self.0 = &self.0[values.byte_offset()..];
        Some(Raw(value.get()))
    }

    /// Skips a list, the last one of the line, and keeps its text, which may be anything between brackets.
    fn last_list(&mut self) -> Option<Raw<'a>> {
        let (list, rest) = self.0.split_at(memrchr(b']', self.0)? + 1);
        if memmem::find(list, b"\"match\"").is_some() {
            return self.raw();
        }
        self.0 = rest;
        std::str::from_utf8(list).ok().filter(|list| list.starts_with('[')).map(Raw)
    }

    /// Parses a quoted string without escapes.
    #[inline]
    fn text(&mut self) -> Option<&'a [u8]> {
        self.expect(b"\"")?;
        let end = self.0.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..=31))?;
        let (text, rest) = self.0.split_at(end);
        self.0 = rest;
        self.expect(b"\"")?;
        Some(text)
    }

    #[inline]
    fn card(&mut self) -> Option<Card> {
        let [b'"', rank, suit, b'"', rest @ ..] = self.0 else { return None };
        let card = card(&[*rank, *suit])?;
        self.0 = rest;
        Some(card)
    }

    #[inline]
    fn hand(&mut self) -> Option<CardSet> {
        self.expect(b"\"")?;
        let mut hand = CardSet::EMPTY;
        loop {
            let [rank, suit, after, rest @ ..] = self.0 else { return None };
            if !hand.insert(card(&[*rank, *suit])?) {
                return None;
            }
            self.0 = rest;
            match after {
                b' ' => {}
                b'"' => return Some(hand),
                _ => return None,
            }
        }
    }

    #[inline]
    fn call(&mut self) -> Option<Call> {
        match self.text()? {
            b"P" => Some(Call::Pass),
            b"X" => Some(Call::Coinche),
            text => bid(text)
                .map(Call::Bid)
                .or_else(|| std::str::from_utf8(text).ok().and_then(|text| Call::read(text).ok())),
        }
    }

    fn word<T: Word>(&mut self) -> Option<As<T>> {
        T::read(std::str::from_utf8(self.text()?).ok()?).ok().map(As)
    }

    fn auction(&mut self) -> Option<Vec<(SeatNumber, As<Call>)>> {
        let mut calls = Vec::with_capacity(12);
        self.expect(b"[")?;
        while !self.skip(b"]") {
            if !calls.is_empty() {
                self.expect(b",")?;
            }
            self.expect(b"[")?;
            let seat = self.seat()?;
            self.expect(b",")?;
            calls.push((seat, As(self.call()?)));
            self.expect(b"]")?;
        }
        Some(calls)
    }

    fn contract(&mut self) -> Option<ContractLine> {
        self.expect(b"{\"bid\":")?;
        let bid = self.word::<Aim>()?;
        self.expect(b",\"declarer\":")?;
        let declarer = self.seat()?;
        self.expect(b",\"stake\":")?;
        let stake = self.word::<Stake>()?;
        self.expect(b"}")?;
        Some(ContractLine { bid, declarer, stake })
    }

    fn belote(&mut self) -> Option<BeloteLine> {
        self.expect(b"{\"seat\":")?;
        let seat = self.seat()?;
        self.expect(b",\"announced\":")?;
        let announced = self.truth()?;
        self.expect(b"}")?;
        Some(BeloteLine { seat, announced })
    }

    /// Skips what comes before the next such byte.
    #[inline]
    fn skip_to(&mut self, byte: u8) -> Option<()> {
        let place = memchr(byte, self.0)?;
        self.0 = &self.0[place..];
        Some(())
    }

    /// Skips a list of tricks, each of which has a list of cards.
    fn skip_tricks(&mut self) -> Option<Tricks> {
        while !self.0.starts_with(b"],\"tricks_won\":") {
            self.0 = self.0.get(1..)?;
            self.skip_to(b']')?;
        }
        self.expect(b"]")?;
        Some(Tricks { tricks: [NO_TRICK; 8], count: 0 })
    }

    fn tricks(&mut self) -> Option<Tricks> {
        let mut tricks = Tricks { tricks: [NO_TRICK; 8], count: 0 };
        self.expect(b"[")?;
        while !self.skip(b"]") {
            if tricks.count > 0 {
                self.expect(b",")?;
            }
            self.expect(b"{\"leader\":")?;
            let leader = self.seat()?.0;
            self.expect(b",\"cards\":[")?;
            let cards = self.four(Self::card)?;
            self.expect(b"],\"winner\":")?;
            let winner = self.seat()?.0;
            self.expect(b"}")?;
            *tricks.tricks.get_mut(tricks.count)? = Trick { leader, cards, winner };
            tricks.count += 1;
        }
        Some(tricks)
    }
}

/// Whether hands and tricks are parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cards {
    Parsed,
    /// They are left out, unseen.
    LeftOut,
}

/// Parses a line in the form that `arena` writes, with this text of rules or with any; `None` for anything else, including
/// the rarer records with melds, belotes of all trump or faults.
pub(super) fn read<'a>(line: &'a [u8], rules: Option<&'a str>) -> Option<Line<'a>> {
    parse(line, rules, Cards::Parsed)
}

fn parse<'a>(line: &'a [u8], rules: Option<&'a str>, cards: Cards) -> Option<Line<'a>> {
    let mut at = Cursor(line);
    at.expect(b"{\"v\":1,\"deal\":")?;
    let deal = at.number()?;
    at.expect(b",\"leg\":")?;
    let leg = at.number()?.try_into().ok()?;
    at.expect(b",\"rules\":")?;
    let rules = match rules {
        Some(rules) => {
            at.0 = at.0.strip_prefix(rules.as_bytes())?;
            Raw(rules)
        }
        None => at.raw()?,
    };
    at.expect(b",\"dealer\":")?;
    let dealer = at.seat()?;
    at.expect(b",\"bots\":[")?;
    let bots = at.four(|at| std::str::from_utf8(at.text()?).ok().map(|name| Name(Cow::Borrowed(name))))?;
    at.expect(b"],\"hands\":[")?;
    let hands = match cards {
        Cards::Parsed => at.four(|at| at.hand().map(As))?,
        Cards::LeftOut => at.skip_to(b']').map(|()| [CardSet::EMPTY; 4].map(As))?,
    };
    at.expect(b"],\"turned\":")?;
    let turned = if at.skip(b"null") { None } else { Some(As(at.card()?)) };
    at.expect(b",\"auction\":")?;
    let auction = at.auction()?;
    at.expect(b",\"contract\":")?;
    let contract = if at.skip(b"null") { None } else { Some(at.contract()?) };
    at.expect(b",\"melds\":[],\"belote\":")?;
    let belote = if at.skip(b"null") { None } else { Some(at.belote()?) };
    at.expect(b",\"tricks\":")?;
    let tricks = match cards {
        Cards::Parsed => at.tricks()?,
        Cards::LeftOut => at.skip_tricks()?,
    };
    at.expect(b",\"tricks_won\":")?;
    let tricks_won = at.pair(|at| u8::try_from(at.number()?).ok())?;
    at.expect(b",\"card_points\":")?;
    let card_points = at.pair(|at| u16::try_from(at.number()?).ok())?;
    at.expect(b",\"made\":")?;
    let made = if at.skip(b"null") { None } else { Some(at.truth()?) };
    at.expect(b",\"score\":")?;
    let score = at.pair(Cursor::signed)?;
    let held = if at.skip(b",\"held\":") { at.signed()? } else { 0 };
    at.expect(b",\"faults\":[]")?;
    let thoughts = match (at.skip(b",\"thoughts\":"), cards) {
        (false, _) => None,
        (true, Cards::Parsed) => Some(at.raw()?),
        (true, Cards::LeftOut) => Some(at.last_list()?),
    };
    let (mut game, mut deal_in_match, mut match_score) = (None, None, None);
    if at.skip(b",\"match\":") {
        game = Some(at.number()?);
        at.expect(b",\"deal_in_match\":")?;
        deal_in_match = Some(at.number()?);
        at.expect(b",\"match_score\":")?;
        match_score = Some(at.pair(Cursor::signed)?);
    }
    let pairing = if at.skip(b",\"pairing\":") { Some(at.number()?) } else { None };
    at.expect(b"}")?;
    let melds = Vec::new();
    let faults = Vec::new();
    at.0.iter().all(u8::is_ascii_whitespace).then_some(Line {
        v: 1,
        deal,
        leg,
        rules,
        dealer,
        bots,
        hands,
        turned,
        auction,
        contract,
        melds,
        belote,
        belotes: Vec::new(),
        tricks,
        tricks_won,
        card_points,
        made,
        score,
        held,
        faults,
        game,
        deal_in_match,
        match_score,
        pairing,
        thoughts,
    })
}

impl Line<'_> {
    /// Returns the record of a line without melds, belotes of all trump and faults, as [`read`] returns them.
    fn into_record(self) -> Option<Record> {
        let contract = |ContractLine { bid, declarer, stake }: ContractLine| Contract {
            declarer: declarer.0,
            strain: bid.0.strain,
            goal: bid.0.value.map_or(Goal::Majority, Goal::Bid),
            stake: stake.0,
        };
        let belote =
            |line: BeloteLine| BeloteRecord { seat: line.seat.0, announced: line.announced, suit: None };
        Some(Record {
            v: self.v,
            deal: self.deal,
            leg: self.leg,
            rules: rules(self.rules.0)?,
            dealer: self.dealer.0,
            bots: BySeat(self.bots.map(|name| name.0.into_owned())),
            hands: BySeat(self.hands.map(|hand| hand.0)),
            turned: self.turned.map(|card| card.0),
            auction: self.auction.into_iter().map(|(seat, call)| (seat.0, call.0)).collect(),
            contract: self.contract.map(contract),
            melds: Vec::new(),
            belote: self.belote.map(belote),
            belotes: Vec::new(),
            tricks: self.tricks.tricks[..self.tricks.count].to_vec(),
            tricks_won: ByTeam(self.tricks_won),
            card_points: ByTeam(self.card_points),
            made: self.made,
            score: ByTeam(self.score),
            held: self.held,
            faults: Vec::new(),
            game: self.game,
            deal_in_match: self.deal_in_match,
            match_score: self.match_score.map(ByTeam),
            misdeals: 0,
        })
    }
}

thread_local! {
    /// The text of the rules of the last record, and what it says: in a file they are mostly the same.
    static LAST: RefCell<Option<(String, RulesRecord)>> = const { RefCell::new(None) };
}

/// Parses rules, unless they are those of the record before.
fn rules(text: &str) -> Option<RulesRecord> {
    LAST.with_borrow_mut(|last| match last {
        Some((known, rules)) if known == text => Some(rules.clone()),
        _ => {
            let rules: RulesRecord = serde_json::from_str(text).ok()?;
            *last = Some((text.to_owned(), rules.clone()));
            Some(rules)
        }
    })
}

/// Parses the record of a line, its pairing and the text of its thoughts; `None` where the general parser is to do it.
pub(in crate::records) fn whole(line: &[u8]) -> Option<Whole<'_>> {
    told(read(line, None)?)
}

/// Parses the same without the hands and the tricks of the record.
pub(in crate::records) fn without_cards(line: &[u8]) -> Option<Whole<'_>> {
    told(parse(line, None, Cards::LeftOut)?)
}

fn told(line: Line<'_>) -> Option<Whole<'_>> {
    let (pairing, thoughts) = (line.pairing, line.thoughts.map(|text| text.0));
    Some((line.into_record()?, pairing, thoughts))
}

#[cfg(test)]
mod tests {
    use coinche_engine::RuleSet;

    use super::*;
    use crate::records::test_lines::lines;

    /// Parses a line both ways and returns whether the fast path accepted it.
    fn agree(line: &[u8], rules: &str) -> bool {
        let slow = || std::str::from_utf8(line).ok().and_then(|line| Record::from_json(line).ok());
        if let Some((record, ..)) = whole(line) {
            assert_eq!(Some(record), slow(), "{}", String::from_utf8_lossy(line));
        }
        if let (Some((auction, pairing, thoughts)), Some(mut record)) = (without_cards(line), slow()) {
            assert!(auction.tricks.is_empty() && auction.hands == BySeat([CardSet::EMPTY; 4]));
            (record.hands, record.tricks) = (auction.hands, Vec::new());
            assert_eq!(auction, record);
            assert_eq!(
                whole(line).map(|(_, pairing, thoughts)| (pairing, thoughts)),
                Some((pairing, thoughts))
            );
        }
        let Some(quick) = read(line, Some(rules)) else { return false };
        assert_eq!(read(line, None).as_ref(), Some(&quick));
        assert_eq!(Some(quick), Line::read(line).ok(), "{}", String::from_utf8_lossy(line));
        true
    }

    #[test]
    fn both_ways_read_the_same() {
        for (name, rules) in RuleSet::ALL {
            let text = lines(name, ["random:pass=0.6", "rules"], 12);
            let records: Vec<_> = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
            let rules_text = format!("\"{name}\"");
            let known = records.iter().filter(|line| agree(line, &rules_text)).count();
            assert_eq!(records.len(), 24);
            assert!(known >= if rules.melds.enabled { 4 } else { 23 }, "{name}: {known}");
            assert!(!agree(records[0], "\"other\""));
        }
    }

    #[test]
    fn what_is_damaged_is_read_as_the_slow_way_reads_it_or_not_at_all() {
        let text = lines("bga", ["random:pass=0.6", "table+rules"], 4);
        for line in text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            for at in 0..line.len() {
                let mut damaged = line.to_vec();
                damaged.remove(at);
                agree(&damaged, "\"bga\"");
                for byte in *b"0 \"8\\S\xc3" {
                    damaged = line.to_vec();
                    damaged[at] = byte;
                    agree(&damaged, "\"bga\"");
                }
                agree(&line[..at], "\"bga\"");
            }
        }
    }
}
