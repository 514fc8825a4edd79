//! Whole games of two bots as tables: deals with their exact points, the legs that were played, and every choice with its value.
//!
//! Deals are the rows of labels, legs those of the summary of `arena run` with the same bots and seed. A card is worth the score of
//! the deal after it, double dummy; a call what comes of it when the same bots finish the auction and the cards are played double
//! dummy.

use std::path::Path;

use coinche_bots::BotSpec;
use coinche_bots::search::Payoff;
use coinche_engine::solver::{DealPoints, Solver};
use coinche_engine::{BySeat, Call, DealState, Outcome, RuleSet, Seat, Seed, Strain, Team, Turn};
use coinche_selfplay::base::columns::parquet::encode;
use coinche_selfplay::base::columns::{Batch, Cells, Form, Kind, Packing, Pages, Schema, Value, Walk, row};
use coinche_selfplay::base::guard::{BotPanic, guarded, silence_bots};
use coinche_selfplay::play::schedule::Leg;
use coinche_selfplay::play::solvers::Workers;
use coinche_selfplay::records::summary::{SummaryTable, schema as schema_of_legs};
use coinche_selfplay::{
    Ending, FinishedDeal, KeyStream, ProgressMode, Result, Schedule, Seating, Side, Unit,
};

use super::columns::{self, LabelRow, Row};
use super::decisions::{Crash, DecisionKinds};
use super::error::LabelError;
use super::parts::{self, Chunk, Chunks, Contents, Labelled, task};
use super::{LabelFormat, dealer};
use coinche_runs::{Job, Shard};

/// The version of the columns of `docs/labels.md`.
const SCHEMA: u8 = 1;

/// What a data set of games is made of.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The rules.
    pub rules: RuleSet,
    /// The two bots.
    pub bots: [BotSpec; 2],
    /// Which decisions have rows of choices.
    pub which: DecisionKinds,
    /// The seed.
    pub seed: Seed,
    /// How many deals.
    pub deals: u64,
    /// How many deals are in one part.
    pub chunk: u64,
    /// The parts that are made, where not all are.
    pub shard: Option<Shard>,
}

impl Settings {
    /// What decides about the rows.
    fn table(&self) -> Result<toml::Table, LabelError> {
        let mut table = toml::Table::new();
        let mut set = |key: &str, value: toml::Value| table.insert(key.to_owned(), value);
        set("kind", "games".into());
        set("schema", i64::from(SCHEMA).into());
        set("bots", self.bots.each_ref().map(BotSpec::as_str).to_vec().into());
        set("which", toml::Value::try_from(self.which)?);
        set("seed", self.seed.as_str().into());
        set("deals", self.deals.to_string().into());
        set("rules", toml::Value::try_from(self.rules)?);
        Ok(table)
    }
}

row! {
    /// What a deal has beside its points.
    struct Share<'a> {
        split: &'a str,
    }
}

/// What a deal is for: all that is played with a deck is for one thing, and each has every dealer as often.
const fn split(deal: u64) -> &'static str {
    match deal / 4 % 10 {
        8 => "validation",
        9 => "test",
        _ => "train",
    }
}

row! {
    /// A legal choice of a decision.
    #[derive(Debug, Clone, PartialEq, Eq)]
    struct Weighed {
        deal: u64 => Delta,
        leg: u8,
        decision: u16,
        trick: u8,
        seat: u8,
        choice: Text => Plain,
        value: Option<i32> => Plain,
        taken: bool,
    }
}

/// A call or card as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Text(String);

impl Value<'_> for Text {
    const KIND: Kind = Kind::Text;
    const EXPECTED: &'static str = "a call or card";

    fn push(&self, cells: &mut Cells) {
        self.0.as_str().push(cells);
    }

    fn get(walk: &mut Walk<'_>) -> Option<Self> {
        <&str>::get(walk).map(|text| Self(text.to_owned()))
    }
}

const fn form(name: &'static str) -> Form {
    Form { name, what: "a table of games", pages: Pages::Small, sought: Some("deal"), zero_lengths: false }
}

/// A deal that was played.
struct Game {
    points: Row,
    legs: [(Leg, FinishedDeal); 2],
    choices: Vec<Weighed>,
}

/// A table of one thread.
struct Table<'a> {
    settings: &'a Settings,
    schedule: Schedule,
    /// The bots that play, by leg, and those that are asked how the auction would continue after another call.
    playing: [Seating; 2],
    imagined: [Seating; 2],
    state: DealState,
    solver: Solver,
}

impl<'a> Table<'a> {
    fn new(settings: &'a Settings) -> Self {
        silence_bots();
        let schedule = Schedule { secrets: (&settings.seed).into(), unit: Unit::Deal, pairs: settings.deals };
        let state = DealState::new(&settings.rules, &schedule.deal(&settings.rules.deal, 0));
        let [playing, imagined] = [(); 2].map(|()| Self::seat(settings));
        Self { settings, schedule, playing, imagined, state, solver: Solver::new() }
    }

    fn seat(settings: &Settings) -> [Seating; 2] {
        [0, 1].map(|leg| Seating::build(&|side: Side, _| settings.bots[side.index()].build(), leg))
    }

    /// Plays both legs of a deal.
    fn play(&mut self, number: u64) -> Result<Game, Crash> {
        let rules = &self.settings.rules;
        let deal = self.schedule.deal(&rules.deal, number);
        let leader = dealer(number).next();
        let solved = DealPoints::solve(&mut self.solver, rules, *deal.hands(), &Strain::ALL, &[leader]);
        let mut choices = Vec::new();
        let [first, second] = self.schedule.pair(number);
        let mut play = |leg: Leg| -> Result<(Leg, FinishedDeal), Crash> {
            self.state.restart(&deal);
            let played = guarded(|| self.leg(&leg, &solved, &mut choices));
            played.map_err(|BotPanic(why)| {
                let at = leg.leg as usize;
                let side = leg.sides[self.playing[at].asking];
                [self.playing, self.imagined] = [(); 2].map(|()| Self::seat(self.settings));
                Crash { bot: self.settings.bots[side.index()].to_string(), why }
            })?;
            let ending = Ending::Regular(self.state.outcome().expect("the deal is over"));
            let score = ending.score(&self.settings.rules);
            let Seating { faults, thoughts, .. } = &self.playing[leg.leg as usize];
            let (state, faults, thoughts) = (self.state.clone(), faults.clone(), thoughts.clone());
            Ok((leg, FinishedDeal { deal: number, in_match: None, state, ending, score, faults, thoughts }))
        };
        let legs = [play(first)?, play(second)?];
        Ok(Game { points: Row::new(number, leader, &solved), legs, choices })
    }

    /// Plays a leg and adds its choices.
    fn leg(&mut self, leg: &Leg, solved: &DealPoints, choices: &mut Vec<Weighed>) {
        let at = leg.leg as usize;
        let mut keys = self.schedule.keys(leg.index).map(KeyStream::new);
        self.playing[at].faults.clear();
        self.playing[at].thoughts.clear();
        self.playing[at].start();
        self.imagined[at].start();
        for decision in 0u16.. {
            let (turn, first) = (self.state.turn(), choices.len());
            let (seat, trick) = match turn {
                Turn::Call(seat) => (seat, 0),
                Turn::Play(seat) => (seat, small(self.state.tricks().len()) + 1),
                Turn::Over => break,
            };
            let mut add = |choice: String, value: Option<i32>| {
                let (deal, leg, seat, choice) = (leg.index, small(at), seat as u8, Text(choice));
                choices.push(Weighed { deal, leg, decision, trick, seat, choice, value, taken: false });
            };
            let is_card = trick > 0;
            if is_card && self.settings.which.has(true) {
                self.cards(&mut add);
            } else if !is_card && self.settings.which.has(false) {
                self.calls(at, seat, &keys, solved, &mut add);
            }
            let playing = &mut self.playing[at];
            let taken = if is_card {
                let before = self.state.view(seat).played_by(seat);
                playing.card(&mut self.state, seat, &mut keys[seat]);
                (self.state.view(seat).played_by(seat) - before).first().map(|card| card.to_string())
            } else {
                let before = self.state.auction().calls().len();
                playing.call(&mut self.state, seat, &mut keys[seat]);
                // An offer that is declined is no call of the auction.
                let call = self.state.auction().calls().get(before);
                Some(call.map_or("P".to_owned(), |(_, call)| call.to_string()))
            };
            for choice in &mut choices[first..] {
                choice.taken = taken.as_ref() == Some(&choice.choice.0);
            }
        }
    }

    /// Reports the legal cards of the seat to play, with what each is worth.
    fn cards(&mut self, add: &mut impl FnMut(String, Option<i32>)) {
        let Some(play) = self.state.play_state() else { return };
        let legal = play.legal_plays();
        let mut values = [None; 32];
        if let Some(payoff) = Payoff::of_state(&self.state).filter(Payoff::is_exact) {
            let rules = self.state.rules();
            payoff.solve(&mut self.solver, rules, play, legal, |card, score| {
                values[card.index()] = Some(score);
            });
        }
        legal.into_iter().for_each(|card| add(card.to_string(), values[card.index()]));
    }

    /// Reports the legal calls of a seat, with what comes of each.
    fn calls(
        &mut self,
        leg: usize,
        seat: Seat,
        keys: &BySeat<KeyStream>,
        solved: &DealPoints,
        add: &mut impl FnMut(String, Option<i32>),
    ) {
        let legal = self.state.legal_calls();
        let mut legal: Vec<_> = (0..legal.len()).filter_map(|n| legal.nth(n)).collect();
        // Bids of a strain are often worth the same: side by side they take a third less in a file.
        legal.sort_by_key(|call| match call {
            Call::Bid(bid) => Some(bid.strain as u8),
            _ => None,
        });
        for call in legal {
            let (mut state, mut keys) = (self.state.clone(), *keys);
            state.call(call).expect("a legal call is accepted");
            keys[seat].next();
            while let Turn::Call(next) = state.turn() {
                self.imagined[leg].call(&mut state, next, &mut keys[next]);
            }
            add(call.to_string(), worth(&state, solved, seat.team()));
        }
        self.imagined[leg].faults.clear();
        self.imagined[leg].thoughts.clear();
    }
}

/// A number of tricks or of a leg.
fn small(number: usize) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}

/// What a team scores more than the other after an auction when the cards are played double dummy; `None` where best play for points is
/// not best play for the score.
fn worth(state: &DealState, solved: &DealPoints, team: Team) -> Option<i32> {
    if matches!(state.outcome(), Some(Outcome::ThrownIn)) {
        return Some(0);
    }
    let (Turn::Play(leader), Some(payoff)) = (state.turn(), Payoff::of_state(state)) else { return None };
    let solved = solved.get(state.contract()?.strain, leader).filter(|_| payoff.is_exact())?;
    let side = payoff.side();
    // A slam is a point beyond all or none.
    let slam = solved.slam.map_or(0, |by| if by == side { 1 } else { -1 });
    let score = payoff.at(i32::from(solved.points[side]) + slam);
    Some(if side == team { score } else { -score })
}

/// Makes what is missing of a data set.
pub fn make(
    settings: &Settings,
    directory: &Path,
    threads: Option<usize>,
    progress: ProgressMode,
) -> Result<Labelled> {
    let chunks = Chunks::new(settings.deals, settings.chunk, settings.shard, LabelFormat::Games);
    let table = settings.table()?;
    let note = Some(("coinche", serde_json::to_string(&table).map_err(LabelError::from)?));
    let files = settings.bots.iter().flat_map(BotSpec::files).collect();
    let task = task(Job::Games, table, files, &chunks);
    let tables = Workers::of(threads, || Table::new(settings))?;
    let rows_of =
        SummaryTable::new(&settings.rules, settings.bots.each_ref().map(|bot| [bot.name(); 2]), None);
    parts::make(&chunks, &task, directory, progress, |deals, meter| {
        let played = tables.map(deals.clone().collect(), |table, deal| {
            let game = table.play(deal);
            meter.add(1);
            game
        });
        let games = deals.clone().zip(played);
        let games = games.filter_map(|(deal, game)| game.inspect_err(|crash| crash.tell(deal)).ok());
        let games: Vec<Game> = games.collect();
        let good = games.len() as u64;
        let rules = &settings.rules;
        let points = games
            .iter()
            .map(|Game { points, .. }| (points.columns(rules), Share { split: split(points.deal) }));
        let legs = games.iter().flat_map(|game| &game.legs).map(|(leg, deal)| rows_of.row(&deal.played(leg)));
        let choices = games.iter().flat_map(|game| game.choices.iter().cloned());
        let tables = [
            Batch::of(columns::fitted(Schema::of::<(LabelRow<'_>, Share<'_>)>(form("deals")), rules), points),
            Batch::of(schema_of_legs(Unit::Deal, false), legs),
            Batch::of(Schema::of::<Weighed>(form("choices")), choices),
        ];
        let mut files = Vec::new();
        for mut table in tables {
            table.schema.form.pages = Pages::Small;
            for column in &mut table.schema.columns {
                // What zstd finds again lies at whole bytes, or is the number of a word.
                column.packing = match &*column.name {
                    "deal" => Packing::Delta,
                    "calls" => Packing::Plain,
                    _ if column.packing == Packing::Delta => Packing::Dictionary,
                    _ => column.packing,
                };
            }
            table.schema.note.clone_from(&note);
            files.push(Contents::Bytes(encode(&table).map_err(LabelError::from)?));
        }
        Ok(Chunk { files, good, bad: deals.end - deals.start - good })
    })
}
