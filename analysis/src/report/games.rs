//! The page of a person's games: the records of `arena play` and of a table of `arena serve`.

use core::fmt::Display;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use coinche_bots::{Choice, Registry};
use coinche_engine::record::{Record, Step, replay, replay_steps};
use coinche_engine::rules::Rotation;
use coinche_engine::{Contract, DealState, Seat, Seed, Turn};
use coinche_selfplay::document::columns::{DEAL, SCORE_DIFFERENCE, TRICK};
use coinche_selfplay::document::deal_view::DealView;
use coinche_selfplay::{
    Block, Cell, Document, Result, Section, Solvers, Table, amount, measured, named, thousands,
};

use super::Asked;
use super::source::{ReportError, unreadable};
use crate::coach::{Coach, Figures, Known, WORLDS, models};
use crate::judge::{Decision, one_deal};
use crate::picture::Picture;
use crate::texts::{Texts, fill, texts};
use crate::typed::Language;

/// How many cards, and deals with their calls, are asked again.
const MOST: [usize; 2] = [6, 3];
/// How many deals are shown.
const DEALS: usize = 6;

/// A deal that a person played.
struct Game {
    record: Record,
    /// The person's seat.
    seat: Seat,
    rotation: Rotation,
    /// Its choices of a card; none of a deal that was not played.
    cards: Vec<Decision>,
    /// What the auction cost the person's side.
    auction: Option<i32>,
}

impl Game {
    /// What the person's cards and side lost, in score.
    fn lost(&self) -> i32 {
        self.cards.iter().filter_map(|card| card.score_loss).sum::<i32>() + self.auction.unwrap_or(0)
    }

    fn contract(&self, language: Language) -> String {
        let picture = Picture { seat: self.seat, rotation: self.rotation, language };
        let contract = |contract: &Contract| picture.contract(contract);
        self.record.contract.as_ref().map_or_else(|| texts(language).all_passed.to_owned(), contract)
    }

    fn score(&self) -> [i32; 2] {
        let own = self.seat.team();
        [own, own.other()].map(|team| self.record.score[team])
    }

    /// Returns the states at which the person decided, with what was done.
    fn decisions(&self) -> Vec<(DealState, Step)> {
        let mut all = Vec::new();
        replay_steps(&self.record, |state, step| {
            if matches!(state.turn(), Turn::Call(seat) | Turn::Play(seat) if seat == self.seat) {
                all.push((state.clone(), *step));
            }
        });
        all
    }

    /// Asks again at some of the person's decisions.
    fn ask<'a>(
        &'a self,
        registry: &Registry,
        solvers: &Solvers,
        wanted: impl Fn(&DealState, &Step) -> bool + 'a,
    ) -> Vec<Known> {
        let bot = |seat: Seat| registry.parse(&self.record.bots[seat]).or_else(|_| registry.parse("rules"));
        let (Ok(partner), Ok(others)) = (bot(self.seat.partner()), bot(self.seat.next())) else {
            return Vec::new();
        };
        let Some(models) = models(&partner, &others, registry) else { return Vec::new() };
        let coach = Coach { solvers, models: &models, seed: &Seed::from(0) };
        let decisions = self.decisions().into_iter().filter(|(state, step)| wanted(state, step));
        decisions.filter_map(|(state, step)| coach.known(&state, self.seat, step)).collect()
    }
}

/// What a decision cost with what was known.
struct Again<'a> {
    game: &'a Game,
    known: Known,
    /// The same card with all hands known; none of calls.
    open: Option<&'a Decision>,
}

impl Again<'_> {
    fn better(&self, language: Language) -> String {
        self.known.best().map_or_else(String::new, |best| text(best, language))
    }

    fn cost(&self) -> f64 {
        self.known.cost().unwrap_or(0.0)
    }
}

fn text(choice: Choice, language: Language) -> String {
    match choice {
        Choice::Call(call) => language.call(call),
        Choice::Card(card) => language.card(card),
    }
}

/// Returns the file of records in a directory, if a person of this name played there.
pub(super) fn file(directory: &Path, person: &str) -> Option<PathBuf> {
    let path = directory.join("records.jsonl");
    let mut first = String::new();
    BufReader::new(File::open(&path).ok()?).read_line(&mut first).ok()?;
    // A damaged line is told of when it is read.
    let named = first.contains(&format!("\"{person}\""));
    let read = Record::from_json(first.trim_end());
    let is_theirs = read.map_or(named, |read| Seat::ALL.iter().any(|seat| read.bots[*seat] == person));
    is_theirs.then_some(path)
}

/// Reads records and makes their page. It asks again at few decisions, which takes seconds.
pub(super) fn read(path: &Path, registry: &Registry, asked: Asked<'_>) -> Result<Document> {
    let Asked { person, language } = asked;
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(path, error))?;
    let solvers = Solvers::new(None)?;
    let mut games = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    let judged = solvers.map(lines.clone(), |solver, line| one_deal(solver, line.as_bytes()));
    for ((number, line), judged) in (1_u64..).zip(&lines).zip(judged) {
        let wrong = |why: String| ReportError::Line { path: path.to_owned(), line: number, why };
        let record = Record::from_json(line).map_err(|error| wrong(error.to_string()))?;
        // No checksum is beside them, so that they are played again.
        if let Some(disagreement) = replay(&record).first() {
            return Err(wrong(disagreement.to_string()).into());
        }
        let seat = Seat::ALL.into_iter().find(|seat| record.bots[*seat] == person);
        let seat =
            seat.ok_or_else(|| wrong(format!("no seat is `{person}`; --of NAME is another person")))?;
        let rotation = record.rules.rules().map_err(|error| wrong(error.to_string()))?.deal.rotation;
        let (cards, auction) = judged.unwrap_or_default();
        let cards = cards.into_iter().filter(|card| card.seat == seat).collect();
        let auction = auction.map(|losses| losses[seat.team().index()]);
        games.push(Game { record, seat, rotation, cards, auction });
    }
    Ok(Page { texts: texts(language), language }.document(&games, registry, &solvers))
}

/// The cards that cost most with all hands known, asked again.
fn cards<'a>(games: &'a [Game], registry: &Registry, solvers: &Solvers) -> Vec<Again<'a>> {
    let all = games.iter().flat_map(|game| game.cards.iter().map(move |card| (game, card)));
    let mut all: Vec<_> = all.filter(|(_, card)| card.score_loss.unwrap_or(0) > 0).collect();
    all.sort_by_key(|(_, card)| -card.score_loss.unwrap_or(0));
    all.truncate(MOST[0]);
    let ask = |(game, card): (&'a Game, &'a Decision)| {
        let at = |_: &DealState, step: &Step| matches!(step, Step::Play(play) if play.card == card.card);
        let known = game.ask(registry, solvers, at).pop()?;
        Some(Again { game, known, open: Some(card) })
    };
    all.into_iter().filter_map(ask).collect()
}

/// The calls of the deals whose auction cost most with all hands known, asked again; those that cost something.
fn calls<'a>(games: &'a [Game], registry: &Registry, solvers: &Solvers) -> Vec<Again<'a>> {
    let mut of: Vec<&Game> = games.iter().filter(|game| game.auction.unwrap_or(0) > 0).collect();
    of.sort_by_key(|game| -game.auction.unwrap_or(0));
    of.truncate(MOST[1]);
    let known = |game: &'a Game| {
        let calls = game.ask(registry, solvers, |_, step| matches!(step, Step::Call(_)));
        calls.into_iter().map(move |known| Again { game, known, open: None })
    };
    let mut all: Vec<_> = of.into_iter().flat_map(known).filter(|asked| asked.cost() > 0.0).collect();
    all.sort_by(|a, b| b.cost().total_cmp(&a.cost()));
    all
}

/// A page in a language.
#[derive(Clone, Copy)]
struct Page {
    language: Language,
    texts: &'static Texts,
}

impl Page {
    fn document(self, games: &[Game], registry: &Registry, solvers: &Solvers) -> Document {
        let Self { language, texts } = self;
        let mut figures = Figures::default();
        for game in games {
            figures.add(&game.record, game.seat.team());
        }
        let mean = figures.all.mean().map_or((0.0, None), |it| (it.mean, it.half_width));
        let played: BTreeSet<&str> = games
            .iter()
            .flat_map(|game| {
                Seat::ALL.into_iter().filter(|seat| *seat != game.seat).map(|seat| &*game.record.bots[seat])
            })
            .collect();
        let (cards, calls) = (cards(games, registry, solvers), calls(games, registry, solvers));
        let played = played.into_iter().collect::<Vec<_>>().join(", ");
        Document {
            title: texts.games_title.to_owned(),
            command: "report",
            verdicts: vec![self.headline(mean)],
            scope: vec![match games.len() {
                1 => fill(texts.games_scope_of_one, &[("bots", &played)]),
                n => {
                    let n = language.number(&thousands(n as u64));
                    fill(texts.games_scope, &[("n", &n), ("bots", &played)])
                }
            }],
            sections: vec![
                Section::new("figures", texts.your_figures, vec![self.table_of_figures(&figures)]),
                Section::new("cards", texts.your_cards, vec![self.costly_cards(&cards)]),
                Section::new("calls", texts.your_calls, vec![self.costly_calls(&calls)]),
                Section::new("deals", texts.your_deals, self.deals(games, &cards)),
            ],
            language,
        }
    }

    /// Says what the person's side scored.
    fn headline(self, (mean, half): (f64, Option<f64>)) -> String {
        let points = self.language.number(&amount(mean.abs(), half));
        let text = if mean < 0.0 { self.texts.scored_less } else { self.texts.scored_more };
        fill(text, &[("points", &points)])
    }

    fn table_of_figures(self, figures: &Figures) -> Block {
        let texts = self.texts;
        let rows = [
            (texts.all_deals, figures.all, None),
            (texts.declaring, figures.declaring, Some(figures.made)),
            (texts.defending, figures.defending, None),
        ];
        let made =
            measured("contracts_made", "", "contracts of the side that were made").head(texts.made_of_them);
        Table::of("player", texts.figures_caption, rows)
            .text(named("deals_of", "`all`, `declaring` or `defending`").head(texts.deals_of), |row| row.0)
            .count(measured("number", "deals", "how many").head(texts.number), |row| row.1.deals)
            .count(made, |row| row.2)
            .estimate(SCORE_DIFFERENCE.head(texts.points_a_deal), |row| row.1.mean())
            .block()
    }

    fn costly_cards(self, cards: &[Again<'_>]) -> Block {
        if cards.is_empty() {
            return Block::text(self.texts.no_costly_cards);
        }
        let caption = fill(self.texts.costly_cards, &[("n", &WORLDS)]);
        self.costly("costly-cards", caption, cards)
    }

    fn costly_calls(self, calls: &[Again<'_>]) -> Block {
        if calls.is_empty() {
            return Block::text(self.texts.no_costly_calls);
        }
        self.costly("costly-calls", fill(self.texts.costly_calls, &[("n", &MOST[1])]), calls)
    }

    /// The table of decisions, all of cards or all of calls.
    fn costly(self, name: &str, caption: String, asked: &[Again<'_>]) -> Block {
        let Self { language, texts } = self;
        let are_cards = asked.iter().any(|it| it.open.is_some());
        let [choice, lost] =
            if are_cards { [texts.you_played, texts.lost] } else { [texts.you_called, texts.auction_lost] };
        let better_open = named("better_open", "the best card with all hands known")
            .head(texts.better_open)
            .shown_if(are_cards);
        let score_lost =
            measured("score_lost", "points", "score lost with all hands known; of a call by the auction")
                .head(lost);
        let better_known =
            named("better_known", "the best choice with what the seat knew").head(texts.better_known);
        let known =
            measured("score_lost_known", "points", "score lost with what the seat knew").head(texts.lost);
        Table::of(name, caption, asked)
            .count(DEAL.head(texts.deal), |it| it.game.record.deal)
            .count(TRICK.head(texts.trick).shown_if(are_cards), |it| it.open.map(|card| card.trick + 1))
            .text(named("contract", "the contract").head(texts.contract), move |it| {
                it.game.contract(language)
            })
            .text(named("choice", "the call or card").head(choice), move |it| text(it.known.choice, language))
            .text(better_open, move |it| it.open.map(|card| language.card(card.best_card)))
            .signed(score_lost, |it| {
                it.open.map_or(it.game.auction, |card| card.score_loss).map(|lost| -f64::from(lost))
            })
            .text(better_known, move |it| it.better(language))
            .signed(known, |it| it.known.cost().map(|cost| 0.0 - cost))
            .block()
    }

    fn deals(self, games: &[Game], cards: &[Again<'_>]) -> Vec<Block> {
        let Self { language, texts } = self;
        let made = named("made", "whether it was made").head(texts.made_of_them);
        let own = measured("own_score", "points", "score of your side").head(texts.you);
        let other = measured("other_score", "points", "score of the other side").head(texts.they);
        let by_cards =
            measured("cards_score_lost", "points", "score lost by its cards").head(texts.lost_by_cards);
        let by_auction =
            measured("auction_score_lost", "points", "score lost by its auction").head(texts.lost_by_auction);
        let table = Table::of("games", texts.games_caption, games)
            .count(DEAL.head(texts.deal), |game| game.record.deal)
            .text(named("contract", "the contract").head(texts.contract), move |game| game.contract(language))
            .text(made, move |game| if game.record.made == Some(true) { texts.yes } else { "" })
            .number(own, |game| whole(game.score()[0]))
            .number(other, |game| whole(game.score()[1]))
            .signed(by_cards, |game| {
                -f64::from(game.cards.iter().filter_map(|card| card.score_loss).sum::<i32>())
            })
            .signed(by_auction, |game| game.auction.map(|lost| -f64::from(lost)))
            .folded();
        let mut shown: Vec<&Game> = games.iter().collect();
        shown.sort_by_key(|game| -game.lost());
        shown.truncate(DEALS);
        let mut better: BTreeMap<u64, Vec<String>> = BTreeMap::new();
        for asked in cards {
            let text = asked.open.map(|card| {
                let best = language.card(card.best_card);
                fill(texts.in_trick_play, &[("n", &(card.trick + 1)), ("card", &best)])
            });
            better.entry(asked.game.record.deal).or_default().extend(text);
        }
        let view = |game: &&Game| {
            let [own, other] = game.score();
            let better = better.get(&game.record.deal);
            let better = better
                .map_or_else(String::new, |of| fill(texts.better_in_tricks, &[("list", &of.join(", "))]));
            let (n, contract) = (game.record.deal, game.contract(language));
            let values: [(&str, &dyn Display); 5] =
                [("n", &n), ("contract", &contract), ("own", &own), ("other", &other), ("better", &better)];
            let heading = fill(texts.deal_heading, &values);
            DealView::new(heading, std::slice::from_ref(&game.record), language)
        };
        vec![Block::text(texts.to_replay), Block::Deals(shown.iter().map(view).collect()), table]
    }
}

/// A whole number of points.
fn whole(points: i32) -> Cell {
    Cell::Number(points.into(), 0)
}
