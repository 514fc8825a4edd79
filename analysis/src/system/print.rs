//! `arena system print`: a system as a page for players, in English or French.

use std::collections::BTreeMap;

use coinche_bots::system::syntax::{Expr, Function, Node, Sign};
use coinche_bots::system::{SHIPPED, System, SystemError, Word, expression};
use coinche_engine::{Call, Seat};
use coinche_selfplay::{Document, Section, Table, measured, named};

use super::SystemFile;
use super::learn::{Called, Draft, Example, Rule, parts, read};
use super::meeting::Meeting;
use super::vocabulary::{FRENCH, FUNCTIONS, IN_A_SUIT, PLACES, RANKS, call_word};
use super::worth::{Part, Worth};
use crate::picture::Picture;
use crate::typed::Language;

/// Says expressions in a language.
struct Phrases {
    language: Language,
    /// The numbers of the file.
    numbers: BTreeMap<String, i32>,
}

impl Phrases {
    /// What a word says; a name of the file in quotes.
    fn word(&self, name: &str) -> String {
        if let Some((.., english, french)) =
            RANKS.iter().find(|(letter, word, ..)| [*letter, *word].contains(&name))
        {
            return self.language.of(english, french).to_owned();
        }
        // Without what it is where there is none.
        let english = Word::find(name).and_then(|word| word.doc().split(';').next());
        let french = FRENCH.iter().find(|(word, _)| *word == name).map(|(_, french)| *french);
        let known = if self.language == Language::English { english } else { french };
        known.map_or_else(|| self.quoted(name), str::to_owned)
    }

    fn quoted(&self, text: &str) -> String {
        if self.language == Language::English { format!("“{text}”") } else { format!("« {text} »") }
    }

    /// What an expression says that stands alone.
    fn phrase(&self, node: &Node) -> String {
        if let Some(value) = self.value(node) {
            return value.to_string().replace('-', "−");
        }
        match &node.expr {
            Expr::Name(name) => self.word(name),
            Expr::Cards(_) => {
                let cards = node.to_string();
                if !cards.chars().all(|letter| "J9ATKQ".contains(letter)) {
                    return self.word(&cards);
                }
                // Such as `J9A`: a word of its own for each letter.
                let cards: Vec<String> = cards.chars().map(|letter| self.letter(letter)).collect();
                cards.join(self.language.of(" and ", " et "))
            }
            Expr::Weigh(is_of_suit, weights) => {
                let cards = weights.iter().map(|(rank, weight)| {
                    let card =
                        if *is_of_suit { self.letter(rank.letter()) } else { self.language.rank(*rank) };
                    format!("{card} {}", self.number(weight))
                });
                let cards = cards.collect::<Vec<_>>().join(", ");
                if *is_of_suit {
                    cards
                } else {
                    format!("{} {cards}", self.language.of("beside:", "à côté :"))
                }
            }
            Expr::Call(function, arguments) => self.call(*function, arguments),
            Expr::In(parts) => {
                let [what, from, to] = parts.each_ref().map(|part| self.number(part));
                let [colon, and] = [self.language.of(": from", " : de"), self.language.of("to", "à")];
                format!("{what}{colon} {from} {and} {to}")
            }
            Expr::Binary(Sign::Over, what, ten) if ten.expr == Expr::Number(10) => {
                let what = match &what.expr {
                    Expr::Binary(Sign::Times, _, what) => what,
                    _ => what,
                };
                format!("{} {}", self.language.of("tens of", "dizaines de"), self.phrase(what))
            }
            Expr::Not(inner) => format!("{} {}", self.language.of("not:", "pas :"), self.phrase(inner)),
            Expr::Binary(Sign::Or, left, right) => {
                self.between(&self.phrase(left), ["or", "ou"], &self.phrase(right))
            }
            Expr::Binary(Sign::And, left, right) => {
                self.between(&self.phrase(left), ["and", "et"], &self.phrase(right))
            }
            Expr::Binary(sign, left, right) if self.compared(*sign).is_some() => {
                let what = self.number(left);
                let colon = self.language.of(":", " :");
                format!("{what}{colon} {} {}", self.compared(*sign).unwrap_or_default(), self.number(right))
            }
            Expr::Binary(Sign::Over, what, by) => {
                self.between(&self.number(what), ["divided by", "divisé par"], &self.phrase(by))
            }
            _ => match terms(node) {
                terms if terms.len() > 1 || terms[0].0 != 1 => self.counted(&terms),
                _ => self.quoted(&node.to_string()),
            },
        }
    }

    /// A card of the suit, by its letter.
    fn letter(&self, letter: char) -> String {
        if letter == '9' { self.word("nine") } else { self.word(&letter.to_string()) }
    }

    /// Two phrases with a word between.
    fn between(&self, left: &str, [english, french]: [&str; 2], right: &str) -> String {
        format!("{left} {} {right}", self.language.of(english, french))
    }

    /// What there is more than so much.
    fn beyond(&self, what: &Node, from: &Node) -> String {
        self.between(&self.phrase(what), ["beyond", "au-delà de"], &self.phrase(from))
    }

    /// What a function of its arguments says.
    fn call(&self, function: Function, arguments: &[Node]) -> String {
        let [first, second] = [0, 1].map(|n| arguments.get(n));
        let said = |node: Option<&Node>| node.map_or_else(String::new, |node| self.number(node));
        let bounded = |what: &str, english, french| {
            format!("{what} ({} {})", self.language.of(english, french), said(second))
        };
        match (function, first.map(|node| &node.expr)) {
            (Function::Max, Some(Expr::Binary(Sign::Minus, what, beyond))) => {
                let beyond = self.beyond(what, beyond);
                match second.and_then(|least| self.value(least)) {
                    Some(0) => beyond,
                    _ => bounded(&beyond, "at least", "au moins"),
                }
            }
            (Function::Max, _) => bounded(&said(first), "at least", "au moins"),
            (Function::Min, _) => bounded(&said(first), "at most", "au plus"),
            (Function::If, _) => {
                let yes = self.between(&said(second), ["if", "si"], &said(first));
                match arguments.get(2) {
                    Some(no) if self.value(no) != Some(0) => {
                        self.between(&format!("{yes},"), ["else", "sinon"], &self.number(no))
                    }
                    _ => yes,
                }
            }
            _ => {
                let of = |phrases: &[(Function, &'static str, &'static str)]| {
                    let phrase = phrases.iter().find(|(known, ..)| *known == function);
                    phrase.map(|(_, english, french)| self.language.of(english, french))
                };
                let is_suit = first.is_some_and(|first| first.to_string() == Word::IsSuit.name());
                if let Some(whole) = of(&IN_A_SUIT).filter(|_| is_suit) {
                    return whole.to_owned();
                }
                let place = of(&FUNCTIONS).unwrap_or_default();
                format!("{place}{} {}", self.language.of(":", " :"), said(first))
            }
        }
    }

    /// The value of a number, as it is or by its name.
    fn value(&self, node: &Node) -> Option<i32> {
        match &node.expr {
            Expr::Number(value) => Some(*value),
            Expr::Minus(inner) => self.value(inner).map(|value| -value),
            Expr::Name(name) => self.numbers.get(name).copied(),
            _ => None,
        }
    }

    /// What may be a sum.
    fn number(&self, node: &Node) -> String {
        match terms(node) {
            terms if terms.len() > 1 => self.counted(&terms),
            _ => self.phrase(node),
        }
    }

    /// A level that grows with what is counted.
    fn raised(&self, node: &Node) -> String {
        let Expr::Binary(Sign::Plus, base, more) = &node.expr else { return self.number(node) };
        let Expr::Binary(Sign::Times, ten, times) = &more.expr else { return self.number(node) };
        let Expr::Binary(Sign::Over, what, step) = &times.expr else { return self.number(node) };
        let what = match &what.expr {
            Expr::Binary(Sign::Minus, what, from) => self.beyond(what, from),
            _ => self.phrase(what),
        };
        let each = self.between(&self.phrase(step), ["of", "de"], &what);
        let more = ["more for each", "de plus pour chaque tranche de"];
        format!("{}, {}", self.phrase(base), self.between(&self.phrase(ten), more, &each))
    }

    const fn compared(&self, sign: Sign) -> Option<&'static str> {
        Some(match sign {
            Sign::AtLeast => self.language.of("at least", "au moins"),
            Sign::AtMost => self.language.of("at most", "au plus"),
            Sign::More => self.language.of("more than", "plus de"),
            Sign::Less => self.language.of("less than", "moins de"),
            Sign::Equal => self.language.of("exactly", "exactement"),
            Sign::Unequal => self.language.of("not", "pas"),
            _ => return None,
        })
    }

    /// A sum, term by term.
    fn counted(&self, terms: &[(i32, &Node)]) -> String {
        let term = |(n, (weight, node)): (usize, &(i32, &Node))| {
            let sign = match (n, *weight < 0) {
                (_, true) => self.language.of("less ", "moins "),
                (0, false) => "",
                _ => "plus ",
            };
            let times = if weight.abs() == 1 { String::new() } else { format!("{} × ", weight.abs()) };
            format!("{sign}{times}{}", self.phrase(node))
        };
        terms.iter().enumerate().map(term).collect::<Vec<_>>().join(", ")
    }

    fn called(&self, call: &Called) -> String {
        let text = match call {
            Called::Level(level) => return level.to_string(),
            Called::Text(text) => call_word(text),
        };
        match text {
            "pass" => self.language.of("pass", "passe").to_owned(),
            "wait" => self.language.of("wait", "j’attends").to_owned(),
            "coinche" => self.language.call(Call::Coinche),
            "surcoinche" => self.language.call(Call::Surcoinche),
            "take" => self.language.of("take", "je prends").to_owned(),
            "capot" | "generale" => text.to_owned(),
            "next" => self.language.of("the lowest bid", "l’enchère minimale").to_owned(),
            _ => self.level(text),
        }
    }

    /// A level as it is written.
    fn level(&self, text: &str) -> String {
        let plus = text.strip_prefix("next + ").filter(|more| more.parse::<u32>().is_ok());
        if let Some(more) = plus {
            return format!("{more} {}", self.language.of("above the lowest bid", "de plus que le minimum"));
        }
        let Ok(node) = expression(text) else { return text.to_owned() };
        match &node.expr {
            Expr::Call(Function::Min, arguments) => {
                let most = self.language.of("at most", "au plus");
                format!("{}, {most} {}", self.raised(&arguments[0]), self.phrase(&arguments[1]))
            }
            _ => self.raised(&node),
        }
    }
}

/// The terms of a sum with their weights.
fn terms(node: &Node) -> Vec<(i32, &Node)> {
    match &node.expr {
        Expr::Binary(Sign::Plus, left, right) => [terms(left), terms(right)].concat(),
        Expr::Binary(Sign::Minus, left, right) => {
            let right = terms(right).into_iter().map(|(weight, node)| (-weight, node));
            terms(left).into_iter().chain(right).filter(|(_, node)| node.expr != Expr::Number(0)).collect()
        }
        // Levels are tens: two times a level, by ten, is two times its tens.
        Expr::Binary(Sign::Over, left, ten) if ten.expr == Expr::Number(10) => match &left.expr {
            Expr::Binary(Sign::Times, weight, what) => match (&weight.expr, &what.expr) {
                (Expr::Number(weight), Expr::Name(_)) => vec![(*weight, node)],
                _ => vec![(1, node)],
            },
            _ => vec![(1, node)],
        },
        Expr::Binary(Sign::Times, left, right) => match &left.expr {
            Expr::Number(times) => {
                terms(right).into_iter().map(|(weight, node)| (times * weight, node)).collect()
            }
            _ => vec![(1, node)],
        },
        _ => vec![(1, node)],
    }
}

/// The moments of the auction, by the part of a condition that tells them.
const MOMENTS: [(&str, &str, &str); 4] = [
    ("opening", "Openings", "Ouvertures"),
    ("partners_bid", "After the partner’s bid", "Après l’enchère du partenaire"),
    ("their_bid", "After their bid", "Après l’enchère adverse"),
    ("", "Other calls", "Autres annonces"),
];

/// A rule as a line of the page.
struct Line {
    number: usize,
    when: String,
    call: String,
}

/// The moment of a rule, and the rest of its condition in words.
fn in_words(phrases: &Phrases, when: Option<&str>) -> (usize, String) {
    let all = when.and_then(|when| expression(when).ok()).map_or_else(Vec::new, parts);
    let is_moment = |part: &Node, name: &str| part.to_string() == name;
    let moment = MOMENTS.iter().position(|(name, ..)| all.iter().any(|part| is_moment(part, name)));
    let moment = moment.unwrap_or(MOMENTS.len() - 1);
    let rest = all.iter().filter(|part| !is_moment(part, MOMENTS[moment].0));
    let when: Vec<String> = rest.map(|part| phrases.phrase(part)).collect();
    let language = phrases.language;
    if when.is_empty() {
        return (moment, language.of("otherwise", "sinon").to_owned());
    }
    (moment, when.join(language.of("; ", "\u{a0}; ")))
}

/// The moment of a rule, and its line.
fn line(phrases: &Phrases, number: usize, rule: &Rule) -> (usize, Line) {
    let (moment, when) = in_words(phrases, rule.when.as_deref());
    let place = rule.strains.as_deref().unwrap_or("suits");
    let is_bid = !matches!(&rule.call, Called::Text(text) if ["pass", "wait", "coinche", "surcoinche"].contains(&call_word(text)));
    let place = PLACES.iter().find(|(name, ..)| *name == place).filter(|_| is_bid);
    let mut call = phrases.called(&rule.call);
    if let Some((_, english, french)) = place.filter(|(_, english, _)| !english.is_empty()) {
        call = format!("{call}, {}", phrases.language.of(english, french));
    }
    (moment, Line { number: number + 1, when, call })
}

/// Says each rule of a system in a line: the moment, when it applies, and what it calls.
///
/// # Errors
///
/// When the text is no system.
pub fn lines(file: &SystemFile, language: Language) -> Result<Vec<String>, SystemError> {
    let draft: Draft = read(&file.text)?;
    let phrases = Phrases { language, numbers: draft.values() };
    let said = |(n, rule): (usize, &Rule)| {
        let (moment, Line { when, call, .. }) = line(&phrases, n, rule);
        let (name, english, french) = MOMENTS[moment];
        let moment =
            if name.is_empty() { String::new() } else { format!("{} · ", language.of(english, french)) };
        format!("{moment}{when} → {call}")
    };
    Ok(draft.rules.iter().enumerate().map(said).collect())
}

/// Returns what a rule asks for in words, without the moment of the auction.
pub(crate) fn condition(system: &System, number: usize, language: Language) -> String {
    let numbers = system.numbers().iter().map(|number| (number.name.clone(), number.value)).collect();
    let phrases = Phrases { language, numbers };
    in_words(&phrases, Some(&system.rules()[number].when)).1
}

/// Tests if a system came with the program: the texts of its file are in English.
pub(crate) fn is_shipped(system: &System) -> bool {
    SHIPPED.iter().any(|shipped| shipped.read().name() == system.name())
}

/// What the rules of a system are worth on deals, with a hand for each, as columns of its page.
struct Weighed<'a> {
    meeting: &'a Meeting,
    worth: &'a Worth,
    language: Language,
}

impl Weighed<'_> {
    fn part(&self, number: usize) -> Option<&Part> {
        self.worth.parts.iter().find(|part| part.number == number)
    }

    /// A hand by suits, what was called before, and the call.
    fn example(&self, number: usize) -> Option<String> {
        let Example { seat, before, hand, call } = self.part(number)?.example.as_ref()?;
        let mut bids = before.iter().map(|(_, call)| call).chain([call]).rev();
        let strain = bids.find_map(|call| if let Call::Bid(bid) = call { Some(bid.strain) } else { None });
        let picture =
            Picture { seat: *seat, rotation: self.meeting.rules.deal.rotation, language: self.language };
        let colon = self.language.of(": ", "\u{a0}: ");
        let said = |(seat, call): &(Seat, Call)| {
            format!("{}{colon}{}", picture.who(*seat), self.language.call(*call))
        };
        let before: Vec<String> = before.iter().map(said).collect();
        // Pages show several blanks as one.
        let hand = picture.hand(*hand, strain).replace("   ", " · ");
        Some(format!("{} → {}", [vec![hand], before].concat().join(", "), self.language.call(*call)))
    }

    fn scope(&self) -> String {
        let caption = self.language.of(
            "Worth: the points per deal that are lost without the line; hand: one that it decides.",
            "Valeur : les points par donne que l’on perd sans la ligne ; exemple : une main qu’elle décide.",
        );
        format!("{caption} {}", self.meeting.scope(self.language))
    }
}

/// Creates the page of a system; with deals on which it meets others also what each rule is worth there, and a hand for it.
///
/// # Errors
///
/// When the text is no system, or none for the rules of the deals.
pub fn print(
    file: &SystemFile,
    language: Language,
    meeting: Option<(&Meeting, &Worth)>,
) -> Result<Document, SystemError> {
    let of = |english, french| language.of(english, french);
    let weighed = meeting.map(|(meeting, worth)| Weighed { meeting, worth, language });
    let draft: Draft = read(&file.text)?;
    let phrases = Phrases { language, numbers: draft.values() };
    let lines: Vec<_> = draft.rules.iter().enumerate().map(|(n, rule)| line(&phrases, n, rule)).collect();
    let mut sections = Vec::new();
    if !draft.define.is_empty() {
        let caption = of("What the names stand for.", "Ce que les noms désignent.");
        let table = Table::of("names", caption, &draft.define)
            .text(named("name", "the name").head(of("name", "nom")), |(name, _)| (*name).clone())
            .text(named("meaning", "what is counted").head(of("what is counted", "ce qui compte")), |row| {
                expression(row.1).map_or_else(|_| row.1.clone(), |node| phrases.number(&node))
            })
            .block();
        let title = of("What is counted", "Ce qu’on compte");
        sections.push(Section::new("names", title, vec![table]));
    }
    for (moment, (id, english, french)) in MOMENTS.iter().enumerate() {
        let of_moment: Vec<&Line> =
            lines.iter().filter(|(other, _)| *other == moment).map(|(_, line)| line).collect();
        if of_moment.is_empty() {
            continue;
        }
        let caption = of("The first line that fits decides.", "La première ligne qui convient décide.");
        let id = if id.is_empty() { "others" } else { id };
        let is_weighed = weighed.is_some();
        let share = named("share", "with `--deals`: share of the calls");
        let worth = measured("worth", "points", "points per deal that are lost without it");
        let example = named("example", "a hand that it decides, and the calls before");
        let part = |line: &&Line| weighed.as_ref().and_then(|weighed| weighed.part(line.number));
        let table = Table::of(id, caption, of_moment)
            .count(measured("number", "from 1", "place of the rule in the file").head("#"), |line| {
                line.number
            })
            .text(named("when", "when it applies").head(of("when", "quand")), |line| line.when.clone())
            .text(named("call", "what it calls").head(of("call", "annonce")), |line| line.call.clone())
            .share(share.head(of("share", "part")).shown_if(is_weighed), |line| {
                Some(part(line)?.calls as f64 / weighed.as_ref()?.worth.calls.max(1) as f64)
            })
            .estimate(worth.head(of("worth", "valeur")).shown_if(is_weighed), |line| {
                part(line).map(Part::worth)
            })
            .text(example.head(of("a hand", "exemple")).shown_if(is_weighed), |line| {
                weighed.as_ref()?.example(line.number)
            });
        sections.push(Section::new(id, of(english, french), vec![table.block()]));
    }
    let floor = file.system.floor().name();
    let rest = match language {
        Language::English => format!("Where no line fits: {floor}."),
        Language::French => {
            format!("Si aucune ligne ne convient : {}.", if floor == "pass" { "passe" } else { floor })
        }
    };
    Ok(Document {
        title: file.system.name().to_owned(),
        command: "system print",
        verdicts: vec![file.system.about().to_owned()]
            .into_iter()
            .filter(|about| !about.is_empty() && (language == Language::English || !is_shipped(&file.system)))
            .collect(),
        scope: [rest].into_iter().chain(weighed.map(|weighed| weighed.scope())).collect(),
        sections,
        language,
    })
}

#[cfg(test)]
mod tests {
    use coinche_selfplay::document::texts::unpolished;

    use coinche_bots::system::About;

    use super::super::vocabulary::{CALLS, FUNCTIONS_IN_FRENCH, heading};
    use super::*;

    #[test]
    fn every_word_has_its_french() {
        for word in Word::ALL {
            assert!(FRENCH.iter().any(|(name, _)| *name == word.name()), "{}", word.name());
        }
        assert_eq!(FRENCH.len(), Word::ALL.len());
        let french = FRENCH.iter().map(|(_, french)| *french);
        let french = french.chain(PLACES.iter().chain(&MOMENTS).map(|(.., french)| *french));
        let french = french.chain(FUNCTIONS_IN_FRENCH.iter().map(|(_, french)| *french));
        let french = french.chain(About::ALL.map(|about| heading(about, Language::French)));
        let french = french.chain(FUNCTIONS.iter().chain(&IN_A_SUIT).map(|(.., french)| *french));
        assert_eq!(unpolished(french.chain(RANKS.iter().map(|(.., french)| *french))), [""; 0]);
    }

    #[test]
    fn a_page_has_the_texts_of_its_file_in_their_language() {
        let verdicts = |file: &SystemFile, language| print(file, language, None).unwrap().verdicts;
        let shipped = SystemFile::read("jack-or-nine").unwrap();
        assert!(verdicts(&shipped, Language::English)[0].starts_with("80 shows"));
        assert_eq!(verdicts(&shipped, Language::French), [""; 0]);
        let text = shipped.text.replace("name = \"Jack or nine\"", "name = \"Club\"");
        let system = System::read(&text.replace("about = \"80", "about = \"Dit 80"), &[]).unwrap();
        let own = SystemFile { name: "club.toml".to_owned(), system, text };
        assert!(verdicts(&own, Language::French)[0].starts_with("Dit 80"));
    }

    #[test]
    fn every_function_is_said() {
        let alone = [Function::Min, Function::Max, Function::If];
        for function in Function::ALL.into_iter().filter(|function| !alone.contains(function)) {
            assert!(FUNCTIONS.iter().any(|(known, ..)| *known == function), "{}", function.name());
        }
        for function in Function::ALL {
            assert!(FUNCTIONS_IN_FRENCH.iter().any(|(known, _)| *known == function), "{}", function.name());
        }
    }

    #[test]
    fn calls_are_said_however_they_are_written() {
        let phrases = Phrases { language: Language::French, numbers: BTreeMap::new() };
        for (word, others) in CALLS {
            let said = phrases.called(&Called::Text(word.to_owned()));
            for other in others {
                assert_eq!(phrases.called(&Called::Text((*other).to_owned())), said);
            }
        }
        let doubled: Draft = read("name = \"x\"\n[[rule]]\nwhen = \"their_bid\"\ncall = \"Contre\"").unwrap();
        assert_eq!(line(&phrases, 0, &doubled.rules[0]).1.call, "coinche");
    }

    #[test]
    fn conditions_are_said_in_words() {
        let numbers = BTreeMap::from([("open".to_owned(), 13)]);
        let phrases = |language| Phrases { language, numbers: numbers.clone() };
        let say = |text: &str, language: Language| phrases(language).phrase(&expression(text).unwrap());
        let [english, french] = [Language::English, Language::French];
        assert_eq!(say("trumps >= 4", english), "cards of the suit: at least 4");
        assert_eq!(say("trumps >= 4", french), "cartes de la couleur : au moins 4");
        assert_eq!(say("J9", french), "le valet et le neuf");
        assert_eq!(say("not J", english), "not: the jack");
        assert_eq!(say("J or nine", french), "le valet ou le neuf");
        let sum = "2 * trumps + J - aces >= -3";
        assert_eq!(say(sum, english), "2 × cards of the suit, plus the jack, less aces: at least −3");
        assert_eq!(
            say(sum, french),
            "2 × cartes de la couleur, plus le valet, moins as à côté : au moins −3"
        );
        let sum = "3 * J - 2 * level / 10 + max(trumps - 3, 0) >= 1";
        let said = "3 × the jack, less 2 × tens of points of the last bid, plus cards of the suit beyond 3: at least 1";
        assert_eq!(say(sum, english), said);
        let sum = "3 * voids + 2 * (aces - A) - 2 * (J - nine) >= 1";
        let said = "3 × suits without a card, plus 2 × aces, less 2 × the ace of the suit, less 2 × the jack, plus 2 × the nine: at least 1";
        assert_eq!(say(sum, english), said);
        assert_eq!(say("trump(J=6, 9=4) >= 6", french), "le valet 6, le neuf 4 : au moins 6");
        assert_eq!(say("hand >= 9", english), "“hand”: at least 9");
        assert_eq!(say("-2 - 2 * hand >= open", english), "−2, less 2 × “hand”: at least 13");
        let level = |text: &str, language| phrases(language).level(text);
        let open = "min(80 + 10 * ((hand - open) / 4), 150)";
        assert_eq!(level(open, english), "80, 10 more for each 4 of “hand” beyond 13, at most 150");
        assert_eq!(
            level(open, french),
            "80, 10 de plus pour chaque tranche de 4 de « hand » au-delà de 13, au plus 150"
        );
        assert_eq!(level("next + 20", english), "20 above the lowest bid");
        assert_eq!(say("max(trumps - 3, -2)", english), "cards of the suit beyond 3 (at least −2)");
        assert_eq!(say("if(J, 2, 0) + side(A=3, T=1)", english), "2 if the jack, plus beside: A 3, 10 1");
        assert_eq!(say("partner(is_suit)", french), "l’enchère du partenaire est à la couleur");
        assert_eq!(say("contract(is_suit) or J", english), "the last bid is in a suit or the jack");
        assert_eq!(
            say("count(J or nine) >= 2", english),
            "number of suits with: the jack or the nine: at least 2"
        );
        assert_eq!(say("trumps in 3..4", english), "cards of the suit: from 3 to 4");
        assert_eq!(say("guarded_tens / 2", french), "dix gardés d’une autre carte divisé par 2");
        assert_eq!(level("worth", english), "“worth”");
        assert_eq!(level("90 + tops", english), "90, plus “tops”");
    }
}
