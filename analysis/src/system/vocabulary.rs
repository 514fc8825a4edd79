//! What the words of the language of systems are called on pages for people, in English and French.

use coinche_bots::system::syntax::Function;
use coinche_bots::system::{About, Word};

use crate::typed::Language;

/// The words of the language in French; in English they are what `arena system words` says.
pub(super) const FRENCH: [(&str, &str); 76] = [
    ("trumps", "cartes de la couleur"),
    ("length", "cartes de la couleur"),
    ("belote", "roi et dame de la couleur"),
    ("trump_points", "points de la couleur à l’atout"),
    ("aces", "as à côté"),
    ("tens", "dix à côté"),
    ("guarded_tens", "dix gardés d’une autre carte"),
    ("kings", "rois à côté"),
    ("queens", "dames à côté"),
    ("jacks", "valets à côté"),
    ("nines", "neufs à côté"),
    ("voids", "couleurs sans carte"),
    ("singletons", "couleurs d’une seule carte"),
    ("doubletons", "couleurs de deux cartes"),
    ("longest", "cartes de la couleur la plus longue"),
    ("side_masters", "cartes maîtresses à côté"),
    ("masters", "cartes maîtresses"),
    ("losers", "cartes perdantes"),
    ("points", "points de toute la main"),
    ("melds", "points d’annonces de la main"),
    ("cards", "cartes de la main"),
    ("is_suit", "c’est une couleur"),
    ("is_sa", "c’est sans atout"),
    ("is_ta", "c’est tout atout"),
    ("is_turned", "c’est la couleur retournée"),
    ("of_partner", "le partenaire l’a annoncée"),
    ("of_mine", "je l’ai annoncée"),
    ("of_theirs", "un adversaire l’a annoncée"),
    ("is_new", "personne ne l’a annoncée"),
    ("opening", "personne n’a enchéri"),
    ("position", "rang de parole, de 1 à 4"),
    ("round", "mon tour de parole, à partir de 1"),
    ("bids", "enchères jusqu’ici"),
    ("my_bids", "mes enchères"),
    ("partner_bids", "enchères du partenaire"),
    ("their_bids", "enchères des adversaires"),
    ("i_opened", "j’ai ouvert"),
    ("partner_opened", "le partenaire a ouvert"),
    ("they_opened", "un adversaire a ouvert"),
    ("i_passed", "j’ai passé sans enchérir"),
    ("partner_passed", "le partenaire a passé sans enchérir"),
    ("their_passes", "adversaires qui ont passé sans enchérir"),
    ("partner_waited", "le partenaire a dit « j’attends »"),
    ("level", "points de la dernière enchère"),
    ("my_level", "points de ma dernière enchère"),
    ("partner_level", "points de la dernière enchère du partenaire"),
    ("partner_first", "points de la première enchère du partenaire"),
    ("partner_jump", "paliers sautés par le partenaire"),
    ("their_level", "points de la dernière enchère adverse"),
    ("next", "la plus petite enchère permise"),
    ("our_bid", "la dernière enchère est de notre camp"),
    ("their_bid", "la dernière enchère est des adversaires"),
    ("partners_bid", "la dernière enchère est du partenaire"),
    ("partner_raised", "le partenaire a soutenu mon enchère"),
    ("partner_changed", "le partenaire a changé de couleur"),
    ("i_raised", "j’ai soutenu le partenaire"),
    ("coinched", "la dernière enchère est coinchée"),
    ("surcoinched", "la dernière enchère est surcoinchée"),
    ("offered", "on me demande si je coinche"),
    ("second_round", "c’est le second tour"),
    ("turned_jack", "la retourne est un valet"),
    ("turned_nine", "la retourne est un neuf"),
    ("turned_ace", "la retourne est un as"),
    ("our_score", "notre score"),
    ("their_score", "leur score"),
    ("target", "points de la partie"),
    ("lowest", "l’enchère la plus basse"),
    ("highest", "l’enchère la plus haute"),
    ("turn_up", "on joue avec une retourne"),
    ("has_sa", "on joue sans atout"),
    ("has_ta", "on joue tout atout"),
    ("has_capot", "on peut annoncer le capot"),
    ("has_generale", "on peut annoncer la générale"),
    ("has_wait", "on peut dire « j’attends »"),
    ("has_coinche", "on peut coincher"),
    ("has_melds", "les annonces comptent pour le contrat"),
];

/// The ranks, by their words and as people say them.
pub(super) const RANKS: [(&str, &str, &str, &str); 8] = [
    ("J", "jack", "the jack", "le valet"),
    ("nine", "nine", "the nine", "le neuf"),
    ("A", "ace", "the ace of the suit", "l’as de la couleur"),
    ("T", "ten", "the ten of the suit", "le dix de la couleur"),
    ("K", "king", "the king of the suit", "le roi de la couleur"),
    ("Q", "queen", "the queen of the suit", "la dame de la couleur"),
    ("eight", "eight", "the eight", "le huit"),
    ("seven", "seven", "the seven", "le sept"),
];

/// Where a rule looks.
pub(super) const PLACES: [(&str, &str, &str); 9] = [
    ("suits", "the best suit", "la meilleure couleur"),
    ("partner", "the partner’s suit", "la couleur du partenaire"),
    ("mine", "my suit", "ma couleur"),
    ("theirs", "their suit", "leur couleur"),
    ("contract", "the suit of the last bid", "la couleur de la dernière enchère"),
    ("none", "", ""),
    ("SA", "no trump", "sans atout"),
    ("TA", "all trump", "tout atout"),
    ("SA, TA", "no trump or all trump", "sans atout ou tout atout"),
];

/// Where a function looks.
pub(super) const FUNCTIONS: [(Function, &str, &str); 11] = [
    (Function::Any, "in some suit", "dans une couleur"),
    (Function::Every, "in every suit", "dans chaque couleur"),
    (Function::Count, "number of suits with", "nombre de couleurs avec"),
    (Function::Most, "most in a suit", "le plus dans une couleur"),
    (Function::Others, "number of other suits with", "nombre d’autres couleurs avec"),
    (Function::MostOther, "most in another suit", "le plus dans une autre couleur"),
    (Function::Partner, "in the partner’s suit", "dans la couleur du partenaire"),
    (Function::Mine, "in my suit", "dans ma couleur"),
    (Function::Theirs, "in their suit", "dans leur couleur"),
    (Function::Contract, "in the suit of the last bid", "dans la couleur de la dernière enchère"),
    (Function::Turned, "in the suit turned up", "dans la couleur retournée"),
];

/// That a bid is in a suit, by where a function looks.
pub(super) const IN_A_SUIT: [(Function, &str, &str); 4] = [
    (Function::Partner, "the partner’s bid is in a suit", "l’enchère du partenaire est à la couleur"),
    (Function::Mine, "my bid is in a suit", "mon enchère est à la couleur"),
    (Function::Theirs, "their bid is in a suit", "leur enchère est à la couleur"),
    (Function::Contract, "the last bid is in a suit", "la dernière enchère est à la couleur"),
];

/// What the functions of the language are in French; in English they are what `arena system words` says.
pub(super) const FUNCTIONS_IN_FRENCH: [(Function, &str); 14] = [
    (Function::Any, "vrai dans une des quatre couleurs"),
    (Function::Every, "vrai dans les quatre couleurs"),
    (Function::Count, "nombre de couleurs où c’est vrai"),
    (Function::Most, "le plus grand nombre d’une couleur"),
    (Function::Others, "nombre de couleurs autres que la couleur essayée où c’est vrai"),
    (Function::MostOther, "le plus grand nombre d’une autre couleur"),
    (Function::Partner, "dans la couleur de la dernière enchère du partenaire ; 0 s’il n’a pas enchéri"),
    (Function::Mine, "dans la couleur de ma dernière enchère ; 0 si je n’ai pas enchéri"),
    (Function::Theirs, "dans la couleur de la dernière enchère adverse ; 0 s’il n’y en a pas"),
    (Function::Contract, "dans la couleur de la dernière enchère ; 0 s’il n’y en a pas"),
    (Function::Turned, "dans la couleur retournée ; 0 s’il n’y en a pas"),
    (Function::Min, "le plus petit de deux nombres"),
    (Function::Max, "le plus grand de deux nombres"),
    (Function::If, "le deuxième si le premier est vrai, sinon le troisième"),
];

/// What else a file may write for a call.
pub(super) const CALLS: [(&str, &[&str]); 6] = [
    ("pass", &["p", "passe"]),
    ("wait", &["w"]),
    ("coinche", &["x", "contre"]),
    ("surcoinche", &["xx", "surcontre"]),
    ("take", &["prend"]),
    ("generale", &["générale"]),
];

/// Returns the English word of a call that is one; other texts as they are.
pub(super) fn call_word(text: &str) -> &str {
    let text = text.trim();
    let is = |word: &&str| word.eq_ignore_ascii_case(text);
    CALLS.iter().find(|(word, others)| is(word) || others.iter().any(is)).map_or(text, |(word, _)| word)
}

/// Returns what a word of the language is.
pub fn about_word(word: Word, language: Language) -> &'static str {
    let french = FRENCH.iter().find(|(name, _)| *name == word.name());
    language.of(word.doc(), french.map_or(word.doc(), |(_, french)| *french))
}

/// Returns what a function of the language is.
pub fn about_function(function: Function, language: Language) -> &'static str {
    let french = FUNCTIONS_IN_FRENCH.iter().find(|(known, _)| *known == function);
    language.of(function.about(), french.map_or(function.about(), |(_, french)| *french))
}

/// Returns the heading of the words about something.
pub const fn heading(about: About, language: Language) -> &'static str {
    let french = match about {
        About::Trump => "la couleur essayée",
        About::Hand => "la main : à côté de la couleur essayée, ou toute la main à sans atout et tout atout",
        About::Strain => "l’atout essayé",
        About::Auction => "les enchères et la partie",
        About::Rules => "les règles",
    };
    language.of(about.heading(), french)
}
