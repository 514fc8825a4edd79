//! `arena rules`: prints the rule sets and their fields.

use std::fmt::Write as _;
use std::io::Write;

use clap::Args;
use coinche_engine::RuleSet;
use coinche_engine::rules::FIELDS;
use coinche_selfplay::{Exit, Result, finish};

use super::wrap::wrap;
use coinche_runs::config::differences;
use coinche_runs::{RulePage, load_rules};

/// The flags of `arena rules`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("rules"))]
pub(crate) struct RulesArgs {
    /// A preset, a published page or a rule file to print as TOML
    ///
    /// Every field is printed with its meaning and its legal values. Without a name the presets and the pages are listed.
    #[arg(value_name = "NAME|FILE")]
    pub name: Option<String>,
    /// Override a field of the rules; repeatable
    #[arg(long, value_name = "FIELD=VALUE")]
    pub set: Vec<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Runs the command.
pub(crate) fn rules(args: &RulesArgs, out: &mut dyn Write) -> Result<Exit> {
    let text = match &args.name {
        None if args.set.is_empty() && args.json => list_as_json(),
        None if args.set.is_empty() => list(),
        name => {
            let rules = name.as_deref().map_or_else(|| Ok(RuleSet::default()), load_rules)?;
            let rules = rules.with_settings(args.set.iter().map(String::as_str))?;
            if args.json {
                let mut text = serde_json::to_string_pretty(&rules).expect("rules are plain data");
                text.push('\n');
                text
            } else {
                annotated(&rules)
            }
        }
    };
    finish(out, &text)
}

/// Describes a preset in a sentence.
fn about(preset: &str) -> &'static str {
    match preset {
        "bga" => "Coinche as on Board Game Arena, the default",
        "bga-ja" => "bga as in a Japanese guide: coinche at any time, bids up to 180",
        "belote" => "classic Belote: the turn-up game, without an auction of values",
        "belote-melds" => "classic Belote with melds",
        "coinche" => "Coinche in suits, from 80, to 1000 points",
        "coinche-melds" => "coinche with melds",
        "coinchee" => "Coinchée: melds, générale, signal pass, rounded scores, a deck that is only cut",
        "contree" => "Contrée under federation rules, as a published engine implements it",
        "belot" => {
            "Belot as played in Bulgaria: strains alone are bid with five cards, points in tens, to 151"
        }
        _ => "",
    }
}

fn list() -> String {
    let mut text = String::new();
    for (name, rules) in &RuleSet::ALL {
        let _ = writeln!(text, "{name}");
        wrap(&mut text, "  ", 2, about(name));
        let differences = differences(rules, &RuleSet::BGA);
        if !differences.is_empty() {
            wrap(&mut text, "  differs from bga: ", 4, &differences.join(", "));
        }
        text.push('\n');
    }
    text.push_str("Published pages, as rule files (`rules/NAME.toml` quotes them):\n\n");
    for page in RulePage::ALL {
        let _ = writeln!(text, "{}", page.name);
        wrap(&mut text, "  ", 2, &format!("{} {}", page.about(), page.address().unwrap_or_default()));
    }
    text.push_str("\n`arena rules NAME` prints a rule set as TOML with the meaning of every field.\n");
    text
}

fn list_as_json() -> String {
    let presets: Vec<_> = RuleSet::ALL
        .iter()
        .map(|(name, rules)| {
            let differs = differences(rules, &RuleSet::BGA);
            serde_json::json!({ "name": name, "about": about(name), "differs_from_bga": differs })
        })
        .collect();
    let pages = RulePage::ALL.iter().map(
        |page| serde_json::json!({ "name": page.name, "about": page.about(), "address": page.address() }),
    );
    let all: Vec<_> = presets.into_iter().chain(pages).collect();
    format!("{:#}\n", serde_json::Value::from(all))
}

/// Formats rules as TOML, with a comment on every field.
fn annotated(rules: &RuleSet) -> String {
    let table = rules.to_table();
    let head = match rules.preset_name() {
        Some(name) => format!("# Rule set `{name}`: {}.\n", about(name)),
        None => "# A custom rule set.\n".to_owned(),
    };
    let mut text = String::new();
    let mut section = "";
    for field in FIELDS {
        let Some((path, leaf)) = field.path.rsplit_once('.') else { continue };
        let mut at = Some(&table);
        for part in path.split('.') {
            at = at.and_then(|table| table.get(part)).and_then(toml::Value::as_table);
        }
        let Some(value) = at.and_then(|table| table.get(leaf)) else { continue };
        if section != path {
            section = path;
            let _ = writeln!(text, "\n[{path}]");
        }
        let _ = writeln!(text, "# {}: {}", field.doc, field.legal.replace('`', "\""));
        let _ = writeln!(text, "{leaf} = {value}");
    }
    format!("{head}{}{text}", base_line(rules, &text))
}

/// Returns the preset nearest to a rule set as a line, so that fields changed in the file without effect are
/// rejected; empty if the rule set has such fields itself.
fn base_line(rules: &RuleSet, fields: &str) -> String {
    let mut presets = RuleSet::ALL;
    presets.sort_by_key(|(_, preset)| differences(rules, preset).len());
    let line = format!("base = \"{}\"\n", presets[0].0);
    let is_read = RuleSet::from_toml(&format!("{line}{fields}")).is_ok_and(|read| read == *rules);
    if is_read { line } else { String::new() }
}
