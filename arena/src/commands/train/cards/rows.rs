//! `arena train cards --rows` and `--from-rows`: what is learnt from, in files.

use std::io::Write;
use std::sync::Arc;

use coinche_bots::net::cards::CardNetwork;
use coinche_engine::Seed;
use coinche_selfplay::base::error::{ArenaError, OutOfRange};
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::output::print;
use coinche_selfplay::base::style::thousands;
use coinche_selfplay::document::model::{Cell, Table};

use super::TrainCardsArgs;
use crate::commands::label::told;
use crate::commands::train::TrainArgsError;
use coinche_analysis::label;
use coinche_analysis::train::cards::dataset::{self, Data, Loaded};
use coinche_analysis::train::cards::{self, Fit, Pass, Settings};
use coinche_runs::job::Job;

/// Deals per file, unless it is given: some ten thousands of rows.
const CHUNK: u64 = 1_000;
/// Passes over the rows, unless they are given.
const EPOCHS: u64 = 4;

/// Writes rows.
pub(super) fn write(
    args: &TrainCardsArgs,
    settings: impl FnOnce(Seed) -> Settings,
    out: &mut dyn Write,
) -> Result<Exit, ArenaError> {
    let (flags, directory) = (&args.data, &args.common.out);
    let chunk = flags.chunk.unwrap_or(CHUNK);
    OutOfRange::check("chunk", chunk, 1..=100_000)?;
    if !(0.0..=1.0).contains(&flags.held_out) {
        return Err(TrainArgsError::HeldOut(flags.held_out).into());
    }
    // An interrupted command had drawn a seed: repeated, it has to go on with that one.
    let seed = args.common.seed.or_there(label::seed_of(directory), flags.shard)?;
    let settings = settings(seed);
    let data = Data { settings, held_out: flags.held_out, chunk, shard: flags.shard };
    let done = dataset::make(&data, directory, &args.common.pool()?, args.common.progress)?;
    print(out, &told(Job::Rows, &done, "deals", &format!("seed {}", data.settings.seed), directory))?;
    Ok(Exit::Done)
}

/// Learns from rows.
pub(super) fn fit(
    args: &TrainCardsArgs,
    from: Option<Arc<CardNetwork>>,
    out: &mut dyn Write,
) -> Result<Exit, ArenaError> {
    let epochs = OutOfRange::check("epochs", args.data.epochs.unwrap_or(EPOCHS), 1..=1_000)?;
    let pool = args.common.pool()?;
    let rows = Loaded::read(&args.data.from_rows, args.common.progress)?;
    let seed = args.common.seed.or_drawn();
    let made = |passes: usize| {
        [
            ("rows", rows.rows()[0].to_string()),
            ("rows_seed", rows.said("seed")),
            ("rows_commit", rows.said("commit")),
            ("rows_network", rows.said("network")),
            ("rows_policy", rows.said("policy")),
            ("epochs", format!("{passes} of {epochs}")),
            ("rules", rows.said("presets")),
            ("bidders", rows.said("bidders")),
            args.from.setting(),
        ]
    };
    let mut passes: Vec<Pass> = Vec::new();
    let fit = Fit { seed: seed.clone(), passes: usize::try_from(epochs).unwrap_or(usize::MAX), from };
    cards::fit(&fit, &rows, &pool, |pass, network| {
        passes.push(pass);
        args.common.write(network.layers(), &CardNetwork::KIND, &seed, &made(passes.len()))
    })?;
    let [learnt, held_out] = rows.rows().map(|rows| thousands(rows as u64));
    let rows = format!("{learnt} rows, {held_out} held out");
    args.common.report("the card player net", &rows, &seed, table(&passes), out)
}

/// What was learnt in each pass.
fn table(passes: &[Pass]) -> Table {
    let caption = "How far the network was off in each pass over the rows while it learned, and after it in the deals that are held out: root \
                   mean square in points for what a card scores more than the mean, solved and played out (most of it is the luck of the \
                   deal), log loss for which card is played.";
    let rows = passes.iter().enumerate().flat_map(|(n, pass)| {
        let deals = [("learning", Some(pass.learning)), ("held out", pass.held_out)];
        deals.into_iter().filter_map(move |(name, off)| Some((n + 1, name, off?)))
    });
    Table::of("epochs", caption, rows)
        .count("epoch", |(epoch, ..)| *epoch)
        .text("deals", |(_, deals, _)| *deals)
        .plain("solved off by", |(.., off)| off.values[0])
        .plain("played off by", |(.., off)| off.values[1])
        .number("log loss", |(.., off)| Cell::Number(off.played, 4))
        .build()
}
