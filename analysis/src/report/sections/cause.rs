//! In which deals the score differed: those with the same contract in both legs, and the others.

use coinche_inference::PairedSums;
use coinche_runs::audit::has_held_ties;
use coinche_selfplay::document::columns::{BOT_A, BOT_B, DEALS_OF_CAUSE, DIFFERENCE, PART, SHARE_OF_DEALS};
use coinche_selfplay::document::draw::{Mark, forest};
use coinche_selfplay::document::{Block, Picture, Section, Table, measured, named};

use super::{MOST_PICTURES, Place, numbered};
use crate::report::source::{Cause, Met, PairingScan, Run};

const RULE: &str = "Each deal is attributed to one cause, by how its two legs ended:";

const CAUSES: [&str; 3] = [
    "Same contract: the declarer's seat, level, strain and stake were the same in both legs, so only the card play differed.",
    "Other contract: the contracts differed, and with them the card play.",
    "Faults: a leg was forfeited. If both legs were passed out, there is no difference to attribute.",
];

const PARTS: &str = "Each part is the mean over all deals, counting a deal with another cause as 0, so the parts add up to the \
    total exactly. They say where the difference arose, not whether it is due to bidding or to card play: `arena run A B --split` \
    measures that.";

const DETAILS: &str = "The same by who declared.";

/// Names a cause for two bots.
fn text(cause: Cause, [a, b]: &[String; 2]) -> String {
    match cause {
        Cause::Fault => "a leg was forfeited".to_owned(),
        Cause::Same => "the same contract in both legs".to_owned(),
        Cause::Nothing => "both legs passed out".to_owned(),
        Cause::Level => "the same seat and strain, but another level or stake".to_owned(),
        Cause::Strain => "the same side, but another strain or the other partner".to_owned(),
        Cause::AlwaysA => format!("{a} declared in both legs"),
        Cause::AlwaysB => format!("{b} declared in both legs"),
        Cause::OnlyA => format!("{a} declared, the other leg was passed out"),
        Cause::OnlyB => format!("{b} declared, the other leg was passed out"),
    }
}

/// Some deals: their group, their description, their own sums, and their contribution to the whole.
type Row = (&'static str, String, PairedSums, PairedSums);

/// Returns the table of such rows.
fn parts_table(names: &[String; 2], name: String, caption: &str, rows: Vec<Row>) -> Table {
    let of_these = measured("difference", "points", "mean paired difference A − B of these deals");
    let contribution =
        "mean over all deals of the difference where the deal has this cause, else 0: they add up";
    let contribution = measured("contribution", "points", contribution);
    Table::of(name, caption, rows)
        .text(BOT_A.only_in_files(), |_| &names[0])
        .text(BOT_B.only_in_files(), |_| &names[1])
        .text(PART, |(part, ..)| *part)
        .text(named("what", "what is counted").head("deals that"), |(_, what, ..)| what.clone())
        .count(DEALS_OF_CAUSE, |(.., own, _)| own.pairs)
        .share(SHARE_OF_DEALS, |(.., own, part)| own.pairs as f64 / part.pairs.max(1) as f64)
        .signed(of_these.head("mean of these"), |(.., own, _)| own.estimate().map(|estimate| estimate.mean))
        .estimate(contribution.head("part of the whole"), |(.., part)| part.estimate())
        .build()
}

fn tables(names: &[String; 2], scan: &PairingScan, [split, detail]: [String; 2]) -> (Picture, Table) {
    let parts: [(&str, &str, Test); 4] = [
        ("all", "were played", |_| true),
        ("same contract", "had the same contract in both legs", |cause| cause == Cause::Same),
        ("other contract", "had different contracts", Cause::has_other_contract),
        ("faults", "had a leg forfeited", |cause| cause == Cause::Fault),
    ];
    let rows = parts.map(|(kind, what, test)| (kind, what.to_owned(), scan.own(test), scan.part(test)));
    let rows: Vec<_> =
        rows.into_iter().filter(|(kind, _, own, _)| *kind != "faults" || own.pairs > 0).collect();
    let marks: Vec<_> = rows.iter().filter_map(|(kind, .., part)| Mark::of(*kind, part.estimate())).collect();
    let [a, b] = names;
    let svg = forest("Parts of the difference", &format!("{a} − {b}, points per deal"), &marks);
    let caption = format!(
        "{a} − {b}: the total, and how much of it arose in deals with the same contract and with another."
    );
    let causes = Cause::ALL.into_iter().filter(|cause| scan.causes[*cause as usize].pairs > 0);
    let details = causes.map(|cause| {
        let part = scan.part(|other| other == cause);
        (cause.part(), text(cause, names), scan.causes[cause as usize], part)
    });
    let details = parts_table(names, detail, DETAILS, details.collect());
    (Picture::new(svg, caption, parts_table(names, split, "", rows)), details)
}

/// Tests if a cause belongs to a group.
type Test = fn(Cause) -> bool;

/// Returns one line per pairing, for runs with many.
fn short_table(run: &Run, place: Place, all: &[(&Met<'_>, &PairingScan)]) -> Table {
    let part = |scan: &PairingScan, test: Test| scan.part(test).estimate();
    let mean = move |scan: &PairingScan, test: Test| part(scan, test).map(|part| part.mean);
    let name = |met: &Met<'_>, side: usize| run.form.name(met.ends[side]);
    let same =
        measured("same_contract", "points", "contribution of deals with the same contract in both legs");
    let other = measured("other_contract", "points", "contribution of deals with different contracts");
    let faults = measured("faults", "points", "contribution of faults");
    Table::of(place.name("causes-all"), "Same contract or another, by pairing.", all)
        .text(BOT_A.head("A"), |(met, _)| name(met, 0))
        .text(BOT_B.head("B"), |(met, _)| name(met, 1))
        .signed(DIFFERENCE.head("all"), move |(_, scan)| mean(scan, |_| true))
        .estimate(same, move |(_, scan)| part(scan, |cause| cause == Cause::Same))
        .estimate(other, move |(_, scan)| part(scan, Cause::has_other_contract))
        .signed(faults, move |(_, scan)| mean(scan, |cause| cause == Cause::Fault))
        .build()
}

/// Explains why the score differed.
pub(super) fn section(run: &Run, place: Place) -> Section {
    let title = "Same contract or another";
    let Some(scan) = &run.scan else {
        let why = if run.form.of_matches() {
            "Not available for matches: their two legs do not have the same deals.".to_owned()
        } else {
            missing(run, "the split by contract")
        };
        let [causes, declarers] = ["causes", "declarers"]
            .map(|name| parts_table(&Default::default(), place.name(name), "", Vec::new()));
        let tables = [short_table(run, place, &[]), causes, declarers].map(Block::Table);
        return place.section("causes", title, [vec![Block::Text(why)], tables.to_vec()].concat());
    };
    let met = run.form.met();
    let all: Vec<_> = met.iter().zip(&scan.pairings).collect();
    let causes = CAUSES.map(str::to_owned).to_vec();
    let mut blocks = vec![Block::text(RULE), Block::Items(causes), Block::text(PARTS)];
    blocks.push(Block::Table(short_table(run, place, if all.len() > 1 { &all } else { &[] })));
    for (n, (met, scan)) in all.iter().enumerate() {
        let names = met.ends.map(|bot| run.form.name(bot));
        let files = ["causes", "declarers"].map(|name| place.name(&numbered(name, n, all.len())));
        let (picture, details) = tables(&names, scan, files);
        if all.len() > 1 {
            blocks.push(Block::Fold(run.form.versus(met.ends)));
        }
        let split = if n < MOST_PICTURES { Block::Picture(picture) } else { Block::Table(picture.table) };
        blocks.extend([split, Block::Table(details)]);
    }
    place.section("causes", title, blocks)
}

/// Explains why something that needs the summary table is left out.
pub(super) fn missing(run: &Run, what: &str) -> String {
    let waits = run.form.of_matches() && run.form.rules.rules().is_ok_and(|rules| has_held_ties(&rules));
    let why = if waits {
        "under these rules, points of a tie carry over to the next deal, and the summary table does not record them"
    } else {
        "the run has no summary table; --records summary writes one"
    };
    format!("Not available, {what}: {why}.")
}
