//! An answer as sentences and tables.

use coinche_engine::{Card, CardSet, Rank, Seat, Strain, Suit, View};
use coinche_selfplay::document::columns::{CARD, PLAYER, SEAT, STRAIN};
use coinche_selfplay::document::{Block, Document, Section, Table, measured, named};

use super::sentences::{evidence, others, sentences, situation, source};
use super::{Advice, Question};

/// Returns the answer for pages and files.
pub fn document(question: &Question, advice: &Advice) -> Document {
    let view = question.view();
    let mut blocks = vec![Block::Table(options(&view, advice))];
    let mut sections = vec![Section { id: "choices".to_owned(), title: "Choices".to_owned(), blocks }];
    blocks = vec![Block::Text(source(&view, advice)), Block::Items(evidence(&view, advice))];
    blocks.extend(holdings(&view, advice).into_iter().map(Block::Table));
    blocks.push(Block::Folded(cards(&view, advice)));
    sections.push(Section { id: "others".to_owned(), title: "What the others hold".to_owned(), blocks });
    let mut sentences = sentences(&view, advice).into_iter();
    Document {
        title: "Advice".to_owned(),
        command: "advise",
        verdicts: sentences.next().into_iter().collect(),
        scope: sentences.chain([situation(&view), advice.models.clone()]).collect(),
        sections,
    }
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
