//! Texts in the languages of people, and those of pages and of deals on them.
//!
//! A catalogue is declared by [`texts`](crate::texts): a struct with a field for each text, and a constant for each
//! language, so that the compiler names what is missing.

use std::fmt::Display;

use super::words::Language;

/// Declares a catalogue of texts, with those of the first language. Names in braces are filled in by [`fill`], and are the
/// same in all languages. Attributes before `all` belong to the list of all texts by name.
#[macro_export]
macro_rules! texts {
    (
        $(#[$doc:meta])* $vis:vis struct $catalogue:ident; $(#[$when:meta])* all; static $first:ident;
        $($name:ident: $text:expr,)*
    ) => {
        $(#[$doc])*
        $vis struct $catalogue {
            $($vis $name: &'static str,)*
        }

        $vis static $first: $catalogue = $catalogue { $($name: $text,)* };

        $(#[$when])*
        impl $catalogue {
            $vis fn all(&self) -> Vec<(&'static str, &'static str)> {
                vec![$((stringify!($name), self.$name)),*]
            }
        }
    };
}

texts! {
    /// What pages say around their content, and of deals.
    #[derive(Debug)]
    pub(super) struct PageTexts;
    all;
    static ENGLISH;

    sections: "Sections",
    table: "Table",
    terms: include_str!("../../templates/terms.html"),
    made_by: "Made by <code>arena {command}</code>, version {version}. This page works offline. The same command writes its \
              tables with <code>--csv DIR</code> and its charts with <code>--svg DIR</code>.",
    deal_lists: "Hands, auction and tricks",
    hands: "Hands",
    seat: "seat",
    bot: "bot",
    hand: "hand",
    dealer: ", dealer",
    auction: "Auction: {calls}",
    said: "{who}: {call}",
    leads: "{who} leads ",
    wins: "{who} wins",
    leg: "Leg {n}",
    legs: "{leg}: {bot} sits North–South",
    no_contract: "No contract",
    takes: "takes {strain}",
    coinched: ", coinched",
    surcoinched: ", surcoinched",
    contract_by: "{bid} by {who}{stake}",
    made: "Made with {own} card points against {other}. ",
    failed: "Failed with {own} card points against {other}. ",
    passed_out: "Passed out. ",
    forfeited: "Forfeited. ",
    scores: "Score: North–South {even}, East–West {odd}.",
    replay: "Replay: arrow keys step, Home and End jump",
    not_called: "{leg}. Nobody has called yet.",
    called: "Call {n} of {all}, {who}: {call}.",
    trick: "{contract}. Trick {n}, {who}: {card}.",
    tricks: "Tricks: North–South {even}, East–West {odd}.",
    taken: "{who} wins the trick.",
    beginning: "To the beginning",
    back: "One step back",
    on: "One step on",
    end: "To the end",
}

static FRENCH: PageTexts = PageTexts {
    sections: "Sections",
    table: "Tableau",
    terms: include_str!("../../templates/terms.fr.html"),
    made_by: "Page écrite par <code>arena {command}</code>, version {version} ; elle se lit hors ligne. La même commande écrit \
              ses tableaux avec <code>--csv DIR</code> et ses graphiques avec <code>--svg DIR</code>.",
    deal_lists: "Mains, enchères et plis",
    hands: "Mains",
    seat: "place",
    bot: "bot",
    hand: "main",
    dealer: ", donneur",
    auction: "Enchères : {calls}",
    said: "{who} : {call}",
    leads: "{who} entame ",
    wins: "pour {who}",
    leg: "Manche {n}",
    legs: "{leg} : {bot} en Nord–Sud",
    no_contract: "Pas de contrat",
    takes: "prise à {strain}",
    coinched: ", coinché",
    surcoinched: ", surcoinché",
    contract_by: "{bid} par {who}{stake}",
    made: "Réussi : {own} points contre {other}. ",
    failed: "Chuté : {own} points contre {other}. ",
    passed_out: "Tout le monde a passé. ",
    forfeited: "Forfait. ",
    scores: "Score : Nord–Sud {even}, Est–Ouest {odd}.",
    replay: "La donne pas à pas : flèches, début et fin",
    not_called: "{leg}. Personne n’a encore parlé.",
    called: "Annonce {n} sur {all}, {who} : {call}.",
    trick: "{contract}. Pli {n}, {who} : {card}.",
    tricks: "Plis : Nord–Sud {even}, Est–Ouest {odd}.",
    taken: "{who} remporte le pli.",
    beginning: "Au début",
    back: "Un pas en arrière",
    on: "Un pas en avant",
    end: "À la fin",
};

/// Returns the texts of pages.
pub(super) const fn page(language: Language) -> &'static PageTexts {
    match language {
        Language::English => &ENGLISH,
        Language::French => &FRENCH,
    }
}

/// Fills in the names of a text.
pub fn fill(text: &str, values: &[(&str, &dyn Display)]) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let Some((name, after)) = after.split_once('}') else { break };
        if let Some((_, value)) = values.iter().find(|(known, _)| *known == name) {
            filled.push_str(&value.to_string());
        } else {
            debug_assert!(false, "{name} of {text:?} has no value");
        }
        rest = after;
    }
    filled + rest
}

/// Returns how the texts of two languages differ in more than words: in the names in braces, in blanks at the ends and
/// line ends, which are part of the layout; or that one is missing.
pub fn differences(
    one: &[(&'static str, &'static str)],
    other: &[(&'static str, &'static str)],
) -> Vec<String> {
    let names = |text: &str| {
        let mut names: Vec<_> =
            text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0.to_owned())).collect();
        names.sort_unstable();
        names
    };
    let layout = |text: &str| (text.starts_with("  "), text.ends_with(' '), text.matches('\n').count());
    let pairs = one.iter().zip(other);
    let differing = pairs.filter(|((_, text), (_, other))| {
        names(text) != names(other) || layout(text) != layout(other) || other.is_empty()
    });
    differing.map(|((name, text), (_, other))| format!("{name}: {text:?} and {other:?}")).collect()
}

/// Returns those of French texts that have a straight apostrophe, or a space that may break before a sign or within quotes.
pub fn unpolished<'a>(french: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let breaks = |text: &str| {
        let letters: Vec<char> = text.replace("!=", "").chars().collect();
        let before = |it: &[char]| !it[0].is_whitespace() && it[1] == ' ' && ":;?!%»".contains(it[2]);
        letters.windows(3).any(before) || text.starts_with(" :") || text.starts_with(" ;")
    };
    let is_plain = |text: &&str| text.contains(['\'', '´']) || text.contains("« ") || breaks(text);
    french.into_iter().filter(is_plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_say_the_same() {
        assert_eq!(differences(&ENGLISH.all(), &FRENCH.all()), [""; 0]);
        assert_eq!(unpolished(FRENCH.all().iter().map(|(_, text)| *text)), [""; 0]);
        assert_eq!(differences(&[("a", "x {n}")], &[("a", "y {m}")]).len(), 1);
        assert_eq!(differences(&[("a", "x ")], &[("a", "y")]).len(), 1);
    }

    #[test]
    fn french_is_printed_with_care() {
        let nice =
            ["l’as\u{a0}: un\u{a0}; deux", "«\u{a0}as\u{a0}»", "4\u{a0}%", "  ?  un conseil", "<= != 10:30"];
        assert_eq!(unpolished(nice), [""; 0]);
        for text in ["l'as", "un : deux", " ; deux", "« as\u{a0}»", "«\u{a0}as »", "4 %", "oui ?"] {
            assert_eq!(unpolished([text]), [text]);
        }
    }

    #[test]
    fn names_are_filled_in_once() {
        assert_eq!(fill("{a} and {b}", &[("a", &"{b}"), ("b", &2)]), "{b} and 2");
        assert_eq!(fill("nothing", &[]), "nothing");
    }
}
