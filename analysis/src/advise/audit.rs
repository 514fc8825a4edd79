//! Plays what is told of calls as claims: every call of a table is made with the cards as they were dealt, the assumed bots finish the deal,
//! and what came is compared with what was told.

use coinche_bots::{BotSpec, Choice};
use coinche_engine::{Call, Deal, DealState, Deck, Key, RuleSet, Seat, Seed, Turn};
use coinche_inference::ratio::{Mean, Part, Ratio};
use coinche_inference::{student_p, student_t};
use coinche_selfplay::play::solvers::Solvers;

use super::holdings::Holdings;
use super::models::{AssumedTable, Played};
use super::{Adviser, Budget, Models, Weighed, calls};

/// What is checked.
#[derive(Debug, Clone)]
pub struct Audit<'a> {
    /// The rules.
    pub rules: RuleSet,
    /// The seed of the deals.
    pub seed: Seed,
    /// How many deals.
    pub deals: u64,
    /// The worlds of an answer.
    pub worlds: u32,
    /// Who bids and plays.
    pub models: &'a Models,
    /// The bot whose figures are checked; `None`: those of the sampled deals.
    pub by: Option<&'a BotSpec>,
}

/// The score after the advised call, and after another.
const ADVISED: &str = "score of the advised call";
const OTHER: &str = "score of another call";
/// The gain of the advised call over that of the assumed bidder, where they differ.
const GAIN: &str = "gain over the assumed bidder";
/// That gain where nothing is reported, over all decisions: it is not to be negative.
const NOT_WORSE: &str = "advised less assumed call";
/// How often the contract is made, where it becomes that of the deal; of the standing one, if all pass.
const CHANCE: &str = "chance";
/// How often the contract becomes that of the deal.
const FINAL: &str = "final";

/// How often a contract is made that was told with its bid: of `arena selfcheck`.
pub(crate) const MADE: &str = "contract made";

const FIGURES: [&str; 6] = [ADVISED, OTHER, GAIN, NOT_WORSE, CHANCE, FINAL];

/// A figure that was told, and what came.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Claim {
    /// What the figure says.
    pub(crate) figure: &'static str,
    /// The deal.
    pub(crate) deal: u64,
    /// What was told.
    pub(crate) told: f64,
    /// What came.
    pub(crate) came: f64,
}

/// What was told and what came, of figures whose told values are alike.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// What the figure says.
    pub figure: &'static str,
    /// The fifth, 1 to 5, from the lowest to the highest told; 0 for all together.
    pub fifth: usize,
    /// The number of claims, and their means.
    pub claims: u64,
    /// The mean that was told.
    pub told: f64,
    /// The mean that came.
    pub came: f64,
    /// What came less what was told, with the interval over deals.
    pub off: Mean,
    /// How likely chance alone is off so far, where it has an interval.
    pub p: Option<f64>,
}

/// Checks what is told at two decisions of a seat of each deal, its first call and a later one if there is one.
///
/// The threads share the worlds of an answer; what is found does not depend on their number.
pub fn audit(audit: &Audit<'_>, solvers: &Solvers) -> Vec<Told> {
    let claims: Vec<Claim> = (0..audit.deals).flat_map(|deal| audit.deal(solvers, deal)).collect();
    FIGURES.into_iter().flat_map(|figure| fifths(figure, &claims)).collect()
}

impl Audit<'_> {
    /// Checks a deal.
    fn deal(&self, solvers: &Solvers, index: u64) -> Vec<Claim> {
        let dealer = Seat::from_index(usize::try_from(index % 4).unwrap_or_default());
        let mut state = DealState::new(
            &self.rules,
            &Deal::new(&self.rules.deal, Deck::shuffled(&self.seed, index), dealer),
        );
        let key = Key::decisions(&self.seed, index, dealer);
        let seat = Seat::from_index(key.and(1).below(4));
        let (mut table, mut claims, mut asked) = (self.models.table(seat), Vec::new(), 0);
        while let Turn::Call(turn) = state.turn() {
            let calls = state.auction().calls().len() as u64;
            if turn == seat && asked < 2 {
                asked += 1;
                self.ask(solvers, &state, index, key.and(2).and(calls), &mut table, &mut claims);
            }
            let call = table.call(&state.view(turn), &state.legal_calls(), key.and(3));
            if state.call(call).is_err() {
                break;
            }
        }
        claims
    }

    /// Asks at a turn, and plays what is told.
    fn ask(
        &self,
        solvers: &Solvers,
        state: &DealState,
        deal: u64,
        key: Key,
        table: &mut AssumedTable,
        claims: &mut Vec<Claim>,
    ) {
        let Turn::Call(seat) = state.turn() else { return };
        let view = state.view(seat);
        let budget = Budget::Worlds(self.worlds);
        let adviser = Adviser { solvers, budget, by: self.by, models: self.models, key };
        let holdings = Holdings::find(&view, self.models.read_by(&view), key, 0, None);
        let advice = calls::advise(&view, &adviser, holdings);
        let play = key.and(1);
        let mut claim = |figure: &'static str, told: Option<f64>, came| {
            let unit = if is_share(figure) { 100.0 } else { 1.0 };
            claims.extend(told.map(|told| Claim { figure, deal, told: unit * told, came: unit * came }));
        };
        let flag = |holds: bool| f64::from(u8::from(holds));
        let is_bid = |option: &&Weighed| {
            matches!(option.choice, Choice::Call(Call::Bid(_) | Call::Take | Call::TakeIn(_)))
        };
        let mut scores = Vec::new();
        for option in &advice.options {
            let Choice::Call(call) = option.choice else { continue };
            let Played { score: net, contract: [is_final, made] } =
                table.finish(state, call, seat.team(), play);
            scores.push((call, net));
            let figure = if option.choice == advice.choice { ADVISED } else { OTHER };
            claim(figure, option.score.map(|[score, _]| score), net);
            claim(FINAL, option.is_final, flag(is_final));
            if is_bid(&option) && is_final {
                claim(CHANCE, option.chance, flag(made));
            }
        }
        // The standing contract has the same chance in all rows.
        let standing = advice.options.iter().find(|option| !is_bid(option)).and_then(|option| option.chance);
        if let (Some(chance), Some(made)) =
            (standing.filter(|_| self.by.is_none()), table.as_it_stands(state))
        {
            claim(CHANCE, Some(chance), flag(made));
        }
        if let Some(assumed) = advice.assumed {
            let score = |choice: Choice| scores.iter().find(|(call, _)| choice == (*call).into());
            if let (Some((_, advised)), Some((_, base))) = (score(advice.choice), score(assumed.call.into()))
            {
                claim(NOT_WORSE, Some(0.0), advised - base);
                let differs = advice.choice != assumed.call.into();
                claim(GAIN, Some(assumed.gain[0]).filter(|_| differs), advised - base);
            }
        }
    }
}

/// Compares what was told of a figure with what came: of all, and by fifths of what was told.
pub(crate) fn fifths(figure: &'static str, claims: &[Claim]) -> Vec<Told> {
    let mut of: Vec<Claim> = claims.iter().filter(|claim| claim.figure == figure).copied().collect();
    of.sort_by(|a, b| a.told.total_cmp(&b.told).then(a.deal.cmp(&b.deal)));
    let part = |fifth: usize| match fifth {
        0 => &of[..],
        _ => &of[of.len() * (fifth - 1) / 5..of.len() * fifth / 5],
    };
    (0..=5).filter_map(|fifth| compared(figure, fifth, part(fifth))).collect()
}

/// Tests if a figure is a share of cases, in per cent.
fn is_share(figure: &str) -> bool {
    [CHANCE, FINAL, MADE].contains(&figure)
}

/// The most cases whose number is compared exactly.
const EXACT: usize = 2_000;

/// Returns how likely so many of independent cases come, or a number further off, if they come with the chances that were told (of a Poisson
/// binomial distribution, both sides).
fn chance_of(claims: &[Claim]) -> f64 {
    let told = claims.iter().map(|claim| (claim.told / 100.0).clamp(0.0, 1.0));
    let came = claims.iter().filter(|claim| claim.came > 0.0).count();
    if claims.len() > EXACT {
        let [mean, variance] =
            told.fold([0.0, 0.0], |[mean, variance], p| [mean + p, variance + p * (1.0 - p)]);
        return student_p((came as f64 - mean) / variance.sqrt(), 1e9);
    }
    let mut of = vec![1.0];
    for p in told {
        of.push(0.0);
        for number in (0..of.len()).rev() {
            let one_less = if number > 0 { of[number - 1] } else { 0.0 };
            of[number] = of[number] * (1.0 - p) + one_less * p;
        }
    }
    let [most, least] = [&of[..=came], &of[came..]].map(|part| part.iter().sum::<f64>());
    (2.0 * most.min(least)).min(1.0)
}

/// Fewer deals do not know their variance, and are not compared.
const FEWEST: u64 = 20;

/// Sums are exact, in thousandths.
const PARTS: f64 = 1_000.0;

fn compared(figure: &'static str, fifth: usize, claims: &[Claim]) -> Option<Told> {
    let mut by_deal: Vec<Claim> = claims.to_vec();
    by_deal.sort_by_key(|claim| claim.deal);
    let (mut off, mut told, mut came) = (Ratio::default(), 0.0, 0.0);
    for deal in by_deal.chunk_by(|a, b| a.deal == b.deal) {
        let mut part = Part::default();
        for claim in deal {
            #[expect(clippy::cast_possible_truncation, reason = "scores are some thousands")]
            part.add(((claim.came - claim.told) * PARTS).round() as i32);
            told += claim.told;
            came += claim.came;
        }
        off.add(part);
    }
    if off.deals < FEWEST && !is_share(figure) {
        return None;
    }
    let Mean { mean, half_width } = off.mean()?;
    let (n, deals) = (claims.len() as f64, off.deals as f64);
    let p = half_width.map(|half| {
        let degrees = deals - 1.0;
        let p = student_p(student_t(0.95, degrees) * mean / half, degrees);
        match figure {
            NOT_WORSE if mean < 0.0 => p / 2.0,
            NOT_WORSE => 1.0,
            // Cases that all come know no variance of their own.
            _ if is_share(figure) => p.max(chance_of(claims)),
            _ => p,
        }
    });
    let off = Mean { mean: mean / PARTS, half_width: half_width.map(|half| half / PARTS) };
    Some(Told { figure, fifth, claims: claims.len() as u64, told: told / n, came: came / n, off, p })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chance_of_a_number_is_that_of_all_ways_to_it() {
        let chances = [90.0, 30.0, 55.0, 100.0, 5.0];
        for ways in 0..32_u32 {
            let came = |at: usize| if ways >> at & 1 == 1 { 100.0 } else { 0.0 };
            let claims: Vec<_> = (0..5)
                .map(|at| Claim { figure: MADE, deal: at as u64, told: chances[at], came: came(at) })
                .collect();
            let of = |wanted: &dyn Fn(u32) -> bool| -> f64 {
                let ways = (0..32_u32).filter(|way| wanted(way.count_ones()));
                let chance = |way: u32| -> f64 {
                    let each =
                        |(at, told): (usize, &f64)| if way >> at & 1 == 1 { *told } else { 100.0 - told };
                    chances.iter().enumerate().map(each).map(|chance| chance / 100.0).product()
                };
                ways.map(chance).sum()
            };
            let number = ways.count_ones();
            let expected = 2.0 * of(&|other| other <= number).min(of(&|other| other >= number));
            assert!((chance_of(&claims) - expected.min(1.0)).abs() < 1e-12, "{ways:b}");
        }
    }
}
