//! The result of a comparison of runs.

use coinche_inference::PairedSums;
use coinche_selfplay::document::columns::{BOT_A, BOT_B};
use coinche_selfplay::document::draw::{Mark, forest};
use coinche_selfplay::{Block, Cell, Document, Picture, Section, Table, Unit, measured, named, thousands};

use super::{Compared, Comparison};
use coinche_runs::verdict::{Forfeits, headline, scored_more};

/// The maximum number of intervals in a picture, and of sentences.
const MOST_SHOWN: usize = 40;

/// Returns the correlation of both results over the deals, due to the common cards.
fn correlation([first, second, difference]: &[PairedSums; 3]) -> Option<f64> {
    let variance = |sums: &PairedSums| sums.moments().map(|[_, variance]| variance);
    let [x, y] = [variance(first)?, variance(second)?];
    let scale = (x * y).sqrt();
    (scale > 0.0).then_some((x + y - variance(difference)?) / (2.0 * scale))
}

impl Comparison {
    /// Names the two that are compared.
    fn names(&self, compared: &Compared) -> [String; 2] {
        let [first, second] = [&self.rivals.first, &self.rivals.second];
        if first.bots == second.bots {
            let in_run = |run: usize| format!("{} in {}", first.name(), compared.runs[run].path.display());
            return [in_run(first.run), in_run(second.run)];
        }
        [first.bots[0].clone(), second.bots[0].clone()]
    }

    /// Names the opponent, if not named already.
    fn against(&self) -> String {
        let [first, second] = [&self.rivals.first, &self.rivals.second];
        if first.bots == second.bots { String::new() } else { format!(" against {}", first.bots[1]) }
    }

    /// Returns the verdict as a sentence: none where too many legs were forfeited.
    fn sentence(&self, compared: &Compared) -> String {
        let legs = 2 * self.sums[2].pairs;
        let forfeits = Forfeits::of(&self.forfeited.map(|forfeited| [forfeited, legs]), &[]);
        let [a, b] = self.names(compared);
        match forfeits {
            Some(forfeits) if forfeits.is_void => {
                headline(Some(&forfeits), String::new()) + &format!(": {a}, {b}{}", self.against())
            }
            forfeits => headline(forfeits.as_ref(), self.difference(compared)),
        }
    }

    /// Returns the difference as a sentence.
    fn difference(&self, compared: &Compared) -> String {
        let [a, b] = self.names(compared);
        let against = self.against();
        let Some(estimate) = self.estimate() else { return format!("{a}, {b}: no deals") };
        if estimate.half_width.is_none() {
            return format!("No significant difference: {a} and {b}{against}");
        }
        let difference = (estimate.mean, estimate.half_width);
        let scored = scored_more([&a, &b], difference, compared.unit().singular());
        let unclear = if estimate.is_decided() { "" } else { "No significant difference: " };
        format!("{unclear}{scored}{against}")
    }
}

/// Returns the table of all comparisons.
fn table(compared: &Compared) -> Table {
    // The bots identify what is compared, unless both are the same.
    let has_same = compared.comparisons.iter().any(|it| it.rivals.first.bots == it.rivals.second.bots);
    let caption = format!("Points per {}, ± 95 %", compared.unit().singular());
    let path = |run: usize| compared.runs[run].path.display().to_string();
    let deals = "deals of both runs, played in both seatings; of runs with `--match`, matches, and all points are per match";
    let result_a = measured("result_a", "points", "points against the opponent, a deal");
    let result_b = measured("result_b", "points", "points against the opponent, a deal");
    let difference = measured("difference", "points", "the first result less the second, deal by deal");
    let sd = measured("sd", "points", "standard deviation of that difference");
    let correlated = measured("correlation", "−1 to 1", "correlation of both results over the deals");
    let run_a = named("run_a", "the directory of the run in which the bot played").shown_if(has_same);
    let run_b = named("run_b", "the directory of the run in which the bot played").shown_if(has_same);
    Table::of("comparisons", caption, &compared.comparisons)
        .text(run_a, |it| path(it.rivals.first.run))
        .text(BOT_A.head("A"), |it| &it.rivals.first.bots[0])
        .text(run_b, |it| path(it.rivals.second.run))
        .text(BOT_B.head("B"), |it| &it.rivals.second.bots[0])
        .text(named("against", "the opponent of both"), |it| &it.rivals.second.bots[1])
        .count(named("deals", deals), |it| it.sums[2].pairs)
        .estimate(result_a.head("result of A"), |it| it.sums[0].estimate())
        .estimate(result_b.head("result of B"), |it| it.sums[1].estimate())
        .estimate(difference.head("A − B"), |it| it.estimate())
        .plain(sd.only_in_files(), |it| it.sums[2].estimate()?.sd)
        .number(correlated, |it| correlation(&it.sums).map(|value| Cell::Number(value, 2)))
        .build()
}

/// Returns the findings as a document.
pub fn document(compared: &Compared) -> Document {
    let sentences = compared.comparisons.iter().map(|comparison| comparison.sentence(compared));
    let mut verdicts: Vec<_> = sentences.take(MOST_SHOWN).collect();
    let mut scope = Vec::new();
    // A headline is short.
    if verdicts.len() > 2 {
        let all = &compared.comparisons;
        let decided = all.iter().filter(|it| it.estimate().is_some_and(|it| it.is_decided())).count();
        let headline = format!("{decided} of {} differences are significant.", all.len());
        scope = std::mem::replace(&mut verdicts, vec![headline]);
    }
    let unit = compared.unit().plural();
    for run in &compared.runs {
        let given = run.config.freeze.in_words().map_or_else(String::new, |given| format!(", {given}"));
        let deals = thousands(run.deals.end - run.deals.start);
        scope.push(format!("{}: {deals} {unit}, commit {}{given}", run.path.display(), run.commit));
    }
    let config = &compared.runs[0].config;
    let cards = match compared.dealt {
        0 if compared.unit() == Unit::Match => "the cards of matches are not compared".to_owned(),
        0 => "the cards were not compared: not all runs have records".to_owned(),
        n => format!("the cards of {} deals with records are the same", thousands(n)),
    };
    let deals = thousands(compared.deals.end - compared.deals.start);
    let (seed, rules) = (&config.seed, config.rules_name());
    scope.push(format!("{deals} {unit} compared, seed {seed}, rules {rules}; {cards}"));
    for note in compared.runs.iter().flat_map(|run| &run.notes) {
        if !scope.contains(note) {
            scope.push(note.clone());
        }
    }
    let mark = |comparison: &Comparison| {
        let [a, b] = comparison.names(compared);
        Mark::of(format!("{a} − {b}{}", comparison.against()), comparison.estimate())
    };
    let marks: Vec<Mark> = compared.comparisons.iter().filter_map(mark).take(MOST_SHOWN).collect();
    let axis = format!("points per {}", compared.unit().singular());
    let svg = forest(&format!("Differences on the same {unit}"), &axis, &marks);
    let caption = "Differences of results on the same deals with 95 % confidence intervals. Right of 0 the first scores \
                   more, left of 0 the second; grey intervals contain 0.";
    let picture = Picture::new(svg, caption, table(compared));
    Document {
        title: format!("{} runs compared", compared.runs.len()),
        command: "compare",
        verdicts,
        scope,
        sections: vec![Section::new("comparisons", "Same deals", vec![Block::Picture(picture)])],
        ..Document::default()
    }
}
