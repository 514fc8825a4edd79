//! `arena train bidding`: the network of the bidder `net`.

use std::io::Write;

use clap::Args;
use coinche_bots::net::bidding::BiddingNetwork;
use coinche_bots::net::cards::CardNetwork;
use coinche_bots::{NetBidder, Params, Registry, bid_style};
use coinche_engine::rules::DealMethod;
use coinche_selfplay::{Cell, Exit, OutOfRange, Result, Table, thousands};

use super::{FromFlag, TrainArgsError, TrainFlags, bidders, names};
use crate::commands::count::count;
use coinche_analysis::train::bidding::{self, POPULATION, Round, Settings};

/// The flags of `arena train bidding`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("train-bidding"))]
pub(crate) struct TrainBiddingArgs {
    /// What all trainings have in common.
    #[command(flatten)]
    pub common: TrainFlags,
    /// The network to start from.
    #[command(flatten)]
    pub from: FromFlag,
    /// Bidders that it meets [default: eleven]
    ///
    /// It also meets itself. The default is table, rules twice and in four styles, and four of the systems that come with the program.
    #[arg(long, value_name = "BOT", num_args = 1..)]
    pub against: Vec<String>,
    /// Meet also this many systems drawn at random
    ///
    /// Half of the strangers are then drawn-1 to drawn-N; `arena system show drawn-1` prints one. Test the network against others, as drawn-1000001.
    #[arg(long, value_name = "N", default_value = "0", hide_default_value = true, value_parser = count::<usize>, conflicts_with = "best_response")]
    pub drawn: usize,
    /// Learn to beat one bidder alone
    ///
    /// It is always the other side. How much the network then gains against that bidder is how far it can be exploited, at least.
    #[arg(long, value_name = "BOT", conflicts_with = "against")]
    pub best_response: Option<String>,
    /// What its bids must show [default: free]
    ///
    /// natural, or the file of a system with promises; also for its earlier selves. `arena system show natural` prints the promises.
    #[arg(long, value_name = "STYLE", default_value = "free", hide_default_value = true)]
    pub style: String,
    /// Card player of the network [default: net or rules]
    ///
    /// By default net plays half of the deals of each side, and rules the other half.
    #[arg(long, value_name = "BOT")]
    pub cards: Option<String>,
    /// Number of random deals per round [default: 250k]
    #[arg(long, value_name = "N", default_value = "250k", hide_default_value = true, value_parser = count::<u64>)]
    pub deals: u64,
    /// Rounds of auctions and learning
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = count::<u64>)]
    pub rounds: u64,
}

/// Runs the command.
pub(super) fn train(args: &TrainBiddingArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    OutOfRange::check("deals", args.deals, 1_000..=10_000_000)?;
    OutOfRange::check("rounds", args.rounds, 1..=1_000)?;
    let rules = args.common.rules(|rules| rules.deal.method == DealMethod::Full)?;
    let names = match &args.best_response {
        Some(name) => vec![name.as_str()],
        None => names(&args.against, &POPULATION),
    };
    OutOfRange::check("drawn", args.drawn as u64, 0..=10_000)?;
    let drawn: Vec<String> = (1..=args.drawn).map(|number| format!("system:name=drawn-{number}")).collect();
    let all: Vec<&str> = names.iter().copied().chain(drawn.iter().map(String::as_str)).collect();
    let population = bidders(&all, &rules, registry)?;
    let style = Params::parse("net", NetBidder::PARAMS, &format!("style={}", args.style))
        .and_then(|params| bid_style(&params))
        .map_err(TrainArgsError::Style)?;
    let player = |name: &String| registry.parse_player(name).map_err(TrainArgsError::Player);
    let cards = args.cards.as_ref().map(player).transpose()?;
    let seed = args.common.seed.or_drawn();
    let settings = Settings {
        seed: seed.clone(),
        deals: args.deals,
        rounds: args.rounds,
        rules,
        population,
        drawn: args.drawn,
        responds: args.best_response.is_some(),
        style,
        cards,
        from: args.from.load(BiddingNetwork::built_in, BiddingNetwork::read)?,
    };
    let made = |rounds: usize| {
        [
            ("deals", args.deals.to_string()),
            ("rounds", rounds.to_string()),
            ("rules", args.common.rules.clone().unwrap_or_else(|| "six presets in turn".to_owned())),
            (if args.best_response.is_some() { "best response to" } else { "against" }, names.join(" ")),
            ("drawn systems", args.drawn.to_string()),
            ("style", args.style.clone()),
            args.from.setting(),
            ("cards", args.cards.clone().unwrap_or_else(|| CardNetwork::built_in().layers().sum())),
        ]
    };
    let mut rounds: Vec<Round> = Vec::new();
    // An unwritable file is reported after the first round, not after the last one.
    bidding::train(&settings, &args.common.pool()?, args.common.progress, |round, network| {
        rounds.push(round);
        args.common.write(&network.layers, &BiddingNetwork::kind(), &seed, &made(rounds.len()))
    })?;
    let deals = format!("{} deals per round", thousands(args.deals));
    args.common.report("the bidder net", &deals, &seed, table(&rounds), out)
}

/// Returns the results of each round.
fn table(rounds: &[Round]) -> Table {
    let caption = "How far the network was off in each round, on average over the calls that it learned from, while it learned: \
                   root mean square in points for what a call gains (most of it is the luck of the deal), log loss for whether \
                   its contract is made.";
    Table::of("rounds", caption, rounds.iter().enumerate())
        .count("round", |(n, _)| n + 1)
        .count("calls", |(_, round)| round.calls)
        .plain("gain off by", |(_, round)| round.gain)
        .number("log loss", |(_, round)| Cell::Number(round.made, 4))
        .build()
}
