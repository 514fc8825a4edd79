//! `arena selfcheck`: what the arena reports as a figure, played as a claim.
//!
//! Every claim is played on fresh deals, and a table says what was reported and what came. A claim fails if what came is further from
//! what was reported than chance explains. Deals depend on the seed and their number alone, so the table is the same for any number of
//! threads.

use core::ops::Range;
use std::sync::OnceLock;

use coinche_bots::{BotSpec, ParseBotError, Registry};
use coinche_engine::solver::{LeaderPoints, Solver};
use coinche_engine::{Call, DealState, Outcome, RuleSet, Seed, Team};
use coinche_inference::ratio::Mean;
use coinche_inference::{Decision, PairedSums, SequentialTest, SprtPlan, holm, wilson};
use coinche_selfplay::base::threads;
use coinche_selfplay::play::table::Table as PlayTable;
use coinche_selfplay::{
    Block, Document, Ending, LegResult, PlayedDeal, Result, Schedule, Scribe, Section, Solvers, Table, Unit,
    measured, named,
};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::advise::audit::{Audit, Claim, MADE, Told, audit, fifths};
use crate::advise::{Models, OPPONENTS, PARTNER, tells_at_once};
use crate::bidding::predicted_chance;

/// What is checked, and how thoroughly.
#[derive(Debug, Clone)]
pub struct Check {
    /// The rules.
    pub rules: RuleSet,
    /// The seed of all deals.
    pub seed: Seed,
    /// How many repetitions of an experiment, and a twentieth of the deals of a table; half of those of bots that search.
    pub runs: u64,
    /// The number of threads.
    pub threads: usize,
    /// The names of the claims to check; empty for all.
    pub claims: Vec<String>,
}

/// A claim: its name, what it says, and what plays it.
type Played = fn(&Checker<'_>) -> Vec<Row>;

/// The claim of `arena advise`.
const ADVICE: &str = "advice";

/// All claims.
const CLAIMS: [(&str, &str, Played); 9] = [
    ("self", "A bot against itself differs by 0.", |checker| checker.itself()),
    ("solver", "Four double-dummy players score what the solver says.", |checker| checker.solver()),
    ("intervals", "95 % of the 95 % intervals contain the true difference.", |checker| checker.intervals()),
    ("tests", "A sequential test at 5 % errs in at most 5 %.", |checker| checker.tests()),
    ("power", "As many deals as `arena power` says detect the difference in 80 %.", |checker| {
        checker.power()
    }),
    ("champion", "More time makes `champion` no worse, and so does the search itself.", |checker| {
        checker.champion()
    }),
    ("chances", "Contracts are made as often as their bidders say.", |checker| checker.chances()),
    ("points", "Bidders score what they expect.", |checker| checker.points()),
    (
        ADVICE,
        "Every figure of `arena advise` comes true, and its call is not worse than that of the assumed bot.",
        |checker| checker.advice(),
    ),
];

/// The names of all claims.
pub fn claims() -> impl Iterator<Item = &'static str> {
    CLAIMS.iter().map(|(name, ..)| *name)
}

/// What was reported, and what came.
struct Row {
    claim: &'static str,
    subject: String,
    told: Told,
    fails: bool,
}

/// How likely a row of a claim's means may fail if they are all right: the p-values are corrected by Holm.
const ERROR: f64 = 0.01;
/// Confidence of the intervals that decide about a share: there are many claims.
const LEVEL: f64 = 0.999;
/// By how much a share may be off that is right in the limit of many deals only.
const SLACK: f64 = 0.02;
/// Deals that a thread plays at once.
const CHUNK: u64 = 64;

struct Checker<'a> {
    check: &'a Check,
    registry: &'a Registry,
    solvers: &'a Solvers,
    pairs: OnceLock<Vec<(String, Vec<[i64; 2]>)>>,
    predictions: OnceLock<Vec<(String, Predictions)>>,
}

/// Plays all claims that are asked for.
///
/// # Errors
///
/// When the threads cannot be started.
pub fn check(check: &Check, registry: &Registry) -> Result<Checked> {
    let (solvers, pool) = (Solvers::new(Some(check.threads))?, threads::pool(check.threads)?);
    let checker =
        Checker { check, registry, solvers: &solvers, pairs: OnceLock::new(), predictions: OnceLock::new() };
    let wanted = |name: &str| check.claims.is_empty() || check.claims.iter().any(|claim| claim == name);
    let mut rows = Vec::new();
    for (name, _, play) in CLAIMS.iter().filter(|(name, ..)| wanted(name)) {
        // Advice has threads of its own.
        let of_claim = if *name == ADVICE { play(&checker) } else { pool.install(|| play(&checker)) };
        rows.extend(judged(of_claim));
    }
    Ok(Checked { rows })
}

/// Tells of the means of a claim which fail, all of them considered.
fn judged(mut rows: Vec<Row>) -> Vec<Row> {
    let p_values: Vec<f64> = rows.iter().filter_map(|row| row.told.p).collect();
    let means = rows.iter_mut().filter(|row| row.told.p.is_some());
    for (row, p) in means.zip(holm(&p_values)) {
        row.fails = p < ERROR;
    }
    rows
}

/// The bots of claims that are cheap to play: by name, under any rules.
const BIDDERS: [&str; 3] = ["net", "table+rules", "rules"];
/// Pairs of bots: alike but for rare deals, alike in most, and different.
const PAIRS: [[&str; 2]; 5] = [
    ["rules", "rules:capot=1"],
    ["rules", "rules:coinche=2"],
    ["rules", "rules:caution=2"],
    ["rules", "table+rules"],
    ["net", "rules"],
];
/// What `champion` plays with more and more time, all of it the same on every machine.
const CHAMPIONS: [&str; 6] = [
    "champion+net",
    "champion",
    "champion:time=40us",
    "champion:time=100us",
    "champion:time=200us",
    "champion:time=500us",
];
/// The sizes of runs.
const SIZES: [u64; 2] = [200, 1_000];

impl Checker<'_> {
    fn bot(&self, name: &str) -> BotSpec {
        let spec: Result<BotSpec, ParseBotError> = self.registry.parse(name);
        spec.expect("the bots of the claims are built in")
    }

    /// Plays this many deals on all threads, a chunk at a time; returns what each chunk gives, in the order of the deals.
    fn chunks<T: Send>(
        &self,
        bots: &[BotSpec; 2],
        deals: u64,
        play: impl Fn(&mut PlayTable, Range<u64>) -> T + Sync + Send,
    ) -> Vec<T> {
        let schedule = Schedule { secrets: (&self.check.seed).into(), unit: Unit::Deal, pairs: deals };
        let table = || PlayTable::new(&self.check.rules, schedule, bots.clone());
        let chunks = (0..deals.div_ceil(CHUNK))
            .into_par_iter()
            .map_init(table, |table, chunk| play(table, chunk * CHUNK..deals.min((chunk + 1) * CHUNK)));
        chunks.collect()
    }

    /// Plays pairs of deals: the legs' differences, in the order of the deals.
    fn play(&self, bots: [&str; 2], pairs: u64) -> Vec<[i64; 2]> {
        let chunks = self.chunks(&bots.map(|name| self.bot(name)), pairs, |table, deals| {
            let mut legs = Legs(Vec::new());
            table.play_pairs(deals, &mut legs);
            legs.0
        });
        chunks.concat()
    }

    /// Each of the pairs of bots, with what they played.
    fn pairs(&self) -> &[(String, Vec<[i64; 2]>)] {
        let play = |bots: &[&str; 2]| (bots.join(" − "), self.play(*bots, self.check.runs * SIZES[1]));
        self.pairs.get_or_init(|| PAIRS.iter().map(play).collect())
    }

    fn itself(&self) -> Vec<Row> {
        let row = |bot: &&str| {
            let sums = sums(&self.play([*bot, *bot], self.check.runs));
            let mut numbers = sums.numbers().into_iter();
            let off = numbers.any(|(name, sum)| ["differing", "sum"].contains(&name) && sum != 0);
            let mean = sums.moments().map_or(0.0, |[mean, _]| mean);
            Row::new("self", bot, "difference", self.check.runs, [0.0, mean], None, off)
        };
        BIDDERS.iter().map(row).collect()
    }

    /// Four players that see all hands, against the exact value of the contract: the difference of card points.
    fn solver(&self) -> Vec<Row> {
        let deals = self.check.runs;
        let schedule = Schedule { secrets: (&self.check.seed).into(), unit: Unit::Deal, pairs: deals };
        let spec = self.bot("rules+open");
        let open =
            || (PlayTable::new(&self.check.rules, schedule, [spec.clone(), spec.clone()]), Solved::default());
        let off = (0..deals).into_par_iter().map_init(open, |(table, solved), deal| {
            solved.off = 0;
            table.play_first_leg(deal, solved);
            solved.off != 0
        });
        let differing = off.filter(|is_off| *is_off).count();
        let share = differing as f64;
        vec![Row::new("solver", "rules+open", "deals that differ", deals, [0.0, share], None, differing > 0)]
    }

    fn intervals(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for (bots, legs) in self.pairs() {
            let truth = mean(legs);
            for size in SIZES {
                let runs = legs.chunks_exact(usize::try_from(size).unwrap_or(usize::MAX));
                let holds = |legs: &[[i64; 2]]| {
                    let estimate = sums(legs).estimate();
                    estimate
                        .is_some_and(|it| it.half_width.is_none_or(|half| (it.mean - truth).abs() <= half))
                };
                let whole = runs.len() as u64;
                let held = runs.filter(|legs| holds(legs)).count() as u64;
                let subject = format!("{bots}, {size} deals");
                rows.push(Row::share("intervals", &subject, "coverage", [held, whole], 0.95, |[_, high]| {
                    high < 0.95 - SLACK
                }));
            }
        }
        rows
    }

    fn tests(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for (bots, legs) in self.pairs() {
            let (truth, sd) = (mean(legs), sums(legs).moments().map_or(0.0, |[_, variance]| variance.sqrt()));
            let (mut errors, mut tests) = (0, 0);
            for (number, legs) in
                legs.chunks_exact(usize::try_from(SIZES[1]).unwrap_or(usize::MAX)).enumerate()
            {
                // The truth is at one of the bounds.
                let (distance, is_upper) = (sd / 8.0, number % 2 == 0);
                let lower = if is_upper { truth - distance } else { truth };
                let plan = SprtPlan {
                    lower,
                    upper: lower + distance,
                    alpha: 0.05,
                    beta: 0.05,
                    every: 50,
                    first: 100,
                    most: SIZES[1],
                };
                let Ok(mut test) = SequentialTest::new(plan) else { continue };
                tests += 1;
                for part in legs.chunks(50) {
                    if test.decision() == Decision::GoOn && test.feed(&sums(part)).is_err() {
                        break;
                    }
                }
                errors +=
                    u64::from(test.decision() == if is_upper { Decision::Lower } else { Decision::Upper });
            }
            rows.push(Row::share("tests", bots, "errors", [errors, tests], 0.05, |[low, _]| low > 0.06));
        }
        rows
    }

    fn power(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for (bots, legs) in self.pairs() {
            let all = sums(legs);
            let Some(known) = all.mean_of_pairs() else { continue };
            let effect = known.mean;
            let Ok(Some(needed)) = known.pairs_needed(effect, 0.0, 0.05, 0.8) else { continue };
            let runs = legs.chunks_exact(usize::try_from(needed).unwrap_or(usize::MAX));
            // With fewer the share says nothing, and the true difference is not known well.
            if runs.len() < 40 {
                continue;
            }
            let whole = runs.len() as u64;
            let found = runs
                .filter(|legs| {
                    sums(legs).estimate().is_some_and(|it| it.is_decided() && it.mean * effect > 0.0)
                })
                .count() as u64;
            let subject = format!("{bots}, {needed} deals");
            rows.push(Row::share("power", &subject, "detected", [found, whole], 0.8, |[low, high]| {
                low > 0.8 + SLACK || high < 0.8 - SLACK
            }));
        }
        rows
    }

    /// What each time gains on the next shorter one.
    fn champion(&self) -> Vec<Row> {
        let deals = self.check.runs * 4;
        let row = |[less, more]: [&str; 2]| {
            let estimate = sums(&self.play([more, less], deals)).estimate();
            let (mean, half) = estimate.map_or((0.0, None), |it| (it.mean, it.half_width));
            let ends = half.map(|half| [mean - half, mean + half]);
            let fails = ends.is_some_and(|[_, high]| high < 0.0);
            Row::new("champion", &format!("{more} − {less}"), "at least", deals, [0.0, mean], ends, fails)
        };
        CHAMPIONS.array_windows().map(|pair| row(*pair)).collect()
    }

    /// Each bidder of the registry that reports what it expects, with what four of its kind reported.
    fn predictions(&self) -> &[(String, Predictions)] {
        let bidders = self.registry.bots().filter(|bot| bot.bids());
        let specs = bidders.filter_map(|bot| self.registry.parse(&format!("{}+rules", bot.name())).ok());
        let thinking = specs.filter(|spec| spec.build().bidder.thinks());
        self.predictions
            .get_or_init(|| thinking.map(|spec| (spec.to_string(), self.predictions_of(&spec))).collect())
    }

    /// Plays deals of four bots of a kind: the claims about contracts, and those about points by kind of call.
    fn predictions_of(&self, spec: &BotSpec) -> Predictions {
        let deals = self.check.runs * if tells_at_once(spec) { 20 } else { 2 };
        let chunks = self.chunks(&[spec.clone(), spec.clone()], deals, |table, deals| {
            let mut seen = Predictions::default();
            deals.for_each(|deal| table.play_first_leg(deal, &mut seen));
            seen
        });
        chunks.into_iter().fold(Predictions::default(), |mut all, part| {
            all.chances.extend(part.chances);
            all.points.extend(part.points);
            all
        })
    }

    fn chances(&self) -> Vec<Row> {
        let rows = |(bot, seen): &(String, Predictions)| Row::of_claims("chances", bot, MADE, &seen.chances);
        self.predictions().iter().flat_map(rows).collect()
    }

    fn points(&self) -> Vec<Row> {
        let rows =
            |(bot, seen): &(String, Predictions), kind| Row::of_claims("points", bot, kind, &seen.points);
        let of = |bot| KINDS.into_iter().flat_map(move |kind| rows(bot, kind));
        self.predictions().iter().flat_map(of).collect()
    }

    fn advice(&self) -> Vec<Row> {
        let (rules, runs) = (self.check.rules, self.check.runs);
        // The bots that are assumed where none is named take thirty times as long.
        let tables = [
            ("arena advise", [PARTNER, OPPONENTS], (runs / 4).max(1)),
            ("arena advise --partner rules --others rules", ["rules"; 2], 5 * runs),
        ];
        let rows = tables.into_iter().flat_map(|(command, bots, deals)| {
            let [partner, others] = bots.map(|bot| self.bot(bot));
            let (models, seed) = (Models::new(partner, others), self.check.seed.clone());
            let asked = Audit { rules, seed, deals, worlds: 200, models: &models, by: None };
            Row::of_means(ADVICE, command, audit(&asked, self.solvers))
        });
        rows.collect()
    }
}

/// Compares the card points of deals with those of best play.
#[derive(Default)]
struct Solved {
    solver: Solver,
    off: i32,
}

impl Scribe for Solved {
    fn deal(&mut self, deal: &PlayedDeal<'_>) {
        let Ending::Regular(Outcome::Played { result, .. }) = deal.ending else { return };
        let state = DealState::play_from(deal.state.rules(), deal.state.deal(), result.contract);
        let Some(play) = state.as_ref().ok().and_then(DealState::play_state) else { return };
        let best = LeaderPoints::of(&mut self.solver, deal.state.rules(), play).points;
        self.off += i32::from(best[Team::Even]) - i32::from(result.card_points[Team::Even]);
    }
}

/// The legs of pairs: the lead of the first bot.
struct Legs(Vec<[i64; 2]>);

impl Scribe for Legs {
    fn deal(&mut self, _deal: &PlayedDeal<'_>) {}

    fn pair(&mut self, _index: u64, legs: &[LegResult; 2]) {
        let [first, second] = legs.map(|leg| i64::from(leg.score.0[0]) - i64::from(leg.score.0[1]));
        self.0.push([first, -second]);
    }
}

fn sums(legs: &[[i64; 2]]) -> PairedSums {
    let mut sums = PairedSums::default();
    for legs in legs {
        sums.add(*legs);
    }
    sums
}

fn mean(legs: &[[i64; 2]]) -> f64 {
    sums(legs).moments().map_or(0.0, |[mean, _]| mean)
}

/// The kinds of calls whose points are compared.
const KINDS: [&str; 3] = ["score after a bid", "score after a pass", "score after a coinche"];

/// What bidders predicted, and what came.
#[derive(Default)]
struct Predictions {
    /// The chance, told with the bid that became the contract, in per cent.
    chances: Vec<Claim>,
    /// The score, told with any call, by kind of call.
    points: Vec<Claim>,
}

impl Scribe for Predictions {
    fn deal(&mut self, deal: &PlayedDeal<'_>) {
        let Ending::Regular(outcome) = deal.ending else { return };
        if let Outcome::Played { result, score } = outcome
            && let Some(told) = predicted_chance(result.contract, deal)
        {
            let came = if score.made { 100.0 } else { 0.0 };
            self.chances.push(Claim { figure: MADE, deal: deal.deal, told: 100.0 * told, came });
        }
        for thought in deal.thoughts {
            let (Some(told), Some(at)) = (thought.points, thought.calls) else { continue };
            let Some((seat, call)) = deal.state.auction().calls().get(at) else { continue };
            let kind = match call {
                Call::Bid(_) | Call::Take | Call::TakeIn(_) => 0,
                Call::Coinche | Call::Surcoinche => 2,
                _ => 1,
            };
            let own: Team = seat.team();
            let came = f64::from(deal.score[own] - deal.score[own.other()]);
            self.points.push(Claim { figure: KINDS[kind], deal: deal.deal, told, came });
        }
    }
}

impl Row {
    /// A row of one experiment: `[told, came]`, and the ends of the interval of what came.
    fn new(
        claim: &'static str,
        subject: &str,
        figure: &'static str,
        claims: u64,
        [told, came]: [f64; 2],
        ends: Option<[f64; 2]>,
        fails: bool,
    ) -> Self {
        let half_width = ends.map(|[low, high]| (high - low) / 2.0);
        let off = Mean { mean: came - told, half_width };
        let told = Told { figure, fifth: 0, claims, told, came, off, p: None };
        Self { claim, subject: subject.to_owned(), told, fails }
    }

    /// A row of a share, in per cent; it fails by the ends of its interval.
    fn share(
        claim: &'static str,
        subject: &str,
        figure: &'static str,
        [part, whole]: [u64; 2],
        told: f64,
        fails: impl Fn([f64; 2]) -> bool,
    ) -> Self {
        let ends = |level| wilson(part, whole, level).unwrap_or([0.0, 1.0]);
        let came = if whole == 0 { told } else { part as f64 / whole as f64 };
        let in_percent = ends(0.95).map(|end| 100.0 * end);
        let means = [100.0 * told, 100.0 * came];
        Self::new(claim, subject, figure, whole, means, Some(in_percent), fails(ends(LEVEL)))
    }

    /// The rows of claims, by fifths of what was told.
    fn of_claims(claim: &'static str, subject: &str, figure: &'static str, claims: &[Claim]) -> Vec<Self> {
        Self::of_means(claim, subject, fifths(figure, claims))
    }

    /// A row of each mean: whether it fails is said of all those of a claim together.
    fn of_means(claim: &'static str, subject: &str, means: Vec<Told>) -> Vec<Self> {
        let row = |told| Self { claim, subject: subject.to_owned(), told, fails: false };
        means.into_iter().map(row).collect()
    }
}

/// The rows of all claims.
pub struct Checked {
    rows: Vec<Row>,
}

impl Checked {
    /// The number of rows that fail.
    pub fn failed(&self) -> usize {
        self.rows.iter().filter(|row| row.fails).count()
    }

    /// Makes the table.
    pub fn document(&self, check: &Check) -> Document {
        let (all, failed) = (self.rows.len(), self.failed());
        let verdict = match failed {
            0 if all == 0 => {
                "Nothing was checked: there were too few cases for every figure; raise --runs.".to_owned()
            }
            0 => format!("All {all} figures came true."),
            _ => format!("{failed} of {all} figures did not come true."),
        };
        let caption = "What was reported, and what came: means in points, shares in per cent, of all cases and by fifths of what was \
                       reported. Off: what came less what was reported, with its 95 % interval. Means fail where chance explains the difference in less than \
                       one of a hundred tables: their p-values are corrected by Holm over all rows of a claim.";
        let reported = measured("reported", "points or per cent", "the mean that was reported");
        let off = measured("off", "points or per cent", "what came less what was reported");
        let table = Table::of("selfcheck", caption, &self.rows)
            .text(named("claim", "the claim that is checked"), |row| row.claim)
            .text(named("of", "who made it"), |row| row.subject.clone())
            .text(named("figure", "the figure"), |row| row.told.figure)
            .text(named("part", "which fifth of what was reported"), |row| match row.told.fifth {
                0 => "all".to_owned(),
                fifth => format!("{fifth} of 5"),
            })
            .count(named("cases", "the number of cases"), |row| row.told.claims)
            .signed(reported, |row| row.told.told)
            .signed(measured("came", "points or per cent", "the mean that came"), |row| row.told.came)
            .estimate(off, |row| row.told.off)
            .flag(named("fails", "whether chance does not explain the difference"), |row| row.fails)
            .build();
        let claims = CLAIMS.iter().filter(|(name, ..)| self.rows.iter().any(|row| row.claim == *name));
        let claims = claims.map(|(name, says, _)| format!("{name}: {says}")).collect();
        let blocks = vec![Block::Table(table), Block::Items(claims)];
        Document {
            title: "Self-check".to_owned(),
            command: "selfcheck",
            verdicts: vec![verdict],
            scope: vec![format!("seed {}, {} runs of each kind", check.seed, check.runs)],
            sections: vec![Section::new("claims", "Claims", blocks)],
            ..Document::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_fails_where_chance_does_not_explain_it() {
        let coverage = |held| {
            Row::share("intervals", "a − b", "coverage", [held, 1_000], 0.95, |[_, high]| high < 0.93)
        };
        assert!(!coverage(950).fails && !coverage(1_000).fails && coverage(880).fails);
        let off = |off: f64| {
            let claims = (0..500).map(|deal| Claim {
                figure: MADE,
                deal,
                told: 50.0,
                came: if deal % 2 == 0 { 0.0 } else { 100.0 } + off,
            });
            let rows = judged(Row::of_claims("chances", "a", MADE, &claims.collect::<Vec<_>>()));
            (rows.len(), rows[0].fails)
        };
        assert_eq!((off(0.0), off(20.0)), ((6, false), (6, true)));
        // A few that all come, as one told of nearly all; and as nobody told.
        let few = |told: f64, made: u64| {
            let claims: Vec<_> = (0..8)
                .map(|deal| {
                    let told = told + deal as f64 / 4.0;
                    Claim { figure: MADE, deal, told, came: if deal < made { 100.0 } else { 0.0 } }
                })
                .collect();
            let rows = judged(Row::of_claims("chances", "a", MADE, &claims));
            (rows[0].told.p, rows[0].fails)
        };
        assert!(few(90.0, 8).0 > Some(0.5) && !few(90.0, 8).1 && !few(96.0, 8).1 && few(5.0, 8).1);
        // Means of a few deals are not compared.
        let claims: Vec<_> =
            (0..19).map(|deal| Claim { figure: KINDS[2], deal, told: 0.0, came: 500.0 }).collect();
        assert!(Row::of_claims("points", "a", KINDS[2], &claims).is_empty());
        // What fails alone need not among many.
        let row = |p| {
            let mut row = Row::new("points", "a", MADE, 500, [0.0, 1.0], None, false);
            row.told.p = Some(p);
            row
        };
        let failed = |rows: Vec<Row>| judged(rows).iter().filter(|row| row.fails).count();
        let many = |least| (0..90).map(|n| row(if n == 7 { least } else { 0.5 })).collect();
        assert_eq!((failed(vec![row(0.001)]), failed(many(0.001)), failed(many(0.0001))), (1, 0, 1));
    }
}
