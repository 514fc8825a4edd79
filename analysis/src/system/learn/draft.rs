//! A system while it is changed: its file, with expressions that are taken apart.

use std::collections::BTreeMap;
use std::fmt;

use coinche_bots::system::syntax::{Expr, Node, Sign};
use coinche_bots::system::{System, SystemError, expression};
use serde::{Deserialize, Serialize};

/// The file of a system.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::system) struct Draft {
    pub(in crate::system) name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::system) about: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::system) source: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    floor: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) best: Option<String>,
    #[serde(default, rename = "for", skip_serializing_if = "Vec::is_empty")]
    pub(super) presets: Vec<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    numbers: BTreeMap<String, Number>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(in crate::system) define: BTreeMap<String, String>,
    #[serde(default, rename = "rule", skip_serializing_if = "Vec::is_empty")]
    pub(in crate::system) rules: Vec<Rule>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    promise: Vec<toml::Table>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Number {
    Plain(i32),
    Full {
        value: i32,
        from: i32,
        to: i32,
        #[serde(default)]
        about: String,
    },
}

/// A rule in the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::system) struct Rule {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::system) name: Option<String>,
    #[serde(default, rename = "in", skip_serializing_if = "Option::is_none")]
    pub(in crate::system) strains: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::system) when: Option<String>,
    pub(in crate::system) call: Called,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    best: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    says: Option<String>,
}

/// What a rule calls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(in crate::system) enum Called {
    Level(i32),
    Text(String),
}

impl fmt::Display for Called {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level(level) => level.fmt(f),
            Self::Text(text) => f.write_str(text.trim()),
        }
    }
}

impl Rule {
    pub(super) fn new(name: &str, strains: &str, when: Option<String>, call: Called) -> Self {
        let strains = (strains != "suits").then(|| strains.to_owned());
        Self { name: Some(name.to_owned()), strains, when, call, best: None, says: None }
    }
}

/// A system that differs from another one in one thing.
pub(in crate::system) struct Move {
    /// The difference.
    pub(in crate::system) what: String,
    pub(in crate::system) draft: Draft,
}

/// The moments of an auction that rules are about: each has a part of the condition that tells it from the others, so that the
/// order of rules matters only within one.
pub(super) const SCENES: [&str; 3] = ["opening", "partners_bid", "their_bid"];

/// Words that may become a part of a sum.
const TERMS: [&str; 8] =
    ["aces", "guarded_tens", "voids", "singletons", "belote", "J", "nine", "max(trumps - 3, 0)"];

impl Draft {
    /// Reads a file, which must be that of a system.
    pub(super) fn read(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    /// Returns the file.
    pub(in crate::system) fn text(&self) -> String {
        toml::to_string(self).expect("a draft is text and numbers")
    }

    /// Returns the system.
    pub(in crate::system) fn system(&self) -> Result<System, SystemError> {
        System::read(&self.text(), &[])
    }

    /// Returns how much there is to learn: the words, numbers and signs of all rules and definitions, and two for each rule.
    pub(super) fn length(&self) -> usize {
        let size = |text: &str| expression(text).map_or(1, |node| size(&node));
        let of_rule = |rule: &Rule| {
            let call = match &rule.call {
                Called::Level(_) => 1,
                Called::Text(text) => size(text),
            };
            2 + rule.when.as_deref().map_or(0, size) + call
        };
        let definitions: usize = self.define.values().map(|text| size(text)).sum();
        self.rules.iter().map(of_rule).sum::<usize>() + definitions
    }

    fn with(&self, what: String, change: impl FnOnce(&mut Self)) -> Move {
        let mut draft = self.clone();
        change(&mut draft);
        Move { what, draft }
    }

    fn named(&self, n: usize) -> String {
        self.rules[n].name.clone().unwrap_or_else(|| format!("rule {}", n + 1))
    }

    /// Inserts a rule before the others of its moment.
    pub(super) fn insert(&mut self, rule: Rule) {
        let moment = |rule: &Rule| {
            SCENES.iter().position(|scene| rule.when.as_ref().is_some_and(|when| when.starts_with(scene)))
        };
        let at = self.rules.iter().position(|other| moment(other) >= moment(&rule));
        self.rules.insert(at.unwrap_or(self.rules.len()), rule);
    }

    /// Returns the values of its numbers.
    pub(in crate::system) fn values(&self) -> BTreeMap<String, i32> {
        let value = |number: &Number| match number {
            Number::Plain(value) | Number::Full { value, .. } => *value,
        };
        self.numbers.iter().map(|(name, number)| (name.clone(), value(number))).collect()
    }

    /// Removes numbers and definitions that nothing refers to.
    pub(super) fn tidy(&mut self) {
        loop {
            let rest: Vec<&String> = self.define.values().chain(self.best.as_ref()).collect();
            let of_rules = self.rules.iter().flat_map(|rule| {
                let call = match &rule.call {
                    Called::Text(text) => Some(text),
                    Called::Level(_) => None,
                };
                [rule.when.as_ref(), call, rule.best.as_ref()].into_iter().flatten()
            });
            let all = rest.into_iter().chain(of_rules).map(String::as_str).collect::<Vec<_>>().join(" ");
            let is_used = |name: &String| {
                all.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'))
                    .any(|word| word == name)
            };
            let idle: Vec<_> = self
                .numbers
                .keys()
                .chain(self.define.keys())
                .filter(|name| !is_used(name))
                .cloned()
                .collect();
            if idle.is_empty() {
                return;
            }
            for name in idle {
                self.numbers.remove(&name);
                self.define.remove(&name);
            }
        }
    }

    /// Returns all systems that differ in one number or in one term of a definition.
    pub(super) fn tuned(&self) -> Vec<Move> {
        self.changed(&near, summed)
    }

    /// Returns all systems in which one number is a step less or more.
    pub(in crate::system) fn stepped(&self) -> Vec<Move> {
        self.changed(&|value| near(value)[..2].to_vec(), |_| Vec::new())
    }

    fn changed(&self, near: &dyn Fn(i32) -> Vec<i32>, summed: fn(&str) -> Vec<String>) -> Vec<Move> {
        let renumbered = |text: &str| renumbered(text, near);
        let mut moves = Vec::new();
        for (name, number) in &self.numbers {
            let (value, from, to) = match *number {
                Number::Plain(value) => (value, i32::MIN, i32::MAX),
                Number::Full { value, from, to, .. } => (value, from, to),
            };
            for now in near(value).into_iter().filter(|now| (from..=to).contains(now)) {
                moves.push(self.with(format!("{name}: {now} for {value}"), |draft| {
                    if let Some(Number::Plain(value) | Number::Full { value, .. }) =
                        draft.numbers.get_mut(name)
                    {
                        *value = now;
                    }
                }));
            }
        }
        for (name, text) in &self.define {
            for now in renumbered(text).into_iter().chain(summed(text)) {
                moves.push(self.with(format!("{name} = {now}"), |draft| {
                    drop(draft.define.insert(name.clone(), now));
                }));
            }
        }
        for (n, rule) in self.rules.iter().enumerate() {
            for now in rule.when.iter().flat_map(|when| renumbered(when)) {
                let what = format!("{}: when {now}", self.named(n));
                moves.push(self.with(what, |draft| draft.rules[n].when = Some(now)));
            }
            let calls = match &rule.call {
                Called::Level(level) => [level - 10, level + 10]
                    .into_iter()
                    .filter(|it| (80..=180).contains(it))
                    .map(Called::Level)
                    .collect(),
                Called::Text(text) => renumbered(text).into_iter().map(Called::Text).collect::<Vec<_>>(),
            };
            for call in calls {
                let what = format!("{}: call {call}", self.named(n));
                moves.push(self.with(what, |draft| draft.rules[n].call = call));
            }
        }
        moves
    }

    /// Returns the system without the rule of a number.
    pub(super) fn without(&self, n: usize) -> Move {
        self.with(format!("without {}", self.named(n)), |draft| drop(draft.rules.remove(n)))
    }

    /// Returns all systems without one rule.
    pub(in crate::system) fn without_one(&self) -> Vec<Move> {
        (0..self.rules.len()).map(|n| self.without(n)).collect()
    }

    /// Returns systems that do not bid over the opponents from a level on: who always bids one more can be led to bid too much.
    pub(super) fn capped(&self) -> Vec<Move> {
        let cap = |rule: &Rule, most: i32| {
            let bids = matches!(&rule.call, Called::Text(call) if call.starts_with("next"));
            let mut all = parts(expression(rule.when.as_deref().filter(|_| bids)?).ok()?);
            let is = |form: fn(&str) -> bool| all.iter().any(|part| form(&part.to_string()));
            let is_free = is(|part| part == "their_bid") && !is(|part| part.starts_with("level <= "));
            all.push(expression(&format!("level <= {most}")).ok()?);
            is_free.then(|| joined(all.iter()))
        };
        let capped = |most: i32| {
            self.with(format!("over the opponents: level <= {most}"), |draft| {
                for rule in &mut draft.rules {
                    rule.when = cap(rule, most).or(rule.when.take());
                }
            })
        };
        [150, 140, 130].into_iter().map(capped).collect()
    }

    /// Returns all systems without one rule or one part of a condition, and those with two neighbours exchanged.
    pub(super) fn restructured(&self) -> Vec<Move> {
        let mut moves = self.without_one();
        for (n, rule) in self.rules.iter().enumerate() {
            if n + 1 < self.rules.len() {
                let what = format!("{} after {}", self.named(n), self.named(n + 1));
                moves.push(self.with(what, |draft| draft.rules.swap(n, n + 1)));
            }
            let parts = rule.when.as_deref().and_then(|when| expression(when).ok()).map_or(Vec::new(), parts);
            for k in (0..parts.len()).filter(|k| !SCENES.contains(&&*parts[*k].to_string())) {
                let others = parts.iter().enumerate().filter(|(other, _)| *other != k).map(|(_, part)| part);
                let when = joined(others);
                let what = format!("{}: without {}", self.named(n), parts[k]);
                moves.push(self.with(what, |draft| draft.rules[n].when = (!when.is_empty()).then_some(when)));
            }
        }
        moves
    }
}

/// Numbers near one: of levels the next ones.
fn near(value: i32) -> Vec<i32> {
    let step = if value != 0 && value % 10 == 0 { 10 } else { 1 };
    vec![value - step, value + step, value - 2 * step, value + 2 * step]
}

/// The number of words, numbers and signs; a word that is compared with a number is one.
fn size(node: &Node) -> usize {
    let parts: usize = node.expr.parts().into_iter().map(size).sum();
    let is_free = matches!(node.expr, Expr::Binary(sign, ..) if sign == Sign::And || sign.compares());
    parts + usize::from(!is_free)
}

/// The parts of a conjunction.
pub(in crate::system) fn parts(node: Node) -> Vec<Node> {
    match node.expr {
        Expr::Binary(Sign::And, left, right) => parts(*left).into_iter().chain(parts(*right)).collect(),
        _ => vec![node],
    }
}

fn joined<'a>(parts: impl Iterator<Item = &'a Node>) -> String {
    let text = |part: &Node| match part.expr {
        Expr::Binary(Sign::Or, ..) => format!("({part})"),
        _ => part.to_string(),
    };
    parts.map(text).collect::<Vec<_>>().join(" and ")
}

/// Returns all expressions that differ from one in one number.
fn renumbered(text: &str, near: &dyn Fn(i32) -> Vec<i32>) -> Vec<String> {
    let Ok(mut node) = expression(text) else { return Vec::new() };
    let mut found = Vec::new();
    for n in 0.. {
        let Some(value) = literal(&mut node, &mut n.clone()).map(|value| *value) else { break };
        for now in near(value) {
            set(&mut node, n, now);
            found.push(plain(node.clone()).to_string());
        }
        set(&mut node, n, value);
    }
    found
}

/// Writes a sum as a person would: no terms without weight, and `- 2 * A` for `+ -2 * A`.
pub(super) fn plain(mut node: Node) -> Node {
    let boxed = |node: Box<Node>| Box::new(plain(*node));
    node.expr = match node.expr {
        Expr::Not(inner) => Expr::Not(boxed(inner)),
        Expr::Minus(inner) => match plain(*inner) {
            Node { expr: Expr::Number(value), .. } => Expr::Number(-value),
            inner => Expr::Minus(Box::new(inner)),
        },
        Expr::Binary(sign, left, right) => {
            let (left, mut right) = (boxed(left), boxed(right));
            let sign = match (sign, weight(&mut right)) {
                (Sign::Times, _) if matches!(left.expr, Expr::Number(0)) => return *left,
                (Sign::Times, _) if matches!(left.expr, Expr::Number(1)) => return *right,
                (Sign::Plus | Sign::Minus, Some(0)) => return *left,
                (Sign::Plus, _) if matches!(left.expr, Expr::Number(0)) => return plain(*right),
                (Sign::Minus, _) if matches!(left.expr, Expr::Number(0)) => {
                    return plain(Node::new(Expr::Minus(right), node.at));
                }
                (Sign::Plus, Some(weight @ ..0)) => {
                    *weight = -*weight;
                    Sign::Minus
                }
                (Sign::Minus, Some(weight @ ..0)) => {
                    *weight = -*weight;
                    Sign::Plus
                }
                (sign, _) => sign,
            };
            let right = if matches!(sign, Sign::Plus | Sign::Minus) { boxed(right) } else { right };
            Expr::Binary(sign, left, right)
        }
        Expr::Call(name, arguments) => Expr::Call(name, arguments.into_iter().map(plain).collect()),
        other => other,
    };
    node
}

/// The weight of a term, or its number.
fn weight(node: &mut Node) -> Option<&mut i32> {
    match &mut node.expr {
        Expr::Number(value) => Some(value),
        Expr::Binary(Sign::Times, left, _) => match &mut left.expr {
            Expr::Number(value) => Some(value),
            _ => None,
        },
        _ => None,
    }
}

fn set(node: &mut Node, mut n: usize, value: i32) {
    if let Some(place) = literal(node, &mut n) {
        *place = value;
    }
}

/// The n-th number of an expression; those that count bids stay as they are, since they tell moments apart.
fn literal<'a>(node: &'a mut Node, n: &mut usize) -> Option<&'a mut i32> {
    match &mut node.expr {
        Expr::Number(value) => {
            if *n == 0 {
                return Some(value);
            }
            *n -= 1;
            None
        }
        Expr::Truth(_) | Expr::Cards(_) | Expr::Name(_) => None,
        Expr::Not(inner) | Expr::Minus(inner) => literal(inner, n),
        Expr::Binary(_, left, _) if matches!(&left.expr, Expr::Name(name) if ["my_bids", "partner_bids"].contains(&name.as_str())) => {
            None
        }
        Expr::Binary(_, left, right) => literal(left, n).or_else(|| literal(right, n)),
        Expr::In(parts) => parts.iter_mut().find_map(|part| literal(part, n)),
        Expr::Call(_, arguments) => arguments.iter_mut().find_map(|part| literal(part, n)),
        Expr::Weigh(_, weights) => weights.iter_mut().find_map(|(_, weight)| literal(weight, n)),
    }
}

/// Returns the sums with one term more, one less, or one twice.
fn summed(text: &str) -> Vec<String> {
    fn terms(node: Node) -> Vec<Node> {
        match node.expr {
            Expr::Binary(Sign::Plus, left, right) => terms(*left).into_iter().chain(terms(*right)).collect(),
            _ => vec![node],
        }
    }
    let Ok(node) = expression(text) else { return Vec::new() };
    let terms: Vec<String> = terms(node).iter().map(Node::to_string).collect();
    if terms.len() < 2 {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (n, term) in terms.iter().enumerate() {
        let mut without = terms.clone();
        without.remove(n);
        found.push(without.join(" + "));
        if !term.contains(['*', '(']) {
            let mut twice = terms.clone();
            twice[n] = format!("2 * {term}");
            found.push(twice.join(" + "));
        }
    }
    let missing = TERMS.iter().filter(|term| !terms.iter().any(|it| it.ends_with(*term)));
    found.extend(missing.flat_map(|term| {
        [format!("{} + {term}", terms.join(" + ")), format!("{} - {term}", terms.join(" + "))]
    }));
    found
}
