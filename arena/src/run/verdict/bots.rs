//! The table that compares the bots.

use std::fmt::Write as _;

use coinche_engine::DealMethod;

use super::names;
use crate::base::style::{finish, mean, percent, table, thousands};
use crate::play::schedule::Encounter;
use crate::play::tally::{Contracts, FAULT_KINDS, Role, SideTally, Tally};
use crate::run::config::RunConfig;

/// The rows of the table by bot: a title and what to say of each side.
type Row = (&'static str, fn(&SideTally) -> String);

pub(super) fn played_made(contracts: &Contracts) -> String {
    if contracts.played == 0 {
        return "0".to_owned();
    }
    format!(
        "{}, {} made, {}",
        thousands(contracts.played),
        percent(contracts.made, contracts.played),
        mean(contracts.difference, contracts.played)
    )
}

fn role(role: &Role) -> String {
    format!("{} legs, {} points", thousands(role.legs), mean(role.points, role.legs))
}

const ROLES: [Row; 2] = [
    ("declaring: own points a leg", |side| role(&side.declaring)),
    ("defending: own points a leg", |side| role(&side.defending)),
];

const STAKES: [Row; 4] = [
    ("contracts not coinched", |side| played_made(&side.stakes[0])),
    ("own contracts coinched", |side| played_made(&side.stakes[1])),
    ("own contracts surcoinched", |side| played_made(&side.stakes[2])),
    ("coinches said (made: won)", |side| played_made(&side.coinches)),
];

/// Returns the table that compares the bots.
pub(crate) fn bots_table(config: &RunConfig, encounter: Encounter, tally: &Tally) -> String {
    let mut table = table();
    let [a, b] = names(config, encounter);
    table.set_header(vec![String::new(), a, b]);
    let mut rows = ROLES.to_vec();
    if config.rules.deal.method == DealMethod::Full {
        rows.extend(STAKES);
        if config.rules.auction.capot {
            rows.push(("capots bid", |side| played_made(&side.capots)));
        }
        if config.rules.auction.generale {
            rows.push(("générales bid", |side| played_made(&side.generales)));
        }
    } else {
        rows.push(("contracts", |side| played_made(&side.stakes[0])));
    }
    rows.push(("all eight tricks taken", |side| thousands(side.slams)));
    rows.push(("belotes announced", |side| thousands(side.belotes)));
    if config.rules.melds.enabled {
        rows.push(("points of melds that counted", |side| side.meld_points.to_string()));
    }
    rows.push(("faults", faults));
    for (title, cell) in rows {
        let [a, b] = &tally.sides;
        table.add_row(vec![title.to_owned(), cell(a), cell(b)]);
    }
    let mut text = finish(table);
    let forfeited = match tally.forfeited {
        0 => String::new(),
        n => format!(", {} forfeited", thousands(n)),
    };
    let (legs, thrown_in) = (thousands(tally.deals), thousands(tally.thrown_in));
    let share = percent(tally.thrown_in, tally.deals);
    let _ = writeln!(text, "Of {legs} legs {thrown_in} were thrown in ({share}){forfeited}.");
    text
}

pub(super) fn faults(side: &SideTally) -> String {
    let by_kind: Vec<_> = FAULT_KINDS
        .iter()
        .zip(side.faults)
        .filter(|(_, count)| *count > 0)
        .map(|((_, name), count)| format!("{} {name}", thousands(count)))
        .collect();
    if by_kind.is_empty() { "0".to_owned() } else { by_kind.join(", ") }
}
