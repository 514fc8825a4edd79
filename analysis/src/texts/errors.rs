//! Errors in the language of the reader: translated by their English text, where they are shown.
//!
//! Errors arise in all crates, and only a command knows the language. Each is a pair of lines in `errors.txt`, with `{}` for
//! its values, which are translated likewise unless they are quoted. What is not there stays in English.

use super::refusals;
use crate::typed::Language;

const CATALOGUE: &str = include_str!("errors.txt");

/// Returns an error in a language.
#[must_use]
pub fn error_in(language: Language, english: &str) -> String {
    match language {
        Language::English => english.to_owned(),
        Language::French => french(english),
    }
}

fn pairs() -> impl Iterator<Item = (&'static str, &'static str)> {
    CATALOGUE.split("\n\n").filter_map(|pair| pair.trim().split_once('\n'))
}

/// Returns all errors in English and in French, with `{0}`, `{1}`, … for their values: those of the catalogue, and why cards,
/// calls and what is typed are refused.
#[must_use]
pub fn known_errors() -> Vec<[String; 2]> {
    let numbered = |text: &str| {
        let mut pieces = text.split("{}").map(str::to_owned);
        let first = pieces.next().unwrap_or_default();
        pieces.enumerate().fold(first, |told, (n, piece)| format!("{told}{{{n}}}{piece}"))
    };
    refusals().into_iter().chain(pairs().map(|(english, french)| [english, french].map(numbered))).collect()
}

fn french(text: &str) -> String {
    in_french(text).unwrap_or_else(|| text.to_owned())
}

/// Translates a text, or what stands behind a file or a field, or under the lines of one.
fn in_french(text: &str) -> Option<String> {
    let inner = text.trim_start();
    let Some((values, french)) = pairs().find_map(|(form, french)| Some((values(form, inner)?, french)))
    else {
        let behind = text.split_once(": ").filter(|(before, _)| !before.contains('\n'));
        return match behind {
            Some((before, rest)) => Some(format!("{before}\u{a0}: {}", in_french(rest)?)),
            None => text
                .trim_end()
                .rsplit_once('\n')
                .and_then(|(lines, last)| Some(format!("{lines}\n{}", in_french(last)?))),
        };
    };
    let mut values = values.into_iter();
    let mut told = text[..text.len() - inner.len()].to_owned();
    for (n, piece) in french.split("{}").enumerate() {
        if let Some(value) = values.next().filter(|_| n > 0) {
            let is_quoted = told.matches('`').count() % 2 == 1;
            told += &if is_quoted { value.to_owned() } else { self::french(value) };
        }
        told += piece;
    }
    Some(told)
}

/// Returns the values of a text of this form, an empty one before them.
fn values<'a>(form: &str, text: &'a str) -> Option<Vec<&'a str>> {
    let mut pieces = form.split("{}").peekable();
    let (mut rest, mut found) = (text.strip_prefix(pieces.next()?)?, vec![""]);
    while let Some(piece) = pieces.next() {
        let at =
            if pieces.peek().is_some() { rest.find(piece) } else { Some(rest.strip_suffix(piece)?.len()) }?;
        found.push(&rest[..at]);
        rest = &rest[at + piece.len()..];
    }
    rest.is_empty().then_some(found)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use coinche_bots::Registry;
    use coinche_engine::RuleSet;
    use coinche_engine::rules::FIELDS;
    use coinche_selfplay::document::texts::unpolished;

    use super::*;

    /// Where errors arise of commands that have a language.
    const SOURCES: [&str; 18] = [
        "engine/src/state/observation.rs",
        "engine/src/state/mod.rs",
        "engine/src/rule_file/mod.rs",
        "engine/src/card_set.rs",
        "engine/src/deal.rs",
        "engine/src/random/seed.rs",
        "engine/src/record/mod.rs",
        "selfplay/src/records/json.rs",
        "selfplay/src/records/pbn/read.rs",
        "selfplay/src/base/error.rs",
        "analysis/src/typed/cards.rs",
        "analysis/src/report/source/error.rs",
        "bots/src/system/error.rs",
        "bots/src/error.rs",
        "bots/src/params.rs",
        "analysis/src/system/source.rs",
        "arena/src/commands/advise.rs",
        "arena/src/commands/system/meet.rs",
    ];

    /// Returns the texts of the errors of a file, with `{}` for their values.
    fn errors(path: &str) -> Vec<String> {
        let source = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)).unwrap();
        let source = ["enum RegistryError", "#[cfg(test)]"]
            .into_iter()
            .fold(&*source, |source, end| source.split(end).next().unwrap());
        let texts = source.split("#[error(").skip(1).filter_map(|rest| {
            let literal = rest.trim_start().strip_prefix('"')?.replace("\\\"", "\u{1}");
            let literal = literal.split('"').next()?.replace('\u{1}', "\"");
            let joined = literal.split("\\\n").map(str::trim_start).collect::<String>().replace("\\\\", "\\");
            let pieces =
                joined.split('{').map(|piece| piece.split_once('}').map_or(piece, |(_, after)| after));
            Some(pieces.collect::<Vec<_>>().join("{}"))
        });
        texts.collect()
    }

    #[test]
    fn every_error_of_a_system_is_in_the_catalogue() {
        let known: BTreeSet<_> = pairs().map(|(english, _)| english).collect();
        for text in SOURCES.into_iter().flat_map(errors) {
            // Some stand behind a file or a field, or in the last line; what a rule is for, in a text of its own.
            let whole = [
                format!("{{}}: {text}"),
                text.trim_start_matches("{}: ").to_owned(),
                text.rsplit("\\n").next().unwrap().to_owned(),
                text.replace("is for {}", "is for the turn-up game: add a rule whose call is `take`"),
            ];
            let is_wrapper = ["{}", "{}: {}", "{} {}: {}", "{}:{}: {}", "{}{}"].contains(&&*text);
            assert!(
                is_wrapper || known.contains(&*text) || whole.iter().any(|it| known.contains(&**it)),
                "{text}"
            );
        }
    }

    #[test]
    fn what_rules_and_bots_allow_is_in_the_catalogue() {
        let registry = Registry::default();
        let params = registry.bots().flat_map(|bot| bot.bidder_params().iter().chain(bot.player_params()));
        let legal = FIELDS.iter().map(|field| field.legal).chain(params.map(|param| param.legal));
        let effect = include_str!("../../../engine/src/rule_file/effect.rs");
        let code = effect.lines().filter(|line| !line.trim_start().starts_with("//"));
        let why = code.flat_map(|line| line.split('"').skip(1).step_by(2));
        for text in legal.chain(why).filter(|text| text.contains(' ')) {
            assert!(in_french(text).is_some(), "{text}");
        }
    }

    #[test]
    fn nothing_is_english_of_what_is_wrong_with_rules() {
        let wrong = |base: &RuleSet, set: &str| base.with_settings(set.split(';')).unwrap_err().to_string();
        let bga = "scoring.nosuch=1 nonsense poker.x=1 auction.lowest=x auction.highest=70 match.tie=held deal.packets=[3,3] \
                   deal.method=split cards.no_trump=[99,99,0,0,0,0,0,0] scoring.rounding=tenths \
                   auction.coinche=any-time;auction.over_coinche=open auction.bids=strains;auction.capot=true;scoring.made=bid";
        let mut errors: Vec<_> = bga.split(' ').map(|set| wrong(&RuleSet::BGA, set)).collect();
        errors.extend(["auction.capot=true", "scoring.made=bid"].map(|set| wrong(&RuleSet::BELOTE, set)));
        let files = [
            "[auction\n",
            "base = \"bgaa\"",
            "[scoring]\nrouding = 1",
            "[auction]\nlowest = 1000",
            "[match]\ntie = \"held\"",
            "a = x",
        ];
        errors.extend(files.map(|text| format!("a: b.toml: {}", RuleSet::from_toml(text).unwrap_err())));
        for error in errors {
            let told = french(&error);
            for word in ["expected", "cannot", " is ", " the ", "line", " has ", " to ", " of "] {
                assert!(!told.contains(word), "{told}");
            }
        }
    }

    #[test]
    fn languages_say_the_same() {
        for (english, french) in pairs() {
            assert_eq!(english.matches("{}").count(), french.matches("{}").count(), "{english}");
            assert!(values(english, english).is_some() && english != french, "{english}");
        }
        assert_eq!(pairs().count(), CATALOGUE.trim().split("\n\n").count());
        assert_eq!(unpolished(pairs().map(|(_, french)| french)), [""; 0]);
    }

    #[test]
    fn values_are_translated_unless_they_are_quoted() {
        let told = |text| error_in(Language::French, text);
        assert_eq!(
            told("error: a b.toml: line 3, column 14: expected a condition or a number, found the end"),
            "erreur\u{a0}: a b.toml\u{a0}: ligne 3, colonne 14\u{a0}: il faut une condition ou un nombre au lieu de la fin"
        );
        assert_eq!(
            told("bot `rules` has no parameter `a` (did you mean `b`?): expected none"),
            "le bot `rules` n’a pas de paramètre `a` (peut-être `b`\u{a0}?)\u{a0}; ses paramètres\u{a0}: aucun"
        );
        assert_eq!(told("what nobody knows: 3"), "what nobody knows: 3");
        assert_eq!(
            told(
                "a.toml: not valid TOML: TOML parse error at line 1, column 5\n  |\n1 | a: b c: the end\n  |   ^\nduplicate key\n"
            ),
            "a.toml\u{a0}: ce n’est pas du TOML\u{a0}: erreur à la ligne 1, colonne 5\n  |\n1 | a: b c: the end\n  |   ^\ncette clé est \
             là deux fois"
        );
    }
}
