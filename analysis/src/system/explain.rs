//! Which rule makes a call, and what it promises.

use coinche_bots::system::Claim;
use coinche_bots::{Bidder, SystemBidder};
use coinche_engine::{Call, Key, Strain, View};
use coinche_selfplay::{Block, Document, Section, Table};
use serde_json::{Value, json};
use std::sync::Arc;

use super::SystemFile;
use super::document::promise_table;
use super::print::{is_shipped, lines};
use super::promise::{Counted, Kind, Promise, count};
use super::scene::Scene;
use crate::texts::{fill, texts};
use crate::typed::Language;

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
    fn words(&self, file: &SystemFile, language: Language) -> Vec<String> {
        let (system, texts) = (&file.system, texts(language));
        let call = language.typed(self.call);
        let Some(first) = self.claims.first() else {
            return vec![fill(
                texts.no_rule_applies,
                &[("call", &call), ("system", &system.name()), ("floor", &system.floor().name())],
            )];
        };
        let rule = &system.rules()[first.rule];
        let mut words = vec![fill(
            texts.made_by_rule,
            &[("call", &call), ("rule", &rule.name), ("n", &(first.rule + 1)), ("file", &file.name)],
        )];
        if !rule.says.is_empty() && (language == Language::English || !is_shipped(system)) {
            words.push(fill(texts.it_says, &[("says", &rule.says.trim_end_matches('.'))]));
        }
        let strain = first.strain.map(|strain| fill(texts.in_strain, &[("strain", &strain.symbol())]));
        words.push(fill(
            texts.written_at,
            &[
                ("n", &rule.place.line),
                ("strain", &strain.unwrap_or_default()),
                ("when", &rule.when),
                ("call", &rule.call),
            ],
        ));
        if let Some(line) = lines(file, language).ok().and_then(|lines| lines.into_iter().nth(first.rule)) {
            words.push(fill(texts.in_words, &[("line", &line)]));
        }
        let others: Vec<String> = self.claims[1..]
            .iter()
            .map(|claim| format!("{} ({})", system.rules()[claim.rule].name, language.typed(claim.call)))
            .collect();
        if !others.is_empty() {
            words.push(fill(texts.later_rules, &[("list", &others.join(", "))]));
        }
        words
    }

    fn table(&self, file: &SystemFile, language: Language) -> Table {
        let Counted { promises, hands, .. } = &self.counted;
        let (own, others): (Vec<_>, Vec<_>) = promises.iter().partition(|(kind, _)| **kind == self.kind);
        let rows = own.into_iter().chain(others);
        let rows = rows.map(|(kind, promise): (&Kind, &Promise)| (&self.scene, *kind, promise, *hands));
        promise_table("promises", texts(language).promises_caption, &file.system, language, rows)
    }

    /// Creates the answer for people.
    pub fn document(&self, file: &SystemFile, language: Language) -> Document {
        let mut blocks: Vec<Block> = self.words(file, language).into_iter().map(Block::Text).collect();
        blocks.push(Block::Table(self.table(file, language)));
        Document {
            title: format!("{}{}{}", file.name, language.of(": ", "\u{a0}: "), language.typed(self.call)),
            command: "system explain",
            sections: vec![Section::new("figures", language.of("Figures", "Chiffres"), blocks)],
            language,
            ..Document::default()
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
        "call": kind.text(Language::English), "hands": promise.hands,
        "trumps": [promise.trumps.least, promise.trumps.most], "aces": [promise.aces.least, promise.aces.most],
        "jack": promise.with[0], "nine": promise.with[1], "ace": promise.with[2], "belote": promise.with[3],
    })
}
