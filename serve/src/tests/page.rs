//! The page: its texts in both languages, its size, and the description of the interface.

use coinche_analysis::judge;
use coinche_selfplay::document::texts::unpolished;
use serde_json::Value;

use crate::page::{OPENAPI, PAGE};

/// Returns the texts of the catalogue: key, and a text for each language.
fn catalogue() -> Vec<(String, Vec<String>)> {
    let shared = include_str!("../../page/shared.js");
    let (_, rest) = shared.split_once("const WORDS = {").unwrap();
    let (mut rest, _) = rest.split_once("\n};").unwrap();
    let mut words = Vec::new();
    while let Some((before, after)) = rest.split_once(": [") {
        let key = before.rsplit([' ', '\n', ',']).next().unwrap().to_owned();
        let (list, behind) = after.split_once(']').unwrap();
        words.push((key, list.split('\'').skip(1).step_by(2).map(str::to_owned).collect()));
        rest = behind;
    }
    words
}

#[test]
fn all_texts_of_the_page_are_in_one_catalogue_in_both_languages() {
    let words = catalogue();
    assert!(words.len() > 150);
    let slots = |text: &str| (0..9).filter(|n| text.contains(&format!("{{{n}}}"))).collect::<Vec<_>>();
    for (n, (key, texts)) in words.iter().enumerate() {
        let [english, french] = &texts[..] else { panic!("{key}: {texts:?}") };
        assert!(!english.trim().is_empty() && !french.trim().is_empty(), "{key}");
        assert_eq!(slots(english), slots(french), "{key}");
        assert!(
            ["colon", "semicolon"].contains(&&**key) || unpolished([&**french]).is_empty(),
            "{key}: {french}"
        );
        assert!(words[..n].iter().all(|(other, _)| other != key), "{key} is there twice");
    }
    let has = |key: &str| words.iter().any(|(own, _)| own == key);
    // Keys that are put together, or are words of the interface.
    let causes = judge::CAUSES.map(|cause| format!("cause_{}", cause.replace(' ', "_")));
    let states = ["done", "working", "failed", "ready", "waiting"].map(|state| format!("state_{state}"));
    let kinds = coinche_engine::MeldKind::ALL.map(|kind| kind.to_string());
    let decisions = ["go_on", "upper", "lower", "undecided"].map(|decision| format!("decision_{decision}"));
    let speeds = ["slow", "normal", "fast"].map(str::to_owned);
    let made: Vec<_> = causes.into_iter().chain(states).chain(decisions).chain(kinds).chain(speeds).collect();
    for key in &made {
        assert!(has(key), "{key} is missing");
    }
    let scripts: Vec<_> = PAGE
        .iter()
        .filter(|(path, ..)| path.strip_suffix(".js").is_some_and(|name| name != "/preact"))
        .collect();
    let mut all = String::new();
    for (path, _, bytes) in scripts {
        let text = std::str::from_utf8(bytes).unwrap();
        let text = text.split_once("\n};").filter(|_| *path == "/shared.js").map_or(text, |(_, rest)| rest);
        all.push_str(text);
        for (at, _) in text.match_indices("t('") {
            let is_call = !text[..at].ends_with(|before: char| before.is_alphanumeric() || before == '.');
            let key = text[at + 3..].split('\'').next().unwrap();
            assert!(!is_call || has(key), "{path}: {key} is missing");
        }
        // No words stand in the page itself.
        for (at, _) in text.match_indices('>') {
            let word: String = text[at + 1..].chars().take_while(|it| it.is_alphabetic()).collect();
            let in_text = !text[..at].ends_with(['=', ' ']) && word.chars().count() > 1;
            assert!(!in_text, "{path}: `{word}` is not in the catalogue");
        }
        assert!(!text.contains("}: ") || *path == "/errors.js", "{path}: a colon is `t('colon')`");
        for name in ["aria-label=\"", "title=\"", "placeholder=\""] {
            assert!(!text.contains(name), "{path}: {name}");
        }
    }
    for (key, _) in &words {
        let quoted = [format!("'{key}'"), format!("`{key}`")];
        let is_used = made.contains(key) || quoted.iter().any(|it| all.contains(it.as_str()));
        assert!(is_used, "{key} is not used");
    }
}

#[test]
fn the_interface_is_described_and_the_page_is_small() {
    let described: Value = serde_json::from_str(OPENAPI).unwrap();
    let paths: Vec<_> = described["paths"].as_object().unwrap().keys().cloned().collect();
    let source = include_str!("../api.rs");
    let routes: Vec<_> = source
        .split(".route(\"")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap().replace('*', ""))
        .filter(|route| !["openapi.json", "refusals.js"].iter().any(|end| route.ends_with(end)))
        .collect();
    assert!(routes.len() > 10);
    for route in &routes {
        assert!(paths.contains(route), "{route} is not in openapi.json");
    }
    assert_eq!(paths.len(), routes.len());
    let size: usize = PAGE.iter().map(|(_, _, bytes)| bytes.len()).sum();
    assert!(size < 300_000, "{size} bytes");
    for (path, _, bytes) in PAGE {
        let text = std::str::from_utf8(bytes).unwrap();
        // No other host is asked for anything: addresses are only those of licences and of SVG.
        for found in
            text.match_indices("://").map(|(at, _)| &text[at.saturating_sub(5)..(at + 20).min(text.len())])
        {
            let known = ["github.com", "w3.org", "www.w3.org"];
            assert!(known.iter().any(|known| found.contains(known)), "{path}: {found}");
        }
        assert!(!text.contains("innerHTML") || path == "/preact.js", "{path}");
    }
}

/// Returns the texts of errors in both languages: those of the page, and those of the terminal.
fn errors() -> Vec<[String; 2]> {
    let (_, rest) = include_str!("../../page/errors.js").split_once("ERRORS = [").unwrap();
    let (list, _) = rest.split_once("\n];").unwrap();
    let texts: Vec<_> = list.split('\'').skip(1).step_by(2).map(str::to_owned).collect();
    let own = texts.chunks(2).map(|pair| [pair[0].clone(), pair[1].clone()]);
    own.chain(coinche_analysis::known_errors()).collect()
}

/// A text with empty slots.
fn form(text: &str) -> String {
    let mut form = String::new();
    let mut depth = 0;
    for letter in text.chars() {
        depth -= i32::from(letter == '}');
        if depth == 0 {
            form.push(letter);
        }
        depth += i32::from(letter == '{');
    }
    form
}

/// Iterates over the texts in quotes of a source, each with what is before it in its line.
fn quoted(source: &str) -> Vec<(String, String)> {
    let source = source.split("#[cfg(test)]").next().unwrap_or_default();
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    let source: String = source.lines().filter(is_code).collect::<Vec<_>>().join("\n");
    let (mut texts, mut rest) = (Vec::new(), source.as_str());
    while let Some((before, after)) = rest.split_once('"') {
        let (mut text, mut letters) = (String::new(), after.char_indices());
        let end = loop {
            match letters.next() {
                None => return texts,
                Some((at, '"')) => break at,
                Some((_, '\\')) => match letters.next() {
                    // The line goes on in the next one.
                    Some((at, '\n')) => {
                        let spaces = after[at + 1..].chars().take_while(|it| *it == ' ').count();
                        letters.by_ref().take(spaces).for_each(drop);
                    }
                    Some((_, letter)) => text.push(letter),
                    None => return texts,
                },
                Some((_, letter)) => text.push(letter),
            }
        };
        texts.push((before.lines().last().unwrap_or_default().to_owned(), text));
        rest = &after[end + 1..];
    }
    texts
}

#[test]
fn answers_to_mistakes_are_known_in_french() {
    let known = errors();
    assert!(known.len() > 120);
    let slots = |text: &str| (0..9).filter(|n| text.contains(&format!("{{{n}}}"))).collect::<Vec<_>>();
    for (n, [english, french]) in known.iter().enumerate() {
        assert!(!french.trim().is_empty(), "{english}");
        assert!(unpolished([&**french]).is_empty(), "{french}");
        assert_eq!(slots(english), slots(french), "{english}");
        let is_twice = known[..n].iter().any(|[other, _]| form(other) == form(english));
        assert!(!is_twice || french.contains("bot"), "{english} is there twice");
    }
    let is_known = |text: &str| known.iter().any(|[english, _]| form(english) == form(text));
    let own = [
        include_str!("../api.rs"),
        include_str!("../api/analysis.rs"),
        include_str!("../api/games.rs"),
        include_str!("../api/systems.rs"),
        include_str!("../board.rs"),
        include_str!("../guard.rs").split_once("let forbidden").unwrap().1,
        include_str!("../names.rs"),
        include_str!("../shelf.rs"),
        include_str!("../systems.rs"),
        include_str!("../table.rs"),
        include_str!("../table/claim.rs"),
        include_str!("../table/saved.rs"),
        include_str!("../tables.rs"),
    ];
    // What is no sentence of an answer.
    let others = ["{PERSON} {other}", "the system that is edited", "the bot failed", "{}: {why}", "Bearer "];
    let mut seen = 0;
    for (before, text) in own.iter().flat_map(|source| quoted(source)) {
        let is_sentence = text.contains(' ') && text.chars().filter(char::is_ascii_lowercase).count() > 4;
        if is_sentence && !before.ends_with("expect(") && !others.contains(&text.as_str()) {
            assert!(is_known(&text), "`{text}` is missing in errors.js");
            seen += 1;
        }
    }
    assert!(seen > 50, "{seen}");
    let first = |source: &'static str| source.split("pub enum").nth(1).unwrap();
    let engine = include_str!("../../../engine/src/play.rs");
    for source in [
        first(include_str!("../../../engine/src/auction/error.rs")),
        engine,
        include_str!("../../../analysis/src/typed/mod.rs"),
    ] {
        for rest in source.split("#[error(").skip(1).filter(|rest| !rest.starts_with("transparent")) {
            let text = quoted(rest).remove(0).1;
            // With the word, the suit is a call.
            let text = text.replace("TAKE {0}", "{0}");
            assert!(text == "{0}" || is_known(&text), "`{text}` is missing in errors.js");
        }
    }
}
