//! An answer as sentences and tables.

use coinche_engine::{Card, CardSet, Rank, Strain, View};
use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::model::{Block, Cell, Document, Section, Table};

use super::sentences::{evidence, others, sentences, situation, source};
use super::{Advice, Question};

/// Returns the answer for pages and files.
pub(crate) fn document(question: &Question, advice: &Advice) -> Document {
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
pub(crate) fn brief(question: &Question, advice: &Advice) -> Document {
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
    let half = |pair: [f64; 2]| pair[1];
    let over_pass = Column::estimate("score_over_pass").head("over pass");
    let heads = [
        Column::text("choice").head(if plays { "card" } else { "call" }),
        Column::flag("advised"),
        Column::number("chance").head(if plays { "double dummy" } else { "chance" }),
        Column::estimate("score"),
        if plays { over_pass.only_in_files() } else { over_pass },
        Column::number("best").head("best in"),
        Column::count("worlds"),
    ];
    let made = if plays {
        "Double dummy: share of deals in which the contract is made with best play by all"
    } else {
        "Chance: probability that the contract (the one bid or taken, otherwise the standing one) is made if it becomes that of \
         the deal, coinched or not"
    };
    let caption = format!(
        "{made}. Score: expected score of the deal, own side minus the other side, coinches included, ± 95 % interval of the sampling. Best in: share of sampled \
         deals in which no other choice is better. Worlds: number of sampled deals."
    );
    let mut table = Table::new("advice", caption, &heads);
    for option in &advice.options {
        let advised = option.choice == advice.choice;
        let mut row = vec![Cell::text(option.choice.to_string()), Cell::Flag(advised)];
        row.push(Cell::maybe(option.chance, Cell::Share));
        // What nothing was sampled for has no interval.
        let sampled =
            |pair: Option<[f64; 2]>| pair.map(half).filter(|half| option.worlds > 0 && half.is_finite());
        row.extend([option.score, option.gain].map(|pair| {
            Cell::maybe(pair, |[mean, _]| {
                Cell::estimate(mean, sampled(Some([mean, pair.map_or(0.0, half)])), 1)
            })
        }));
        row.push(Cell::maybe(option.best, Cell::Share));
        row.push(Cell::Count(option.worlds));
        table.rows.push(row);
    }
    table
}

/// What each of the others holds, by strain.
fn holdings(view: &View<'_>, advice: &Advice) -> Vec<Table> {
    let caption = "By strain and seat: expected number of trumps, chances of the jack, nine and ace of trumps, and expected \
                   number of side aces (all aces if there is no trump).";
    let heads = [
        Column::text("strain"),
        Column::text("player").head("who"),
        Column::count("seat"),
        Column::number("trumps"),
        Column::number("jack").head("J"),
        Column::number("nine").head("9"),
        Column::number("ace").head("A"),
        Column::number("aces").head("aces beside"),
    ];
    let mut suits = Table::new("others", caption, &heads);
    let (jacks, nines) = (CardSet::rank(Rank::Jack), CardSet::rank(Rank::Nine));
    let mut tops = Table::new(
        "tops",
        "For SA and TA, by seat: expected numbers of jacks, nines, aces and tens.",
        &[
            Column::text("player").head("who"),
            Column::count("seat"),
            Column::number("jacks"),
            Column::number("nines"),
            Column::number("aces"),
            Column::number("tens"),
        ],
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
    vec![suits, tops]
}

/// The chance of every card to be in every hand.
fn cards(view: &View<'_>, advice: &Advice) -> Table {
    let heads =
        [Column::text("card"), Column::number("partner"), Column::number("left"), Column::number("right")];
    let mut table = Table::new("cards", "Chance of each card being in each hand.", &heads);
    for card in view.unseen() {
        let mut row = vec![Cell::text(card.to_string())];
        row.extend(others(view).map(|(seat, _)| Cell::Share(advice.holdings.chance(seat, card))));
        table.rows.push(row);
    }
    table
}
