//! The file of the bidding table: whole, damaged, missing.

use std::path::Path;

use coinche_bots::Registry;
use coinche_bots::table::{BiddingTable, TableError};
use coinche_engine::{Call, Deal, DealState, Deck, Key, RuleSet, Seat, Turn};

/// The text with its last line made right.
fn summed(text: &str) -> String {
    // The error of a wrong sum says what it should be.
    let body = text.trim_end();
    let end = body.rfind('\n').map_or(0, |end| end + 1);
    match BiddingTable::from_text(text) {
        Err(TableError::Sum(sum)) => format!("{}{sum}\n", &body[..end]),
        _ => text.to_owned(),
    }
}

#[test]
fn the_built_in_table_is_what_is_written() {
    let text = include_str!("../../data/bidding.txt");
    let table = BiddingTable::from_text(text).unwrap();
    assert_eq!(&table, BiddingTable::built_in());
    assert_eq!(table.to_text(), text);
    assert_eq!(BiddingTable::from_text(&BiddingTable::default().to_text()), Ok(BiddingTable::default()));
}

#[test]
fn what_is_wrong_is_named() {
    let text = BiddingTable::built_in().to_text();
    assert_eq!(BiddingTable::from_text(""), Err(TableError::Title));
    assert!(BiddingTable::from_text("[table]\n").unwrap_err().to_string().contains("`arena fit` makes one"));
    // A number that was changed, the end that is missing.
    let changed = text.replacen("constant 0: ", "constant 0: 1", 1);
    assert!(matches!(BiddingTable::from_text(&changed), Err(TableError::Sum(_))));
    assert!(matches!(BiddingTable::from_text(&text[..text.len() / 2]), Err(TableError::Sum(_))));
    // The same with a sum that is right.
    let line = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        BiddingTable::from_text(&summed(&text.replacen(from, to, 1))).unwrap_err().to_string()
    };
    assert!(
        line("constant 0: ", "constant 0: x").contains("at line 2: expected `constant 0:` and 1 numbers")
    );
    assert!(line("constant 0: ", "constant 0: 1 ").contains("at line 2"));
    assert!(line("constant 0: ", "constant 0: 99999").contains("from -30000 to 30000"));
    assert!(line("trump 0: ", "trump 1: ").contains("at line 3: expected `trump 0:` and 256 numbers"));
    assert!(line("\ngain 0: ", "\ngain 0: nan ").contains("`gain 0:`"));
    assert!(line("\nmade 41: ", "\nmade 40: ").contains("`made 41:`"));
    assert!(line("\ndd 3: ", "\ndd 3: 0 ").contains("`dd 3:` and 2 numbers"));
    // A table of before the forecasts.
    let old = text.replacen("coinche bidding table 3", "coinche bidding table 1", 1);
    assert_eq!(BiddingTable::from_text(&old), Err(TableError::Title));
    assert!(line("\nsum ", "\nmore 1\nsum ").contains("expected `sum "));
    let cut = &text[..text.find("told 3:").unwrap()];
    let error = BiddingTable::from_text(&summed(&format!("{cut}sum 0\n"))).unwrap_err().to_string();
    assert!(error.contains("expected `told 3:`"), "{error}");
}

#[test]
fn a_missing_or_damaged_file_is_refused() {
    let error = |path: &Path| {
        Registry::builtin().parse(&format!("table:file={}+rules", path.display())).unwrap_err().to_string()
    };
    let dir = tempfile::tempdir().unwrap();
    let (missing, damaged, whole) =
        (dir.path().join("none.txt"), dir.path().join("bad.txt"), dir.path().join("own.txt"));
    let text = error(&missing);
    assert!(text.contains("none.txt") && text.contains("arena fit --out"), "{text}");
    std::fs::write(&damaged, "coinche bidding table 3\n").unwrap();
    assert!(error(&damaged).contains("bot `table`: `file`: the bidding table is damaged"));
    std::fs::write(&damaged, [0xff, 0xfe]).unwrap();
    assert!(error(&damaged).contains("cannot read the table"));
    std::fs::write(&whole, BiddingTable::built_in().to_text()).unwrap();
    assert!(Registry::builtin().parse(&format!("table:file={}+rules", whole.display())).is_ok());
}

#[test]
fn no_text_makes_the_reader_panic() {
    let text = BiddingTable::built_in().to_text();
    let mut key = Key::from_bits(7);
    let mut draw = |n: usize| {
        key = key.and(1);
        key.below(n)
    };
    let mut read = 0;
    for _ in 0..300 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..=draw(3) {
            let (at, other) = (draw(bytes.len()), draw(bytes.len()));
            match draw(5) {
                0 => bytes[at] = u8::try_from(draw(128)).unwrap(),
                1 => bytes.truncate(at),
                2 => drop(bytes.drain(at.min(other)..(at.min(other) + draw(40)).min(bytes.len()))),
                3 => bytes[at] = b"0123456789 -.\n"[draw(14)],
                _ => bytes.swap(at, other),
            }
            if bytes.is_empty() {
                break;
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        // As it is, and with a sum that is right.
        assert!(
            BiddingTable::from_text(&text).is_err()
                || text.trim_end() == BiddingTable::built_in().to_text().trim_end()
        );
        read += usize::from(BiddingTable::from_text(&summed(&text)).is_ok());
    }
    assert!(read > 10, "{read} of the tables could be read");
}

#[test]
fn what_is_told_agrees_with_what_is_called() {
    let registry = Registry::builtin();
    let (mut told, mut alone) = (0, 0);
    for (name, rules) in RuleSet::PRESETS {
        for bidder in ["table+rules", "dd:worlds=2+rules"] {
            let mut bot = registry.parse(bidder).unwrap().build();
            for index in 0..12 {
                let deal = Deal::new(&rules.deal, Deck::shuffled(3, index), Seat::S1);
                let mut state = DealState::new(&rules, &deal);
                let mut key = Key::from_bits(index);
                bot.bidder.start();
                while let Turn::Call(seat) = state.turn() {
                    key = key.and(1);
                    let call = bot.bidder.call(&state.view(seat), &state.legal_calls(), key);
                    if let Some(thought) = bot.bidder.thought() {
                        let chosen = thought.options.iter().find(|it| it.choice == call.into()).unwrap();
                        assert_eq!(
                            (thought.points, thought.chance),
                            (Some(chosen.mean), chosen.chance),
                            "{name}"
                        );
                        assert!(chosen.chance.is_none_or(|chance| (0.0..=1.0).contains(&chance)));
                        let bids = matches!(call, Call::Bid(_) | Call::Take | Call::TakeIn(_));
                        // A bid always has a chance; what was not sampled, the best score.
                        assert!(chosen.chance.is_some() || !bids, "{name} {call}");
                        let most = thought.options.iter().map(|it| it.mean).fold(f64::MIN, f64::max);
                        assert!(chosen.worlds > 0 || chosen.mean > most - 1e-3, "{name} {call}");
                        told += 1;
                        alone += usize::from(bidder.starts_with("dd") && thought.options.len() == 1);
                    }
                    state.call(call).unwrap();
                }
            }
        }
    }
    // `dd` tells where it has nothing to search too.
    assert!(told > 500 && alone > 50, "{told} {alone}");
}
