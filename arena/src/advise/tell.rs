//! An answer as sentences and tables, and as JSON.

use std::fmt::Write as _;

use coinche_bots::Choice;
use coinche_engine::{AuctionTurn, Call, Card, CardSet, Rank, Seat, Strain, Suit, View};
use serde_json::{Value, json};

use super::question::in_words;
use super::{Advice, Question, Weighed};
use crate::page::document::{Block, Cell, Document, Section, Table, plain, signed};
use crate::report::thousands;

/// Returns the answer for pages and files.
pub(crate) fn document(question: &Question, advice: &Advice) -> Document {
    let view = question.view();
    let mut blocks = vec![Block::Table(options(&view, advice))];
    let mut sections = vec![Section { id: "choices".to_owned(), title: "Choices".to_owned(), blocks }];
    blocks = vec![Block::Text(source(&view, advice)), Block::Items(evidence(&view))];
    blocks.extend(holdings(&view, advice).into_iter().map(Block::Table));
    blocks.push(Block::Folded(cards(&view, advice)));
    sections.push(Section { id: "others".to_owned(), title: "What the others hold".to_owned(), blocks });
    Document {
        title: "Advice".to_owned(),
        verdicts: sentences(&view, advice),
        scope: vec![situation(&view)],
        sections,
    }
}

/// Returns what a person reads.
pub(crate) fn text(question: &Question, advice: &Advice) -> String {
    let view = question.view();
    let mut text = format!("{}\n\n{}", situation(&view), options(&view, advice).text());
    let _ = writeln!(text, "\n{}", source(&view, advice));
    for line in evidence(&view) {
        let _ = writeln!(text, "  {line}");
    }
    for table in holdings(&view, advice) {
        let _ = write!(text, "\n{}", table.text());
    }
    text.push('\n');
    for sentence in sentences(&view, advice) {
        let _ = writeln!(text, "{sentence}");
    }
    text
}

/// Whose turn it is, with what, after what.
fn situation(view: &View<'_>) -> String {
    let rules = view.rules().preset_name().unwrap_or("of one's own");
    let score = view.match_score();
    let mut text = format!("Seat {}, dealer {}, rules {rules}: {}", view.seat(), view.dealer(), view.hand());
    if let Some(turned) = view.turned().filter(|_| view.contract().is_none()) {
        let _ = write!(text, ", turned up {turned}");
    }
    if let Some(contract) = view.auction().state().contract() {
        let what = if view.contract().is_some() { "contract" } else { "standing" };
        let _ = write!(text, "; {what} {}", in_words(&contract));
    }
    if view.contract().is_some() {
        let taken = view.points_taken();
        let _ = write!(text, ", trick {}", view.tricks().len() + 1);
        let on_table: Vec<_> = view.trick().map(|(_, card)| card.to_string()).collect();
        if !on_table.is_empty() {
            let _ = write!(text, ": {}", on_table.join(" "));
        }
        let team = view.seat().team();
        let _ = write!(text, ", points so far {} to {}", taken[team], taken[team.other()]);
    } else if matches!(view.auction().state().turn(), AuctionTurn::OfferCoinche(_)) {
        text.push_str("; offered a coinche");
    } else if matches!(view.auction().state().turn(), AuctionTurn::OfferSurcoinche(_)) {
        text.push_str("; offered a surcoinche");
    }
    let own = view.seat().team();
    if score[own] != 0 || score[own.other()] != 0 {
        let _ = write!(text, "; match {} to {}", score[own], score[own.other()]);
    }
    text
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// The table of choices.
fn options(view: &View<'_>, advice: &Advice) -> Table {
    let plays = view.contract().is_some();
    let half = |pair: [f64; 2]| pair[1];
    let mut heads = vec![if plays { "card" } else { "call" }, "advised", "chance", "score", "±"];
    if !plays {
        heads.extend(["over pass", "± of it"]);
    }
    heads.extend(["best in", "worlds"]);
    let caption = "`chance` that the contract is made: the one that is bid or taken, else the standing one; `score` \
                   expected of the deal, own side less other side, with half of its interval of 95 %; `best in`: the \
                   share of worlds in which nothing else is better.";
    let mut table = Table::new("advice", caption, &heads);
    for option in &advice.options {
        let advised = if option.choice == advice.choice { "yes" } else { "" };
        let mut row = vec![Cell::text(option.choice.to_string()), Cell::text(advised)];
        row.push(Cell::maybe(option.chance, Cell::Share));
        row.push(Cell::maybe(option.score, |[score, _]| Cell::Signed(score)));
        // What nothing was sampled for has no interval.
        let sampled =
            |pair: Option<[f64; 2]>| pair.map(half).filter(|half| option.worlds > 0 && half.is_finite());
        row.push(Cell::maybe(sampled(option.score), Cell::Plain));
        if !plays {
            row.push(Cell::maybe(option.gain, |[gain, _]| Cell::Signed(gain)));
            row.push(Cell::maybe(sampled(option.gain), Cell::Plain));
        }
        row.push(Cell::maybe(option.best, Cell::Share));
        row.push(Cell::Count(option.worlds));
        table.rows.push(row);
    }
    table
}

/// The others, from the partner on.
fn others(view: &View<'_>) -> [(Seat, &'static str); 3] {
    let seat = view.seat();
    [(seat.partner(), "partner"), (seat.next(), "left"), (seat.plus(3), "right")]
}

/// What the others did, a line each.
fn evidence(view: &View<'_>) -> Vec<String> {
    let line = |(seat, name): (Seat, &str)| {
        let calls = view.auction().calls().iter().filter(|(other, _)| *other == seat);
        let calls: Vec<_> = calls.map(|(_, call)| call.to_string()).collect();
        let said = if calls.is_empty() { "nothing yet".to_owned() } else { calls.join(", ") };
        let mut line = format!("{name}, seat {seat}: {said}");
        let is_out_of = |suit: &Suit| view.contract().is_some() && view.is_void(seat, *suit);
        let voids: Vec<_> = Suit::ALL.into_iter().filter(is_out_of).map(|suit| suit.to_string()).collect();
        if !voids.is_empty() {
            let _ = write!(line, "; out of {}", voids.join(" "));
        }
        line
    };
    others(view).map(line).to_vec()
}

/// What the evidence is read by.
fn source(view: &View<'_>, advice: &Advice) -> String {
    let cards = if view.contract().is_some() { " and the cards played" } else { "" };
    format!(
        "What the others hold now, read from their calls{cards}, in {} deals that fit, as good as {} of equal weight:",
        thousands(advice.holdings.draws.into()),
        thousands(advice.holdings.effective()),
    )
}

/// What each of the others holds, by strain.
fn holdings(view: &View<'_>, advice: &Advice) -> Vec<Table> {
    let caption = "By strain and seat: trumps in the mean, the chances of their jack, nine and ace, and the aces beside \
                   them (without trumps, all aces) in the mean.";
    let heads = ["strain", "who", "seat", "trumps", "J", "9", "A", "aces beside"];
    let mut suits = Table::new("others", caption, &heads);
    let (jacks, nines) = (CardSet::rank(Rank::Jack), CardSet::rank(Rank::Nine));
    let mut tops = Table::new(
        "tops",
        "For SA and TA, by seat: jacks, nines, aces and tens in the mean.",
        &["who", "seat", "jacks", "nines", "aces", "tens"],
    );
    let held = &advice.holdings;
    for strain in &advice.strains {
        let Some(trump) = strain.trump() else { continue };
        for (seat, who) in others(view) {
            let top = |rank: Rank| Cell::Share(held.chance(seat, Card::new(trump, rank)));
            suits.rows.push(vec![
                Cell::text(strain.to_string()),
                Cell::text(who),
                Cell::Count(seat as u64),
                Cell::Plain(held.trumps(seat, trump)),
                top(Rank::Jack),
                top(Rank::Nine),
                top(Rank::Ace),
                Cell::Plain(held.aces_beside(seat, *strain)),
            ]);
        }
    }
    if suits.rows.is_empty() || advice.strains.iter().any(|strain| strain.trump().is_none()) {
        for (seat, who) in others(view) {
            let mut row = vec![Cell::text(who), Cell::Count(seat as u64)];
            row.extend([jacks, nines].map(|cards| Cell::Plain(held.mean(seat, cards))));
            row.push(Cell::Plain(held.aces_beside(seat, Strain::NoTrump)));
            row.push(Cell::Plain(held.mean(seat, CardSet::rank(Rank::Ten))));
            tops.rows.push(row);
        }
    }
    [suits, tops].into_iter().filter(|table| !table.rows.is_empty()).collect()
}

/// The chance of every card to be in every hand.
fn cards(view: &View<'_>, advice: &Advice) -> Table {
    let heads = ["card", "partner", "left", "right"];
    let mut table = Table::new("cards", "The chance of each card to be in each hand.", &heads);
    for card in view.unseen() {
        let mut row = vec![Cell::text(card.to_string())];
        row.extend(others(view).map(|(seat, _)| Cell::Share(advice.holdings.chance(seat, card))));
        table.rows.push(row);
    }
    table
}

/// The advice in words.
fn sentences(view: &View<'_>, advice: &Advice) -> Vec<String> {
    let find = |choice: Choice| advice.options.iter().find(|option| option.choice == choice);
    let chosen = find(advice.choice);
    let mut sentence = match advice.choice {
        Choice::Card(card) => of_card(card, chosen, advice),
        Choice::Call(call) => of_call(view, call, chosen, advice),
    };
    if advice.figures_of_others {
        let _ = write!(
            sentence,
            " The choice is that of {}, which gives no figures; they are those of solved deals.",
            advice.by
        );
    }
    vec![sentence]
}

fn of_card(card: Card, chosen: Option<&Weighed>, advice: &Advice) -> String {
    if advice.options.len() == 1 {
        return format!("Play {card}: no other card is legal.");
    }
    let mut text = format!("Play {card}");
    if let Some(chance) = chosen.and_then(|option| option.chance) {
        let _ = write!(text, ": the contract is then made in {} of deals that fit", percent(chance));
    }
    if let Some([score, half]) = chosen.and_then(|option| option.score) {
        let _ = write!(text, ", and the deal scores {} ± {}", signed(score), plain(half));
    }
    text.push('.');
    text
}

fn of_call(view: &View<'_>, call: Call, chosen: Option<&Weighed>, advice: &Advice) -> String {
    let standing = view.auction().state().contract().map(|contract| in_words(&contract));
    let chance = chosen.and_then(|option| option.chance).map(percent);
    let mut text = match call {
        Call::Pass | Call::Wait => if call == Call::Wait { "Wait" } else { "Pass" }.to_owned(),
        Call::Coinche => "Coinche".to_owned(),
        Call::Surcoinche => "Surcoinche".to_owned(),
        Call::Bid(_) => format!("Bid {call}"),
        Call::Take | Call::TakeIn(_) => format!("Call {call}"),
    };
    match (call, chance, standing) {
        (Call::Bid(_) | Call::Take | Call::TakeIn(_), Some(chance), _) => {
            let _ = write!(text, ": makes in {chance} of deals that fit");
        }
        (_, Some(chance), Some(standing)) => {
            let _ = write!(text, ": {standing} makes in {chance} of deals that fit");
        }
        _ => {}
    }
    if let Some([gain, half]) = chosen.and_then(|option| option.gain) {
        let _ = write!(text, ", {} ± {} points a deal more than a pass", signed(gain), plain(half));
    } else if call.is_pass() {
        let better = |option: &&Weighed| !matches!(option.choice, Choice::Call(other) if other.is_pass());
        // They are sorted.
        if let Some(next) = advice.options.iter().find(better)
            && let Some([gain, half]) = next.gain
        {
            let (mark, gain) = if text.contains(':') { (";", -gain) } else { (":", -gain) };
            let _ = write!(
                text,
                "{mark} {} is {} ± {} points a deal behind",
                next.choice,
                plain(gain),
                plain(half)
            );
        }
    }
    text.push('.');
    text
}

/// Returns the answer as one object for programs.
pub(crate) fn json(question: &Question, advice: &Advice) -> Value {
    let view = question.view();
    let finite = |pair: Option<[f64; 2]>| {
        pair.map(|pair| pair.map(|x| if x.is_finite() { json!(x) } else { Value::Null }))
    };
    let options: Vec<Value> = advice
        .options
        .iter()
        .map(|option| {
            json!({
                "choice": option.choice.to_string(),
                "advised": option.choice == advice.choice,
                "chance": option.chance,
                "score": finite(option.score),
                "over_pass": finite(option.gain),
                "best": option.best,
                "worlds": option.worlds,
            })
        })
        .collect();
    let held = &advice.holdings;
    let others: Vec<Value> = others(&view)
        .into_iter()
        .map(|(seat, who)| {
            let strains: serde_json::Map<String, Value> = advice
                .strains
                .iter()
                .map(|strain| {
                    let held = json!({
                        "trumps": strain.trump().map(|trump| held.trumps(seat, trump)),
                        "aces_beside": held.aces_beside(seat, *strain),
                    });
                    (strain.to_string(), held)
                })
                .collect();
            let cards: serde_json::Map<String, Value> = view
                .unseen()
                .into_iter()
                .map(|card| (card.to_string(), json!(held.chance(seat, card))))
                .collect();
            json!({ "seat": seat as u8, "who": who, "strains": strains, "cards": cards })
        })
        .collect();
    json!({
        "seat": view.seat() as u8,
        "dealer": view.dealer() as u8,
        "rules": view.rules(),
        "hand": view.hand().to_string(),
        "advice": advice.choice.to_string(),
        "by": advice.by,
        "figures_of_others": advice.figures_of_others,
        "options": options,
        "others": others,
        "draws": held.draws,
        "effective_draws": held.effective(),
        "sentence": sentences(&view, advice).join(" "),
    })
}
