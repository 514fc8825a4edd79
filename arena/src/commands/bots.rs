//! `arena bots`: the bots and their parameters.

use std::fmt::Write as _;
use std::io::Write;

use clap::Args;
use coinche_bots::{BotInfo, ParamInfo, ParseBotError, Program, Registry};
use coinche_selfplay::{ArenaError, Exit, Result, finish};
use serde_json::{Value, json};

use super::wrap::wrap;

/// The flags of `arena bots`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("bots"))]
pub(crate) struct BotsArgs {
    /// Describe this bot [default: list all]
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The name for programs, which is not a bot of the registry.
const PROGRAM: &str = "cmd";
const PROGRAM_ABOUT: &str = "a program that speaks the line protocol: cmd:COMMAND";

/// Runs the command.
pub(crate) fn bots(args: &BotsArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    let text = match args.name.as_deref() {
        None if args.json => {
            let all: Vec<_> = registry.bots().map(bot_json).chain([program_json()]).collect();
            format!("{:#}\n", Value::from(all))
        }
        None => list(registry),
        Some(PROGRAM) if args.json => format!("{:#}\n", program_json()),
        Some(PROGRAM) => program_text(),
        Some(name) => {
            let bot =
                registry.bots().find(|bot| bot.name() == name).ok_or_else(|| unknown(name, registry))?;
            if args.json { format!("{:#}\n", bot_json(bot)) } else { bot_text(bot) }
        }
    };
    finish(out, &text)
}

/// Returns the error for an unknown bot: the registry's own, which suggests similar names.
fn unknown(name: &str, registry: &Registry) -> ArenaError {
    let known = registry.bots().map(BotInfo::name).chain([PROGRAM]).collect::<Vec<_>>().join(", ");
    ParseBotError::UnknownBot { name: name.to_owned(), known }.into()
}

fn params_json(infos: &[ParamInfo]) -> Vec<Value> {
    let param = |info: &ParamInfo| json!({ "name": info.name, "default": info.default, "legal": info.legal, "about": info.about });
    infos.iter().map(param).collect()
}

fn bot_json(bot: &BotInfo) -> Value {
    json!({
        "name": bot.name(), "about": bot.about(), "details": bot.details(),
        "bids": bot.bids(), "plays": bot.plays(), "sees_all": bot.sees_all(),
        "bidder": params_json(bot.bidder_params()), "player": params_json(bot.player_params()),
    })
}

fn program_json() -> Value {
    let params = params_json(Program::PARAMS);
    json!({ "name": PROGRAM, "about": PROGRAM_ABOUT, "bidder": params, "player": params })
}

/// Describes what a bot does: both, or one of the two.
fn parts(bot: &BotInfo) -> &'static str {
    match (bot.bids(), bot.plays()) {
        (true, true) => "bids and plays cards",
        (true, false) => "bids only",
        _ => "plays cards only",
    }
}

fn list(registry: &Registry) -> String {
    let mut text = String::new();
    for bot in registry.bots() {
        let _ = writeln!(text, "{} ({})", bot.name(), parts(bot));
        wrap(&mut text, "  ", 2, bot.about());
        for params in [bot.bidder_params(), bot.player_params()] {
            let names: Vec<_> = params.iter().map(|info| format!("{}={}", info.name, info.default)).collect();
            if !names.is_empty() {
                wrap(&mut text, "  ", 2, &names.join(" "));
            }
        }
        text.push('\n');
    }
    let _ = writeln!(text, "{PROGRAM}:COMMAND (bids and plays cards)");
    wrap(&mut text, "  ", 2, "a program that speaks the line protocol");
    text.push('\n');
    wrap(
        &mut text,
        "",
        0,
        "`arena bots NAME` explains a bot and its parameters. Combine a bidder and a card player as `bidder+player`, \
         such as `rules+pimc`, and two partners of a team as `A&B`.",
    );
    text
}

fn bot_text(bot: &BotInfo) -> String {
    let mut text = format!("{} ({})\n", bot.name(), parts(bot));
    wrap(&mut text, "  ", 2, bot.about());
    if !bot.details().is_empty() {
        text.push('\n');
        wrap(&mut text, "  ", 2, bot.details());
    }
    let sees = if bot.sees_all() {
        "All four hands: its results are a bound, not a fair comparison."
    } else {
        "Its own hand, and what everybody at the table sees: calls, cards played, melds shown, the score."
    };
    text.push_str("\nSees:\n");
    wrap(&mut text, "  ", 2, sees);
    for (part, params) in [("bidder", bot.bidder_params()), ("card player", bot.player_params())] {
        parameters(&mut text, &format!("Parameters of the {part}"), params);
    }
    text.push_str("\nExamples:\n");
    for example in examples(bot) {
        let _ = writeln!(text, "  {example}");
    }
    text
}

fn program_text() -> String {
    let mut text = format!("{PROGRAM}:COMMAND (bids and plays cards)\n");
    wrap(
        &mut text,
        "  ",
        2,
        "a program that speaks the line protocol (docs/protocol.md). `cmd:COMMAND` sets the command alone; with \
         parameters it is the last of them: `cmd:timeout=2s,run=COMMAND`. Any other name is an option of the program's \
         own. `arena check-bot` checks a program.",
    );
    parameters(&mut text, "Parameters", Program::PARAMS);
    text.push_str(
        "\nExamples:\n  arena check-bot python3 examples/bots/simple.py\n  \
         arena run rules 'cmd:python3 examples/bots/simple.py'\n  \
         arena run rules 'cmd:timeout=2s,run=./bot --fast'\n",
    );
    text
}

/// Appends parameters with their defaults, legal values and meanings.
fn parameters(text: &mut String, title: &str, params: &[ParamInfo]) {
    if params.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{title}:");
    for ParamInfo { name, default, legal, about } in params {
        let default = if default.is_empty() { "none" } else { default };
        let _ = writeln!(text, "  {name} (default: {default})");
        wrap(text, "      ", 6, about);
        wrap(text, "      ", 6, &format!("Values: {legal}"));
    }
}

/// Returns example commands with the bot, including its first parameter.
fn examples(bot: &BotInfo) -> Vec<String> {
    let name = bot.name();
    let other = if name == "rules" { "random" } else { "rules" };
    let param = |params: &[ParamInfo]| {
        let info = params.iter().find(|info| info.default.parse::<f64>().is_ok());
        info.map(|info| format!(":{}={}", info.name, info.default)).unwrap_or_default()
    };
    let (bidder, player) = (param(bot.bidder_params()), param(bot.player_params()));
    match (bot.bids(), bot.plays()) {
        (true, false) => vec![
            format!("arena run {name}+rules {other}"),
            format!("arena run {name}{bidder}+pimc rules+pimc --deals 200"),
            format!("arena bidding {name} {other}"),
        ],
        (false, _) => vec![
            format!("arena run rules+{name} {other} --deals 200"),
            format!("arena run rules+{name}{player} {other} --freeze auction --deals 200"),
        ],
        (true, true) => vec![
            format!("arena run {name} {other}"),
            format!("arena run {name}{bidder} {other} --freeze play=solver"),
            format!("arena run {other}+{name} {other} --freeze auction"),
        ],
    }
}
