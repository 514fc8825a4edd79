//! The file of a system: TOML, read with the place of everything in it.

use std::collections::BTreeMap;

use coinche_engine::{RuleSet, Strain};
use toml::Spanned;

use super::compile::{Compiled, Compiler, Need, Text};
use super::error::{Fault, Place, SystemError};
use super::form::{CallForm, Form, NumberForm, PromiseForm, RuleForm};
use super::parse::{KEYWORDS, cards};
use super::rule::{In, Makes, Promise, Rule};
use super::syntax::Function;
use super::words::Word;
use super::{
    Floor, MOST_BYTES, MOST_NAMES, MOST_NUMBER, MOST_RULES, MOST_TEXT, Number, System, code::Id, code::Op,
};

/// The four suits, a bit each.
const SUITS: u8 = 0b1111;

impl System {
    /// Reads a system from the bytes of its file.
    ///
    /// # Errors
    ///
    /// As [`System::read`].
    pub fn from_bytes(path: &str, bytes: &[u8], numbers: &[(String, i32)]) -> Result<Self, SystemError> {
        let text = str::from_utf8(bytes)
            .map_err(|error| SystemError::Read { path: path.to_owned(), why: error.to_string() })?;
        Self::read(text, numbers)
    }

    /// Reads a system from its text, with other values for some of its numbers.
    ///
    /// ```
    /// use coinche_bots::system::System;
    ///
    /// let text = "name = \"mine\"\n[[rule]]\nwhen = \"J and trumps >= 4\"\ncall = 80\n";
    /// assert_eq!(System::read(text, &[])?.rules().len(), 1);
    /// let error = System::read(&text.replace("trumps", "trump_s"), &[]).unwrap_err().to_string();
    /// assert!(error.starts_with("line 3, column 15: `trump_s` is no word"), "{error}");
    /// # Ok::<(), coinche_bots::system::SystemError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Names the first thing that is wrong, with its line and column and the remedy.
    pub fn read(text: &str, numbers: &[(String, i32)]) -> Result<Self, SystemError> {
        if text.len() > MOST_BYTES {
            return Err(SystemError::at(text, 0, Fault::TooLarge(MOST_BYTES)));
        }
        let form: Form = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            SystemError::at(text, at, Fault::Toml(error.message().to_owned()))
        })?;
        Reader { text, compiler: Compiler::new(text) }.read(form, numbers)
    }
}

/// What is read, or what is wrong with it.
type Read<T = ()> = Result<T, SystemError>;

struct Reader<'a> {
    text: &'a str,
    compiler: Compiler<'a>,
}

/// What is in a key that may be left out.
fn plain(text: Option<&Spanned<String>>) -> String {
    text.map_or_else(String::new, |text| text.get_ref().trim().to_owned())
}

impl Reader<'_> {
    fn error(&self, at: usize, fault: Fault) -> SystemError {
        SystemError::at(self.text, at, fault)
    }

    /// The text of a value with the place of its first letter.
    fn located(&self, value: &Spanned<String>) -> Text {
        let (span, text) = (value.span(), value.get_ref().clone());
        let raw = self.text.get(span.clone()).unwrap_or_default();
        let quotes = if raw.starts_with("\"\"\"") || raw.starts_with("'''") { 3 } else { 1 };
        let several_lines = raw.get(quotes..).filter(|_| quotes == 3).unwrap_or_default();
        let skip =
            several_lines.len() - several_lines.trim_start_matches('\r').trim_start_matches('\n').len();
        let begins = quotes + skip.min(2);
        let exact = raw.get(begins..).is_some_and(|rest| rest.starts_with(&text));
        Text { words: text, at: if exact { span.start + begins } else { span.start }, exact }
    }

    /// Checks a text for people, if it is there.
    fn length(&self, key: &'static str, value: Option<&Spanned<String>>, most: usize) -> Read {
        let Some(value) = value else { return Ok(()) };
        let length = value.get_ref().trim().chars().count();
        let fault = if !(1..=most).contains(&length) {
            Fault::Length { key, most }
        } else if value.get_ref().chars().any(|letter| letter.is_control() && letter != '\n') {
            Fault::Control(key)
        } else {
            return Ok(());
        };
        Err(self.error(value.span().start, fault))
    }

    fn read(mut self, form: Form, numbers: &[(String, i32)]) -> Read<System> {
        self.length("name", Some(&form.name), 60)?;
        self.length("about", form.about.as_ref(), MOST_TEXT)?;
        self.length("source", form.source.as_ref(), MOST_TEXT)?;
        let floor = form.floor.as_ref().map_or(Ok(Floor::Rules), |name| {
            let floor = Floor::ALL.into_iter().find(|floor| floor.name() == name.get_ref());
            floor.ok_or_else(|| self.error(name.span().start, Fault::Floor(name.get_ref().clone())))
        })?;
        let presets = self.presets(&form.presets)?;
        let numbers = self.numbers(&form.numbers, numbers)?;
        self.definitions(&form.define)?;
        let best = self.best(form.best.as_ref())?;
        let too_many = form.rule.get(MOST_RULES).map(|rule| ("rules", rule.span().start));
        let too_many = too_many.or(form.promise.get(MOST_RULES).map(|it| ("promises", it.span().start)));
        if let Some((what, at)) = too_many {
            return Err(self.error(at, Fault::TooMany { what, most: MOST_RULES }));
        }
        let mut rules: Vec<Rule> = Vec::new();
        for (number, rule) in form.rule.iter().enumerate() {
            let read = self.rule(number, rule)?;
            if rules.iter().any(|other| other.name == read.name) {
                return Err(self.error(rule.span().start, Fault::TwoRules(read.name)));
            }
            rules.push(read);
        }
        let promises =
            form.promise.iter().map(|promise| self.promise(promise)).collect::<Result<Vec<_>, _>>()?;
        let ops = self.compiler.ops;
        Ok(System {
            name: form.name.into_inner().trim().to_owned(),
            about: plain(form.about.as_ref()),
            source: plain(form.source.as_ref()),
            floor,
            presets,
            numbers,
            weighs_melds: ops.contains(&Op::Word(Word::Melds)),
            ops,
            rules,
            promises,
            best,
        })
    }

    fn presets(&self, names: &[Spanned<String>]) -> Read<Vec<&'static str>> {
        let known = RuleSet::PRESETS.map(|(preset, _)| preset);
        let preset = |name: &Spanned<String>| {
            let fault = || Fault::Preset { name: name.get_ref().clone(), known: known.join(" ") };
            let preset = known.into_iter().find(|preset| preset == name.get_ref());
            preset.ok_or_else(|| self.error(name.span().start, fault()))
        };
        names.iter().map(preset).collect()
    }

    /// Reads how the strains of a rule are told apart, if it is said.
    fn best(&mut self, form: Option<&Spanned<String>>) -> Read<Option<Id>> {
        form.map(|best| Ok(self.compiler.expression(&self.located(best))?.id)).transpose()
    }

    /// Checks a name that the file gives to something.
    fn check_name(&self, name: &str, at: usize) -> Read {
        let letter = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
        let is_name = name.starts_with(|letter: char| letter.is_ascii_lowercase())
            && name.chars().all(letter)
            && name.len() <= 40;
        if !is_name {
            return Err(self.error(at, Fault::Name(name.to_owned())));
        }
        let taken = Word::find(name).is_some()
            || KEYWORDS.contains(&name)
            || ["held", "file", "name"].contains(&name)
            || cards(name).is_some()
            || Function::ALL.iter().any(|function| function.name() == name)
            || self.compiler.has(name);
        if taken { Err(self.error(at, Fault::Taken(name.to_owned()))) } else { Ok(()) }
    }

    fn numbers(
        &mut self,
        forms: &BTreeMap<String, Spanned<NumberForm>>,
        given: &[(String, i32)],
    ) -> Read<Vec<Number>> {
        let mut numbers: Vec<Number> = Vec::new();
        for (name, form) in forms {
            let at = form.span().start;
            self.check_name(name, at)?;
            if numbers.len() == MOST_NAMES {
                return Err(self.error(at, Fault::TooMany { what: "numbers", most: MOST_NAMES }));
            }
            let (value, from, to, about) = match form.get_ref() {
                NumberForm::Plain(value) => (*value, -MOST_NUMBER, MOST_NUMBER, ""),
                NumberForm::Full(full) => (full.value, full.from, full.to, full.about.as_str()),
            };
            let is_legal = |end: i32| end.unsigned_abs() <= MOST_NUMBER.unsigned_abs();
            let wrong = |value| Fault::Range { name: name.clone(), value, from, to };
            if !(is_legal(from) && is_legal(to) && (from..=to).contains(&value)) {
                return Err(self.error(at, wrong(value)));
            }
            let now = given.iter().find(|(other, _)| other == name).map_or(value, |(_, now)| *now);
            if !(from..=to).contains(&now) {
                return Err(self.error(at, wrong(now)));
            }
            self.compiler.number(name, now);
            let (name, about) = (name.clone(), about.to_owned());
            numbers.push(Number { name, value: now, default: value, from, to, about });
        }
        if let Some((name, _)) = given.iter().find(|(name, _)| numbers.iter().all(|it| it.name != *name)) {
            let known = numbers.iter().map(|it| it.name.as_str()).collect::<Vec<_>>().join(", ");
            return Err(self.error(0, Fault::NoNumber { name: name.clone(), known }));
        }
        Ok(numbers)
    }

    fn definitions(&mut self, forms: &BTreeMap<String, Spanned<String>>) -> Read {
        for (number, (name, text)) in forms.iter().enumerate() {
            let at = text.span().start;
            self.check_name(name, at)?;
            if number == MOST_NAMES {
                return Err(self.error(at, Fault::TooMany { what: "definitions", most: MOST_NAMES }));
            }
            let text = self.located(text);
            self.compiler.define(name, text);
        }
        self.compiler.definitions()
    }

    fn rule(&mut self, number: usize, form: &Spanned<RuleForm>) -> Read<Rule> {
        let (at, form) = (form.span().start, form.get_ref());
        self.length("name", form.name.as_ref(), 80)?;
        self.length("says", form.says.as_ref(), MOST_TEXT)?;
        let text = match form.call.get_ref() {
            CallForm::Level(level) => level.to_string(),
            CallForm::Text(text) => text.trim().to_owned(),
        };
        let simple = match text.to_ascii_lowercase().as_str() {
            "pass" | "p" | "passe" => Some(Makes::Pass),
            "wait" | "w" => Some(Makes::Wait),
            "coinche" | "x" | "contre" => Some(Makes::Coinche),
            "surcoinche" | "xx" | "surcontre" => Some(Makes::Surcoinche),
            "take" | "prend" => Some(Makes::Take),
            "capot" => Some(Makes::Capot),
            "generale" | "générale" => Some(Makes::Generale),
            _ => None,
        };
        let suits = In::Strains(SUITS);
        let strains = match (&form.strains, simple) {
            (Some(strains), _) => self.strains(strains)?,
            (None, Some(Makes::Pass | Makes::Wait)) => In::Nowhere,
            (None, Some(Makes::Coinche | Makes::Surcoinche)) => In::Contract,
            (None, _) => suits,
        };
        let call_at = form.call.span().start;
        let is_bid = !matches!(simple, Some(Makes::Pass | Makes::Wait | Makes::Coinche | Makes::Surcoinche));
        if is_bid && strains == In::Nowhere {
            return Err(self.error(call_at, Fault::BidInNone));
        }
        let makes = if let Some(makes) = simple { makes } else { self.level(&form.call, &text, strains)? };
        let (when, condition) = self.condition(form.when.as_ref(), at, strains)?;
        let best = self.best(form.best.as_ref())?;
        let place = |at| Place::of(self.text, at);
        Ok(Rule {
            name: form.name.as_ref().map_or_else(|| format!("rule {}", number + 1), |it| plain(Some(it))),
            says: plain(form.says.as_ref()),
            when,
            call: text,
            place: place(at),
            condition,
            strains,
            makes,
            best,
            call_place: place(call_at),
            in_place: place(form.strains.as_ref().map_or(call_at, |strains| strains.span().start)),
        })
    }

    fn promise(&mut self, form: &Spanned<PromiseForm>) -> Read<Promise> {
        let (at, form) = (form.span().start, form.get_ref());
        self.length("says", form.says.as_ref(), MOST_TEXT)?;
        let strains =
            form.strains.as_ref().map_or(Ok(In::Strains(SUITS)), |strains| self.strains(strains))?;
        let In::Strains(bits) = strains else {
            let strains = form.strains.as_ref().expect("by default it is the suits");
            return Err(self.error(strains.span().start, Fault::PromiseIn(strains.get_ref().clone())));
        };
        let (when, condition) = self.condition(form.when.as_ref(), at, strains)?;
        let (shows, promised) = self.condition(Some(&form.shows), at, strains)?;
        Ok(Promise { when, shows, says: plain(form.says.as_ref()), strains: bits, condition, promised })
    }

    /// Reads a condition, which holds where there is none: as it is written, and its step.
    fn condition(&mut self, form: Option<&Spanned<String>>, at: usize, strains: In) -> Read<(String, Id)> {
        let text = match form {
            Some(form) => self.located(form),
            None => Text { words: "true".to_owned(), at, exact: false },
        };
        let compiled = self.compiler.condition(&text)?;
        self.check_need(&compiled, strains, &text)?;
        Ok((text.words.split_whitespace().collect::<Vec<_>>().join(" "), compiled.id))
    }

    /// Reads a level: a number, or an expression.
    fn level(&mut self, call: &Spanned<CallForm>, text: &str, strains: In) -> Read<Makes> {
        let at = call.span().start;
        let text = match call.get_ref() {
            CallForm::Level(_) => Text { words: text.to_owned(), at, exact: true },
            CallForm::Text(text) => self.located(&Spanned::new(call.span(), text.clone())),
        };
        let compiled = self.compiler.expression(&text)?;
        if compiled.kind == super::words::WordKind::Condition {
            let expected = "a level: 80, an expression such as `partner_level + 10`, or pass, wait, coinche, \
                            surcoinche, take, capot, generale";
            let found = format!("`{}`", text.words.trim());
            return Err(self.error(at, Fault::Expected { expected, found }));
        }
        self.check_need(&compiled, strains, &text)?;
        if let Op::Number(level) = self.compiler.ops[usize::from(compiled.id)]
            && !(level % 10 == 0 && (10..=990).contains(&level) || level == 82)
        {
            return Err(self.error(at, Fault::Level(level)));
        }
        Ok(Makes::Level(compiled.id))
    }

    /// Checks that there is a suit in question where words are about one.
    fn check_need(&self, compiled: &Compiled, strains: In, text: &Text) -> Read {
        let Some((word, at)) = compiled.needs.clone() else { return Ok(()) };
        let at = text.at + if text.exact { at } else { 0 };
        match strains {
            In::Nowhere => {
                let remedy = "look at one with any(…), partner(…), theirs(…) or contract(…), or say `in`";
                Err(self.error(at, Fault::NoSuit { word, remedy }))
            }
            In::Strains(strains) if strains & SUITS == 0 && compiled.need == Need::Trump => {
                Err(self.error(at, Fault::NoTrumpSuit(word)))
            }
            _ => Ok(()),
        }
    }

    fn strains(&self, text: &Spanned<String>) -> Read<In> {
        let mut strains = 0;
        for word in text.get_ref().split(',').map(str::trim) {
            strains |= match word {
                "suits" => SUITS,
                "SA" => 1 << Strain::NoTrump.index(),
                "TA" => 1 << Strain::AllTrump.index(),
                _ => match text.get_ref().trim() {
                    "partner" => return Ok(In::Partner),
                    "mine" => return Ok(In::Mine),
                    "theirs" => return Ok(In::Theirs),
                    "contract" => return Ok(In::Contract),
                    "none" => return Ok(In::Nowhere),
                    other => return Err(self.error(text.span().start, Fault::In(other.to_owned()))),
                },
            };
        }
        Ok(In::Strains(strains))
    }
}
