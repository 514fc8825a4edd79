//! An answer as sentences and tables.

use coinche_bots::Choice;
use coinche_engine::{Call, Card, CardSet, Rank, Seat, Strain, Suit, View};
use coinche_selfplay::document::columns::{CARD, PLAYER, SEAT, STRAIN};
use coinche_selfplay::document::draw::{GridCell, Mark, forest_in, grid, shade};
use coinche_selfplay::document::{Block, Document, Picture, Section, Table, measured, named};

use super::sentences::{
    choice_text, estimate, evidence, more, others, percent, sentences, situation, source,
};
use super::{Advice, Question, Weighed};
use crate::texts::{fill, texts};
use crate::typed::Language;

/// Returns the answer for pages and files.
pub fn document(question: &Question, advice: &Advice, language: Language) -> Document {
    let (view, texts) = (question.view(), texts(language));
    let options = options(&view, advice, language);
    let mut blocks = vec![Block::Cards(view.hand().natural().collect()), Block::Display(options.clone())];
    blocks.push(Block::Picture(scores(advice, options, language)));
    let mut sections = vec![Section::new("choices", texts.choices, blocks)];
    blocks =
        vec![Block::Text(source(&view, advice, language)), Block::Items(evidence(&view, advice, language))];
    blocks.push(Block::Picture(picture(&view, advice, language)));
    blocks.extend(holdings(&view, advice, language).into_iter().map(Block::Table));
    sections.push(Section::new("others", texts.others_hold, blocks));
    Document {
        title: texts.advice.to_owned(),
        command: "advise",
        verdicts: vec![headline(&view, advice, language)],
        scope: sentences(&view, advice, language)
            .into_iter()
            .chain([situation(&view, language), advice.basis.sentence(language)])
            .collect(),
        sections,
        language,
    }
}

/// Names a choice as people write it.
fn shown(language: Language, choice: Choice) -> String {
    match choice {
        Choice::Call(call) => language.call(call),
        Choice::Card(card) => format!("{} {}", language.rank(card.rank()), card.suit().symbol()),
    }
}

/// Returns the advice in a line.
fn headline(view: &View<'_>, advice: &Advice, language: Language) -> String {
    let texts = texts(language);
    let chosen = advice.options.iter().find(|option| option.choice == advice.choice);
    let (what, is_bid) = match advice.choice {
        Choice::Card(_) => (texts.advice_for_play, false),
        Choice::Call(Call::Bid(_)) => (texts.advice_for_bid, true),
        Choice::Call(call) => (texts.advice_for_call, matches!(call, Call::Take | Call::TakeIn(_))),
    };
    let what = fill(what, &[("choice", &shown(language, advice.choice))]);
    let mut parts = Vec::new();
    if let Some(chance) = chosen.and_then(|option| option.chance).filter(|_| is_bid) {
        parts.push(fill(texts.to_make, &[("chance", &percent(chance))]));
    }
    let is_pass = matches!(advice.choice, Choice::Call(call) if call.is_pass());
    if let Some(gain) = chosen.and_then(|option| option.gain).filter(|_| !is_pass) {
        parts.push(fill(texts.over_a_pass, &[("gain", &more(language, gain))]));
    } else if let Some([score, half]) =
        chosen.and_then(|option| option.score).filter(|_| advice.options.len() > 1)
    {
        parts.push(fill(texts.expected, &[("score", &estimate(language, score, half))]));
    }
    if view.contract().is_some() && advice.options.len() == 1 {
        parts.push(texts.no_other_card.to_owned());
    }
    if parts.is_empty() {
        what
    } else {
        fill(texts.because, &[("advice", &what), ("parts", &parts.join(", "))])
    }
}

/// Draws the scores of the choices; `table` is that of all their figures.
fn scores(advice: &Advice, table: Table, language: Language) -> Picture {
    let texts = texts(language);
    let mark = |option: &Weighed| {
        let [mean, half] = option.score?;
        Mark::of(
            shown(language, option.choice),
            (mean, Some(half).filter(|half| option.worlds > 0 && half.is_finite())),
        )
    };
    let marks: Vec<_> = advice.options.iter().filter_map(mark).collect();
    let svg = forest_in(language, texts.scores_title, texts.scores_axis, &marks);
    Picture::new(svg, texts.scores_caption, table)
}

/// Draws the chance of each card to be in the hand of each of the others.
fn picture(view: &View<'_>, advice: &Advice, language: Language) -> Picture {
    let texts = texts(language);
    let ranks = || Rank::NATURAL.iter().rev();
    let columns: Vec<_> = ranks().map(|rank| language.rank(*rank)).collect();
    let cell = |seat: Seat, card: Card| {
        if !view.unseen().contains(card) {
            return GridCell::default();
        }
        let chance = advice.holdings.chance(seat, card);
        let colon = language.of(": ", "\u{a0}: ");
        let tip = format!("{}{colon}{}", shown(language, Choice::Card(card)), percent(chance));
        GridCell {
            shade: shade(chance, false),
            text: format!("{:.0}", 100.0 * chance),
            tip,
            ..GridCell::default()
        }
    };
    let mut rows = Vec::new();
    for (seat, who) in others(view, language) {
        for suit in Suit::ALL.into_iter().rev() {
            let cells = ranks().map(|rank| cell(seat, Card::new(suit, *rank))).collect();
            rows.push((format!("{who} {}", suit.symbol()), cells));
        }
    }
    let table = cards(view, advice, language);
    Picture::new(grid(texts.hands_title, &columns, &rows), texts.hands_caption, table)
}

/// Returns the answer for a terminal: the choices first, the advice last, tables without their captions.
pub fn brief(question: &Question, advice: &Advice, language: Language) -> Document {
    let view = question.view();
    let bare = |table: Table| Block::Table(Table { caption: String::new(), ..table });
    let mut blocks =
        vec![bare(options(&view, advice, language)), Block::Text(source(&view, advice, language))];
    blocks.push(Block::Items(evidence(&view, advice, language)));
    blocks.extend(holdings(&view, advice, language).into_iter().map(bare));
    blocks.extend(sentences(&view, advice, language).into_iter().map(Block::Text));
    let scope = vec![situation(&view, language), advice.basis.sentence(language)];
    Document { scope, language, ..Document::of_blocks(texts(language).advice, blocks) }
}

/// The table of choices.
fn options(view: &View<'_>, advice: &Advice, language: Language) -> Table {
    let (plays, texts) = (view.contract().is_some(), texts(language));
    let [made, worlds] = if plays {
        [texts.made_of_cards, texts.worlds_are]
    } else {
        [texts.made_of_calls, texts.worlds_are_of_calls]
    };
    let caption = format!("{made}. {} {worlds}", texts.scores_are);
    // No interval without samples.
    let sampled = |worlds: u64, pair: Option<[f64; 2]>| {
        pair.map(|[mean, half]| (mean, Some(half).filter(|half| worlds > 0 && half.is_finite())))
    };
    let choice = named("choice", "the call or card").head(if plays { texts.card } else { texts.choice });
    let chance = "chance that the contract is made, coinched or not";
    let becomes =
        "how often the contract of the call, or the standing one, becomes that of the deal; empty for cards";
    let chance = named("chance", chance).head(if plays { texts.double_dummy } else { texts.chance });
    let score = "expected score of the deal, own side less the other, coinches included";
    let over_pass = "expected score less that of a pass; empty for cards";
    let over_pass = measured("score_over_pass", "points", over_pass).head(texts.over_pass);
    let best = "share of the worlds in which nothing else is better";
    Table::of("advice", caption, &advice.options)
        .text(choice, move |option| choice_text(language, option.choice))
        .flag(named("advised", "whether it is the advice").head(texts.advised), |option| {
            option.choice == advice.choice
        })
        .share(chance, |option| option.chance)
        .share(
            named("final", becomes)
                .head(texts.final_)
                .shown_if(advice.options.iter().any(|it| it.is_final.is_some())),
            |option| option.is_final,
        )
        .estimate(measured("score", "points", score).head(texts.score), move |option| {
            sampled(option.worlds, option.score)
        })
        .estimate(over_pass.shown_if(!plays), move |option| sampled(option.worlds, option.gain))
        .share(named("best", best).head(texts.best_in), |option| option.best)
        .count(named("worlds", "deals searched").head(texts.deals_searched), |option| option.worlds)
        .build()
}

/// Returns what each of the other seats holds, by strain.
fn holdings(view: &View<'_>, advice: &Advice, language: Language) -> Vec<Table> {
    let texts = texts(language);
    let held = &advice.holdings;
    let strains = advice.strains.iter().filter_map(|strain| Some((*strain, strain.trump()?)));
    let suits = strains.flat_map(|(strain, trump)| {
        others(view, language).into_iter().map(move |(seat, who)| (strain, trump, seat, who))
    });
    let top =
        |(_, trump, seat, _): &(Strain, Suit, Seat, _), rank| held.chance(*seat, Card::new(*trump, rank));
    let suits = Table::of("others", texts.others_caption, suits)
        .text(STRAIN.head(texts.strain), move |(strain, ..)| match language {
            Language::English => strain.to_string(),
            Language::French => language.strain(*strain).to_owned(),
        })
        .text(PLAYER.head(texts.who), |(.., who)| *who)
        .count(SEAT.head(texts.seat), |(_, _, seat, _)| *seat)
        .plain(named("trumps", "mean number of trumps").head(texts.trumps), |(_, trump, seat, _)| {
            held.trumps(*seat, *trump)
        })
        .share(named("jack", "chance to hold that trump").head(texts.jack), |row| top(row, Rank::Jack))
        .share(named("nine", "chance to hold that trump").head(texts.nine), |row| top(row, Rank::Nine))
        .share(named("ace", "chance to hold that trump").head(texts.ace), |row| top(row, Rank::Ace))
        .plain(
            named("aces", "mean number of aces of other suits").head(texts.aces_beside),
            |(strain, _, seat, _)| held.aces_beside(*seat, *strain),
        )
        .build();
    let is_asked = suits.rows.is_empty() || advice.strains.iter().any(|strain| strain.trump().is_none());
    let mean = |seat: Seat, rank| held.mean(seat, CardSet::rank(rank));
    let tops = Table::of("tops", texts.tops_caption, others(view, language).into_iter().filter(|_| is_asked))
        .text(PLAYER.head(texts.who), |(_, who)| *who)
        .count(SEAT.head(texts.seat), |(seat, _)| *seat)
        .plain(named("jacks", "mean number of them").head(texts.jacks), |(seat, _)| mean(*seat, Rank::Jack))
        .plain(named("nines", "mean number of them").head(texts.nines), |(seat, _)| mean(*seat, Rank::Nine))
        .plain(named("aces", "mean number of them").head(texts.aces), |(seat, _)| {
            held.aces_beside(*seat, Strain::NoTrump)
        })
        .plain(named("tens", "mean number of them").head(texts.tens), |(seat, _)| mean(*seat, Rank::Ten))
        .build();
    vec![suits, tops]
}

/// Returns the chance of each card to be in each hand.
fn cards(view: &View<'_>, advice: &Advice, language: Language) -> Table {
    let texts = texts(language);
    let mut table = Table::of("cards", texts.cards_caption, view.unseen())
        .text(CARD.head(texts.card), move |card| choice_text(language, (*card).into()));
    for (name, (seat, who)) in ["partner", "left", "right"].into_iter().zip(others(view, language)) {
        let column = named(name, "chance that the player has the card").head(who);
        table = table.share(column, move |card| advice.holdings.chance(seat, *card));
    }
    table.build()
}
