//! `arena bots`: which bots there are.

use std::fmt::Write as _;
use std::io::Write;

use clap::Args;
use coinche_bots::{ParamInfo, Program, Registry};
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::output::print;

/// The flags of `arena bots`.
#[derive(Debug, Args)]
#[command(after_help = "\
A bot is named as NAME, NAME:PARAMETER=VALUE,… or BIDDER+PLAYER, where the first makes the calls
and the second plays the cards:
  random:pass=0.9      rules+random      random:pass=0.9+rules
A program that speaks the line protocol (docs/protocol.md) is named as cmd:COMMAND:
  'cmd:python3 bot.py'      'cmd:timeout=2s,run=./bot --fast'      'rules+cmd:./player'")]
pub struct BotsArgs {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Runs the command.
///
/// # Errors
///
/// When the standard output cannot be written.
pub(crate) fn bots(args: &BotsArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit, ArenaError> {
    print(out, &if args.json { as_json(registry) } else { as_text(registry) })?;
    Ok(Exit::Done)
}

fn as_json(registry: &Registry) -> String {
    let param = |info: &ParamInfo| {
        serde_json::json!({
            "name": info.name, "default": info.default, "legal": info.legal, "about": info.about,
        })
    };
    let params = |infos: &[ParamInfo]| infos.iter().map(param).collect::<Vec<_>>();
    let mut bots: Vec<_> = registry
        .bots()
        .map(|bot| {
            serde_json::json!({
                "name": bot.name(), "about": bot.about(),
                "bidder": params(bot.bidder_params()), "player": params(bot.player_params()),
            })
        })
        .collect();
    bots.push(serde_json::json!({
        "name": "cmd", "about": "a program that speaks the line protocol: cmd:COMMAND",
        "bidder": params(Program::PARAMS), "player": params(Program::PARAMS),
    }));
    format!("{:#}\n", serde_json::Value::from(bots))
}

fn as_text(registry: &Registry) -> String {
    let mut text = String::new();
    for bot in registry.bots() {
        let _ = writeln!(text, "{}\n  {}", bot.name(), bot.about());
        for (part, params) in [("bidder", bot.bidder_params()), ("player", bot.player_params())] {
            for ParamInfo { name, default, legal, about } in params {
                let _ = writeln!(text, "  {name}={default}  ({part}; {legal})\n      {about}");
            }
        }
        text.push('\n');
    }
    text.push_str(
        "cmd:COMMAND\n  a program that speaks the line protocol; options of its own are set by their names\n",
    );
    for ParamInfo { name, default, legal, about } in Program::PARAMS {
        let _ = writeln!(text, "  {name}={default}  ({legal})\n      {about}");
    }
    text.push('\n');
    text.push_str(
        "Combine a bidder and a card player as `bidder+player`, as in `rules+random`; two partners of a team as \
         `A&B`.\n",
    );
    text
}
