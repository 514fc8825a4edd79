//! The contents of a report, one section per file.

mod cause;
mod compare;
mod contracts;
mod crossplay;
mod faults;
mod forecasts;
mod matches;
mod rating;
mod replay;
mod reproduce;
mod split;
mod spread;
mod swings;
mod times;
mod trace;
mod verdict;

use coinche_selfplay::document::{Block, Document, Picture, Section, Table};

use super::source::{Run, Source};
pub(crate) use swings::records;

pub use forecasts::{picture as forecasts_picture, table as forecasts_table};

/// The maximum number of pictures of one kind; for the others there are only folded tables.
const MOST_PICTURES: usize = 6;

/// The position of a report among several on one page.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// Counted from 1; `None` if there is only one.
    number: Option<usize>,
}

impl Place {
    /// Names a section or file.
    fn name(self, name: &str) -> String {
        self.number.map_or_else(|| name.to_owned(), |number| format!("run{number}-{name}"))
    }

    fn section(self, id: &str, title: &str, blocks: Vec<Block>) -> Section {
        let title = self.number.map_or_else(|| title.to_owned(), |number| format!("{number}. {title}"));
        Section::new(self.name(id), title, blocks)
    }
}

/// Shows a picture; after the first few, only its numbers, folded.
fn picture_or_table(picture: Picture, number: usize) -> Block {
    if number < MOST_PICTURES {
        return Block::Picture(picture);
    }
    Block::Folded(Table { caption: picture.caption, ..picture.table })
}

/// Returns a slug for a file name: numbered from 1 if there are several.
fn numbered(name: &str, number: usize, of: usize) -> String {
    if of > 1 { format!("{name}-{}", number + 1) } else { name.to_owned() }
}

fn sections_of_run(run: &Run, place: Place) -> Vec<Section> {
    vec![
        crossplay::section(run, place),
        compare::section(run, place),
        rating::section(run, place),
        split::section(run, place),
        cause::section(run, place),
        contracts::section(run, place),
        spread::section(run, place),
        swings::section(run, place),
        forecasts::section(run, place),
        times::section(run, place),
        faults::section(run, place),
        reproduce::of_run(run, place),
    ]
}

/// Returns the document of all sources.
pub(super) fn document(sources: &[Source]) -> Document {
    let mut document = Document { title: title(sources), command: "report", ..Document::default() };
    for (n, source) in sources.iter().enumerate() {
        let place = Place { number: (sources.len() > 1).then_some(n + 1) };
        let before = place.number.map_or_else(String::new, |number| format!("{number}. "));
        let (verdict, scope) = match source {
            Source::Run(run) => verdict::of_run(run),
            Source::Test(test) => verdict::of_test(test),
        };
        document.verdicts.push(format!("{before}{verdict}"));
        document.scope.extend(scope.into_iter().map(|line| format!("{before}{line}")));
        document.sections.extend(match source {
            Source::Run(run) => sections_of_run(run, place),
            Source::Test(test) => vec![trace::section(test, place), reproduce::of_test(test, place)],
        });
    }
    if sources.len() > 1 {
        document.sections.insert(0, compare::overview(sources));
    }
    document
}

fn title(sources: &[Source]) -> String {
    let bots = match sources {
        [Source::Run(run)] if let Some(figures) = &run.form.crossplay => {
            return format!("Partnerships of {} bots: {}", figures.bots.len(), figures.bots.join(", "));
        }
        [Source::Run(run)] => &run.form.bots,
        [Source::Test(test)] => &test.bots,
        _ => return format!("{} runs and tests", sources.len()),
    };
    match bots.as_slice() {
        [a, b] => format!("{a} against {b}"),
        bots => format!("{} bots: {}", bots.len(), bots.join(", ")),
    }
}
