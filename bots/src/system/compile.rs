//! Makes steps of expressions: names get their meaning, and what makes no sense is refused.

use std::collections::BTreeMap;

use coinche_engine::Rank;

use super::code::{Id, Op};
use super::error::{Fault, Place, SystemError};
use super::parse::parse;
use super::syntax::{Expr, Function, Node, Sign};
use super::words::{About, Word, WordKind};
use super::{MOST_COST, MOST_NODES};

/// A text in a file: what it says, and where.
#[derive(Debug, Clone)]
pub(super) struct Text {
    pub(super) words: String,
    /// The byte of the file at which the text begins.
    pub(super) at: usize,
    /// Whether each byte of it is a byte of the file: no letters were escaped.
    pub(super) exact: bool,
}

/// How much an expression needs to be looked at in a strain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Need {
    Nothing,
    Strain,
    Trump,
}

/// A compiled expression.
#[derive(Debug, Clone)]
pub(super) struct Compiled {
    pub(super) id: Id,
    pub(super) kind: WordKind,
    pub(super) need: Need,
    /// The first word that has that need, and its place.
    pub(super) needs: Option<(String, usize)>,
    /// The most steps that it can take.
    pub(super) cost: u32,
}

/// What is compiled, or what is wrong with it.
type Made<T = Compiled> = Result<T, SystemError>;

/// An expression, and the text that it is in.
type Here<'a> = (&'a Node, &'a Text);

/// A definition.
enum Definition {
    Number(i32),
    Text(Text),
    Open,
    Done(Compiled),
}

/// Makes the steps of all expressions of a file.
pub(super) struct Compiler<'a> {
    file: &'a str,
    pub(super) ops: Vec<Op>,
    names: BTreeMap<String, Definition>,
    /// The definitions that are being compiled.
    path: Vec<String>,
}

impl<'a> Compiler<'a> {
    pub(super) const fn new(file: &'a str) -> Self {
        Self { file, ops: Vec::new(), names: BTreeMap::new(), path: Vec::new() }
    }

    fn error(&self, text: &Text, at: usize, fault: Fault) -> SystemError {
        SystemError::At { place: Place::of(self.file, text.at + if text.exact { at } else { 0 }), fault }
    }

    /// Gives a name to a number.
    pub(super) fn number(&mut self, name: &str, value: i32) {
        self.names.insert(name.to_owned(), Definition::Number(value));
    }

    /// Gives a name to an expression.
    pub(super) fn define(&mut self, name: &str, text: Text) {
        self.names.insert(name.to_owned(), Definition::Text(text));
    }

    /// Tests if a name is already defined in the file.
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    /// Compiles all definitions, those too that no rule uses.
    pub(super) fn definitions(&mut self) -> Made<()> {
        let names: Vec<String> = self.names.keys().cloned().collect();
        for name in names {
            let Some(Definition::Text(text)) = self.names.get(&name) else { continue };
            let text = text.clone();
            self.definition(&name, &text)?;
        }
        Ok(())
    }

    fn definition(&mut self, name: &str, text: &Text) -> Made {
        self.names.insert(name.to_owned(), Definition::Open);
        self.path.push(name.to_owned());
        let compiled = self.expression(text)?;
        self.path.pop();
        self.names.insert(name.to_owned(), Definition::Done(compiled.clone()));
        Ok(compiled)
    }

    /// Compiles a condition.
    pub(super) fn condition(&mut self, text: &Text) -> Made {
        let compiled = self.expression(text)?;
        match compiled.kind {
            WordKind::Condition => Ok(compiled),
            WordKind::Number => {
                let shown = text.words.trim().to_owned();
                Err(self.error(
                    text,
                    text.words.len() - text.words.trim_start().len(),
                    Fault::NotACondition(shown),
                ))
            }
        }
    }

    /// Compiles an expression.
    pub(super) fn expression(&mut self, text: &Text) -> Made {
        let node = parse(&text.words).map_err(|(at, fault)| self.error(text, at, fault))?;
        self.node(&node, text)
    }

    fn push(&mut self, op: Op) -> Id {
        let known = self.ops.iter().position(|other| *other == op);
        let at = known.unwrap_or_else(|| {
            self.ops.push(op);
            self.ops.len() - 1
        });
        Id::try_from(at).unwrap_or(Id::MAX)
    }

    /// Puts a step together with what it refers to.
    fn make(
        &mut self,
        (node, text): Here<'_>,
        op: Op,
        kind: WordKind,
        parts: &[&Compiled],
        own: Need,
    ) -> Made {
        let cost = parts.iter().fold(1_u32, |sum, part| sum.saturating_add(part.cost));
        let mut made = Compiled { id: self.push(op), kind, need: own, needs: None, cost };
        if own > Need::Nothing {
            made.needs = Some((node.to_string(), node.at));
        }
        for part in parts.iter().filter(|part| part.need > Need::Nothing) {
            if part.need > made.need {
                made.need = part.need;
                made.needs.clone_from(&part.needs);
            }
        }
        self.check(node, text, made)
    }

    fn check(&self, node: &Node, text: &Text, made: Compiled) -> Made {
        if made.cost > MOST_COST {
            return Err(self.error(text, node.at, Fault::TooLong(MOST_COST)));
        }
        if self.ops.len() > MOST_NODES {
            let fault = Fault::TooMany { what: "different steps in all expressions", most: MOST_NODES };
            return Err(self.error(text, node.at, fault));
        }
        Ok(made)
    }

    fn node(&mut self, node: &Node, text: &Text) -> Made {
        let here = (node, text);
        match &node.expr {
            Expr::Number(number) => {
                self.make(here, Op::Number(*number), WordKind::Number, &[], Need::Nothing)
            }
            Expr::Truth(truth) => {
                self.make(here, Op::Number(i32::from(*truth)), WordKind::Condition, &[], Need::Nothing)
            }
            Expr::Cards(ranks) => self.make(here, Op::Cards(*ranks), WordKind::Condition, &[], Need::Trump),
            Expr::Name(name) => self.name(name, here),
            Expr::Not(inner) => {
                let inner = self.truth(inner, text)?;
                self.make(here, Op::Not(inner.id), WordKind::Condition, &[&inner], Need::Nothing)
            }
            Expr::Minus(inner) => {
                let inner = self.node(inner, text)?;
                self.make(here, Op::Minus(inner.id), WordKind::Number, &[&inner], Need::Nothing)
            }
            Expr::Binary(sign, left, right) => self.binary(*sign, left, right, here),
            Expr::In(parts) => {
                let [what, low, high] = &**parts;
                let parts = [self.node(what, text)?, self.node(low, text)?, self.node(high, text)?];
                let [what, low, high] = &parts;
                let op = Op::In(what.id, low.id, high.id);
                self.make(here, op, WordKind::Condition, &[what, low, high], Need::Nothing)
            }
            Expr::Call(function, arguments) => self.call(*function, arguments, here),
            Expr::Weigh(trump, weights) => self.weigh(*trump, weights, here),
        }
    }

    /// Compiles what must be a condition.
    fn truth(&mut self, node: &Node, text: &Text) -> Made {
        let compiled = self.node(node, text)?;
        match compiled.kind {
            WordKind::Condition => Ok(compiled),
            WordKind::Number => Err(self.error(text, node.at, Fault::NotACondition(node.to_string()))),
        }
    }

    fn binary(&mut self, sign: Sign, left: &Node, right: &Node, here: Here<'_>) -> Made {
        let text = here.1;
        if let Sign::And | Sign::Or = sign {
            let (left, right) = (self.truth(left, text)?, self.truth(right, text)?);
            let op = Op::Binary(sign, left.id, right.id);
            return self.make(here, op, WordKind::Condition, &[&left, &right], Need::Nothing);
        }
        let (a, b) = (self.node(left, text)?, self.node(right, text)?);
        if sign == Sign::Over && !matches!(self.ops[usize::from(b.id)], Op::Number(1..)) {
            return Err(self.error(text, right.at, Fault::Divisor));
        }
        let kind = if sign.compares() { WordKind::Condition } else { WordKind::Number };
        self.make(here, Op::Binary(sign, a.id, b.id), kind, &[&a, &b], Need::Nothing)
    }

    fn name(&mut self, name: &str, here: Here<'_>) -> Made {
        let (node, text) = here;
        if let Some(word) = Word::find(name) {
            let need = match word.about() {
                About::Trump => Need::Trump,
                About::Strain => Need::Strain,
                _ => Need::Nothing,
            };
            return self.make(here, Op::Word(word), word.kind(), &[], need);
        }
        let compiled = match self.names.get(name) {
            Some(Definition::Number(number)) => {
                let number = *number;
                return self.make(here, Op::Number(number), WordKind::Number, &[], Need::Nothing);
            }
            Some(Definition::Done(compiled)) => compiled.clone(),
            Some(Definition::Text(text)) => {
                let text = text.clone();
                self.definition(name, &text)?
            }
            Some(Definition::Open) => {
                let from = self.path.iter().position(|open| open == name).unwrap_or_default();
                let way = self.path[from..].join(" → ");
                let fault = Fault::Loop(name.to_owned(), format!("{way} → {name}"));
                return Err(self.error(text, node.at, fault));
            }
            None => {
                let words = Word::ALL.iter().map(|word| word.name().to_owned());
                let known = words.chain(self.names.keys().cloned()).collect::<Vec<_>>().join(" ");
                return Err(self.error(text, node.at, Fault::Unknown { word: name.to_owned(), known }));
            }
        };
        let needs = (compiled.need > Need::Nothing).then(|| (name.to_owned(), node.at));
        self.check(node, text, Compiled { needs, ..compiled })
    }

    fn call(&mut self, function: Function, arguments: &[Node], here: Here<'_>) -> Made {
        let text = here.1;
        let first = match function {
            Function::Any | Function::Every | Function::Count | Function::Others | Function::If => {
                self.truth(&arguments[0], text)?
            }
            _ => self.node(&arguments[0], text)?,
        };
        let mut rest = Vec::new();
        for argument in &arguments[1..] {
            rest.push(self.node(argument, text)?);
        }
        match (function, &rest[..]) {
            (Function::Min | Function::Max, [second]) => {
                let op = if function == Function::Min { Op::Min } else { Op::Max };
                let op = op(first.id, second.id);
                self.make(here, op, WordKind::Number, &[&first, second], Need::Nothing)
            }
            (Function::If, [a, b]) => {
                let kind = if a.kind == b.kind { a.kind } else { WordKind::Number };
                self.make(here, Op::If(first.id, a.id, b.id), kind, &[&first, a, b], Need::Nothing)
            }
            _ => {
                // What it is, what it needs, and in how many suits it looks.
                let (kind, need, times) = match function {
                    Function::Any | Function::Every => (WordKind::Condition, Need::Nothing, 4),
                    Function::Count | Function::Most => (WordKind::Number, Need::Nothing, 4),
                    // The others of a suit need the suit.
                    Function::Others | Function::MostOther => (WordKind::Number, Need::Trump, 4),
                    _ => (first.kind, Need::Nothing, 1),
                };
                let cost = first.cost.saturating_mul(times);
                let looked = Compiled { need: Need::Nothing, needs: None, cost, ..first };
                self.make(here, Op::Look(function, looked.id), kind, &[&looked], need)
            }
        }
    }

    fn weigh(&mut self, trump: bool, weights: &[(Rank, Node)], here: Here<'_>) -> Made {
        let need = if trump { Need::Trump } else { Need::Nothing };
        let mut sum: Option<Compiled> = None;
        for (rank, weight) in weights {
            let weight = self.node(weight, here.1)?;
            let op = if trump { Op::Trump(*rank, weight.id) } else { Op::Side(*rank, weight.id) };
            let one = self.make(here, op, WordKind::Number, &[&weight], need)?;
            sum = Some(match sum {
                None => one,
                Some(sum) => {
                    let op = Op::Binary(Sign::Plus, sum.id, one.id);
                    self.make(here, op, WordKind::Number, &[&sum, &one], Need::Nothing)?
                }
            });
        }
        sum.map_or_else(|| self.make(here, Op::Number(0), WordKind::Number, &[], Need::Nothing), Ok)
    }
}
