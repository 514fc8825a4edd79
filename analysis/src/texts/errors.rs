//! Errors in the language of the reader: translated by their English text, where they are shown.
//!
//! Errors arise in all crates, and only a command knows the language. Each is a pair of lines in `errors.txt`, with `{}` for
//! its values, which are translated likewise unless they are quoted. What is not there stays in English.

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

fn french(text: &str) -> String {
    let inner = text.trim_start();
    let Some((values, french)) = pairs().find_map(|(form, french)| Some((values(form, inner)?, french)))
    else {
        return text.to_owned();
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
    told
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

    use coinche_selfplay::document::texts::unpolished;

    use super::*;

    /// Where errors arise of commands that have a language.
    const SOURCES: [&str; 6] = [
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
        let source = source.split("enum RegistryError").next().unwrap();
        let texts = source.split("#[error(").skip(1).filter_map(|rest| {
            let literal = rest.trim_start().strip_prefix('"')?.replace("\\\"", "\u{1}");
            let literal = literal.split('"').next()?.replace('\u{1}', "\"");
            let joined = literal.split("\\\n").map(str::trim_start).collect::<String>();
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
            // A line and its column stand behind a file; what a rule is for, in a text of its own.
            let whole = [
                format!("{{}}: {text}"),
                text.replace("is for {}", "is for the turn-up game: add a rule whose call is `take`"),
            ];
            let is_wrapper = ["{}", "{}: {}"].contains(&&*text);
            assert!(
                is_wrapper || known.contains(&*text) || whole.iter().any(|it| known.contains(&**it)),
                "{text}"
            );
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
    }
}
