//! An answer as sentences and tables.

use coinche_bots::Choice;
use coinche_engine::{Call, Card, CardSet, Rank, Seat, Strain, Suit, View};
use coinche_selfplay::document::columns::{CARD, PLAYER, SEAT, STRAIN};
use coinche_selfplay::document::draw::{GridCell, Mark, forest, grid, shade};
use coinche_selfplay::document::{Block, Document, Picture, Section, Table, measured, named, words};

use super::sentences::{estimate, evidence, others, percent, sentences, situation, source};
use super::{Advice, Question, Weighed};

/// Returns the answer for pages and files.
pub fn document(question: &Question, advice: &Advice) -> Document {
    let view = question.view();
    let options = options(&view, advice);
    let mut blocks = vec![Block::Cards(view.hand().natural().collect()), Block::Display(options.clone())];
    blocks.push(Block::Picture(scores(advice, options)));
    let mut sections = vec![Section::new("choices", "Choices", blocks)];
    blocks = vec![Block::Text(source(&view, advice)), Block::Items(evidence(&view, advice))];
    blocks.push(Block::Picture(picture(&view, advice)));
    blocks.extend(holdings(&view, advice).into_iter().map(Block::Table));
    sections.push(Section::new("others", "What the others hold", blocks));
    Document {
        title: "Advice".to_owned(),
        command: "advise",
        verdicts: vec![headline(&view, advice)],
        scope: sentences(&view, advice)
            .into_iter()
            .chain([situation(&view), advice.models.clone()])
            .collect(),
        sections,
    }
}

/// Names a choice as people write it.
fn shown(choice: Choice) -> String {
    match choice {
        Choice::Call(call) => words::call(call),
        Choice::Card(card) => format!("{} {}", words::rank(card.rank()), card.suit().symbol()),
    }
}

/// Returns the advice in a line.
fn headline(view: &View<'_>, advice: &Advice) -> String {
    let chosen = advice.options.iter().find(|option| option.choice == advice.choice);
    let what = shown(advice.choice);
    let (what, is_bid) = match advice.choice {
        Choice::Card(_) => (format!("Play {what}"), false),
        Choice::Call(Call::Bid(_)) => (format!("Bid {what}"), true),
        Choice::Call(call) => (format!("Call {what}"), matches!(call, Call::Take | Call::TakeIn(_))),
    };
    let mut parts = Vec::new();
    if let Some(chance) = chosen.and_then(|option| option.chance).filter(|_| is_bid) {
        parts.push(format!("{} to make", percent(chance)));
    }
    let is_pass = matches!(advice.choice, Choice::Call(call) if call.is_pass());
    if let Some([gain, half]) = chosen.and_then(|option| option.gain).filter(|_| !is_pass) {
        parts.push(format!("{} points over a pass", estimate(gain, half)));
    } else if let Some([score, half]) =
        chosen.and_then(|option| option.score).filter(|_| advice.options.len() > 1)
    {
        parts.push(format!("expected score {}", estimate(score, half)));
    }
    if view.contract().is_some() && advice.options.len() == 1 {
        parts.push("no other card is legal".to_owned());
    }
    if parts.is_empty() { what } else { format!("{what}: {}", parts.join(", ")) }
}

/// Draws the scores of the choices; `table` is that of all their figures.
fn scores(advice: &Advice, table: Table) -> Picture {
    let mark = |option: &Weighed| {
        let [mean, half] = option.score?;
        Mark::of(
            shown(option.choice),
            (mean, Some(half).filter(|half| option.worlds > 0 && half.is_finite())),
        )
    };
    let marks: Vec<_> = advice.options.iter().filter_map(mark).collect();
    let svg = forest("Expected scores", "expected score of the deal, own side less the other", &marks);
    Picture::new(svg, "Expected score of each choice, with 95 % intervals of the sampling.", table)
}

/// Draws the chance of each card to be in the hand of each of the others.
fn picture(view: &View<'_>, advice: &Advice) -> Picture {
    let ranks = || Rank::NATURAL.iter().rev();
    let columns: Vec<_> = ranks().map(|rank| words::rank(*rank)).collect();
    let cell = |seat: Seat, card: Card| {
        if !view.unseen().contains(card) {
            return GridCell::default();
        }
        let chance = advice.holdings.chance(seat, card);
        let tip = format!("{}: {}", shown(Choice::Card(card)), percent(chance));
        GridCell {
            shade: shade(chance, false),
            text: format!("{:.0}", 100.0 * chance),
            tip,
            ..GridCell::default()
        }
    };
    let mut rows = Vec::new();
    for (seat, who) in others(view) {
        for suit in Suit::ALL.into_iter().rev() {
            let cells = ranks().map(|rank| cell(seat, Card::new(suit, *rank))).collect();
            rows.push((format!("{who} {}", suit.symbol()), cells));
        }
    }
    let caption = "Chance of each card to be in each hand, in per cent.";
    Picture::new(grid("Hands of the others", &columns, &rows), caption, cards(view, advice))
}

/// Returns the answer for a terminal: the choices first, the advice last, tables without their captions.
pub fn brief(question: &Question, advice: &Advice) -> Document {
    let view = question.view();
    let bare = |table: Table| Block::Table(Table { caption: String::new(), ..table });
    let mut blocks = vec![bare(options(&view, advice)), Block::Text(source(&view, advice))];
    blocks.push(Block::Items(evidence(&view, advice)));
    blocks.extend(holdings(&view, advice).into_iter().map(bare));
    blocks.extend(sentences(&view, advice).into_iter().map(Block::Text));
    Document { scope: vec![situation(&view), advice.models.clone()], ..Document::of_blocks("Advice", blocks) }
}

/// The table of choices.
fn options(view: &View<'_>, advice: &Advice) -> Table {
    let plays = view.contract().is_some();
    let made = if plays {
        "Double dummy: share of deals in which the contract is made with best play by all"
    } else {
        "Chance: how often the contract bid or taken is made where it becomes that of the deal, coinched or not; of other calls: how \
         often the standing contract is made if all pass now. Final: how often the contract bid or taken, otherwise the standing one, \
         becomes that of the deal after this call"
    };
    let caption = format!(
        "{made}. Score: expected score of the deal, own side minus the other side, ± 95 % interval of the sampling. Best in: share of sampled \
         deals in which no other choice is better. Worlds: number of sampled deals{}.",
        if plays {
            ""
        } else {
            "; a call other than that of the assumed bidder counts by its deals and by what such calls gain elsewhere"
        }
    );
    // No interval without samples.
    let sampled = |worlds: u64, pair: Option<[f64; 2]>| {
        pair.map(|[mean, half]| (mean, Some(half).filter(|half| worlds > 0 && half.is_finite())))
    };
    let choice = named("choice", "the call or card").head(if plays { "card" } else { "call" });
    let chance = "chance that the contract is made, coinched or not";
    let becomes =
        "how often the contract of the call, or the standing one, becomes that of the deal; empty for cards";
    let chance = named("chance", chance).head(if plays { "double dummy" } else { "chance" });
    let score = "expected score of the deal, own side less the other, coinches included";
    let over_pass = "expected score less that of a pass; empty for cards";
    let over_pass = measured("score_over_pass", "points", over_pass).head("over pass");
    let best = "share of the worlds in which nothing else is better";
    Table::of("advice", caption, &advice.options)
        .text(choice, |option| option.choice.to_string())
        .flag(named("advised", "whether it is the advice"), |option| option.choice == advice.choice)
        .share(chance, |option| option.chance)
        .share(
            named("final", becomes).shown_if(advice.options.iter().any(|it| it.is_final.is_some())),
            |option| option.is_final,
        )
        .estimate(measured("score", "points", score), move |option| sampled(option.worlds, option.score))
        .estimate(over_pass.shown_if(!plays), move |option| sampled(option.worlds, option.gain))
        .share(named("best", best).head("best in"), |option| option.best)
        .count(named("worlds", "deals searched"), |option| option.worlds)
        .build()
}

/// Returns what each of the other seats holds, by strain.
fn holdings(view: &View<'_>, advice: &Advice) -> Vec<Table> {
    let caption = "By strain and seat: expected number of trumps, chances of the jack, nine and ace of trumps, and expected \
                   number of side aces (all aces if there is no trump).";
    let held = &advice.holdings;
    let strains = advice.strains.iter().filter_map(|strain| Some((*strain, strain.trump()?)));
    let suits = strains.flat_map(|(strain, trump)| {
        others(view).into_iter().map(move |(seat, who)| (strain, trump, seat, who))
    });
    let top =
        |(_, trump, seat, _): &(Strain, Suit, Seat, _), rank| held.chance(*seat, Card::new(*trump, rank));
    let suits = Table::of("others", caption, suits)
        .text(STRAIN, |(strain, ..)| strain.to_string())
        .text(PLAYER.head("who"), |(.., who)| *who)
        .count(SEAT, |(_, _, seat, _)| *seat)
        .plain(named("trumps", "mean number of trumps"), |(_, trump, seat, _)| held.trumps(*seat, *trump))
        .share(named("jack", "chance to hold that trump").head("J"), |row| top(row, Rank::Jack))
        .share(named("nine", "chance to hold that trump").head("9"), |row| top(row, Rank::Nine))
        .share(named("ace", "chance to hold that trump").head("A"), |row| top(row, Rank::Ace))
        .plain(
            named("aces", "mean number of aces of other suits").head("aces beside"),
            |(strain, _, seat, _)| held.aces_beside(*seat, *strain),
        )
        .build();
    let is_asked = suits.rows.is_empty() || advice.strains.iter().any(|strain| strain.trump().is_none());
    let mean = |seat: Seat, rank| held.mean(seat, CardSet::rank(rank));
    let caption = "For SA and TA, by seat: expected numbers of jacks, nines, aces and tens.";
    let tops = Table::of("tops", caption, others(view).into_iter().filter(|_| is_asked))
        .text(PLAYER.head("who"), |(_, who)| *who)
        .count(SEAT, |(seat, _)| *seat)
        .plain(named("jacks", "mean number of them"), |(seat, _)| mean(*seat, Rank::Jack))
        .plain(named("nines", "mean number of them"), |(seat, _)| mean(*seat, Rank::Nine))
        .plain(named("aces", "mean number of them"), |(seat, _)| held.aces_beside(*seat, Strain::NoTrump))
        .plain(named("tens", "mean number of them"), |(seat, _)| mean(*seat, Rank::Ten))
        .build();
    vec![suits, tops]
}

/// Returns the chance of each card to be in each hand.
fn cards(view: &View<'_>, advice: &Advice) -> Table {
    let [partner, left, right] = others(view).map(|(seat, _)| seat);
    let chance = |seat: Seat, card: &Card| advice.holdings.chance(seat, *card);
    Table::of("cards", "Chance of each card being in each hand.", view.unseen())
        .text(CARD, ToString::to_string)
        .share(named("partner", "chance that the player has the card"), move |card| chance(partner, card))
        .share(named("left", "chance that the player has the card"), move |card| chance(left, card))
        .share(named("right", "chance that the player has the card"), move |card| chance(right, card))
        .build()
}
