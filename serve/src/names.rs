//! Rules and bots that the page names: none reads a file or starts a program.

use std::time::Duration;

use coinche_analysis::system::SystemFile;
use coinche_bots::system::SHIPPED;
use coinche_bots::{BotSpec, Registry, search};
use coinche_engine::{BySeat, RuleSet, Seed};
use coinche_runs::RulePage;

use crate::error::{Answer, Refusal};

/// The most letters of a bot, or of a setting of the rules.
const MOST: usize = 200;
/// The most time of a decision.
const MOST_TIME: Duration = Duration::from_secs(10);
/// The most worlds of a decision.
const MOST_WORLDS: u64 = 100_000;
/// The values of parameters that may also be files.
const NO_FILES: [&str; 8] = ["built-in", "none", "population", "own", "rules", "net", "natural", "free"];

/// Reads a bot of the registry, or one of those that the command line named.
pub(crate) fn bot(text: &str, rules: &RuleSet, registry: &Registry, programs: &[BotSpec]) -> Answer<BotSpec> {
    if let Some(bot) = programs.iter().find(|bot| bot.as_str() == text) {
        return Ok(bot.clone());
    }
    check(text, registry)?;
    let bot = registry.parse(text).map_err(Refusal::wrong)?;
    bot.check_rules(rules).map_err(Refusal::wrong)?;
    Ok(bot)
}

/// Checks that a bot needs no file, no program and no excessive time, before it is read.
fn check(text: &str, registry: &Registry) -> Answer<()> {
    if text.chars().count() > MOST {
        return Err(Refusal::wrong(format!("a bot has at most {MOST} letters")));
    }
    for part in text.split(['+', ',', ':', '&', ' ']) {
        if ["cmd", "python"].contains(&part.trim()) {
            return Err(Refusal::wrong(
                "a program is only started from the command line: `arena serve --bot`",
            ));
        }
        let Some((name, value)) = part.split_once('=') else { continue };
        let (name, value) = (name.rsplit('.').next().unwrap_or(name).trim(), value.trim());
        let params = registry.bots().flat_map(|bot| bot.bidder_params().iter().chain(bot.player_params()));
        let reads = params
            .filter(|info| info.name == name)
            .any(|info| info.legal.contains("file") || info.legal.contains("FILE"));
        if reads && !NO_FILES.contains(&value) {
            return Err(Refusal::wrong(format!(
                "`{name}`: files are only read from the command line: `arena serve --bot`"
            )));
        }
        if name == "time" && search::duration(value).is_none_or(|time| time > MOST_TIME) {
            return Err(Refusal::wrong(format!("time={value}: expected at most 10s")));
        }
        if name == "worlds" && value.parse::<u64>().map_or(true, |worlds| worlds > MOST_WORLDS) {
            return Err(Refusal::wrong(format!("worlds={value}: expected at most {MOST_WORLDS}")));
        }
    }
    Ok(())
}

/// Iterates over the names of presets and published pages.
pub(crate) fn all_rules() -> impl Iterator<Item = &'static str> {
    RuleSet::ALL.into_iter().map(|(name, _)| name).chain(RulePage::ALL.iter().map(|page| page.name))
}

/// Reads a preset or a published page, and the fields that differ from it.
pub(crate) fn rules(name: Option<&str>, set: &[String], default: &RuleSet) -> Answer<RuleSet> {
    let rules = match name {
        None | Some("") => *default,
        Some(name) => {
            let page = || RulePage::ALL.iter().find(|page| page.name == name)?.rules().ok();
            RuleSet::preset(name).or_else(page).ok_or_else(|| {
                let all = all_rules().collect::<Vec<_>>().join(", ");
                Refusal::wrong(format!("there are no rules `{name}`: expected one of {all}"))
            })?
        }
    };
    if set.len() > 100 || set.iter().any(|it| it.len() > MOST) {
        return Err(Refusal::wrong("set: too many or too long settings"));
    }
    rules.with_settings(set.iter().map(String::as_str)).map_err(Refusal::wrong)
}

/// The same, of fields in one text, separated by `;`.
pub(crate) fn rules_of(name: &str, set: &str, default: &RuleSet) -> Answer<RuleSet> {
    let set: Vec<String> = set.split(';').filter(|it| !it.trim().is_empty()).map(str::to_owned).collect();
    rules(Some(name), &set, default)
}

/// Reads a bidder that plays thousands of deals: none that searches.
pub(crate) fn bidder(text: &str, rules: &RuleSet, registry: &Registry) -> Answer<BotSpec> {
    check(text, registry)?;
    let bidder = registry.parse_bidder(text).map_err(Refusal::wrong)?;
    bidder.check_rules(rules).map_err(Refusal::wrong)?;
    let searches =
        ["worlds", "iterations"].into_iter().any(|name| bidder.param(name).is_ok_and(|it| it.is_some()));
    if bidder.has_program() || searches {
        return Err(Refusal::wrong(format!(
            "{bidder}: a program, or a bidder that searches, is too slow here: use `arena run`"
        )));
    }
    Ok(bidder)
}

/// Reads a seed.
pub(crate) fn seed(text: &str) -> Answer<Seed> {
    if text.len() > 100 {
        return Err(Refusal::wrong("a seed has at most 100 letters"));
    }
    text.parse().map_err(|error| Refusal::wrong(format!("seed: {error}")))
}

/// Finds a system that comes with the program.
pub(crate) fn system(name: &str) -> Answer<SystemFile> {
    let shipped = SHIPPED.iter().any(|it| it.name == name);
    let file = if shipped { SystemFile::read(name) } else { Err(SystemFile::unknown(name)) };
    file.map_err(Refusal::wrong)
}

/// Reads the name of a person.
pub(crate) fn person(text: &str) -> Answer<String> {
    let text = text.trim();
    if text.is_empty() || text.chars().count() > 40 || text.chars().any(char::is_control) {
        return Err(Refusal::wrong("a name has 1 to 40 letters, and no control characters"));
    }
    Ok(text.to_owned())
}

/// Seats bots: the partner's across from `seat`, and the others'.
pub(crate) fn seats(seat: coinche_engine::Seat, partner: &BotSpec, others: &BotSpec) -> BySeat<BotSpec> {
    BySeat::from_fn(|other| if other.team() == seat.team() { partner.clone() } else { others.clone() })
}
