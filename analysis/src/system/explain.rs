//! Which rule makes a call, and what it promises.

use coinche_bots::Bidder;
use coinche_bots::SystemBidder;
use coinche_bots::system::Claim;
use coinche_engine::{Call, Key, Strain, View};
use coinche_selfplay::{Block, Document, Table};
use serde_json::{Value, json};
use std::sync::Arc;

use super::SystemFile;
use super::document::promise_table;
use super::promise::{Counted, Kind, Promise, count};
use super::scene::Scene;

/// The explanation of a call.
#[derive(Debug)]
pub struct Explained {
    /// The call.
    pub call: Call,
    /// The rules that apply, the one that makes the call first; empty if the fallback makes it.
    claims: Vec<Claim>,
    scene: Scene,
    /// What all hands would call here.
    counted: Counted,
    /// The kind of the call.
    kind: Kind,
}

/// Explains a system's call for a view.
pub fn explain(file: &SystemFile, view: &View<'_>) -> Explained {
    let system = &file.system;
    let scene = Scene::of(view);
    let legal = *scene.moment.legal();
    let claims = system.claims(&scene.moment, view.first_hand());
    let mut bidder = SystemBidder::new(Arc::new(system.clone()));
    let call = bidder.call(view, &legal, Key::from_bits(0));
    let counted = count(system, &scene);
    let kind = match claims.first() {
        Some(claim) => Kind::of(claim.call, &scene.suits),
        None => Kind::Floor,
    };
    Explained { call, claims, scene, counted, kind }
}

impl Explained {
    /// Returns the explanation in words, a paragraph each.
    fn words(&self, file: &SystemFile) -> Vec<String> {
        let system = &file.system;
        let Some(first) = self.claims.first() else {
            return vec![format!(
                "{}: no rule of {} applies, so that the floor ({}) calls.",
                self.call,
                system.name(),
                system.floor().name()
            )];
        };
        let rule = &system.rules()[first.rule];
        let mut words =
            vec![format!("{}: {} (rule {} of {}).", self.call, rule.name, first.rule + 1, file.name)];
        if !rule.says.is_empty() {
            words.push(format!("It says: {}.", rule.says.trim_end_matches('.')));
        }
        let strain = first.strain.map(|strain| format!(", in {}", strain.symbol())).unwrap_or_default();
        words.push(format!("Line {}{strain}: when {} → {}.", rule.place.line, rule.when, rule.call));
        let others: Vec<String> = self.claims[1..]
            .iter()
            .map(|claim| format!("{} ({})", system.rules()[claim.rule].name, claim.call))
            .collect();
        if !others.is_empty() {
            words.push(format!("Later rules that would apply too: {}.", others.join(", ")));
        }
        words
    }

    fn table(&self, file: &SystemFile) -> Table {
        let caption =
            "What the calls at this turn promise, counted over all hands. The first row is the call itself.";
        let Counted { promises, hands, .. } = &self.counted;
        let (own, others): (Vec<_>, Vec<_>) = promises.iter().partition(|(kind, _)| **kind == self.kind);
        let rows = own.into_iter().chain(others);
        let rows = rows.map(|(kind, promise): (&Kind, &Promise)| (&self.scene, *kind, promise, *hands));
        promise_table("promises", caption, &file.system, rows)
    }

    /// Creates the answer for people.
    pub fn document(&self, file: &SystemFile) -> Document {
        let mut blocks: Vec<Block> = self.words(file).into_iter().map(Block::Text).collect();
        blocks.push(Block::Table(self.table(file)));
        Document {
            command: "system explain",
            ..Document::of_blocks(format!("{}: {}", file.name, self.call), blocks)
        }
    }

    /// Returns what another call promises here, as in [`Self::json`]; `None` if no hand makes it.
    pub fn promise(&self, call: Call) -> Option<Value> {
        let kind = Kind::of(call, &self.scene.suits);
        self.counted.promises.get(&kind).map(|promise| promised(kind, promise))
    }

    /// Creates the answer for programs.
    pub fn json(&self, file: &SystemFile) -> Value {
        let rule = |claim: &Claim| {
            let rule = &file.system.rules()[claim.rule];
            json!({
                "rule": rule.name, "number": claim.rule + 1, "line": rule.place.line, "when": rule.when,
                "says": rule.says, "strain": claim.strain.map(Strain::code), "call": claim.call.to_string(),
            })
        };
        let promised = self.counted.promises.iter().map(|(kind, promise)| promised(*kind, promise));
        json!({
            "system": file.name, "call": self.call.to_string(), "floor": self.claims.is_empty(),
            "rules": self.claims.iter().map(rule).collect::<Vec<_>>(),
            "hands": self.counted.hands, "promises": promised.collect::<Vec<_>>(),
        })
    }
}

fn promised(kind: Kind, promise: &Promise) -> Value {
    json!({
        "call": kind.text(), "hands": promise.hands,
        "trumps": [promise.trumps.least, promise.trumps.most], "aces": [promise.aces.least, promise.aces.most],
        "jack": promise.with[0], "nine": promise.with[1], "ace": promise.with[2], "belote": promise.with[3],
    })
}
